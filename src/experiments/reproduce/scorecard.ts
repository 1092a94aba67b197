import { sumOver } from "../../core/kernel/index.js";
import { estimate, type Estimate, momentsOf, varianceOnGrid } from "../statistics/estimates.js";
import { pointEstimates } from "../sweep/sweep-results.js";
import type { SweepRecord } from "../sweep/sweep-record.js";

/**
 * Published figures beside measured ones. The published values come from a data file; nothing here knows one. A row is
 * measured at a point of a sweep, as a ratio of two of its points, or by a formula.
 */

export const ROW_KINDS = ["hard", "shape", "physics", "fitted", "variant", "missing"] as const;

/**
 * `hard`: a formula or a mechanism, which must agree. `shape`: a result of an experiment whose cluster is not known in
 * full. `physics`: a law that needs no paper. `fitted`: judged on what a parameter was chosen by, so it does not count.
 * `variant`: measured under a setting that the experiment did not have, for comparison; it does not count. `missing`:
 * cannot be expressed.
 */
export type RowKind = (typeof ROW_KINDS)[number];

export interface Bounds {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/**
 * The printed result of the source: a number, bounds, or the most of many (`upTo`); nothing where it only gives the
 * direction.
 */
export interface Published extends Bounds {
  readonly value?: number | undefined;
  readonly upTo?: number | undefined;
}

/** Allowed distance of a measured mean from the value: in its unit, or as a share of the value. Bounds have none. */
export interface Tolerance {
  readonly absolute?: number | undefined;
  readonly relative?: number | undefined;
}

/** The label of a step by the name of its axis, for every axis of the sweep. */
export type PointName = Readonly<Record<string, string>>;

/** Two points of a sweep. */
export interface Pair {
  readonly of: PointName;
  readonly to: PointName;
}

export type Measurement =
  | { readonly sweep: string; readonly measure: string; readonly at: PointName }
  /** Replication by replication, the measure at `of` over that at `to`. */
  | ({ readonly sweep: string; readonly measure: string } & Pair)
  /** Whether such ratios rise from one pair to the next: see `risingShare`. */
  | { readonly sweep: string; readonly measure: string; readonly trend: readonly Pair[] }
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
  /** The bound that judges the row where no published value or bound can: it is our own choice, not published. */
  readonly ourBound?: Bounds | undefined;
  readonly tolerance: Tolerance;
  readonly isQuick: boolean;
  /** null: there is none, and `why` says why. */
  readonly measurement: Measurement | null;
  /**
   * The reason for a miss, for a fitted parameter, for a variant that was not run, or for a missing row; empty: none is
   * known.
   */
  readonly why: string;
}

/** The basis of a row's verdict. */
type JudgedBy = "value" | "bound" | "ourBound";

/** The part of a row that decides its verdict. */
export type Judged = Pick<PublishedRow, "published" | "ourBound" | "tolerance">;

export function judgedBy({ published, ourBound }: Pick<Judged, "published" | "ourBound">): JudgedBy {
  return ourBound !== undefined ? "ourBound" : published.value !== undefined ? "value" : "bound";
}

/** The range in which a mean agrees with the published value; an infinite end is no limit. */
export type Range = readonly [low: number, high: number];

export function allowedRange({ published, ourBound, tolerance }: Judged): Range {
  const { atLeast = -Infinity, atMost = Infinity } = ourBound ?? published;
  const { value } = published;
  if (ourBound !== undefined || value === undefined) return [atLeast, atMost];
  const allowed = tolerance.absolute ?? (tolerance.relative ?? 0) * Math.abs(value);
  return [Math.max(atLeast, value - allowed), Math.min(atMost, value + allowed)];
}

/** `undecided`: an end of the allowed range is inside the 95 % interval of the mean. */
export type Verdict = "within" | "missed" | "undecided" | "missing";

/** The null model's answer to the row, and whether that agrees. */
export interface NullAnswer {
  readonly value: number;
  readonly verdict: Verdict;
}

/** The range of one more run of ours, and whether the published value lies in it. */
export interface SingleRun {
  readonly low: number;
  readonly high: number;
  /** null: no value of an experiment is published. */
  readonly isInside: boolean | null;
}

export interface JudgedRow {
  readonly row: PublishedRow;
  readonly verdict: Verdict;
  /** null: nothing was measured. */
  readonly measured: Estimate | null;
  /** null: there are too few runs. */
  readonly singleRun: SingleRun | null;
  /** null: it has nothing to say to the row. */
  readonly nullModel: NullAnswer | null;
}

