import type { NodeGroupSpec } from "../../core/scenario/cluster-spec.js";
import { LIMITS } from "./limits.js";
import { formatSize } from "./units.js";

/** Memory of the largest node with a slot for a task of that type; Infinity if there is no such slot, which others tell. */
export interface TaskRoom {
  readonly mapBytes: number;
  readonly reduceBytes: number;
}

export function taskRoom(groups: readonly NodeGroupSpec[]): TaskRoom {
  return {
    mapBytes: largest(groups.filter(({ mapSlots }) => mapSlots > 0)),
    reduceBytes: largest(groups.filter(({ reduceSlots }) => reduceSlots > 0)),
  };
}

function largest(groups: readonly NodeGroupSpec[]): number {
  if (groups.length === 0) return Infinity;
  return groups.reduce((most, { memoryBytes }) => Math.max(most, memoryBytes), 0);
}

/** What `taskRoom` allows, in words. */
export function allowedMemory(bytes: number): string {
  return `at most ${formatSize(bytes)}, the memory of the largest node with a slot for it`;
}

/** As much of a job as says what its tasks need; sizes in bytes. */
export interface DeclaredNeeds {
  readonly maps: number;
  readonly reduces: number;
  readonly mapOutput?: number | undefined;
  readonly mapMemory?: number | undefined;
  readonly reduceMemory?: number | undefined;
}

/** What a job says of its tasks and cannot be, by the key that says it. */
export interface NeedsProblem {
  readonly key: "mapOutput" | "mapMemory" | "reduceMemory";
  readonly found: string;
  readonly allowed: string;
}

/** Tasks that no node can hold, and reduces that would fetch more than a run can hold. */
export function needsProblems(job: DeclaredNeeds, room: TaskRoom): NeedsProblem[] {
  const { maps, reduces, mapOutput = 0, mapMemory = 0, reduceMemory = 0 } = job;
  const problems: NeedsProblem[] = [];
  if (maps > 0 && mapMemory > room.mapBytes) {
    problems.push({ key: "mapMemory", found: formatSize(mapMemory), allowed: allowedMemory(room.mapBytes) });
  }
  if (reduces > 0 && reduceMemory > room.reduceBytes) {
    problems.push({ key: "reduceMemory", found: formatSize(reduceMemory), allowed: allowedMemory(room.reduceBytes) });
  }
  if (reduces > 0 && maps * mapOutput > reduces * LIMITS.taskBytes) {
    const found = `${formatSize(mapOutput)} from each of ${String(maps)} maps for ${String(reduces)} reduces`;
    problems.push({ key: "mapOutput", found, allowed: `at most ${formatSize(LIMITS.taskBytes)} for each reduce` });
  }
  return problems;
}
