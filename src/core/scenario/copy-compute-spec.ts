/**
 * Copy-compute splitting (EECS-2009-55): the reduce slots of a node are its reduce processes, which copy map output; how many
 * of them may go on to sort and reduce at once is a matter of its own.
 */
export interface CopyComputeSpec {
  /** Reduces of a node that may compute at once, past its gate; Infinity: as many as it has reduce slots. */
  readonly computing: number;
  /** Reduces of one job on one node that have not passed the gate; Infinity: as many as the node has reduce slots. */
  readonly perJob: number;
  readonly order: GateOrder;
}

/**
 * Who passes the gate of a node first. `waiting`: who has waited longest there; `submission`: by the priority of its job, then
 * its submission; `fair`: whose job has fewest past that gate. What is equal goes by the longest wait.
 */
export const GATE_ORDERS = ["waiting", "submission", "fair"] as const;
export type GateOrder = (typeof GATE_ORDERS)[number];
