import * as z from "zod";
import {
  argumentsOf,
  type Bounds,
  FORMULA_NAMES,
  type FormulaName,
  isCounted,
  type Measurement,
  type Pair,
  pointIndex,
  type PointName,
  type PublishedRow,
  ROW_KINDS,
  type SweepPlan,
} from "../../experiments/index.js";
import { PACKAGE_ROOT } from "../bide-version.js";
import { asKind } from "../file-kind.js";
import { fileProblem } from "../input-error.js";
import { duplicate, inputError, type Problem, problemsOf, unknownName, wrong } from "../scenario/diagnose.js";
import { allowedNames, quote } from "../scenario/show.js";
import { choice, count, flag, label, listOf, mapping, scalar, text } from "../scenario/values.js";
import { plainTree, readYaml, tooLarge, type YamlDocument } from "../scenario/yaml-document.js";
import { measureProblem } from "../sweep/load-sweep.js";
import { readTextFile, type TextFileKind } from "../text-file.js";
import { mismatch, labelsOf } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { optional } from "../scenario/setting.js";

/** The published values of the package, and the sweeps beside them. */
export const PUBLISHED = `${PACKAGE_ROOT}scenarios/paper/published.yaml`;

const PUBLISHED_FILE: TextFileKind = {
  file: "a file of published values",
  contents: "published values, in YAML or JSON",
  tooLarge,
};

const FILE_NAME = /^[A-Za-z0-9_-]{1,100}$/;

const ID = /^[a-z0-9-]+(?:\.[a-z0-9-]+){0,3}$/;

const finite = scalar<number>({
  allowed: "a number",
  json: { type: "number" },
  read: (value) => (typeof value === "number" && Number.isFinite(value) ? value : undefined),
});

const distance = scalar<number>({
  allowed: "a number of at least 0",
  json: { type: "number", minimum: 0 },
  read: (value) => (typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined),
});

const id = scalar<string>({
  allowed: "words of small letters, digits and -, with dots between them: fig7.bin5",
  json: { type: "string", pattern: ID.source },
  read: (value) => (typeof value === "string" && value.length <= 60 && ID.test(value) ? value : undefined),
});

const fileName = scalar<string>({
  allowed: "the name of a file beside this one, of letters, digits, - and _, without .yaml",
  json: { type: "string", pattern: FILE_NAME.source },
  read: (value) => (typeof value === "string" && FILE_NAME.test(value) ? value : undefined),
});

const point = z.record(z.string(), label(), { error: () => "a mapping from names of axes to labels of their steps" });

const numbers = z.record(z.string(), finite, { error: () => "a mapping from names to numbers" });

const bounds = { atLeast: finite.optional(), atMost: finite.optional() };

const row = mapping({
  id: id.describe("Unique; what stands before the last dot names the experiment."),
  kind: choice(ROW_KINDS),
  what: text(1, 200).describe("What is measured, for people."),
  source: text(1, 200).describe("Where the value was read."),
  confidence: count(1, 5).describe(
    "5: read in the source; 4: in another, or off a copy of a figure; 3 or less: from memory.",
  ),
  unit: choice(["share", "seconds", "ratio", "count"]),
  published: mapping({ value: finite.optional(), ...bounds, upTo: finite.optional() }).describe(
    "What the source prints: a value, bounds, or the most of many (upTo). Nothing where it only says which way.",
  ),
  ourBound: optional(
    mapping(bounds),
    "Judges the row where nothing published can: a bound of one's own, in place of a tolerance.",
  ),
  tolerance: mapping({ absolute: distance.optional(), relative: distance.optional() }).prefault({}),
  quick: flag().prefault(false).describe("Also with --quick."),
  sweep: optional(fileName, "Sweep file beside this one, without .yaml."),
  measure: text(1, 100).optional(),
  at: optional(point, "The point that is measured: a label for each axis."),
  of: optional(point, "With `to`: the measure at this point, over that at the other."),
  to: point.optional(),
  trend: optional(
    listOf(mapping({ of: point, to: point }), "pairs"),
    "In place of both: the pairs whose ratios should rise, from one to the next.",
  ),
  formula: choice(FORMULA_NAMES as [FormulaName, ...FormulaName[]]).optional(),
  with: optional(numbers, "What the formula takes."),
  why: optional(
    text(1, 2000),
    "Explains a miss, what was fitted, why a setting is a variant, or why a row is missing.",
  ),
});

const publishedSchema = mapping({
  why: text(1, 2000),
  rows: listOf(row, "rows"),
});

type RowFile = z.output<typeof row>;

