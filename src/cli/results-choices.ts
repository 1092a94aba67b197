import type { OrderBy, PointBaseline } from "../experiments/sweep/sweep-results.js";
import type { SweepAxis, SweepPlan } from "../experiments/sweep/sweep-plan.js";
import { InputError } from "../io/input-error.js";
import { nearest, printable, quote } from "../io/scenario/show.js";
import { usualMeasures } from "../report/sweep/point-table.js";

/** Names that a message lists at most. */
const MOST_NAMES = 30;

/** `--measures`: keys, `all`, or nobody's choice. @throws InputError */
export function chosenMeasures(plan: SweepPlan, names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return usualMeasures(plan.measures);
  if (names.length === 1 && names[0] === "all") return plan.measures;
  for (const name of names) {
    if (!plan.measures.includes(name))
      throw notThere("--measures", name, plan.measures, "all, or what the sweep keeps: ");
  }
  return names;
}

/** `--sort`: a measure, an axis, or `point`, the order of the sweep. @throws InputError */
export function chosenOrder(plan: SweepPlan, name: string): OrderBy {
  const axis = plan.axes.findIndex((one) => one.name === name);
  if (axis >= 0) return { axis };
  if (plan.measures.includes(name)) return { measure: name };
  throw notThere("--sort", name, [...plan.axes.map((one) => one.name), ...plan.measures], "an axis or a measure: ");
}

/** `--baseline W1=0s,W2=0s`, one point; `--baseline W1=0s`, of each point the one with this step. @throws InputError */
export function chosenBaseline(plan: SweepPlan, text: string): PointBaseline {
  const names = plan.axes.map(({ name }) => name);
  const steps = new Map<number, number>();
  for (const part of assignments(plan, text)) {
    const axis = plan.axes.findIndex(({ name }) => part.startsWith(`${name}=`));
    if (axis < 0) throw notThere("--baseline", part.split("=", 1)[0], names, "AXIS=STEP of the axes ");
    if (steps.has(axis)) throw wrong("--baseline", `found the axis ${printable(names[axis])} twice, allowed once`);
    steps.set(axis, stepOf(plan.axes[axis], part.slice(plan.axes[axis].name.length + 1)));
  }
  const [[axis, step]] = steps;
  if (steps.size === 1) return { kind: "axis", axis: plan.axes[axis].name, step };
  if (steps.size < plan.axes.length) {
    throw wrong(
      "--baseline",
      `found steps of ${String(steps.size)} axes, allowed those of one axis, or of all: ${names.map(printable).join(", ")}`,
    );
  }
  const index = plan.points.findIndex((point) => point.steps.every((one, at) => one === steps.get(at)));
  if (index < 0)
    throw wrong("--baseline", `found ${quote(text)}, which the sweep's constraints leave out; allowed a point of it`);
  return { kind: "point", index };
}

/** At commas, but those within a label of a step. */
function assignments({ axes }: SweepPlan, text: string): string[] {
  const parts: string[] = [];
  for (const part of text.split(",")) {
    const begins = parts.length === 0 || axes.some(({ name }) => part.startsWith(`${name}=`));
    if (begins) parts.push(part);
    else parts[parts.length - 1] += `,${part}`;
  }
  return parts;
}

/** By its label, or by its number in the unit of the axis. */
function stepOf({ name, steps }: SweepAxis, text: string): number {
  const labelled = steps.findIndex(({ label }) => label === text);
  if (labelled >= 0) return labelled;
  const numbered = text.trim() === "" ? -1 : steps.findIndex(({ quantity }) => quantity === Number(text));
  if (numbered >= 0) return numbered;
  const labels = steps.map(({ label }) => label);
  throw wrong(`--baseline ${printable(name)}`, `found ${quote(text)}, allowed ${someOf(labels)}`);
}

/** What was found in place of one of these names, and the one that may have been meant. */
export function notThere(option: string, found: string, allowed: readonly string[], what: string): InputError {
  const near = nearest(found, allowed);
  const hint = near === undefined ? "" : `; did you mean ${quote(near)}?`;
  return wrong(option, `found ${quote(found)}, allowed ${what}${someOf(allowed)}${hint}`);
}

function someOf(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${String(names.length - MOST_NAMES)} more` : "";
  return `${names.slice(0, MOST_NAMES).map(printable).join(", ")}${more}`;
}

function wrong(option: string, message: string): InputError {
  return new InputError([{ file: option, line: 0, column: 0, message }]);
}
