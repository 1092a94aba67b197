import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { nodeName, type Topology } from "../../core/cluster/index.js";
import { printable } from "../../core/kernel/index.js";
import type { GroupSummary, Summary } from "../../core/platforms/hadoop/index.js";
import { SIZE_CLASSES, sizeBinOf, sizeLabelOf } from "../../core/workload/index.js";
import { InputError } from "../input-error.js";
import { literal, loadDuckDB } from "./duckdb.js";
import { earlierWords, isOfEarlier, readRunFolder } from "./run-folder.js";
import { topologyOf } from "./run-trace.js";
import { summarySchema } from "./summary-schema.js";
import { isFile } from "./whole-file.js";

/** What a page shows of one run: everything is small, whatever the run was. Times in seconds. */
export interface RunPicture {
  /** The folder as the user named it. */
  readonly folder: string;
  /** Its pools are those of most jobs, of `poolCount`; so are its users. */
  readonly summary: Omit<Summary, "histograms">;
  readonly poolCount: number;
  readonly userCount: number;
  /** Response times: of all jobs, by size, by pool. */
  readonly responses: { readonly all: Curve; readonly size: readonly Curve[]; readonly pool: readonly Curve[] };
  /** Wait from submission to the first task: jobs by upper end of an interval. */
  readonly waits: { readonly upTo: readonly number[]; readonly jobs: readonly number[] };
  readonly timeline: Timeline;
  /** Null where the run kept no table of attempts. */
  readonly attempts: AttemptsPicture | null;
}

/** A distribution: `values` at equally spaced shares from 0 to 1. */
export interface Curve {
  readonly label: string;
  readonly jobs: number;
  readonly values: readonly number[];
}

/** Means over intervals; `at` is where each begins. */
export interface Timeline {
  readonly intervalSeconds: number;
  readonly at: readonly number[];
  readonly activeJobs: readonly number[];
  readonly runningMaps: readonly number[];
  readonly runningReduces: readonly number[];
  readonly pendingMaps: readonly number[];
  readonly pendingReduces: readonly number[];
  /** Replicas beyond the fixed number; null: replication is fixed. */
  readonly extraReplicas: readonly number[] | null;
  /** Slots that pools with demand lack to their fair share. */
  readonly missingMaps: readonly number[];
  readonly missingReduces: readonly number[];
  /** Of map slots, as in `summary.fairness`; null where no pool with demand holds a slot, or none has demand. */
  readonly jain: readonly (number | null)[];
  readonly belowFairShare: readonly (number | null)[];
  readonly pools: readonly PoolTimeline[];
  /** Pools with pools inside: `members` are those of `pools` that are in it. */
  readonly inner: readonly (PoolTimeline & { readonly members: readonly number[] })[];
}

export interface PoolTimeline {
  readonly label: string;
  readonly maps: PoolSlots;
  readonly reduces: PoolSlots;
}

export interface PoolSlots {
  readonly held: readonly number[];
  readonly fairShare: readonly number[];
  readonly demand: readonly number[];
}

export interface AttemptsPicture {
  /** Busy slots, mean: one row per group of nodes, which lie beside each other in racks, one column per interval. */
  readonly heat: {
    readonly nodesPerRow: number;
    /** Of each row: its only node, or its first and its last. */
    readonly names: readonly string[];
    readonly intervalSeconds: number;
    readonly rows: readonly (readonly number[])[];
  };
  /** All attempts of some jobs. */
  readonly jobs: readonly JobAttempts[];
  readonly racks: RackAttempts;
  /** Names of the nodes of all these attempts, by number. */
  readonly nodes: Readonly<Record<string, string>>;
  readonly total: number;
}

/** All attempts that ran in some racks in a part of the run. */
export interface RackAttempts {
  readonly from: number;
  readonly until: number;
  /** Whether these are all attempts of the run. */
  readonly isWhole: boolean;
  readonly of: number;
  readonly racks: readonly {
    readonly label: string;
    /** As those of jobs, and the number of the job. */
    readonly attempts: readonly (readonly number[])[];
  }[];
}

