import {
  capital,
  LAUNCH,
  type RecordWords,
  type WaitFound,
  type WaitReason,
  waitWords,
  type WaitWords,
} from "../core/record/index.js";
import { maxOver, sumOver, printable, definedFields, tally } from "../core/kernel/index.js";
import type { ExplainedJob, StageRow, StageTaskTimes } from "../io/index.js";
import { added, boldLines, longestJobs, secondsText, sharesTable, wordsTable } from "./explain-report.js";
import { counted, fitted, NO_PAINT, type Paint, textTable, wrap, WIDTH } from "./tables.js";

type Job = Omit<ExplainedJob, "tasks">;

/** A part of a time: what it went to, and what was free meanwhile. */
interface StageShare {
  readonly reason: string;
  readonly level: string | null;
  /** Job that held most of what was taken; the same job; of several jobs, others; null: nobody says. */
  readonly by: number | "itself" | "others" | null;
  readonly us: number;
  readonly opportunities: number;
  readonly freeUs: number;
  /** Of its last row. */
  readonly reached: number | null;
  readonly bound: number | null;
}

/** A stage, or the job itself (null), as a part of the job's time. */
interface StagePart {
  readonly stage: number | null;
  readonly name: string | null;
  readonly fromUs: number;
  readonly toUs: number;
}

/** The longest task takes this many times the median at least, where a stage is called skewed. */
const SKEWED = 2;

/** Whether its longest task took much longer than the others, and the stage took longer for it. */
export function isSkewed({ medianUs, longestUs, aloneUs }: StageTaskTimes): boolean {
  return aloneUs > 0 && longestUs >= SKEWED * medianUs;
}

/** The shares of a time: of a stage, of a job, or of several jobs together. They sum to `us`. */
interface ExplainedStages {
  readonly fromUs: number;
  readonly toUs: number;
  readonly us: number;
  readonly hasEnded: boolean;
  readonly shares: readonly StageShare[];
  /** Tasks that were launched, by level; null: a level means nothing to them. */
  readonly launches: readonly { readonly level: string | null; readonly tasks: number }[];
  /** Of a job: one after the other, the stages that its time went to. */
  readonly parts: readonly StagePart[];
  readonly chain: readonly StageRow[];
}

/** Of one stage, from its submission to its end. Null: the log has none of it. */
export function explainStage(job: Job, stage: number, rows: readonly StageRow[]): ExplainedStages | null {
  const stageRows = rows.filter((row) => row.stage === stage);
  const times = stageRows.filter(({ reason }) => reason !== LAUNCH);
  if (times.length === 0) return null;
  const [fromUs, toUs] = [times[0].fromUs, Math.max(...times.map((row) => row.toUs))];
  return {
    fromUs,
    toUs,
    us: toUs - fromUs,
    hasEnded: job.endUs !== null && toUs <= job.endUs,
    shares: sharesOf(job.job, stageRows, [{ stage, name: stageRows[0].stageName, fromUs, toUs }]),
    launches: launchesOf(stageRows),
    parts: [],
    chain: inTime(stageRows),
  };
}

/** Of a job, from its submission to its end: the time of the stages that it waited for, one after the other. */
export function explainJob(job: Job, rows: readonly StageRow[], { reasons }: WaitWords): ExplainedStages {
  const toUs = job.endUs ?? maxOver(rows, (row) => row.toUs, job.submitUs);
  const forOthers = new Set(reasons.filter(({ isForOthers }) => isForOthers === true).map(({ key }) => key));
  const parts = pathOf(runsOf(rows.filter(({ reason }) => !forOthers.has(reason))), job.submitUs, toUs);
  return {
    fromUs: job.submitUs,
    toUs,
    us: toUs - job.submitUs,
    hasEnded: job.endUs !== null,
    shares: sharesOf(job.job, rows, parts),
    launches: launchesOf(rows),
    parts,
    chain: inTime(rows),
  };
}

