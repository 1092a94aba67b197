import { assert, exp, ln, mismatch } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import type { AxisStep, SweepAxis } from "../../experiments/index.js";
import type { OwnChange } from "../scenario/assemble.js";
import { onlyKey, type Problem, wrong } from "../scenario/diagnose.js";
import { printable, quote, show } from "../scenario/show.js";
import { changeOf } from "../scenario/systems.js";
import type { Plain, YamlDocument } from "../scenario/yaml-document.js";
import {
  type Amount,
  amountOf,
  type AxisFile,
  quantityOf,
  sharedUnit,
  SWEEP_LIMITS,
  type SweepFile,
  written,
} from "./sweep-schema.js";

type Path = readonly PropertyKey[];

/** An axis, and where in the file each of its changes stands. */
export interface ReadAxis {
  readonly axis: SweepAxis;
  /** By step; of linked paths, one each. */
  readonly changes: readonly (readonly OwnChange[])[];
}

/** One path and its values, in the order of the steps. */
interface Track {
  readonly path: string;
  readonly values: readonly Plain[];
  /** Place of the path in the file. */
  readonly target: Path;
  /** Place of the value of a step in the file. */
  readonly place: (step: number) => Path;
}

export interface ReadAxes {
  readonly axes: readonly ReadAxis[];
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/** Reads the axes of a file. With problems the axes are not to be used. */
export function readAxes(files: readonly AxisFile[], yaml: YamlDocument): ReadAxes {
  const problems: Problem[] = [];
  const notes: string[] = [];
  const names: string[] = [];
  const axes = files.flatMap((file, i) => {
    const axisPath = ["axes", i];
    const tracks = tracksOf(file, axisPath, problems, notes);
    if (tracks === null) return [];
    const name = file.name ?? tracks.map(({ path }) => lastWord(path)).join("_");
    if (names.includes(name)) problems.push(takenName(name, file, axisPath));
    names.push(name);
    const labels = labelsOf(
      tracks.map(({ values }) => values),
      file.labels,
    );
    problems.push(...labelProblems(labels, tracks[0].values, file, axisPath));
    return [axisOf(name, tracks, labels, file.labels !== undefined, yaml)];
  });
  return { axes, problems: problems.slice(0, LIMITS.problems), notes };
}

function takenName(name: string, file: AxisFile, axisPath: Path): Problem {
  if (file.name !== undefined) return wrong([...axisPath, "name"], `${quote(name)} a second time`, "once");
  const key = file.path === undefined ? "linked" : "path";
  return wrong(
    [...axisPath, key],
    `an axis that would be called ${quote(name)} as another one is`,
    "one with a name of its own: name",
  );
}

/** `scheduler.wait.node`: `node`. */
function lastWord(path: string): string {
  const word = path.slice(path.lastIndexOf(".") + 1).replace(/[^A-Za-z0-9_]+/g, "_");
  return (/^[A-Za-z_]/.test(word) ? word : `_${word}`).slice(0, 64);
}

/** The varied paths and their values. null: there are problems. */
function tracksOf(file: AxisFile, axisPath: Path, problems: Problem[], notes: string[]): Track[] | null {
  const forms = ["values", "range", "logRange", "linked"] as const;
  const form = onlyKey(file, forms, axisPath, "an axis without values", problems);
  if (form === null) return null;
  if ((form === "linked") !== (file.path === undefined)) {
    const actual = form === "linked" ? "both path and linked" : "an axis without path";
    problems.push(wrong(axisPath, actual, form === "linked" ? "one of them" : "a path, as --set takes it"));
    return null;
  }
  if (form === "linked") return linkedTracks(file, axisPath, problems);
  const track = { path: file.path ?? "", target: [...axisPath, "path"] };
  if (file.values !== undefined) return [{ ...track, values: file.values, place: (i) => [...axisPath, "values", i] }];
  const place = [...axisPath, form];
  const range = rangeOf(file);
  if ("key" in range) {
    problems.push(wrong([...place, range.key], range.actual, range.allowed));
    return null;
  }
  const { amounts, requestedCount } = range;
  if (amounts.length < requestedCount) {
    notes.push(`${track.path}: ${requestedCount} values are ${amounts.length} after rounding to whole ones`);
  }
  return [{ ...track, values: amounts.map(written), place: () => place }];
}

function rangeOf({ range, logRange }: AxisFile): Range {
  if (range !== undefined) return linearRange(range);
  assert(logRange !== undefined, "an axis has neither values nor a range");
  return logarithmicRange(logRange);
}

function linkedTracks({ linked = {} }: AxisFile, axisPath: Path, problems: Problem[]): Track[] | null {
  const tracks = Object.entries(linked).map(([path, values]) => {
    const target = [...axisPath, "linked", path];
    return { path, values, target, place: (i: number) => [...target, i] };
  });
  if (tracks.length === 0) {
    problems.push(wrong([...axisPath, "linked"], "an empty mapping", "paths, each with a list of values"));
    return null;
  }
  const { length } = tracks[0].values;
  const different = tracks.find(({ values }) => values.length !== length);
  if (different === undefined) return tracks;
  const allowed = `${length} values, as ${quote(tracks[0].path)} has`;
  problems.push(wrong(different.target, show(different.values), allowed));
  return null;
}

function axisOf(
  name: string,
  tracks: readonly Track[],
  labels: readonly string[],
  areOwn: boolean,
  yaml: YamlDocument,
): ReadAxis {
  const said = areOwn ? labels.map(labelAmount) : [];
  // Labels `[24, 48]` are the quantities of their axis (nodes, say), whatever the values count.
  const isSaid = areOwn && said.every((amount) => amount !== null);
  const { unit, quantities } = quantitiesOf(isSaid ? said : tracks[0].values.map(amountOf));
  const steps = labels.map((label, i): AxisStep => ({
    label,
    quantity: quantities[i],
    settings: tracks.map(({ path, values }) => ({ path, value: values[i] })),
  }));
  const changes = labels.map((_, i) =>
    tracks.map(({ path, values, place, target }) => changeOf(path, values[i], { yaml, path: place(i), target })),
  );
  return { axis: { name, unit, steps }, changes };
}

/** A label is text: `24` of YAML has become "24". */
function labelAmount(label: string): Amount | null {
  return amountOf(/^-?\d{1,15}(\.\d{1,15})?$/.test(label) ? Number(label) : label);
}

/** Quantities of an axis without a common unit are null. */
function quantitiesOf(amounts: readonly (Amount | null)[]): { unit: SweepAxis["unit"]; quantities: (number | null)[] } {
  const unit = sharedUnit(amounts.filter((amount): amount is Amount => amount !== null));
  if (unit === null) return { unit: "none", quantities: amounts.map(() => null) };
  return { unit, quantities: amounts.map((amount) => (amount === null ? null : quantityOf(amount))) };
}

/** Paths that a sweep sets by other means, each with those means. */
const ELSEWHERE: readonly (readonly [path: RegExp, where: string])[] = [
  [/^run\.seed$/, "seeds are the sweep's, common to all points: seed, seeds"],
  [/^run$/, "paths into it, such as run.until; seeds are the sweep's"],
  [/^(name|why|\$schema)(\.|$)/, "the sweep has a name and why of its own"],
  [/^compare(\.|$)/, "a sweep ignores compare; axes are in its place"],
];

/** Problems of the paths that a sweep changes: at all points, and by its axes. */
export function settingProblems({ set, axes: files }: SweepFile): Problem[] {
  const problems: Problem[] = [];
  const takenPaths = new Set<string>();
  const see = (path: string, place: readonly PropertyKey[]) => {
    problems.push(...pathProblems(path, place));
    if (takenPaths.has(path)) {
      const message = `the path ${quote(path)} stands twice in set and axes`;
      problems.push({ path: place, atKey: true, message });
    }
    takenPaths.add(path);
  };
  for (const path of Object.keys(set)) see(path, ["set", path]);
  for (const [i, { path, linked }] of files.entries()) {
    if (path !== undefined) see(path, ["axes", i, "path"]);
    for (const linkedPath of Object.keys(linked ?? {})) see(linkedPath, ["axes", i, "linked", linkedPath]);
  }
  return problems;
}

/** Problems of one path. @param place of the path in the file. */
function pathProblems(path: string, place: readonly PropertyKey[]): Problem[] {
  const parts = path.split(".");
  if (parts.some((part) => part === "" || part === "__proto__") || parts.length > LIMITS.yamlDepth) {
    const message = mismatch(quote(path), "a path as --set takes it, for example scheduler.wait.node");
    return [{ path: place, atKey: true, message }];
  }
  const elsewhere = ELSEWHERE.find(([pattern]) => pattern.test(path));
  if (elsewhere === undefined) return [];
  return [{ path: place, atKey: true, message: `the path ${quote(path)} is not for a sweep: ${elsewhere[1]}` }];
}

/** The values of a range, or its problem: the key, and the actual and allowed values. */
type Range =
  | { readonly amounts: readonly Amount[]; /** Values asked for. */ readonly requestedCount: number }
  | { readonly key: string; readonly actual: string; readonly allowed: string };

/** A unit of which all bounds of a range are whole multiples. */
interface Scale {
  readonly unit: Amount["unit"];
  /** Units per 1; 1 for microseconds, bytes and whole numbers. */
  readonly perOne: number;
}

const SAME_UNIT = "one kind of value in a range: numbers, times or sizes";

/**
 * Values equally far apart, exact: each is a whole number of microseconds, bytes or units of the last decimal place.
 */
export function linearRange({ from, to, step, count }: NonNullable<AxisFile["range"]>): Range {
  if ((step === undefined) === (count === undefined)) {
    return {
      key: "step",
      actual: step === undefined ? "neither step nor count" : "both step and count",
      allowed: "one of them",
    };
  }
  const bounds = [from, to, ...(step === undefined ? [] : [step])].map(read);
  const scale = scaleOf(bounds);
  if (scale === null) return { key: "to", actual: show(to), allowed: SAME_UNIT };
  const [first, last, gap] = bounds.map((bound) => unitsOf(bound, scale));
  if (!(last > first)) return { key: "to", actual: show(to), allowed: `more than ${show(from)}, where it begins` };
  const amount = (units: number, parts = 1) => amountAt(units, parts, scale, isWhole(bounds));
  if (count !== undefined) {
    const parts = count - 1;
    // One division of whole numbers per value: nothing adds up.
    return merged(count, (i) => (i === parts ? amount(last) : amount(first * (parts - i) + last * i, parts)));
  }
  if (!(gap > 0)) return { key: "step", actual: show(step), allowed: "more than 0" };
  const requestedCount = Math.floor((last - first) / gap) + 1;
  if (requestedCount > SWEEP_LIMITS.steps) {
    return {
      key: "step",
      actual: `${show(step)}, which gives ${requestedCount} values`,
      allowed: `at most ${SWEEP_LIMITS.steps}`,
    };
  }
  return merged(requestedCount, (i) => amount(first + i * gap));
}

/** Values of which each is the same multiple of the one before. Whole where the bounds are; others to 12 digits. */
export function logarithmicRange({ from, to, count }: NonNullable<AxisFile["logRange"]>): Range {
  const bounds = [from, to].map(read);
  const unit = sharedUnit(bounds);
  if (unit === null) return { key: "to", actual: show(to), allowed: SAME_UNIT };
  const [{ value: first }, { value: last }] = bounds;
  if (!(first > 0)) return { key: "from", actual: show(from), allowed: "more than 0" };
  if (!(last > first)) return { key: "to", actual: show(to), allowed: `more than ${show(from)}, where it begins` };
  const growth = ln(last / first);
  return merged(count, (i) => {
    const value = i === 0 ? first : i === count - 1 ? last : first * exp((growth * i) / (count - 1));
    return { unit, value: isWhole(bounds) ? Math.round(value) : Number(value.toPrecision(12)) };
  });
}

function read(bound: Plain): Amount {
  const amount = amountOf(bound);
  assert(amount !== null, "a bound of a range is no amount");
  return amount;
}

function isWhole(bounds: readonly Amount[]): boolean {
  return bounds.every(({ value }) => Number.isInteger(value));
}

/** null: the bounds have no unit in common, or are too far apart in size to be counted exactly. */
function scaleOf(bounds: readonly Amount[]): Scale | null {
  const unit = sharedUnit(bounds);
  if (unit === null) return null;
  for (let perOne = 1; perOne <= 1e12; perOne *= 10) {
    if (bounds.every(({ value }) => unitsOf({ value }, { perOne }) / perOne === value)) {
      return bounds.every((bound) => Number.isSafeInteger(unitsOf(bound, { perOne }))) ? { unit, perOne } : null;
    }
  }
  return null;
}

function unitsOf({ value }: Pick<Amount, "value">, { perOne }: Pick<Scale, "perOne">): number {
  return Math.round(value * perOne);
}

/** `units / parts` of a scale. Whole bounds have only whole values between them. */
function amountAt(units: number, parts: number, { unit, perOne }: Scale, whole: boolean): Amount {
  const value = units / (parts * perOne);
  return { unit, value: whole ? Math.round(value) : value };
}

/** In order; what is equal after rounding, once. */
function merged(requestedCount: number, valueAt: (i: number) => Amount): Range {
  const amounts: Amount[] = [];
  for (let i = 0; i < requestedCount; i++) {
    const amount = valueAt(i);
    if (amounts.length === 0 || amounts[amounts.length - 1].value !== amount.value) amounts.push(amount);
  }
  return { amounts, requestedCount };
}

/** Length of a label made from a value. */
const LONGEST = 40;

/** The steps' labels in tables: the file's, or texts of the values of each step. `values` by path, then step. */
function labelsOf(values: readonly (readonly Plain[])[], fileLabels: readonly string[] | undefined): readonly string[] {
  const { length } = values[0];
  if (fileLabels?.length === length) return fileLabels;
  return Array.from({ length }, (_, i) => values.map((track) => look(track[i])).join("/"));
}

function look(value: Plain): string {
  if (typeof value !== "object" || value === null) return printable(String(value)).slice(0, LONGEST);
  const { kind, name } = value as { kind?: Plain; name?: Plain };
  const word = kind ?? name;
  if (typeof word === "string") return printable(word).slice(0, LONGEST);
  return printable(JSON.stringify(value)).slice(0, LONGEST);
}

/** Problems of labels that are missing or not distinct. */
function labelProblems(
  labels: readonly string[],
  values: readonly Plain[],
  { labels: fileLabels, linked }: AxisFile,
  axisPath: readonly PropertyKey[],
): Problem[] {
  if (fileLabels !== undefined && fileLabels.length !== values.length) {
    return [wrong([...axisPath, "labels"], show(fileLabels), `${values.length} labels, one for each value`)];
  }
  const seen = new Map<string, number>();
  const problems: Problem[] = [];
  for (const [i, label] of labels.entries()) {
    const amount = linked === undefined && fileLabels === undefined ? amountOf(values[i]) : null;
    // 1s and 1000ms are one value.
    const identity = amount === null ? label : amount.value === 0 ? "0" : `${amount.unit} ${amount.value}`;
    const before = seen.get(identity);
    seen.set(identity, i);
    if (before === undefined) continue;
    problems.push(wrong(placeOf(i), `${quote(label)} again`, "steps that differ, or labels that tell them apart"));
  }
  return problems;

  function placeOf(i: number): readonly PropertyKey[] {
    if (fileLabels !== undefined) return [...axisPath, "labels", i];
    return linked === undefined ? [...axisPath, "values", i] : [...axisPath, "linked", Object.keys(linked)[0], i];
  }
}
