import type { DrawnSample } from "../statistics/bands.js";

/** The figures that are kept of a run. */
interface KeptFigures {
  readonly values: Readonly<Record<string, number | null>>;
  /** By key, the grids on which values lie; not there: on none. */
  readonly steps?: Readonly<Record<string, number>> | undefined;
  /** Shares of launched tasks by locality level. */
  readonly levels?: readonly number[] | undefined;
}

/** One measure of runs that differ in their seed, in the order of the seeds. */
interface Sample extends DrawnSample {
  /** The grid on which the values lie, the widest where runs differ in how many jobs or tasks there were; 0: none. */
  readonly step: number;
}

/**
 * @param runs undefined: it is missing, or failed.
 * @param isFixed their values are not equal by the chance of a grid.
 */
export function sampleOf(runs: readonly (KeptFigures | undefined)[], key: string, isFixed = false): Sample {
  return {
    values: runs.map((run) => run?.values[key] ?? null),
    levels: runs.map((run) => run?.levels ?? []),
    step: isFixed ? 0 : runs.reduce((widest, run) => Math.max(widest, run?.steps?.[key] ?? 0), 0),
  };
}
