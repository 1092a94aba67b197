import { keysOf, namesOf, labelsOf } from "../core/kernel/index.js";
import { capital, noteText } from "../core/record/index.js";
import {
  type Band,
  type Comparison,
  boundsOf,
  type Estimate,
  excludesZero,
  isFixed,
  runTotals,
  type SweepResults,
  type MeasureWords,
} from "../experiments/index.js";
import { distinctLabels, shortLabel } from "../io/index.js";
import { comparisonTables } from "./comparison-report.js";
import { failureLines, figureWords, listed, refusedLines, sweepTables, usualMeasures } from "./sweep-report.js";
import { grouped, oneLine } from "./tables.js";
import { bandWords, differenceWords, estimateWords, isWorthAStar, seedSpan, unitWord, withoutPoint } from "./words.js";

/** A comparison or a sweep on a page: measures by system or by point. Shares are in percent. */

export type PicturedMeasure = ReturnType<typeof pictured>;

export type ComparisonPicture = ReturnType<typeof comparisonPicture>;

export type SweepPicture = ReturnType<typeof sweepPicture>;

/** Mean and half-width of its 95 % interval; the latter is null below two values, and where seeds change nothing. */
export interface PicturedEstimate {
  readonly mean: number;
  readonly half: number | null;
  /** As tables have it. */
  readonly words: string;
  /** In place of a half-width: of a difference on an import. */
  readonly band?: Pick<Band, "low" | "high">;
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
  words = estimate === undefined ? "" : estimateWords(estimate, measure.unit),
): PicturedEstimate | null {
  if (estimate === undefined || estimate.mean === null) return null;
  const factor = factorOf(measure);
  const { band } = estimate;
  return {
    mean: digits(estimate.mean * factor),
    half: estimate.halfWidth === null || isFixed(estimate) ? null : digits(estimate.halfWidth * factor),
    words,
    ...(band === undefined ? {} : { band: { low: digits(band.low * factor), high: digits(band.high * factor) } }),
  };
}

/** A table of a page, heads first. */
interface PageTable {
  readonly title: string;
  readonly note: string;
  readonly rows: readonly (readonly string[])[];
}

/** The words and tables of a page, beside its figures. */
export interface PageWords {
  readonly title: string;
  readonly why: string;
  /** Rows of a name and its value, under the name of the folder. */
  readonly facts: readonly (readonly string[])[];
  readonly notes: readonly string[];
  readonly tables: readonly PageTable[];
}

