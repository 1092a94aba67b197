import { definedFields } from "../../core/kernel/index.js";
import { keyWord, type Note, type RecordWords, type Stopped, type Summary } from "../../core/record/index.js";
import type { KeptFigures } from "../measures/samples.js";
import { CONFIDENCE, varianceOnGrid } from "../statistics/estimates.js";
import { centralProbability } from "../statistics/student-t.js";
import type { StoppingRule, SweepPlan } from "./sweep-plan.js";

/* The outcomes of a sweep's runs, and the number of replications of a point that they require. */

/** The kept outcome of one run of a sweep: figures that are equal wherever it runs, and apart from them its cost. */
export type RunOutcome = FinishedRun | FailedRun;

/** Undefined: it failed, or has not been done. */
export function finished(run: RunOutcome | undefined): FinishedRun | undefined {
  return run?.outcome === "done" ? run : undefined;
}

export interface FinishedRun extends KeptFigures {
  readonly outcome: "done";
  /** The reason for the end. A stuck run counts as failed, so it is not among these. */
  readonly stopped: Exclude<Stopped, "stuck">;
  readonly virtualSeconds: number;
  readonly counts: RunCounts;
  /** The number of jobs that the pools refused, of all jobs, and the pools that they named; absent: none. */
  readonly refused?: string | undefined;
  /** Virtual time left out as warm-up; 0: none. Null: none either, because no warm-up was found. */
  readonly warmUpSeconds: number | null;
  readonly notes: readonly Note[];
  /** Present only under a plan with `series`, until the run is stored: the record of a sweep has no series. */
  readonly series?: RunSeries;
  readonly cost: RunCost;
}

/** Samples of one run by column name, all columns of equal length. Plain numbers, so that JSON can hold them. */
export type RunSeries = Readonly<Record<string, readonly number[]>>;

/** Counts of a run that are the same on any machine: `jobsSubmitted`, `jobsEnded`, `mapsEnded` and so on. */
export type RunCounts = Readonly<Record<string, number>>;

export function countsOf(summary: Summary): RunCounts {
  const { jobs, tasks, preemption, heartbeats, words } = summary;
  return {
    jobsSubmitted: jobs.submitted,
    jobsEnded: jobs.ended,
    ...Object.fromEntries(words.taskTypes.map(({ key, many: plural }) => [endedKey(plural), tasks[key].ended])),
    ...(preemption === undefined ? {} : { kills: preemption.kills }),
    ...definedFields({ heartbeats }),
  };
}

/** Keys of the counts of the platform's runs, in their order. */
export function countKeys({ taskTypes, has }: RecordWords): string[] {
  return [
    ...["jobsSubmitted", "jobsEnded"],
    ...taskTypes.map(({ many: plural }) => endedKey(plural)),
    ...(has.includes("preemption") ? ["kills"] : []),
    ...(has.includes("heartbeats") ? ["heartbeats"] : []),
  ];
}

function endedKey(plural: string): string {
  return `${keyWord(plural)}Ended`;
}

/**
 * The run cannot be had from this scenario: what it was given is wrong, or its plugin or Bide is. It would fail again.
 */
export interface FailedRun {
  readonly outcome: "failed";
  /** Shown to the user; several lines where there are several problems. */
  readonly error: string;
  readonly cost: RunCost;
}

/** The cost of one run on this machine; differs from time to time, and so is never compared. */
interface RunCost {
  readonly wallSeconds: number;
}

/** A run of a sweep and what came of it. */
export interface SweepRow {
  /** Hash of resolved scenario, seed, code, plugins and what is kept: equal keys, equal figures. */
  readonly key: string;
  /** Place among the plan's points. */
  readonly point: number;
  /** From 0. */
  readonly replication: number;
  readonly seed: string;
  readonly run: RunOutcome;
}

/** Everything a folder of a sweep holds: also one that is not finished. */
export interface SweepRecord {
  readonly plan: SweepPlan;
  /** By point and replication. At most one per (point, replication). */
  readonly rows: readonly SweepRow[];
}

/**
 * The rows of a sweep, by point and replication, as far as they are there. Replications beyond those that the plan
 * wants of a point are not among its rows, even if their outcomes exist.
 * @param keys of each point, of each of the plan's seeds.
 * @param outcomeOf the outcome of the run of this key; undefined: it has not been done.
 */
