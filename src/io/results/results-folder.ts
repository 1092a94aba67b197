import { namesOf } from "../../core/kernel/index.js";
import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { heldUnit, type RunRecord, type Summary } from "../../core/record/index.js";
import type { AnyScenario } from "../../core/scenario/index.js";
import { resolvedToJson } from "../scenario/resolved.js";
import { TablesUnavailable, writeParquet } from "./duckdb.js";
import { columnNames, groupTables, type RunTable, runTables } from "./run-tables.js";
import { jsonText, summaryText } from "./summary-schema.js";
import {
  asWriteError,
  entriesIn,
  isMarked,
  MARKER,
  markFolder,
  type OwnEntry,
  removeOwn,
  strangerIn,
  syncFile,
  syncFolder,
} from "./whole-file.js";
import { fileProblem } from "../input-error.js";

interface FolderRequest {
  /** As the user named it, or as `defaultFolder` made it. */
  readonly path: string;
  /** An existing results folder may be replaced. */
  readonly force: boolean;
  /** Bide chose the path: the next free name is taken when it exists. */
  readonly chosen: boolean;
}

/**
 * A results folder that comes into being at once: everything is written into a hidden folder beside it, `staging`,
 * which `publish` renames. Until then, and after `discard`, there is nothing under its own name but what was there
 * before.
 */
export class ResultsFolder {
  private discarded = false;

  private constructor(
    /** The path of the results, as shown to the user. */
    public path: string,
    /** Absolute path of the folder to write into. */
    readonly staging: string,
    private readonly target: string,
    private readonly request: FolderRequest,
    /** The outermost of the folders that had to be made for it; null: none. */
    private readonly madeParent: string | null,
  ) {}

  /**
   * Creates the staging folder, and the folders it is to be in, which shows that there can be results before anything
   * is computed.
   * @throws InputError when there can be none: the path exists and may not be replaced, or cannot be written.
   */
  static open(request: FolderRequest): ResultsFolder {
    let { path } = request;
    try {
      if (request.chosen) path = nextFree(path);
      const target = request.chosen ? resolve(path) : checkedTarget(path, request.force);
      const parent = dirname(target);
      const made = mkdirSync(parent, { recursive: true }) ?? null;
      const staging = beside(target, "partial");
      mkdirSync(staging);
      markFolder(staging, "results");
      return new ResultsFolder(path, staging, target, request, made);
    } catch (error) {
      throw asWriteError(error, path);
    }
  }

  /**
   * Gives the staged results their name. With `force` the former folder is moved away whole before and removed after.
   * @throws InputError when the name has been taken since `open`; nothing is left then.
   */
  publish(): void {
    try {
      for (const { name } of entriesIn(this.staging)) syncFile(join(this.staging, name));
      syncFolder(this.staging);
      this.moveIntoPlace();
      syncFolder(dirname(this.target));
    } catch (error) {
      this.discard();
      throw asWriteError(error, this.path);
    }
  }

