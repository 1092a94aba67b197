import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { nodeName, type Layout } from "../../core/cluster/index.js";
import { printable } from "../../core/kernel/index.js";
import { type GroupSummary, localTask, OUTCOMES, type RecordWords, type Summary } from "../../core/record/index.js";
import { SIZE_CLASSES, sizeBinOf, sizeLabelOf } from "../../core/workload/index.js";
import { fileProblem } from "../input-error.js";
import { literal, loadDuckDB } from "./duckdb.js";
import { earlierWords, isOfEarlier, readRunFolder } from "./run-folder.js";
import { type ColumnNames, columnNames } from "./run-tables.js";
import { attemptWords, topologyOf } from "./run-trace.js";
import { summarySchema } from "./summary-schema.js";
import { isFile } from "./whole-file.js";

/** The data of a page about one run: all of it is small, whatever the run was. Times in seconds. */
export interface RunPicture {
  /** The folder as the user named it. */
  readonly folder: string;
  /** Its groups are those of most jobs, of `groupCount`; so are its users. */
  readonly summary: Omit<Summary, "histograms">;
  readonly groupCount: number;
  readonly userCount: number;
  /** Response times: of all jobs, by size, by group. */
  readonly responses: { readonly all: Curve; readonly size: readonly Curve[]; readonly group: readonly Curve[] };
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
  /** By task type. */
  readonly running: readonly (readonly number[])[];
  readonly pending: readonly (readonly number[])[];
  /** Replicas beyond the fixed number; null: replication is fixed. */
  readonly extraReplicas: readonly number[] | null;
  /** By resource: what groups with demand lack to their fair share. */
  readonly missing: readonly (readonly number[])[];
  /**
   * Fairness of the first resource, as in `summary.fairness`; null where no group with demand holds any, or none has
   * demand.
   */
  readonly jain: readonly (number | null)[];
  readonly belowFairShare: readonly (number | null)[];
  readonly groups: readonly GroupTimeline[];
  /** Groups with groups inside: `members` are those of `groups` that are in it. */
  readonly inner: readonly (GroupTimeline & { readonly members: readonly number[] })[];
}

export interface GroupTimeline {
  readonly label: string;
  /** By resource. */
  readonly resources: readonly GroupShares[];
}

export interface GroupShares {
  readonly held: readonly number[];
  readonly fairShare: readonly number[];
  readonly demand: readonly number[];
}

