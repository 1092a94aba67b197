import { noteText } from "../core/record/index.js";
import {
  measureNamed,
  type MeasureUnit,
  hasFewRuns,
  isWithin,
  type Clause,
  type Goal,
  type GridReport,
  type JudgedMeasure,
  type NeighbourReport,
  type PointReport,
  type RoundReport,
  type TheoryReport,
  type TuneReport,
  type Bound,
} from "../experiments/index.js";
import { joined, counted, entries, type Entry, fixed, grouped, type Paint, significant, textTable } from "./tables.js";
import { estimateWords, FEW_RUNS_WORDS, unitWord } from "./words.js";

/** Labels of points that are listed; of more only how many there are. */
const LISTED = 6;

/** The result of `bide tune`, for people. */
export function tuneReport(report: TuneReport, paint: Paint): string {
  const head: Entry[] = [
    ["Sweep", `${report.sweep}; ${counted(report.points, "point")} x ${counted(report.replications, "replication")}`],
    ["Goal", goalWords(report.goal, report.axes)],
  ];
  const answerEntries: Entry[] = [
    ["Answer", answerWords(report)],
    ["Simulations", simulationWords(report)],
    ["Paper", theoryWords(report.theory)],
    ["Full grid", report.grid === null ? [] : gridWords(report.grid)],
    ...report.failed.map(({ label, error }): Entry => ["Failed", `${label}: ${error.split("\n")[0]}`]),
    ...report.notes.map((note): Entry => ["Note", noteText(note)]),
  ];
  const rounds = textTable(roundRows(report.rounds), undefined, paint.widthColumns);
  const blocks = [entries(head, paint), [paint.bold("Rounds"), ...rounds], entries(answerEntries, paint)];
  return joined([...blocks, pointTable(report, paint)], paint);
}

function roundRows(rounds: readonly RoundReport[]): string[][] {
  return [
    ["", "points", "runs", "so far", "answer so far"],
    ...rounds.map(({ kind, runs, runsSoFar, alive, answer }, i) => [
      `${String(i + 1).padStart(2)} ${kind}`,
      grouped(alive),
      grouped(runs),
      grouped(runsSoFar),
      answer ?? "none",
    ]),
  ];
}

function answerWords({ answer, nearest }: TuneReport): string {
  if (answer !== null) return answer.label;
  const near = nearest === null ? "no point has values" : `${nearest.label} comes nearest`;
  return `no point meets the goal; ${near}`;
}

function simulationWords({ runs, gridRuns, neverLookedAt }: TuneReport): string {
  const share = percentWords(runs / gridRuns);
  const listed = neverLookedAt.length <= LISTED && neverLookedAt.length > 0 ? ` (${neverLookedAt.join(", ")})` : "";
  return `${grouped(runs)} of the ${grouped(gridRuns)} of the full grid, ${share}; ${counted(neverLookedAt.length, "point")} never looked at${listed}`;
}

function theoryWords(theory: TheoryReport): string {
  if (!theory.applies) return `section 3.5 of the delay scheduling paper says nothing here: ${theory.reason}`;
  const { inputs, skips, waitSeconds, locality, expectedLocality } = theory;
  const scenario = `M = ${grouped(inputs.nodes)} nodes, L = ${inputs.slotsPerNode}, R = ${inputs.replication}`;
  const measured = `T = ${significant(inputs.taskSeconds)} s, N = ${fixed(inputs.mapsPerJob, 1)} maps`;
  return [
    `D = ${grouped(skips)} skips, or W1 = D T / (L M) = ${significant(waitSeconds)} s, for ${percentWords(locality)} node-local maps`,
    `(section 3.5 of the delay scheduling paper, which expects ${percentWords(expectedLocality)} of them);`,
    `${scenario} are the scenario's, ${measured} measured in one more run,`,
    `in which map slots were nearly all busy in ${percentWords(inputs.saturated)} of the time`,
  ].join(" ");
}

function gridWords({ answer, isSame }: GridReport): string {
  const result = answer === null ? "no point meets the goal" : answer.label;
  return `${result}: ${isSame ? "the same answer" : "NOT the same answer"}`;
}

