import { MEASURES } from "../experiments/measures/all-measures.js";
import type { MeasureUnit } from "../experiments/measures/measure.js";
import type { Bound } from "../experiments/tuning/tune-search.js";
import type { Clause, Goal } from "../experiments/tuning/goal.js";
import type { JudgedMeasure } from "../experiments/tuning/tune-report.js";
import { estimateWords } from "./measure-words.js";

/** `smallest W1, then W2, where nodeLocalSmall >= 95.0 % and responseP95 within 5 % of the best`. */
export function goalWords({ wish, where }: Goal, axes: readonly string[]): string {
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
export function boundWords({ kind, value }: Bound, measure: string): string {
  const unit = unitWords(measure);
  const mean = Number.isNaN(value) ? null : value;
  const number = estimateWords({ mean, halfWidth: null, values: [] }, unitOf(measure));
  return `${kind === "atLeast" ? ">=" : "<="} ${number}${unit === "" ? "" : ` ${unit}`}`;
}

/** `95.3±0.4`, `95.3±0.4?` from fewer runs than the interval needs; `~95.3±0.4` where it is the model's. */
export function measureWords(found: JudgedMeasure): string {
  const words = estimateWords(found, unitOf(found.key));
  return found.isExpected && found.mean !== null ? `~${words}` : words;
}

/** `nodeLocalSmall, %`. */
export function measureTitle(key: string): string {
  const unit = unitWords(key);
  return unit === "" ? key : `${key}, ${unit}`;
}

/** `5 %`, `2.5 %`. */
export function percentWords(share: number): string {
  return `${String(Number((share * 100).toFixed(1)))} %`;
}

function unitOf(key: string): MeasureUnit {
  return MEASURES.find((measure) => measure.key === key)?.unit ?? "index";
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
    case "seconds-per-map":
      return "s/map";
    case "skips-per-map":
    case "ratio":
    case "index":
    case "count":
    case "machine-seconds":
    case "machine-microseconds":
      return "";
  }
}
