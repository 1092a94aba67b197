import { dirname, isAbsolute, join, resolve } from "node:path";
import { LIMITS } from "../../core/scenario/index.js";
import { type Diagnostic, InputError } from "../input-error.js";
import type { FilePlace } from "./platform.js";
import { printable } from "./show.js";
import type { Plain } from "./yaml-document.js";

// Files that a scenario names, of a tree that is not checked yet. Their paths are relative to the scenario's.

/** Empty where the value is no mapping. */
export function mappingOf(value: Plain | undefined): { [key: string]: Plain } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** The place of a file, or none. @param path ends with the key that names it. */
export function filePlace(holder: Plain | undefined, path: readonly string[]): FilePlace[] {
  const mapping = mappingOf(holder);
  const key = path[path.length - 1];
  const file = mapping[key];
  return typeof file === "string" && file !== "" ? [{ path, holder: mapping, key, file }] : [];
}

/**
 * Reads a file if one is named. What is wrong with it goes to the problems.
 * @param read reads it; `shown` is the path as seen from where the command was typed, like the scenario's own name in
 *   messages.
 */
export function readNamed<T>(
  file: Plain | undefined,
  scenarioFile: string,
  problems: Diagnostic[],
  read: (path: string, shown: string) => T,
): T | null {
  // The schema refuses others.
  if (typeof file !== "string" || file === "" || file.length > LIMITS.pathLength) return null;
  const folder = dirname(scenarioFile);
  try {
    return read(resolve(folder, file), printable(isAbsolute(file) ? file : join(folder, file)));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push(...error.diagnostics);
    return null;
  }
}
