import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cannotWrite } from "../results/file-trouble.js";
import { writeWholeFile } from "../results/whole-file.js";
import { InputError } from "../input-error.js";
import { FolderLock, LOCK_FILE } from "./folder-lock.js";
import { planDifferences } from "./plan-differences.js";
import { planText, readPlan, type StoredPlan } from "./plan-file.js";
import { isOwnName, SWEEP_FILES } from "./sweep-files.js";

export interface SweepFolderRequest {
  /** As the user named it, or as Bide chose it. */
  readonly path: string;
  /** Bide chose the path: its parent is created. */
  readonly chosen: boolean;
  /** Go on with the sweep that is there; where there is none, begin it. */
  readonly resume: boolean;
  /** Without `resume`, a sweep that is there is removed; with it, one that differs is continued as far as its runs have the keys of the new one. */
  readonly force: boolean;
  /** The sweep file as given. */
  readonly text: string;
  readonly stored: StoredPlan;
}

/**
 * The lock of a folder that holds this plan and what had been done of it.
 * @throws InputError when there is another sweep, or something else; when another process writes it; when it cannot be written.
 */
export function openFolder(request: SweepFolderRequest): FolderLock {
  const { path, chosen, resume, force } = request;
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isThere) refuseForeign(path, resume || force);
  else mkdirSync(path, { recursive: chosen });
  const lock = FolderLock.take(path);
  try {
    if (isThere && force && !resume) empty(path);
    if (isThere && resume) refuseOther(request);
    writePlan(request);
    return lock;
  } catch (error) {
    lock.release();
    if (!isThere) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

function refuseForeign(path: string, allowed: boolean): void {
  if (!statSync(path).isDirectory()) throw cannotWrite(path, "found no folder, allowed a new folder for a sweep");
  const entries = readdirSync(path);
  const stranger = entries.find((name) => !isOwnName(name));
  if (stranger !== undefined) {
    throw cannotWrite(
      path,
      `found a folder with files that are no sweep's (${stranger.slice(0, 60)}), allowed a new one`,
    );
  }
  if (allowed || entries.length === 0) return;
  const hint = "--resume goes on with the sweep in it, --force removes it and begins anew";
  throw cannotWrite(path, `found an existing folder, allowed a new one; ${hint}`);
}

function empty(path: string): void {
  // The plan last: without it there is no sweep, so that a kill in between leaves what can still be removed.
  const names = readdirSync(path).filter((name) => name !== LOCK_FILE);
  for (const name of names.filter((one) => one !== SWEEP_FILES.plan)) {
    rmSync(join(path, name), { recursive: true, force: true });
  }
  rmSync(join(path, SWEEP_FILES.plan), { force: true });
}

function refuseOther({ path, force, stored }: SweepFolderRequest): void {
  const file = join(path, SWEEP_FILES.plan);
  if (force || !existsSync(file)) return;
  const differences = planDifferences(readPlan(file), stored);
  if (differences.length === 0) return;
  const hint = "--resume-changed makes it this sweep, and keeps the runs that both have";
  throw new InputError([
    ...differences.map((found) => ({ file: path, line: 0, column: 0, message: `found another sweep: ${found}` })),
    { file: path, line: 0, column: 0, message: `cannot go on with it; ${hint}` },
  ]);
}

/** What is written already stays untouched. */
function writePlan({ path, text, stored }: SweepFolderRequest): void {
  writeWholeFile(join(path, SWEEP_FILES.text), text, true);
  writeWholeFile(join(path, SWEEP_FILES.plan), planText(stored), true);
  if (stored.plan.series) mkdirSync(join(path, SWEEP_FILES.series), { recursive: true });
  const journal = join(path, SWEEP_FILES.journal);
  if (!existsSync(journal)) writeFileSync(journal, "", { flag: "a" });
}
