import { namesOf } from "../../core/kernel/index.js";
import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type RunOutcome, type SweepRecord, type SweepRow, sweepRows } from "../../experiments/index.js";
import { fileProblem } from "../input-error.js";
import { TablesUnavailable, writeParquetFile } from "../results/duckdb.js";
import {
  asWriteError,
  entriesIn,
  isFile,
  isMarked,
  makeWholeFile,
  MARKER,
  markFolder,
  type OwnEntry,
  removeOwn,
  strangerIn,
  syncFile,
  syncFolder,
  writeWholeFile,
} from "../results/whole-file.js";
import type { RunTable } from "../results/run-tables.js";
import { FolderLock, LOCK_FILE } from "./folder-lock.js";
import { Journal, readJournal } from "./journal.js";
import { planDifferences, planText, readPlan, type StoredPlan } from "./plan-file.js";
import { seriesTable, sweepTables } from "./sweep-tables.js";

/**
 * Reads the folder of a sweep that is finished, being written, or was left by a process that was killed.
 * @throws InputError when it is no sweep, or its plan is damaged.
 */
export function readSweepFolder(path: string): SweepRecord {
  if (isFile(path)) {
    throw fileProblem(path, "is a file, and no folder that bide sweep writes");
  }
  const { plan, keys } = readPlan(join(path, SWEEP_FILES.plan));
  const outcomes = outcomesIn(readJournal(join(path, SWEEP_FILES.journal)).rows);
  return { plan, rows: sweepRows(plan, keys, (key) => outcomes.get(key)) };
}

/** A folder of a sweep that this process writes, and no other. */
export class SweepFolder {
  private isOpen = true;
  private mayHaveTables = true;

  private constructor(
    /** Path of the folder as messages show it. */
    readonly path: string,
    /** Notes for the user on damage of the journal. */
    readonly notes: readonly string[],
    private readonly stored: StoredPlan,
    private readonly lock: FolderLock,
    private readonly journal: Journal,
    private readonly outcomes: Map<string, RunOutcome>,
  ) {}

  /**
   * @throws InputError when there is another sweep or something else, another process writes it, or it cannot be
   * written.
   */
  static open(request: SweepFolderRequest): SweepFolder {
    const { path, stored } = request;
    try {
      const lock = openFolder(request);
      try {
        const file = join(path, SWEEP_FILES.journal);
        const journal = readJournal(file);
        const notes = journal.damagedLines.map((line) => `${file}:${line}: damaged; its run is done again`);
        removePartials(path);
        return new SweepFolder(path, notes, stored, lock, Journal.open(file, journal), outcomesIn(journal.rows));
      } catch (error) {
        lock.release();
        throw error;
      }
    } catch (error) {
      throw asWriteError(error, path);
    }
  }

  /** undefined: the run of this key has not been done. */
  outcomeOf(key: string): RunOutcome | undefined {
    return this.outcomes.get(key);
  }

  /**
   * Keeps a run that has ended. Its samples are written before its line, so that a run with a line has everything.
   * @throws InputError when the disk refuses; the folder can then be resumed.
   */
  async record(row: SweepRow): Promise<void> {
    const { run } = row;
    const { series, ...runFields } = run.outcome === "done" ? run : { ...run, series: undefined };
    // As a resumed sweep will read it: JSON knows no -0, and tables do.
    const kept = JSON.parse(JSON.stringify(runFields)) as RunOutcome;
    try {
      this.removeTables();
      if (series !== undefined) await this.writeWhole(seriesTable(row.key, series), SWEEP_FILES.series);
      this.journal.append({ ...row, run: kept });
    } catch (error) {
      throw asWriteError(withoutTables(error, this.path), this.path);
    }
    this.outcomes.set(row.key, kept);
  }

  /**
   * Takes over samples of a run that another folder has, before the run itself is recorded.
   * @throws InputError when the disk refuses.
   */
  adoptSeries(key: string, from: string): void {
    const to = join(this.path, SWEEP_FILES.series, `${key}.parquet`);
    try {
      copyFileSync(from, to, constants.COPYFILE_EXCL);
      syncFile(to);
      syncFolder(join(this.path, SWEEP_FILES.series));
    } catch (error) {
      throw asWriteError(error, this.path);
    }
  }