/** Sums over several jobs. Which other job held the resources is not told apart. */
export function explainJobs(jobs: readonly ExplainedStages[]): ExplainedStages {
  const shares = jobs
    .flatMap((job) => job.shares)
    .map((share): StageShare => ({
      ...share,
      by: typeof share.by === "number" ? "others" : share.by,
    }));
  const launches = new Map<string | null, number>();
  for (const { level, tasks } of jobs.flatMap((job) => job.launches)) {
    tally(launches, level, tasks);
  }
  return {
    fromUs: jobs.reduce((first, { fromUs }) => Math.min(first, fromUs), Infinity),
    toUs: maxOver(jobs, ({ toUs }) => toUs, 0),
    us: sumOver(jobs, ({ us }) => us),
    hasEnded: jobs.every(({ hasEnded }) => hasEnded),
    shares: added(shares, () => SUMS),
    launches: [...launches].map(([level, tasks]) => ({ level, tasks })),
    parts: [],
    chain: [],
  };
}

/** First and last instant of each stage in the rows; of the job itself, of each time in which it waits. */
function runsOf(rows: readonly StageRow[]): StagePart[] {
  const runs: { -readonly [Key in keyof StagePart]: StagePart[Key] }[] = [];
  const lastRun = new Map<number | null, (typeof runs)[number]>();
  for (const { stage, stageName, fromUs, toUs, reason } of rows) {
    if (reason === LAUNCH) continue;
    const run = lastRun.get(stage);
    if (run === undefined || (stage === null && fromUs > run.toUs)) {
      const begun = { stage, name: stageName, fromUs, toUs };
      runs.push(begun);
      lastRun.set(stage, begun);
    } else {
      run.fromUs = Math.min(run.fromUs, fromUs);
      run.toUs = Math.max(run.toUs, toUs);
    }
  }
  return runs;
}

/**
 * Returns the critical path, followed back from the end: the stage that ended there, then the stage that ended when the
 * later one was submitted, and so on. Of several, the stage that was submitted first. The path breaks off at an instant
 * at which no stage ended; its parts then do not sum to the whole.
 */
function pathOf(runs: readonly StagePart[], fromUs: number, toUs: number): StagePart[] {
  const path: StagePart[] = [];
  for (let us = toUs; us > fromUs;) {
    let before: StagePart | undefined;
    for (const run of runs) {
      if (run.toUs !== us || run.fromUs >= us) continue;
      if (before === undefined || run.fromUs < before.fromUs) before = run;
    }
    if (before === undefined) break;
    path.unshift(before);
    us = before.fromUs;
  }
  return path;
}

/** Shares of the rows that belong to these parts. */
function sharesOf(job: number, rows: readonly StageRow[], parts: readonly StagePart[]): StageShare[] {
  const shares = parts.flatMap(({ stage, fromUs, toUs }) =>
    rows.flatMap((row): StageShare[] => {
      const { reason, level, takenBy, opportunities, freeUs, reached, bound } = row;
      if (row.stage !== stage || reason === LAUNCH || row.fromUs < fromUs || row.toUs > toUs) return [];
      const us = row.toUs - row.fromUs;
      return [{ reason, level, by: takerOf(job, takenBy), us, opportunities, freeUs, reached, bound }];
    }),
  );
  return added(shares, () => SUMS);
}

const SUMS = ["us", "opportunities", "freeUs"] as const;

function takerOf(job: number, takenBy: number | null): StageShare["by"] {
  return takenBy === job ? "itself" : takenBy;
}

function launchesOf(rows: readonly StageRow[]): ExplainedStages["launches"] {
  const tasks = new Map<string | null, number>();
  for (const { reason, level, opportunities } of rows) {
    if (reason === LAUNCH) tally(tasks, level, opportunities);
  }
  return [...tasks].map(([level, count]) => ({ level, tasks: count }));
}

function inTime(rows: readonly StageRow[]): StageRow[] {
  return [...rows].sort((a, b) => a.fromUs - b.fromUs || (a.stage ?? -1) - (b.stage ?? -1));
}

interface ReportWords {
  readonly words: RecordWords;
  readonly waits: WaitWords;
  readonly jobOf: (job: number) => string;
}

