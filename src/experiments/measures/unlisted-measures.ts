import {
  titlesOf,
  US_PER_SECOND,
  counted,
  exp,
  ln,
  sumOver,
  maxOver,
  minOver,
  ascending,
} from "../../core/kernel/index.js";
import {
  capital,
  heldTotal,
  type JobColumns,
  type JobGroup,
  jobsOfGroup,
  jobsWhere,
  keyWord,
  localTask,
  localType,
  type RecordWords,
  type RunRecord,
  shortOf,
} from "../../core/record/index.js";
import { localShare, platformMeasures, responseSeconds } from "./listed-measures.js";
import { heartbeatStep, type Measure, type MeasuredRun, USUAL_WORDS } from "./measure.js";

/**
 * Measures that no report lists by itself: a sweep keeps them if its file names them. They are quantiles and shares
 * that papers print, measures of the jobs of some sizes (`responseP80 of 1-20 maps`), the time until a pool has a share
 * of the map slots (`secondsToHalf of pool2`), and laws of queueing theory as ratios that must be 1.
 */

const QUANTILES: readonly Measure[] = [25, 60, 70, 80, 90].map((percentage) => ({
  key: `responseP${percentage}`,
  group: "response",
  label: `p${percentage}`,
  title: `Response time, p${percentage}, all jobs`,
  unit: "seconds",
  scope: "jobs",
  better: "lower",
  evaluate: ({ record }) => quantile(responseSeconds(record), percentage / 100),
  step: heartbeatStep,
}));

