import { namesOf, labelsOf } from "../core/kernel/index.js";
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
import { oneLine } from "./tables.js";
import { bandWords, FEW_RUNS_WORDS, isWorthAStar, unitWord, withoutPoint } from "./words.js";

/** A comparison or a sweep on a page: measures by system or by point. Shares are in percent. */

export type PicturedMeasure = ReturnType<typeof pictured>;

export type ComparisonPicture = ReturnType<typeof comparisonPicture>;

export type SweepPicture = ReturnType<typeof sweepPicture>;

/** Mean and half-width of its 95 % interval; the latter is null below two values, and where seeds change nothing. */
export interface PicturedEstimate {
  readonly mean: number;
  readonly half: number | null;
  /** The interval rests on fewer runs than it needs. */
  readonly isOfFew?: true;
  /** In place of a half-width: of a difference on an import. */
  readonly band?: Band;
}

/** Estimates that a page holds at most, and values of single runs. */
const MOST_ESTIMATES = 40_000;

const digits = (value: number) => Number(value.toPrecision(5));

function factorOf({ unit }: MeasureWords): number {
  return unit === "share" ? 100 : 1;
}

export function pictured(measure: MeasureWords) {
  const [low, high] = boundsOf(measure).map((bound) => (Number.isFinite(bound) ? bound * factorOf(measure) : null));
  return {
    key: shortLabel(measure.key),
    title: shortLabel(measure.title),
    /** `s`, `%`; empty for plain numbers. */
    unit: unitWord(measure),
    /** Between what its values are; null: there is no such end. */
    bounds: [low, high] as const,
  };
}

export function estimated(
  estimate: Omit<Estimate, "step"> | undefined,
  measure: MeasureWords,
): PicturedEstimate | null {
  if (estimate === undefined || estimate.mean === null) return null;
  const factor = factorOf(measure);
  const { band } = estimate;
  return {
    mean: digits(estimate.mean * factor),
    half: estimate.halfWidth === null || isFixed(estimate) ? null : digits(estimate.halfWidth * factor),
    ...((hasFewRuns(estimate) && !isFixed(estimate)) || hasFewDraws(estimate) ? { isOfFew: true } : {}),
    ...(band === undefined
      ? {}
      : { band: { low: digits(band.low * factor), high: digits(band.high * factor), verdict: band.verdict } }),
  };
}

export function comparisonPicture(comparison: Comparison, folder: string) {
  const { scenario, why, seeds, systems, notes, stuck = [], refused = [], modelError } = comparison;
  const labels = distinctLabels(namesOf(systems));
  const labelOf = new Map(systems.map(({ name }, index) => [name, labels[index]]));
  const keys = [...new Set(systems.flatMap(({ measures }) => Object.keys(measures)))];
  const hasValues = keys.length * systems.length * seeds.length <= MOST_ESTIMATES;
  const measures = listed(keys, comparison.words).map((measure) => {
    const factor = factorOf(measure);
    return {
      ...pictured(measure),
      /** By system; `values` by seed, empty where they are too many for a page. */
      estimates: systems.map((system) => {
        const estimate = (system.measures as Partial<typeof system.measures>)[measure.key];
        const picturedEstimate = estimated(estimate, measure);
        const values = hasValues ? (estimate?.values ?? []) : [];
        return picturedEstimate === null
          ? null
          : { ...picturedEstimate, values: values.map((v) => (v === null ? null : digits(v * factor))) };
      }),
      /**
       * By system: minus the baseline, seed by seed. `differs`: its interval excludes 0, by more than a grid step; or
       * its band does.
       */
      differences: systems.map(({ differences }) => {
        const estimate = (differences as Partial<NonNullable<typeof differences>> | null)?.[measure.key];
        const picturedEstimate = estimated(estimate, measure);
        if (estimate === undefined || picturedEstimate === null) return null;
        const isSure = excludesZero(estimate) && isWorthAStar(estimate, measure.unit);
        return {
          ...picturedEstimate,
          differs: estimate.band === undefined ? isSure : estimate.band.verdict === "differs",
        };
      }),
    };
  });
  return {
    folder: shortLabel(folder),
    scenario: shortLabel(scenario),
    why: oneLine(why.trim()),
    seeds,
    notes: [
      ...notes.map(noteText),
      ...stuck.map((run) => `${run.system}, seed ${run.seed}: ${run.why.join("; ")}`),
      ...refused.map((run) => `${run.system}, seed ${run.seed}: ${run.why}`),
    ].slice(0, 20),
    systems: systems.map(({ name, point, kind, waits, baseline }, index) => ({
      label: labels[index],
      /** Without its point. */
      plainLabel: shortLabel(withoutPoint({ name, point })),
      point: shortLabel(point),
      kind: shortLabel(kind),
      wait: waits,
      /** Label of the system that it is compared with. */
      baseline: baseline === null ? null : (labelOf.get(baseline) ?? null),
    })),
    /** Those of which some system has a value. */
    measures: measures.filter(({ estimates }) => estimates.some((estimate) => estimate !== null)),
    /** The meaning of bands, in place of intervals; null: it is of no import. */
    bands: modelError === undefined ? null : bandWords(modelError, seeds.length),
    /** Heads first. */
    tables: comparisonTables(comparison).map(({ title, rows: [[, ...heads], ...rows] }) => ({
      title,
      rows: [["system", ...heads], ...rows.map(([, ...cells], system) => [labels[system], ...cells])],
    })),
  };
}

