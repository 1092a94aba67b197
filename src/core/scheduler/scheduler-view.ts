import type { SlotType } from "../jobs/job-table.js";
import type { SeenWait } from "./locality-wait.js";
import type { PoolSchedulerParts } from "./parts.js";
import type { PoolState } from "./pool-state.js";

/** What can be seen of a pool scheduler: demands and shares as of the last update, the rest as it is. */
export class SchedulerView {
  constructor(
    private readonly parts: PoolSchedulerParts,
    private readonly state: PoolState,
  ) {}

  jobDemand(job: number, type: SlotType): number {
    return this.state.demands.ofJob[type][job];
  }

  /** In slots; 0 in a FIFO pool. */
  jobFairShare(job: number, type: SlotType): number {
    return this.state.shares.job(job, type);
  }

  jobWeight(job: number, type: SlotType): number {
    return this.state.seenWeightOf(job, type);
  }

  poolDemand(pool: number, type: SlotType): number {
    return this.state.demands.ofPool[type][pool];
  }

  poolFairShare(pool: number, type: SlotType): number {
    return this.state.shares.pool(pool, type);
  }

  poolRunning(pool: number, type: SlotType): number {
    return this.state.entered.order[type].runningOf[pool];
  }

  /** Slots that the pool may take from others now (semantics section 12.3). */
  tasksToPreempt(pool: number, type: SlotType, nowUs: number): number {
    return this.state.starvation.amount(pool, type, nowUs);
  }

  /** A limit of its user or pools keeps the job from launching. */
  isHeldBack(job: number): boolean {
    return this.state.runnability.isHeldBack(job);
  }

  /** Level of the map that the job launched last: NODE_LOCAL at first. */
  lastLevel(job: number): number {
    return this.parts.wait.lastLevel(job);
  }

  /** What the job has waited for locality, in the terms of its wait: microseconds, or opportunities. */
  waited(job: number): number {
    return this.parts.wait.waited(job);
  }

  get wait(): SeenWait {
    return this.parts.wait;
  }

  /** The last heartbeat asked the job in vain, so that it waits now. */
  isSkipped(job: number): boolean {
    return this.parts.wait.isMarked(job);
  }
}
