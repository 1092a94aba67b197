import type { SweepRecord, SweepRow } from "../sweep/run-outcome.js";
import type { SweepPlan, SweepPoint } from "../sweep/sweep-plan.js";
import { holmAdjusted } from "./holm.js";
import { pairedTest, type PairedTest } from "./paired-test.js";
import { largestStep, rowsByPoint, valuesOf } from "./point-estimates.js";

/** What points are compared with. */
export type PointBaseline =
  /** All with one. */
  | { readonly kind: "point"; readonly index: number }
  /** Each with the one that is at this step of an axis, and on all other axes where it is itself. */
  | { readonly kind: "axis"; readonly axis: string; readonly step: number };

export interface ComparedMeasure extends PairedTest {
  /** Of the tests of this measure at all points, by Holm. */
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
 * Every point of the plan beside its baseline, seed by seed: seeds are common to all points, so what they do to both cancels.
 *
 * @throws RangeError if the plan has no such point, axis or step.
 */
export function pointDifferences(record: SweepRecord, baseline: PointBaseline): PointDifference[] {
  const { plan } = record;
  const rows = rowsByPoint(record);
  const baselines = baselinesOf(plan, baseline);
  const tested = plan.measures.map((key) => [key, compareAll(rows, baselines, key)] as const);
  return plan.points.map((point) => {
    const other = baselines[point.index];
    if (other === null) return { point, baseline: null, measures: null };
    const own = tested.map(([key, tests]) => [key, tests[point.index] as ComparedMeasure] as const);
    return { point, baseline: other, measures: Object.fromEntries(own) };
  });
}

/** One measure at all points; null where there is nothing to compare with. */
function compareAll(
  rows: readonly (readonly SweepRow[])[],
  baselines: readonly (SweepPoint | null)[],
  key: string,
): (ComparedMeasure | null)[] {
  const values = rows.map((own) => valuesOf(own, key));
  const steps = rows.map((own) => largestStep(own, key));
  const tests = baselines.map((baseline, point) =>
    baseline === null
      ? null
      : pairedTest(
          ...ofEqualLength(values[point], values[baseline.index]),
          Math.max(steps[point], steps[baseline.index]),
        ),
  );
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
    if (plan.points.at(index)?.index !== index) throw new RangeError(`there is no point ${String(index)}`);
    return plan.points.map((point) => (point.index === index ? null : plan.points[index]));
  }
  const axis = plan.axes.findIndex(({ name }) => name === baseline.axis);
  const { step } = baseline;
  if (axis < 0) throw new RangeError(`there is no axis ${baseline.axis}`);
  if (plan.axes[axis].steps.at(step) === undefined || step < 0)
    throw new RangeError(`there is no step ${String(step)}`);
  const bySteps = new Map(plan.points.map((point) => [point.steps.join(","), point]));
  return plan.points.map(({ steps }) => {
    if (steps[axis] === step) return null;
    const others = steps.map((own, i) => (i === axis ? step : own));
    return bySteps.get(others.join(",")) ?? null;
  });
}
