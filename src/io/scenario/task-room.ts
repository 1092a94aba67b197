import type { NodeGroupSpec } from "../../core/scenario/cluster-spec.js";
import { LIMITS } from "./limits.js";
import { formatSize } from "./units.js";

/** What the largest node with a slot for a task of that type has; Infinity if there is no such slot, which others tell. */
export interface TaskRoom {
  /** Memory. */
  readonly mapBytes: number;
  readonly reduceBytes: number;
  /** Disk space for map output. */
  readonly outputBytes: number;
}

export function taskRoom(groups: readonly NodeGroupSpec[]): TaskRoom {
  const forMaps = groups.filter(({ mapSlots }) => mapSlots > 0);
  const forReduces = groups.filter(({ reduceSlots }) => reduceSlots > 0);
  return {
    mapBytes: largest(forMaps, ({ memoryBytes }) => memoryBytes),
    reduceBytes: largest(forReduces, ({ memoryBytes }) => memoryBytes),
    outputBytes: largest(forMaps, ({ diskBytes }) => diskBytes),
  };
}

function largest(groups: readonly NodeGroupSpec[], bytesOf: (group: NodeGroupSpec) => number): number {
  return groups.length === 0 ? Infinity : groups.reduce((most, group) => Math.max(most, bytesOf(group)), 0);
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
  if (maps > 0 && mapOutput > room.outputBytes) {
    const allowed = `at most ${formatSize(room.outputBytes)}, the disk space of the largest node with a map slot`;
    problems.push({ key: "mapOutput", found: formatSize(mapOutput), allowed });
  }
  if (reduces > 0 && maps * mapOutput > reduces * LIMITS.taskBytes) {
    const found = `${formatSize(mapOutput)} from each of ${String(maps)} maps for ${String(reduces)} reduces`;
    problems.push({ key: "mapOutput", found, allowed: `at most ${formatSize(LIMITS.taskBytes)} for each reduce` });
  }
  return problems;
}
