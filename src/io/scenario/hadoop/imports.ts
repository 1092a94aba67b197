import { dirname, isAbsolute, join, resolve } from "node:path";
import { readAllocations, type ReadAllocations } from "../../allocations/read.js";
import { readCapacities, type ReadCapacities } from "../../capacity/read.js";
import { InputError, type Diagnostic } from "../../input-error.js";
import { LIMITS } from "../limits.js";
import type { FilePlace } from "../platform.js";
import type { Plain } from "../yaml-document.js";
import { printable } from "../show.js";

/** The files that a scenario names for its scheduler, by the path that it gives. */
export interface Imports {
  readonly files: ReadonlyMap<string, ReadAllocations>;
  /** Of the capacity scheduler. */
  readonly capacities: ReadonlyMap<string, ReadCapacities>;
  /** Of files that cannot be used. */
  readonly problems: readonly Diagnostic[];
}

/** Where a scenario that is not checked yet names files: a workload, allocations, or queues. */
export function filePlaces(tree: Plain): FilePlace[] {
  const { workload, scheduler } = mappingOf(tree);
  const { reloads } = mappingOf(scheduler);
  return [
    ...filePlace(workload, ["workload", "file"]),
    ...filePlace(scheduler, ["scheduler", "allocations"]),
    ...filePlace(mappingOf(scheduler).capacity, CAPACITY_PATH),
    ...(Array.isArray(reloads) ? reloads : []).flatMap((reload, i) =>
      filePlace(reload, ["scheduler", "reloads", String(i), "allocations"]),
    ),
  ];
}

const CAPACITY_PATH = ["scheduler", "capacity", "file"];

function filePlace(holder: Plain | undefined, path: readonly string[]): FilePlace[] {
  const mapping = mappingOf(holder);
  const key = path[path.length - 1];
  const file = mapping[key];
  return typeof file === "string" && file !== "" ? [{ path, holder: mapping, key, file }] : [];
}

function mappingOf(value: Plain | undefined): { [key: string]: Plain } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Reads each of the scheduler's files once. Their paths are relative to the scenario's. */
export function readImports(tree: Plain, scenarioFile: string): Imports {
  const files = new Map<string, ReadAllocations>();
  const capacities = new Map<string, ReadCapacities>();
  const problems: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const { path: place, file } of filePlaces(tree)) {
    // The schema refuses longer ones.
    if (place[0] !== "scheduler" || file.length > LIMITS.pathLength) continue;
    const isCapacity = place === CAPACITY_PATH;
    if (!isCapacity && seen.has(file)) continue;
    if (!isCapacity) seen.add(file);
    try {
      // As seen from where the command was typed, like the scenario's own name in messages.
      const shown = isAbsolute(file) ? file : join(dirname(scenarioFile), file);
      const path = resolve(dirname(scenarioFile), file);
      if (isCapacity) capacities.set(file, readCapacities(path, printable(shown)));
      else files.set(file, readAllocations(path, printable(shown)));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.diagnostics);
    }
  }
  return { files, capacities, problems };
}
