import type { AllocationsFile } from "./allocations-schema.js";
import { allocationsShape } from "./allocations-schema.js";
import type { SchedulerFile, SchedulerSettings } from "./scheduler-schema.js";

/** One of the allocations of a scenario: those it starts with, or a reload. */
export interface AllocationsPlace {
  /** Where its keys stand, or the name of its file. */
  readonly path: readonly PropertyKey[];
  readonly atUs: number;
  /** What it says, or the file that does. */
  readonly given: AllocationsFile | string;
}

const KEYS = Object.keys(allocationsShape) as (keyof AllocationsFile)[];

/** The settings of a scheduler, whichever way it is written. */
export function settingsOf(file: SchedulerFile): SchedulerSettings {
  return typeof file === "string" ? { kind: file, tasksPerHeartbeat: Infinity } : file;
}

/** The keys of allocations that stand directly under `scheduler`. */
export function shortForm(settings: SchedulerSettings): (keyof AllocationsFile)[] {
  return KEYS.filter((key) => settings[key] !== undefined);
}

/** Those in force from the start first, then the reloads. */
export function allocationPlaces(file: SchedulerFile): AllocationsPlace[] {
  const settings = settingsOf(file);
  const { allocations, reloads = [] } = settings;
  const start =
    allocations === undefined
      ? { path: ["scheduler"], atUs: 0, given: Object.fromEntries(KEYS.map((key) => [key, settings[key]])) }
      : { path: ["scheduler", "allocations"], atUs: 0, given: allocations };
  return [
    start,
    ...reloads.map(({ at, allocations: given }, i) => ({
      path: ["scheduler", "reloads", i, "allocations"],
      atUs: at,
      given,
    })),
  ];
}
