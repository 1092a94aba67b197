import {
  sumOver,
  formatTime,
  US_PER_SECOND,
  printable,
  definedFields,
  namesOf,
  labelsOf,
} from "../core/kernel/index.js";
import { localTask, type RecordWords } from "../core/record/index.js";
import {
  wordsOfMeasure,
  sizesOf,
  type MeasureUnit,
  CONFIDENCE,
  hasFewRuns,
  isFixed,
  type SweepEstimate,
  type TriedRun,
  type SweepAxis,
  type SweepPlan,
  type SweepPoint,
  type WarmUp,
  type ComparedMeasure,
  type FailureKind,
  type PointDifference,
  type PointResult,
  runTotals,
  type SweepResults,
  type MeasureWords,
} from "../experiments/index.js";
import { type ReportTable, type TableFormat, tableReport, tablesText } from "./table-report.js";
import {
  joined,
  counted,
  type Cell,
  entries,
  type Entry,
  fixed,
  grouped,
  headedTable,
  NOTHING,
  oneLine,
  type Paint,
  significant,
} from "./tables.js";
import {
  bandWords,
  columnTitle,
  differenceWords,
  estimateWords,
  FEW_RUNS_WORDS,
  isWorthAStar,
  seedSpan,
} from "./words.js";

/**
 * Reports of a sweep: its results as text, Markdown, CSV and JSON (`bide results`), then what it would run
 * (`bide sweep --dry-run`), then how it ended. `sweepHead` says what a reader must know of the figures, and the point
 * tables hold them; text and Markdown print both.
 */

/** The parts of a sweep that a report shows. */
export interface SweepView {
  readonly results: SweepResults;
  /** Keys of measures, each kept by the plan. */
  readonly measures: readonly string[];
  readonly baseline: {
    /** As the user named it. */
    readonly name: string;
    /** By index of the point: all of the plan. */
    readonly differences: readonly PointDifference[];
  } | null;
}

export function sweepText(view: SweepView, format: TableFormat, paint: Paint): string {
  const { results, baseline } = view;
  return tableReport(
    {
      name: printable(results.plan.name),
      head: sweepHead(results, listed(view.measures, results.words), baseline?.name ?? null),
      tables: sweepTables(view),
      foot: [],
      csv: () => sweepRows(view),
      json: () => sweepJson(view),
    },
    format,
    paint,
  );
}

/** Its tables alone. */
export function sweepTablesText(view: SweepView, paint: Paint): string {
  return tablesText(sweepTables(view), paint);
}

/** The tables that have a row. */
export function sweepTables({ results, measures: keys, baseline }: SweepView): ReportTable[] {
  const measures = listed(keys, results.words);
  const figures = figureWords(results, measures);
  const tables = [
    { ...estimateTable(results, measures), captions: [figures] },
    ...(baseline === null
      ? []
      : [
          {
            ...differenceTable(results, baseline.differences, measures),
            captions: [figures, `the baseline is ${baselineWords(baseline.name, results.plan)}`],
          },
        ]),
  ];
  const leading = axisHeads(results).length;
  return tables.filter(({ rows }) => rows.length > 1).map((table) => ({ ...table, leading, isSparse: false }));
}

/** Failures of different reasons that are told one by one. */
const FAILURES = 10;

const ERROR_WIDTH = 300;

/** Returns the entries above the tables of a sweep, by label. @param measures which the tables show. */
function sweepHead(results: SweepResults, measures: readonly MeasureWords[], baseline: string | null): Entry[] {
  const { plan, points } = results;
  const runs = runTotals(results);
  const doneWords = points.length < plan.points.length ? `${grouped(points.length)} of ` : "";
  const failed = runs.failed > 0 ? `, ${grouped(runs.failed)} failed` : "";
  const state = `${grouped(runs.done)} done${failed}`;
  const why = oneLine(plan.why.trim());
  return [
    ["Sweep", printable(why === "" ? plan.name : `${plan.name}: ${why}`)],
    ["Runs", `${doneWords}${counted(plan.points.length, "point")} x ${replicationWords(plan)}: ${state}`],
    ["Unfinished", runs.missing > 0 ? unfinishedWords(runs.missing) : []],
    ["Seeds", seedWords(plan.seeds)],
    ["Figures", figureWords(results, measures)],
    ["Warm-up", warmUpLines(results, measures)],
    ["Baseline", baseline === null ? [] : baselineWords(baseline, plan)],
    ["Failed", failureLines(results.failures)],
    ["Refused", refusedLines(results)],
    ...results.notes.map(({ text }): Entry => ["Note", printable(text)]),
  ];
}

