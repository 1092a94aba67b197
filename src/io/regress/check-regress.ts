import type { Problem } from "../scenario/diagnose.js";
import { LIMITS } from "../scenario/limits.js";
import { quote, show, showPath } from "../scenario/show.js";
import { unknownName, wrong } from "../sweep/sweep-problems.js";
import { SWEEP_MEASURES } from "../sweep/sweep-runs.js";
import type { RegressFile, RegressRunFile } from "./regress-schema.js";

type Path = readonly PropertyKey[];

const MOST_REPLICATIONS = 10_000;

/** What is wrong across the values of a file that fits the schema; the scenarios are checked one by one. */
export function regressProblems({ runs, speed }: RegressFile): Problem[] {
  const names = runs.map(({ name }) => name);
  const all = runs.reduce((sum, { replications }) => sum + replications, 0);
  return [
    ...runs.flatMap((run, i) => runProblems(run, speed !== false, ["runs", i])),
    ...names.flatMap((name, i) => (names.indexOf(name) === i ? [] : [twice(name, ["runs", i, "name"])])),
    ...(all <= MOST_REPLICATIONS
      ? []
      : [wrong(["runs"], `${String(all)} replications`, `at most ${String(MOST_REPLICATIONS)}`)]),
  ];
}

function runProblems(run: RegressRunFile, speedOfFile: boolean, path: Path): Problem[] {
  const { statistics = [], exact, replications, tolerance } = run;
  const problems = [...setProblems(Object.keys(run.set), [...path, "set"]), ...measureProblems(statistics, path)];
  const figures = exact ?? (statistics.length > 0 ? [] : ["all"]);
  if (statistics.length > 0 && replications < 2) {
    problems.push(wrong([...path, "replications"], `${String(replications)} with statistics`, "2 or more"));
  }
  if (tolerance !== undefined && statistics.length === 0) {
    problems.push(wrong([...path, "tolerance"], "a tolerance without statistics", "one beside statistics"));
  }
  for (const [i, figure] of (exact ?? []).entries()) {
    if (exact?.indexOf(figure) !== i) problems.push(twice(figure, [...path, "exact", i]));
  }
  const hasSpeed = run.speed === undefined ? speedOfFile : run.speed !== false;
  if (figures.length === 0 && statistics.length === 0 && !hasSpeed) {
    problems.push(wrong(path, "a run of which nothing is compared", "exact, statistics or speed"));
  }
  return problems;
}

function measureProblems(statistics: readonly string[], path: Path): Problem[] {
  return statistics.flatMap((key, i) => {
    const at = [...path, "statistics", i];
    if (statistics.indexOf(key) !== i) return [twice(key, at)];
    if (SWEEP_MEASURES.includes(key)) return [];
    return [unknownName(at, key, SWEEP_MEASURES)];
  });
}

function setProblems(keys: readonly string[], path: Path): Problem[] {
  return keys.flatMap((key) => {
    const parts = key.split(".");
    if (parts.length <= LIMITS.yamlDepth && !parts.some((part) => part === "" || part === "__proto__")) return [];
    const message = `found the key ${quote(key)} in ${showPath(path)}, allowed paths such as scheduler.wait.node`;
    return [{ path: [...path, key], atKey: true, message }];
  });
}

function twice(value: string, path: Path): Problem {
  return { path, atKey: false, message: `found ${show(value)} for ${showPath(path)} a second time, allowed once` };
}
