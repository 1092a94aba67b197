import { existsSync } from "node:fs";
import { join } from "node:path";
import { DECISIONS } from "../../core/platforms/hadoop/index.js";
import { InputError } from "../input-error.js";
import { literal, neededDuckDB } from "./duckdb.js";

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

/** What is known of a job beside its decisions. */
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

/** The decision log of a results folder. @throws InputError */
export async function readDecisionLog(folder: string): Promise<DecisionLogFile> {
  if (!existsSync(join(folder, "summary.json"))) {
    throw fail(folder, "found no results of a run, allowed a folder that bide run wrote");
  }
  const paths = ["decisions", "jobs"].map((name) => join(folder, `${name}.parquet`));
  if (!paths.every((path) => existsSync(path))) {
    const how = "npx bide run SCENARIO --log decisions";
    throw fail(folder, `found a run without a decision log, allowed one with decisions.parquet; ${how} writes it`);
  }
  const [decisions, jobs] = paths;
  const rows = await rowsFrom({
    jobs: {
      path: jobs,
      what: "a table of jobs",
      sql: (file) =>
        `SELECT job, name, coalesce(placed_in, pool), maps, submit_at_us::DOUBLE FROM ${file} ORDER BY job`,
    },
    rows: {
      path: decisions,
      what: "a decision log",
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
    const others = byJob.get(row.job);
    if (others === undefined) byJob.set(row.job, [row]);
    else others.push(row);
  }
  return {
    jobs: known,
    rowsOf: (wanted) => wanted.flatMap((job) => byJob.get(job) ?? []),
  };
}

/** The file is a table with these columns, but with what no run writes. */
function unlike(path: string, what: string, row: number): InputError {
  return fail(
    path,
    `found in row ${String(row)}, by job and time, what is not of ${what}, allowed what bide run wrote`,
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
  return (level === null || typeof level === "string") && [node, takenBy].every((of) => of === null || isCount(of));
}

const isCount = (value: unknown): boolean => typeof value === "number" && Number.isInteger(value) && value >= 0;

/** When the first attempt of a map was launched that ended; null: none did. @throws InputError */
export async function readMapLaunchUs(folder: string, job: number, map: number): Promise<number | null> {
  const path = join(folder, "tasks.parquet");
  if (!existsSync(path)) {
    const how = "npx bide run SCENARIO --log decisions --tasks";
    throw fail(folder, `found a run without tasks.parquet, allowed one with it for --task; ${how} writes both`);
  }
  const { launch } = await rowsFrom({
    launch: {
      path,
      what: "a table of attempts",
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
  /** What the file holds, for messages. */
  readonly what: string;
  readonly sql: (file: string) => string;
}

async function rowsFrom<K extends string>(queries: Readonly<Record<K, Query>>): Promise<Record<K, unknown[][]>> {
  const names = Object.keys(queries) as K[];
  let { path, what } = queries[names[0]];
  const duckdb = neededDuckDB(path);
  try {
    const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "2", temp_directory: "" });
    const connection = await instance.connect();
    try {
      const found: Partial<Record<K, unknown[][]>> = {};
      for (const name of names) {
        ({ path, what } = queries[name]);
        const sql = queries[name].sql(`read_parquet(${literal(path)}, file_row_number = true)`);
        found[name] = (await connection.runAndReadAll(sql)).getRowsJS();
      }
      return found as Record<K, unknown[][]>;
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  } catch (error) {
    const first = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw fail(path, `found what cannot be read as ${what} (${first}), allowed what bide run wrote`);
  }
}