/** Runs without jobs that no pool took: how many, and where. */
export function refusedLines({ refusals }: Pick<SweepResults, "refusals">): string[] {
  const lines = kindLines(refusals);
  const hidden = refusals.length - FAILURES;
  return hidden > 0 ? [...lines, `and in ${counted(hidden, "other way")}`] : lines;
}

/** Returns the reasons of failures, each once, with its number of runs and the place of the first. */
export function failureLines(failures: readonly FailureKind[]): string[] {
  const lines = kindLines(failures);
  const hidden = failures.length - FAILURES;
  return hidden > 0
    ? [...lines, `and ${counted(hidden, "reason")} more, all of them in --sql 'SELECT error FROM runs'`]
    : lines;
}

function kindLines(kinds: readonly FailureKind[]): string[] {
  return kinds.slice(0, FAILURES).map(({ error, rows }) => {
    const points = new Set(rows.map(({ point }) => point)).size;
    const where = rows.length === 1 ? "" : ` of ${counted(points, "point")}`;
    const first = `point ${rows[0].point}, seed ${rows[0].seed}`;
    return printable(`${counted(rows.length, "run")}${where} (${first}): ${firstLines(error)}`);
  });
}

/** An error on one short line, without the stack trace, which does not help the reader of a table. */
function firstLines(error: string): string {
  const trimmed = error
    .split("\n")
    .filter((line) => !/^\s+at /.test(line))
    .map((line) => line.trim())
    .join("; ");
  if (trimmed.length <= ERROR_WIDTH) return trimmed;
  const short = trimmed.slice(0, ERROR_WIDTH - 3);
  // Whole words, unless there are none.
  const end = short.lastIndexOf(" ");
  return `${end > ERROR_WIDTH / 2 ? short.slice(0, end).replace(/[,;:.(]+$/, "") : short} ...`;
}

function replicationWords({ replications, until }: SweepPlan): string {
  if (until === null) return counted(replications, "replication");
  const width = `${until.measure} is known to ±${Number((until.relativeHalfWidth * 100).toPrecision(12))} %`;
  return `${replications} to ${counted(until.most, "replication")}, until ${width}`;
}

function unfinishedWords(missing: number): string {
  return `${counted(missing, "run")} ${missing === 1 ? "is" : "are"} not there yet; npx bide sweep FILE --resume goes on`;
}

function seedWords(seeds: readonly string[]): string {
  return printable(`${seedSpan(seeds)}; the same for all points`);
}

/** Says over which runs and jobs the figures of a sweep are. */
export function figureWords(
  { plan: { replications, warmUp, modelError }, points }: SweepResults,
  measures: readonly MeasureWords[],
): string {
  return `${overWords()}; ${warmUpWords(warmUp)}`;

  function overWords(): string {
    if (replications < 2) return "of one replication";
    if (modelError !== undefined) return "mean over replications, each a draw of what the log does not tell";
    const spread = points
      .flatMap((point) => measures.map(({ key }) => point.measures[key]))
      .filter(({ halfWidth }) => halfWidth !== null);
    if (spread.length > 0 && spread.every(isFixed)) {
      return "the same in each replication: seeds change nothing, so there is no interval and nothing to test";
    }
    const fixed = spread.some(isFixed) ? ", without ± the same in each" : "";
    const few = spread.some((estimate) => hasFewRuns(estimate) && !isFixed(estimate)) ? `, ${FEW_RUNS_WORDS}` : "";
    return `mean over replications ± half-width of its 95 % interval${fixed}${few}`;
  }
}

function warmUpWords(warmUp: WarmUp): string {
  switch (warmUp.kind) {
    case "none":
      return "all jobs count";
    case "cut":
      return `of jobs, those submitted before ${formatTime(warmUp.untilUs)} do not count`;
    case "detect":
      return "of jobs, those submitted before the end of each run's warm-up (MSER-5) do not count";
  }
}