/**
 * @param subject whose time it is: `job 3 (etl, pool default)`. @param longest jobs of several, by what to call them.
 */
export function explainStagesReport(
  subject: string,
  explained: ExplainedStages,
  words: ReportWords,
  options: {
    readonly withChain?: boolean;
    readonly longest?: readonly { readonly job: string; readonly explained: ExplainedStages }[];
    /** Of a group. */
    readonly preemption?: readonly PreemptionShare[];
    /** Of the stage, or of those that the time of the job went to: the skewed ones. */
    readonly skewed?: readonly { readonly stage: string; readonly tasks: StageTaskTimes }[];
    readonly paint?: Paint;
  } = {},
): string {
  const { withChain = false, longest = [], skewed = [], preemption = [], paint = NO_PAINT } = options;
  const { us, hasEnded, parts, chain } = explained;
  const width = paint.widthColumns ?? WIDTH;
  const until = hasEnded ? `to ${longest.length > 1 ? "their ends" : "its end"}` : "to the end of what is known";
  const took = `${capital(subject)} took ${secondsText(us)} from ${longest.length > 1 ? "their submissions" : "its submission"} ${until}.`;
  const lines = boldLines(took, paint);
  for (const { stage, tasks } of skewed) lines.push(...wrap(skewText(stage, tasks), width));
  lines.push(...sharesText(explained, words, paint));
  lines.push(...wrap(launchesText(explained), width).map((line, i) => (i === 0 ? `\n${line}` : line)));
  if (parts.length > 1) lines.push("", "Its time went to these, one after the other:", ...partsTable(parts, paint));
  if (longest.length > 1) lines.push("", ...longestTable(longest, words, paint));
  lines.push(...preemptionText(preemption, words.waits.preemption ?? [], words.words.group.one, paint));
  if (withChain && chain.length > 0) lines.push("", ...chainTable(chain, words, paint));
  return fitted(`${lines.join("\n")}\n`, paint.widthColumns);
}

function sharesText({ us, shares }: ExplainedStages, words: ReportWords, paint: Paint): string[] {
  const width = paint.widthColumns ?? WIDTH;
  const waited = shares.filter((share) => !isWork(share, words) && share.us > 0);
  if (waited.length === 0) return wrap("No task waited: all ran from the start.", width);
  const { many } = words.words.resources[0];
  const heads = [words.waits.offer.many, `${many} free`, "why"];
  return ["", ...sharesTable(us, shares, heads, (share) => [meanText(share), saysOf(share, words)], paint)];
}

const isWork = ({ reason }: { readonly reason: string }, { waits }: ReportWords) =>
  waits.reasons.find(({ key }) => key === reason)?.isWork === true;

function meanText({ freeUs, us }: Pick<StageShare, "freeUs" | "us">): string {
  const mean = us > 0 ? freeUs / us : 0;
  return Number.isInteger(mean) ? String(mean) : mean.toFixed(1);
}

function saysOf(share: StageShare, { words, waits, jobOf }: ReportWords): string {
  const { one, many } = words.resources[0];
  const mean = meanText(share);
  const { by } = share;
  const taker = by === null ? undefined : by === "itself" ? null : by === "others" ? "other jobs" : jobOf(by);
  const values: WaitFound = {
    level: share.level,
    free: `${mean} ${mean === "1" ? one : many}`,
    reached: share.reached,
    bound: share.bound,
    ...definedFields({ by: taker }),
  };
  return waitWords(waits.reasons, share.reason, values);
}

/** Why preemption took nothing for a group, with the time for each reason. */
interface PreemptionShare {
  readonly reason: string;
  readonly us: number;
  /** Value at the last check with this reason; counts are sums over all checks. */
  readonly reached: number | null;
  readonly bound: number | null;
}

