import { titlesOf, Lists } from "../../core/kernel/index.js";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod";
import { DECISIONS } from "../../core/platforms/hadoop/index.js";
import { LAUNCH, type RecordWords, type Summary, type WaitWords } from "../../core/record/index.js";
import { fileProblem } from "../input-error.js";
import { platformNamed } from "../scenario/platforms.js";
import { literal, neededDuckDB, withDatabase } from "./duckdb.js";
import { readWritten } from "./run-folder.js";
import { columnNames, snakeCase } from "./run-tables.js";
import { summarySchema } from "./summary-schema.js";

/** One row of `decisions.parquet` of a platform whose jobs wait; null: it has no value. */
export interface DecisionRow {
  readonly job: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly reason: string;
  /** Offers that gave it nothing; of a launch of a stage, how many tasks. */
  readonly opportunities: number;
  readonly level: string | null;
  readonly node: number | null;
  readonly takenBy: number | null;
}

/** The same of a platform whose stages wait. */
export interface StageRow extends Omit<DecisionRow, "node"> {
  /** Its number in the job; null: the job itself. */
  readonly stage: number | null;
  readonly stageName: string | null;
  readonly freeUs: number;
  readonly reached: number | null;
  readonly bound: number | null;
}

/** A job of the log, without its decisions. */
export interface ExplainedJob {
  readonly job: number;
  readonly name: string;
  /** The pool or queue it runs in; of a scheduler without them, the one that the workload names. */
  readonly group: string;
  readonly submitUs: number;
  /** Null: it has not ended. */
  readonly endUs: number | null;
  /** Of the first type: its maps, where tasks have types. */
  readonly tasks: number;
}

/** Times of the tasks of a stage; the longest of them ran for `aloneUs` after all others had ended. */
export interface StageTaskTimes {
  readonly medianUs: number;
  readonly longestUs: number;
  /** Its number in the stage. */
  readonly longestTask: number;
  readonly aloneUs: number;
}

export interface DecisionLogFile<R> {
  readonly jobs: readonly ExplainedJob[];
  /** By stage and time. */
  readonly rowsOf: (job: number) => readonly R[];
  /** Undefined: none of its tasks succeeded, or the run wrote no such table. */
  readonly tasksOf: (job: number, stage: number) => StageTaskTimes | undefined;
}

/** One row of `preemption.parquet`: why preemption took nothing for a group. */
interface PreemptionRow {
  readonly group: string;
  readonly fromUs: number;
  readonly toUs: number;
  readonly reason: string;
  readonly reached: number | null;
  readonly bound: number | null;
}

/**
 * Of the run in a folder: its words, and how waits of its stages are explained; null: its jobs are explained (Hadoop).
 * @throws InputError
 */
export function readExplainedRun(folder: string): { readonly words: RecordWords; readonly waits: WaitWords | null } {
  const path = join(folder, "summary.json");
  if (!existsSync(path)) throw fileProblem(folder, "holds no results of bide run");
  const { words } = readWritten<Summary>(path, summarySchema as z.ZodType<Summary>, "bide run");
  return { words, waits: platformNamed(words.platform)?.waits ?? null };
}

/** The decision log of a results folder. @throws InputError */
export async function readDecisionLog<R extends DecisionRow | StageRow>(
  folder: string,
  words: RecordWords,
  waits: WaitWords | null,
): Promise<DecisionLogFile<R>> {
  const [decisions, table, stages] = ["decisions", "jobs", "stages"].map((name) => join(folder, `${name}.parquet`));
  if (![decisions, table].every((path) => existsSync(path))) {
    const how = "npx bide run SCENARIO --log decisions";
    throw fileProblem(folder, `has no decision log, decisions.parquet; ${how} writes it`);
  }
  const { group, tasks } = columnNames(words);
  const jobs = await rowsFrom<ExplainedJob>(
    [table, "a table of jobs", "ORDER BY job"],
    {
      job: "count",
      name: "text",
      group: ["text", `coalesce(placed_in, "${group}")`],
      submitUs: ["count", "submit_at_us"],
      endUs: ["count?", "end_at_us"],
      tasks: ["count", `"${tasks[0]}"`],
    },
    ({ job, submitUs, endUs }, rank) => job === rank && (endUs === null || endUs >= submitUs),
  );
  const reasons = new Set<string>(waits === null ? DECISIONS : [...waits.reasons.map(({ key }) => key), LAUNCH]);
  const levels = new Set(titlesOf(words.levels));
  const rows = await rowsFrom<R>(
    [
      decisions,
      "a decision log",
      `ORDER BY job, ${waits === null ? "from_us, to_us" : "stage, from_us"}, file_row_number`,
    ],
    (waits === null ? JOB_COLUMNS : STAGE_COLUMNS) as Columns<R>,
    (row) => {
      const { job, fromUs, toUs, reason, level, takenBy } = row;
      return (
        Math.max(job, takenBy ?? 0) < jobs.length &&
        fromUs <= toUs &&
        reasons.has(reason) &&
        (level === null || levels.has(level)) &&
        (!("stage" in row) || (row.stage === null) === (row.stageName === null))
      );
    },
  );
  const byJob = new Lists<R>();
  for (const row of rows) byJob.add(row.job, row);
  const times = new Map<string, StageTaskTimes>();
  if (waits !== null && existsSync(stages)) {
    for (const { job, stage, ...taskTimes } of await rowsFrom(
      [stages, "a table of stages", "ORDER BY job, stage"],
      TIMES_COLUMNS,
    )) {
      times.set(`${String(job)}/${String(stage)}`, taskTimes);
    }
  }
  return {
    jobs,
    rowsOf: (job) => byJob.get(job) ?? [],
    tasksOf: (job, stage) => times.get(`${job}/${stage}`),
  };
}

