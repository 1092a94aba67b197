/**
 * G: greedy, from queues by machine, rack and cluster. Q: minimum-cost flow. F: fair, no job runs more than its share. P:
 * with preemption (Quincy, SOSP 2009, section 6).
 */
export const QUINCY_POLICIES = ["G", "GF", "GFP", "Q", "QF", "QP", "QFP"] as const;
export type QuincyPolicy = (typeof QUINCY_POLICIES)[number];

export interface QuincySpec {
  readonly policy: QuincyPolicy;
  /** Cost of a gigabyte across a rack's switch, and of one across the core: psi and xi. */
  readonly rackCost: number;
  readonly coreCost: number;
  /** Cost of a second unscheduled: omega. With more than 1 tasks could preempt one another for ever. */
  readonly waitCost: number;
  /** Least time between two solves; 0: on every heartbeat that shows a change. */
  readonly solveEveryUs: number;
}

export function isFair(policy: QuincyPolicy): boolean {
  return policy.includes("F");
}

export function preempts(policy: QuincyPolicy): boolean {
  return policy.endsWith("P");
}
