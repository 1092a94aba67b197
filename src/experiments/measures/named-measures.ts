import { US_PER_SECOND, counted, exp, ln } from "../../core/kernel/index.js";
import {
  type JobGroup,
  jobsOfGroup,
  type Summary,
  type JobColumns,
  jobsWhere,
  type RunRecord,
} from "../../core/platforms/hadoop/index.js";
import { OWN_MEASURES } from "./all-measures.js";
import { heartbeatStep, type Measure, type MeasuredRun } from "./measure.js";

/**
 * Measures that no report lists by itself: a sweep keeps them if its file names them. They are quantiles and shares that
 * papers print, measures of the jobs of some sizes (`responseP80 of 1-20 maps`), the time until a pool has a share of
 * the map slots (`secondsToHalf of pool2`), and laws of queueing theory as ratios that must be 1.
 */

const QUANTILES: readonly Measure[] = [25, 60, 70, 80, 90].map((percentage) => ({
  key: `responseP${String(percentage)}`,
  group: "response",
  label: `p${String(percentage)}`,
  title: `Response time, p${String(percentage)}, all jobs`,
  unit: "seconds",
  scope: "jobs",
  better: "lower",
  of: ({ record }) => quantile(responseSeconds(record.jobs), percentage / 100),
  step: heartbeatStep,
}));

const OTHERS: readonly Measure[] = [
  measure("responseMax", "longest response", "Longest response time", "seconds", "jobs", "lower", ({ record }) =>
    quantile(responseSeconds(record.jobs), 1),
  ),
  measure(
    "responseGeomean",
    "geometric mean",
    "Geometric mean of response times",
    "seconds",
    "jobs",
    "lower",
    ({ record }) => geometricMean(responseSeconds(record.jobs)),
  ),
  measure(
    "firstTaskMean",
    "first task, mean",
    "Time to the first task, mean",
    "seconds",
    "jobs",
    "lower",
    ({ record: { jobs } }) => meanOf(secondsSinceSubmission(jobs, jobs.firstLaunchAtUs)),
  ),
  measure(
    "jobWaitMean",
    "locality wait of a job, s/map",
    "Locality wait of a job",
    "seconds-per-map",
    "jobs",
    "lower",
    ({ record: { jobs } }) => {
      const waitUs = jobs.localityWaitUs.subarray(0, jobs.rows);
      const perMap = [...waitUs].map((us, job) => (us < 0 || jobs.maps[job] === 0 ? -1 : us / jobs.maps[job]));
      return meanOf(perMap.filter((us) => us >= 0).map((us) => us / US_PER_SECOND));
    },
  ),
  measure(
    "nodeOrRackLocal",
    "node or rack",
    "Maps node-local or rack-local",
    "share",
    "jobs",
    "higher",
    ({ record: { jobs } }) => {
      const near = sum(jobs.nodeLocalMaps, jobs.rows) + sum(jobs.rackLocalMaps, jobs.rows);
      const all = near + sum(jobs.rowLocalMaps, jobs.rows) + sum(jobs.offRackMaps, jobs.rows);
      return all > 0 ? near / all : null;
    },
  ),
];

/** Of whole runs: the figures that section 3.2 and Figure 1 of the delay scheduling paper print. */
const OF_RUNS: readonly Measure[] = [
  measure(
    "mapSecondsP50",
    "map, p50",
    "Length of a map, p50",
    "seconds",
    "run",
    "lower",
    ({ summary }) => summary.attemptSeconds.map.p50,
  ),
  measure(
    "reduceSecondsP50",
    "reduce, p50",
    "Length of a reduce, p50",
    "seconds",
    "run",
    "lower",
    ({ summary }) => summary.attemptSeconds.reduce.p50,
  ),
  measure(
    "saturatedMaps",
    "map slots > 95 % busy",
    "Time with over 95 % of map slots busy",
    "share",
    "run",
    null,
    ({ summary }) => summary.utilisation.map.saturated,
  ),
  measure(
    "mapReleasesSaturated",
    "map slots freed under load",
    "Map slots freed per second under load",
    "per-second",
    "run",
    null,
    ({ summary }) => summary.utilisation.map.releasesPerSecondSaturated,
  ),
  measure(
    "saturatedReduces",
    "reduce slots > 95 % busy",
    "Time with over 95 % of reduce slots busy",
    "share",
    "run",
    null,
    ({ summary }) => summary.utilisation.reduce.saturated,
  ),
  measure(
    "reduceReleasesSaturated",
    "reduce slots freed under load",
    "Reduce slots freed per second under load",
    "per-second",
    "run",
    null,
    ({ summary }) => summary.utilisation.reduce.releasesPerSecondSaturated,
  ),
  measure(
    "launchableIn10s",
    "jobs that free slots start in 10 s",
    "Jobs that free slots start in 10 s",
    "share",
    "run",
    "higher",
    launchableIn10s,
  ),
  measure(
    "jobsPerHour",
    "jobs/h",
    "Jobs per hour",
    "count",
    "run",
    "higher",
    ({ summary }) => summary.throughput.jobsPerHour,
  ),
  measure(
    "extraStorageTrend",
    "extra replicas, late over early",
    "Extra replicas, late over early",
    "ratio",
    "run",
    null,
    extraStorageTrend,
  ),
];