export interface AttemptsPicture {
  /** Words for the codes of attempts. */
  readonly words: ReturnType<typeof attemptWords>;
  /** Busy slots, mean: one row per group of nodes, which lie beside each other in racks, one column per interval. */
  readonly heat: {
    readonly nodesPerRow: number;
    /** The name of each row: its only node, or its first and its last. */
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
  readonly group: string;
  readonly size: string;
  /** `[launch, finish, node, kind, level, outcome]`: the last three are indices into `attemptWords`. */
  readonly attempts: readonly (readonly number[])[];
}

/** Limits of the data of the page, which its readers see too. */
export const MOST = {
  quantiles: 201,
  groups: 11,
  intervals: 360,
  attempts: 12_000,
  rackAttempts: 10_000,
  racks: 8,
  heatRows: 50,
  heatColumns: 96,
  groupRows: 100,
};

const LABEL_LENGTH = 48;

function ofMostJobs(groups: readonly GroupSummary[]): GroupSummary[] {
  const listed = [...groups].sort((a, b) => b.jobs.submitted - a.jobs.submitted).slice(0, MOST.groupRows);
  const labels = distinctLabels(listed.map(({ name }) => name));
  return listed.map((group, index) => ({ ...group, name: labels[index] }));
}

/** @throws InputError: there is no run, or it lacks its tables. TablesUnavailable: DuckDB cannot be loaded. */
export async function readRunPicture(folder: string, signal?: AbortSignal): Promise<RunPicture> {
  const summary = readSummary(folder);
  const names = columnNames(summary.words);
  const samplesOfGroups = `${names.group}-samples`;
  const tables = ["jobs", "samples", samplesOfGroups];
  const missing = tables.filter((name) => !existsSync(join(folder, `${name}.parquet`)));
  if (missing.length > 0) {
    const names = missing.map((name) => `${name}.parquet`).join(", ");
    throw fileProblem(folder, `found no ${names}, which the report draws; bide run without --no-tables writes them`);
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
      await refuseMissing(connection, name, path, [samplesOfGroups, "samples"].includes(name));
    }
    const { histograms, groups, users = [], ...figures } = summary;
    void histograms;
    const jobs = await rowsOf<JobRow>(connection, jobsQuery(names));
    const hasAttempts = existsSync(join(folder, "tasks.parquet"));
    return {
      folder: shortLabel(folder),
      summary: {
        ...figures,
        groups: ofMostJobs(groups),
        users: ofMostJobs(users),
      },
      groupCount: groups.length,
      userCount: users.length,
      responses: responseCurves(jobs, summary.words),
      waits: waitHistogram(jobs.flatMap(({ wait }) => (wait === null ? [] : [wait]))),
      timeline: await readTimeline(connection, summary, names),
      attempts: hasAttempts ? await readAttempts(connection, summary, jobs, topologyOf(readRunFolder(folder))) : null,
    };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Error) || !/^(IO|Invalid Input|Binder|Catalog) Error/.test(error.message)) throw error;
    throw fileProblem(
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
    throw fileProblem(folder, "found no summary.json, allowed a results folder, which bide run writes");
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(readFileSync(path)));
  } catch {
    throw fileProblem(path, "found no JSON, allowed the summary of a run, which bide run writes");
  }
  const parsed = summarySchema.safeParse(value);
  if (parsed.success) return parsed.data as Summary;
  const [{ path: place, message }] = parsed.error.issues;
  if (isOfEarlier(value, place)) throw fileProblem(path, earlierWords(place, "bide run"));
  throw fileProblem(
    path,
    `found another format at ${place.join(".") || "the top"} (${message}), allowed what bide run writes`,
  );
}

/** A name as a page shows it: what cannot be seen is written as its code, and a long one is cut. */
export function shortLabel(name: string): string {
  const shown = printable([...name.slice(0, 2 * LABEL_LENGTH)].slice(0, LABEL_LENGTH).join(""));
  const isCut = shown.length > LABEL_LENGTH || name.length > LABEL_LENGTH;
  return isCut ? `${shown.slice(0, LABEL_LENGTH - 1)}…` : shown;
}

/** Short labels of which no two are equal. */
export function distinctLabels(names: readonly string[]): string[] {
  const uses = new Map<string, number>();
  return names.map((name) => {
    const label = shortLabel(name);
    const before = uses.get(label) ?? 0;
    uses.set(label, before + 1);
    return before === 0 ? label : `${label} (${String(before + 1)})`;
  });
}

export interface JobRow {
  readonly job: number;
  readonly name: string;
  readonly group: string;
  /** Tasks of the type with locality. */
  readonly tasks: number;
  readonly response: number | null;
  readonly wait: number | null;
}

function jobsQuery({ group, local }: ColumnNames): string {
  return `SELECT job, name, coalesce(placed_in, ${group}) AS "group", ${local.many} AS tasks, response_us / 1e6 AS response,
    (first_launch_at_us - submit_at_us) / 1e6 AS wait FROM jobs ORDER BY job`;
}

/**
 * @param isWhole everything is known, as of an instant; a job or an attempt may lack what has not happened.
 * @throws InputError: a value is no number, or is not there; a curve would have a hole that nothing explains.
 */