/** Returns the lines on the warm-up, with the measures that it is not about. */
function warmUpLines({ plan, points }: SweepResults, measures: readonly MeasureWords[]): string[] {
  if (plan.warmUp.kind === "none") return [];
  const ofRun = measures.filter(({ scope }) => scope === "run").map(columnTitle);
  const without = sumOver(points, ({ withoutWarmUp }) => withoutWarmUp);
  return [
    ...(ofRun.length > 0 ? [`does count in figures of the whole run: ${ofRun.join("; ")}`] : []),
    ...(without > 0 ? [`not found in ${counted(without, "run")}, of which all jobs count`] : []),
  ];
}

function baselineWords(baseline: string, { modelError, replications }: SweepPlan): string {
  if (modelError !== undefined)
    return `${printable(baseline)}; ${bandWords(modelError, replications)}; not held to the recorded makespan, as bide compare does`;
  const test = "p of the paired t test, corrected by Holm for the number of points";
  return `${printable(baseline)}; ${test}; * p below 0.05, ** below 0.01, *** below 0.001, if the difference is more than a grid step`;
}

/** A row per point, with the steps of the axes first. */
type PointTable = Pick<ReportTable, "title" | "legend" | "rows">;

/** The measures shown of a sweep that keeps many. */
const HEADLINES = [
  ...["nodeLocalSmall", "nodeLocalAll", "responseP50Small", "responseP95Small", "responseP50", "responseP95"],
];

const MAKESPAN = "makespanSeconds";

/** Measures that are few enough to be shown all. */
const FEW = 6;

const LABEL_WIDTH = 40;

/** The measures that a table shows by default: all if they are few, else the most usual ones. */
export function usualMeasures(kept: readonly string[]): readonly string[] {
  if (kept.length <= FEW) return kept;
  const headlines = HEADLINES.filter((key) => kept.includes(key));
  // Under a platform that does not count waits for locality, such as Spark, a run is one application or a log: how long
  // it takes is asked first.
  if (!kept.includes("localityWait") && kept.includes(MAKESPAN)) headlines.unshift(MAKESPAN);
  return headlines.length > 0 ? headlines : kept.slice(0, FEW);
}

/** The measures of these keys, as they are listed, in the words of the platform. */
export function listed(keys: readonly string[], words: RecordWords): MeasureWords[] {
  return keys.flatMap((key) => wordsOfMeasure(key, words) ?? []);
}

/**
 * Mean±half-width of each measure. How many runs these are over is said where it is not the same of all, or runs
 * failed.
 */
function estimateTable(results: SweepResults, measures: readonly MeasureWords[]): PointTable {
  const isUneven = results.points.some(({ done, failed }) => failed > 0 || done !== results.points[0].done);
  const rows = results.points.map((result) => [
    ...steps(results, result),
    ...(isUneven ? [runWords(result)] : []),
    ...measures.map(({ key, unit }) => estimateWords(result.measures[key], unit)),
  ]);
  const heads = [...axisHeads(results), ...(isUneven ? ["runs"] : []), ...measures.map(columnTitle)];
  return { title: "Points", legend: columnWords(measures, results.words), rows: [heads, ...rows] };
}

/** `3`, or `3 of 4` where the others failed. */
function runWords({ done, failed }: PointResult): string {
  return failed > 0 ? `${done} of ${done + failed}` : String(done);
}

/** The meaning of short heads of columns: `p50, p95: response times; 1-20: of jobs of so many maps`. */
function columnWords(measures: readonly MeasureWords[], words: RecordWords): string {
  const statistics = new Set(measures.flatMap(({ key }) => /^response(P\d+|Mean)/.exec(key)?.[1].toLowerCase() ?? []));
  const locality = measures.some(({ key }) => key.startsWith("nodeLocal"));
  const sized = measures.find(({ key }) => key === "nodeLocalSmall" || /^responseP\d+Small$/.test(key));
  return [
    ...(locality ? [`node: ${localTask(words).many} beside their data`] : []),
    ...(statistics.size > 0 ? [`${[...statistics].join(", ")}: response times`] : []),
    ...(sized === undefined ? [] : [`${sizesOf("Small")}: of jobs of so many ${localTask(words).many}`]),
  ].join("; ");
}

