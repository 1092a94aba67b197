import { namesOf } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import * as z from "zod";
import { ENOUGH_DRAWS, ENOUGH_RUNS } from "../../experiments/index.js";
import { type Problem, wrong, keyProblem, twice } from "./diagnose.js";
import { quote, show, didYouMean } from "./show.js";
import { count, label, listOf, mapping, scalar, text } from "./values.js";
import type { Plain } from "./yaml-document.js";
import { optional } from "./setting.js";

// ==== compare-schema
/** The sections of a scenario that a system may say something about; the others are the comparison's. */
export const SYSTEM_SECTIONS = ["cluster", "storage", "workload", "scheduler", "runtime", "faults"] as const;

const single = scalar<string | number | boolean>({
  allowed: "text, a number, true or false",
  json: { type: ["string", "number", "boolean"] },
  read: (value) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined,
});

/** `compare`: systems side by side, each the scenario of the file but for what it sets in those sections. */
export function compareSchemaOf(sections: readonly string[]) {
  // A path as `--set` takes it.
  const path = `^(${sections.join("|")})(\\..+)?$`;
  const set = z
    .record(z.string(), z.unknown() as z.ZodType<Plain>, {
      error: () => "a mapping from paths to values: {scheduler: fair, storage.replication: 2}",
    })
    .meta({ propertyNames: { pattern: path } });
  const system = mapping({
    name: label().describe("Unique, without commas."),
    why: text(0, 2000).prefault("").describe("What it stands for."),
    set: set.prefault({}).describe("What differs from the rest of the file: values by the paths that --set takes."),
  });

  return mapping({
    seeds: optional(
      count(1, LIMITS.seeds),
      `Seeds per system; with intervals from 2 on, which hold from ${ENOUGH_RUNS} on: the default. Of an import they are draws, ${ENOUGH_DRAWS} by default.`,
    ),
    baseline: optional(label(), "The system that the others are compared with. Default: the first."),
    private: optional(
      label(),
      "The system in which everybody is alone, for slowdowns. Default: the first of kind partition.",
    ),
    vary: optional(
      z
        .record(z.string(), listOf(single, "single values"), {
          error: () => "a mapping from paths to lists of values: {cluster.mapSlots: [1, 2, 4]}",
        })
        .meta({ propertyNames: { pattern: path } }),
      "Every system is run with each of these values; with several paths, with all combinations.",
    ),
    systems: listOf(system, "systems {name, set}"),
  });
}

/** The section as a file says it. */
export type CompareFile = z.output<ReturnType<typeof compareSchemaOf>>;

// ==== check-compare
type Path = readonly PropertyKey[];

/** Problems of the section itself; its systems are checked one by one as scenarios. */
export function compareProblems(file: CompareFile, sections: readonly string[]): Problem[] {
  const names = namesOf(file.systems);
  const varied = Object.entries(file.vary ?? {});
  return [
    ...names.flatMap((name, i) => nameProblems(name, names.indexOf(name) < i, ["compare", "systems", i, "name"])),
    ...mustBeNamed(file.baseline, names, ["compare", "baseline"]),
    ...mustBeNamed(file.private, names, ["compare", "private"]),
    ...file.systems.flatMap(({ set }, i) => pathProblems(Object.keys(set), ["compare", "systems", i, "set"], sections)),
    ...pathProblems(Object.keys(file.vary ?? {}), ["compare", "vary"], sections),
    ...varied.flatMap(([path, values]) => repeated(values, ["compare", "vary", path])),
    ...tooMany(names.length * varied.reduce((product, [, values]) => product * values.length, 1)),
  ];
}

function nameProblems(name: string, isTaken: boolean, path: Path): Problem[] {
  // --systems separates names by commas.
  if (name.includes(",")) return [wrong(path, quote(name), "a name without commas")];
  return isTaken ? [twice(path, quote(name))] : [];
}

function mustBeNamed(name: string | undefined, names: readonly string[], path: Path): Problem[] {
  if (name === undefined || names.includes(name)) return [];
  const shown = names.slice(0, LIMITS.problems);
  return [wrong(path, quote(name), shown.map(quote).join(", ") + didYouMean(name, shown))];
}

/** Common random numbers are the comparison's: no system has seeds or an end of its own. */
function pathProblems(keys: readonly string[], path: Path, sections: readonly string[]): Problem[] {
  return keys.flatMap((key) => {
    const parts = key.split(".");
    const isSound = parts.length <= LIMITS.yamlDepth && !parts.some((part) => part === "" || part === "__proto__");
    if (isSound && sections.includes(parts[0])) return [];
    const allowed = `${sections.join(", ")}, or a path into one of them; name, seed and end of runs are the comparison's`;
    return [keyProblem([...path, key], allowed)];
  });
}

function repeated(values: readonly (string | number | boolean)[], path: Path): Problem[] {
  const texts = values.map(String);
  return values.flatMap((value, i) => (texts.indexOf(texts[i]) === i ? [] : [twice([...path, i], show(value))]));
}

function tooMany(systems: number): Problem[] {
  if (systems <= LIMITS.systems) return [];
  const message = `expected at most ${LIMITS.systems} systems, each with every value of vary, found ${systems}`;
  return [{ path: ["compare", "systems"], atKey: true, message }];
}
