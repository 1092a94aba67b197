import { requireWhole } from "./domain.js";
import { anyHitProbability } from "./independent-tries.js";

/**
 * p_j = |P_j| / M: the fraction of the cluster's `nodes` that hold input of a task the job has yet to launch, and so the
 * chance that a random free slot is a local one. Delay Scheduling (EuroSys 2010), section 3.5.
 * @throws RangeError unless 0 <= preferredNodes <= nodes, both whole, nodes >= 1.
 */
export function preferredFraction(preferredNodes: number, nodes: number): number {
  requireWhole("nodes", nodes, 1);
  requireWhole("preferredNodes", preferredNodes, 0, nodes, "nodes");
  return preferredNodes / nodes;
}

/** A job's remaining input on a cluster: `tasksLeft` blocks (K), `nodes` (M), `replication` copies of each block (R). */
export interface RemainingInput {
  readonly tasksLeft: number;
  readonly nodes: number;
  readonly replication: number;
}

/**
 * p_j = 1 - (1 - K/M)^R for a job with K tasks left. Section 3.5. With K >= M every node is taken to be preferred: 1.
 *
 * Exact when each of the R copies of the input is striped over K different nodes. Blocks that each choose R different
 * nodes independently cover 1 - (1 - R/M)^K on average: the formula is a little low for K < R and high for K > R. With
 * M = 100 and R = 3 it says 0.271 for 0.263 at K = 10, and 0.875 for 0.782 at K = 50.
 * @throws RangeError unless tasksLeft >= 0, nodes >= 1 and 1 <= replication <= nodes, all whole.
 */
export function expectedPreferredFraction(input: RemainingInput): number {
  requireRemainingInput(input);
  return anyHitProbability(Math.min(1, input.tasksLeft / input.nodes), input.replication);
}

/** Refuses remaining input that no cluster can hold. */
export function requireRemainingInput(input: RemainingInput): void {
  requireWhole("tasksLeft", input.tasksLeft, 0);
  requireWhole("nodes", input.nodes, 1);
  requireWhole("replication", input.replication, 1, input.nodes, "nodes");
}