export interface JobAttempts {
  readonly job: number;
  readonly label: string;
  readonly pool: string;
  readonly size: string;
  /** `[launch, finish, node, kind, level, outcome]`: the last three are indices into ATTEMPT_WORDS. */
  readonly attempts: readonly (readonly number[])[];
}

export const ATTEMPT_WORDS = {
  kind: ["map", "reduce", "set-up", "clean-up"],
  level: ["node", "rack", "row", "off-rack", "no input"],
  outcome: ["succeeded", "killed", "failed", "lost"],
} as const;

/** What the page is drawn from, at most: also told to its readers. */
export const MOST = {
  quantiles: 201,
  pools: 11,
  intervals: 360,
  attempts: 12_000,
  rackAttempts: 10_000,
  racks: 8,
  heatRows: 50,
  heatColumns: 96,
  groupRows: 100,
};

const LABEL_LENGTH = 48;

function ofMostJobs<Group extends GroupSummary>(groups: readonly Group[]): Group[] {
  return [...groups].sort((a, b) => b.jobs.submitted - a.jobs.submitted).slice(0, MOST.groupRows);
}

/** @throws InputError: there is no run, or it lacks its tables. TablesUnavailable: DuckDB cannot be loaded. */
export async function readRunPicture(folder: string, signal?: AbortSignal): Promise<RunPicture> {
  const summary = readSummary(folder);
  const tables = ["jobs", "samples", "pool-samples"];
  const missing = tables.filter((name) => !existsSync(join(folder, `${name}.parquet`)));
  if (missing.length > 0) {
    const names = missing.map((name) => `${name}.parquet`).join(", ");
    throw unfit(folder, `found no ${names}, which the report draws; bide run without --no-tables writes them`);
  }
  const duckdb = loadDuckDB();
  const instance = await duckdb.DuckDBInstance.create(":memory:", { threads: "2", temp_directory: "" });
  const connection = await instance.connect();
  const stop = (): void => {
    connection.interrupt();
  };
  signal?.addEventListener("abort", stop);
  try {
    for (const name of [...tables, "tasks"]) {
      const path = join(folder, `${name}.parquet`);
      if (!existsSync(path)) continue;
      await connection.run(`CREATE VIEW "${name}" AS SELECT * FROM read_parquet(${literal(path)})`);
      await refuseMissing(connection, name, path);
    }
    const { histograms, pools, users = [], ...figures } = summary;
    void histograms;
    const listedPools = ofMostJobs(pools);
    const listedUsers = ofMostJobs(users);
    const poolLabels = distinctLabels(listedPools.map(({ pool }) => pool));
    const userLabels = distinctLabels(listedUsers.map(({ user }) => user));
    const jobs = await rowsOf<JobRow>(connection, JOBS);
    const hasAttempts = existsSync(join(folder, "tasks.parquet"));
    return {
      folder: shortLabel(folder),
      summary: {
        ...figures,
        pools: listedPools.map((own, at) => ({ ...own, pool: poolLabels[at] })),
        users: listedUsers.map((own, at) => ({ ...own, user: userLabels[at] })),
      },
      poolCount: pools.length,
      userCount: users.length,
      responses: responseCurves(jobs),
      waits: waitHistogram(jobs.flatMap(({ wait }) => (wait === null ? [] : [wait]))),
      timeline: await readTimeline(connection, summary),
      attempts: hasAttempts ? await readAttempts(connection, summary, jobs, topologyOf(readRunFolder(folder))) : null,
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Error) || !/^(IO|Invalid Input|Binder|Catalog) Error/.test(error.message)) throw error;
    throw unfit(
      folder,
      `found tables that cannot be read: ${error.message.split("\n", 1)[0]}; bide run makes them anew`,
    );
  } finally {
    signal?.removeEventListener("abort", stop);
    connection.closeSync();
    instance.closeSync();
  }
}

function readSummary(folder: string): Summary {
  const path = join(folder, "summary.json");
  if (!isFile(path)) {
    throw unfit(folder, "found no summary.json, allowed a results folder, which bide run writes");
  }
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw unfit(path, "found no JSON, allowed the summary of a run, which bide run writes");
  }
  const parsed = summarySchema.safeParse(value);
  if (parsed.success) return parsed.data as Summary;
  const [{ path: place, message }] = parsed.error.issues;
  if (isOfEarlier(value, place)) throw unfit(path, earlierWords(place, "bide run"));
  throw unfit(
    path,
    `found another format at ${place.join(".") || "the top"} (${message}), allowed what bide run writes`,
  );
}