function pointTable(report: TuneReport, paint: Paint): string[] {
  const { answer, nearest, neighbours, best, grid } = report;
  const measures = (answer ?? nearest ?? best.at(0))?.measures.map(({ key }) => key) ?? [];
  if (measures.length === 0) return [];
  const differs = grid !== null && !grid.isSame && grid.answer !== null ? [grid.answer] : [];
  const rows = [
    ...(answer === null ? [] : [pointRow("answer", answer, "")]),
    ...(nearest === null ? [] : [pointRow("nearest", nearest, whyNot(nearest))]),
    ...neighbours.map((neighbour) =>
      pointRow(`${neighbour.axis} ${neighbour.direction}`, neighbour, verdict(neighbour, report)),
    ),
    ...best.map((point) => pointRow("best simulated", point, whyNot(point))),
    ...differs.map((point) => pointRow("grid's answer", point, "")),
  ];
  const shown = [answer, nearest, ...neighbours, ...best, ...differs].flatMap((point) => point?.measures ?? []);
  const few = shown.some(hasFewRuns) ? `; ${FEW_RUNS_WORDS}` : "";
  const title = `Points: means ± half-widths of 95 % intervals${few}`;
  return [
    paint.bold(title),
    ...textTable([["", "point", "runs", ...measures.map(measureTitle), ""], ...rows], undefined, paint.widthColumns),
  ];
}

function pointRow(role: string, point: PointReport, remark: string): string[] {
  return [role, point.label, String(point.replications), ...point.measures.map(measureWords), remark];
}

/** Why a neighbour is not the answer, as far as its runs say. */
function verdict(point: NeighbourReport, { goal: { wish }, answer, replications }: TuneReport): string {
  if (point.replications === 0) return "not simulated";
  const soFar = point.replications < replications ? " so far" : "";
  if (!point.meetsGoal) return `${whyNot(point)}${soFar}`;
  const meets = `meets the goal${soFar}`;
  if (wish.kind === "smallest") return point.direction === "above" ? `${meets}, larger` : meets;
  const [mean, best] = [point, answer].map(
    (judged) => judged?.measures.find(({ key }) => key === wish.measure)?.mean ?? NaN,
  );
  return mean > best ? `${meets}, greater` : mean < best ? `${meets}, less` : meets;
}

function whyNot({ measures }: PointReport): string {
  const failing = measures.find(({ isMet }) => !isMet);
  if (failing === undefined) return "";
  const bound = failing.bounds.find((candidate) => !isWithin(candidate, failing.mean ?? NaN));
  return bound === undefined || failing.mean === null
    ? `no ${failing.key}`
    : `${failing.key} not ${boundWords(bound, failing.key)}`;
}

/** `smallest W1, then W2, where nodeLocalSmall >= 95.0 % and responseP95 within 5 % of the best`. */
function goalWords({ wish, where }: Goal, axes: readonly string[]): string {
  const conditions = where.map(clauseWords).join(" and ");
  return `${wishWords(wish, axes)}${conditions === "" ? "" : `, where ${conditions}`}`;
}

function wishWords(wish: Goal["wish"], axes: readonly string[]): string {
  if (wish.kind !== "smallest") return `${wish.kind === "minimise" ? "least" : "greatest"} ${wish.measure}`;
  const names = wish.axes.map((axis) => axes[axis]);
  return wish.by === "sum" ? `smallest ${names.join(" + ")}` : `smallest ${names.join(", then ")}`;
}

function clauseWords(clause: Clause): string {
  if (clause.kind === "withinOfBest") return `${clause.measure} within ${percentWords(clause.share)} of the best`;
  return `${clause.measure} ${boundWords({ kind: clause.kind, value: clause.bound }, clause.measure)}`;
}

/** `>= 95.0 %`. */
function boundWords({ kind, value }: Bound, measure: string): string {
  const unit = unitWords(measure);
  const mean = Number.isNaN(value) ? null : value;
  const number = estimateWords({ mean, halfWidth: null, values: [] }, unitOf(measure));
  return `${kind === "atLeast" ? ">=" : "<="} ${number}${unit === "" ? "" : ` ${unit}`}`;
}

/** `95.3±0.4`, `95.3±0.4?` from fewer runs than the interval needs. */
function measureWords(judged: JudgedMeasure): string {
  return estimateWords(judged, unitOf(judged.key));
}

/** `nodeLocalSmall, %`. */
function measureTitle(key: string): string {
  const unit = unitWords(key);
  return unit === "" ? key : `${key}, ${unit}`;
}

/** `5 %`, `2.5 %`. */
function percentWords(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}

function unitOf(key: string): MeasureUnit {
  return measureNamed(key)?.unit ?? "index";
}

function unitWords(key: string): string {
  switch (unitOf(key)) {
    case "share":
      return "%";
    case "seconds":
      return "s";
    case "gigabytes":
      return "GB";
    case "per-second":
      return "/s";
    case "seconds-per-task":
      return unitWord(measureNamed(key) ?? { unit: "seconds-per-task" });
    case "skips-per-task":
    case "ratio":
    case "index":
    case "count":
    case "machine-seconds":
    case "machine-microseconds":
      return "";
  }
}