  /** Removes what was staged. Safe to call at any time, also after `publish`. */
  discard(): void {
    if (this.discarded) return;
    this.discarded = true;
    rmSync(this.staging, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
    if (this.madeParent === null) return;
    for (let path = dirname(this.target); path.length >= this.madeParent.length; path = dirname(path)) {
      removeIfEmpty(path);
    }
  }

  private moveIntoPlace(): void {
    if (this.request.chosen) {
      this.path = nextFree(this.path);
      renameSync(this.staging, resolve(this.path));
    } else if (this.request.force && statSync(this.target, { throwIfNoEntry: false }) !== undefined) {
      swap(this.staging, this.target, this.path);
    } else {
      refuseExisting(this.path, this.target);
      renameSync(this.staging, this.target);
    }
    this.discarded = true;
  }
}

/** Work on a new results folder, of which nothing is left unless it was published, even when the process is left. */
export async function inNewFolder<T>(request: FolderRequest, work: (folder: ResultsFolder) => Promise<T>): Promise<T> {
  const folder = ResultsFolder.open(request);
  const discard = () => {
    folder.discard();
  };
  process.once("exit", discard);
  try {
    return await work(folder);
  } finally {
    discard();
    process.off("exit", discard);
  }
}

/** `results/<name>-<seed>-<time>`, of characters that are safe in any file name. */
export function defaultFolder(scenario: string, seed: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
  return join("results", [scenario, seed, time].map(fileNamePart).join("-"));
}

/** Characters that are safe in any file name, some at least. */
export function fileNamePart(text: string): string {
  const part = text.replace(/[^\p{L}\p{N}._]+/gu, "-").replace(/^[.-]+|-+$/g, "");
  return part.slice(0, 50) || "x";
}

function nextFree(path: string): string {
  let free = path;
  for (let i = 2; lstatSync(free, { throwIfNoEntry: false }) !== undefined; i++) free = `${path}-${i}`;
  return free;
}

/** The absolute path to be created or replaced. */
function checkedTarget(path: string, force: boolean): string {
  const target = resolve(path);
  const existing = statSync(target, { throwIfNoEntry: false });
  if (!force || existing === undefined) {
    refuseExisting(path, target);
    return target;
  }
  if (!existing.isDirectory()) throw fileProblem(path, "is a file, and no folder for results");
  refuseForeign(path, target);
  return realpathSync(target);
}

const ownEntry = (name: string): OwnEntry => (RESULT_FILES.has(name) || IMPORTED.test(name) ? "file" : null);

/**
 * Refuses a folder that --force may not remove: only an empty folder, or one that Bide marked as its results and that
 * has plain files of Bide's names alone.
 */
function refuseForeign(path: string, target: string): void {
  const stranger = strangerIn(target, ownEntry);
  if (stranger !== undefined) {
    const shown = stranger.slice(0, 60);
    throw fileProblem(path, `holds files that are no results of Bide (${shown}); --force replaces only results`);
  }
  if (entriesIn(target).length === 0 || isMarked(target, "results")) return;
  throw fileProblem(
    path,
    `has no ${MARKER}, the mark of Bide; --force replaces only results. If it holds nothing else, remove it`,
  );
}

function refuseExisting(path: string, target: string): void {
  const existing = lstatSync(target, { throwIfNoEntry: false });
  if (existing === undefined) return;
  if (existing.isDirectory()) {
    throw fileProblem(path, "the folder is there already; --force replaces the results in it");
  }
  const kind = existing.isSymbolicLink() ? "a symbolic link" : "a file";
  throw fileProblem(path, `is ${kind}, and no new folder for results`);
}

/** Looks again: a run may have taken hours. What has come into the former folder since is never removed. */
function swap(staging: string, target: string, path: string): void {
  refuseForeign(path, target);
  const former = beside(target, "former");
  renameSync(target, former);
  try {
    renameSync(staging, target);
  } catch (error) {
    renameSync(former, target);
    throw error;
  }
  syncFolder(dirname(target));
  // The mark last: a folder that is half removed is still Bide's.
  const names = namesOf(entriesIn(former));
  removeOwn(former, [...names.filter((name) => name !== MARKER), MARKER], ownEntry);
  rmdirSync(former);
}

/** An unused hidden name in the same folder, and so on the same device. */
function beside(target: string, purpose: string): string {
  return join(dirname(target), `.${basename(target)}.${purpose}-${randomBytes(4).toString("hex")}`);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Results of another process are in it.
  }
}

/** Every file that a results folder may hold. */
const RESULT_FILES: ReadonlySet<string> = new Set([
  "README.txt",
  "resolved-scenario.json",
  "summary.json",
  "jobs.parquet",
  "tasks.parquet",
  "samples.parquet",
  ...["pool-samples.parquet", "pools.parquet", "queue-samples.parquet", "queues.parquet"],
  "users.parquet",
  "decisions.parquet",
  "stages.parquet",
  "preemption.parquet",
  "report.html",
  "trace.json",
  "comparison.json",
  "comparison.parquet",
]);

/** Files that `bide import` writes; each of several applications has files of its own. */
const IMPORTED =
  /^(?:scenario|stages|tasks|executors|spark-defaults|recorded|import)(?:-[\p{L}\p{N}._-]+)?\.(?:yaml|csv|conf|json)$/u;

function aboutTables({ words }: Summary): Readonly<Record<string, string>> {
  const { group, groups } = columnNames(words);
  const { one: unit, many: units } = heldUnit(words);
  return {
    jobs: "one row per submitted job, in submission order",
    samples: "one row per sampling instant: running, backlog, locality so far",
    [`${group}-samples`]: `one row per sampling instant and ${group} with demand or ${units}: ${units} held, fair share, demand`,
    [groups]: `one row per ${group}: response, locality, ${units} held and due, kills`,
    users: `one row per user: response, locality, ${unit} time, kills`,
    tasks: "one row per attempt that ended",
    preemption: `from when until when preemption took nothing for a ${group}, and why`,
    stages: "one row per stage: how long its tasks took, for `bide explain`",
    decisions: "what each job waited for, for `bide explain`",
  };
}

