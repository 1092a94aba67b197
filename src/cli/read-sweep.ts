import { definedFields } from "../core/kernel/index.js";
import type { SchedulerPlugin } from "../core/platforms/hadoop/index.js";
import { type LoadedSweep, loadSweep } from "../io/index.js";
import { checkProgress } from "./terminal.js";

/** Options of commands that run a sweep. */
export interface ReadSweepOptions {
  readonly set: readonly string[];
  readonly plugin: readonly string[];
  readonly seed?: string;
  readonly replications?: number;
  readonly quiet?: boolean;
}

/** Reads the sweep of a file, as the options change it. */
export function readSweep(
  file: string,
  { set, seed, replications, quiet }: ReadSweepOptions,
  plugins: readonly SchedulerPlugin[],
): LoadedSweep {
  return loadSweep(file, {
    set,
    plugins,
    ...definedFields({ seed, replications }),
    ...(quiet === true ? {} : { onChecked: checkProgress("Checking points") }),
  });
}