/**
 * The rows of a file of published values.
 * @throws InputError with every problem at its place.
 */
export function readPublished(path: string): PublishedRows {
  return asKind(path, "published", "published values", () =>
    parsePublished(readTextFile(path, path, PUBLISHED_FILE), path),
  );
}

interface PublishedRows {
  readonly rows: readonly PublishedRow[];
  readonly yaml: YamlDocument;
}

/** The same from a text. */
export function parsePublished(written: string, file: string): PublishedRows {
  const yaml = readYaml(written, file);
  const tree = plainTree(yaml);
  const parsed = publishedSchema.safeParse(tree);
  if (!parsed.success) {
    const problems = problemsOf(parsed.error.issues, tree, "the file");
    throw inputError(problems, yaml, []);
  }
  const problems = parsed.data.rows.flatMap((row, i) => rowProblems(row, i, parsed.data.rows));
  if (problems.length > 0) throw inputError(problems.slice(0, LIMITS.problems), yaml, []);
  return { rows: parsed.data.rows.map(rowOf), yaml };
}

function rowProblems(row: RowFile, i: number, rows: readonly RowFile[]): Problem[] {
  const path = ["rows", i];
  const problems: Problem[] = [];
  if (rows.findIndex((candidate) => candidate.id === row.id) < i)
    problems.push(duplicate([...path, "id"], "row", row.id));
  return [
    ...problems,
    ...(row.kind === "missing" ? [] : judgementProblems(row, path)),
    ...measurementProblems(row, path),
  ];
}

/** Problems of the row's criterion: a published value with a tolerance, published bounds, or a bound of our own. */
function judgementProblems({ published, ourBound, tolerance }: RowFile, path: readonly PropertyKey[]): Problem[] {
  const hasBound = ({ atLeast, atMost }: Bounds) => atLeast !== undefined || atMost !== undefined;
  const inverted = Object.entries({ published, ourBound }).flatMap(([key, { atLeast = 0, atMost = Infinity } = {}]) =>
    atLeast > atMost
      ? [wrong([...path, key], `atLeast ${atLeast} above atMost ${atMost}`, "atLeast up to atMost")]
      : [],
  );
  const tolerances = Object.values(tolerance).filter((value) => value !== undefined).length;
  const allowed = (wanted: string) => [wrong([...path, "tolerance"], `${tolerances} tolerances`, wanted)];
  if (ourBound !== undefined) {
    if (!hasBound(ourBound)) return [wrong([...path, "ourBound"], "nothing", "atLeast or atMost")];
    return tolerances === 0 ? inverted : allowed("none, since ourBound judges the row");
  }
  if (published.value !== undefined) {
    return tolerances === 1 ? inverted : allowed("absolute or relative, since there is a value");
  }
  if (!hasBound(published)) {
    const actual = published.upTo === undefined ? "nothing" : "only upTo";
    return [wrong([...path, "published"], actual, "value, atLeast or atMost, or else ourBound")];
  }
  return tolerances === 0 ? inverted : allowed("none, since there are only bounds");
}

/** Two ratios rise by even chance. */
const LEAST_TREND = 3;

const MOST_TREND = 20;

function measurementProblems(row: RowFile, path: readonly PropertyKey[]): Problem[] {
  const isSweep = row.sweep !== undefined;
  const isFormula = row.formula !== undefined;
  const needsWhy = !isCounted(row.kind);
  const why = needsWhy && row.why === undefined ? [wrong(path, `a row of kind ${row.kind} without why`, "why")] : [];
  if (row.kind === "missing") {
    return isSweep || isFormula
      ? [...why, wrong([...path, "kind"], "missing with a measurement", "no measurement")]
      : why;
  }
  if (isSweep === isFormula) return [...why, wrong(path, isSweep ? "both" : "neither", "either sweep or formula")];
  if (row.formula !== undefined) {
    const wanted = argumentsOf(row.formula);
    const argumentNames = Object.keys(row.with ?? {});
    const isSame = wanted.length === argumentNames.length && wanted.every((name) => argumentNames.includes(name));
    return isSame ? why : [...why, wrong([...path, "with"], argumentNames.join(", ") || "nothing", wanted.join(", "))];
  }
  const hasPair = row.of !== undefined && row.to !== undefined;
  const ways = [row.at !== undefined, hasPair, row.trend !== undefined].filter(Boolean).length;
  if (row.measure === undefined) return [...why, wrong(path, "a sweep without measure", "measure")];
  if (ways !== 1 || (row.of === undefined) !== (row.to === undefined)) {
    return [...why, wrong(path, "no single point, pair of points or trend", "at, or of and to, or trend")];
  }
  const pairs = row.trend?.length ?? LEAST_TREND;
  if (pairs < LEAST_TREND || pairs > MOST_TREND) {
    const allowed = `${LEAST_TREND} to ${MOST_TREND} pairs`;
    return [...why, wrong([...path, "trend"], `${pairs} pairs`, allowed)];
  }
  return [...why, ...measureProblem(row.measure, [...path, "measure"])];
}

