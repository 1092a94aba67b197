import * as z from "zod";
import { US_PER_SECOND, namesOf } from "../../core/kernel/index.js";
import type { RecordWords } from "../../core/record/index.js";
import {
  measureKey,
  measureNamed,
  type MeasureUnit,
  type SweepAxis,
  type Clause,
  type Goal,
  hasQuantities,
  type Wish,
} from "../../experiments/index.js";
import { onlyKey, type Problem, unknownName, wrong } from "../scenario/diagnose.js";
import { quote, show } from "../scenario/show.js";
import { parseDuration } from "../scenario/units.js";
import { choice, listOf, mapping, scalar, text } from "../scenario/values.js";
import type { Plain } from "../scenario/yaml-document.js";
import { optional } from "../scenario/setting.js";

const bound = scalar<Plain>({
  allowed: "a number, a share like 95% or a time like 30s",
  json: { type: ["string", "number"] },
  read: (value) => (typeof value === "number" || typeof value === "string" ? value : undefined),
});

/** `5%` or 0.05; from `least` up to 1. */
export function shareAbove(least: number) {
  return scalar<number>({
    allowed: `a share above ${least * 100}% and up to 100%, written 5% or 0.05`,
    json: { type: ["string", "number"] },
    read: (value) => {
      const share = shareOf(value);
      return share !== undefined && share > least && share <= 1 ? share : undefined;
    },
  });
}

/** Reads a share written as `5%` or as a number. */
function shareOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const percent = typeof value === "string" ? /^(\d{1,3}(?:\.\d{1,6})?)\s*%$/.exec(value) : null;
  return percent === null ? undefined : Number(percent[1]) / 100;
}

const clause = mapping({
  measure: text(1, 100).describe("One of those that are kept."),
  atLeast: optional(bound, "Its mean over all replications must be at least this."),
  atMost: optional(bound, "At most this."),
  withinOfBest: optional(shareAbove(0), "No worse than the best mean among all points by more than this share of it."),
});

/** `goal`: what `bide tune` looks for among the points. */
export const goalSchema = mapping({
  smallest: optional(
    listOf(text(1, 100), "names of axes"),
    "Axes, the most important first: the point with the smallest steps on them that meets all conditions.",
  ),
  by: optional(
    choice(["order", "sum"]),
    "How points are compared: axis by axis (the default), or by the sum of their quantities.",
  ),
  minimise: optional(text(1, 100), "In place of smallest: the point with the least mean of a measure."),
  maximise: optional(text(1, 100), "In place of smallest: with the greatest."),
  where: z.array(clause, { error: () => "a list of conditions {measure, atLeast}" }).prefault([]),
  monotone: z
    .boolean({ error: () => "true or false" })
    .prefault(false)
    .describe("The only axis moves each measure of where one way: its answer is looked for by bisection."),
});

type GoalFile = z.output<typeof goalSchema>;

type ClauseFile = GoalFile["where"][number];

type Path = readonly PropertyKey[];

/** The names that a goal may use. */
interface GoalNames {
  readonly axes: readonly SweepAxis[];
  /** Keys of those that are kept. */
  readonly measures: readonly string[];
  readonly words: RecordWords;
  /** Whether a sweep can keep a measure. */
  readonly canKeep: (key: string) => boolean;
}

/** The goal of a file, and what is wrong with it; with problems it is not to be used. */
export function readGoal(file: GoalFile, names: GoalNames): { goal: Goal; problems: Problem[] } {
  const problems: Problem[] = [];
  const wish = wishOf(file, names, problems);
  const where = file.where.flatMap((clause, i) => clauseOf(clause, ["goal", "where", i], names, problems));
  if (file.monotone) problems.push(...monotoneProblems(wish, where, names));
  return { goal: { wish, where, isMonotone: file.monotone }, problems };
}

const NO_WISH: Wish = { kind: "smallest", axes: [], by: "order" };

