import type { JobTable } from "../../jobs/job-table.js";
import type { BuiltScheduler } from "../built-scheduler.js";
import { SchedulerOfOwners } from "../owners/scheduler-of-owners.js";

/** Private clusters: the free slots of a node are for the jobs of its owners alone, and stay free if those want none. */
export class PartitionScheduler extends SchedulerOfOwners {
  /** @param clusterOf by node, the inner scheduler it belongs to. */
  constructor(
    inners: readonly BuiltScheduler[],
    jobs: JobTable,
    private readonly clusterOf: Int32Array,
  ) {
    super(inners, jobs);
  }

  /** What inner schedulers decide does not depend on how many slots there are. */
  slotsChanged(): void {}

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const cluster = this.clusterOf[node];
    const { scheduler } = this.inners[cluster];
    const isWanted = (freeMaps > 0 && scheduler.wantsMapSlots()) || (freeReduces > 0 && scheduler.wantsReduceSlots());
    if (isWanted) this.show(cluster, node, nowUs, freeMaps, freeReduces);
  }
}
