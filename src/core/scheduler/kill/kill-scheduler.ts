import { MAP, REDUCE, type JobTable, type SlotType } from "../../jobs/job-table.js";
import type { PoolSchedulerParts } from "../parts.js";
import { PoolScheduler } from "../pool-scheduler.js";
import type { PreemptionCounts } from "../preemption.js";
import { SlotReclaim } from "./slot-reclaim.js";

/**
 * A pool scheduler whose jobs do not wait for slots to be freed. It looks for jobs below their shares at the instant at which a job
 * becomes ready, its reduces may start, tasks become pending again for another reason than a kill, or slots come or go. Attempts that
 * their nodes have not reported yet cannot be killed at once: what is lacking still is looked for a heartbeat interval later.
 */
export class KillScheduler extends PoolScheduler {
  private readonly reclaim: SlotReclaim;
  private readonly jobs: JobTable;
  private slots: readonly [number, number];
  private isOccasion = false;
  private checkUs = Infinity;

  constructor(
    parts: PoolSchedulerParts,
    private readonly heartbeatUs: number,
  ) {
    super(parts);
    this.reclaim = new SlotReclaim(parts.jobs, parts.launcher);
    this.slots = parts.slots;
    this.jobs = parts.jobs;
  }

  override get preemptions(): PreemptionCounts {
    return this.reclaim.counts;
  }

  override jobReady(job: number, nowUs: number): void {
    super.jobReady(job, nowUs);
    this.lookNow(nowUs);
  }

  override attemptEnded(job: number, type: SlotType, nowUs: number): void {
    super.attemptEnded(job, type, nowUs);
    const { done, slowStartMaps, pending } = this.jobs;
    if (type === MAP && done[MAP][job] === slowStartMaps[job] && pending[REDUCE][job] > 0) this.lookNow(nowUs);
  }

  override pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    super.pendingChanged(job, type, change, nowUs);
    if (change > 0) this.lookNow(nowUs);
  }

  override slotsChanged(maps: number, reduces: number, nowUs: number): void {
    super.slotsChanged(maps, reduces, nowUs);
    this.slots = [maps, reduces];
    this.lookNow(nowUs);
  }

  override nextUpdateUs(): number {
    return Math.min(this.checkUs, super.nextUpdateUs());
  }

  override update(nowUs: number): void {
    if (super.nextUpdateUs() <= nowUs) super.update(nowUs);
  }

  override checkPreemption(nowUs: number): void {
    if (nowUs < this.checkUs) return;
    this.reclaim.check(this.slots, this.isOccasion);
    this.isOccasion = false;
    this.checkUs = this.reclaim.isOwed ? nowUs + this.heartbeatUs : Infinity;
  }

  private lookNow(nowUs: number): void {
    this.isOccasion = true;
    this.checkUs = nowUs;
  }
}
