import { existsSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import { DECISIONS } from "../../core/platforms/hadoop/index.js";
import { LAUNCH, type RecordWords, type Summary, type WaitWords } from "../../core/record/index.js";
import { InputError } from "../input-error.js";
import { platformNamed } from "../scenario/platforms.js";
import { literal, neededDuckDB } from "./duckdb.js";
import { readWritten } from "./run-folder.js";
import { columnNames } from "./run-tables.js";
import { summarySchema } from "./summary-schema.js";

/** One row of `decisions.parquet`; null: it has no value. */
export interface DecisionRow {
  readonly job: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly reason: string;
  readonly opportunities: number;
  readonly level: string | null;
  readonly node: number | null;
  readonly takenBy: number | null;
}

/** A job as the decision log describes it, beside its decisions. */
export interface ExplainedJob {
  readonly job: number;
  readonly name: string;
  /** The pool it runs in; of a scheduler without pools, the one that the workload names. */
  readonly pool: string;
  readonly maps: number;
  readonly submitUs: number;
}

export interface DecisionLogFile {
  readonly jobs: readonly ExplainedJob[];
  /** The rows of these jobs, by job and time. */
  readonly rowsOf: (jobs: readonly number[]) => readonly DecisionRow[];
}

/**
 * Reads the words of the run in a folder, and how waits of its stages are explained; null: its jobs are explained
 * (Hadoop).
 * @throws InputError
 */
export function readExplainedRun(folder: string): { readonly words: RecordWords; readonly waits: WaitWords | null } {
  const path = join(folder, "summary.json");
  if (!existsSync(path)) throw fail(folder, "found no results of a run, allowed a folder that bide run wrote");
  const { words } = readWritten<Summary>(path, summarySchema as z.ZodType<Summary>, "bide run");
  return { words, waits: platformNamed(words.platform)?.waits ?? null };
}

/** Paths of the log's tables. @throws InputError */
function logPaths(folder: string): readonly [decisions: string, jobs: string] {
  const [decisions, jobs] = ["decisions", "jobs"].map((name) => join(folder, `${name}.parquet`));
  if (![decisions, jobs].every((path) => existsSync(path))) {
    const how = "npx bide run SCENARIO --log decisions";
    throw fail(folder, `found a run without a decision log, allowed one with decisions.parquet; ${how} writes it`);
  }
  return [decisions, jobs];
}

/** The decision log of a results folder, of Hadoop. @throws InputError */
export async function readDecisionLog(folder: string): Promise<DecisionLogFile> {
  const [decisions, jobs] = logPaths(folder);
  const rows = await rowsFrom({
    jobs: {
      path: jobs,
      tableNoun: "a table of jobs",
      sql: (file) =>
        `SELECT job, name, coalesce(placed_in, pool), maps, submit_at_us::DOUBLE FROM ${file} ORDER BY job`,
    },
    rows: {
      path: decisions,
      tableNoun: "a decision log",
      sql: (file) => `SELECT job, from_us::DOUBLE, to_us::DOUBLE, reason, opportunities::DOUBLE, level, node, taken_by
        FROM ${file} ORDER BY job, from_us, to_us, file_row_number`,
    },
  });
  const known = rows.jobs.map(
    ([job, name, pool, maps, submitUs]) => ({ job, name, pool, maps, submitUs }) as ExplainedJob,
  );
  known.forEach((job, rank) => {
    if (!isJob(job, rank)) throw unlike(jobs, "a table of jobs", rank);
  });
  const byJob = new Map<number, DecisionRow[]>();
  for (const [number, columns] of rows.rows.entries()) {
    const [job, fromUs, toUs, reason, opportunities, level, node, takenBy] = columns;
    const row = { job, fromUs, toUs, reason, opportunities, level, node, takenBy } as DecisionRow;
    if (!isDecision(row, known.length)) throw unlike(decisions, "a decision log", number);
    const jobRows = byJob.get(row.job);
    if (jobRows === undefined) byJob.set(row.job, [row]);
    else jobRows.push(row);
  }
  return {
    jobs: known,
    rowsOf: (wanted) => wanted.flatMap((job) => byJob.get(job) ?? []),
  };
}

/** One row of `decisions.parquet` of a platform whose stages wait; null: it has no value. */
export interface StageRow {
  readonly job: number;
  /** Its number in the job; null: the job itself. */
  readonly stage: number | null;
  readonly stageName: string | null;
  readonly fromUs: number;
  readonly toUs: number;
  readonly reason: string;
  /** Offers that gave it nothing; of a launch, how many tasks. */
  readonly opportunities: number;
  readonly level: string | null;
  readonly takenBy: number | null;
  readonly freeUs: number;
  readonly reached: number | null;
  readonly bound: number | null;
}

/** A job as the log of stages describes it, beside the waits of its stages. */
export interface StagedJob {
  readonly job: number;
  readonly name: string;
  readonly group: string;
  readonly submitUs: number;
  /** Null: it has not ended. */
  readonly endUs: number | null;
}

/** Times of the tasks of a stage; the longest task ran for `aloneUs` after all others had ended. */
export interface StageTaskTimes {
  readonly medianUs: number;
  readonly longestUs: number;
  /** Its number in the stage. */
  readonly longestTask: number;
  readonly aloneUs: number;
}

export interface StageLogFile {
  readonly jobs: readonly StagedJob[];
  /** By stage and time. */
  readonly rowsOf: (job: number) => readonly StageRow[];
  /** Undefined: none of its tasks succeeded, or the run wrote no such table. */
  readonly tasksOf: (job: number, stage: number) => StageTaskTimes | undefined;
}

/** One row of `preemption.parquet`: why preemption took nothing for a group. */
export interface PreemptionRow {
  readonly group: string;
  readonly fromUs: number;
  readonly toUs: number;
  readonly reason: string;
  readonly reached: number | null;
  readonly bound: number | null;
}

/** By group and time; none: the run wrote no such table. @throws InputError */
export async function readPreemptionLog(folder: string, words: RecordWords): Promise<readonly PreemptionRow[]> {
  const path = join(folder, "preemption.parquet");
  if (!existsSync(path)) return [];
  const tableNoun = "a log of preemption";
  const { group } = columnNames(words);
  const { rows } = await rowsFrom({
    rows: {
      path,
      tableNoun,
      sql: (file) => `SELECT "${group}", from_us::DOUBLE, to_us::DOUBLE, reason, reached::DOUBLE, bound::DOUBLE
        FROM ${file} ORDER BY "${group}", from_us`,
    },
  });
  return rows.map(([groupName, fromUs, toUs, reason, reached, bound], number) => {
    const isSound = typeof groupName === "string" && typeof reason === "string" && isCount(fromUs) && isCount(toUs);
    if (!isSound) throw unlike(path, tableNoun, number);
    return { group: groupName, fromUs, toUs, reason, reached, bound } as PreemptionRow;
  });
}

/** The decision log of a results folder, of a platform whose stages wait. @throws InputError */
export async function readStageLog(folder: string, words: RecordWords, waits: WaitWords): Promise<StageLogFile> {
  const [decisions, jobs] = logPaths(folder);
  const { group } = columnNames(words);
  const rows = await rowsFrom({
    jobs: {
      path: jobs,
      tableNoun: "a table of jobs",
      sql: (file) =>
        `SELECT job, name, coalesce(placed_in, "${group}"), submit_at_us::DOUBLE, end_at_us::DOUBLE FROM ${file} ORDER BY job`,
    },
    rows: {
      path: decisions,
      tableNoun: "a decision log",
      sql: (
        file,
      ) => `SELECT job, stage, stage_name, from_us::DOUBLE, to_us::DOUBLE, reason, opportunities::DOUBLE, level,
        taken_by, free_us::DOUBLE, reached::DOUBLE, bound::DOUBLE FROM ${file} ORDER BY job, stage, from_us, file_row_number`,
    },
  });
  const known = rows.jobs.map(
    ([job, name, groupName, submitUs, endUs]) => ({ job, name, group: groupName, submitUs, endUs }) as StagedJob,
  );
  known.forEach(({ job, name, group: groupName, submitUs, endUs }, rank) => {
    const isSound = job === rank && typeof name === "string" && typeof groupName === "string" && isCount(submitUs);
    if (!isSound || !(endUs === null || (isCount(endUs) && endUs >= submitUs)))
      throw unlike(jobs, "a table of jobs", rank);
  });
  const reasons = new Set([...waits.reasons.map(({ key }) => key), LAUNCH]);
  const levels = new Set(words.levels.map(({ title }) => title));
  const byJob = new Map<number, StageRow[]>();
  for (const [number, columns] of rows.rows.entries()) {
    const [job, stage, stageName, fromUs, toUs, reason, opportunities, level, takenBy, freeUs, reached, bound] =
      columns;
    const row = {
      job,
      stage,
      stageName,
      fromUs,
      toUs,
      reason,
      opportunities,
      level,
      takenBy,
      freeUs,
      reached,
      bound,
    } as StageRow;
    if (!isStageRow(row, known.length, reasons, levels)) throw unlike(decisions, "a decision log", number);
    const jobRows = byJob.get(row.job);
    if (jobRows === undefined) byJob.set(row.job, [row]);
    else jobRows.push(row);
  }
  const times = await readStageTasks(join(folder, "stages.parquet"));
  return {
    jobs: known,
    rowsOf: (job) => byJob.get(job) ?? [],
    tasksOf: (job, stage) => times.get(`${String(job)}/${String(stage)}`),
  };
}

/** By job and stage. */
async function readStageTasks(path: string): Promise<ReadonlyMap<string, StageTaskTimes>> {
  if (!existsSync(path)) return new Map();
  const tableNoun = "a table of stages";
  const { stages } = await rowsFrom({
    stages: {
      path,
      tableNoun,
      sql: (file) =>
        `SELECT job, stage, median_us::DOUBLE, longest_us::DOUBLE, longest_task, alone_us::DOUBLE FROM ${file} ORDER BY job, stage`,
    },
  });
  return new Map(
    stages.map((row, number) => {
      if (!row.every(isCount)) throw unlike(path, tableNoun, number);
      const [job, stage, medianUs, longestUs, longestTask, aloneUs] = row as number[];
      return [`${String(job)}/${String(stage)}`, { medianUs, longestUs, longestTask, aloneUs }];
    }),
  );
}

function isStageRow(row: StageRow, jobs: number, reasons: ReadonlySet<string>, levels: ReadonlySet<string>): boolean {
  const { job, stage, stageName, fromUs, toUs, reason, opportunities, level, takenBy, freeUs, reached, bound } = row;
  if (![job, fromUs, toUs, opportunities, freeUs].every(isCount) || job >= jobs || fromUs > toUs) return false;
  if (!reasons.has(reason) || !(level === null || levels.has(level))) return false;
  if (stage === null ? stageName !== null : typeof stageName !== "string") return false;
  if (takenBy !== null && takenBy >= jobs) return false;
  return [stage, takenBy, reached, bound].every((value) => value === null || isCount(value));
}

/** The file is a table with these columns, but with what no run writes. */
function unlike(path: string, tableNoun: string, row: number): InputError {
  return fail(
    path,
    `found in row ${String(row)}, by job and time, what is not of ${tableNoun}, allowed what bide run wrote`,
  );
}

function isJob({ job, name, pool, maps, submitUs }: ExplainedJob, rank: number): boolean {
  return job === rank && typeof name === "string" && typeof pool === "string" && isCount(maps) && isCount(submitUs);
}

function isDecision(
  { job, fromUs, toUs, reason, opportunities, level, node, takenBy }: DecisionRow,
  jobs: number,
): boolean {
  if (!isCount(job) || job >= jobs || !isCount(fromUs) || !isCount(toUs) || fromUs > toUs) return false;
  if (!(DECISIONS as readonly string[]).includes(reason) || !isCount(opportunities)) return false;
  return (
    (level === null || typeof level === "string") && [node, takenBy].every((value) => value === null || isCount(value))
  );
}

const isCount = (value: unknown): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0;

/** Launch of the first attempt of a map that ended; null: none did. @throws InputError */
export async function readMapLaunchUs(folder: string, job: number, map: number): Promise<number | null> {
  const path = join(folder, "tasks.parquet");
  if (!existsSync(path)) {
    const how = "npx bide run SCENARIO --log decisions --tasks";
    throw fail(folder, `found a run without tasks.parquet, allowed one with it for --task; ${how} writes both`);
  }
  const { launch } = await rowsFrom({
    launch: {
      path,
      tableNoun: "a table of attempts",
      sql: (file) => `SELECT min(launch_at_us)::DOUBLE, count(*)::INTEGER, count(launch_at_us)::INTEGER FROM ${file}
        WHERE job = ${String(job)} AND task = ${String(map)} AND type = 'map'`,
    },
  });
  const [launchUs, attempts, launched] = launch[0];
  if (launched !== attempts) throw fail(path, "found an attempt without a launch, allowed what bide run wrote");
  return launchUs as number | null;
}

const fail = (file: string, message: string): InputError => new InputError([{ file, line: 0, column: 0, message }]);

interface Query {
  readonly path: string;
  /** The contents of the file, for messages. */
  readonly tableNoun: string;
  readonly sql: (file: string) => string;
}

async function rowsFrom<K extends string>(queries: Readonly<Record<K, Query>>): Promise<Record<K, unknown[][]>> {
  const names = Object.keys(queries) as K[];
  let { path, tableNoun } = queries[names[0]];
  const duckdb = neededDuckDB(path);
  try {
    const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "2", temp_directory: "" });
    const connection = await instance.connect();
    try {
      const answers: Partial<Record<K, unknown[][]>> = {};
      for (const name of names) {
        ({ path, tableNoun } = queries[name]);
        const sql = queries[name].sql(`read_parquet(${literal(path)}, file_row_number = true)`);
        answers[name] = (await connection.runAndReadAll(sql)).getRowsJS();
      }
      return answers as Record<K, unknown[][]>;
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  } catch (error) {
    const first = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw fail(path, `found what cannot be read as ${tableNoun} (${first}), allowed what bide run wrote`);
  }
}
