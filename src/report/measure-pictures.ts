import { noteText } from "../core/record/index.js";
import {
  type Band,
  type Comparison,
  boundsOf,
  type Estimate,
  excludesZero,
  hasFewDraws,
  hasFewRuns,
  isFixed,
  runTotals,
  type SweepResults,
  type MeasureWords,
} from "../experiments/index.js";
import { distinctLabels, shortLabel } from "../io/index.js";
import { comparisonTables } from "./comparison-report.js";
import { failureLines, listed, refusedLines, usualMeasures } from "./sweep-report.js";
import { bandWords, FEW_RUNS_WORDS, isWorthAStar, unitWord } from "./words.js";

/** What a page shows of a comparison or a sweep: measures by system or by point. Shares are in percent. */

export interface PicturedMeasure {
  readonly key: string;
  readonly title: string;
  /** `s`, `%`; empty for plain numbers. */
  readonly unit: string;
  /** Between what its values are; null: there is no such end. */
  readonly bounds: readonly [low: number | null, high: number | null];
}

/** Mean and half-width of its 95 % interval; the latter is null below two values, and where seeds change nothing. */
export interface PicturedEstimate {
  readonly mean: number;
  readonly half: number | null;
  /** The interval rests on fewer runs than it needs. */
  readonly isOfFew?: true;
  /** In place of a half-width: of a difference on an import. */
  readonly band?: Band;
}

export interface ComparisonPicture {
  readonly folder: string;
  readonly scenario: string;
  readonly why: string;
  readonly seeds: readonly string[];
  readonly notes: readonly string[];
  readonly systems: readonly PicturedSystem[];
  /** Those of which some system has a value. */
  readonly measures: readonly ComparedMeasure[];
  /** What bands are, in place of intervals; null: it is of no import. */
  readonly bands: string | null;
  readonly tables: readonly {
    readonly title: string;
    readonly columns: readonly { readonly label: string; readonly cells: readonly string[] }[];
  }[];
}

export interface PicturedSystem {
  readonly label: string;
  /** Without its point. */
  readonly own: string;
  readonly point: string;
  readonly kind: string;
  readonly wait: string;
  /** Label of the system that it is compared with. */
  readonly baseline: string | null;
}

export interface ComparedMeasure extends PicturedMeasure {
  /** By system; `values` by seed, empty where they are too many for a page. */
  readonly found: readonly ((PicturedEstimate & { readonly values: readonly (number | null)[] }) | null)[];
  /**
   * By system: minus the baseline, seed by seed. `differs`: its interval excludes 0, by more than a grid step; or its
   * band does.
   */
  readonly differences: readonly ((PicturedEstimate & { readonly differs: boolean }) | null)[];
}

export interface SweepPicture {
  readonly folder: string;
  readonly name: string;
  readonly why: string;
  readonly runs: { readonly done: number; readonly failed: number; readonly missing: number };
  readonly seeds: number;
  /** What the mark of intervals of too few runs means; null: there is none. */
  readonly fewRuns: string | null;
  /** Estimates have intervals: it is of no import. */
  readonly hasIntervals: boolean;
  readonly notes: readonly string[];
  readonly axes: readonly {
    readonly name: string;
    readonly unit: "seconds" | "bytes" | "none";
    readonly steps: readonly { readonly label: string; readonly quantity: number | null }[];
  }[];
  /** The usual ones first; how many of them a table shows. */
  readonly measures: readonly PicturedMeasure[];
  readonly usual: number;
  readonly points: readonly {
    readonly steps: readonly number[];
    /** Runs that are done. */
    readonly runs: number;
    /** By measure. */
    readonly found: readonly (PicturedEstimate | null)[];
  }[];
}

/** Estimates that a page holds at most, and values of single runs. */
const MOST_ESTIMATES = 40_000;

const digits = (value: number): number => Number(value.toPrecision(5));

function factorOf({ unit }: MeasureWords): number {
  return unit === "share" ? 100 : 1;
}

export function pictured(measure: MeasureWords): PicturedMeasure {
  const [low, high] = boundsOf(measure).map((bound) => (Number.isFinite(bound) ? bound * factorOf(measure) : null));
  return {
    key: shortLabel(measure.key),
    title: shortLabel(measure.title),
    unit: unitWord(measure),
    bounds: [low, high],
  };
}

export function estimated(found: Omit<Estimate, "step"> | undefined, measure: MeasureWords): PicturedEstimate | null {
  if (found === undefined || found.mean === null) return null;
  const factor = factorOf(measure);
  const { band } = found;
  return {
    mean: digits(found.mean * factor),
    half: found.halfWidth === null || isFixed(found) ? null : digits(found.halfWidth * factor),
    ...((hasFewRuns(found) && !isFixed(found)) || hasFewDraws(found) ? { isOfFew: true } : {}),
    ...(band === undefined
      ? {}
      : { band: { low: digits(band.low * factor), high: digits(band.high * factor), verdict: band.verdict } }),
  };
}

