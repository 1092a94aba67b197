import { randomBytes } from "node:crypto";
import { copyFileSync, constants, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { type RunOutcome, type SweepRecord, type SweepRow, sweepRows } from "../../experiments/sweep/sweep-record.js";
import { InputError } from "../input-error.js";
import { asWriteError } from "../results/file-trouble.js";
import { TablesUnavailable } from "../results/duckdb.js";
import { writeParquet } from "../results/parquet.js";
import { jsonText } from "../results/summary-schema.js";
import type { RunTable } from "../results/run-tables.js";
import { removeOwn, textOf } from "../results/own-folder.js";
import { syncFile, syncFolder, writeWholeFile } from "../results/whole-file.js";
import type { FolderLock } from "./folder-lock.js";
import { Journal, readJournal } from "./journal.js";
import { openFolder, type SweepFolderRequest } from "./open-folder.js";
import { readPlan, type StoredPlan } from "./plan-file.js";
import { isPartial, ownEntry, SWEEP_FILES, sweepReadme } from "./sweep-files.js";
import { seriesTable, sweepTables } from "./sweep-tables.js";

/**
 * What a folder of a sweep holds, whether it is finished, being written, or was left by a process that was killed.
 * @throws InputError when it is no sweep, or its plan is damaged.
 */
export function readSweepFolder(path: string): SweepRecord {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) {
    const message = "found a file, allowed the folder of a sweep, which bide sweep writes";
    throw new InputError([{ file: path, line: 0, column: 0, message }]);
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
    /** As the user should read it. */
    readonly path: string,
    /** What the journal's damage was, told to the user. */
    readonly notes: readonly string[],
    private readonly stored: StoredPlan,
    private readonly lock: FolderLock,
    private readonly journal: Journal,
    private readonly outcomes: Map<string, RunOutcome>,
  ) {}

  /** @throws InputError when there is another sweep or something else, another process writes it, or it cannot be written. */
  static open(request: SweepFolderRequest): SweepFolder {
    const { path, stored } = request;
    try {
      const lock = openFolder(request);
      try {
        const file = join(path, SWEEP_FILES.journal);
        const found = readJournal(file);
        const notes = found.damagedLines.map((line) => `${file}:${String(line)}: damaged; its run is done again`);
        removePartials(path);
        return new SweepFolder(path, notes, stored, lock, Journal.open(file, found), outcomesIn(found.rows));
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
    const { series, ...rest } = run.outcome === "done" ? run : { ...run, series: undefined };
    // As whoever resumes will read it: JSON knows no -0, and tables do.
    const kept = JSON.parse(JSON.stringify(rest)) as RunOutcome;
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

  /** Names the sweep in a queue: drawn once, and the same when the folder is opened again. */
  queueId(): string {
    const file = join(this.path, SWEEP_FILES.queue);
    try {
      const known = queueIdIn(file);
      if (known !== null) return known;
      const id = randomBytes(8).toString("hex");
      writeWholeFile(file, jsonText({ id }), true);
      return id;
    } catch (error) {
      throw asWriteError(error, this.path);
    }
  }

  /** What is there of the sweep. */
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

  /** Whoever comes next may write it. Safe to call at any time. */
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

  /** One thread, so that equal tables are equal files. */
  private async writeWhole(table: RunTable, folder: string, signal?: AbortSignal): Promise<void> {
    const partial = `${table.name}.partial`;
    const staging = join(this.path, partial);
    removeOwn(this.path, [partial], ownEntry);
    mkdirSync(staging);
    await writeParquet([table], staging, signal, 1);
    const file = `${table.name}.parquet`;
    syncFile(join(staging, file));
    renameSync(join(staging, file), join(this.path, folder, file));
    syncFolder(join(this.path, folder));
    removeOwn(this.path, [partial], ownEntry);
  }
}

/** null: none yet, or a file that is damaged. */
function queueIdIn(file: string): string | null {
  return /^\s*\{\s*"id":\s*"([0-9a-f]{16})"\s*\}\s*$/.exec(textOf(file) ?? "")?.[1] ?? null;
}

function outcomesIn(rows: readonly SweepRow[]): Map<string, RunOutcome> {
  return new Map(rows.map(({ key, run }) => [key, run]));
}

/** Samples that cannot be kept are no reason to lose them silently. */
function withoutTables(error: unknown, path: string): unknown {
  if (!(error instanceof TablesUnavailable)) return error;
  return new InputError([{ file: path, line: 0, column: 0, message: `cannot keep series: ${error.message}` }]);
}

function removePartials(path: string): void {
  removeOwn(path, readdirSync(path).filter(isPartial), ownEntry);
}
