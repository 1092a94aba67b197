import { existsSync, lstatSync, mkdirSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { cannotWrite } from "../results/file-trouble.js";
import { entriesIn, isMarked, MARKER, markFolder, removeOwn, strangerIn, textOf } from "../results/own-folder.js";
import { syncFolder, writeWholeFile } from "../results/whole-file.js";
import { InputError } from "../input-error.js";
import { FolderLock, isLockText, LOCK_FILE } from "./folder-lock.js";
import { isWholeJournal } from "./journal.js";
import { planDifferences } from "./plan-differences.js";
import { planText, readPlan, type StoredPlan } from "./plan-file.js";
import { ownEntry, README_START, SWEEP_FILES } from "./sweep-files.js";

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
  else {
    mkdirSync(path, { recursive: chosen });
    syncFolder(dirname(resolve(path)));
  }
  markFolder(path, "sweep");
  const lock = FolderLock.take(path);
  try {
    if (isThere && force && !resume) empty(path);
    if (isThere && resume) refuseOther(request);
    writePlan(request);
    return lock;
  } catch (error) {
    lock.release();
    if (!isThere) unmake(path);
    throw error;
  }
}

function refuseForeign(path: string, allowed: boolean): void {
  if (!statSync(path).isDirectory()) throw cannotWrite(path, "found no folder, allowed a new folder for a sweep");
  const stranger = strangerIn(path, ownEntry);
  if (stranger !== undefined) {
    throw cannotWrite(
      path,
      `found a folder with files that are no sweep's (${stranger.slice(0, 60)}), allowed a new one`,
    );
  }
  const entries = entriesIn(path);
  if (entries.length === 0) return;
  if (!isMarked(path, "sweep") && !isFormerFolder(path)) {
    const hint = "If a sweep of Bide is all that it holds, remove it";
    throw cannotWrite(path, `found a folder without ${MARKER}, the mark of Bide, allowed a new one. ${hint}`);
  }
  if (allowed || entries.every(({ name }) => name === MARKER)) return;
  const hint = "--resume goes on with the sweep in it, --force removes it and begins anew";
  throw cannotWrite(path, `found an existing folder, allowed a new one; ${hint}`);
}

/** Made by an earlier version, which marked no folder: every file is what Bide writes. */
function isFormerFolder(path: string): boolean {
  const readme = join(path, SWEEP_FILES.readme);
  const lock = textOf(join(path, LOCK_FILE));
  const hasReadme = existsSync(readme);
  if (hasReadme && textOf(readme, MOST_README_BYTES)?.startsWith(README_START) !== true) return false;
  if (lock !== null && !isLockText(lock)) return false;
  if (!isWholeJournal(join(path, SWEEP_FILES.journal)) || !existsSync(join(path, SWEEP_FILES.text))) return false;
  try {
    readPlan(join(path, SWEEP_FILES.plan));
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

const MOST_README_BYTES = 100_000;

/** The mark last: a folder that is half removed is still Bide's. */
function empty(path: string): void {
  const names = entriesIn(path).map(({ name }) => name);
  removeOwn(
    path,
    names.filter((name) => name !== LOCK_FILE && name !== MARKER),
    ownEntry,
  );
  syncFolder(path);
}

/** Takes back what a beginning that failed has made. */
function unmake(path: string): void {
  const names = entriesIn(path).map(({ name }) => name);
  removeOwn(path, [...names.filter((name) => name !== MARKER), MARKER], ownEntry);
  rmdirSync(path);
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
  if (lstatSync(journal, { throwIfNoEntry: false }) === undefined) writeFileSync(journal, "", { flag: "wx" });
  syncFolder(path);
}
