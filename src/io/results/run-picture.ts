import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { nodeName, type Layout } from "../../core/cluster/index.js";
import {
  distinctNames,
  printable,
  US_PER_SECOND,
  sumOver,
  maxOver,
  minOver,
  namesOf,
  ascending,
  tally,
} from "../../core/kernel/index.js";
import {
  FairnessMeter,
  type GroupAtInstant,
  type GroupSummary,
  localTask,
  OUTCOMES,
  type RecordWords,
  type Summary,
} from "../../core/record/index.js";
import { SIZE_CLASSES, sizeBinOf, sizeLabelOf } from "../../core/workload/index.js";
import { fileProblem } from "../input-error.js";
import { loadDuckDB, parquetFile, withDatabase } from "./duckdb.js";
import { earlierWords, isOfEarlier, readRunFolder } from "./run-folder.js";
import { columnNames } from "./run-tables.js";
import { attemptWords, topologyOf } from "./run-trace.js";
import { summarySchema } from "./summary-schema.js";
import { isFile } from "./whole-file.js";

/** The data of a page about one run: all of it is small, whatever the run was. Times in seconds. */
export type RunPicture = Awaited<ReturnType<typeof readRunPicture>>;

/** A distribution: `values` at equally spaced shares from 0 to 1. */
export interface Curve {
  readonly label: string;
  readonly jobs: number;
  readonly values: readonly number[];
}

type Timeline = Awaited<ReturnType<typeof readTimeline>>;

/** The usage, fair share and demand of a group, of one resource. */
export type GroupShares = Timeline["groups"][number]["resources"][number];

type AttemptsPicture = Awaited<ReturnType<typeof readAttempts>>;

export type JobAttempts = AttemptsPicture["jobs"][number];

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
  const labels = distinctLabels(namesOf(listed));
  return listed.map((group, index) => ({ ...group, name: labels[index] }));
}

/** @throws InputError: there is no run, or it lacks its tables. TablesUnavailable: DuckDB cannot be loaded. */
export async function readRunPicture(folder: string, signal?: AbortSignal) {
  const summary = readSummary(folder);
  const samplesOfGroups = `${columnNames(summary.words).group}-samples`;
  const tables = ["jobs", "samples", samplesOfGroups];
  const missing = tables.filter((name) => !existsSync(join(folder, `${name}.parquet`)));
  if (missing.length > 0) {
    const names = missing.map((name) => `${name}.parquet`).join(", ");
    throw fileProblem(folder, `found no ${names}, which the report draws; bide run without --no-tables writes them`);
  }
  const duckdb = loadDuckDB();
  try {
    return await withDatabase(duckdb, { threads: "2" }, signal, async (connection) => {
      for (const name of [...tables, "tasks"]) {
        const path = join(folder, `${name}.parquet`);
        if (!existsSync(path)) continue;
        await connection.run(`CREATE VIEW "${name}" AS FROM ${parquetFile(path)}`);
        await refuseMissing(connection, name, path, [samplesOfGroups, "samples"].includes(name));
      }
      const { histograms, groups, users = [], ...figures } = summary;
      void histograms;
      const jobs = await rowsOf<JobRow>(connection, jobsQuery(summary.words));
      const hasAttempts = existsSync(join(folder, "tasks.parquet"));
      return {
        /** As the user named it. */
        folder: shortLabel(folder),
        /** Its groups are those of most jobs, of `groupCount`; so are its users. */
        summary: { ...figures, groups: ofMostJobs(groups), users: ofMostJobs(users) },
        groupCount: groups.length,
        userCount: users.length,
        /** Response times: of all jobs, by size, by group. */
        responses: responseCurves(jobs, summary.words),
        /** Wait from submission to the first task: jobs by upper end of an interval. */
        waits: waitHistogram(jobs.flatMap(({ wait }) => wait ?? [])),
        timeline: await readTimeline(connection, summary),
        /** Null where the run kept no table of attempts. */
        attempts: hasAttempts ? await readAttempts(connection, summary, jobs, topologyOf(readRunFolder(folder))) : null,
      };
    });
  } catch (error) {
    if (!(error instanceof Error) || !/^(IO|Invalid Input|Binder|Catalog) Error/.test(error.message)) throw error;
    throw fileProblem(
      folder,
      `found tables that cannot be read: ${error.message.split("\n", 1)[0]}; bide run makes them anew`,
    );
  }
}