/**
 * Whether a mean agrees, as far as its interval shows. The ends of a range count as within, also where they cannot be
 * written exactly in binary. A measurement without a value is missed: a run that fails must not make a row better.
 */
export function verdictOf(
  { mean, halfWidth }: Pick<Estimate, "mean" | "halfWidth">,
  [low, high]: Range,
): Exclude<Verdict, "missing"> {
  if (mean === null || !Number.isFinite(mean)) return "missed";
  const slack = 1e-9 * Math.max(1, Math.abs(mean));
  const half = halfWidth ?? 0;
  if (mean + half < low - slack || mean - half > high + slack) return "missed";
  return mean - half >= low - slack && mean + half <= high + slack ? "within" : "undecided";
}

/** Fewer single runs than that say too little of their spread. */
const LEAST_RUNS = 5;

/** Standard deviations on either side of the mean, between which about 95 % of single runs lie. */
const DEVIATIONS = 2;

/** Compares our single runs with a published figure that is one run of one schedule. It changes no verdict. */
export function singleRunOf(
  row: Pick<PublishedRow, "kind" | "published" | "ourBound">,
  measured: Estimate,
): SingleRun | null {
  const { n, mean, variance } = momentsOf(measured.values);
  if (n < LEAST_RUNS || mean === null || variance === null) return null;
  const reach = DEVIATIONS * Math.sqrt(varianceOnGrid(variance, measured.step));
  const [low, high] = [mean - reach, mean + reach];
  const { value } = row.published;
  // A formula and a law are no runs.
  const isRun = row.kind !== "hard" && row.kind !== "physics" && judgedBy(row) === "value";
  const slack = 1e-9 * Math.max(1, Math.abs(mean));
  return { low, high, isInside: isRun && value !== undefined ? low - slack <= value && value <= high + slack : null };
}

/**
 * @param records what came of each sweep, by its name.
 * @param nullAnswers what the null model says to the rows that it has something to say to, by their ids.
 */
export function judge(
  rows: readonly PublishedRow[],
  records: ReadonlyMap<string, SweepRecord>,
  formulas: Formulas,
  nullAnswers: ReadonlyMap<string, number> = new Map(),
): JudgedRow[] {
  return rows.map((row) => {
    if (row.measurement === null) return { row, verdict: "missing", measured: null, singleRun: null, nullModel: null };
    const measured = measuredOf(row.measurement, records, formulas);
    const range = allowedRange(row);
    const value = nullAnswers.get(row.id);
    return {
      row,
      measured,
      verdict: verdictOf(measured, range),
      singleRun: singleRunOf(row, measured),
      nullModel: value === undefined ? null : { value, verdict: verdictOf({ mean: value, halfWidth: null }, range) },
    };
  });
}

function measuredOf(measurement: Measurement, records: ReadonlyMap<string, SweepRecord>, formulas: Formulas): Estimate {
  if ("formula" in measurement) return estimate([formulas[measurement.formula](measurement.with)]);
  const record = records.get(measurement.sweep);
  if (record === undefined) return estimate([]);
  const { measure } = measurement;
  if ("at" in measurement) return estimateAt(record, measure, measurement.at);
  if ("of" in measurement) return estimate(ratiosOf(record, measure, measurement));
  const ratios = measurement.trend.map((pair) => ratiosOf(record, measure, pair));
  return estimate(
    ratios[0].map((_, replication) => risingShare(ratios.map((ratiosOfPair) => ratiosOfPair[replication] ?? null))),
  );
}

/** Replication by replication; null where there is no ratio. */
function ratiosOf(record: SweepRecord, measure: string, pair: Pair): (number | null)[] {
  const to = estimateAt(record, measure, pair.to).values;
  return estimateAt(record, measure, pair.of).values.map((value, i) => {
    const divisor = to[i] ?? null;
    return value === null || divisor === null || divisor === 0 ? null : value / divisor;
  });
}

/**
 * Kendall's tau of a series: pairs that rise less pairs that fall, over all pairs; 1: it rises throughout. Null: a
 * value is missing.
 */
export function risingShare(values: readonly (number | null)[]): number | null {
  const signs = values.flatMap((later, j) =>
    values.slice(0, j).map((earlier) => (earlier === null || later === null ? NaN : Math.sign(later - earlier))),
  );
  const mean = sumOver(signs) / signs.length;
  return Number.isNaN(mean) ? null : mean;
}