/**
 * Returns the differences of points from their baselines, with p-values. Points without a baseline have no row.
 */
function differenceTable(
  results: SweepResults,
  differences: readonly PointDifference[],
  measures: readonly MeasureWords[],
): PointTable {
  const hasBands = results.plan.modelError !== undefined;
  const rows = results.points.flatMap((result) => {
    const { measures: compared, baseline } = differences[result.point.index];
    if (compared === null) return [];
    const reference = results.points.find(({ point }) => point.index === baseline?.index)?.measures;
    const cells = measures.flatMap(({ key, unit }) => [
      differenceWords(compared[key].difference, unit, reference?.[key].mean ?? null),
      ...(hasBands ? [] : [probabilityWords(compared[key], unit)]),
    ]);
    return [[...steps(results, result), ...cells]];
  });
  const heads = measures.flatMap((measure) => [columnTitle(measure), ...(hasBands ? [] : ["p"])]);
  return {
    title: `Differences to the baseline, ${hasBands ? "draw by draw" : "seed by seed"}`,
    legend: "",
    rows: [[...axisHeads(results), ...heads], ...rows],
  };
}

/** `0.034*`; blanks in place of missing stars, so that numbers align. */
function probabilityWords({ adjustedPValue: p, difference }: ComparedMeasure, unit: MeasureUnit): string {
  if (p === null) return NOTHING;
  const isSmall = !isWorthAStar(difference, unit);
  const stars = isSmall ? "" : p < 0.001 ? "***" : p < 0.01 ? "**" : p < 0.05 ? "*" : "";
  return `${p < 0.001 ? "<0.001" : p.toFixed(3)}${stars.padEnd(3)}`;
}

/** A user's text, cut to fit on one line of a table. */
function shortly(text: string): string {
  const harmless = printable(text);
  return harmless.length > LABEL_WIDTH ? `${harmless.slice(0, LABEL_WIDTH - 3)}...` : harmless;
}

function axisHeads({ plan }: SweepResults): string[] {
  return plan.axes.length === 0 ? ["point"] : plan.axes.map(({ name }) => shortly(name));
}

function steps({ plan }: SweepResults, { point }: PointResult): string[] {
  return plan.axes.length === 0
    ? [NOTHING]
    : plan.axes.map(({ steps: axisSteps }, axis) => shortly(axisSteps[point.steps[axis]].label));
}

const COLUMNS = ["measure", "unit", "runs", "mean", "half_width"];

const OF_DIFFERENCE = ["baseline", "difference", "difference_half_width", "p", "p_adjusted"];

/** Every measure of every point, one per line. */
function sweepRows({ results, measures, baseline }: SweepView): readonly (readonly Cell[])[] {
  const { plan, points } = results;
  const heads = [
    "point",
    ...namesOf(plan.axes),
    ...COLUMNS,
    ...(baseline === null ? [] : [...OF_DIFFERENCE, ...(plan.modelError === undefined ? [] : OF_BAND)]),
  ];
  const rows = points.flatMap(({ point, measures: estimates }) =>
    listed(measures, results.words).map(({ key, unit }) => {
      const { mean, halfWidth, n } = estimates[key];
      const steps = plan.axes.map((axis, index) => axis.steps[point.steps[index]].label);
      return [
        ...[point.index, ...steps, key, unit, n, mean, halfWidth],
        ...(baseline === null ? [] : differenceCells(baseline.differences[point.index], key, plan)),
      ];
    }),
  );
  return [heads, ...rows];
}

const OF_BAND = ["band_low", "band_high", "verdict"];

function differenceCells(
  { baseline, measures }: PointDifference,
  key: string,
  { modelError }: SweepPlan,
): (string | number | null)[] {
  const hasBands = modelError !== undefined;
  if (baseline === null || measures === null) return [...OF_DIFFERENCE, ...(hasBands ? OF_BAND : [])].map(() => null);
  const { difference, pValue, adjustedPValue } = measures[key];
  const { mean, halfWidth, band } = difference;
  return [
    ...[baseline.label, mean, halfWidth, pValue, adjustedPValue],
    ...(hasBands ? [band?.low ?? null, band?.high ?? null, band?.verdict ?? null] : []),
  ];
}

