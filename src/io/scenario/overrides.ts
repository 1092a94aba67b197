import { InputError, type Diagnostic, problemOf } from "../input-error.js";
import { type Plain, plainTree, readYaml, type YamlDocument } from "./yaml-document.js";
import { printable, quote, show, showPath } from "./show.js";
import { mismatch } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";

/** One `--set path=value`. */
export interface Override {
  /** Its name in diagnostics: `--set run.seed=7`. */
  readonly label: string;
  readonly path: readonly string[];
  readonly value: Plain;
}

/** A change that was made: everything at or below `path` comes from the option `label`. */
export interface Change {
  readonly label: string;
  readonly path: readonly string[];
  /**
   * The place of the change in a file, and the length of the path whose value stands there; undefined: an option makes
   * it.
   */
  readonly origin?: Origin & { readonly depth: number };
}

/** The place in a file that a change comes from. */
export interface Origin {
  readonly yaml: YamlDocument;
  /** Path of the new value. */
  readonly path: readonly PropertyKey[];
  /** Path of the words that name the changed setting; undefined: the last part of `path`. */
  readonly target?: readonly PropertyKey[];
}

/**
 * A single value that a mapping says more about; `key` holds it there, null: it stands for no setting of the mapping.
 */
export type Shorthand = readonly [path: RegExp, key: string | null];

type Mapping = { [key: string]: Plain };

const PROPERTY_OF_SPARK =
  "found a property of Spark, allowed a path of the scenario, such as scheduler.wait for spark.locality.wait; or change it in the file that scheduler.conf names";

/**
 * Reads `--set` arguments.
 * @throws InputError with all that are malformed.
 */
export function parseOverrides(settings: readonly string[]): Override[] {
  const problems: Diagnostic[] = [];
  const overrides: Override[] = [];
  for (const setting of settings) {
    const label = `--set ${printable(setting)}`;
    const equals = setting.indexOf("=");
    const path = setting.slice(0, Math.max(0, equals)).trim().split(".");
    if (path.some((part) => part === "" || part === "__proto__") || path.length > LIMITS.yamlDepth) {
      const actual = path.includes("__proto__") ? "the key __proto__" : quote(setting);
      problems.push(problemOf(label, mismatch(actual, "path=value, for example scheduler.wait.node=5s")));
      continue;
    }
    if (path[0] === "spark") {
      problems.push(problemOf(label, PROPERTY_OF_SPARK));
      continue;
    }
    try {
      overrides.push({ label, path, value: plainTree(readYaml(setting.slice(equals + 1), label)) });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.diagnostics.map(({ message }) => problemOf(label, message)));
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  return overrides;
}

/** Whether a change of what stands at `around` changes what stands at the path. */
export function startsWith(path: readonly string[], around: readonly string[]): boolean {
  return around.every((part, i) => path[i] === part);
}

/**
 * Changes `tree` in place. Missing mappings on the way are made; a shorthand on the way (`scheduler: hfs`,
 * `preemption: log`) becomes the mapping it stands for. `scheduler=NAME` on a mapping changes the kind and drops the
 * file's `wait`, `updateInterval` and `options`, which belonged to the former kind; `scheduler.kind=NAME` keeps them.
 * @throws InputError for a path that leads into a single value or beyond a list.
 */
export function applyOverride(
  tree: Mapping,
  { label, path, value }: Override,
  shorthands: readonly Shorthand[],
): Change {
  try {
    return { label, path: applyOne(tree, path, value, shorthands) };
  } catch (error) {
    if (!(error instanceof BadPath)) throw error;
    throw new InputError([{ file: label, line: 0, column: 0, message: error.message }]);
  }
}

/** A path that does not fit the tree; the message says what was expected and what was found. */
class BadPath extends Error {}

/** @returns the path from which on everything is new. */
function applyOne(tree: Mapping, path: readonly string[], value: Plain, shorthands: readonly Shorthand[]): string[] {
  if (path.length === 1 && path[0] === "scheduler" && typeof value === "string" && changeKind(tree.scheduler, value)) {
    return ["scheduler", "kind"];
  }
  let branch: Mapping | Plain[] = tree;
  let changedAt = path.length;
  const walked: string[] = [];
  for (const [depth, part] of path.entries()) {
    const key: string | number = Array.isArray(branch) ? listIndex(branch, part) : part;
    walked.push(String(key));
    const holder = branch as { [key: string | number]: Plain };
    const inner: Plain | undefined = Object.hasOwn(holder, key) ? holder[key] : undefined;
    if (depth === path.length - 1) {
      holder[key] = value;
    } else if (isCollection(inner)) {
      branch = inner;
    } else {
      branch = holder[key] = expand(walked.join("."), inner, shorthands);
      // A value that a shorthand stands for stays as it was.
      changedAt = Math.min(changedAt, depth + (Object.keys(branch).length === 0 ? 1 : 2));
    }
  }
  return walked.slice(0, changedAt);
}

/** Changes a scheduler's kind and drops what belonged to the former one; false if it is no mapping. */
function changeKind(scheduler: Plain | undefined, kind: string): boolean {
  if (!isCollection(scheduler) || Array.isArray(scheduler)) return false;
  delete scheduler.wait;
  delete scheduler.updateInterval;
  delete scheduler.options;
  scheduler.kind = kind;
  return true;
}

function isCollection(value: Plain | undefined): value is Mapping | Plain[] {
  return typeof value === "object" && value !== null;
}

/** The mapping that a missing or single value stands for. */
function expand(path: string, value: Plain | undefined, shorthands: readonly Shorthand[]): Mapping {
  if (value === undefined || value === null) return {};
  const shorthand = shorthands.find(([pattern]) => pattern.test(path));
  if (shorthand === undefined) {
    throw new BadPath(
      `expected a mapping or a list to set something in, found ${show(value)} for ${showPath(path.split("."))}`,
    );
  }
  const [, key] = shorthand;
  return key === null ? {} : { [key]: value };
}

/** Lists are addressed by the `name` of an item, or by position from 0. */
function listIndex(list: readonly Plain[], part: string): number {
  const byName = list.findIndex((item) => isCollection(item) && !Array.isArray(item) && item.name === part);
  if (byName >= 0) return byName;
  const index = /^\d{1,9}$/.test(part) ? Number(part) : NaN;
  if (index < list.length) return index;
  const positions = list.length === 0 ? "" : `a position from 0 to ${list.length - 1} or `;
  throw new BadPath(`expected ${positions}the name of an item, found ${quote(part)} for a place in a list`);
}
