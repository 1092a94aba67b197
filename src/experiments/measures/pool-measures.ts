import { US_PER_SECOND, definedFields } from "../../core/kernel/index.js";
import {
  type GroupKind,
  groupSummariesOf,
  type GroupSummary,
  type JobGroup,
  jobsOfGroup,
  keyWord,
  type RecordWords,
  type RunRecord,
  type Summary,
} from "../../core/record/index.js";
import { knownPlatforms, platformMeasures } from "./listed-measures.js";
import { type Measure, type MeasuredRun, type MeasureWords, USUAL_WORDS } from "./measure.js";
import { groupKey, groupKeyParts, unlistedMeasureNamed } from "./unlisted-measures.js";

/**
 * Measures of one pool, `responseP95 of production`, or of one user, `responseP95 of user ann`. The words before `of`
 * are those of a measure of the whole run, which is then taken over the jobs of that pool and of all pools inside it,
 * or of that user.
 */

/** Measures that only pools have. */
const ONLY_OF_POOLS: readonly (MeasureWords & {
  readonly take: (group: GroupSummary, whole: Summary) => number | null;
})[] = [
  {
    key: "heldOfFairShare",
    group: "fairness",
    label: "held of fair share",
    title: "Held of the fair share",
    unit: "share",
    scope: "run",
    better: "higher",
    mayExceedWhole: true,
    take: ({ share: { held: heldShare, fair } = { held: null, fair: null } }) =>
      heldShare === null || fair === null || fair === 0 ? null : heldShare / fair,
  },
  {
    key: "belowPromise",
    group: "fairness",
    label: "below promise",
    title: "Below the promise",
    unit: "share",
    scope: "run",
    better: "lower",
    take: ({ share }) => share?.belowPromise ?? null,
  },
  {
    key: "killsCaused",
    group: "waste",
    label: "kills caused",
    title: "Attempts killed for it",
    // Kills may give a pool what it is due, or more.
    unit: "count",
    scope: "run",
    better: null,
    notion: "kills",
    needs: "preemption",
    take: ({ killsCaused }, { preemption }) => killsCaused ?? (preemption?.kills === 0 ? 0 : null),
  },
];

/** Keys of the measures that are taken of pools, and of users. */
export function groupMeasures(kind: GroupKind, words = USUAL_WORDS): string[] {
  const { ofRuns } = platformMeasures(words);
  if (kind === "user") return ofRuns.filter(({ takenOf }) => takenOf === "groups").map(({ key }) => key);
  const only = ONLY_OF_POOLS.filter(({ needs }) => needs === undefined || words.has.includes(needs));
  return [...ofRuns.filter(({ takenOf }) => takenOf !== undefined), ...only].map(({ key }) => key);
}

/** Measures of a pool or user that a comparison keeps, in its order. */
function compared(words: RecordWords): string[] {
  const locality = words.levels.filter(({ better }) => better === "higher").map(({ local }) => `${keyWord(local)}All`);
  return [
    ...["responseP50", "responseP95", ...locality, "heldOfFairShare", "belowFairShare", "belowPromise"],
    ...["unfinishedJobs", "deadlinesMissed", "kills", "killsCaused"],
  ];
}

/** The keys of it. */
export function comparedKeys(group: JobGroup, words = USUAL_WORDS): string[] {
  const known = groupMeasures(group.kind, words);
  return compared(words)
    .filter((key) => known.includes(key))
    .map((key) => groupKey(key, group, words));
}

/**
 * The fault in the name of a measure: the name, and the names that are allowed in its place, or words for them. Null:
 * no fault that is known before a run.
 * @param wholes the measures of whole runs that are allowed.
 */
