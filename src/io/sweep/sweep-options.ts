import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import { InputError, type Diagnostic } from "../input-error.js";
import type { Override } from "../scenario/overrides.js";
import { overridesOf } from "../scenario/load.js";
import { printable, quote } from "../scenario/show.js";
import type { ReadAxis } from "./axes.js";
import type { SweepFile } from "./sweep-schema.js";

/** What the command line says about a sweep. */
export interface SweepOptions {
  /** `path=value` each, of all points, after what the file sets. */
  readonly set?: readonly string[];
  /** Of the first replication, in place of the file's. */
  readonly seed?: string;
  /** In place of the file's. */
  readonly replications?: number;
  readonly plugins?: readonly SchedulerPlugin[];
  /** Told after every point that was checked, of so many: a large grid takes a minute. */
  readonly onChecked?: (checked: number, of: number) => void;
}

/**
 * The changes that options make to the scenario of every point.
 * @throws InputError with those that contradict the file.
 */
export function sweepOverrides(
  { set = [], seed }: SweepOptions,
  axes: readonly ReadAxis[],
  { seeds }: SweepFile,
): readonly Override[] {
  const overrides = overridesOf({ set });
  const problems = overrides.flatMap((override) => settingProblems(override, axes));
  if (seed !== undefined && seeds !== undefined) {
    problems.push(problem(`--seed ${printable(seed)}`, "a seed", "none: the file lists its seeds"));
  }
  if (problems.length > 0) throw new InputError(problems);
  return seed === undefined ? overrides : [...overrides, ...overridesOf({ seed })];
}

/** Options come last, so that a path of an axis, or one around it, would undo the axis. */
function settingProblems({ label, path }: Override, axes: readonly ReadAxis[]): Diagnostic[] {
  if (path.join(".") === "run.seed") return [problem(label, "the path of the seed", "--seed")];
  const undone = axes.find(({ changes: [first] }) =>
    first.some((change) => path.every((part, i) => change.path[i] === part)),
  );
  if (undone === undefined) return [];
  return [problem(label, `what the axis ${quote(undone.axis.name)} sets at each point`, "other paths")];
}

function problem(label: string, found: string, allowed: string): Diagnostic {
  return { file: label, line: 0, column: 0, message: `found ${found}, allowed ${allowed}` };
}