  /** The runs of the sweep that are done so far. */
  contents(): SweepRecord {
    const { plan, keys } = this.stored;
    return { plan, rows: sweepRows(plan, keys, (key) => this.outcomes.get(key)) };
  }

  /**
   * Writes the tables, of the runs that are there.
   * @returns why there are none, or null.
   * @throws InputError when the disk refuses.
   */
  async finish(signal?: AbortSignal): Promise<string | null> {
    const { plan } = this.stored;
    try {
      let missing: string | null = null;
      try {
        for (const table of sweepTables(this.contents())) await this.writeWhole(table, "", signal);
      } catch (error) {
        if (!(error instanceof TablesUnavailable)) throw error;
        missing = error.message;
      }
      writeWholeFile(join(this.path, SWEEP_FILES.readme), sweepReadme(plan.name, missing, plan.series), true);
      return missing;
    } catch (error) {
      throw asWriteError(error, this.path);
    }
  }

  /** The next process may write it. Safe to call at any time. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    try {
      this.journal.close();
    } finally {
      this.lock.release();
    }
  }

  /** They are of fewer runs than there are from now on. */
  private removeTables(): void {
    if (!this.mayHaveTables) return;
    removeOwn(this.path, [SWEEP_FILES.runs, SWEEP_FILES.costs], ownEntry);
    syncFolder(this.path);
    this.mayHaveTables = false;
  }

  private async writeWhole(table: RunTable, folder: string, signal?: AbortSignal): Promise<void> {
    const path = join(this.path, folder, `${table.name}.parquet`);
    await makeWholeFile(path, true, async (partial) => writeParquetFile(table, partial, signal));
  }
}

function outcomesIn(rows: readonly SweepRow[]): Map<string, RunOutcome> {
  return new Map(rows.map(({ key, run }) => [key, run]));
}

/** Samples that cannot be kept are no reason to lose them silently. */
function withoutTables(error: unknown, path: string): unknown {
  if (!(error instanceof TablesUnavailable)) return error;
  return fileProblem(path, `cannot keep series: ${error.message}`);
}

/** Removes partial files of a process that was killed. */
function removePartials(path: string): void {
  for (const folder of [path, join(path, SWEEP_FILES.series)].filter((candidate) => existsSync(candidate))) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isFile() && PARTIAL.test(entry.name)) unlinkSync(join(folder, entry.name));
    }
  }
}

export interface SweepFolderRequest {
  /** As the user named it, or as Bide chose it. */
  readonly path: string;
  /** Go on with the sweep that is there; where there is none, begin it. */
  readonly resume: boolean;
  /**
   * Without `resume`, a sweep that is there is removed; with it, one that differs is continued as far as its runs have
   * the keys of the new one.
   */
  readonly force: boolean;
  /** The sweep file as given. */
  readonly text: string;
  readonly stored: StoredPlan;
}

/**
 * The lock of a folder that holds this plan and what had been done of it.
 * @throws InputError when there is another sweep, or something else; when another process writes it; when it cannot be
 * written.
 */
function openFolder(request: SweepFolderRequest): FolderLock {
  const { path, resume, force } = request;
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isThere) refuseForeign(path, resume || force);
  else {
    mkdirSync(dirname(resolve(path)), { recursive: true });
    mkdirSync(path);
    syncFolder(dirname(resolve(path)));
  }
  // Before anything is written, and again when no other process can write.
  if (isThere && resume) refuseOther(request);
  // Before all else, so that the folder is Bide's from the start.
  markFolder(path, "sweep");
  const lock = FolderLock.take(path);
  try {
    if (isThere && resume) refuseOther(request);
    if (isThere && force && !resume) empty(path);
    writePlan(request);
    return lock;
  } catch (error) {
    lock.release();
    if (!isThere) unmake(path);
    throw error;
  }
}

function refuseForeign(path: string, allowed: boolean): void {
  if (!statSync(path).isDirectory()) throw fileProblem(path, "is no folder; name a new one for the sweep");
  const stranger = strangerIn(path, ownEntry);
  if (stranger !== undefined) {
    throw fileProblem(path, `holds files that are no sweep's (${stranger.slice(0, 60)}); name a new folder`);
  }
  const entries = entriesIn(path);
  if (entries.length === 0) return;
  if (!isMarked(path, "sweep")) {
    const hint = "If a sweep of Bide is all that it holds, remove it";
    throw fileProblem(path, `has no ${MARKER}, the mark of Bide; name a new folder. ${hint}`);
  }
  if (allowed || entries.every(({ name }) => name === MARKER)) return;
  const hint = "--resume goes on with the sweep in it, --force removes it and begins anew";
  throw fileProblem(path, `the folder is there already; ${hint}`);
}