function readSummary(folder: string): Summary {
  const path = join(folder, "summary.json");
  if (!isFile(path)) {
    throw fileProblem(folder, "has no summary.json; bide run writes one into its results folder");
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(readFileSync(path)));
  } catch {
    throw fileProblem(path, "is no JSON, so not the summary that bide run writes");
  }
  const parsed = summarySchema.safeParse(value);
  if (parsed.success) return parsed.data as Summary;
  const [{ path: place, message }] = parsed.error.issues;
  if (isOfEarlier(value, place)) throw fileProblem(path, earlierWords(place, "bide run"));
  throw fileProblem(path, `is not what bide run writes, at ${place.join(".") || "the top"} (${message})`);
}

/** A name as a page shows it: what cannot be seen is written as its code, and a long one is cut. */
export function shortLabel(name: string): string {
  const shown = printable([...name.slice(0, 2 * LABEL_LENGTH)].slice(0, LABEL_LENGTH).join(""));
  const isCut = shown.length > LABEL_LENGTH || name.length > LABEL_LENGTH;
  return isCut ? `${shown.slice(0, LABEL_LENGTH - 1)}…` : shown;
}

/** Short labels of which no two are equal. */
export function distinctLabels(names: readonly string[]): string[] {
  return distinctNames(names.map(shortLabel));
}

interface JobRow {
  readonly job: number;
  readonly name: string;
  readonly group: string;
  /** Tasks of the type with locality. */
  readonly tasks: number;
  readonly response: number | null;
  readonly wait: number | null;
}

function jobsQuery(words: RecordWords): string {
  const { group, local } = columnNames(words);
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
  const counts = checks.map(({ where }, index) => `count(*) FILTER (${where})::DOUBLE AS "${index}"`);
  const [rows] = await rowsOf<Record<string, number>>(connection, `SELECT ${counts.join(", ")} FROM "${table}"`);
  for (const [index, { lacks }] of checks.entries()) {
    const count = rows[String(index)];
    if (count === 0) continue;
    const where = `${count} row${count === 1 ? "" : "s"}`;
    throw fileProblem(
      path,
      `found ${lacks} in ${where}, which is not what bide run wrote; bide run makes the table anew`,
    );
  }
}

async function rowsOf<Row>(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  const reader = await connection.runAndReadAll(sql);
  return reader.getRowObjectsJS() as unknown as Row[];
}

/** Groups with few jobs are drawn together. */
function responseCurves(jobs: readonly JobRow[], words: RecordWords) {
  const { one: singular, many: plural } = localTask(words);
  const curve = (label: string, isIn: (job: JobRow) => boolean) =>
    curveOf(label, jobs.flatMap((job) => (job.response !== null && isIn(job) ? [job.response] : []))); // prettier-ignore
  const counts = new Map<string, number>();
  for (const { group, response } of jobs) if (response !== null) tally(counts, group);
  const groups = [...counts].sort(([a, jobsA], [b, jobsB]) => jobsB - jobsA || (a < b ? -1 : 1)).map(([name]) => name);
  const drawn = groups.slice(0, MOST.groups);
  const labels = distinctLabels(drawn);
  return {
    all: curve("all jobs", () => true),
    size: SIZE_CLASSES.map(({ label, bin }) =>
      curve(`${label} ${label === "1" ? singular : plural}`, ({ tasks }) => sizeBinOf(tasks) === bin),
    ).filter(({ jobs: ended }) => ended > 0),
    group: [
      ...drawn.map((name, index) => curve(labels[index], ({ group }) => group === name)),
      ...(groups.length > drawn.length
        ? [curve(othersLabel(groups.length - drawn.length, words), ({ group }) => !drawn.includes(group))]
        : []),
    ],
  };
}