/**
 * README.txt of a results folder.
 * @param tables names of the Parquet tables beside it.
 * @param missing why requested ones are missing.
 */
export function resultsReadme(summary: Summary, tables: readonly string[], missing: string | null): string {
  const about = aboutTables(summary);
  const lines = [
    `Results of one run of Bide: scenario ${summary.scenario}, seed ${summary.seed}, scheduler ${summary.scheduler}.`,
    `Fingerprint ${summary.fingerprint}`,
    "",
    fileLine("summary.json", "everything that is printed and more (bide schema summary)"),
    fileLine("resolved-scenario.json", "the scenario with every default filled in"),
    ...tables.map((table) => fileLine(`${table}.parquet`, about[table])),
    "",
    "Times are virtual, in microseconds since the start of the run (columns ..._us); null: has not happened.",
  ];
  if (missing !== null) lines.push(`There are no Parquet tables: ${missing}.`);
  if (tables.includes("jobs")) lines.push(...tryIt(summary));
  return `${lines.join("\n")}\n`;
}

/** A line of a README.txt about a file beside it. */
export function fileLine(name: string, about: string): string {
  return `  ${name.padEnd(24)}${about}`;
}

function tryIt({ words }: Summary): string[] {
  const { group, levels, local } = columnNames(words);
  const [near, ...farther] = levels.map((level) => `${level}_${local.many}`);
  return [
    "",
    "To try, in this folder (https://duckdb.org):",
    "",
    `  duckdb -c "SELECT ${group}, count(*) AS jobs, median(response_us) / 1e6 AS p50_s,`,
    `                    sum(${near}) / nullif(sum(${[near, ...farther.slice(0, 1)].join(" + ")}`,
    `                      + ${farther.slice(1).join(" + ")}), 0) AS ${levels[0]}`,
    `             FROM 'jobs.parquet' GROUP BY ${group} ORDER BY jobs DESC, ${group} LIMIT 10"`,
  ];
}

interface Results {
  readonly scenario: AnyScenario;
  readonly summary: Summary;
  readonly record: RunRecord;
}

/**
 * Writes everything a results folder holds and publishes it; on any failure nothing is left.
 * @param tables false: no Parquet, and DuckDB is not loaded.
 * @returns why there are no tables although they were wanted, or null.
 * @throws InputError when the disk refuses; `signal.reason` when aborted.
 */
export async function writeResults(
  folder: ResultsFolder,
  { summary, scenario, record }: Results,
  tables: boolean,
  signal?: AbortSignal,
): Promise<string | null> {
  const texts = {
    "summary.json": summaryText(summary),
    "resolved-scenario.json": jsonText(resolvedToJson(scenario)),
  };
  const wanted = tables ? [...runTables(record), ...groupTables(summary)] : [];
  return writeFolder(folder, texts, wanted, (missing) => resultsReadme(summary, missing === null ? namesOf(wanted) : [], missing), signal); // prettier-ignore
}

/**
 * Writes texts, tables and a README.txt into a folder and publishes it.
 * @param readme of why there are no tables, or null.
 * @returns why there are none, or null.
 */
export async function writeFolder(
  folder: ResultsFolder,
  texts: Readonly<Record<string, string>>,
  tables: readonly RunTable[],
  readme: (missing: string | null) => string,
  signal?: AbortSignal,
  threads?: number,
): Promise<string | null> {
  try {
    const write = ([name, content]: readonly [string, string]) => {
      writeFileSync(join(folder.staging, name), content);
    };
    Object.entries(texts).forEach(write);
    const missing = await writeParquet(tables, folder.staging, signal, threads).then(() => null, reasonUnavailable);
    write(["README.txt", readme(missing)]);
    signal?.throwIfAborted();
    folder.publish();
    return missing;
  } catch (error) {
    folder.discard();
    throw asWriteError(error, folder.path);
  }
}

function reasonUnavailable(error: unknown): string {
  if (error instanceof TablesUnavailable) return error.message;
  throw error;
}
