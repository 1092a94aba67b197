import { assert } from "../../core/kernel/assert.js";
import type { AxisStep, SweepAxis } from "../../experiments/sweep/sweep-plan.js";
import type { OwnChange } from "../scenario/assemble.js";
import type { Problem } from "../scenario/diagnose.js";
import { LIMITS } from "../scenario/limits.js";
import type { Plain, YamlDocument } from "../scenario/yaml-document.js";
import { quote, show } from "../scenario/show.js";
import { changeOf } from "../scenario/systems.js";
import { amountOf, quantityOf, sharedUnit, written, type Amount } from "./amounts.js";
import { linearRange, logarithmicRange, type Range } from "./ranges.js";
import { labelProblems, labelsOf } from "./step-labels.js";
import { wrong } from "./sweep-problems.js";
import type { AxisFile } from "./sweep-schema.js";

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
  /** Of the path. */
  readonly target: Path;
  /** Of the value of a step. */
  readonly place: (step: number) => Path;
}

export interface ReadAxes {
  readonly axes: readonly ReadAxis[];
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/** What a file's axes say. With problems the axes are not to be used. */
export function readAxes(files: readonly AxisFile[], yaml: YamlDocument): ReadAxes {
  const problems: Problem[] = [];
  const notes: string[] = [];
  const names: string[] = [];
  const axes = files.flatMap((file, i) => {
    const at = ["axes", i];
    const tracks = tracksOf(file, at, problems, notes);
    if (tracks === null) return [];
    const name = file.name ?? tracks.map(({ path }) => lastWord(path)).join("_");
    if (names.includes(name)) problems.push(takenName(name, file, at));
    names.push(name);
    const labels = labelsOf(
      tracks.map(({ values }) => values),
      file.labels,
    );
    problems.push(...labelProblems(labels, tracks[0].values, file, at));
    return [axisOf(name, tracks, labels, file.labels !== undefined, yaml)];
  });
  return { axes, problems: problems.slice(0, LIMITS.problems), notes };
}

function takenName(name: string, file: AxisFile, at: Path): Problem {
  if (file.name !== undefined) return wrong([...at, "name"], `${quote(name)} a second time`, "once");
  const key = file.path === undefined ? "linked" : "path";
  return wrong(
    [...at, key],
    `an axis that would be called ${quote(name)} as another one is`,
    "one with a name of its own: name",
  );
}

/** `scheduler.wait.node`: `node`. */
function lastWord(path: string): string {
  const word = path.slice(path.lastIndexOf(".") + 1).replace(/[^A-Za-z0-9_]+/g, "_");
  return (/^[A-Za-z_]/.test(word) ? word : `_${word}`).slice(0, 64);
}

/** What is varied, by path. null: there are problems. */
function tracksOf(file: AxisFile, at: Path, problems: Problem[], notes: string[]): Track[] | null {
  const forms = (["values", "range", "logRange", "linked"] as const).filter((form) => file[form] !== undefined);
  const [form] = forms;
  if (forms.length !== 1) {
    const found = forms.length === 0 ? "an axis without values" : `both ${forms.join(" and ")}`;
    problems.push(wrong(at, found, "one of values, range, logRange and linked"));
    return null;
  }
  if ((form === "linked") !== (file.path === undefined)) {
    const found = form === "linked" ? "both path and linked" : "an axis without path";
    problems.push(wrong(at, found, form === "linked" ? "one of them" : "a path, as --set takes it"));
    return null;
  }
  if (form === "linked") return linkedTracks(file, at, problems);
  const track = { path: file.path ?? "", target: [...at, "path"] };
  if (file.values !== undefined) return [{ ...track, values: file.values, place: (i) => [...at, "values", i] }];
  const place = [...at, form];
  const range = rangeOf(file);
  if ("key" in range) {
    problems.push(wrong([...place, range.key], range.found, range.allowed));
    return null;
  }
  const { amounts, asked } = range;
  if (amounts.length < asked) {
    notes.push(`${track.path}: ${String(asked)} values are ${String(amounts.length)} after rounding to whole ones`);
  }
  return [{ ...track, values: amounts.map(written), place: () => place }];
}

function rangeOf({ range, logRange }: AxisFile): Range {
  if (range !== undefined) return linearRange(range);
  assert(logRange !== undefined, "an axis has neither values nor a range");
  return logarithmicRange(logRange);
}

function linkedTracks({ linked = {} }: AxisFile, at: Path, problems: Problem[]): Track[] | null {
  const tracks = Object.entries(linked).map(([path, values]) => {
    const target = [...at, "linked", path];
    return { path, values, target, place: (i: number) => [...target, i] };
  });
  if (tracks.length === 0) {
    problems.push(wrong([...at, "linked"], "an empty mapping", "paths, each with a list of values"));
    return null;
  }
  const { length } = tracks[0].values;
  const other = tracks.find(({ values }) => values.length !== length);
  if (other === undefined) return tracks;
  const allowed = `${String(length)} values, as ${quote(tracks[0].path)} has`;
  problems.push(wrong(other.target, show(other.values), allowed));
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
  // Who writes `labels: [24, 48]` means nodes, whatever the values count.
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

/** Those of an axis whose quantities have no common unit are none. */
function quantitiesOf(amounts: readonly (Amount | null)[]): { unit: SweepAxis["unit"]; quantities: (number | null)[] } {
  const unit = sharedUnit(amounts.filter((amount): amount is Amount => amount !== null));
  if (unit === null) return { unit: "none", quantities: amounts.map(() => null) };
  return { unit, quantities: amounts.map((amount) => (amount === null ? null : quantityOf(amount))) };
}