/**
 * Two ways to the same number, as a ratio. The left side comes from samples or from the slots' own clocks, the right side
 * from the times of jobs and attempts. Only runs in which every job ends have them.
 */
const LAWS: readonly Measure[] = [
  measure(
    "littleJobs",
    "Little's law, jobs",
    "Little's law, jobs",
    "ratio",
    "run",
    null,
    ({ summary, record: { jobs, samples } }) => {
      if (summary.stopped !== "all-jobs-ended") return null;
      return ratio(areaUnder(samples, samples.activeJobs), sumOf(secondsSinceSubmission(jobs, jobs.endAtUs)));
    },
  ),
  measure(
    "littleMaps",
    "Little's law, maps",
    "Little's law, maps",
    "ratio",
    "run",
    null,
    ({ summary, record: { samples } }) => {
      const { pendingSecondsPerMap } = summary.waits;
      const { count, mean } = summary.attemptSeconds.map;
      if (summary.stopped !== "all-jobs-ended" || pendingSecondsPerMap === null || mean === null) return null;
      const inSystem = areaUnder(samples, samples.pendingMaps) + areaUnder(samples, samples.runningMaps);
      return ratio(inSystem, count * (pendingSecondsPerMap + mean));
    },
  ),
  measure("utilisationLaw", "utilisation law, maps", "Utilisation law, maps", "ratio", "run", null, ({ summary }) => {
    const { count, mean } = summary.attemptSeconds.map;
    if (mean === null) return null;
    return ratio(busySeconds(summary).maps, count * mean);
  }),
  measure("slotsConserved", "slots", "Slots conserved", "ratio", "run", null, ({ summary, record: { jobs } }) => {
    const { maps, reduces } = busySeconds(summary);
    const ranUs = sumOf([...jobs.mapSlotUs, ...jobs.reduceSlotUs]);
    return ratio((maps + reduces) * US_PER_SECOND, ranUs);
  }),
  measure("tasksConserved", "tasks", "Tasks conserved", "share", "run", null, tasksConserved),
];

/** Measures of whole runs that only their names bring. */
const UNLISTED: readonly Measure[] = [...QUANTILES, ...OTHERS, ...OF_RUNS, ...LAWS];

/** What can stand before `of 1-25 maps`. */
const OF_SIZES: readonly Measure[] = [
  ...OWN_MEASURES.filter(
    ({ key, group }) => /^response(Mean|P50|P95)$/.test(key) || (group === "locality" && key.endsWith("All")),
  ),
  ...QUANTILES,
  ...OTHERS,
];

/** Share of the jobs all of whose tasks the slots that come free under load could take within ten seconds; null: there was no such load. */
function launchableIn10s({ summary: { utilisation }, record: { jobs } }: MeasuredRun): number | null {
  const { map, reduce } = utilisation;
  if (map.releasesPerSecondSaturated === null || reduce.releasesPerSecondSaturated === null) return null;
  const maps = 10 * map.releasesPerSecondSaturated;
  const reduces = 10 * reduce.releasesPerSecondSaturated;
  const all = Array.from({ length: jobs.rows }, (_, job) => jobs.maps[job] < maps && jobs.reduces[job] < reduces);
  return all.length === 0 ? null : all.filter(Boolean).length / all.length;
}

/**
 * Added replicas in the last third of the time until the last submission, over those in the third before; the first is a
 * warm-up, and with the last job the readers go.
 */
function extraStorageTrend({ record: { samples, jobs } }: MeasuredRun): number | null {
  const { extraReplicas, rows, atUs } = samples;
  if (extraReplicas === undefined || jobs.rows === 0) return null;
  const endUs = jobs.submitAtUs.subarray(0, jobs.rows).reduce((a, b) => Math.max(a, b));
  const inThird = (third: number): number | null =>
    meanOf([...extraReplicas.subarray(0, rows)].filter((_, row) => Math.floor((3 * atUs[row]) / endUs) === third));
  const [early, late] = [inThird(1), inThird(2)];
  return early === null || late === null ? null : ratio(late, early);
}

const SHARES: Readonly<Record<string, number>> = { Half: 1 / 2, Third: 1 / 3, Quarter: 1 / 4 };

