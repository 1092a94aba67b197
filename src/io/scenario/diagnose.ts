import type * as z from "zod";
import { InputError, type Diagnostic, problemOf } from "../input-error.js";
import { locate, type Plain, type YamlDocument } from "./yaml-document.js";
import type { Change } from "./overrides.js";
import { allowedNames, printable, quote, show, showPath } from "./show.js";
import { asLabel, LABEL_ALLOWED } from "./values.js";
import { mismatch } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";

/** A problem at a place in the tree. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  /** It is the key at the end of the path that is wrong, not its value. */
  readonly atKey: boolean;
  /** The problem in words. */
  readonly message: string;
}

/** The problem of a value at `path` that is not allowed. @param actual as a message shows it. */
export function wrong(path: readonly PropertyKey[], actual: string, allowed: string): Problem {
  return valueProblem(path, `${actual} for ${showPath(path)}`, allowed);
}

/** A name that must be one of `names`. */
export function unknownName(path: readonly PropertyKey[], actual: string, names: readonly string[]): Problem {
  return wrong(
    path,
    quote(actual),
    names.length === 0 ? "nothing; there is no name to choose" : allowedNames(names, actual),
  );
}

/**
 * The problem of an item that names another which is not listed before it, among `before`. With this rule no item waits
 * for itself.
 */
export function notListedBefore(
  path: readonly PropertyKey[],
  noun: string,
  actual: string,
  before: readonly string[],
): Problem {
  const choices = before.length === 0 ? "; this one is the first" : `, one of ${allowedNames(before, actual)}`;
  return wrong(path, quote(actual), `a ${noun} listed before it${choices}`);
}

/** The problem of a wrong value. */
export function valueProblem(path: readonly PropertyKey[], actual: string, allowed: string): Problem {
  return { path, atKey: false, message: mismatch(actual, allowed) };
}

/** The same problem as a list, which is empty if nothing is wrong. */
export function problemIf(isWrong: boolean, path: readonly PropertyKey[], actual: string, allowed: string): Problem[] {
  return isWrong ? [valueProblem(path, actual, allowed)] : [];
}

/** Returns the one of several keys that a mapping has; null, with a problem: none or several. */
export function onlyKey<Key extends string>(
  file: Readonly<Partial<Record<Key, unknown>>>,
  keys: readonly Key[],
  path: readonly PropertyKey[],
  none: string,
  problems: Problem[],
): Key | null {
  const [key, ...laterKeys] = keys.filter((candidate) => file[candidate] !== undefined);
  if (key !== undefined && laterKeys.length === 0) return key;
  const actual = key === undefined ? none : `both ${[key, ...laterKeys].join(" and ")}`;
  problems.push(wrong(path, actual, `one of ${keys.slice(0, -1).join(", ")} and ${keys.at(-1) ?? ""}`));
  return null;
}

/** More jobs or tasks in all than a run can hold. */
export function totalProblems(
  path: readonly PropertyKey[],
  jobs: number,
  tasks: number,
  mostTasks: number = LIMITS.totalTasks,
): Problem[] {
  return [
    ...problemIf(jobs > LIMITS.jobs, path, `${jobs} jobs`, `at most ${LIMITS.jobs}`),
    ...problemIf(tasks > mostTasks, path, `${tasks} tasks`, `at most ${mostTasks}`),
  ];
}

/** A value that another one of the same list has. */
export function twice(path: readonly PropertyKey[], actual: string): Problem {
  return { path, atKey: false, message: `${showPath(path)} is ${actual} again` };
}

/** A name that is taken already. */
export function duplicate(path: readonly PropertyKey[], noun: string, name: string): Problem {
  return { path, atKey: false, message: `the ${noun} name ${quote(name)} is taken already` };
}

/** Names of the items of a list that an item before has. */
export function duplicates(names: readonly string[], noun: string, path: readonly PropertyKey[]): Problem[] {
  const earlierNames = new Set<string>();
  return names.flatMap((name, i) =>
    earlierNames.size === earlierNames.add(name).size ? [duplicate([...path, i, "name"], noun, name)] : [],
  );
}