function estimateAt(record: SweepRecord, measure: string, name: PointName): Estimate {
  const index = pointIndex(record.plan, name);
  const estimated = index === null ? undefined : pointEstimates(record)[index].measures[measure];
  return estimated ?? estimate([]);
}

/** null: there is no such point, or several. */
export function pointIndex({ axes, points }: SweepRecord["plan"], name: PointName): number | null {
  if (Object.keys(name).length !== axes.length) return null;
  const matching = points.filter(({ steps }) =>
    axes.every((axis, i) => axis.steps[steps[i]].label === name[axis.name]),
  );
  return matching.length === 1 ? matching[0].index : null;
}

/** Names of the numbers that formulas take. `lab/formulas.ts` evaluates them: nothing here may know a closed form. */
const FORMULAS = {
  skipsPerNode: ["tasks", "nodes", "replication", "locality"],
  waitPerTask: ["tasks", "nodes", "replication", "locality", "slotsPerNode"],
  local: ["preferred", "skips"],
  skipsOfWait: ["waitSeconds", "slotsPerSecond"],
  jobLocality: ["tasks", "nodes", "replication", "skips"],
  holdersBlocked: ["longShare", "replication", "slotsPerNode"],
  skipsOfRacks: ["tasks", "nodes", "replication", "racks", "locality"],
  slotsPerSecond: ["slots", "taskSeconds"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type FormulaName = keyof typeof FORMULAS;

export const FORMULA_NAMES = Object.keys(FORMULAS) as FormulaName[];

export type Formulas = Readonly<Record<FormulaName, (inputs: Readonly<Record<string, number>>) => number>>;

/** Names of the numbers that a formula takes. */
export function argumentsOf(name: FormulaName): readonly string[] {
  return FORMULAS[name];
}

/** Counts over some rows. */
export interface Score {
  readonly within: number;
  readonly undecided: number;
  readonly of: number;
  /** Rows that the null model passes. */
  readonly nullWithin: number;
  /** Published rows within the tolerance that the null model misses. */
  readonly beyondNull: number;
}

/** The part of a row that a score needs. */
export interface Scored {
  readonly row: Pick<PublishedRow, "kind" | "published" | "ourBound">;
  readonly verdict: Verdict;
  readonly singleRun: Pick<SingleRun, "isInside"> | null;
  readonly nullModel: Pick<NullAnswer, "verdict"> | null;
}

/** Whether rows of the kind count. */
export function isCounted(kind: RowKind): boolean {
  return kind !== "fitted" && kind !== "variant" && kind !== "missing";
}

export interface Scores extends Readonly<Record<RowKind, Score>> {
  /** The score of all rows that count, as the two below. */
  readonly all: Score;
  readonly by: Readonly<Record<JudgedBy, Score>>;
  /** Published values of experiments that our single runs reach, of all such values. */
  readonly singleRuns: { readonly inside: number; readonly of: number };
}

export function scores(rows: readonly Scored[]): Scores {
  const counted = rows.filter(({ row }) => isCounted(row.kind));
  const byKind = ROW_KINDS.map((kind) => [kind, scoreOf(rows.filter(({ row }) => row.kind === kind))]);
  const by = JUDGED_BY.map((basis) => [basis, scoreOf(counted.filter(({ row }) => judgedBy(row) === basis))]);
  const runs = counted.flatMap(({ singleRun }) => singleRun?.isInside ?? []);
  return {
    ...(Object.fromEntries(byKind) as Record<RowKind, Score>),
    all: scoreOf(counted),
    by: Object.fromEntries(by) as Record<JudgedBy, Score>,
    singleRuns: { inside: runs.filter(Boolean).length, of: runs.length },
  };
}

const JUDGED_BY: readonly JudgedBy[] = ["value", "bound", "ourBound"];

function scoreOf(rows: readonly Scored[]): Score {
  const count = (holds: (row: Scored) => boolean) => rows.filter(holds).length;
  return {
    within: count(({ verdict }) => verdict === "within"),
    undecided: count(({ verdict }) => verdict === "undecided"),
    of: rows.length,
    nullWithin: count(({ nullModel }) => nullModel?.verdict === "within"),
    beyondNull: count(({ verdict, nullModel }) => verdict === "within" && nullModel?.verdict !== "within"),
  };
}