export function measureFault(
  key: string,
  wholes: readonly string[],
  words = USUAL_WORDS,
): { readonly actual: string; readonly allowed: readonly string[] | string } | null {
  const parts = groupKeyParts(key, words);
  if (parts !== null) {
    const allowed = groupMeasures(parts.group.kind, words);
    return allowed.includes(parts.measure) ? null : { actual: parts.measure, allowed };
  }
  const [, measure, name] = /^(\w+) of (?:user )?(".*)$/su.exec(key) ?? [];
  if (measure !== undefined) return { actual: name, allowed: 'a name in quotes: "a,b", where "" stands for one quote' };
  return wholes.includes(key) ? null : { actual: key, allowed: wholes };
}

/** The result of the first platform that has one. */
function firstOf<T>(resultOf: (words: RecordWords) => T | undefined): T | undefined {
  for (const words of knownPlatforms()) {
    const result = resultOf(words);
    if (result !== undefined) return result;
  }
  return undefined;
}

/**
 * The measure of that name, of a whole run, of some sizes of jobs, of a pool or of a user; undefined: there is none.
 * @param words of the platform whose runs are measured; undefined: of the first that has such a measure, for its unit
 *   and bounds.
 */
export function measureNamed(key: string, words?: RecordWords): Measure | undefined {
  if (words !== undefined) return measureOf(key, words);
  // The first platform that has a measure of that name says what the rest of the key may be.
  const [name] = key.split(" ", 1);
  const owner = knownPlatforms().find((known) =>
    platformMeasures(known).listed.some((measure) => measure.key === name),
  );
  return owner === undefined ? firstOf((known) => measureOf(key, known)) : measureOf(key, owner);
}

function measureOf(key: string, words: RecordWords): Measure | undefined {
  const ofWholeRun =
    platformMeasures(words).ofRuns.find((measure) => measure.key === key) ?? unlistedMeasureNamed(key, words);
  const parts = groupKeyParts(key, words);
  if (ofWholeRun !== undefined || parts === null) return ofWholeRun;
  const { measure, group } = parts;
  if (!groupMeasures(group.kind, words).includes(measure)) return undefined;
  const named = ({ label, title }: MeasureWords): Pick<MeasureWords, "key" | "label" | "title"> => ({
    key: groupKey(measure, group, words),
    label: `${label} of ${group.kind === "user" ? "user " : ""}${group.name}`,
    title: `${title}, ${group.kind === "user" ? "user" : words.group.one} ${group.name}`,
  });
  const only = ONLY_OF_POOLS.find((listed) => listed.key === measure);
  if (only !== undefined) {
    const { take, ...said } = only;
    const evaluate = (run: MeasuredRun) =>
      ofGroup(run, group, ({ summaryOfGroup: groupSummary }) => take(groupSummary, run.summary));
    return { ...said, ...named(only), evaluate };
  }
  const base = platformMeasures(words).ofRuns.find((listed) => listed.key === measure);
  const { step } = base ?? {};
  return (
    base && {
      ...base,
      ...named(base),
      evaluate: (run) => ofGroup(run, group, ({ run: part }) => base.evaluate(part)),
      ...(step === undefined ? {} : { step: (run) => ofGroup(run, group, ({ run: part }) => step(part)) ?? 0 }),
    }
  );
}

/** The words of a measure, also of one that a run has only beside others; undefined: there is none. */
export function wordsOfMeasure(key: string, words?: RecordWords): MeasureWords | undefined {
  if (words === undefined) return firstOf((known) => wordsOfMeasure(key, known));
  return platformMeasures(words).listed.find((measure) => measure.key === key) ?? measureOf(key, words);
}

/** The one spelling of a measure: `kills of "a"` is `kills of a`. Of what is no measure, what was given. */
export function measureKey(key: string, words?: RecordWords): string {
  return measureNamed(key, words)?.key ?? key;
}

/** The part of a run that is one pool's or user's. */
interface GroupPart {
  readonly summaryOfGroup: GroupSummary;
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
  const [summaryOfGroup] = groupSummariesOf(record, group.kind, [group.name], stoppedUs);
  const { preemption } = summary;
  const { kills = { attempts: 0, lostSeconds: 0 } } = summaryOfGroup;
  const run = {
    summary: {
      ...summary,
      jobs: summaryOfGroup.jobs,
      ...definedFields({ deadlines: summaryOfGroup.deadlines }),
      timeToFirstTaskSeconds: summaryOfGroup.timeToFirstTaskSeconds,
      timeToFairShareSeconds: summaryOfGroup.timeToFairShareSeconds,
      waits: { ...summary.waits, pendingSecondsPerTask: summaryOfGroup.pendingSecondsPerTask },
      fairness: { jain: null, belowFairShare: summaryOfGroup.share?.belowFairShare ?? null },
      ...(preemption === undefined
        ? {}
        : { preemption: { ...preemption, kills: kills.attempts, lostSeconds: kills.lostSeconds } }),
    },
    record: { ...record, jobs },
    decisions,
  };
  return { summaryOfGroup, run };
}
