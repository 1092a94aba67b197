import type { StoppingRule } from "../sweep/sweep-plan.js";
import { CONFIDENCE, varianceOnGrid } from "./estimate.js";
import { centralProbability } from "./student-t.js";

/** Just below the normal quantile of 97.5 %, to which Student's t comes down. */
const LEAST_T = 1.9599;

/**
 * How many replications of a point its rule asks for: the fewest, from `least` on, whose mean is known well enough, or
 * `rule.most` where no fewer are; null while `values` are too few to tell. `values` are those of replications 0, 1, ...
 * without a gap, so the answer does not depend on the order in which runs end; values beyond the answer change nothing.
 *
 * A replication without a value (null: it failed, or has nothing to measure) counts as one of the point's, and says
 * nothing of the mean; below two values a mean is never known well enough. A mean of 0 is known well enough only if all
 * values are 0 and lie on no grid, as no half-width is a share of 0: such a point goes to `rule.most`.
 *
 * @param steps per value, of the grid on which it lies; not there: on none.
 */
export function enoughReplications(
  values: readonly (number | null)[],
  rule: StoppingRule,
  least: number,
  steps: readonly number[] = [],
): number | null {
  let n = 0;
  let mean = 0;
  let squares = 0;
  let step = 0;
  for (const [replication, value] of values.slice(0, rule.most).entries()) {
    if (value !== null) {
      // Welford: asked after every run that ends, this must not go through all prefixes.
      const deviation = value - mean;
      mean += deviation / ++n;
      squares += deviation * (value - mean);
      step = Math.max(step, steps[replication] ?? 0);
    }
    const done = replication + 1;
    if (done < least) continue;
    if (done === rule.most || isKnownWell(n, mean, squares, step, rule.relativeHalfWidth)) return done;
  }
  return null;
}

/** Half-width <= share * |mean|, asked the other way round: the interval of that half-width has the confidence. */
function isKnownWell(n: number, mean: number, squares: number, step: number, share: number): boolean {
  if (n < 2) return false;
  const variance = varianceOnGrid(squares / (n - 1), step);
  if (variance === 0) return true;
  const t = (share * Math.abs(mean)) / Math.sqrt(variance / n);
  return t > LEAST_T && centralProbability(t, n - 1) >= CONFIDENCE;
}