export function comparisonPicture(comparison: Comparison, folder: string): ComparisonPicture {
  const { scenario, why, seeds, systems, notes, stuck = [], refused = [], modelError } = comparison;
  const labels = distinctLabels(systems.map(({ name }) => name));
  const labelOf = new Map(systems.map(({ name }, at) => [name, labels[at]]));
  const keys = [...new Set(systems.flatMap(({ measures }) => Object.keys(measures)))];
  const hasValues = keys.length * systems.length * seeds.length <= MOST_ESTIMATES;
  const measures = listed(keys, comparison.words).map((measure): ComparedMeasure => {
    const factor = factorOf(measure);
    return {
      ...pictured(measure),
      found: systems.map((system) => {
        const of = (system.measures as Partial<typeof system.measures>)[measure.key];
        const found = estimated(of, measure);
        const values = hasValues ? (of?.values ?? []) : [];
        return found === null
          ? null
          : { ...found, values: values.map((v) => (v === null ? null : digits(v * factor))) };
      }),
      differences: systems.map(({ differences }) => {
        const of = (differences as Partial<NonNullable<typeof differences>> | null)?.[measure.key];
        const found = estimated(of, measure);
        if (of === undefined || found === null) return null;
        const isSure = excludesZero(of) && isWorthAStar(of, measure.unit);
        return { ...found, differs: of.band === undefined ? isSure : of.band.verdict === "differs" };
      }),
    };
  });
  return {
    folder: shortLabel(folder),
    scenario: shortLabel(scenario),
    why: why.trim().replace(/\s+/g, " "),
    seeds,
    notes: [
      ...notes.map(noteText),
      ...stuck.map((one) => `${one.system}, seed ${one.seed}: ${one.why.join("; ")}`),
      ...refused.map((one) => `${one.system}, seed ${one.seed}: ${one.why}`),
    ].slice(0, 20),
    systems: systems.map(({ name, point, kind, waits, baseline }, at) => ({
      label: labels[at],
      own: shortLabel(point === "" ? name : name.slice(0, -1 - point.length)),
      point: shortLabel(point),
      kind: shortLabel(kind),
      wait: waits,
      baseline: baseline === null ? null : (labelOf.get(baseline) ?? null),
    })),
    measures: measures.filter(({ found }) => found.some((one) => one !== null)),
    bands: modelError === undefined ? null : bandWords(modelError, seeds.length),
    tables: comparisonTables(comparison),
  };
}

export function sweepPicture(results: SweepResults, folder: string): SweepPicture {
  const { plan } = results;
  const drawn = results.points.slice(0, MOST_ESTIMATES);
  const usual = usualMeasures(plan.measures);
  const isKnown = ({ key }: MeasureWords): boolean => drawn.some(({ measures }) => measures[key].mean !== null);
  const all = listed([...usual, ...plan.measures.filter((key) => !usual.includes(key))], results.words).filter(isKnown);
  const measures = all.slice(0, Math.max(1, Math.floor(MOST_ESTIMATES / Math.max(1, drawn.length))));
  const left = [
    ...(drawn.length < results.points.length
      ? [`the page has ${String(drawn.length)} of ${String(results.points.length)} points`]
      : []),
    ...(measures.length < all.length
      ? [`the page has ${String(measures.length)} of ${String(all.length)} measures; bide results has them all`]
      : []),
  ];
  const points = drawn.map(({ point, done, measures: found }) => ({
    steps: point.steps,
    runs: done,
    found: measures.map((measure) => estimated(found[measure.key], measure)),
  }));
  const axes = plan.axes.map(({ steps }) => distinctLabels(steps.map(({ label }) => label)));
  const names = distinctLabels(plan.axes.map(({ name }) => name));
  return {
    folder: shortLabel(folder),
    name: shortLabel(plan.name),
    why: plan.why.trim().replace(/\s+/g, " "),
    runs: runTotals(results),
    seeds: plan.seeds.length,
    hasIntervals: plan.modelError === undefined,
    fewRuns: points.some(({ found }) => found.some((one) => one?.isOfFew)) ? FEW_RUNS_WORDS : null,
    notes: [
      ...left,
      ...failureLines(results.failures).map((line) => `failed: ${line}`),
      ...refusedLines(results).map((line) => `refused: ${line}`),
    ],
    axes: plan.axes.map(({ unit, steps }, axis) => ({
      name: names[axis],
      unit,
      steps: steps.map(({ quantity }, step) => ({ label: axes[axis][step], quantity })),
    })),
    measures: measures.map(pictured),
    usual: measures.filter(({ key }) => usual.includes(key)).length,
    points,
  };
}
