import { join } from "node:path";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { buildTopology, type Layout, layoutOf } from "../../core/cluster/index.js";
import { OUTCOMES, type RecordWords, type Summary } from "../../core/record/index.js";
import { type AnyScenario, isHadoop, LIMITS } from "../../core/scenario/index.js";
import { InputError, fileProblem, notThere } from "../input-error.js";
import { platformNamed } from "../scenario/platforms.js";
import { quote } from "../scenario/show.js";
import { chunksOf, identifier, literal, neededDuckDB, parquetFile, withDatabase } from "./duckdb.js";
import { readRunFolder, type RunFolder } from "./run-folder.js";
import { columnNames } from "./run-tables.js";
import { someOf, alphabetical, namesOf } from "../../core/kernel/index.js";

/** The choice of attempts: those that meet every condition. */
export interface TraceChoice {
  /** Its number in the table of jobs, or its name. */
  readonly job?: string;
  /** With all pools inside it. */
  readonly pool?: string;
  readonly rack?: string;
  /** Attempts that ran at or after it; microseconds. */
  readonly from?: number;
  /** Attempts that ran before it. */
  readonly to?: number;
  /** Attempts at most, by launch; Infinity: all. */
  readonly maxAttempts: number;
}

/** The data of a trace of a run. */
export interface RunTrace {
  readonly summary: Summary;
  readonly topology: Layout;
  /** By number. */
  readonly jobs: readonly TraceJob[];
  /** By launch. */
  readonly attempts: readonly TraceAttempt[];
  /** Attempts that the choice has; those beyond `attempts` are left out. */
  readonly total: number;
  readonly samples: readonly TraceSample[];
  /** The groups that held most. */
  readonly groups: readonly string[];
  readonly moreGroups: number;
  /** Samples of these groups, by instant. */
  readonly groupSamples: readonly TraceGroupSample[];
}

interface TraceJob {
  readonly name: string;
  readonly group: string;
}

/** Type, level and outcome are indices into `attemptWords`. */
export interface TraceAttempt {
  readonly job: number;
  readonly task: number;
  readonly attempt: number;
  readonly node: number;
  readonly launchUs: number;
  readonly finishUs: number;
  readonly type: number;
  readonly level: number;
  readonly outcome: number;
  /** By number in its job and name; null: the platform's jobs have none. */
  readonly stage: { readonly stage: number; readonly name: string } | null;
}

/** Words for the codes of attempts. The last level stands for none. */
export function attemptWords({ taskTypes, otherAttempts, levels }: RecordWords): {
  readonly type: readonly string[];
  readonly level: readonly string[];
  readonly outcome: readonly string[];
} {
  return {
    type: [...taskTypes.map(({ one }) => one), ...otherAttempts],
    level: [...levels.map(({ title }) => title), "none"],
    outcome: OUTCOMES,
  };
}

interface TraceSample {
  readonly atUs: number;
  readonly activeJobs: number;
  /** By task type. */
  readonly running: readonly number[];
  readonly pending: readonly number[];
}

export interface TraceGroupSample {
  readonly atUs: number;
  /** Index into the groups of the trace. */
  readonly group: number;
  /** By resource. */
  readonly running: readonly number[];
  readonly fairShare: readonly number[];
}

/** Tables that a trace is drawn from. */
function drawn({ summary }: RunFolder): string[] {
  return ["tasks", "jobs", "samples", `${columnNames(summary.words).group}_samples`];
}

/** Groups that a trace shows, at most. */
const MOST_GROUPS = 20;

/** Reads a trace. @throws InputError where the folder holds no run with a table of attempts, or not the choice. */
export async function readRunTrace(folder: string, choice: TraceChoice, signal?: AbortSignal): Promise<RunTrace> {
  const run = readRunFolder(folder);
  const topology = topologyOf(run);
  refuseWithoutTasks(run);
  const duckdb = neededDuckDB(folder);
  try {
    return await withDatabase(duckdb, { threads: "2" }, signal, async (connection) => {
      const tables = drawn(run);
      for (const { name, path } of run.files.filter((file) => tables.includes(file.name))) {
        await connection.run(`CREATE VIEW ${identifier(name)} AS FROM ${parquetFile(path)}`);
      }
      return { summary: run.summary, topology, ...(await readTables(connection, run, topology, choice)) };
    });
  } catch (error) {
    if (error instanceof InputError || !(error instanceof Error)) throw error;
    if (!/^[A-Z][A-Za-z -]* Error: /.test(error.message)) throw error;
    const words = error.message.split("\n", 1)[0];
    throw fileProblem(folder, `found tables that cannot be read: ${words}; bide run --tasks makes them anew`);
  }
}

function refuseWithoutTasks(run: RunFolder): void {
  const { folder, files } = run;
  for (const name of drawn(run)) {
    if (files.some((file) => file.name === name)) continue;
    const how = `npx bide run SCENARIO${name === "tasks" ? " --tasks" : ""} writes it`;
    throw fileProblem(folder, `has no ${name.replace("_", "-")}.parquet; ${how}`);
  }
}

