import { sumOver, maxOver, minOver, Lists } from "../../core/kernel/index.js";
import { notesOfRuns, type PoolNote, type RecordWords } from "../../core/record/index.js";
import { areAlike, sampleOf } from "../measures/samples.js";
import { knownPlatforms } from "../measures/listed-measures.js";
import { USUAL_WORDS } from "../measures/measure.js";
import { wordsOfMeasure } from "../measures/pool-measures.js";
import { type ModelError, relativeErrorOf } from "../model-error.js";
import {
  estimate,
  type Estimate,
  momentsOf,
  quantileEstimate,
  type QuantileEstimate,
} from "../statistics/estimates.js";
import { bandedDifference, meanOfDraws } from "../statistics/bands.js";
import { holmAdjusted, pairedTest, type PairedTest } from "../statistics/tests.js";
import type { SweepPlan, SweepPoint } from "./sweep-plan.js";
import {
  countKeys,
  finished,
  type FinishedRun,
  type RunOutcome,
  type SweepRecord,
  type SweepRow,
  wantedReplications,
} from "./sweep-record.js";

/* Results of a sweep's points: estimates, differences from a baseline, failures, order. */

/** Runs that failed for the same reason, or of which the same jobs were refused. */
export interface FailureKind {
  readonly error: string;
  /** By point and replication. */
  readonly rows: readonly SweepRow[];
}

/** A sweep point by point. */
export interface SweepResults {
  readonly plan: SweepPlan;
  /** Points in the order of the plan, or in a requested one; maybe not all. */
  readonly points: readonly PointResult[];
  /** Those of most runs first. */
  readonly failures: readonly FailureKind[];
  /** Runs that are done without jobs that no pool took, in the same order. */
  readonly refusals: readonly FailureKind[];
  /** Notes of the sweep's runs that have a code. */
  readonly notes: readonly PoolNote[];
  /** Words of the platform that ran them. */
  readonly words: RecordWords;
}

/** Estimates of every point, also of those that nothing was run of. */
export function sweepResults(record: SweepRecord): SweepResults {
  const { plan, rows } = record;
  return {
    plan,
    points: pointEstimates(record),
    failures: kinds(rows, errorOf),
    refusals: kinds(rows, refusedIn),
    notes: codedNotes(rows.map(({ run }) => run)),
    words: wordsOfRuns(rows),
  };
}

/** Those of the platform whose counts the runs have; without a run that is done, of the usual one. */
function wordsOfRuns(rows: readonly SweepRow[]): RecordWords {
  const counts = rows.flatMap(({ run }) => finished(run) ?? []).at(0)?.counts ?? {};
  const keys = Object.keys(counts).join();
  return knownPlatforms().find((words) => countKeys(words).join() === keys) ?? USUAL_WORDS;
}

/** The notes with a code of the runs that are done, each once. */
export function codedNotes(outcomes: readonly RunOutcome[]): PoolNote[] {
  return notesOfRuns(outcomes.map((run) => finished(run)?.notes ?? [])).filter((note) => typeof note !== "string");
}

/** Only these points of it, in this order. */
export function narrowed(results: SweepResults, points: readonly PointResult[]): SweepResults {
  const kept = new Set(points.map(({ point }) => point.index));
  const narrowedKinds = (kindsOfAll: readonly FailureKind[], wordsOf: typeof errorOf) =>
    kinds(
      kindsOfAll.flatMap(({ rows }) => rows.filter(({ point }) => kept.has(point))),
      wordsOf,
    );
  return {
    ...results,
    points,
    failures: narrowedKinds(results.failures, errorOf),
    refusals: narrowedKinds(results.refusals, refusedIn),
  };
}

/** Runs of all the points. */
export function runTotals({ points }: SweepResults): Readonly<Record<"done" | "failed" | "missing", number>> {
  const sum = (key: "done" | "failed" | "missing") => sumOver(points, (point) => point[key]);
  return { done: sum("done"), failed: sum("failed"), missing: sum("missing") };
}

function errorOf({ run }: SweepRow): string | undefined {
  return run.outcome === "failed" ? run.error : undefined;
}

function refusedIn({ run }: SweepRow): string | undefined {
  return finished(run)?.refused;
}