/** What follows `of` where jobs of so many maps are meant. */
const SIZES = /^(\d{1,7})(?:-(\d{1,7}))? maps?$/;

/** A name in quotes; one inside it is doubled. */
const QUOTED = '"(?:[^"]|"")+"';

const OF_GROUP = new RegExp(`^(\\w+) of (user )?(?:(${QUOTED})|((?!"|user )\\S(?:.*\\S)?))$`, "u");

/** The measure and the pool or user of `MEASURE of POOL` or `MEASURE of user USER`; null: the words are not of that form. */
export function groupKeyParts(key: string): { readonly measure: string; readonly group: JobGroup } | null {
  const parts = OF_GROUP.exec(key);
  if (parts === null) return null;
  const [, measure, user, quoted, plain] = parts as (string | undefined)[];
  const kind = user === undefined ? "pool" : "user";
  if (quoted === undefined && kind === "pool" && SIZES.test(plain ?? "")) return null;
  const name = quoted === undefined ? (plain ?? "") : quoted.slice(1, -1).replaceAll('""', '"');
  return { measure: measure ?? "", group: { kind, name } };
}

/** What a key measures, and of whom: jobs of so many maps, or of a pool or user; neither: of all. */
export function measureParts(key: string): {
  readonly name: string;
  readonly sizes: readonly [from: number, to: number] | null;
  readonly group: JobGroup | null;
} {
  const [, name = key, whose = ""] = /^(\w+) of (.*)$/u.exec(key) ?? [];
  const [, from, to] = SIZES.exec(whose) ?? [];
  if (from === undefined) return { name, sizes: null, group: groupKeyParts(key)?.group ?? null };
  return { name, sizes: [Number(from), Number(to ?? from)], group: null };
}

/** The one spelling of a measure of a pool or user. */
export function groupKey(measure: string, { kind, name }: JobGroup): string {
  return `${measure} of ${kind === "user" ? "user " : ""}${nameInKey(name)}`;
}

