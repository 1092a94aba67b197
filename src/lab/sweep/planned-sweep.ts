import { resolve } from "node:path";
import type { Scenario } from "../../core/scenario/scenario.js";
import type { Shard } from "../../experiments/sweep/sweep-plan.js";
import type { LoadedSweep } from "../../io/sweep/load-sweep.js";
import type { StoredPlan } from "../../io/sweep/plan-file.js";
import { bideVersion } from "../../io/bide-version.js";
import { codeVersion } from "../code-version.js";
import {
  foresee,
  foreseeTime,
  type Foreseen,
  type ForeseenTime,
  refuseTooLarge,
  refuseTooLong,
  roomHere,
} from "../foresee.js";
import { RunKeys } from "./run-key.js";
import type { RunTask } from "./run-task.js";

export interface PlannedSweep {
  readonly stored: StoredPlan;
  /** The run that needs most memory; null: there are no points. */
  readonly largest: Foreseen | null;
  /** The run that takes longest; null: that of none is known. */
  readonly longest: ForeseenTime | null;
  /** Makes the scenario of a point, which is cheapest for the point that was asked for last. */
  readonly taskOf: (point: number, replication: number) => RunTask;
}

/**
 * The plan of a sweep file with the keys of all its runs, and their tasks.
 * @param pluginFiles paths as typed, of the plugins with which the file was loaded.
 * @param shard the part that is done; undefined: all.
 * @param onPlanned told after each point, of so many.
 * @throws InputError when a plugin or a workload file cannot be read.
 */
export function planSweep(
  { plan, directory, scenarioAt }: LoadedSweep,
  pluginFiles: readonly string[],
  shard?: Shard,
  onPlanned?: (planned: number, of: number) => void,
): PlannedSweep {
  const plugins = [...new Set(pluginFiles.map((file) => resolve(file)))];
  const keysOf = new RunKeys({ plan, directory, plugins });
  let largest: Foreseen | null = null;
  let longest: ForeseenTime | null = null;
  const keys = plan.points.map((point, index) => {
    const scenario = scenarioAt(point, plan.seeds[0]);
    const foreseen = foresee(scenario, null, { threads: 0, recordTasks: false });
    if (largest === null || foreseen.bytes > largest.bytes) largest = foreseen;
    const time = foreseeTime(scenario, null);
    if (time !== null && (longest === null || time.seconds > longest.seconds)) longest = time;
    onPlanned?.(index + 1, plan.points.length);
    return keysOf.keysOf(scenario, plan.seeds);
  });
  const stored = { bide: bideVersion(), code: codeVersion(), plugins: keysOf.pluginDigests(), plan, keys, shard };
  let last: { readonly point: number; readonly scenario: Scenario } | undefined;
  const taskOf = (point: number, replication: number): RunTask => {
    if (last?.point !== point) last = { point, scenario: scenarioAt(plan.points[point], plan.seeds[0]) };
    const { scenario } = last;
    const { measures, warmUp, series } = plan;
    return {
      key: keys[point][replication],
      scenario: { ...scenario, run: { ...scenario.run, seed: plan.seeds[replication] } },
      ...{ directory, plugins, measures, warmUp, series },
    };
  };
  return { stored, taskOf, largest, longest };
}

/**
 * @param threads as many runs go on at once.
 * @throws InputError when its largest runs do not fit beside each other, or one takes more than a day.
 */
export function refuseUnfitSweep({ stored, largest, longest }: PlannedSweep, threads: number): void {
  const { name, points, seeds } = stored.plan;
  const advice = "; --anyway starts it nevertheless";
  if (largest !== null)
    refuseTooLarge(name, largest, roomHere(), Math.min(threads, points.length * seeds.length), advice);
  refuseTooLong(name, longest, advice);
}
