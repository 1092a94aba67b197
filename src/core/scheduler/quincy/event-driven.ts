import { type JobTable, MAP, REDUCE, type SlotType } from "../../jobs/job-table.js";
import type { HeldSlots } from "../held-slots.js";
import { UpdateTimes } from "../pool-state.js";
import type { Launcher, Scheduler } from "../scheduler.js";

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

/** The jobs that have been set up, in order of submission. */
class PresentJobs {
  /** Handles. */
  readonly list: number[] = [];

  constructor(private readonly jobs: JobTable) {}

  add(job: number): void {
    const { id } = this.jobs;
    let place = this.list.length;
    while (place > 0 && id[this.list[place - 1]] > id[job]) place--;
    this.list.splice(place, 0, job);
  }

  /** A job leaves; it may never have been set up. */
  remove(job: number): void {
    const place = this.list.indexOf(job);
    if (place >= 0) this.list.splice(place, 1);
  }

  /** Some job has tasks of the type that wait. */
  havePending(type: SlotType): boolean {
    const pending = this.jobs.pending[type];
    return this.list.some((job) => pending[job] > 0);
  }
}

const NONE = -1;

/** Reduces without any locality: the job with the fewest running ones goes first, of equal ones that submitted first. */
class FairReduces {
  constructor(
    private readonly jobs: JobTable,
    private readonly present: PresentJobs,
    private readonly launcher: Launcher,
  ) {}

  /** Some job may launch one. */
  get areWaiting(): boolean {
    const { jobs } = this;
    return this.present.list.some((job) => jobs.pending[REDUCE][job] > 0 && jobs.reducesMayStart(job));
  }

  /** Fills up to so many slots of the node. */
  serve(node: number, slots: number): void {
    for (let left = slots; left > 0; left--) {
      const job = this.firstFor(node);
      if (job < 0) return;
      this.launcher.launchReduce(job, node);
    }
  }

  private firstFor(node: number): number {
    const { jobs, launcher } = this;
    let first = NONE;
    for (const job of this.present.list) {
      if (jobs.pending[REDUCE][job] === 0 || !jobs.reducesMayStart(job)) continue;
      if (first >= 0 && jobs.running[REDUCE][job] >= jobs.running[REDUCE][first]) continue;
      if (!launcher.isSelective || launcher.accepts(job, REDUCE, node)) first = job;
    }
    return first;
  }
}
