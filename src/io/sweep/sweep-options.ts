import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import type { Override } from "../scenario/overrides.js";
import { overridesOf } from "../scenario/load.js";

/** What the command line says about a sweep. */
export interface SweepOptions {
  /** `path=value` each, of all points, after what the file sets. */
  readonly set?: readonly string[];
  /** Of the first replication, in place of the file's. */
  readonly seed?: string;
  /** In place of the file's. */
  readonly replications?: number;
  readonly plugins?: readonly SchedulerPlugin[];
}

/** The changes that options make to the scenario of every point. @throws InputError */
export function sweepOptions({ set = [], seed }: SweepOptions): readonly Override[] {
  return overridesOf({ set, ...(seed === undefined ? {} : { seed }) });
}
