import { refusal, requireNonNegative, requirePositive, requireWhole } from "./domain.js";

/** Jobs of one task that come at random to `servers` (k) slots and wait in order of submission: M/M/k. */
export interface ManyServers {
  readonly servers: number;
  /** Poisson (lambda). */
  readonly arrivalsPerSecond: number;
  /** Mean of the exponential lengths of tasks (1 / mu). */
  readonly taskSeconds: number;
}

/**
 * Erlang's C formula: the probability that a job finds all slots busy. Kleinrock, Queueing Systems I (1975), section 3.5. By
 * the recursion of Erlang's B in the number of servers, which neither overflows nor cancels.
 * @throws RangeError unless servers is whole and >= 1, the other figures allow less than `servers` busy slots on average, and
 * taskSeconds > 0.
 */
export function waitProbability(system: ManyServers): number {
  const busy = requireStable(system);
  let allBusy = 1;
  for (let k = 1; k <= system.servers; k++) allBusy = (busy * allBusy) / (k + busy * allBusy);
  const free = 1 - busy / system.servers;
  return allBusy / (1 - (1 - free) * (1 - allBusy));
}

/**
 * C / (k mu - lambda): the mean time that a job waits for a slot, those counted that need not wait. Section 3.5, by Little's law.
 * @throws RangeError as `waitProbability`.
 */
export function meanWaitSeconds(system: ManyServers): number {
  const busy = requireStable(system);
  return (waitProbability(system) * system.taskSeconds) / (system.servers - busy);
}

/** The mean number of busy slots; it must be less than there are. */
function requireStable({ servers, arrivalsPerSecond, taskSeconds }: ManyServers): number {
  requireWhole("servers", servers, 1);
  requireNonNegative("arrivalsPerSecond", arrivalsPerSecond);
  requirePositive("taskSeconds", taskSeconds);
  const busy = arrivalsPerSecond * taskSeconds;
  if (busy >= servers)
    throw refusal("arrivalsPerSecond * taskSeconds", busy, `a number less than ${String(servers)} (servers)`);
  return busy;
}