export function sweepRows(
  plan: SweepPlan,
  keys: readonly (readonly string[])[],
  outcomeOf: (key: string) => RunOutcome | undefined,
): SweepRow[] {
  return plan.points.flatMap(({ index: point }) =>
    wantedRuns(plan, keys[point], outcomeOf).flatMap(({ run, key, replication }) =>
      run === undefined ? [] : [{ key, point, replication, seed: plan.seeds[replication], run }],
    ),
  );
}

/** A replication that its point requires. */
interface WantedRun {
  readonly key: string;
  readonly replication: number;
  /** undefined: it has not been done. */
  readonly run: RunOutcome | undefined;
}

/** Those of one point, by its keys. They may be more once some of them are done. */
export function wantedRuns(
  plan: SweepPlan,
  keys: readonly string[],
  outcomeOf: (key: string) => RunOutcome | undefined,
): WantedRun[] {
  const runs = keys.map((key, replication) => ({ key, replication, run: outcomeOf(key) }));
  return runs.slice(
    0,
    wantedReplications(
      plan,
      runs.map(({ run }) => run),
    ),
  );
}

/**
 * The number of replications that a point requires by its first runs; some of them may be still to be done. It depends
 * on the runs alone, never on the order in which they ended, so two ways through one sweep end with the same
 * replications. A point of which none of the first `plan.replications` runs went well gets no more.
 * @param outcomes of replications 0, 1, ...; undefined: not done. Those after the first gap do not count.
 */
export function wantedReplications(plan: SweepPlan, outcomes: readonly (RunOutcome | undefined)[]): number {
  const { until, replications: least } = plan;
  const gap = outcomes.indexOf(undefined);
  const runs = gap < 0 ? outcomes : outcomes.slice(0, gap);
  if (until === null || runs.length < least) return least;
  if (runs.slice(0, least).every((run) => run?.outcome === "failed")) return least;
  const values = runs.map((run) => finished(run)?.values[until.measure] ?? null);
  const steps = runs.map((run) => finished(run)?.steps?.[until.measure] ?? 0);
  return enoughReplications(values, until, least, steps) ?? runs.length + 1;
}

/** Just below the normal quantile of 97.5 %, to which Student's t comes down. */
const LEAST_T = 1.9599;

/**
 * The number of replications of a point that its rule requires: the fewest, from `least` on, whose mean is known well
 * enough, or `rule.most` where no fewer are; null while `values` are too few to decide. `values` are those of
 * replications 0, 1, ... without a gap, so the answer does not depend on the order in which runs end; values beyond the
 * answer change nothing.
 *
 * A replication without a value (null: it failed, or has nothing to measure) counts as one of the point's, and adds
 * nothing to the mean; below two values a mean is never known well enough. A mean of 0 is known well enough only if all
 * values are 0 and lie on no grid, as no half-width is a share of 0: such a point goes to `rule.most`.
 *
 * @param steps per value, of the grid on which it lies; not there: on none.
 */
export function enoughReplications(
  values: readonly (number | null)[],
  rule: StoppingRule,
  least: number,
  steps: readonly number[] = [],
): number | null {
  let n = 0;
  let mean = 0;
  let squares = 0;
  let step = 0;
  for (const [replication, value] of values.slice(0, rule.most).entries()) {
    if (value !== null) {
      // Welford's method: this runs after every run that ends, and must not go through all prefixes.
      const deviation = value - mean;
      mean += deviation / ++n;
      squares += deviation * (value - mean);
      step = Math.max(step, steps[replication] ?? 0);
    }
    const done = replication + 1;
    if (done < least) continue;
    if (done === rule.most || isKnownWell(n, mean, squares, step, rule.relativeHalfWidth)) return done;
  }
  return null;
}

/** Half-width <= share * |mean|, tested the other way round: the interval of that half-width has the confidence. */
function isKnownWell(n: number, mean: number, squares: number, step: number, share: number): boolean {
  if (n < 2) return false;
  const variance = varianceOnGrid(squares / (n - 1), step);
  if (variance === 0) return true;
  const t = (share * Math.abs(mean)) / Math.sqrt(variance / n);
  return t > LEAST_T && centralProbability(t, n - 1) >= CONFIDENCE;
}