/** The output of `bide results --json`, as docs/sweep-results.md describes it. */
function sweepJson({ results, measures, baseline }: SweepView): Record<string, unknown> {
  const { plan, points, failures } = results;
  return {
    format: "bide-sweep-results",
    version: 1,
    name: plan.name,
    why: plan.why,
    replications: plan.replications,
    until: plan.until,
    seeds: plan.seeds,
    warmUp: plan.warmUp,
    confidence: CONFIDENCE,
    ...definedFields({ modelError: plan.modelError }),
    axes: plan.axes.map(({ name, unit, steps }) => ({
      name,
      unit,
      steps: steps.map(({ label, quantity }) => ({ label, quantity })),
    })),
    runs: runTotals(results),
    points: points.map(({ point, done, failed, missing, measures: estimates }) => ({
      point: point.index,
      label: point.label,
      steps: plan.axes.map(({ steps }, axis) => steps[point.steps[axis]].label),
      runs: { done, failed, missing },
      measures: only(measures, estimates),
      ...(baseline === null ? {} : differenceParts(baseline.differences[point.index], measures)),
    })),
    failures: failures.map(({ error, rows }) => ({ error, runs: placesOf(rows) })),
    refusals: results.refusals.map(({ error: why, rows }) => ({ why, runs: placesOf(rows) })),
    notes: results.notes,
  };
}

function placesOf(rows: FailureKind["rows"]): Record<string, unknown>[] {
  return rows.map(({ point, replication, seed }) => ({ point, replication, seed }));
}

function differenceParts({ baseline, measures }: PointDifference, keys: readonly string[]): Record<string, unknown> {
  return { baseline: baseline?.index ?? null, differences: measures === null ? null : only(keys, measures) };
}

function only<T>(keys: readonly string[], record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}

/** Points of a longer plan are shown from its beginning and its end, so many each. */
const SHOWN = 15;

/** Returns the runs of a planned sweep, and their time: `bide sweep FILE --dry-run`. */
export function sweepPlanReport(plan: SweepPlan, estimate: SweepEstimate, paint: Paint): string {
  const { name, why, axes, points } = plan;
  const head: Entry[] = [
    ["Sweep", name],
    ["Question", why === "" ? [] : oneLine(why.trim())],
    ["Axes", axes.map(axisWords)],
    ["Runs", plannedRunWords(plan)],
    ["Keeps", keptWords(plan)],
    ["Time", [timeWords(estimate), triedWords(plan, estimate)]],
    ...estimate.tried.flatMap(({ point, error }): Entry[] =>
      error === null ? [] : [["Fails", `${points[point].label}: ${error.split("\n")[0]}`]],
    ),
  ];
  return joined([entries(head, paint), headedTable(pointRows(axes, points), paint)], paint);
}

/** `W1: 20 values, 0s to 30s` */
function axisWords({ name, steps }: SweepAxis): string {
  const labels = labelsOf(steps);
  if (labels.length <= 4) return `${name}: ${labels.join(", ")}`;
  return `${name}: ${grouped(labels.length)} values, ${labels[0]} to ${labels[labels.length - 1]}`;
}

function plannedRunWords({ points, axes, replications, until, seeds }: SweepPlan): string {
  const combinations = axes.reduce((product, { steps }) => product * steps.length, 1);
  const ofAll = combinations === points.length ? "" : ` of ${grouped(combinations)} combinations`;
  const first = `${counted(points.length, "point")}${ofAll}, ${counted(replications, "run")} each: ${grouped(points.length * replications)}`;
  const last = seeds[seeds.length - 1];
  const seeded = seeds.length === 1 ? `seed ${seeds[0]}` : `seeds ${seeds[0]} to ${last}`;
  if (until === null) return `${first}; ${seeded}`;
  const { measure, relativeHalfWidth, most } = until;
  const width = significant(relativeHalfWidth * 100);
  return `${first}, and up to ${grouped(most)} each until ${measure} is known within ${width} %; ${seeded}`;
}