/** @param rows of the leaves of one group. @param reasons of the platform. */
export function preemptionShares(
  rows: readonly (Omit<PreemptionShare, "us"> & { readonly fromUs: number; readonly toUs: number })[],
  reasons: readonly WaitReason[] = [],
): PreemptionShare[] {
  const shares = rows.map(({ reason, fromUs, toUs, reached, bound }) => ({
    reason,
    us: toUs - fromUs,
    reached,
    bound,
  }));
  const counts = new Set(reasons.filter(({ isCount }) => isCount === true).map(({ key }) => key));
  const isCounted = ({ reason, reached }: PreemptionShare) => counts.has(reason) && reached !== null;
  return added(shares, (share) => (isCounted(share) ? ["us", "reached"] : ["us"]));
}

/** A table, with the lines before it. @param groupWord a group of jobs, in words. */
export function preemptionText(
  shares: readonly PreemptionShare[],
  reasons: readonly WaitReason[],
  groupWord: string,
  paint: Paint,
): string[] {
  if (shares.length === 0) return [];
  const rows = shares.map((share) => [
    secondsText(share.us),
    waitWords(reasons, share.reason, { ...share, level: null, free: "" }),
  ]);
  const title = `What preemption did for the ${groupWord} while it asked for more, and why not more:`;
  return ["", ...wrap(title, paint.widthColumns ?? WIDTH), ...wordsTable([["time", "why"], ...rows], paint)];
}

function skewText(stage: string, { longestTask, longestUs, medianUs, aloneUs }: StageTaskTimes): string {
  const took = `task ${longestTask} took ${secondsText(longestUs)} against a median of ${secondsText(medianUs)}`;
  return `${capital(stage)} is skewed: ${took}, and ran alone for the last ${secondsText(aloneUs)}.`;
}

function launchesText({ launches }: ExplainedStages): string {
  const sum = sumOver(launches, ({ tasks }) => tasks);
  if (sum === 0) return "Nothing was launched.";
  const levels = launches.flatMap(({ level, tasks }) => (level === null ? [] : [`${tasks} at ${level} level`]));
  return `Launched ${counted(sum, "task")}${levels.length === 0 ? "" : `: ${levels.join(", ")}`}.`;
}

function partsTable(parts: readonly StagePart[], paint: Paint): string[] {
  const rows = parts.map(({ stage, name, fromUs, toUs }, place) => [
    stage === null ? "-" : String(stage),
    name === null ? `${place === 0 ? "before" : "after"} its stages` : printable(name),
    secondsText(fromUs),
    secondsText(toUs),
    secondsText(toUs - fromUs),
  ]);
  return textTable([["stage", "name", "from", "to", "time"], ...rows], (column) => column === 1, paint.widthColumns);
}

function longestTable(
  jobs: readonly { readonly job: string; readonly explained: ExplainedStages }[],
  words: ReportWords,
  paint: Paint,
): string[] {
  const [longest, title] = longestJobs(jobs, ({ explained }) => explained.us, "longest");
  const rows = longest.map(({ job, explained: { us, shares } }) => {
    const waits = shares.find((share) => !isWork(share, words));
    return [secondsText(us), job, waits === undefined ? "-" : `${secondsText(waits.us)} ${saysOf(waits, words)}`];
  });
  return [...title, ...wordsTable([["time", "job", "longest wait"], ...rows], paint, 1)];
}

function chainTable(chain: readonly StageRow[], words: ReportWords, paint: Paint): string[] {
  const rows = chain.map((row) => {
    const { stage, fromUs, toUs, reason, level, takenBy, job, opportunities } = row;
    const isLaunch = reason === LAUNCH;
    const share = { ...row, us: toUs - fromUs, by: takerOf(job, takenBy) };
    const launched = `launched ${counted(opportunities, "task")}${level === null ? "" : ` at ${level} level`}`;
    return [
      ...[secondsText(fromUs), secondsText(toUs), stage === null ? "-" : String(stage)],
      ...(isLaunch ? ["-", "-", launched] : [String(opportunities), meanText(share), saysOf(share, words)]),
    ];
  });
  const { many } = words.words.resources[0];
  return wordsTable([["from", "to", "stage", words.waits.offer.many, `${many} free`, "what"], ...rows], paint);
}
