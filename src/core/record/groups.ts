import { US_PER_SECOND, sumOver, tally } from "../kernel/index.js";
import { deadlinesOf, localityOf, pendingSecondsPerTask, secondsSince } from "./job-figures.js";
import { quantilesOf } from "./quantiles.js";
import { type JobColumns, jobsWhere, type RunRecord } from "./run-record.js";
import type { GroupSummary } from "./summary.js";
import { byKey, heldTotal, type RecordWords } from "./words.js";

/**
 * Summaries of each pool or queue, and of each user, of a run. A job belongs to the group that it was placed in; under
 * a scheduler without groups, and if it was refused, to the one that it names. A group with groups inside has all their
 * jobs.
 */

/** The jobs of a run are those of its pools or queues, and those of its users. */
export type GroupKind = "pool" | "user";

/** A pool, a queue or a user. */
export interface JobGroup {
  readonly kind: GroupKind;
  readonly name: string;
}

/** The pools, or the users, that have jobs, in the order of their names. */
export function groupNamesOf(jobs: JobColumns, kind: GroupKind): string[] {
  return [...new Set(Array.from({ length: jobs.rows }, (_, job) => groupOfJob(jobs, kind, job)))].sort((a, b) =>
    a < b ? -1 : 1,
  );
}

function groupOfJob({ placedIn, group, user }: JobColumns, kind: GroupKind, job: number): string {
  if (kind === "user") return user[job];
  return placedIn[job] === "" ? group[job] : placedIn[job];
}

/** The jobs of a user, or of a pool and of all pools inside it. */
export function jobsOfGroup(jobs: JobColumns, { kind, name }: JobGroup): JobColumns {
  return jobsWhere(jobs, (job) => {
    const jobGroup = groupOfJob(jobs, kind, job);
    return jobGroup === name || (kind === "pool" && jobGroup.startsWith(`${name}.`));
  });
}

/**
 * There are at least two users, and they are not simply the pools: some pool has jobs of several, or some user is in
 * several.
 */
export function usersDifferFromGroups(jobs: JobColumns): boolean {
  const poolOf = new Map<string, string>();
  const userOf = new Map<string, string>();
  let differ = false;
  for (let job = 0; job < jobs.rows; job++) {
    const [user, pool] = [groupOfJob(jobs, "user", job), groupOfJob(jobs, "pool", job)];
    differ ||= (poolOf.get(user) ?? pool) !== pool || (userOf.get(pool) ?? user) !== user;
    poolOf.set(user, pool);
    userOf.set(pool, user);
  }
  return differ && poolOf.size > 1;
}

/**
 * Returns the summary of each group, in their order. One pass over jobs and samples, however many groups there are;
 * users have neither shares nor kills that they caused.
 * @param stoppedUs when the run stopped.
 */
export function groupSummariesOf(
  record: Pick<RunRecord, "words" | "jobs" | "samples" | "groupSamples" | "killsFor">,
  kind: GroupKind,
  names: readonly string[],
  stoppedUs: number,
): GroupSummary[] {
  const { words, jobs } = record;
  const rowsOf = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let row = 0; row < jobs.rows; row++) {
    // The pool, and those that it lies in.
    for (let name = groupOfJob(jobs, kind, row); ; name = name.slice(0, name.lastIndexOf("."))) {
      rowsOf.get(name)?.push(row);
      if (kind === "user" || !name.includes(".")) break;
    }
  }
  const shares = kind === "user" ? null : sharesOf(record);
  return names.map((name) => ({
    name,
    ...jobResultsOf(words, jobs, rowsOf.get(name) as number[], stoppedUs),
    ...(shares === null ? {} : { ...killsCausedBy(name, record), share: shares(name) }),
  }));
}

/** By the group, and all groups inside it. */
function killsCausedBy(name: string, { killsFor }: Pick<RunRecord, "killsFor">): Pick<GroupSummary, "killsCaused"> {
  if (killsFor === undefined) return {};
  const groupKills = killsFor.filter(({ group }) => group === name || group.startsWith(`${name}.`));
  return { killsCaused: sumOver(groupKills, ({ kills }) => kills) };
}