export function comparisonPicture(comparison: Comparison, folder: string) {
  const { scenario, why, seeds, systems, notes, stuck = [], refused = [], modelError } = comparison;
  const labels = distinctLabels(namesOf(systems));
  const labelOf = (name: string | null) => labels[systems.findIndex((system) => system.name === name)] ?? null;
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
        return (
          picturedEstimate && {
            ...picturedEstimate,
            values: values.map((v) => (v === null ? null : digits(v * factor))),
          }
        );
      }),
      /**
       * By system: minus the baseline, seed by seed. `differs`: its interval excludes 0, by more than a grid step; or
       * its band does.
       */
      differences: systems.map(({ differences, baseline }) => {
        const estimate = (differences as Partial<NonNullable<typeof differences>> | null)?.[measure.key];
        if (estimate === undefined) return null;
        const compared = systems.find(({ name }) => name === baseline)?.measures[measure.key].mean ?? null;
        const picturedEstimate = estimated(estimate, measure, differenceWords(estimate, measure.unit, compared));
        if (picturedEstimate === null) return null;
        const isSure = excludesZero(estimate) && isWorthAStar(estimate, measure.unit);
        return {
          ...picturedEstimate,
          differs: estimate.band === undefined ? isSure : estimate.band.verdict === "differs",
        };
      }),
    };
  });
  const pictures = systems.map((system, index) => ({
    label: labels[index],
    /** Without its point. */
    plainLabel: shortLabel(withoutPoint(system)),
    point: shortLabel(system.point),
    /** Label of the system that it is compared with. */
    baseline: labelOf(system.baseline),
  }));
  /** The meaning of bands, in place of intervals; null: it is of no import. */
  const bands = modelError === undefined ? null : bandWords(modelError, seeds.length);
  const cells =
    bands === null
      ? "In tables: mean ± half-width of the 95 % interval, without ± where seeds change nothing; * differs from the baseline; ? rests on too few runs for 95 %; - has no value."
      : `In tables: means; of differences ${bands}; - has no value.`;
  const described = systems.map(({ kind, waits }, index) => [
    ...[labels[index], shortLabel(kind), waits, pictures[index].baseline ?? "–"],
  ]);
  const words: PageWords = {
    title: shortLabel(scenario),
    why: oneLine(why.trim()),
    facts: [
      ["", shortLabel(folder)],
      ["systems", grouped(systems.length)],
      ["seeds of each", `${grouped(seeds.length)} (${seedSpan(seeds)})`],
    ],
    notes: [
      ...notes.map(noteText),
      ...stuck.map((run) => `${run.system}, seed ${run.seed}: ${run.why.join("; ")}`),
      ...refused.map((run) => `${run.system}, seed ${run.seed}: ${run.why}`),
    ].slice(0, 20),
    tables: [
      { title: "Systems", note: cells, rows: [["system", "scheduler", "wait", "compared with"], ...described] },
      ...comparisonTables(comparison).map(({ title, rows: [[, ...heads], ...rows] }) => ({
        title,
        note: "",
        rows: [["system", ...heads], ...rows.map(([, ...row], system) => [labels[system], ...row])],
      })),
    ],
  };
  return {
    words,
    systems: pictures,
    /** Those of which some system has a value. */
    measures: measures.filter(({ estimates }) => estimates.some((estimate) => estimate !== null)),
    bands,
  };
}

/** Points that a page lists, and that it draws. */
const MOST_ROWS = 500;

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
  const runs = runTotals(results);
  const axes = plan.axes.map(({ steps }) => distinctLabels(labelsOf(steps)));
  const names = distinctLabels(namesOf(plan.axes));
  const note = `${capital(figureWords(results, measures))}.`;
  const tables = sweepTables({
    results: { ...results, points: results.points.slice(0, MOST_ROWS) },
    measures: keysOf(measures).filter((key) => usual.includes(key)),
    baseline: null,
  });
  const words: PageWords = {
    title: shortLabel(plan.name),
    why: oneLine(plan.why.trim()),
    facts: [
      ["", shortLabel(folder)],
      ...axes.map((labels, axis) => [
        names[axis],
        labels.length > 12 ? `${grouped(labels.length)} values` : labels.join(", "),
      ]),
      ["points", grouped(drawn.length)],
      ["seeds at most", grouped(plan.seeds.length)],
      ["runs done, failed, missing", [runs.done, runs.failed, runs.missing].map(grouped).join(", ")],
    ],
    notes: [
      ...omissions,
      ...failureLines(results.failures).map((line) => `failed: ${line}`),
      ...refusedLines(results).map((line) => `refused: ${line}`),
    ],
    tables: tables.map(({ title, legend, rows }) => ({
      title,
      rows,
      note: [
        note,
        ...(legend === "" ? [] : [`${capital(legend)}.`]),
        ...(drawn.length > MOST_ROWS ? [`The first ${grouped(MOST_ROWS)} points; the CSV has all.`] : []),
      ].join(" "),
    })),
  };
  return {
    words,
    /** Of the figures: what a mean is over. */
    note,
    axes: plan.axes.map(({ unit, steps }, axis) => ({
      name: names[axis],
      unit,
      steps: steps.map(({ quantity }, step) => ({ label: axes[axis][step], quantity })),
    })),
    /** The usual ones first. */
    measures: measures.map(pictured),
    points: drawn.map(({ point, done, measures: byMeasure }) => ({
      steps: point.steps,
      /** Runs that are done. */
      runs: done,
      /** By measure. */
      estimates: measures.map((measure) => estimated(byMeasure[measure.key], measure)),
    })),
  };
}