/** By group and time; none: the run wrote no such table. @throws InputError */
export async function readPreemptionLog(folder: string, words: RecordWords): Promise<readonly PreemptionRow[]> {
  const path = join(folder, "preemption.parquet");
  if (!existsSync(path)) return [];
  const { group } = columnNames(words);
  return rowsFrom<PreemptionRow>([path, "a log of preemption", `ORDER BY "${group}", from_us`], {
    group: ["text", `"${group}"`],
    fromUs: "count",
    toUs: "count",
    reason: "text",
    reached: "count?",
    bound: "count?",
  });
}

/** When the first attempt of a map was launched that ended; null: none did. @throws InputError */
export async function readMapLaunchUs(folder: string, job: number, map: number): Promise<number | null> {
  const path = join(folder, "tasks.parquet");
  if (!existsSync(path)) {
    const how = "npx bide run SCENARIO --log decisions --tasks";
    throw fileProblem(folder, `has no tasks.parquet, which --task needs; ${how} writes both`);
  }
  const condition = `WHERE job = ${job} AND task = ${map} AND type = 'map'`;
  const [{ launchUs, attempts, launched }] = await rowsFrom<{
    launchUs: number | null;
    attempts: number;
    launched: number;
  }>([path, "a table of attempts", condition], {
    launchUs: ["count?", "min(launch_at_us)"],
    attempts: ["count", "count(*)"],
    launched: ["count", "count(launch_at_us)"],
  });
  if (launched !== attempts) throw fileProblem(path, "an attempt has no launch; this is not what bide run wrote");
  return launchUs;
}

/** Kinds of values. A question mark: the value may be null. */
type Kind = "count" | "count?" | "text" | "text?";

/** The kind of value in each column; and its SQL expression, if this is not just the column's name. */
type Columns<R> = Readonly<Record<keyof R, Kind | readonly [Kind, sql: string]>>;

const WAIT_COLUMNS = {
  fromUs: "count",
  toUs: "count",
  reason: "text",
  opportunities: "count",
  level: "text?",
} as const;

const JOB_COLUMNS: Columns<DecisionRow> = { job: "count", ...WAIT_COLUMNS, node: "count?", takenBy: "count?" };

const STAGE_COLUMNS: Columns<StageRow> = {
  job: "count",
  stage: "count?",
  stageName: "text?",
  ...WAIT_COLUMNS,
  takenBy: "count?",
  freeUs: "count",
  reached: "count?",
  bound: "count?",
};

const TIMES_COLUMNS: Columns<StageTaskTimes & { readonly job: number; readonly stage: number }> = {
  job: "count",
  stage: "count",
  medianUs: "count",
  longestUs: "count",
  longestTask: "count",
  aloneUs: "count",
};

/** @param contents of the file, for messages. @throws InputError */
async function rowsFrom<R>(
  [path, contents, order]: readonly [path: string, what: string, order: string],
  columns: Columns<R>,
  isSound: (row: R, number: number) => boolean = () => true,
): Promise<R[]> {
  const kinds = Object.entries<Kind | readonly [Kind, string]>(columns).map(([name, column]) => {
    const [kind, sql] = typeof column === "string" ? [column, snakeCase(name)] : column;
    return { name, kind, sql: `(${sql})${kind.startsWith("count") ? "::DOUBLE" : ""} AS "${name}"` };
  });
  const rows = await queried(path, contents, kinds.map(({ sql }) => sql).join(", "), order);
  rows.forEach((row, number) => {
    if (kinds.every(({ name, kind }) => isOfKind(row[name], kind)) && isSound(row as R, number)) return;
    // The file is a table with these columns, but with what no run writes.
    const where = `row ${number}, by job and time`;
    throw fileProblem(path, `${where}, is not of ${contents}; this is not what bide run wrote`);
  });
  return rows as R[];
}

function isOfKind(value: unknown, kind: Kind): boolean {
  if (value === null) return kind.endsWith("?");
  return kind.startsWith("text") ? typeof value === "string" : Number.isInteger(value) && (value as number) >= 0;
}

async function queried(
  path: string,
  contents: string,
  columns: string,
  order: string,
): Promise<Record<string, unknown>[]> {
  const duckdb = neededDuckDB(path);
  try {
    const sql = `SELECT ${columns} FROM read_parquet(${literal(path)}, file_row_number = true) ${order}`;
    return await withDatabase(duckdb, { threads: "2" }, undefined, async (connection) =>
      (await connection.runAndReadAll(sql)).getRowObjectsJS(),
    );
  } catch (error) {
    const first = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw fileProblem(path, `cannot be read as ${contents} (${first}); this is not what bide run wrote`);
  }
}