/** By user: how long attempts of its jobs held resources, in seconds. */
export function heldSecondsOfUsers({ words, jobs }: Pick<RunRecord, "words" | "jobs">): Map<string, number> {
  const { rows, user, heldUs } = jobs;
  const seconds = new Map<string, number>();
  for (let job = 0; job < rows; job++) {
    const heldSeconds = heldTotal(words, (place) => heldUs[place][job]) / US_PER_SECOND;
    tally(seconds, user[job], heldSeconds);
  }
  return seconds;
}

/** Returns the results of the jobs in those rows. */
function jobResultsOf(
  words: RecordWords,
  jobs: JobColumns,
  rows: readonly number[],
  stoppedUs: number,
): Omit<GroupSummary, "name"> {
  const sum = (column: ArrayLike<number>) => sumOver(rows, (job) => column[job]);
  const { endAtUs, hasFailed, kills, killedUs } = jobs;
  const ended = rows.filter((job) => endAtUs[job] >= 0).length;
  return {
    jobs: {
      submitted: rows.length,
      ended,
      unfinished: rows.length - ended,
      failed: rows.filter((job) => hasFailed[job] !== 0).length,
    },
    ...(jobs.deadlineAtUs === undefined ? {} : { deadlines: deadlinesOf(jobs.deadlineAtUs, jobs, rows, stoppedUs) }),
    locality: localityOf(words, jobs, rows),
    responseSeconds: quantilesOf(secondsSince(jobs, endAtUs, rows, (job) => hasFailed[job] === 0)),
    timeToFirstTaskSeconds: quantilesOf(secondsSince(jobs, jobs.firstLaunchAtUs, rows)),
    timeToFairShareSeconds: quantilesOf(secondsSince(jobs, jobs.fairShareAtUs, rows)),
    pendingSecondsPerTask: pendingSecondsPerTask(jobs, rows),
    resourceSeconds: byKey(words.resources, (place) => sum(jobs.heldUs[place]) / US_PER_SECOND),
    ...(kills === undefined
      ? {}
      : { kills: { attempts: sum(kills), lostSeconds: sum(killedUs ?? new Float64Array(jobs.rows)) / US_PER_SECOND } }),
  };
}

/**
 * Returns the share of each group, by name: means over the samples in which the group has demand, for the first
 * resource. A group has a row in `groupSamples` for every sample in which it has demand.
 */
function sharesOf({
  samples,
  groupSamples,
}: Pick<RunRecord, "samples" | "groupSamples">): (name: string) => NonNullable<GroupSummary["share"]> {
  const { rows, groupNames, group, minShare } = groupSamples;
  const [demand] = groupSamples.demand;
  const [running] = groupSamples.running;
  const [fairShare] = groupSamples.fairShare;
  const handles = groupNames.length;
  const sampled = new Float64Array(handles);
  const heldSum = new Float64Array(handles);
  const fair = new Float64Array(handles);
  const belowFair = new Float64Array(handles);
  const belowPromise = new Float64Array(handles);
  for (let row = 0; row < rows; row++) {
    if (demand[row] === 0) continue;
    const handle = group[row];
    sampled[handle]++;
    heldSum[handle] += running[row];
    fair[handle] += fairShare[row];
    if (running[row] < fairShare[row] - 1) belowFair[handle]++;
    if (running[row] < Math.min(minShare[handle] ?? 0, demand[row])) belowPromise[handle]++;
  }
  return (name) => {
    const handle = groupNames.indexOf(name);
    const times = handle < 0 ? 0 : sampled[handle];
    const mean = (sum: Float64Array) => (times > 0 ? sum[handle] / times : null);
    return {
      demanding: samples.rows > 0 ? times / samples.rows : null,
      held: mean(heldSum),
      fair: mean(fair),
      belowFairShare: mean(belowFair),
      belowPromise: (minShare[handle] ?? 0) > 0 ? mean(belowPromise) : null,
    };
  };
}
