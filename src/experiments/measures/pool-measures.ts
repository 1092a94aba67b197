import { US_PER_SECOND } from "../../core/kernel/index.js";
import {
  type GroupKind,
  type JobGroup,
  jobsOfGroup,
  poolSummariesOf,
  userSummariesOf,
  type RunRecord,
  type GroupSummary,
  type PoolSummary,
  type Summary,
} from "../../core/platforms/hadoop/index.js";
import { MEASURES, OWN_MEASURES } from "./all-measures.js";
import type { Measure, MeasuredRun, MeasureWords } from "./measure.js";
import { groupKey, groupKeyParts, unlistedMeasureNamed } from "./named-measures.js";

/**
 * Measures of one pool, `responseP95 of production`, or of one user, `responseP95 of user ann`. The words before `of` are
 * those of a measure of the whole run, which is then taken over the jobs of that pool and of all pools inside it, or of
 * that user.
 */

/** Measures that only pools have. */
const ONLY_OF_POOLS: readonly (MeasureWords & {
  readonly take: (pool: PoolSummary, whole: Summary) => number | null;
})[] = [
  {
    ...{ key: "heldOfFairShare", group: "fairness", label: "held of fair share", title: "Held of the fair share" },
    ...{ unit: "share", scope: "run", better: "higher", mayExceedWhole: true },
    take: ({ mapShare: { heldSlots, fairSlots } }) =>
      heldSlots === null || fairSlots === null || fairSlots === 0 ? null : heldSlots / fairSlots,
  },
  {
    ...{ key: "belowPromise", group: "fairness", label: "below promise", title: "Below the promise" },
    ...{ unit: "share", scope: "run", better: "lower" },
    take: ({ mapShare }) => mapShare.belowPromise,
  },
  {
    ...{ key: "killsCaused", group: "waste", label: "kills caused", title: "Attempts killed for it" },
    // Kills may give a pool what it is due, or more.
    ...{ unit: "count", scope: "run", better: null, notion: "kills" },
    take: ({ killsCaused }, { tasks }) => killsCaused ?? (tasks.kills === 0 ? 0 : null),
  },
];

/** Keys of the measures that are taken of pools, and of users. */
export const GROUP_MEASURES: Readonly<Record<GroupKind, readonly string[]>> = {
  pool: [
    ...OWN_MEASURES.filter(({ takenOf }) => takenOf !== undefined).map(({ key }) => key),
    ...ONLY_OF_POOLS.map(({ key }) => key),
  ],
  user: OWN_MEASURES.filter(({ takenOf }) => takenOf === "groups").map(({ key }) => key),
};

const COMPARED = [
  ...["responseP50", "responseP95", "nodeLocalAll", "heldOfFairShare", "belowFairShare", "belowPromise"],
  ...["unfinishedJobs", "deadlinesMissed", "kills", "killsCaused"],
];

/** Keys of what a comparison keeps of a pool or user, in its order. */
export function comparedKeys(group: JobGroup): string[] {
  const own = GROUP_MEASURES[group.kind];
  return COMPARED.filter((key) => own.includes(key)).map((key) => groupKey(key, group));
}

/**
 * What is wrong with the name of a measure: what was found, and the names that are allowed in its place, or words that say
 * what is. Null: nothing, so far as one can know before a run. @param wholes the measures of whole runs that are allowed.
 */