function keptWords({ measures, warmUp, series }: SweepPlan): string {
  const kept = measures.length <= 6 ? measures.join(", ") : counted(measures.length, "measure");
  const cut =
    warmUp.kind === "cut" ? `jobs from ${formatTime(warmUp.untilUs)} on` : "jobs after a warm-up that is found";
  return `${kept}${warmUp.kind === "none" ? "" : ` of ${cut}`}${series ? ", and samples" : ""}`;
}

function timeWords({ wallSeconds, isLowerBound, threads }: SweepEstimate): string {
  const where = `on ${counted(threads, "thread")} of this machine`;
  if (wallSeconds === null) return `unknown ${where}: no run could be tried`;
  const { mean, least, most } = wallSeconds;
  if (isLowerBound) return `more than ${inTime(least)} ${where}`;
  return `about ${inTime(mean)} ${where}; ${inTime(least)} at the speed of the quickest run tried, ${inTime(most)} at that of the slowest`;
}

function triedWords({ points, seeds }: SweepPlan, { tried, atOnce }: SweepEstimate): string {
  const words = tried.map((run) => `${points[run.point].label} ${secondsWords(run)}`);
  return `tried ${grouped(atOnce)} at a time with seed ${seeds[0]}: ${words.join("; ")}`;
}

function secondsWords({ seconds, isCutOff, error }: TriedRun): string {
  if (error !== null) return "failed";
  return isCutOff ? `cut off after ${significant(seconds)} s` : `${significant(seconds)} s`;
}

function inTime(seconds: number): string {
  return formatTime(Math.ceil(seconds) * US_PER_SECOND);
}

function pointRows(axes: readonly SweepAxis[], points: readonly SweepPoint[]): string[][] {
  const head = ["Point", ...namesOf(axes)];
  const rows = points.map(({ index, steps }) => [grouped(index), ...axes.map((axis, i) => axis.steps[steps[i]].label)]);
  const hidden = points.length - 2 * SHOWN;
  if (hidden <= 1) return [head, ...rows];
  return [
    ...[head, ...rows.slice(0, SHOWN)],
    [`(${grouped(hidden)} more)`, ...axes.map(() => "")],
    ...rows.slice(-SHOWN),
  ];
}

/** The part of a sweep that a process has done. */
interface SweepEndFigures {
  readonly plan: SweepPlan;
  readonly folder: string;
  /** Runs: ended in all, of these failed, and ended in this process. */
  readonly ended: number;
  readonly failed: number;
  readonly endedHere: number;
  /** The executor of the runs: `2 threads`. */
  readonly where: string;
  /** From the first run to the last, and of all runs of this process added up. */
  readonly wallSeconds: number;
  readonly runSeconds: number;
  /** Words on runs whose jobs were refused by all pools. */
  readonly refused: readonly string[];
}

/** Returns the outcome of a sweep, and the next command. */
export function sweepEndReport(figures: SweepEndFigures, paint: Paint): string {
  const { plan, folder, ended, failed, endedHere, refused } = figures;
  const before = ended - endedHere;
  const ends = `${grouped(ended - failed)} done, ${grouped(failed)} failed`;
  const head: Entry[] = [
    ["Sweep", `${plan.name}: ${counted(plan.points.length, "point")}, ${counted(ended, "run")}`],
    ["Runs", `${ends}${before > 0 ? `; ${grouped(before)} were there` : ""}`],
    ["Refused", refused],
    ["Wall time", endedHere === 0 ? [] : costOf(figures)],
    ["Results", folder],
    ["Next", `npx bide results ${folder}`],
  ];
  return joined([entries(head, paint)], paint);
}

function costOf({ endedHere, where, wallSeconds, runSeconds }: SweepEndFigures): string {
  const rate = `${fixed(endedHere / wallSeconds, 1)} runs/s on ${where}`;
  const atOnce = `${fixed(runSeconds / wallSeconds, 2)} runs at once on average`;
  return `${formatTime(Math.round(wallSeconds * US_PER_SECOND))}, ${rate}, ${atOnce}`;
}