function unfit(file: string, message: string): InputError {
  return new InputError([{ file, line: 0, column: 0, message }]);
}

/** A name as a page shows it: what cannot be seen is written as its code, and a long one is cut. */
export function shortLabel(name: string): string {
  const shown = printable([...name.slice(0, 2 * LABEL_LENGTH)].slice(0, LABEL_LENGTH).join(""));
  const isCut = shown.length > LABEL_LENGTH || name.length > LABEL_LENGTH;
  return isCut ? `${shown.slice(0, LABEL_LENGTH - 1)}…` : shown;
}

/** Short labels of which no two are equal. */
export function distinctLabels(names: readonly string[]): string[] {
  const taken = new Map<string, number>();
  return names.map((name) => {
    const label = shortLabel(name);
    const before = taken.get(label) ?? 0;
    taken.set(label, before + 1);
    return before === 0 ? label : `${label} (${String(before + 1)})`;
  });
}

export interface JobRow {
  readonly job: number;
  readonly name: string;
  readonly pool: string;
  readonly maps: number;
  readonly response: number | null;
  readonly wait: number | null;
}

const JOBS = `SELECT job, name, coalesce(placed_in, pool) AS pool, maps, response_us / 1e6 AS response,
  (first_launch_at_us - submit_at_us) / 1e6 AS wait FROM jobs ORDER BY job`;

/** Of an instant everything is known; a job or an attempt may lack what has not happened. */
const ALWAYS_KNOWN = ["samples", "pool-samples"];

/** @throws InputError: a value is no number, or is not there; a curve would have a hole that nothing explains. */
async function refuseMissing(connection: DuckDBConnection, table: string, path: string): Promise<void> {
  const columns = await rowsOf<{ name: string; type: string }>(
    connection,
    `SELECT column_name AS name, column_type AS type FROM (DESCRIBE "${table}")`,
  );
  const checks = columns.flatMap(({ name, type }) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    const isFinite = { lacks: `no finite number for ${name}`, where: `NOT isfinite(${column})` };
    const isThere = { lacks: `no value for ${name}`, where: `${column} IS NULL` };
    return [...(/^(DOUBLE|FLOAT)$/.test(type) ? [isFinite] : []), ...(ALWAYS_KNOWN.includes(table) ? [isThere] : [])];
  });
  if (checks.length === 0) return;
  const counts = checks.map(({ where }, at) => `count(*) FILTER (${where})::DOUBLE AS "${String(at)}"`);
  const [rows] = await rowsOf<Record<string, number>>(connection, `SELECT ${counts.join(", ")} FROM "${table}"`);
  for (const [at, { lacks }] of checks.entries()) {
    const count = rows[String(at)];
    if (count === 0) continue;
    const where = `${String(count)} row${count === 1 ? "" : "s"}`;
    throw unfit(path, `found ${lacks} in ${where}, allowed what bide run wrote; it makes the table anew`);
  }
}

async function rowsOf<Row>(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRowObjectsJS() as unknown as Row[];
}

/** Pools with few jobs are drawn together. */
export function responseCurves(jobs: readonly JobRow[]): RunPicture["responses"] {
  const finished = jobs.filter((job): job is JobRow & { response: number } => job.response !== null);
  const bySize = SIZE_CLASSES.map(({ label, bin }) => ({
    label: label === "1" ? "1 map" : `${label} maps`,
    values: finished.filter(({ maps }) => sizeBinOf(maps) === bin).map(({ response }) => response),
  }));
  const byPool = new Map<string, number[]>();
  for (const { pool, response } of finished) {
    const values = byPool.get(pool);
    if (values === undefined) byPool.set(pool, [response]);
    else values.push(response);
  }
  const pools = [...byPool].sort(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1));
  const labels = distinctLabels(pools.slice(0, MOST.pools).map(([name]) => name));
  const drawn = labels.map((label, index) => curveOf(label, pools[index][1]));
  const others = pools.slice(MOST.pools).flatMap(([, values]) => values);
  return {
    all: curveOf(
      "all jobs",
      finished.map(({ response }) => response),
    ),
    size: bySize.filter(({ values }) => values.length > 0).map(({ label, values }) => curveOf(label, values)),
    pool: others.length === 0 ? drawn : [...drawn, curveOf(othersLabel(pools.length - MOST.pools), others)],
  };
}