async function refuseMissing(
  connection: DuckDBConnection,
  table: string,
  path: string,
  isWhole: boolean,
): Promise<void> {
  const columns = await rowsOf<{ name: string; type: string }>(
    connection,
    `SELECT column_name AS name, column_type AS type FROM (DESCRIBE "${table}")`,
  );
  const checks = columns.flatMap(({ name, type }) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    const isFinite = { lacks: `no finite number for ${name}`, where: `NOT isfinite(${column})` };
    const isThere = { lacks: `no value for ${name}`, where: `${column} IS NULL` };
    return [...(/^(DOUBLE|FLOAT)$/.test(type) ? [isFinite] : []), ...(isWhole ? [isThere] : [])];
  });
  if (checks.length === 0) return;
  const counts = checks.map(({ where }, index) => `count(*) FILTER (${where})::DOUBLE AS "${String(index)}"`);
  const [rows] = await rowsOf<Record<string, number>>(connection, `SELECT ${counts.join(", ")} FROM "${table}"`);
  for (const [index, { lacks }] of checks.entries()) {
    const count = rows[String(index)];
    if (count === 0) continue;
    const where = `${String(count)} row${count === 1 ? "" : "s"}`;
    throw fileProblem(path, `found ${lacks} in ${where}, allowed what bide run wrote; it makes the table anew`);
  }
}

async function rowsOf<Row>(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRowObjectsJS() as unknown as Row[];
}

/** Groups with few jobs are drawn together. */
export function responseCurves(jobs: readonly JobRow[], words: RecordWords): RunPicture["responses"] {
  const { one: singular, many: plural } = localTask(words);
  const finished = jobs.filter((job): job is JobRow & { response: number } => job.response !== null);
  const bySize = SIZE_CLASSES.map(({ label, bin }) => ({
    label: `${label} ${label === "1" ? singular : plural}`,
    values: finished.filter(({ tasks }) => sizeBinOf(tasks) === bin).map(({ response }) => response),
  }));
  const byGroup = new Map<string, number[]>();
  for (const { group, response } of finished) {
    const values = byGroup.get(group);
    if (values === undefined) byGroup.set(group, [response]);
    else values.push(response);
  }
  const groups = [...byGroup].sort(([a, valuesA], [b, valuesB]) => valuesB.length - valuesA.length || (a < b ? -1 : 1));
  const labels = distinctLabels(groups.slice(0, MOST.groups).map(([name]) => name));
  const drawn = labels.map((label, index) => curveOf(label, groups[index][1]));
  const otherValues = groups.slice(MOST.groups).flatMap(([, values]) => values);
  return {
    all: curveOf(
      "all jobs",
      finished.map(({ response }) => response),
    ),
    size: bySize.filter(({ values }) => values.length > 0).map(({ label, values }) => curveOf(label, values)),
    group:
      otherValues.length === 0
        ? drawn
        : [...drawn, curveOf(othersLabel(groups.length - MOST.groups, words), otherValues)],
  };
}