/** The mark last: a folder that is half removed is still Bide's. */
function empty(path: string): void {
  const names = namesOf(entriesIn(path));
  removeOwn(
    path,
    names.filter((name) => name !== LOCK_FILE && name !== MARKER),
    ownEntry,
  );
  syncFolder(path);
}

/** Removes what a failed start has made. */
function unmake(path: string): void {
  const names = namesOf(entriesIn(path));
  removeOwn(path, [...names.filter((name) => name !== MARKER), MARKER], ownEntry);
  rmdirSync(path);
}

function refuseOther({ path, force, stored }: SweepFolderRequest): void {
  const file = join(path, SWEEP_FILES.plan);
  if (force || !existsSync(file)) return;
  const differences = planDifferences(readPlan(file), stored);
  if (differences.length === 0) return;
  const messages = differences.map((difference) => `holds another sweep: ${difference}`);
  throw fileProblem(path, ...messages, "cannot go on with it; --force removes it");
}

/** Writes the plan and the text of the file. A journal that is there stays untouched. */
function writePlan({ path, text, stored }: SweepFolderRequest): void {
  writeWholeFile(join(path, SWEEP_FILES.text), text, true);
  writeWholeFile(join(path, SWEEP_FILES.plan), planText(stored), true);
  if (stored.plan.series) mkdirSync(join(path, SWEEP_FILES.series), { recursive: true });
  const journal = join(path, SWEEP_FILES.journal);
  if (lstatSync(journal, { throwIfNoEntry: false }) === undefined) writeFileSync(journal, "", { flag: "wx" });
  syncFolder(path);
}

/** Every file that a folder of a sweep may hold. */
export const SWEEP_FILES = {
  text: "sweep.yaml",
  plan: "plan.json",
  journal: "journal.jsonl",
  runs: "runs.parquet",
  costs: "costs.parquet",
  readme: "README.txt",
  series: "series",
  /** The queue file of earlier versions. */
  queue: "queue.json",
  report: "report.html",
} as const;

const { series: _, ...FILES } = SWEEP_FILES;

const OWN: ReadonlySet<string> = new Set(Object.values(FILES));

/** Lock, also one that was moved aside. */
const LOCKS = /^lock\.json(\.stale-[0-9a-f]{8})?$/;

/** A file that is being written, beside its final place. */
const PARTIAL = /^\.[\w.-]+\.partial-[0-9a-f]{8}$/;

const SERIES = /^([0-9a-f]{32}\.parquet|\.[0-9a-f]{32}\.parquet\.partial-[0-9a-f]{8})$/;

/** The kind of an entry that Bide keeps in a sweep's folder, or that a process that was killed may have left there. */
function ownEntry(name: string): OwnEntry {
  if (OWN.has(name) || LOCKS.test(name) || PARTIAL.test(name)) return "file";
  return name === SWEEP_FILES.series ? { folderOf: SERIES } : null;
}

/** README.txt. @param missing why there are no tables; null: there are. @param hasSeries samples are kept. */
function sweepReadme(name: string, missing: string | null, hasSeries: boolean): string {
  const lines = [
    `A sweep of Bide: ${name}.`,
    "",
    "  sweep.yaml     the sweep as it was given",
    "  plan.json      its points, seeds and the keys of its runs",
    "  journal.jsonl  one line per run that ended; nothing else is needed to go on with the sweep (bide sweep --resume)",
    ...(missing === null
      ? [
          "  runs.parquet   one row per point and replication: equal wherever and however often the sweep was run",
          "  costs.parquet  what each run cost where it was done",
        ]
      : [`There are no Parquet tables: ${missing}.`]),
    ...(hasSeries ? ["  series/        samples of each run, by its key"] : []),
  ];
  return `${[...lines, ...(missing === null ? TRY_IT : [])].join("\n")}\n`;
}

const TRY_IT = [
  "",
  "To try, in this folder (https://duckdb.org):",
  "",
  `  duckdb -c "SELECT point, count(*) AS runs, avg(virtual_seconds) FROM 'runs.parquet' GROUP BY point ORDER BY point"`,
];
