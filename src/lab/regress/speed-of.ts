import type { SpeedFigures } from "../../experiments/regress/regress-report.js";
import { median } from "../bench/machine.js";
import { CALIBRATION_VERSION } from "./calibration-loop.js";

/** What one measurement of one replication cost, and the calibration loops before and after it, on average. */
export interface MeasuredCost {
  /** Place among the seeds of the run. */
  readonly seed: number;
  readonly cpuSeconds: number;
  readonly calibrationSeconds: number;
}

/**
 * Speed of a run from all measurements of all its replications: of each replication the median of its ratios, for one measurement in
 * a slow moment must not decide; and the sum of those, so that a costly replication counts for more.
 * @param costs at least one.
 */
export function speedOf(costs: readonly MeasuredCost[]): SpeedFigures {
  const bySeed = [...new Set(costs.map(({ seed }) => seed))].map((seed) => costs.filter((cost) => cost.seed === seed));
  const sum = (of: (cost: MeasuredCost) => number): number =>
    bySeed.reduce((total, replication) => total + median(replication.map(of)), 0);
  return {
    ratio: sum(({ cpuSeconds, calibrationSeconds }) => cpuSeconds / calibrationSeconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    calibrationSeconds: median(costs.map(({ calibrationSeconds }) => calibrationSeconds)),
    calibration: CALIBRATION_VERSION,
  };
}