function rowOf(row: RowFile): PublishedRow {
  const { quick, why = "", sweep, measure, at, of, to, trend, formula, with: args, ...asWritten } = row;
  const measurement = measurementOf({ sweep, measure, at, of, to, trend, formula, with: args });
  return { ...asWritten, isQuick: quick, measurement, why: why.trim() };
}

function measurementOf({
  sweep,
  measure,
  at,
  of,
  to,
  trend,
  formula,
  with: args = {},
}: Partial<RowFile>): Measurement | null {
  if (formula !== undefined) return { formula, with: args };
  if (sweep === undefined || measure === undefined) return null;
  if (at !== undefined) return { sweep, measure, at };
  if (trend !== undefined) return { sweep, measure, trend };
  return of === undefined || to === undefined ? null : { sweep, measure, of, to };
}

/**
 * Refuses rows that a sweep cannot answer.
 * @param plans by name, of all the sweeps that the rows name.
 * @throws InputError for points that a sweep does not have, and measures that it does not keep.
 */
export function checkRows({ rows, yaml }: PublishedRows, plans: ReadonlyMap<string, SweepPlan>): void {
  const problems = rows.flatMap(({ measurement }, i) => {
    if (measurement === null || "formula" in measurement) return [];
    const plan = plans.get(measurement.sweep);
    if (plan === undefined) return [];
    const { measures, axes } = plan;
    const points = pointsOf(measurement).flatMap(([key, name]) => {
      if (pointIndex(plan, name) !== null) return [];
      const allowed = axes.map((axis) => `${axis.name}: ${labelsOf(axis.steps).join(" | ")}`);
      return [wrong(["rows", i, ...key], quote(JSON.stringify(name)), `a label of each axis (${allowed.join(", ")})`)];
    });
    const kept = measures.includes(measurement.measure)
      ? []
      : [unknownName(["rows", i, "measure"], measurement.measure, measures)];
    return [...points, ...kept];
  });
  if (problems.length > 0) throw inputError(problems.slice(0, LIMITS.problems), yaml, []);
}

/** The points of a sweep that are measured, and the keys under which the file has them. */
function pointsOf(measurement: Exclude<Measurement, { formula: unknown }>): [PropertyKey[], PointName][] {
  if ("at" in measurement) return [[["at"], measurement.at]];
  const pair = ({ of, to }: Pair, ...keys: PropertyKey[]): [PropertyKey[], PointName][] => [
    [[...keys, "of"], of],
    [[...keys, "to"], to],
  ];
  return "of" in measurement ? pair(measurement) : measurement.trend.flatMap((entry, i) => pair(entry, "trend", i));
}

/**
 * The rows that the words stand for: a whole id, or the beginning of some up to a dot.
 * @throws InputError for a word that stands for none.
 */
export function chosenRows(
  rows: readonly PublishedRow[],
  words: readonly string[],
  onlyQuick = false,
): readonly PublishedRow[] {
  const isOf = (row: PublishedRow, word: string) => row.id === word || row.id.startsWith(`${word}.`);
  const unknown = words.filter((word) => !rows.some((row) => isOf(row, word)));
  if (unknown.length > 0) {
    const known = [...new Set(rows.map((row) => experimentOf(row.id)))];
    const messages = unknown.map((word) =>
      mismatch(quote(word), `the id of a row (--list shows them) or ${allowedNames(known, word)}`),
    );
    throw fileProblem("bide reproduce", ...messages);
  }
  const named = words.length === 0 ? rows : rows.filter((row) => words.some((word) => isOf(row, word)));
  const chosen = onlyQuick ? named.filter(({ isQuick }) => isQuick) : named;
  if (chosen.length > 0) return chosen;
  // An empty scorecard would pass for one without a miss.
  const quick = [...new Set(rows.filter(({ isQuick }) => isQuick).map(({ id }) => experimentOf(id)))];
  const choices = quick.length === 0 ? "" : `; of others there are: ${quick.join(", ")}`;
  throw fileProblem("--quick", `none of the rows takes only seconds${choices}`);
}

/** `fig7` of `fig7.bin5`. */
export function experimentOf(name: string): string {
  return name.split(".")[0];
}