function othersLabel(pools: number): string {
  return `${String(pools)} other pools`;
}

function curveOf(label: string, values: readonly number[]): Curve {
  const sorted = [...values].sort((a, b) => a - b);
  const points = Math.min(sorted.length, MOST.quantiles);
  const drawn = Array.from({ length: points }, (_, index) => {
    const rank = points === 1 ? 0 : Math.round((index * (sorted.length - 1)) / (points - 1));
    return rounded(sorted[rank]);
  });
  return { label, jobs: sorted.length, values: drawn };
}

/** Milliseconds, and four digits: nobody sees more in a picture. */
function rounded(value: number): number {
  return Number(Number(value.toPrecision(4)).toFixed(3));
}

/** Ends of intervals that double, but for 15 s, 15 min and an hour. */
const WAIT_ENDS = [1, 2, 4, 8, 15, 30, 60, 120, 240, 480, 900, 1800, 3600];

/** Intervals that double or nearly so, from a second. */
export function waitHistogram(waits: readonly number[]): RunPicture["waits"] {
  const most = waits.reduce((a, b) => Math.max(a, b), 0);
  const upTo = WAIT_ENDS.filter((_, index) => index === 0 || WAIT_ENDS[index - 1] < most);
  while (upTo[upTo.length - 1] < most) upTo.push(2 * upTo[upTo.length - 1]);
  const jobs = upTo.map(() => 0);
  for (const wait of waits) jobs[upTo.findIndex((end) => wait <= end)]++;
  return { upTo, jobs };
}

/** Whole seconds, so that the run has at most so many intervals, and the samples at most one each. */
function intervalOf(seconds: number, intervals: number, least = 1): number {
  return Math.max(least, Math.ceil(seconds / intervals));
}

interface SampleRow {
  readonly slot: number;
  readonly active: number;
  readonly maps: number;
  readonly reduces: number;
  readonly pendingMaps: number;
  readonly pendingReduces: number;
  readonly samples: number;
  readonly replicas: number;
}

interface PoolRow {
  readonly slot: number;
  readonly pool: number;
  readonly maps: number;
  readonly mapShare: number;
  readonly mapDemand: number;
  readonly reduces: number;
  readonly reduceShare: number;
  readonly reduceDemand: number;
}