/** In quotes only where it would be read as something else without. */
export function nameInKey(name: string): string {
  const isPlain = /^(?!"|user )[^\s,](?:[^,\n\r\u2028\u2029]*[^\s,])?$/u.test(name) && !SIZES.test(name);
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

const LISTED = new RegExp(`\\s*(\\w+ of (?:user )?${QUOTED}(?=\\s*(?:,|$))|[^,]*)\\s*(?:,|$)`, "uy");

/** What is separated by commas; those in the quoted name of a pool or user separate nothing. */
export function measureList(text: string): string[] {
  const found: string[] = [];
  LISTED.lastIndex = 0;
  for (let end = false; !end;) {
    const [all, key] = LISTED.exec(text) ?? ["", ""];
    found.push(key.trim());
    end = !all.endsWith(",");
  }
  return found;
}

/** The measure of that name, if it is one of this file; undefined: it is none. */
export function unlistedMeasureNamed(key: string): Measure | undefined {
  const own = UNLISTED.find((one) => one.key === key);
  if (own !== undefined) return own;
  const { name, sizes, group } = measureParts(key);
  if (sizes !== null) return ofSizes(key, name, ...sizes);
  if (group?.kind !== "pool" || !name.startsWith("secondsTo")) return undefined;
  return toShare(name.slice("secondsTo".length), group);
}

function toShare(share: string, pool: JobGroup): Measure | undefined {
  if (!Object.hasOwn(SHARES, share)) return undefined;
  const words = `a ${share.toLowerCase()} of`;
  const key = groupKey(`secondsTo${share}`, pool);
  return {
    ...{ key, group: "fairness", label: `to ${words} ${pool.name}`, title: `Time to ${words} pool ${pool.name}` },
    ...{ unit: "seconds", scope: "run", better: "lower" },
    of: ({ summary, record }) => secondsToShare(record, pool, SHARES[share] * summary.cluster.mapSlots),
  };
}

/** `MEASURE of 1-25 maps`: over the jobs of so many maps; null where there are none. */
function ofSizes(key: string, name: string, from: number, to: number): Measure | undefined {
  const base = OF_SIZES.find((one) => one.key === name);
  if (base === undefined || from > to) return undefined;
  const of = (run: MeasuredRun, take: (run: MeasuredRun) => number | null): number | null => {
    const all = run.record.jobs;
    const jobs = jobsWhere(all, (job) => all.maps[job] >= from && all.maps[job] <= to);
    return jobs.rows === 0 ? null : take({ ...run, record: { ...run.record, jobs } });
  };
  const { step } = base;
  const sizes = from === to ? counted(from, "map") : `${String(from)}-${String(to)} maps`;
  return {
    ...{ ...base, key, label: [...(base.label === "all" ? [] : [base.label]), sizes].join(" ") },
    title: `${base.title.replace(/, all jobs$/, "")}, jobs of ${sizes}`,
    of: (run) => of(run, base.of),
    ...(step === undefined ? {} : { step: (run) => of(run, step) ?? 0 }),
  };
}

/** From a pool's first submission until a sample finds it to run that many maps; null: never, or no such pool. */
function secondsToShare({ jobs, poolSamples }: RunRecord, pool: JobGroup, slots: number): number | null {
  const own = jobsOfGroup(jobs, pool);
  if (own.rows === 0) return null;
  const submittedUs = own.submitAtUs.subarray(0, own.rows).reduce((a, b) => Math.min(a, b));
  for (let row = 0; row < poolSamples.rows; row++) {
    if (poolSamples.atUs[row] < submittedUs || poolSamples.poolNames[poolSamples.pool[row]] !== pool.name) continue;
    if (poolSamples.demandMaps[row] + poolSamples.demandReduces[row] === 0) continue;
    if (poolSamples.runningMaps[row] >= Math.floor(slots)) return (poolSamples.atUs[row] - submittedUs) / US_PER_SECOND;
  }
  return null;
}

/** How long slots were held, by their own clocks. */
function busySeconds({
  utilisation: { map, reduce },
  cluster,
  virtualSeconds,
}: Summary): Record<"maps" | "reduces", number> {
  return {
    maps: map.busy * (map.meanSlots ?? cluster.mapSlots) * virtualSeconds,
    reduces: reduce.busy * (reduce.meanSlots ?? cluster.reduceSlots) * virtualSeconds,
  };
}

/**
 * Share of the jobs each of whose maps was launched once, and once more for each of its kills. Launches are counted by
 * locality, so every map needs input; kills of reduces cannot be told from those of maps, so a job with reduces may have
 * more kills. Null while jobs run, and where attempts end in other ways.
 */
function tasksConserved({ summary, record: { jobs } }: MeasuredRun): number | null {
  const { failures, faults, speculation, stopped } = summary;
  const otherwise =
    failures.attempts + failures.kills + faults.attemptsLost + faults.outputsLost + speculation.launched;
  if (stopped !== "all-jobs-ended" || otherwise > 0 || jobs.rows === 0) return null;
  let conserved = 0;
  for (let job = 0; job < jobs.rows; job++) {
    const near = jobs.nodeLocalMaps[job] + jobs.rackLocalMaps[job];
    const again = near + jobs.rowLocalMaps[job] + jobs.offRackMaps[job] - jobs.maps[job];
    const isRight = jobs.reduces[job] === 0 ? again === jobs.kills[job] : again >= 0 && again <= jobs.kills[job];
    if (isRight) conserved++;
  }
  return conserved / jobs.rows;
}

function measure(
  key: string,
  label: string,
  title: string,
  unit: Measure["unit"],
  scope: Measure["scope"],
  better: Measure["better"],
  of: Measure["of"],
): Measure {
  return { key, group: unit === "share" ? "locality" : "waits", label, title, unit, scope, better, of };
}

function responseSeconds(jobs: JobColumns): number[] {
  return secondsSinceSubmission(jobs, jobs.endAtUs, (job) => jobs.hasFailed[job] === 0);
}

function secondsSinceSubmission(
  { rows, submitAtUs }: JobColumns,
  atUs: Float64Array,
  counts: (job: number) => boolean = () => true,
): number[] {
  const found: number[] = [];
  for (let job = 0; job < rows; job++) {
    if (atUs[job] >= 0 && counts(job)) found.push((atUs[job] - submitAtUs[job]) / US_PER_SECOND);
  }
  return found;
}

/** By nearest rank. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = Float64Array.from(values).sort((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
}

/** Seconds times what was sampled, by the trapezium rule. */
function areaUnder({ rows, atUs }: RunRecord["samples"], column: Int32Array): number {
  let area = 0;
  for (let row = 1; row < rows; row++) {
    area += ((column[row] + column[row - 1]) / 2) * ((atUs[row] - atUs[row - 1]) / US_PER_SECOND);
  }
  return area;
}

function ratio(left: number, right: number): number | null {
  return right > 0 ? left / right : null;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : sumOf(values) / values.length;
}

/** Of two runs of the same jobs, its ratio is the geometric mean of the ratios job by job. */
function geometricMean(values: readonly number[]): number | null {
  if (values.length === 0 || values.some((value) => value <= 0)) return null;
  return exp(sumOf(values.map(ln)) / values.length);
}

function sum(column: Int32Array, rows: number): number {
  return column.subarray(0, rows).reduce((total, value) => total + value, 0);
}