function othersLabel(groups: number, { group }: RecordWords): string {
  return `${groups} other ${group.many}`;
}

function curveOf(label: string, values: readonly number[]): Curve {
  const sorted = [...values].sort(ascending);
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
function waitHistogram(waits: readonly number[]) {
  const longest = maxOver(waits, Number, 0);
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

/** The numbers of an instant, by column. */
type Sample = Readonly<Record<string, number>>;

/** Of a group, in a column for each of the words. */
type GroupSample = Sample & { readonly name: string };

/** Means over intervals. */
async function readTimeline(connection: DuckDBConnection, { virtualSeconds, words }: Summary) {
  const { group, tasks, resources } = columnNames(words);
  const [samples, groupSamples] = [
    await rowsOf<Sample>(connection, "SELECT * REPLACE (at_us::DOUBLE AS at_us) FROM samples ORDER BY at_us"),
    await rowsOf<GroupSample>(
      connection,
      `SELECT * REPLACE (at_us::DOUBLE AS at_us), "${group}" AS name FROM "${group}-samples" ORDER BY at_us`,
    ),
  ];
  const spacingUs = samples.length < 2 ? US_PER_SECOND : (samples[samples.length - 1]["at_us"] - samples[0]["at_us"]) / (samples.length - 1); // prettier-ignore
  const interval = intervalOf(virtualSeconds, MOST.intervals, Math.ceil(spacingUs / US_PER_SECOND));
  const slotOf = (sample: Sample) => Math.floor(sample["at_us"] / (interval * US_PER_SECOND));
  const slots = [...new Set(samples.map(slotOf))];
  const place = new Map(slots.map((slot, index) => [slot, index]));
  const sums = <S extends Sample>(rows: readonly S[], valueOf: (sample: S) => number): number[] => {
    const sumBySlot = slots.map(() => 0);
    for (const sample of rows) {
      const index = place.get(slotOf(sample));
      if (index !== undefined) sumBySlot[index] += valueOf(sample);
    }
    return sumBySlot;
  };
  const counts = sums(samples, () => 1);
  const means = <S extends Sample>(rows: readonly S[], valueOf: (sample: S) => number): number[] =>
    sums(rows, valueOf).map((sum, index) => rounded(sum / counts[index]));
  const byName = new Map<string, GroupSample[]>();
  for (const sample of groupSamples)
    byName
      .set(sample.name, byName.get(sample.name) ?? [])
      .get(sample.name)
      ?.push(sample);
  const heldBy = ([, rows]: readonly [string, readonly GroupSample[]]) =>
    sumOver(rows, (sample) => sumOver(resources, ({ short }) => sample[`held_${short}`]));
  const byHeld = [...byName].map((entry) => ({ name: entry[0], all: entry[1], held: heldBy(entry) }));
  byHeld.sort((a, b) => b.held - a.held || (a.name < b.name ? -1 : 1));
  // A group with groups inside has the sums over them: with both, slots would count twice.
  const isOuter = ({ name }: { readonly name: string }) =>
    [...byName.keys()].some((inner) => inner.startsWith(`${name}.`));
  const outer = byHeld.filter(isOuter).slice(0, MOST.groups);
  const leaves = byHeld.filter((entry) => !isOuter(entry));
  const leafSamples = leaves.flatMap(({ all }) => all);
  const shown = leaves.slice(0, MOST.groups);
  const more = leaves.slice(MOST.groups);
  const timelineOf = (label: string, rows: readonly GroupSample[]) => ({
    label,
    resources: resources.map(({ short }) => ({
      held: means(rows, (sample) => sample[`held_${short}`]),
      fairShare: means(rows, (sample) => sample[`fair_share_${short}`]),
      demand: means(rows, (sample) => sample[`demand_${short}`]),
    })),
  });
  const [{ short: first }] = resources;
  const meters = slots.map(() => new FairnessMeter());
  const instants = new Map<number, GroupAtInstant[]>(samples.map((sample) => [sample["at_us"], []]));
  for (const sample of leafSamples) {
    const [running, share, demand] = ["running", "fair_share", "demand"].map((column) => sample[`${column}_${first}`]);
    instants.get(sample["at_us"])?.push({ held: running, share, demand });
  }
  for (const sample of samples) meters[place.get(slotOf(sample)) ?? 0].sample(instants.get(sample["at_us"]) ?? []);
  const fairness = meters.map((meter) => meter.result());
  const orNull = (value: number | null) => (value === null ? null : rounded(value));
  const shownLabels = distinctLabels(namesOf(shown));
  const outerLabels = distinctLabels(namesOf(outer));
  return {
    intervalSeconds: interval,
    /** Beginnings of the intervals. */
    at: slots.map((slot) => slot * interval),
    activeJobs: means(samples, (sample) => sample["active_jobs"]),
    /** By task type. */
    running: tasks.map((type) => means(samples, (sample) => sample[`running_${type}`])),
    pending: tasks.map((type) => means(samples, (sample) => sample[`pending_${type}`])),
    /** Replicas beyond the fixed number; null: replication is fixed. */
    extraReplicas:
      samples.length > 0 && "extra_replicas" in samples[0]
        ? means(samples, (sample) => sample["extra_replicas"])
        : null,
    /** By resource: what groups with demand lack to their fair share. */
    missing: resources.map(({ short }) =>
      means(leafSamples, (sample) =>
        Math.max(0, Math.min(sample[`fair_share_${short}`], sample[`demand_${short}`]) - sample[`running_${short}`]),
      ),
    ),
    /** As in `summary.fairness`; null where no group with demand holds any, or none has demand. */
    jain: fairness.map(({ jain }) => orNull(jain)),
    belowFairShare: fairness.map(({ belowFairShare }) => orNull(belowFairShare)),
    groups: [
      ...shown.map(({ all }, index) => timelineOf(shownLabels[index], all)),
      ...(more.length > 0
        ? [
            timelineOf(
              othersLabel(more.length, words),
              more.flatMap(({ all }) => all),
            ),
          ]
        : []),
    ],
    /** Groups with groups inside: `members` are those of `groups` that are in it. */
    inner: outer.map(({ name, all }, index) => ({
      ...timelineOf(outerLabels[index], all),
      members: shown.flatMap((member, number) => (member.name.startsWith(`${name}.`) ? [number] : [])),
    })),
  };
}

/** Chooses whole jobs, the slowest of each size first, as long as their attempts fit. */
function chosenJobs(jobs: readonly JobRow[], attemptsOf: ReadonlyMap<number, number>): JobRow[] {
  const bySize = SIZE_CLASSES.map(({ bin }) =>
    jobs
      .filter(({ job, tasks }) => sizeBinOf(tasks) === bin && (attemptsOf.get(job) ?? 0) > 0)
      .sort((a, b) => (b.response ?? Infinity) - (a.response ?? Infinity) || a.job - b.job),
  );
  const chosen: JobRow[] = [];
  let remaining = MOST.attempts;
  const longest = maxOver(bySize, ({ length }) => length, 0);
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

async function readAttempts(connection: DuckDBConnection, summary: Summary, jobs: readonly JobRow[], topology: Layout) {
  const counts = await rowsOf<{ job: number; attempts: number }>(
    connection,
    "SELECT job, CAST(count(*) AS INTEGER) AS attempts FROM tasks GROUP BY job",
  );
  const attemptsOf = new Map(counts.map(({ job, attempts }) => [job, attempts]));
  const chosen = chosenJobs(jobs, attemptsOf);
  const labels = distinctLabels(namesOf(chosen));
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
    /** Words for the codes of attempts. */
    words: pictured,
    heat,
    /** All attempts of some jobs. */
    jobs: chosen.map(({ job, group, tasks }, index) => ({
      job,
      label: labels[index],
      group: shortLabel(group),
      size: sizeLabelOf(tasks),
      /** `[launch, finish, node, kind, level, outcome]`: the last three are indices into `words`. */
      attempts: byJob.get(job) ?? [],
    })),
    racks,
    /** Names of the nodes of all these attempts, by number. */
    nodes: Object.fromEntries([...nodes].map((node) => [node, shortLabel(nodeName(topology, node))])),
    total: sumOver(counts, ({ attempts }) => attempts),
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
  return `CASE ${column} ${words.map((word, code) => `WHEN '${word}' THEN ${code}`).join(" ")} ELSE ${otherwise} END`;
}

function attemptColumns(words: RecordWords): string {
  const { type, level } = attemptWords(words);
  return `job, launch_at_us / 1e6 AS launch, finish_at_us / 1e6 AS finish, node,
    ${wordIndex("type", type, 0)} AS kind, ${wordIndex("level", level, level.length - 1)} AS level,
    ${wordIndex("outcome", OUTCOMES, 0)} AS outcome`;
}

function attemptOf({ launch, finish, node, kind, level, outcome }: AttemptRow): number[] {
  const tenths = (value: number) => Math.round(value * 10) / 10;
  return [tenths(launch), tenths(finish), node, kind, level, outcome];
}

/** Chooses the racks with most attempts, but no more than can show all attempts of one moment. */
function chosenRacks(
  { racks, rackStart, rackNodes, mapSlots, reduceSlots }: Layout,
  attemptsOf: ReadonlyMap<number, number>,
): number[] {
  const nodesOf = (rack: number): Int32Array => rackNodes.subarray(rackStart[rack], rackStart[rack + 1]);
  const attempts = Array.from({ length: racks }, (_, rack) =>
    sumOver(nodesOf(rack), (node) => attemptsOf.get(node) ?? 0),
  );
  const slotsOf = (rack: number) =>
    sumOver(nodesOf(rack), (node) => (mapSlots?.[node] ?? 1) + (reduceSlots?.[node] ?? 0));
  const order = attempts.map((_, rack) => rack).filter((rack) => attempts[rack] > 0);
  order.sort((a, b) => attempts[b] - attempts[a] || a - b);
  const isAll = sumOver(attempts) <= MOST.rackAttempts;
  let remainingSlots = MOST.rackAttempts / 2;
  const chosen = order.slice(0, isAll ? racks : MOST.racks).filter((rack, place) => {
    remainingSlots -= slotsOf(rack);
    return isAll || place === 0 || remainingSlots >= 0;
  });
  return chosen.sort(ascending);
}

/** Reads attempts in chosen racks around the moment at which most slots were busy. */
async function readRacks(
  connection: DuckDBConnection,
  topology: Layout,
  { rows: heat, intervalSeconds }: Awaited<ReturnType<typeof readHeat>>,
  columns: string,
) {
  const byNode = await rowsOf<{ node: number; attempts: number }>(
    connection,
    "SELECT node, CAST(count(*) AS INTEGER) AS attempts FROM tasks GROUP BY node",
  );
  const chosen = chosenRacks(topology, new Map(byNode.map(({ node, attempts }) => [node, attempts])));
  const busy = (heat[0] ?? []).map((_, column) => sumOver(heat, (row) => row[column]));
  const peak = (busy.indexOf(maxOver(busy, Number, 0)) + 0.5) * intervalSeconds;
  const { rackNodes, rackStart, rackOf, rackNames } = topology;
  const nodes = chosen.flatMap((rack) => [...rackNodes.subarray(rackStart[rack], rackStart[rack + 1])]);
  const rows =
    nodes.length === 0
      ? []
      : await rowsOf<AttemptRow & { away: number }>(
          connection,
          `SELECT * FROM (SELECT ${columns},
            greatest(0, launch_at_us / 1e6 - ${peak}, ${peak} - finish_at_us / 1e6) AS away
           FROM tasks WHERE node IN (${nodes.join(", ")}))
           ORDER BY away, launch, finish, node, job LIMIT ${MOST.rackAttempts + 1}`,
        );
  // Nearer than the first one that is left out.
  const reach = rows.length > MOST.rackAttempts ? rows[rows.length - 1].away : Infinity;
  const kept = rows.filter(({ away }) => away < reach);
  const labels = distinctLabels(chosen.map((rack) => rackNames[rack]));
  const earliest = minOver(kept, ({ launch }) => launch);
  const latest = maxOver(kept, ({ finish }) => finish, 0);
  const racks = chosen.map((rack, index) => {
    const rackAttempts = kept
      .filter(({ node }) => rackOf[node] === rack)
      .sort((a, b) => a.launch - b.launch || a.node - b.node);
    return {
      label: labels[index],
      /** As those of jobs, and the number of the job. */
      attempts: rackAttempts.map((row) => [...attemptOf(row), row.job]),
    };
  });
  return {
    from: reach === Infinity ? (kept.length === 0 ? 0 : earliest) : Math.max(0, peak - reach),
    until: reach === Infinity ? latest : peak + reach,
    /** Whether these are all attempts of the run. */
    isWhole: reach === Infinity && kept.length === sumOver(byNode, ({ attempts }) => attempts),
    of: topology.racks,
    racks: racks.filter(({ attempts }) => attempts.length > 0),
  };
}

const ROUND_INTERVALS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600];

/** Mean busy slots: one row per group of nodes, which lie beside each other in racks, one column per interval. */
async function readHeat(connection: DuckDBConnection, { virtualSeconds }: Summary, topology: Layout) {
  const { nodes, rackNodes } = topology;
  const nodesPerRow = Math.ceil(nodes / MOST.heatRows);
  const least = intervalOf(virtualSeconds, MOST.heatColumns);
  const interval = ROUND_INTERVALS.find((seconds) => seconds >= least) ?? 3600 * Math.ceil(least / 3600);
  const columns = Math.ceil(virtualSeconds / interval);
  const us = interval * 1e6;
  // An attempt counts in each interval with the time that it ran there.
  const cells = await rowsOf<{ row: number; slot: number; busy: number }>(
    connection,
    `WITH places AS (SELECT unnest([${rackNodes.join(", ")}]) AS node, unnest(range(${nodes})) AS place),
      spans AS (SELECT place // ${nodesPerRow} AS row, launch_at_us AS launch, finish_at_us AS finish,
        unnest(range(launch_at_us // ${us}, finish_at_us // ${us} + 1)) AS slot
        FROM tasks JOIN places USING (node))
     SELECT CAST(row AS INTEGER) AS row, CAST(slot AS INTEGER) AS slot,
      CAST(sum(least(finish, (slot + 1) * ${us}) - greatest(launch, slot * ${us})) AS DOUBLE) / ${us} AS busy
     FROM spans GROUP BY ALL`,
  );
  const rows = Array.from({ length: Math.ceil(nodes / nodesPerRow) }, () => Array.from({ length: columns }, () => 0));
  for (const { row, slot, busy } of cells) if (slot < columns && row < rows.length) rows[row][slot] = rounded(busy);
  const name = (place: number) => shortLabel(nodeName(topology, rackNodes[Math.min(nodes - 1, place)]));
  const names = rows.map((_, row) => {
    const [first, last] = [name(row * nodesPerRow), name((row + 1) * nodesPerRow - 1)];
    return first === last ? first : `${first} to ${last}`;
  });
  return { nodesPerRow, names, intervalSeconds: interval, rows };
}