async function readTimeline(connection: DuckDBConnection, { virtualSeconds }: Summary): Promise<Timeline> {
  const [{ spacing }] = await rowsOf<{ spacing: number | null }>(
    connection,
    "SELECT (max(at_us) - min(at_us)) / 1e6 / nullif(count(*) - 1, 0) AS spacing FROM samples",
  );
  const interval = intervalOf(virtualSeconds, MOST.intervals, Math.ceil(spacing ?? 1));
  const hasReplicas =
    (await rowsOf(connection, "FROM (DESCRIBE samples) WHERE column_name = 'extra_replicas'")).length > 0;
  const slot = `CAST(floor(at_us / ${String(interval * 1e6)}) AS INTEGER)`;
  const samples = await rowsOf<SampleRow>(
    connection,
    `SELECT ${slot} AS slot, avg(active_jobs) AS active, avg(running_maps) AS maps, avg(running_reduces) AS reduces,
      avg(pending_maps) AS "pendingMaps", avg(pending_reduces) AS "pendingReduces", CAST(count(*) AS INTEGER) AS samples,
      ${hasReplicas ? "avg(extra_replicas)" : "0"} AS replicas
     FROM samples GROUP BY ALL ORDER BY slot`,
  );
  // A pool with pools inside has the sums over them: with both, slots would count twice.
  await connection.run(
    `CREATE OR REPLACE TEMP VIEW "leaf-samples" AS
     WITH names AS (SELECT DISTINCT pool FROM "pool-samples")
     SELECT * FROM "pool-samples" WHERE pool NOT IN
       (SELECT o.pool FROM names o JOIN names i ON starts_with(i.pool, o.pool || '.'))`,
  );
  const top = await rowsOf<{ pool: string }>(
    connection,
    `SELECT pool FROM "leaf-samples" GROUP BY pool ORDER BY sum(held_maps + held_reduces) DESC, pool`,
  );
  const names = top.map(({ pool }) => pool);
  const shown = names.slice(0, MOST.pools);
  const rank = shown.map((name, index) => `WHEN ${literal(name)} THEN ${String(index)}`).join(" ");
  const rankOf = rank === "" ? "0" : `CASE pool ${rank} ELSE ${String(shown.length)} END`;
  const pools = await rowsOf<PoolRow>(
    connection,
    `SELECT ${slot} AS slot, ${rankOf} AS pool, ${POOL_SUMS} FROM "leaf-samples" GROUP BY ALL ORDER BY slot, pool`,
  );
  const missing = await rowsOf<{ slot: number; maps: number; reduces: number }>(
    connection,
    `SELECT ${slot} AS slot,
      CAST(sum(greatest(0, least(fair_share_maps, demand_maps) - running_maps)) AS DOUBLE) AS maps,
      CAST(sum(greatest(0, least(fair_share_reduces, demand_reduces) - running_reduces)) AS DOUBLE) AS reduces
     FROM "leaf-samples" GROUP BY ALL ORDER BY slot`,
  );
  const fairness = await rowsOf<{ slot: number; jain: number | null; below: number | null }>(
    connection,
    `WITH instants AS (
       SELECT at_us, sum(running_maps / fair_share_maps) AS sum, sum((running_maps / fair_share_maps) ** 2) AS squares,
         count(*) AS pools, count(*) FILTER (running_maps < fair_share_maps - 1) AS below
       FROM "leaf-samples" WHERE demand_maps > 0 AND fair_share_maps > 0 GROUP BY at_us)
     SELECT ${slot} AS slot, CAST(avg(CASE WHEN squares > 0 THEN sum * sum / (pools * squares) END) AS DOUBLE) AS jain,
       CAST(sum(below) / sum(pools) AS DOUBLE) AS below
     FROM instants GROUP BY ALL`,
  );
  const fairAt = new Map(fairness.map((row) => [row.slot, row]));
  const shareOf = (of: (row: (typeof fairness)[number]) => number | null): (number | null)[] =>
    samples.map(({ slot: at }) => {
      const row = fairAt.get(at);
      const value = row === undefined ? null : of(row);
      return value === null ? null : rounded(value);
    });
  const outer = await rowsOf<{ pool: string }>(
    connection,
    `SELECT pool FROM "pool-samples" WHERE pool NOT IN (SELECT pool FROM "leaf-samples")
     GROUP BY pool ORDER BY sum(held_maps + held_reduces) DESC, pool LIMIT ${String(MOST.pools)}`,
  );
  const outerRank = outer.map(({ pool }, index) => `WHEN ${literal(pool)} THEN ${String(index)}`).join(" ");
  const outerRows =
    outer.length === 0
      ? []
      : await rowsOf<PoolRow>(
          connection,
          `SELECT ${slot} AS slot, CASE pool ${outerRank} END AS pool, ${POOL_SUMS} FROM "pool-samples"
           WHERE pool IN (${outer.map(({ pool }) => literal(pool)).join(", ")}) GROUP BY ALL ORDER BY slot, pool`,
        );
  const place = new Map(samples.map(({ slot: at }, index) => [at, index]));
  const column = (of: (row: SampleRow) => number): number[] => samples.map((row) => rounded(of(row)));
  const spread = <Row extends { slot: number }>(rows: readonly Row[], of: (row: Row) => number): number[] => {
    const values = samples.map(() => 0);
    for (const row of rows) {
      const index = place.get(row.slot);
      if (index !== undefined) values[index] = rounded(of(row) / samples[index].samples);
    }
    return values;
  };
  const timelineOf = (label: string, pool: number, all: readonly PoolRow[]): PoolTimeline => {
    const rows = all.filter((row) => row.pool === pool);
    const of = (value: (row: PoolRow) => number): number[] => spread(rows, value);
    return {
      label,
      maps: { held: of((row) => row.maps), fairShare: of((row) => row.mapShare), demand: of((row) => row.mapDemand) },
      reduces: {
        held: of((row) => row.reduces),
        fairShare: of((row) => row.reduceShare),
        demand: of((row) => row.reduceDemand),
      },
    };
  };
  const labels = distinctLabels(shown);
  if (names.length > shown.length) labels.push(othersLabel(names.length - shown.length));
  return {
    intervalSeconds: interval,
    at: samples.map(({ slot: at }) => at * interval),
    activeJobs: column(({ active }) => active),
    runningMaps: column(({ maps }) => maps),
    runningReduces: column(({ reduces }) => reduces),
    pendingMaps: column(({ pendingMaps }) => pendingMaps),
    pendingReduces: column(({ pendingReduces }) => pendingReduces),
    extraReplicas: hasReplicas ? column(({ replicas }) => replicas) : null,
    missingMaps: spread(missing, ({ maps }) => maps),
    missingReduces: spread(missing, ({ reduces }) => reduces),
    jain: shareOf(({ jain }) => jain),
    belowFairShare: shareOf(({ below }) => below),
    pools: labels.map((label, pool) => timelineOf(label, pool, pools)),
    inner: distinctLabels(outer.map(({ pool }) => pool)).map((label, index) => ({
      ...timelineOf(label, index, outerRows),
      members: shown.flatMap((name, at) => (name.startsWith(`${outer[index].pool}.`) ? [at] : [])),
    })),
  };
}

