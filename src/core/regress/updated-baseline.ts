import type { Baseline, RunFigures } from "./run-figures.js";

export interface UpdatedBaseline {
  readonly baseline: Baseline;
  /** Names of runs that the former one had and the plan has not. */
  readonly dropped: readonly string[];
}

/**
 * A baseline of the runs of a plan, in their order: measured ones as they are now, the others as they were. A run whose speed was not
 * measured keeps that of before, with the machine it is of, if it has the same seeds.
 * @param names of all runs of the plan.
 */
export function updatedBaseline(
  former: Baseline,
  names: readonly string[],
  measured: readonly RunFigures[],
): UpdatedBaseline {
  const before = new Map(former.runs.map((run) => [run.name, run]));
  const now = new Map(measured.map((run) => [run.name, run]));
  const runs = names.flatMap((name) => {
    const [old, fresh] = [before.get(name), now.get(name)];
    const run = fresh === undefined ? old : withSpeedOf(old, fresh);
    return run === undefined ? [] : [run];
  });
  return { baseline: { runs }, dropped: [...before.keys()].filter((name) => !names.includes(name)) };
}

function withSpeedOf(old: RunFigures | undefined, fresh: RunFigures): RunFigures {
  const wasMeasured = fresh.speed !== null || fresh.peakMemoryMiB !== null;
  if (old === undefined || wasMeasured || seedsOf(old) !== seedsOf(fresh)) return fresh;
  const { speed, peakMemoryMiB, machine } = old;
  return { ...fresh, speed, peakMemoryMiB, machine };
}

function seedsOf({ replications }: RunFigures): string {
  return replications.map(({ seed }) => seed).join(" ");
}
