import { readAllocations, type ReadAllocations } from "../../allocations/read.js";
import { readCapacities, type ReadCapacities } from "../../capacity/read.js";
import type { Diagnostic } from "../../input-error.js";
import { filePlace, mappingOf, readNamed } from "../named-files.js";
import type { FilePlace } from "../platform.js";
import type { Plain } from "../yaml-document.js";

/** The files that a scenario names for its scheduler, by the path that it gives. */
export interface Imports {
  readonly files: ReadonlyMap<string, ReadAllocations>;
  /** Queues of the capacity scheduler, by file. */
  readonly capacities: ReadonlyMap<string, ReadCapacities>;
  /** Problems of files that cannot be used. */
  readonly problems: readonly Diagnostic[];
}

/** Places where an unchecked scenario names files: a workload, allocations, or queues. */
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

/** Reads each of the scheduler's files once. Their paths are relative to the scenario's. */
export function readImports(tree: Plain, scenarioFile: string): Imports {
  const files = new Map<string, ReadAllocations>();
  const capacities = new Map<string, ReadCapacities>();
  const problems: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const { path: place, file } of filePlaces(tree)) {
    if (place[0] !== "scheduler") continue;
    if (place === CAPACITY_PATH) {
      const read = readNamed(file, scenarioFile, problems, readCapacities);
      if (read !== null) capacities.set(file, read);
    } else if (!seen.has(file)) {
      seen.add(file);
      const read = readNamed(file, scenarioFile, problems, readAllocations);
      if (read !== null) files.set(file, read);
    }
  }
  return { files, capacities, problems };
}