const POOL_SUMS = [
  ["held_maps", "maps"],
  ["fair_share_maps", "mapShare"],
  ["demand_maps", "mapDemand"],
  ["held_reduces", "reduces"],
  ["fair_share_reduces", "reduceShare"],
  ["demand_reduces", "reduceDemand"],
]
  .map(([column, name]) => `CAST(sum(${column}) AS DOUBLE) AS "${name}"`)
  .join(", ");

/** Whole jobs, the slowest of each size first, as long as their attempts fit. */
export function chosenJobs(jobs: readonly JobRow[], attemptsOf: ReadonlyMap<number, number>): JobRow[] {
  const bySize = SIZE_CLASSES.map(({ bin }) =>
    jobs
      .filter(({ job, maps }) => sizeBinOf(maps) === bin && (attemptsOf.get(job) ?? 0) > 0)
      .sort((a, b) => (b.response ?? Infinity) - (a.response ?? Infinity) || a.job - b.job),
  );
  const chosen: JobRow[] = [];
  let left = MOST.attempts;
  const longest = bySize.reduce((most, { length }) => Math.max(most, length), 0);
  for (let place = 0; place < Math.min(longest, MOST.attempts); place++) {
    for (const sized of bySize) {
      if (place >= sized.length) continue;
      const attempts = attemptsOf.get(sized[place].job) ?? 0;
      if (attempts > left) continue;
      left -= attempts;
      chosen.push(sized[place]);
    }
  }
  return chosen.sort((a, b) => a.job - b.job);
}

async function readAttempts(
  connection: DuckDBConnection,
  summary: Summary,
  jobs: readonly JobRow[],
  topology: Topology,
): Promise<AttemptsPicture> {
  const counts = await rowsOf<{ job: number; attempts: number }>(
    connection,
    "SELECT job, CAST(count(*) AS INTEGER) AS attempts FROM tasks GROUP BY job",
  );
  const attemptsOf = new Map(counts.map(({ job, attempts }) => [job, attempts]));
  const chosen = chosenJobs(jobs, attemptsOf);
  const labels = distinctLabels(chosen.map(({ name }) => name));
  const byJob = new Map<number, number[][]>(chosen.map(({ job }) => [job, []]));
  if (chosen.length > 0) {
    const rows = await rowsOf<AttemptRow>(
      connection,
      `SELECT ${ATTEMPT_COLUMNS} FROM tasks WHERE job IN (${chosen.map(({ job }) => String(job)).join(", ")})
       ORDER BY job, launch, finish, node`,
    );
    for (const row of rows) byJob.get(row.job)?.push(attemptOf(row));
  }
  const heat = await readHeat(connection, summary, topology);
  const racks = await readRacks(connection, topology, heat);
  const all = [...byJob.values(), ...racks.racks.map(({ attempts }) => attempts)];
  const nodes = new Set(all.flatMap((attempts) => attempts.map(([, , node]) => node)));
  return {
    heat,
    racks,
    nodes: Object.fromEntries([...nodes].map((node) => [node, shortLabel(nodeName(topology, node))])),
    total: counts.reduce((sum, { attempts }) => sum + attempts, 0),
    jobs: chosen.map(({ job, pool, maps }, at) => ({
      job,
      label: labels[at],
      pool: shortLabel(pool),
      size: sizeLabelOf(maps),
      attempts: byJob.get(job) ?? [],
    })),
  };
}