function wishOf(file: GoalFile, names: GoalNames, problems: Problem[]): Wish {
  const { axes, measures, words } = names;
  const form = onlyKey(file, ["smallest", "minimise", "maximise"], ["goal"], "a goal without one", problems);
  if (form === null) return NO_WISH;
  if (form !== "smallest") {
    const measure = measureKey(file[form] ?? "", words);
    if (!measures.includes(measure)) problems.push(notKept(["goal", form], measure, names));
    if (file.by !== undefined) problems.push(wrong(["goal", "by"], show(file.by), "it beside smallest only"));
    return { kind: form, measure };
  }
  const by = file.by ?? "order";
  const named = namedAxes(file.smallest ?? [], axes, problems);
  if (by === "sum") problems.push(...sumProblems(named.map((axis) => axes[axis])));
  if (file.where.length === 0) problems.push(wrong(["goal"], "smallest without conditions", "it with where"));
  return { kind: "smallest", axes: named, by };
}

function monotoneProblems(wish: Wish, where: readonly Clause[], { axes }: GoalNames): Problem[] {
  const isBisected =
    wish.kind === "smallest" && axes.length === 1 && where.every(({ kind }) => kind !== "withinOfBest");
  if (isBisected) return [];
  const allowed = "it of one axis, beside smallest and conditions of atLeast and atMost";
  return [wrong(["goal", "monotone"], "true", allowed)];
}

/** The problem of a goal's measure that runs of the sweep do not keep, or that does not exist. */
function notKept(path: Path, key: string, { measures, canKeep }: GoalNames): Problem {
  if (!canKeep(key)) return unknownName(path, key, measures);
  return wrong(path, quote(key), "a measure that the sweep keeps; list it under measures, too");
}

function namedAxes(wanted: readonly string[], axes: readonly SweepAxis[], problems: Problem[]): number[] {
  const names = namesOf(axes);
  for (const [i, name] of wanted.entries()) {
    const path = ["goal", "smallest", i];
    if (!names.includes(name)) problems.push(unknownName(path, name, names));
    else if (wanted.indexOf(name) < i) problems.push(wrong(path, `${show(name)} a second time`, "once"));
  }
  return wanted.map((name) => names.indexOf(name)).filter((axis) => axis >= 0);
}

function sumProblems(axes: readonly SweepAxis[]): Problem[] {
  const units = new Set(axes.map(({ unit }) => unit));
  if (units.size <= 1 && axes.every(hasQuantities)) return [];
  const axisWords = axes.map(({ name, unit, ...axis }) => {
    return `${name} (${hasQuantities({ name, unit, ...axis }) ? unit : "no quantities"})`;
  });
  return [wrong(["goal", "by"], `sum of ${axisWords.join(", ")}`, "order, or axes of quantities with one unit")];
}

function clauseOf(file: ClauseFile, path: Path, names: GoalNames, problems: Problem[]): Clause[] {
  const { measures, words } = names;
  const form = onlyKey(file, ["atLeast", "atMost", "withinOfBest"], path, "a condition without one", problems);
  if (form === null) return [];
  const key = measureKey(file.measure, words);
  const measure = measureNamed(key, words);
  if (measure === undefined || !measures.includes(key)) {
    problems.push(notKept([...path, "measure"], key, names));
    return [];
  }
  if (form === "withinOfBest") {
    const { better } = measure;
    if (better !== null) return [{ kind: form, measure: key, share: file.withinOfBest ?? 0, better }];
    problems.push(
      wrong([...path, form], `it of ${key}`, "it of measures that are better high or low; atLeast, atMost"),
    );
    return [];
  }
  const bound = boundIn(measure.unit, file[form]);
  if (bound !== undefined) return [{ kind: form, measure: key, bound }];
  problems.push(wrong([...path, form], show(file[form]), allowedBound(measure.unit)));
  return [];
}

/** In the unit of the measure; undefined: it is none of such. */
function boundIn(unit: MeasureUnit, value: unknown): number | undefined {
  if (typeof value === "number") return isInside(unit, value) ? value : undefined;
  if (unit === "share") {
    const share = shareOf(value);
    return share !== undefined && isInside(unit, share) ? share : undefined;
  }
  const us = unit === "seconds" && typeof value === "string" ? parseDuration(value) : undefined;
  return us === undefined ? undefined : us / US_PER_SECOND;
}

function isInside(unit: MeasureUnit, value: number): boolean {
  return Number.isFinite(value) && value >= 0 && (unit !== "share" || value <= 1);
}

function allowedBound(unit: MeasureUnit): string {
  if (unit === "share") return "a share up to 100%, written 95% or 0.95";
  return unit === "seconds" ? "a time like 30s, or a number of seconds" : "a number of at least 0";
}