/** The problem of a name that is a key. */
export function badName(path: readonly PropertyKey[], noun: string, name: string): Problem {
  return { path, atKey: true, message: mismatch(`the ${noun} name ${quote(name)}`, LABEL_ALLOWED) };
}

/** The problem of the key at the end of the path. @param allowed keys beside it. */
export function keyProblem(path: readonly PropertyKey[], allowed: string, whole?: string): Problem {
  const key = quote(String(path.at(-1)));
  const place = showPath(path.slice(0, -1), whole);
  return { path, atKey: true, message: `there is no key ${key} in ${place}, which takes ${allowed}` };
}

/** Names that are keys of what stands at `path`, and are none. */
export function badNames(names: readonly string[], noun: string, path: readonly PropertyKey[]): Problem[] {
  return names.filter((name) => asLabel(name) === undefined).map((name) => badName([...path, name], noun, name));
}

type Issue = z.core.$ZodIssue;

/**
 * Converts the schema's issues, one problem per wrong value or key. `tree` is the checked tree, `whole` its name in
 * messages.
 */
export function problemsOf(issues: readonly Issue[], tree: Plain, whole?: string): Problem[] {
  return problemsBelow([], issues, tree, whole);
}

function problemsBelow(
  prefix: readonly PropertyKey[],
  issues: readonly Issue[],
  tree: Plain,
  whole: string | undefined,
): Problem[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === "unrecognized_keys") return unknownKeys(issue.keys, issue.message, path, whole);
    if (issue.code === "invalid_union") {
      const meant = meantForm(issue.errors, valueAt(tree, path));
      if (meant !== undefined) return problemsBelow(path, meant, tree, whole);
    }
    return [valueProblem(path, `${show(valueAt(tree, path))} for ${showPath(path, whole)}`, issue.message)];
  });
}

function unknownKeys(
  keys: readonly string[],
  message: string,
  path: readonly PropertyKey[],
  whole: string | undefined,
): Problem[] {
  const allowed = message.split("\n");
  return keys.map((key, i) => keyProblem([...path, key], allowed[i] + poolHint(path, key), whole));
}

/** A hint for `scheduler.pools.root.ads`, which is how YARN writes a queue. */
function poolHint(path: readonly PropertyKey[], key: string): string {
  if (path.at(-1) !== "root" || path.at(-2) !== "pools") return "";
  return `; the queue root.${printable(key).slice(0, 60)} is ${showPath([...path.slice(0, -1), key])}`;
}

/**
 * The issues of the form that a mapping or list was meant to have: the one of its kind of value; undefined for a single
 * value, whose message names all forms.
 */
function meantForm(forms: readonly (readonly Issue[])[], value: unknown): readonly Issue[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return forms.find((form) =>
    form.every((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys" || issue.code === "too_small"),
  );
}

function valueAt(tree: Plain, path: readonly PropertyKey[]): unknown {
  let value: unknown = tree;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

/** The problems as an error for the user, in the order of the file; those of options come first. */
export function inputError(problems: readonly Problem[], yaml: YamlDocument, changes: readonly Change[]): InputError {
  const shown = problems.slice(0, LIMITS.problems).map((problem) => diagnosticOf(problem, yaml, changes));
  shown.sort((a, b) => a.line - b.line || a.column - b.column);
  const more = problems.length - shown.length;
  if (more > 0) shown.push(problemOf(yaml.file, `${more} more problems`));
  return new InputError(shown);
}

function diagnosticOf(problem: Problem, yaml: YamlDocument, changes: readonly Change[]): Diagnostic {
  const latestFirst = [...changes].reverse();
  const change = latestFirst.find(({ path }) => path.every((part, i) => String(problem.path[i]) === part));
  if (change?.origin !== undefined) {
    const { yaml: from, path, target, depth } = change.origin;
    const isTarget = target !== undefined && problem.atKey && problem.path.length <= depth;
    const place = isTarget
      ? locate(from, target, true)
      : locate(from, [...path, ...problem.path.slice(depth)], problem.atKey);
    return { file: from.file, ...place, message: problem.message };
  }
  if (change !== undefined) return problemOf(change.label, problem.message);
  return { file: yaml.file, ...locate(yaml, problem.path, problem.atKey), message: problem.message };
}
