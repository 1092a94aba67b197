import type { SlotType } from "../../jobs/job-table.js";
import type { AllocationsSpec } from "../../scenario/scenario.js";
import type { Scheduler } from "../scheduler.js";
import type { ContractWatch } from "./contract-watch.js";

/** A scheduler, watched: every call of the master's passes through. */
export class WatchedScheduler implements Scheduler {
  /** @param seesAll it is shown every heartbeat with a free slot, whatever it says that it wants. */
  constructor(
    private readonly inner: Scheduler,
    private readonly watch: ContractWatch,
    private readonly seesAll: boolean,
  ) {}

  jobAdded(job: number, nowUs: number): void {
    this.watch.during("jobAdded", () => this.inner.jobAdded(job, nowUs));
  }

  jobReady(job: number, nowUs: number): void {
    this.watch.during("jobReady", () => this.inner.jobReady(job, nowUs));
  }

  jobRemoved(job: number, nowUs: number): void {
    this.watch.during("jobRemoved", () => this.inner.jobRemoved(job, nowUs));
  }

  attemptEnded(job: number, type: SlotType, nowUs: number): void {
    this.watch.during("attemptEnded", () => this.inner.attemptEnded(job, type, nowUs));
  }

  attemptReturned(job: number, type: SlotType, nowUs: number): void {
    this.watch.during("attemptReturned", () => this.inner.attemptReturned(job, type, nowUs));
  }

  pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    this.watch.during("pendingChanged", () => this.inner.pendingChanged(job, type, change, nowUs));
  }

  slotsChanged(maps: number, reduces: number, nowUs: number): void {
    this.watch.during("slotsChanged", () => this.inner.slotsChanged(maps, reduces, nowUs));
  }

  nextUpdateUs(): number {
    return this.inner.nextUpdateUs();
  }

  update(nowUs: number): void {
    this.watch.during("update", () => this.inner.update(nowUs));
  }

  checkPreemption(nowUs: number): void {
    this.watch.during("checkPreemption", () => this.inner.checkPreemption(nowUs));
  }

  reload(allocations: AllocationsSpec, nowUs: number): void {
    this.watch.during("reload", () => this.inner.reload(allocations, nowUs));
  }

  wantsMapSlots(): boolean {
    return this.seesAll || this.inner.wantsMapSlots();
  }

  wantsReduceSlots(): boolean {
    return this.seesAll || this.inner.wantsReduceSlots();
  }

  passOverRun(heartbeats: number, lastUs: number): boolean {
    return !this.seesAll && this.inner.passOverRun(heartbeats, lastUs);
  }

  hasReduces(): boolean {
    return this.inner.hasReduces();
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    this.watch.heartbeat(node, freeMaps, freeReduces, () => this.inner.heartbeat(node, nowUs, freeMaps, freeReduces));
  }
}