function othersLabel(groups: number, { group }: RecordWords): string {
  return `${String(groups)} other ${group.many}`;
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

/** Rounds to milliseconds and four digits: a picture shows no more. */
function rounded(value: number): number {
  return Number(Number(value.toPrecision(4)).toFixed(3));
}

/** Ends of intervals that double, but for 15 s, 15 min and an hour. */
const WAIT_ENDS = [1, 2, 4, 8, 15, 30, 60, 120, 240, 480, 900, 1800, 3600];

/** Intervals that double or nearly so, from a second. */
export function waitHistogram(waits: readonly number[]): RunPicture["waits"] {
  const longest = waits.reduce((a, b) => Math.max(a, b), 0);
  const upTo = WAIT_ENDS.filter((_, index) => index === 0 || WAIT_ENDS[index - 1] < longest);
  while (upTo[upTo.length - 1] < longest) upTo.push(2 * upTo[upTo.length - 1]);
  const jobs = upTo.map(() => 0);
  for (const wait of waits) jobs[upTo.findIndex((end) => wait <= end)]++;
  return { upTo, jobs };
}

/** Length of an interval in whole seconds: the run has at most `intervals` of them, none shorter than `least`. */
function intervalOf(seconds: number, intervals: number, least = 1): number {
  return Math.max(least, Math.ceil(seconds / intervals));
}

/** A row of numbers by column: those by type or resource are numbered. */
type NumbersRow = Readonly<Record<string, number>> & { readonly slot: number };

async function readTimeline(
  connection: DuckDBConnection,
  { virtualSeconds, words }: Summary,
  { group, tasks, resources }: ColumnNames,
): Promise<Timeline> {
  const [{ spacing }] = await rowsOf<{ spacing: number | null }>(
    connection,
    "SELECT (max(at_us) - min(at_us)) / 1e6 / nullif(count(*) - 1, 0) AS spacing FROM samples",
  );
  const interval = intervalOf(virtualSeconds, MOST.intervals, Math.ceil(spacing ?? 1));
  const hasReplicas =
    (await rowsOf(connection, "FROM (DESCRIBE samples) WHERE column_name = 'extra_replicas'")).length > 0;
  const slot = `CAST(floor(at_us / ${String(interval * 1e6)}) AS INTEGER)`;
  const ofGroups = `"${group}-samples"`;
  const numbered = (items: readonly string[], expressionOf: (item: string) => string, as: string): string =>
    items.map((item, index) => `${expressionOf(item)} AS ${as}${String(index)}`).join(", ");
  const short = resources.map((resource) => resource.short);
  const samples = await rowsOf<NumbersRow>(
    connection,
    `SELECT ${slot} AS slot, avg(active_jobs) AS active, ${numbered(tasks, (type) => `avg(running_${type})`, "running")},
      ${numbered(tasks, (type) => `avg(pending_${type})`, "pending")}, CAST(count(*) AS INTEGER) AS samples,
      ${hasReplicas ? "avg(extra_replicas)" : "0"} AS replicas
     FROM samples GROUP BY ALL ORDER BY slot`,
  );
  // A group with groups inside has the sums over them: with both, slots would count twice.
  await connection.run(
    `CREATE OR REPLACE TEMP VIEW "leaf-samples" AS
     WITH names AS (SELECT DISTINCT "${group}" AS name FROM ${ofGroups})
     SELECT * FROM ${ofGroups} WHERE "${group}" NOT IN
       (SELECT o.name FROM names o JOIN names i ON starts_with(i.name, o.name || '.'))`,
  );
  const heldSum = `sum(${short.map((resource) => `held_${resource}`).join(" + ")})`;
  const top = await rowsOf<{ name: string }>(
    connection,
    `SELECT "${group}" AS name FROM "leaf-samples" GROUP BY name ORDER BY ${heldSum} DESC, name`,
  );
  const names = top.map(({ name }) => name);
  const shown = names.slice(0, MOST.groups);
  const rank = shown.map((name, index) => `WHEN ${literal(name)} THEN ${String(index)}`).join(" ");
  const rankOf = rank === "" ? "0" : `CASE "${group}" ${rank} ELSE ${String(shown.length)} END`;
  const sum = (column: string, as: string): string =>
    numbered(short, (resource) => `CAST(sum(${column}_${resource}) AS DOUBLE)`, as);
  const sums = [sum("held", "held"), sum("fair_share", "share"), sum("demand", "demand")].join(", ");
  const rows = await rowsOf<NumbersRow>(
    connection,
    `SELECT ${slot} AS slot, ${rankOf} AS place, ${sums} FROM "leaf-samples" GROUP BY ALL ORDER BY slot, place`,
  );
  const lacking = (resource: string): string =>
    `CAST(sum(greatest(0, least(fair_share_${resource}, demand_${resource}) - running_${resource})) AS DOUBLE)`;
  const missing = await rowsOf<NumbersRow>(
    connection,
    `SELECT ${slot} AS slot, ${numbered(short, lacking, "missing")} FROM "leaf-samples" GROUP BY ALL ORDER BY slot`,
  );
  const [first] = short;
  const fairness = await rowsOf<{ slot: number; jain: number | null; below: number | null }>(
    connection,
    `WITH instants AS (
       SELECT at_us, sum(running_${first} / fair_share_${first}) AS sum, sum((running_${first} / fair_share_${first}) ** 2) AS squares,
         count(*) AS groups, count(*) FILTER (running_${first} < fair_share_${first} - 1) AS below
       FROM "leaf-samples" WHERE demand_${first} > 0 AND fair_share_${first} > 0 GROUP BY at_us)
     SELECT ${slot} AS slot, CAST(avg(CASE WHEN squares > 0 THEN sum * sum / (groups * squares) END) AS DOUBLE) AS jain,
       CAST(sum(below) / sum(groups) AS DOUBLE) AS below
     FROM instants GROUP BY ALL`,
  );
  const fairAt = new Map(fairness.map((row) => [row.slot, row]));
  const shareOf = (shareIn: (row: (typeof fairness)[number]) => number | null): (number | null)[] =>
    samples.map(({ slot: sampleSlot }) => {
      const row = fairAt.get(sampleSlot);
      const value = row === undefined ? null : shareIn(row);
      return value === null ? null : rounded(value);
    });
  const outer = await rowsOf<{ name: string }>(
    connection,
    `SELECT "${group}" AS name FROM ${ofGroups} WHERE "${group}" NOT IN (SELECT "${group}" FROM "leaf-samples")
     GROUP BY name ORDER BY ${heldSum} DESC, name LIMIT ${String(MOST.groups)}`,
  );
  const outerRank = outer.map(({ name }, index) => `WHEN ${literal(name)} THEN ${String(index)}`).join(" ");
  const outerRows =
    outer.length === 0
      ? []
      : await rowsOf<NumbersRow>(
          connection,
          `SELECT ${slot} AS slot, CASE "${group}" ${outerRank} END AS place, ${sums} FROM ${ofGroups}
           WHERE "${group}" IN (${outer.map(({ name }) => literal(name)).join(", ")}) GROUP BY ALL ORDER BY slot, place`,
        );
  const place = new Map(samples.map(({ slot: sampleSlot }, index) => [sampleSlot, index]));
  const column = (name: string): number[] => samples.map((row) => rounded(row[name]));
  const spread = (groupRows: readonly NumbersRow[], name: string): number[] => {
    const values = samples.map(() => 0);
    for (const row of groupRows) {
      const index = place.get(row.slot);
      if (index !== undefined) values[index] = rounded(row[name] / samples[index]["samples"]);
    }
    return values;
  };
  const timelineOf = (label: string, index: number, allRows: readonly NumbersRow[]): GroupTimeline => {
    const groupRows = allRows.filter((row) => row["place"] === index);
    return {
      label,
      resources: short.map((_, resource) => ({
        held: spread(groupRows, `held${String(resource)}`),
        fairShare: spread(groupRows, `share${String(resource)}`),
        demand: spread(groupRows, `demand${String(resource)}`),
      })),
    };
  };
  const labels = distinctLabels(shown);
  if (names.length > shown.length) labels.push(othersLabel(names.length - shown.length, words));
  return {
    intervalSeconds: interval,
    at: samples.map(({ slot: sampleSlot }) => sampleSlot * interval),
    activeJobs: column("active"),
    running: tasks.map((_, type) => column(`running${String(type)}`)),
    pending: tasks.map((_, type) => column(`pending${String(type)}`)),
    extraReplicas: hasReplicas ? column("replicas") : null,
    missing: short.map((_, resource) => spread(missing, `missing${String(resource)}`)),
    jain: shareOf(({ jain }) => jain),
    belowFairShare: shareOf(({ below }) => below),
    groups: labels.map((label, index) => timelineOf(label, index, rows)),
    inner: distinctLabels(outer.map(({ name }) => name)).map((label, index) => ({
      ...timelineOf(label, index, outerRows),
      members: shown.flatMap((name, member) => (name.startsWith(`${outer[index].name}.`) ? [member] : [])),
    })),
  };
}

/** Chooses whole jobs, the slowest of each size first, as long as their attempts fit. */
export function chosenJobs(jobs: readonly JobRow[], attemptsOf: ReadonlyMap<number, number>): JobRow[] {
  const bySize = SIZE_CLASSES.map(({ bin }) =>
    jobs
      .filter(({ job, tasks }) => sizeBinOf(tasks) === bin && (attemptsOf.get(job) ?? 0) > 0)
      .sort((a, b) => (b.response ?? Infinity) - (a.response ?? Infinity) || a.job - b.job),
  );
  const chosen: JobRow[] = [];
  let remaining = MOST.attempts;
  const longest = bySize.reduce((max, { length }) => Math.max(max, length), 0);
  for (let place = 0; place < Math.min(longest, MOST.attempts); place++) {
    for (const sized of bySize) {
      if (place >= sized.length) continue;
      const attempts = attemptsOf.get(sized[place].job) ?? 0;
      if (attempts > remaining) continue;
      remaining -= attempts;
      chosen.push(sized[place]);
    }
  }
  return chosen.sort((a, b) => a.job - b.job);
}

async function readAttempts(
  connection: DuckDBConnection,
  summary: Summary,
  jobs: readonly JobRow[],
  topology: Layout,
): Promise<AttemptsPicture> {
  const counts = await rowsOf<{ job: number; attempts: number }>(
    connection,
    "SELECT job, CAST(count(*) AS INTEGER) AS attempts FROM tasks GROUP BY job",
  );
  const attemptsOf = new Map(counts.map(({ job, attempts }) => [job, attempts]));
  const chosen = chosenJobs(jobs, attemptsOf);
  const labels = distinctLabels(chosen.map(({ name }) => name));
  const said = attemptWords(summary.words);
  const pictured = { ...said, level: [...said.level.slice(0, -1), "no input"] };
  const columns = attemptColumns(summary.words);
  const byJob = new Map<number, number[][]>(chosen.map(({ job }) => [job, []]));
  if (chosen.length > 0) {
    const rows = await rowsOf<AttemptRow>(
      connection,
      `SELECT ${columns} FROM tasks WHERE job IN (${chosen.map(({ job }) => String(job)).join(", ")})
       ORDER BY job, launch, finish, node`,
    );
    for (const row of rows) byJob.get(row.job)?.push(attemptOf(row));
  }
  const heat = await readHeat(connection, summary, topology);
  const racks = await readRacks(connection, topology, heat, columns);
  const allAttempts = [...byJob.values(), ...racks.racks.map(({ attempts }) => attempts)];
  const nodes = new Set(allAttempts.flatMap((attempts) => attempts.map(([, , node]) => node)));
  return {
    words: pictured,
    heat,
    racks,
    nodes: Object.fromEntries([...nodes].map((node) => [node, shortLabel(nodeName(topology, node))])),
    total: counts.reduce((sum, { attempts }) => sum + attempts, 0),
    jobs: chosen.map(({ job, group, tasks }, index) => ({
      job,
      label: labels[index],
      group: shortLabel(group),
      size: sizeLabelOf(tasks),
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
  return `CASE ${column} ${words.map((word, code) => `WHEN '${word}' THEN ${String(code)}`).join(" ")} ELSE ${String(otherwise)} END`;
}

function attemptColumns(words: RecordWords): string {
  const { type, level } = attemptWords(words);
  return `job, launch_at_us / 1e6 AS launch, finish_at_us / 1e6 AS finish, node,
    ${wordIndex("type", type, 0)} AS kind, ${wordIndex("level", level, level.length - 1)} AS level,
    ${wordIndex("outcome", OUTCOMES, 0)} AS outcome`;
}

function attemptOf({ launch, finish, node, kind, level, outcome }: AttemptRow): number[] {
  const tenths = (value: number): number => Math.round(value * 10) / 10;
  return [tenths(launch), tenths(finish), node, kind, level, outcome];
}

/** Chooses the racks with most attempts, but no more than can show all attempts of one moment. */
export function chosenRacks(
  { racks, rackStart, rackNodes, mapSlots, reduceSlots }: Layout,
  attemptsOf: ReadonlyMap<number, number>,
): number[] {
  const nodesOf = (rack: number): Int32Array => rackNodes.subarray(rackStart[rack], rackStart[rack + 1]);
  const attempts = Array.from({ length: racks }, (_, rack) =>
    nodesOf(rack).reduce((sum, node) => sum + (attemptsOf.get(node) ?? 0), 0),
  );
  const slotsOf = (rack: number): number =>
    nodesOf(rack).reduce((sum, node) => sum + (mapSlots?.[node] ?? 1) + (reduceSlots?.[node] ?? 0), 0);
  const order = attempts.map((_, rack) => rack).filter((rack) => attempts[rack] > 0);
  order.sort((a, b) => attempts[b] - attempts[a] || a - b);
  const isAll = attempts.reduce((sum, count) => sum + count, 0) <= MOST.rackAttempts;
  let remainingSlots = MOST.rackAttempts / 2;
  const chosen = order.slice(0, isAll ? racks : MOST.racks).filter((rack, place) => {
    remainingSlots -= slotsOf(rack);
    return isAll || place === 0 || remainingSlots >= 0;
  });
  return chosen.sort((a, b) => a - b);
}

/** Reads attempts in chosen racks around the moment at which most slots were busy. */
async function readRacks(
  connection: DuckDBConnection,
  topology: Layout,
  { rows: heat, intervalSeconds }: AttemptsPicture["heat"],
  columns: string,
): Promise<RackAttempts> {
  const byNode = await rowsOf<{ node: number; attempts: number }>(
    connection,
    "SELECT node, CAST(count(*) AS INTEGER) AS attempts FROM tasks GROUP BY node",
  );
  const chosen = chosenRacks(topology, new Map(byNode.map(({ node, attempts }) => [node, attempts])));
  const busy = (heat[0] ?? []).map((_, column) => heat.reduce((sum, row) => sum + row[column], 0));
  const peak = (busy.indexOf(busy.reduce((max, slots) => Math.max(max, slots), 0)) + 0.5) * intervalSeconds;
  const { rackNodes, rackStart, rackOf, rackNames } = topology;
  const nodes = chosen.flatMap((rack) => [...rackNodes.subarray(rackStart[rack], rackStart[rack + 1])]);
  const rows =
    nodes.length === 0
      ? []
      : await rowsOf<AttemptRow & { away: number }>(
          connection,
          `SELECT * FROM (SELECT ${columns},
            greatest(0, launch_at_us / 1e6 - ${String(peak)}, ${String(peak)} - finish_at_us / 1e6) AS away
           FROM tasks WHERE node IN (${nodes.join(", ")}))
           ORDER BY away, launch, finish, node, job LIMIT ${String(MOST.rackAttempts + 1)}`,
        );
  // Nearer than the first one that is left out.
  const reach = rows.length > MOST.rackAttempts ? rows[rows.length - 1].away : Infinity;
  const kept = rows.filter(({ away }) => away < reach);
  const labels = distinctLabels(chosen.map((rack) => rackNames[rack]));
  const earliest = kept.reduce((least, { launch }) => Math.min(least, launch), Infinity);
  const latest = kept.reduce((max, { finish }) => Math.max(max, finish), 0);
  const racks = chosen.map((rack, index) => {
    const rackAttempts = kept
      .filter(({ node }) => rackOf[node] === rack)
      .sort((a, b) => a.launch - b.launch || a.node - b.node);
    return {
      label: labels[index],
      attempts: rackAttempts.map((row) => [...attemptOf(row), row.job]),
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
  topology: Layout,
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