/** The scenario's own checks are those of scenario files, not of what they become. */
export function topologyOf({ folder, scenario }: RunFolder): Layout {
  const file = join(folder, "resolved-scenario.json");
  if (!isHadoop(scenario)) {
    const nodes = nodesOf(scenario);
    if (nodes.length === 0) throw fileProblem(file, "has no nodes; this is not what bide run wrote");
    return layoutOf(nodes);
  }
  const { racks } = scenario.cluster;
  const nodes = racks.reduce((sum, rack) => rack.nodes.reduce((total, { count }) => total + count, sum), 0);
  if (racks.length === 0 || nodes === 0 || nodes > LIMITS.nodes) {
    throw fileProblem(file, `expected 1 to ${LIMITS.nodes} nodes, found ${nodes}`);
  }
  try {
    return buildTopology(scenario.cluster);
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
    throw fileProblem(file, `found something else than the scenario of this run (${error.message})`);
  }
}

/** Returns the nodes that the platform reads from its scenario; none if the scenario is not one of the platform. */
function nodesOf(scenario: AnyScenario): readonly { readonly name: string; readonly rack: string }[] {
  try {
    return platformNamed(scenario.platform)?.nodes?.(scenario) ?? [];
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

type Tables = Omit<RunTrace, "summary" | "topology">;

async function readTables(
  connection: DuckDBConnection,
  { folder, summary: { words } }: RunFolder,
  topology: Layout,
  choice: TraceChoice,
): Promise<Tables> {
  const { group: ofGroup, tasks, resources } = columnNames(words);
  const samplesOfGroups = `${ofGroup}_samples`;
  const sums = (column: string) => resources.map(({ short }) => `${column}_${short}::DOUBLE`).join(", ");
  const byType = (column: string) => tasks.map((type) => `${column}_${type}::DOUBLE`).join(", ");
  const jobs: TraceJob[] = [];
  for await (const [name, group] of rowsOf(
    connection,
    `SELECT name, coalesce(placed_in, ${ofGroup}) FROM jobs ORDER BY job`,
  )) {
    jobs.push({ name: String(name), group: String(group) });
  }
  const where = conditions(jobs, topology, choice, ofGroup);
  const [[total]] = await allRows(connection, `SELECT count(*)::DOUBLE FROM tasks ${where}`);
  const maxRows = Math.min(Number(total), choice.maxAttempts);
  const attempts: TraceAttempt[] = [];
  const tasksFile = join(folder, "tasks.parquet");
  const [[stageColumns]] = await allRows(
    connection,
    "SELECT count(*)::DOUBLE FROM (DESCRIBE tasks) WHERE column_name IN ('stage', 'stage_name')",
  );
  const query = attemptsQuery(where, maxRows, attemptWords(words), stageColumns === 2);
  for await (const [stage, stageName, ...values] of rowsOf(connection, query)) {
    const [job, task, attempt, node, launchUs, finishUs, type, level, outcome] = finite(values, tasksFile);
    if (launchUs < 0 || finishUs < launchUs || !Number.isSafeInteger(finishUs)) {
      throw fileProblem(tasksFile, `an attempt goes from ${launchUs} to ${finishUs}; times must be in order`);
    }
    if (!(node in topology.rackOf) || !(job in jobs)) {
      const actual = node in topology.rackOf ? `job ${job}` : `node ${node}`;
      throw fileProblem(tasksFile, `found ${actual}, which the run does not have`);
    }
    const ofStage = typeof stage === "number" ? { stage, name: String(stageName) } : null;
    attempts.push({ job, task, attempt, node, launchUs, finishUs, type, level, outcome, stage: ofStage });
  }
  const isCut = attempts.length < Number(total);
  const lastUs = isCut ? (attempts.at(-1)?.launchUs ?? 0) : (choice.to ?? Infinity);
  const until = lastUs === Infinity ? "" : `AND at_us <= ${lastUs}`;
  const when = `WHERE at_us >= ${choice.from ?? 0} ${until}`;
  const heldBy = `sum(${resources.map(({ short }) => `running_${short}`).join(" + ")})`;
  const heldRows = await allRows(
    connection,
    `SELECT ${ofGroup} FROM ${samplesOfGroups} GROUP BY ${ofGroup} ORDER BY ${heldBy} DESC, ${ofGroup}`,
  );
  // The trace of a job shows the job's own group.
  const outerGroup = choice.pool ?? (choice.job === undefined ? null : jobs[jobNumber(jobs, choice.job)].group);
  const known = heldRows
    .map(([group]) => String(group))
    .filter((group) => outerGroup === null || isInside(group, outerGroup));
  const groups = known.slice(0, MOST_GROUPS);
  const rank = new Map(groups.map((group, index) => [group, index]));
  const groupSamples: TraceGroupSample[] = [];
  const groupQuery = `SELECT at_us::DOUBLE, ${ofGroup}, ${sums("running")}, ${sums("fair_share")} FROM ${samplesOfGroups} ${when}
    ORDER BY at_us, ${ofGroup}`;
  for await (const [rawAtUs, group, ...values] of rowsOf(connection, groupQuery)) {
    const index = rank.get(String(group));
    if (index === undefined) continue;
    const [atUs, ...numbers] = finite([rawAtUs, ...values], join(folder, `${ofGroup}-samples.parquet`));
    const places = resources.length;
    groupSamples.push({ atUs, group: index, running: numbers.slice(0, places), fairShare: numbers.slice(places) });
  }
  const samples = await allRows(
    connection,
    `SELECT at_us::DOUBLE, active_jobs::DOUBLE, ${byType("running")}, ${byType("pending")} FROM samples ${when} ORDER BY at_us`,
  );
  return {
    jobs,
    attempts,
    total: Number(total),
    groups,
    moreGroups: known.length - groups.length,
    groupSamples,
    samples: samples.map((values) => {
      const [atUs, activeJobs, ...numbers] = finite(values, join(folder, "samples.parquet"));
      return { atUs, activeJobs, running: numbers.slice(0, tasks.length), pending: numbers.slice(tasks.length) };
    }),
  };
}

function attemptsQuery(
  where: string,
  maxRows: number,
  words: ReturnType<typeof attemptWords>,
  hasStages: boolean,
): string {
  const index = (column: keyof typeof words, otherwise: string) => {
    const cases = words[column].map((word, code) => `WHEN '${word}' THEN ${code}`);
    return `(CASE ${column} ${cases.join(" ")} ELSE ${otherwise} END)::DOUBLE`;
  };
  const stages = hasStages ? "stage, stage_name" : "NULL, NULL";
  return `SELECT ${stages}, job::DOUBLE, task::DOUBLE, attempt::DOUBLE, node::DOUBLE, launch_at_us::DOUBLE, finish_at_us::DOUBLE,
      ${index("type", "NULL")}, ${index("level", String(words.level.length - 1))}, ${index("outcome", "NULL")}
    FROM tasks ${where} ORDER BY launch_at_us, node, finish_at_us, job, type, task, attempt LIMIT ${maxRows}`;
}

/** WHERE of the wanted attempts. @throws InputError for what the run does not have. */
function conditions(jobs: readonly TraceJob[], topology: Layout, choice: TraceChoice, ofGroup: string): string {
  const { job, pool, rack, from, to } = choice;
  const clauses: string[] = [];
  if (from !== undefined) clauses.push(`finish_at_us >= ${from}`);
  if (to !== undefined) clauses.push(`launch_at_us < ${to}`);
  if (job !== undefined) clauses.push(`job = ${jobNumber(jobs, job)}`);
  if (pool !== undefined) {
    const pools = [...new Set(jobs.map((entry) => entry.group))].sort(alphabetical);
    if (!pools.some((group) => isInside(group, pool))) throw notThere("--pool", pool, pools);
    const name = literal(pool);
    const names = `coalesce(placed_in, ${ofGroup}) = ${name} OR starts_with(coalesce(placed_in, ${ofGroup}), ${name} || '.')`;
    clauses.push(`job IN (SELECT job FROM jobs WHERE ${names})`);
  }
  if (rack !== undefined) {
    const { rackNames, rackNodes, rackStart } = topology;
    const index = rackNames.indexOf(rack);
    if (index < 0) throw notThere("--rack", rack, rackNames);
    clauses.push(`node IN (${rackNodes.slice(rackStart[index], rackStart[index + 1]).join(", ")})`);
  }
  return clauses.length === 0 ? "" : `WHERE ${clauses.join(" AND ")}`;
}

/** A pool, or one inside it. */
function isInside(pool: string, outer: string): boolean {
  return pool === outer || pool.startsWith(`${outer}.`);
}

function jobNumber(jobs: readonly TraceJob[], text: string): number {
  if (/^[0-9]{1,10}$/.test(text) && Number(text) < jobs.length) return Number(text);
  const named = jobs.flatMap(({ name }, job) => (name === text ? [job] : []));
  if (named.length === 1) return named[0];
  if (named.length === 0) {
    const names = namesOf(jobs);
    throw notThere("--job", text, names, `a number below ${jobs.length} or the name of a job`);
  }
  const numbers = someOf(named.map(String));
  throw fileProblem("--job", `${quote(text)} is the name of ${named.length} jobs; give the number of one: ${numbers}`);
}

/** Row by row, of which never more than a chunk is in memory. */
async function* rowsOf(connection: DuckDBConnection, sql: string): AsyncGenerator<readonly DuckDBValue[]> {
  for await (const chunk of chunksOf(await connection.stream(sql))) yield* chunk.getRows();
}

async function allRows(connection: DuckDBConnection, sql: string): Promise<(readonly DuckDBValue[])[]> {
  const rows: (readonly DuckDBValue[])[] = [];
  for await (const row of rowsOf(connection, sql)) rows.push(row);
  return rows;
}

/** @throws InputError where a value is missing that every row has. */
function finite(values: readonly DuckDBValue[], file: string): readonly number[] {
  const numbers = values.map((value) => (typeof value === "number" ? value : NaN));
  if (numbers.every(Number.isFinite)) return numbers;
  throw fileProblem(file, "a row lacks a number; this is not what bide run wrote");
}