export function measureFault(
  key: string,
  wholes: readonly string[],
): { readonly found: string; readonly allowed: readonly string[] | string } | null {
  const parts = groupKeyParts(key);
  if (parts !== null) {
    const allowed = GROUP_MEASURES[parts.group.kind];
    return allowed.includes(parts.measure) ? null : { found: parts.measure, allowed };
  }
  const [, measure, name] = /^(\w+) of (?:user )?(".*)$/su.exec(key) ?? [];
  if (measure !== undefined) return { found: name, allowed: 'a name in quotes: "a,b", where "" stands for one quote' };
  return wholes.includes(key) ? null : { found: key, allowed: wholes };
}

/** The measure of that name, of a whole run, of some sizes of jobs, of a pool or of a user; undefined: there is none. */
export function measureNamed(key: string): Measure | undefined {
  const own = OWN_MEASURES.find((measure) => measure.key === key) ?? unlistedMeasureNamed(key);
  const parts = groupKeyParts(key);
  if (own !== undefined || parts === null) return own;
  const { measure, group } = parts;
  if (!GROUP_MEASURES[group.kind].includes(measure)) return undefined;
  const named = ({ label, title }: MeasureWords): Pick<MeasureWords, "key" | "label" | "title"> => ({
    key: groupKey(measure, group),
    label: `${label} of ${group.kind === "user" ? "user " : ""}${group.name}`,
    title: `${title}, ${group.kind} ${group.name}`,
  });
  const only = ONLY_OF_POOLS.find((listed) => listed.key === measure);
  if (only !== undefined) {
    const { take, ...words } = only;
    const of = (run: MeasuredRun): number | null =>
      ofGroup(run, group, ({ own }) => ("mapShare" in own ? take(own, run.summary) : null));
    return { ...words, ...named(only), of };
  }
  const base = OWN_MEASURES.find((listed) => listed.key === measure);
  const { step } = base ?? {};
  return (
    base && {
      ...base,
      ...named(base),
      of: (run) => ofGroup(run, group, ({ run: part }) => base.of(part)),
      ...(step === undefined ? {} : { step: (run) => ofGroup(run, group, ({ run: part }) => step(part)) ?? 0 }),
    }
  );
}

/** What is said of a measure, also of one that a run has only beside others; undefined: there is none. */
export function wordsOfMeasure(key: string): MeasureWords | undefined {
  return MEASURES.find((measure) => measure.key === key) ?? measureNamed(key);
}

/** The one spelling of a measure: `kills of "a"` is `kills of a`. Of what is no measure, what was given. */
export function measureKey(key: string): string {
  return measureNamed(key)?.key ?? key;
}

/** What a run was to one pool or user. */
interface GroupPart {
  readonly own: GroupSummary | PoolSummary;
  /** As if there had been those jobs only. */
  readonly run: MeasuredRun;
}

/** By kind and name: a comparison takes many measures of each. Null: the pool or user has no jobs. */
const PARTS = new WeakMap<RunRecord, Map<string, GroupPart | null>>();

/** Null: the pool or user has no jobs. */
function ofGroup(run: MeasuredRun, group: JobGroup, take: (part: GroupPart) => number | null): number | null {
  const parts = PARTS.get(run.record) ?? new Map<string, GroupPart | null>();
  PARTS.set(run.record, parts);
  const key = `${group.kind} ${group.name}`;
  const known = parts.get(key);
  const part = known === undefined ? partOf(run, group) : known;
  parts.set(key, part);
  return part === null ? null : take(part);
}

function partOf({ summary, record, decisions }: MeasuredRun, group: JobGroup): GroupPart | null {
  const jobs = jobsOfGroup(record.jobs, group);
  if (jobs.rows === 0) return null;
  const stoppedUs = summary.virtualSeconds * US_PER_SECOND;
  const [own] =
    group.kind === "pool"
      ? poolSummariesOf(record, [group.name], stoppedUs, false)
      : userSummariesOf(record.jobs, [group.name], stoppedUs, false);
  const run = {
    summary: {
      ...summary,
      jobs: own.jobs,
      deadlines: own.deadlines,
      timeToFirstTaskSeconds: own.timeToFirstTaskSeconds,
      timeToFairShareSeconds: own.timeToFairShareSeconds,
      waits: { ...summary.waits, pendingSecondsPerMap: own.pendingSecondsPerMap },
      fairness: { jain: null, belowFairShare: "mapShare" in own ? own.mapShare.belowFairShare : null },
      tasks: { ...summary.tasks, kills: own.kills.attempts },
      preemption: { ...summary.preemption, lostSeconds: own.kills.lostSeconds },
    },
    record: { ...record, jobs },
    decisions,
  };
  return { own, run };
}