interface AttemptRow {
  readonly job: number;
  readonly launch: number;
  readonly finish: number;
  readonly node: number;
  readonly kind: number;
  readonly level: number;
  readonly outcome: number;
}

function wordIndex(column: string, words: readonly string[], otherwise: number): string {
  return `CASE ${column} ${words.map((word, at) => `WHEN '${word}' THEN ${String(at)}`).join(" ")} ELSE ${String(otherwise)} END`;
}

const ATTEMPT_COLUMNS = `job, launch_at_us / 1e6 AS launch, finish_at_us / 1e6 AS finish, node,
  ${wordIndex("type", ATTEMPT_WORDS.kind, 0)} AS kind,
  ${wordIndex("level", ATTEMPT_WORDS.level, ATTEMPT_WORDS.level.length - 1)} AS level,
  ${wordIndex("outcome", ATTEMPT_WORDS.outcome, 0)} AS outcome`;

function attemptOf({ launch, finish, node, kind, level, outcome }: AttemptRow): number[] {
  const tenths = (value: number): number => Math.round(value * 10) / 10;
  return [tenths(launch), tenths(finish), node, kind, level, outcome];
}

/** So many racks that few enough attempts run in them at once, those of most attempts. */
export function chosenRacks(
  { racks, rackStart, rackNodes, mapSlots, reduceSlots }: Topology,
  attemptsOf: ReadonlyMap<number, number>,
): number[] {
  const nodesOf = (rack: number): Int32Array => rackNodes.subarray(rackStart[rack], rackStart[rack + 1]);
  const attempts = Array.from({ length: racks }, (_, rack) =>
    nodesOf(rack).reduce((sum, node) => sum + (attemptsOf.get(node) ?? 0), 0),
  );
  const slotsOf = (rack: number): number =>
    nodesOf(rack).reduce((sum, node) => sum + mapSlots[node] + reduceSlots[node], 0);
  const order = attempts.map((_, rack) => rack).filter((rack) => attempts[rack] > 0);
  order.sort((a, b) => attempts[b] - attempts[a] || a - b);
  const isAll = attempts.reduce((sum, count) => sum + count, 0) <= MOST.rackAttempts;
  let left = MOST.rackAttempts / 2;
  const chosen = order.slice(0, isAll ? racks : MOST.racks).filter((rack, place) => {
    left -= slotsOf(rack);
    return isAll || place === 0 || left >= 0;
  });
  return chosen.sort((a, b) => a - b);
}

