import { expectedJobLocality, type JobOnCluster } from "./job-locality.js";

/**
 * The locality of a job that takes whatever node it is offered while it heads the line, as under naive fair sharing
 * (Algorithm 1): the mean of p_j = 1 - (1 - K/M)^R over K = 1..N tasks left. Delay Scheduling (EuroSys 2010), sections
 * 3.3.1 and 3.5. It is l(D) at D = 1, a single opportunity per task. It inherits the approximation of
 * `expectedPreferredFraction`: with M = 100 and R = 3 simulated jobs agree at N = 10 but reach 0.48 for 0.54 at N = 50
 * and 0.66 for 0.755 at N = 100.
 * @throws RangeError for a job no cluster can hold.
 */
export function headOfLineLocality(job: JobOnCluster): number {
  return expectedJobLocality(job, 1);
}
