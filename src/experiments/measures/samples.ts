import { maxOver } from "../../core/kernel/index.js";
import type { RecordWords } from "../../core/record/index.js";
import { wordsOfMeasure } from "./pool-measures.js";
import type { DrawnSample } from "../statistics/bands.js";

/** The figures that are kept of a run. */
export interface KeptFigures {
  readonly fingerprint: string;
  /** By key of the measure; null: the run has no such value. */
  readonly values: Readonly<Record<string, number | null>>;
  /**
   * By key, the grids on which values lie; those that are not named lie on none. Not there: an older version has kept
   * the run.
   */
  readonly steps?: Readonly<Record<string, number>> | undefined;
  /** Shares of launched tasks by locality level; undefined: the run is not a draw. */
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
    step: isFixed ? 0 : maxOver(runs, (run) => run?.steps?.[key] ?? 0, 0),
  };
}

/**
 * The seed changes nothing of these runs, which differ in nothing else: they did the same, or all that was measured of
 * them is the same, some time among it that lies on no grid. Where all times do, equal ones may be chance.
 */
export function areAlike(runs: readonly KeptFigures[], words?: RecordWords): boolean {
  if (runs.length < 2) return false;
  const [first] = runs;
  if (runs.every(({ fingerprint }) => fingerprint === first.fingerprint)) return true;
  let hasTime = false;
  for (const [key, value] of Object.entries(first.values)) {
    const isSame = runs.every(({ values }) => values[key] === value);
    if (isSame && hasTime) continue;
    const measure = wordsOfMeasure(key, words);
    if (measure?.group === "cost") continue;
    if (!isSame) return false;
    if (measure?.unit === "seconds" && value !== null && value > 0 && (first.steps?.[key] ?? 0) === 0) hasTime = true;
  }
  return hasTime;
}
