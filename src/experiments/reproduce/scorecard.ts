import { estimate, type Estimate } from "../statistics/estimates.js";
import { pointEstimates } from "../sweep/sweep-results.js";
import type { SweepRecord } from "../sweep/sweep-record.js";

/**
 * Published figures beside measured ones. The published values come from a data file; nothing here knows one. A row is
 * measured at a point of a sweep, as a ratio of two of its points, or by a formula.
 */

export const ROW_KINDS = ["hard", "shape", "physics", "fitted", "variant", "missing"] as const;

/**
 * `hard`: a formula or a mechanism, which must agree. `shape`: a result of an experiment whose cluster nobody knows in
 * full. `physics`: a law that needs no paper. `fitted`: judged on what a parameter was chosen by, so it does not count.
 * `variant`: measured under a setting that the experiment did not have, for comparison; it does not count.
 * `missing`: cannot be expressed.
 */
export type RowKind = (typeof ROW_KINDS)[number];

/** What is known: a number, or bounds. */
export interface Published {
  readonly value?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** How far from the value a measured mean may be: in its unit, or as a share of the value. Bounds have none. */
export interface Tolerance {
  readonly absolute?: number | undefined;
  readonly relative?: number | undefined;
}

/** The label of a step by the name of its axis, for every axis of the sweep. */
export type PointName = Readonly<Record<string, string>>;

export type Measurement =
  | { readonly sweep: string; readonly measure: string; readonly at: PointName }
  /** Replication by replication, the measure at `of` over that at `to`. */
  | { readonly sweep: string; readonly measure: string; readonly of: PointName; readonly to: PointName }
  | { readonly formula: FormulaName; readonly with: Readonly<Record<string, number>> };

export type RowUnit = "share" | "seconds" | "ratio" | "count";

export interface PublishedRow {
  /** `fig7.bin5`; what stands before the point names its experiment. */
  readonly id: string;
  readonly kind: RowKind;
  readonly what: string;
  readonly source: string;
  /** 5: read in the paper; 3 or less: from memory only. */
  readonly confidence: number;
  readonly unit: RowUnit;
  readonly published: Published;
  readonly tolerance: Tolerance;
  readonly isQuick: boolean;
  /** null: there is none, and `why` says why. */
  readonly measurement: Measurement | null;
  /** What explains a miss, what was fitted, why a variant is none that was run, or why the row is missing; empty: nothing is known. */
  readonly why: string;
}

export type Verdict = "within" | "missed" | "missing";

export interface JudgedRow {
  readonly row: PublishedRow;
  readonly verdict: Verdict;
  /** null: nothing was measured. */
  readonly measured: Estimate | null;
}

/**
 * Whether a mean agrees with what is published. The ends of a range count as within, also where they cannot be written
 * exactly in binary. A measurement without a value is missed: a run that fails must not make a row better.
 */
export function verdictOf(
  mean: number | null,
  published: Published,
  tolerance: Tolerance,
): Exclude<Verdict, "missing"> {
  if (mean === null || !Number.isFinite(mean)) return "missed";
  const { value, atLeast, atMost } = published;
  const slack = 1e-9 * Math.max(1, Math.abs(mean));
  if (atLeast !== undefined && mean < atLeast - slack) return "missed";
  if (atMost !== undefined && mean > atMost + slack) return "missed";
  if (value === undefined) return "within";
  const allowed = tolerance.absolute ?? (tolerance.relative ?? 0) * Math.abs(value);
  return Math.abs(mean - value) <= allowed + slack ? "within" : "missed";
}

/** Fewer single runs than that say too little of their spread. */
const LEAST_RUNS = 5;

/** From the least to the most that a single run measured; null: there are too few runs. */
export function spreadOf(measured: Pick<Estimate, "values"> | null): readonly [least: number, most: number] | null {
  const values = (measured?.values ?? []).filter((value) => value !== null);
  if (values.length < LEAST_RUNS) return null;
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
}

/**
 * Whether what is published could have been one of the runs: papers print one run of one schedule, and the mean of many
 * runs may be far from it. It changes no verdict.
 */
export function isInSpread(measured: Pick<Estimate, "values"> | null, { value, atLeast, atMost }: Published): boolean {
  const spread = spreadOf(measured);
  if (spread === null) return false;
  const [least, most] = spread;
  if (value !== undefined) return least <= value && value <= most;
  return (atLeast === undefined || most >= atLeast) && (atMost === undefined || least <= atMost);
}

/** @param records what came of each sweep, by its name. */
export function judge(
  rows: readonly PublishedRow[],
  records: ReadonlyMap<string, SweepRecord>,
  formulas: Formulas,
): JudgedRow[] {
  return rows.map((row) => {
    if (row.measurement === null) return { row, verdict: "missing", measured: null };
    const measured = measuredOf(row.measurement, records, formulas);
    return { row, measured, verdict: verdictOf(measured.mean, row.published, row.tolerance) };
  });
}

function measuredOf(measurement: Measurement, records: ReadonlyMap<string, SweepRecord>, formulas: Formulas): Estimate {
  if ("formula" in measurement) return estimate([formulas[measurement.formula](measurement.with)]);
  const record = records.get(measurement.sweep);
  if (record === undefined) return estimate([]);
  if ("at" in measurement) return estimateAt(record, measurement.measure, measurement.at);
  const of = estimateAt(record, measurement.measure, measurement.of).values;
  const to = estimateAt(record, measurement.measure, measurement.to).values;
  return estimate(
    of.map((value, i) => {
      const other = to[i] ?? null;
      return value === null || other === null || other === 0 ? null : value / other;
    }),
  );
}

function estimateAt(record: SweepRecord, measure: string, name: PointName): Estimate {
  const index = pointIndex(record.plan, name);
  const found = index === null ? undefined : pointEstimates(record)[index].measures[measure];
  return found ?? estimate([]);
}

/** null: there is no such point, or several. */
export function pointIndex({ axes, points }: SweepRecord["plan"], name: PointName): number | null {
  if (Object.keys(name).length !== axes.length) return null;
  const at = points.filter(({ steps }) => axes.every((axis, i) => axis.steps[steps[i]].label === name[axis.name]));
  return at.length === 1 ? at[0].index : null;
}

/**
 * Names of the numbers that formulas take. `lab/formulas.ts` evaluates them: nothing here may know a closed form. The last
 * one is no formula but a count of operations, the same on every machine.
 */
const FORMULAS = {
  skipsPerNode: ["tasks", "nodes", "replication", "locality"],
  waitPerTask: ["tasks", "nodes", "replication", "locality", "slotsPerNode"],
  local: ["preferred", "skips"],
  skipsOfWait: ["waitSeconds", "slotsPerSecond"],
  jobLocality: ["tasks", "nodes", "replication", "skips"],
  slotsPerSecond: ["slots", "taskSeconds"],
  jobsVisitedPerTask: ["nodes", "jobs", "pools", "tasksPerJob"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type FormulaName = keyof typeof FORMULAS;

export const FORMULA_NAMES = Object.keys(FORMULAS) as FormulaName[];

export type Formulas = Readonly<Record<FormulaName, (given: Readonly<Record<string, number>>) => number>>;

/** Names of the numbers that a formula takes. */
export function argumentsOf(name: FormulaName): readonly string[] {
  return FORMULAS[name];
}

/** Rows that count, and how many of them are within. */
export interface Score {
  readonly within: number;
  readonly of: number;
}

/** What a score needs of a row. */
export interface Scored {
  readonly row: Pick<PublishedRow, "kind">;
  readonly verdict: Verdict;
}

/** Whether rows of the kind count. */
export function isCounted(kind: RowKind): boolean {
  return kind !== "fitted" && kind !== "variant" && kind !== "missing";
}

/** By kind, and of all that count. */
export function scores(rows: readonly Scored[]): Readonly<Record<RowKind | "all", Score>> {
  const score = (counts: (kind: RowKind) => boolean): Score => {
    const own = rows.filter(({ row }) => counts(row.kind));
    return { within: own.filter(({ verdict }) => verdict === "within").length, of: own.length };
  };
  const byKind = Object.fromEntries(ROW_KINDS.map((kind) => [kind, score((one) => one === kind)]));
  return {
    ...(byKind as Record<RowKind, Score>),
    all: score(isCounted),
  };
}
