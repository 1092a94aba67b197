import { requireFraction, requireNonNegative } from "./domain.js";
import { anyHitProbability, noHitProbability } from "./independent-tries.js";
import { requireRemainingInput, type RemainingInput } from "./preferred-nodes.js";

/**
 * (1 - p_j)^D: the probability that none of `skips` (D) random scheduling opportunities falls on a preferred node, so
 * that the job may launch a non-local task. Delay Scheduling (EuroSys 2010), section 3.5. D may be fractional.
 *
 * Algorithm 2 itself does a little better: after D skips the job still takes a local task if the next opportunity
 * offers one, so its head-of-line job misses with (1 - p_j)^(D+1).
 * @throws RangeError unless 0 <= preferred <= 1 and skips >= 0.
 */
export function nonLocalLaunchProbability(preferred: number, skips: number): number {
  requireFraction("preferred", preferred);
  requireNonNegative("skips", skips);
  return noHitProbability(preferred, skips);
}

/**
 * 1 - (1 - p_j)^D with p_j = 1 - (1 - K/M)^R, that is 1 - (1 - K/M)^(RD): the probability that a job with K tasks left
 * launches a local one within D opportunities. Section 3.5. It inherits the approximation of
 * `expectedPreferredFraction`: with M = 100, R = 3, K = 20 and D = 3 it says 0.866 where simulated jobs reach 0.840.
 * @throws RangeError for remaining input no cluster can hold, or skips < 0.
 */
export function localLaunchProbability(input: RemainingInput, skips: number): number {
  requireRemainingInput(input);
  requireNonNegative("skips", skips);
  return anyHitProbability(Math.min(1, input.tasksLeft / input.nodes), input.replication * skips);
}

/**
 * 1 - e^(-RDK/M): the paper's lower bound on `localLaunchProbability`. Section 3.5, and section 4.1, where K = 1,
 * R = 3, M = 620 and D = 270 give 73 %.
 * @throws RangeError for remaining input no cluster can hold, or skips < 0.
 */
export function localLaunchProbabilityBound(input: RemainingInput, skips: number): number {
  requireRemainingInput(input);
  requireNonNegative("skips", skips);
  return -Math.expm1(((-input.replication * input.tasksLeft) / input.nodes) * skips);
}