/** Groups rows by their message; rows without one are left out. */
function kinds(rows: readonly SweepRow[], wordsOf: (row: SweepRow) => string | undefined): FailureKind[] {
  const rowsByWords = new Lists<SweepRow, string>();
  for (const row of rows) {
    const words = wordsOf(row);
    if (words !== undefined) rowsByWords.add(words, row);
  }
  return [...rowsByWords]
    .map(([error, sameKind]) => ({
      error,
      rows: sameKind.sort((a, b) => a.point - b.point || a.replication - b.replication),
    }))
    .sort((a, b) => b.rows.length - a.rows.length || a.rows[0].point - b.rows[0].point);
}

/** One measure of one point, over its replications. */
interface SampleEstimate extends Estimate {
  /** Replications that have a value. */
  readonly n: number;
  /** Half-width / |mean|; null where either is unknown or the mean is 0. */
  readonly relativeHalfWidth: number | null;
  /** Standard deviation from one replication to another; null below two values. */
  readonly deviation: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Half of all replications would be below it, the mean of many may not be. */
  readonly median: QuantileEstimate;
}

/** The result of all replications of a point. */
export interface PointResult {
  readonly point: SweepPoint;
  /** Runs that are done, and that failed. */
  readonly done: number;
  readonly failed: number;
  /** Missing replications of those that the plan requires, as far as is known yet. */
  readonly missing: number;
  /** Runs that are done in which a warm-up was looked for and not found, so that all their jobs count. */
  readonly withoutWarmUp: number;
  /** By key, in the order of the plan. */
  readonly measures: Readonly<Record<string, SampleEstimate>>;
}

/** Every point of the plan, in its order; one without runs has estimates of nothing. */
export function pointEstimates(record: SweepRecord): PointResult[] {
  const { plan } = record;
  return pointRuns(record).map(({ outcomes, runs, isFixed }, index) => {
    const done = runs.filter((run) => run !== undefined);
    const ended = outcomes.filter((run) => run !== undefined).length;
    const measures = plan.measures.map((key) => {
      const { values, step } = sampleOf(runs, key, isFixed);
      if (plan.modelError === undefined) return [key, sampleEstimate(values, step)] as const;
      const estimated = sampleEstimate(values);
      const median = { ...estimated.median, interval: null };
      return [key, { ...estimated, ...meanOfDraws(values), relativeHalfWidth: null, median }] as const;
    });
    return {
      point: plan.points[index],
      done: done.length,
      failed: ended - done.length,
      missing: Math.max(0, wantedReplications(plan, outcomes) - ended),
      withoutWarmUp: done.filter(({ warmUpSeconds }) => warmUpSeconds === null).length,
      measures: Object.fromEntries(measures),
    };
  });
}

/** @param step of the grid on which the values lie; 0: on none. */
export function sampleEstimate(values: readonly (number | null)[], step = 0): SampleEstimate {
  const { n, variance } = momentsOf(values);
  const { mean, halfWidth } = estimate(values, step);
  const known = values.filter((value) => value !== null);
  return {
    n,
    mean,
    halfWidth,
    relativeHalfWidth: mean === null || mean === 0 || halfWidth === null ? null : halfWidth / Math.abs(mean),
    deviation: variance === null ? null : Math.sqrt(variance),
    min: n === 0 ? null : minOver(known, Number),
    max: n === 0 ? null : maxOver(known, Number),
    median: quantileEstimate(values, 0.5),
    step,
    values,
  };
}

/** The runs of a point, by replication. */
interface PointRuns {
  /** undefined: not done. */
  readonly outcomes: readonly (RunOutcome | undefined)[];
  /** undefined: not done, or failed. */
  readonly runs: readonly (FinishedRun | undefined)[];
  /** Seeds change nothing: equal values are not so by the chance of a grid. */
  readonly isFixed: boolean;
}

function pointRuns({ plan, rows }: SweepRecord): PointRuns[] {
  const byPoint = plan.points.map((): RunOutcome[] => []);
  for (const { point, replication, run } of rows) byPoint[point][replication] = run;
  return byPoint.map((ofPoint) => {
    // Missing runs are undefined, and not skipped.
    const outcomes = Array.from<RunOutcome | undefined>(ofPoint);
    const runs = outcomes.map(finished);
    return { outcomes, runs, isFixed: areAlike(runs.filter((run) => run !== undefined)) };
  });
}

/** The baseline of points. */
export type PointBaseline =
  /** All with one. */
  | { readonly kind: "point"; readonly index: number }
  /** Each with the one that is at this step of an axis, and on all other axes where it is itself. */
  | { readonly kind: "axis"; readonly axis: string; readonly step: number };

export interface ComparedMeasure extends PairedTest {
  /** Adjusted by Holm over the tests of this measure at all points. */
  readonly adjustedPValue: number | null;
}