export function sweepPicture(results: SweepResults, folder: string) {
  const { plan } = results;
  const drawn = results.points.slice(0, MOST_ESTIMATES);
  const usual = usualMeasures(plan.measures);
  const isKnown = ({ key }: MeasureWords) => drawn.some(({ measures }) => measures[key].mean !== null);
  const known = listed([...usual, ...plan.measures.filter((key) => !usual.includes(key))], results.words).filter(
    isKnown,
  );
  const measures = known.slice(0, Math.max(1, Math.floor(MOST_ESTIMATES / Math.max(1, drawn.length))));
  const omissions = [
    ...(drawn.length < results.points.length
      ? [`the page has ${drawn.length} of ${results.points.length} points`]
      : []),
    ...(measures.length < known.length
      ? [`the page has ${measures.length} of ${known.length} measures; bide results has them all`]
      : []),
  ];
  const points = drawn.map(({ point, done, measures: byMeasure }) => ({
    steps: point.steps,
    /** Runs that are done. */
    runs: done,
    /** By measure. */
    estimates: measures.map((measure) => estimated(byMeasure[measure.key], measure)),
  }));
  const axes = plan.axes.map(({ steps }) => distinctLabels(labelsOf(steps)));
  const names = distinctLabels(namesOf(plan.axes));
  return {
    folder: shortLabel(folder),
    name: shortLabel(plan.name),
    why: oneLine(plan.why.trim()),
    runs: runTotals(results),
    seeds: plan.seeds.length,
    /** Estimates have intervals: it is of no import. */
    hasIntervals: plan.modelError === undefined,
    /** The meaning of the mark at intervals of too few runs; null: there is none. */
    fewRuns: points.some(({ estimates }) => estimates.some((estimate) => estimate?.isOfFew)) ? FEW_RUNS_WORDS : null,
    notes: [
      ...omissions,
      ...failureLines(results.failures).map((line) => `failed: ${line}`),
      ...refusedLines(results).map((line) => `refused: ${line}`),
    ],
    axes: plan.axes.map(({ unit, steps }, axis) => ({
      name: names[axis],
      unit,
      steps: steps.map(({ quantity }, step) => ({ label: axes[axis][step], quantity })),
    })),
    /** The usual ones first; how many of them a table shows. */
    measures: measures.map(pictured),
    usual: measures.filter(({ key }) => usual.includes(key)).length,
    points,
  };
}
