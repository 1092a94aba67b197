import type { Topology } from "../cluster/topology.js";
import type { Absences } from "./absences.js";

/** How many nodes there are for a job: all that live, or of those the ones that its scheduler will ever use for it. */
export class ServingNodes {
  /** The scheduler may run tasks of the job on the node at some time; null: every job on every node. */
  serves: ((job: number, node: number) => boolean) | null = null;

  /** @param absences null: no node can be lost. */
  constructor(
    private readonly topology: Topology,
    private readonly absences: Absences | null,
  ) {}

  countFor(job: number): number {
    const { serves, topology, absences } = this;
    if (serves === null) return absences?.living ?? topology.nodes;
    let count = 0;
    for (let node = 0; node < topology.nodes; node++) {
      if (serves(job, node) && absences?.isLiving(node) !== false) count++;
    }
    return count;
  }
}
