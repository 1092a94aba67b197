import type { StoppingRule } from "../sweep/sweep-plan.js";
import { CONFIDENCE } from "./estimate.js";
import { momentsOf } from "./moments.js";
import { centralProbability } from "./student-t.js";

/**
 * How many replications of a point its rule asks for: the fewest, from `least` on, whose mean is known well enough, or
 * `rule.most` where no fewer are; null while `values` are too few to tell. `values` are those of replications 0, 1, ...
 * without a gap, so the answer does not depend on the order in which runs end; values beyond the answer change nothing.
 *
 * A replication without a value (null: it failed, or has nothing to measure) counts as one of the point's, and says
 * nothing of the mean; below two values a mean is never known well enough. A mean of 0 is known well enough only if all
 * values are 0, as no half-width is a share of 0: such a point goes to `rule.most`.
 */
export function enoughReplications(
  values: readonly (number | null)[],
  rule: StoppingRule,
  least: number,
): number | null {
  for (let n = least; n <= Math.min(values.length, rule.most); n++) {
    if (n === rule.most || isKnownWell(values.slice(0, n), rule.relativeHalfWidth)) return n;
  }
  return null;
}

/** Half-width <= share * |mean|, asked the other way round: the interval of that half-width has the confidence. */
function isKnownWell(values: readonly (number | null)[], share: number): boolean {
  const { n, mean, variance } = momentsOf(values);
  if (mean === null || variance === null) return false;
  const halfWidth = share * Math.abs(mean);
  if (variance === 0) return true;
  return centralProbability(halfWidth / Math.sqrt(variance / n), n - 1) >= CONFIDENCE;
}