/** Of racks, the attempts that ran around the moment at which most slots were busy. */
async function readRacks(
  connection: DuckDBConnection,
  topology: Topology,
  { rows: heat, intervalSeconds }: AttemptsPicture["heat"],
): Promise<RackAttempts> {
  const byNode = await rowsOf<{ node: number; attempts: number }>(
    connection,
    "SELECT node, CAST(count(*) AS INTEGER) AS attempts FROM tasks GROUP BY node",
  );
  const chosen = chosenRacks(topology, new Map(byNode.map(({ node, attempts }) => [node, attempts])));
  const busy = (heat[0] ?? []).map((_, column) => heat.reduce((sum, row) => sum + row[column], 0));
  const peak = (busy.indexOf(busy.reduce((most, one) => Math.max(most, one), 0)) + 0.5) * intervalSeconds;
  const { rackNodes, rackStart, rackOf, rackNames } = topology;
  const nodes = chosen.flatMap((rack) => [...rackNodes.subarray(rackStart[rack], rackStart[rack + 1])]);
  const rows =
    nodes.length === 0
      ? []
      : await rowsOf<AttemptRow & { away: number }>(
          connection,
          `SELECT * FROM (SELECT ${ATTEMPT_COLUMNS},
            greatest(0, launch_at_us / 1e6 - ${String(peak)}, ${String(peak)} - finish_at_us / 1e6) AS away
           FROM tasks WHERE node IN (${nodes.join(", ")}))
           ORDER BY away, launch, finish, node, job LIMIT ${String(MOST.rackAttempts + 1)}`,
        );
  // Nearer than the first one that is left out.
  const reach = rows.length > MOST.rackAttempts ? rows[rows.length - 1].away : Infinity;
  const kept = rows.filter(({ away }) => away < reach);
  const labels = distinctLabels(chosen.map((rack) => rackNames[rack]));
  const earliest = kept.reduce((least, { launch }) => Math.min(least, launch), Infinity);
  const latest = kept.reduce((most, { finish }) => Math.max(most, finish), 0);
  const racks = chosen.map((rack, at) => {
    const own = kept.filter(({ node }) => rackOf[node] === rack).sort((a, b) => a.launch - b.launch || a.node - b.node);
    return {
      label: labels[at],
      attempts: own.map((row) => [...attemptOf(row), row.job]),
    };
  });
  return {
    from: reach === Infinity ? (kept.length === 0 ? 0 : earliest) : Math.max(0, peak - reach),
    until: reach === Infinity ? latest : peak + reach,
    isWhole: reach === Infinity && kept.length === byNode.reduce((sum, { attempts }) => sum + attempts, 0),
    of: topology.racks,
    racks: racks.filter(({ attempts }) => attempts.length > 0),
  };
}

const ROUND_INTERVALS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600];

async function readHeat(
  connection: DuckDBConnection,
  summary: Summary,
  topology: Topology,
): Promise<AttemptsPicture["heat"]> {
  const { nodes, rackNodes } = topology;
  const nodesPerRow = Math.ceil(nodes / MOST.heatRows);
  const least = intervalOf(summary.virtualSeconds, MOST.heatColumns);
  const interval = ROUND_INTERVALS.find((seconds) => seconds >= least) ?? 3600 * Math.ceil(least / 3600);
  const columns = Math.ceil(summary.virtualSeconds / interval);
  const us = interval * 1e6;
  // An attempt counts in each interval with the time that it ran there.
  const cells = await rowsOf<{ row: number; slot: number; busy: number }>(
    connection,
    `WITH places AS (SELECT unnest([${rackNodes.join(", ")}]) AS node, unnest(range(${String(nodes)})) AS place),
      spans AS (SELECT place // ${String(nodesPerRow)} AS row, launch_at_us AS launch, finish_at_us AS finish,
        unnest(range(launch_at_us // ${String(us)}, finish_at_us // ${String(us)} + 1)) AS slot
        FROM tasks JOIN places USING (node))
     SELECT CAST(row AS INTEGER) AS row, CAST(slot AS INTEGER) AS slot,
      CAST(sum(least(finish, (slot + 1) * ${String(us)}) - greatest(launch, slot * ${String(us)})) AS DOUBLE) / ${String(us)} AS busy
     FROM spans GROUP BY ALL`,
  );
  const rows = Array.from({ length: Math.ceil(nodes / nodesPerRow) }, () => Array.from({ length: columns }, () => 0));
  for (const { row, slot, busy } of cells) if (slot < columns && row < rows.length) rows[row][slot] = rounded(busy);
  const name = (place: number): string => shortLabel(nodeName(topology, rackNodes[Math.min(nodes - 1, place)]));
  const names = rows.map((_, row) => {
    const [first, last] = [name(row * nodesPerRow), name((row + 1) * nodesPerRow - 1)];
    return first === last ? first : `${first} to ${last}`;
  });
  return { nodesPerRow, names, intervalSeconds: interval, rows };
}
