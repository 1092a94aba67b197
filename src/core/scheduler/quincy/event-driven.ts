import { MAP, type JobTable, type SlotType } from "../../jobs/job-table.js";
import { FairReduces } from "../fair-reduces.js";
import type { HeldSlots } from "../held-slots.js";
import { PresentJobs } from "../present-jobs.js";
import type { Launcher, Scheduler } from "../scheduler.js";
import { UpdateTimes } from "../update-times.js";

export interface EventDrivenParts {
  readonly jobs: JobTable;
  readonly launcher: Launcher;
  readonly heldSlots: HeldSlots;
  /** Updates come at multiples of it, where they are wanted. */
  readonly periodUs: number;
  /** Over both types; Infinity = unlimited. */
  readonly tasksPerHeartbeat: number;
}

/**
 * What Quincy and its greedy rival share: jobs are set up as soon as they are submitted, whatever happens is one and the same
 * news, and reduces, of which Quincy has none, go to the job that runs the fewest.
 */
export abstract class EventDriven implements Scheduler {
  /** Something happened since the plan was made. */
  protected isStale = true;
  protected readonly present: PresentJobs;
  protected readonly updates: UpdateTimes;
  private readonly reduces: FairReduces;

  constructor(protected readonly base: EventDrivenParts) {
    this.present = new PresentJobs(base.jobs);
    this.reduces = new FairReduces(base.jobs, this.present, base.launcher);
    this.updates = new UpdateTimes(base.periodUs);
  }

  jobAdded(job: number, _nowUs: number): void {
    this.base.launcher.initialise(job);
  }

  jobReady(job: number, nowUs: number): void {
    this.present.add(job);
    this.changed(nowUs);
  }

  jobRemoved(job: number, nowUs: number): void {
    this.present.remove(job);
    this.changed(nowUs);
  }

  attemptEnded(_job: number, type: SlotType, nowUs: number): void {
    if (type === MAP) this.changed(nowUs);
  }

  attemptReturned(_job: number, type: SlotType, nowUs: number): void {
    if (type === MAP) this.changed(nowUs);
  }

  pendingChanged(_job: number, type: SlotType, _change: number, nowUs: number): void {
    if (type === MAP) this.changed(nowUs);
  }

  slotsChanged(_maps: number, _reduces: number, nowUs: number): void {
    this.changed(nowUs);
  }

  nextUpdateUs(): number {
    return this.updates.dueUs;
  }

  update(nowUs: number): void {
    this.updates.dueUs = Infinity;
    if (this.wantsMapSlots()) this.reconsider(nowUs);
  }

  checkPreemption(): void {}

  /** It has no allocations. */
  reload(): void {}

  wantsMapSlots(): boolean {
    return this.present.havePending(MAP);
  }

  wantsReduceSlots(): boolean {
    return this.hasReduces();
  }

  passOverRun(): boolean {
    return false;
  }

  hasReduces(): boolean {
    return this.reduces.areWaiting;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { tasksPerHeartbeat } = this.base;
    let given = 0;
    if (freeMaps > 0 && this.wantsMapSlots())
      given = this.serveMaps(node, nowUs, Math.min(freeMaps, tasksPerHeartbeat));
    if (freeReduces > 0) this.reduces.serve(node, Math.min(freeReduces, tasksPerHeartbeat - given));
  }

  /** An update, while maps wait. */
  protected abstract reconsider(nowUs: number): void;

  /** Fills up to so many slots of the node; returns how many. */
  protected abstract serveMaps(node: number, nowUs: number, slots: number): number;

  protected changed(nowUs: number): void {
    this.isStale = true;
    this.updates.want(nowUs);
  }
}
