import { SYSTEM_SECTIONS, type CompareFile } from "./compare-schema.js";
import type { Problem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { allowedNames, quote, show, showPath } from "./show.js";

type Path = readonly PropertyKey[];

/** What is wrong with the section itself; its systems are checked one by one as scenarios. */
export function compareProblems(file: CompareFile): Problem[] {
  const names = file.systems.map(({ name }) => name);
  const varied = Object.entries(file.vary ?? {});
  return [
    ...names.flatMap((name, i) => nameProblems(name, names.indexOf(name) < i, ["compare", "systems", i, "name"])),
    ...mustBeNamed(file.baseline, names, ["compare", "baseline"]),
    ...mustBeNamed(file.private, names, ["compare", "private"]),
    ...file.systems.flatMap(({ set }, i) => pathProblems(Object.keys(set), ["compare", "systems", i, "set"])),
    ...pathProblems(Object.keys(file.vary ?? {}), ["compare", "vary"]),
    ...varied.flatMap(([path, values]) => repeated(values, ["compare", "vary", path])),
    ...tooMany(names.length * varied.reduce((product, [, values]) => product * values.length, 1)),
  ];
}

function nameProblems(name: string, isTaken: boolean, path: Path): Problem[] {
  const found = `found ${quote(name)} for ${showPath(path)}`;
  // --systems separates names by commas.
  if (name.includes(",")) return [{ path, atKey: false, message: `${found}, allowed a name without commas` }];
  return isTaken ? [{ path, atKey: false, message: `${found} a second time, allowed once` }] : [];
}

function mustBeNamed(name: string | undefined, names: readonly string[], path: Path): Problem[] {
  if (name === undefined || names.includes(name)) return [];
  const some = names.slice(0, LIMITS.problems);
  const message = `found ${quote(name)} for ${showPath(path)}, allowed ${allowedNames(some.map(quote), quote(name))}`;
  return [{ path, atKey: false, message }];
}

/** Common random numbers are the comparison's: no system has seeds or an end of its own. */
function pathProblems(keys: readonly string[], path: Path): Problem[] {
  return keys.flatMap((key) => {
    const parts = key.split(".");
    const isSound = parts.length <= LIMITS.yamlDepth && !parts.some((part) => part === "" || part === "__proto__");
    if (isSound && (SYSTEM_SECTIONS as readonly string[]).includes(parts[0])) return [];
    const allowed = `${SYSTEM_SECTIONS.join(", ")}, or a path into one of them; name, seed and end of runs are the comparison's`;
    const message = `found the key ${quote(key)} in ${showPath(path)}, allowed ${allowed}`;
    return [{ path: [...path, key], atKey: true, message }];
  });
}

function repeated(values: readonly (string | number | boolean)[], path: Path): Problem[] {
  const texts = values.map(String);
  return values.flatMap((value, i) => {
    if (texts.indexOf(texts[i]) === i) return [];
    const message = `found ${show(value)} for ${showPath([...path, i])} a second time, allowed once`;
    return [{ path: [...path, i], atKey: false, message }];
  });
}

function tooMany(systems: number): Problem[] {
  if (systems <= LIMITS.systems) return [];
  const message = `found ${String(systems)} systems, each with every value of vary, allowed at most ${String(LIMITS.systems)}`;
  return [{ path: ["compare", "systems"], atKey: true, message }];
}