function otherMeasures(words: RecordWords): Measure[] {
  const { one: singular, many: plural } = localTask(words);
  const near = words.levels.filter(({ better }) => better !== "lower");
  return [
    measure("responseMax", "longest response", "Longest response time", "seconds", "jobs", "lower", ({ record }) =>
      quantile(responseSeconds(record), 1),
    ),
    measure(
      "responseGeomean",
      "geometric mean",
      "Geometric mean of response times",
      "seconds",
      "jobs",
      "lower",
      ({ record }) => geometricMean(responseSeconds(record)),
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
    ...(words.has.includes("heartbeats") ? [jobWait(words, singular)] : []),
    measure(
      `${near.map(({ key }, index) => (index === 0 ? key : capital(key))).join("Or")}Local`,
      titlesOf(near).join(" or "),
      `${capital(plural)} ${near.map(({ local }) => local).join(" or ")}`,
      "share",
      "jobs",
      "higher",
      ({ record }) => localShare(record, null, ({ better }) => better !== "lower"),
    ),
  ];
}

function jobWait(words: RecordWords, taskNoun: string): Measure {
  return {
    ...measure(
      "jobWaitMean",
      `locality wait of a job, s/${taskNoun}`,
      "Locality wait of a job",
      "seconds-per-task",
      "jobs",
      "lower",
      ({ record: { jobs } }) => {
        const sizes = jobs.tasks[localType(words)];
        const waitUs = jobs.localityWaitUs.subarray(0, jobs.rows);
        const perTask = [...waitUs].map((us, job) => (us < 0 || sizes[job] === 0 ? -1 : us / sizes[job]));
        return meanOf(perTask.filter((us) => us >= 0).map((us) => us / US_PER_SECOND));
      },
    ),
    per: taskNoun,
  };
}

/** Measures of whole runs: the figures that section 3.2 and Figure 1 of the delay scheduling paper print. */
function ofRuns(words: RecordWords): Measure[] {
  const { taskTypes, resources } = words;
  return [
    ...taskTypes.map(({ key, one: taskNoun }) =>
      measure(
        `${keyWord(taskNoun)}SecondsP50`,
        `${taskNoun}, p50`,
        `Length of a ${taskNoun}, p50`,
        "seconds",
        "run",
        "lower",
        ({ summary }) => summary.attemptSeconds[key].p50,
      ),
    ),
    ...resources.flatMap((resource) => {
      const { key, many: resourceNoun } = resource;
      const short = shortOf(words, resource);
      return [
        measure(
          `saturated${capital(keyWord(short.many))}`,
          `${resourceNoun} > 95 % busy`,
          `Time with over 95 % of ${resourceNoun} busy`,
          "share",
          "run",
          null,
          ({ summary }) => summary.utilisation[key].saturated ?? null,
        ),
        measure(
          `${keyWord(short.one)}ReleasesSaturated`,
          `${resourceNoun} freed under load`,
          `${capital(resourceNoun)} freed per second under load`,
          "per-second",
          "run",
          null,
          ({ summary }) => summary.utilisation[key].releasesPerSecondSaturated ?? null,
        ),
      ];
    }),
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
}

/**
 * Two ways to the same number, as a ratio. The left side comes from samples or from the slots' own clocks, the right
 * side from the times of jobs and attempts. Only runs in which every job ends have them.
 */
function laws(words: RecordWords): Measure[] {
  const { key, many: plural } = localTask(words);
  const type = localType(words);
  const resourceOfType = words.resources.findIndex(({ ofType }) => ofType === key);
  const law = (name: string, about: string, evaluate: Measure["evaluate"]) => {
    const title = `${about}, ${plural}`;
    return measure(name, title, capital(title), "ratio", "run", null, evaluate);
  };
  return [
    measure(
      "littleJobs",
      "Little's law, jobs",
      "Little's law, jobs",
      "ratio",
      "run",
      null,
      ({ summary, record: { jobs, samples } }) => {
        if (summary.stopped !== "all-jobs-ended") return null;
        return ratio(areaUnder(samples, samples.activeJobs), sumOver(secondsSinceSubmission(jobs, jobs.endAtUs)));
      },
    ),
    law(`little${capital(keyWord(plural))}`, "Little's law", ({ summary, record: { samples } }) => {
      const { pendingSecondsPerTask } = summary.waits;
      const { count, mean } = summary.attemptSeconds[key];
      if (summary.stopped !== "all-jobs-ended" || pendingSecondsPerTask === null || mean === null) return null;
      const inSystem = areaUnder(samples, samples.pending[type]) + areaUnder(samples, samples.running[type]);
      return ratio(inSystem, count * (pendingSecondsPerTask + mean));
    }),
    law("utilisationLaw", "utilisation law", (run) => {
      const { count, mean } = run.summary.attemptSeconds[key];
      // One of it a task: of other resources a task may hold several.
      return mean === null || resourceOfType < 0 ? null : ratio(busySeconds(run, resourceOfType), count * mean);
    }),
    measure("slotsConserved", "slots", "Slots conserved", "ratio", "run", null, (run) => {
      const { words: runWords, jobs } = run.record;
      const ranUs = sumOver(jobs.heldUs.map((_, place) => place).flatMap((place) => [...jobs.heldUs[place]]));
      return ratio(heldTotal(runWords, (place) => busySeconds(run, place)) * US_PER_SECOND, ranUs);
    }),
    measure("tasksConserved", "tasks", "Tasks conserved", "share", "run", null, tasksConserved),
  ];
}

const UNLISTED = new Map<string, readonly Measure[]>();

/** Measures of whole runs that only their names bring. */
function unlisted(words: RecordWords): readonly Measure[] {
  const measures = UNLISTED.get(words.platform) ?? [
    ...QUANTILES,
    ...otherMeasures(words),
    ...ofRuns(words),
    ...laws(words),
  ];
  UNLISTED.set(words.platform, measures);
  return measures;
}

/** Measures that can stand before `of 1-25 maps`. */
function ofAnySizes(words: RecordWords): Measure[] {
  return [
    ...platformMeasures(words).ofRuns.filter(
      ({ key, group }) => /^response(Mean|P50|P95)$/.test(key) || (group === "locality" && key.endsWith("All")),
    ),
    ...QUANTILES,
    ...otherMeasures(words),
  ];
}

/**
 * Share of the jobs all of whose tasks the slots that come free under load could take within ten seconds; null: there
 * was no such load.
 */
function launchableIn10s({ summary: { utilisation }, record: { words, jobs } }: MeasuredRun): number | null {
  const freed = words.taskTypes.map(({ key }) => {
    const resource = words.resources.find(({ ofType }) => ofType === key);
    return resource === undefined ? null : (utilisation[resource.key].releasesPerSecondSaturated ?? null);
  });
  if (freed.includes(null) || jobs.rows === 0) return null;
  const isLaunchable = Array.from({ length: jobs.rows }, (_, job) =>
    freed.every((perSecond, type) => jobs.tasks[type][job] < 10 * (perSecond ?? 0)),
  );
  return isLaunchable.filter(Boolean).length / isLaunchable.length;
}

/**
 * Added replicas in the last third of the time until the last submission, over those in the third before; the first is
 * a warm-up, and with the last job the readers go.
 */
function extraStorageTrend({ record: { samples, jobs } }: MeasuredRun): number | null {
  const { extraReplicas, rows, atUs } = samples;
  if (extraReplicas === undefined || jobs.rows === 0) return null;
  const endUs = maxOver(jobs.submitAtUs.subarray(0, jobs.rows), Number);
  const inThird = (third: number) =>
    meanOf([...extraReplicas.subarray(0, rows)].filter((_, row) => Math.floor((3 * atUs[row]) / endUs) === third));
  const [early, late] = [inThird(1), inThird(2)];
  return early === null || late === null ? null : ratio(late, early);
}

const SHARES: Readonly<Record<string, number>> = { Half: 1 / 2, Third: 1 / 3, Quarter: 1 / 4 };

/** Parses the number of maps of jobs, which follows `of`: 1 map, 2-20 maps. */
function asSizes(text: string, words: RecordWords): readonly [from: number, to: number] | null {
  const [, from, to, noun] = (/^(\d{1,7})(?:-(\d{1,7}))? (.+)$/u.exec(text) ?? []) as (string | undefined)[];
  const { one: singular, many: plural } = localTask(words);
  return from === undefined || (noun !== singular && noun !== plural) ? null : [Number(from), Number(to ?? from)];
}

/** A name in quotes; one inside it is doubled. */
const QUOTED = '"(?:[^"]|"")+"';

const OF_GROUP = new RegExp(`^(\\w+) of (user )?(?:(${QUOTED})|((?!"|user )\\S(?:.*\\S)?))$`, "u");

/**
 * The measure and the pool or user of `MEASURE of POOL` or `MEASURE of user USER`; null: the words are not of that
 * form.
 */
export function groupKeyParts(
  key: string,
  words = USUAL_WORDS,
): { readonly measure: string; readonly group: JobGroup } | null {
  const parts = OF_GROUP.exec(key);
  if (parts === null) return null;
  const [, measure, user, quoted, plain] = parts as (string | undefined)[];
  const kind = user === undefined ? "pool" : "user";
  if (quoted === undefined && kind === "pool" && asSizes(plain ?? "", words) !== null) return null;
  const name = quoted === undefined ? (plain ?? "") : quoted.slice(1, -1).replaceAll('""', '"');
  return { measure: measure ?? "", group: { kind, name } };
}

/** The parts of a key: the measure, and the jobs of that many maps, or the pool or user; neither: all jobs. */
export function measureParts(
  key: string,
  words = USUAL_WORDS,
): {
  readonly name: string;
  readonly sizes: readonly [from: number, to: number] | null;
  readonly group: JobGroup | null;
} {
  const [, name = key, whose = ""] = /^(\w+) of (.*)$/u.exec(key) ?? [];
  const sizes = asSizes(whose, words);
  return { name, sizes, group: sizes === null ? (groupKeyParts(key, words)?.group ?? null) : null };
}

/** The one spelling of a measure of a pool or user. */
export function groupKey(measure: string, { kind, name }: JobGroup, words = USUAL_WORDS): string {
  return `${measure} of ${kind === "user" ? "user " : ""}${nameInKey(name, words)}`;
}

/** Returns a name as it stands in a key: in quotes where it would be read as something else without them. */
export function nameInKey(name: string, words = USUAL_WORDS): string {
  const isPlain = /^(?!"|user )[^\s,](?:[^,\n\r\u2028\u2029]*[^\s,])?$/u.test(name) && asSizes(name, words) === null;
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

const LISTED = new RegExp(`\\s*(\\w+ of (?:user )?${QUOTED}(?=\\s*(?:,|$))|[^,]*)\\s*(?:,|$)`, "uy");

/** Parts separated by commas; those in the quoted name of a pool or user separate nothing. */
export function measureList(text: string): string[] {
  const keys: string[] = [];
  LISTED.lastIndex = 0;
  for (let end = false; !end;) {
    const [matched, key] = LISTED.exec(text) ?? ["", ""];
    keys.push(key.trim());
    end = !matched.endsWith(",");
  }
  return keys;
}

/** The measure of that name, if it is one of this file; undefined: it is none. */
export function unlistedMeasureNamed(key: string, words = USUAL_WORDS): Measure | undefined {
  const listed = unlisted(words).find((candidate) => candidate.key === key);
  if (listed !== undefined) return listed;
  const { name, sizes, group } = measureParts(key, words);
  if (sizes !== null) return ofSizes(key, name, words, ...sizes);
  if (group?.kind !== "pool" || !name.startsWith("secondsTo")) return undefined;
  return toShare(name.slice("secondsTo".length), group, words);
}

function toShare(share: string, group: JobGroup, words: RecordWords): Measure | undefined {
  if (!Object.hasOwn(SHARES, share)) return undefined;
  const part = `a ${share.toLowerCase()} of`;
  const key = groupKey(`secondsTo${share}`, group, words);
  const [{ key: resource }] = words.resources;
  return {
    key,
    group: "fairness",
    label: `to ${part} ${group.name}`,
    title: `Time to ${part} ${words.group.one} ${group.name}`,
    unit: "seconds",
    scope: "run",
    better: "lower",
    evaluate: ({ summary, record }) =>
      secondsToShare(record, group, SHARES[share] * summary.cluster.resources[resource]),
  };
}

/** `MEASURE of 1-25 maps`: over the jobs of so many maps; null where there are none. */
function ofSizes(key: string, name: string, words: RecordWords, from: number, to: number): Measure | undefined {
  const base = ofAnySizes(words).find((candidate) => candidate.key === name);
  if (base === undefined || from > to) return undefined;
  const evaluate = (run: MeasuredRun, take: (run: MeasuredRun) => number | null) => {
    const allJobs = run.record.jobs;
    const sizesOfJobs = allJobs.tasks[localType(words)];
    const jobs = jobsWhere(allJobs, (job) => sizesOfJobs[job] >= from && sizesOfJobs[job] <= to);
    return jobs.rows === 0 ? null : take({ ...run, record: { ...run.record, jobs } });
  };
  const { step } = base;
  const { one: singular, many: plural } = localTask(words);
  const sizes = from === to ? counted(from, singular) : `${from}-${to} ${plural}`;
  return {
    ...base,
    key,
    label: [...(base.label === "all" ? [] : [base.label]), sizes].join(" "),
    title: `${base.title.replace(/, all jobs$/, "")}, jobs of ${sizes}`,
    evaluate: (run) => evaluate(run, base.evaluate),
    ...(step === undefined ? {} : { step: (run) => evaluate(run, step) ?? 0 }),
  };
}

/**
 * From a group's first submission until a sample finds it to hold that much of the first resource; null: never, or no
 * such group.
 */
function secondsToShare({ jobs, groupSamples }: RunRecord, group: JobGroup, share: number): number | null {
  const groupJobs = jobsOfGroup(jobs, group);
  if (groupJobs.rows === 0) return null;
  const submittedUs = minOver(groupJobs.submitAtUs.subarray(0, groupJobs.rows), Number);
  const { rows, atUs, groupNames, demand, running } = groupSamples;
  for (let row = 0; row < rows; row++) {
    if (atUs[row] < submittedUs || groupNames[groupSamples.group[row]] !== group.name) continue;
    if (demand.every((column) => column[row] === 0)) continue;
    if (running[0][row] >= Math.floor(share)) return (atUs[row] - submittedUs) / US_PER_SECOND;
  }
  return null;
}

/** Seconds that the resource was held, by its own clocks. */
function busySeconds({ summary, record: { words } }: MeasuredRun, place: number): number {
  const { key } = words.resources[place];
  const { busy, mean } = summary.utilisation[key];
  return busy * (mean ?? summary.cluster.resources[key]) * summary.virtualSeconds;
}

/**
 * Share of the jobs each of whose tasks of the local type was launched once, and once more for each of its kills.
 * Launches are counted by locality, so every such task needs input; kills of other types are not counted apart from
 * theirs, so a job with some may have more kills. Null while jobs run, and where attempts end in other ways.
 */
function tasksConserved({ summary, record: { words, jobs } }: MeasuredRun): number | null {
  const { failures, faults, speculation, stopped } = summary;
  const otherwise = [
    ...[failures?.attempts, failures?.kills, faults?.attemptsLost, faults?.outputsLost, speculation?.launched],
  ].some((count = 0) => count > 0);
  if (stopped !== "all-jobs-ended" || otherwise || jobs.rows === 0) return null;
  const type = localType(words);
  let conserved = 0;
  for (let job = 0; job < jobs.rows; job++) {
    const kills = jobs.kills?.[job] ?? 0;
    const again = sumOver(jobs.launchedAt.map((column) => column[job])) - jobs.tasks[type][job];
    const isAlone = jobs.tasks.every((column, index) => index === type || column[job] === 0);
    if (isAlone ? again === kills : again >= 0 && again <= kills) conserved++;
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
  evaluate: Measure["evaluate"],
): Measure {
  return { key, group: unit === "share" ? "locality" : "waits", label, title, unit, scope, better, evaluate };
}

function secondsSinceSubmission({ rows, submitAtUs }: JobColumns, atUs: Float64Array): number[] {
  return [...atUs.subarray(0, rows)].flatMap((us, job) => (us >= 0 ? [(us - submitAtUs[job]) / US_PER_SECOND] : []));
}

/** By nearest rank. */
function quantile(values: readonly number[], share: number): number | null {
  const sorted = Float64Array.from(values).sort(ascending);
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

function ratio(dividend: number, divisor: number): number | null {
  return divisor > 0 ? dividend / divisor : null;
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : sumOver(values) / values.length;
}

/** The mean whose ratio, for two runs of the same jobs, is the geometric mean of the ratios job by job. */
function geometricMean(values: readonly number[]): number | null {
  if (values.length === 0 || values.some((value) => value <= 0)) return null;
  return exp(sumOver(values.map(ln)) / values.length);
}