export interface PointDifference {
  readonly point: SweepPoint;
  /** Null: it is a baseline itself, or its baseline is not among the plan's points. */
  readonly baseline: SweepPoint | null;
  /** By key, in the order of the plan; null without a baseline. */
  readonly measures: Readonly<Record<string, ComparedMeasure>> | null;
}

/**
 * Every point of the plan beside its baseline, seed by seed: seeds are common to all points, so what they do to both
 * cancels.
 *
 * @throws RangeError if the plan has no such point, axis or step.
 */
export function pointDifferences(record: SweepRecord, baseline: PointBaseline): PointDifference[] {
  const { plan } = record;
  const baselines = baselinesOf(plan, baseline);
  const runs = pointRuns(record);
  const words = wordsOfRuns(record.rows);
  const tested = plan.measures.map((key) => [key, compareAll(runs, baselines, key, plan.modelError, words)] as const);
  return plan.points.map((point) => {
    const baseline = baselines[point.index];
    if (baseline === null) return { point, baseline: null, measures: null };
    const measures = tested.map(([key, tests]) => [key, tests[point.index] as ComparedMeasure] as const);
    return { point, baseline, measures: Object.fromEntries(measures) };
  });
}

/** One measure at all points; null where there is nothing to compare with. @param modelError of an import. */
function compareAll(
  points: readonly PointRuns[],
  baselines: readonly (SweepPoint | null)[],
  key: string,
  modelError: ModelError | undefined,
  words: RecordWords,
): (ComparedMeasure | null)[] {
  const samples = points.map(({ runs, isFixed }) => sampleOf(runs, key, isFixed));
  const tests = baselines.map((baseline, point): PairedTest | null => {
    if (baseline === null) return null;
    const [pointSamples, baselineSamples] = [samples[point], samples[baseline.index]];
    if (modelError === undefined) {
      return pairedTest(
        ...ofEqualLength(pointSamples.values, baselineSamples.values),
        Math.max(pointSamples.step, baselineSamples.step),
      );
    }
    const difference = bandedDifference(
      pointSamples,
      baselineSamples,
      relativeErrorOf(wordsOfMeasure(key, words)?.unit, modelError),
    );
    const n = difference.values.filter((value) => value !== null).length;
    return { n, difference, pValue: null, varianceReduction: null };
  });
  const adjusted = holmAdjusted(tests.map((test) => test?.pValue ?? null));
  return tests.map((test, point) => (test === null ? null : { ...test, adjustedPValue: adjusted[point] }));
}

/** Points can have different numbers of replications; what one has not has no partner. */
function ofEqualLength<T>(a: readonly T[], b: readonly T[]): [T[], T[]] {
  const length = Math.min(a.length, b.length);
  return [a.slice(0, length), b.slice(0, length)];
}

/** Per point. */
function baselinesOf(plan: SweepPlan, baseline: PointBaseline): (SweepPoint | null)[] {
  if (baseline.kind === "point") {
    const { index } = baseline;
    if (plan.points.at(index)?.index !== index) throw new RangeError(`there is no point ${index}`);
    return plan.points.map((point) => (point.index === index ? null : plan.points[index]));
  }
  const axis = plan.axes.findIndex(({ name }) => name === baseline.axis);
  const { step } = baseline;
  if (axis < 0) throw new RangeError(`there is no axis ${baseline.axis}`);
  if (plan.axes[axis].steps.at(step) === undefined || step < 0) throw new RangeError(`there is no step ${step}`);
  const bySteps = new Map(plan.points.map((point) => [point.steps.join(","), point]));
  return plan.points.map(({ steps }) => {
    if (steps[axis] === step) return null;
    const stepsOfOther = steps.map((stepHere, i) => (i === axis ? step : stepHere));
    return bySteps.get(stepsOfOther.join(",")) ?? null;
  });
}

/** The order of points: by a measure's key, or by an axis's place. */
export type OrderBy = { readonly measure: string } | { readonly axis: number };

/** By the mean or the step; points without the value come last either way, and equals keep their order. */
export function ordered({ points }: SweepResults, by: OrderBy, isDescending: boolean): PointResult[] {
  const valueOf = ({ point, measures }: PointResult) =>
    "measure" in by ? measures[by.measure].mean : point.steps[by.axis];
  return [...points].sort((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)];
    if (first === null || second === null) return (first === null ? 1 : 0) - (second === null ? 1 : 0);
    return isDescending ? second - first : first - second;
  });
}
