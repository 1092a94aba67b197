import type { JobTable, SlotType } from "../../jobs/job-table.js";
import type { BuiltScheduler } from "../built-scheduler.js";
import type { WaitUnit } from "../locality-wait.js";
import type { Scheduler } from "../scheduler.js";
import { Users } from "../users.js";
import { JobPlaces } from "./job-places.js";

/**
 * Several schedulers side by side, each of which knows its own jobs only and is told of those alone. Which of them sees which
 * free slots is for whoever extends it.
 */
export abstract class SchedulerOfOwners implements Scheduler {
  readonly users = new Users();
  readonly places: JobPlaces;
  /** Opportunities if all inner schedulers wait in such. */
  readonly waitsIn: WaitUnit;
  /** Those with jobs in the table, ascending: only they may want slots. */
  protected readonly active: number[] = [];
  private readonly jobCounts: Int32Array;
  private readonly innerOfJob: number[] = [];
  /** The least of all their next updates. */
  private dueUs = Infinity;

  constructor(
    protected readonly inners: readonly BuiltScheduler[],
    private readonly jobs: JobTable,
  ) {
    this.places = new JobPlaces(inners);
    this.jobCounts = new Int32Array(inners.length);
    this.waitsIn = inners.every(({ waitsIn }) => waitsIn === "opportunities") ? "opportunities" : "microseconds";
  }

  abstract slotsChanged(maps: number, reduces: number, nowUs: number): void;
  abstract heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void;

  /** The one that has the job. */
  innerOf(job: number): number {
    return this.innerOfJob[job];
  }

  /** The job's pool and user are those of its inner scheduler from now on. */
  jobAdded(job: number, nowUs: number): void {
    const { jobs, places } = this;
    const place = jobs.pool[job];
    const inner = places.inners[place];
    jobs.pool[job] = places.pools[place];
    jobs.user[job] = this.inners[inner].users.named(this.users.names[jobs.user[job]]);
    this.innerOfJob[job] = inner;
    if (this.jobCounts[inner]++ === 0) this.activate(inner);
    this.inners[inner].scheduler.jobAdded(job, nowUs);
    this.heed(inner);
  }

  jobReady(job: number, nowUs: number): void {
    const inner = this.innerOfJob[job];
    this.inners[inner].scheduler.jobReady(job, nowUs);
    this.heed(inner);
  }

  jobRemoved(job: number, nowUs: number): void {
    const inner = this.innerOfJob[job];
    this.inners[inner].scheduler.jobRemoved(job, nowUs);
    this.heed(inner);
    if (--this.jobCounts[inner] === 0) this.active.splice(this.active.indexOf(inner), 1);
  }

  attemptEnded(job: number, type: SlotType, nowUs: number): void {
    const inner = this.innerOfJob[job];
    this.inners[inner].scheduler.attemptEnded(job, type, nowUs);
    this.heed(inner);
  }

  attemptReturned(job: number, type: SlotType, nowUs: number): void {
    const inner = this.innerOfJob[job];
    this.inners[inner].scheduler.attemptReturned(job, type, nowUs);
    this.heed(inner);
  }

  pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    const inner = this.innerOfJob[job];
    this.inners[inner].scheduler.pendingChanged(job, type, change, nowUs);
    this.heed(inner);
  }

  nextUpdateUs(): number {
    return this.dueUs;
  }

  /** Of those that want one by now. */
  update(nowUs: number): void {
    this.dueUs = Infinity;
    for (const { scheduler } of this.inners) {
      if (scheduler.nextUpdateUs() <= nowUs) scheduler.update(nowUs);
      this.dueUs = Math.min(this.dueUs, scheduler.nextUpdateUs());
    }
  }

  /** Nobody's tasks are killed for others. */
  checkPreemption(): void {}

  /** Inner schedulers know no allocations. */
  reload(): void {}

  wantsMapSlots(): boolean {
    for (const inner of this.active) if (this.inners[inner].scheduler.wantsMapSlots()) return true;
    return false;
  }

  wantsReduceSlots(): boolean {
    for (const inner of this.active) if (this.inners[inner].scheduler.wantsReduceSlots()) return true;
    return false;
  }

  hasReduces(): boolean {
    for (const inner of this.active) if (this.inners[inner].scheduler.hasReduces()) return true;
    return false;
  }

  /** It would have to know which nodes they are. */
  passOverRun(): boolean {
    return false;
  }

  isHeldBack(job: number): boolean {
    return this.inners[this.innerOfJob[job]].isHeldBack(job);
  }

  /** In `waitsIn`; 0 of a job whose scheduler waits in other terms. */
  waited(job: number): number {
    const inner = this.inners[this.innerOfJob[job]];
    return inner.waitsIn === this.waitsIn ? inner.waited(job) : 0;
  }

  /** The free slots of a node, all or some, are for that inner scheduler alone. */
  protected show(inner: number, node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    this.inners[inner].scheduler.heartbeat(node, nowUs, freeMaps, freeReduces);
    this.heed(inner);
  }

  /** What an inner scheduler was just told may have brought its next update nearer. */
  private heed(inner: number): void {
    const dueUs = this.inners[inner].scheduler.nextUpdateUs();
    if (dueUs < this.dueUs) this.dueUs = dueUs;
  }

  private activate(inner: number): void {
    let at = this.active.length;
    while (at > 0 && this.active[at - 1] > inner) at--;
    this.active.splice(at, 0, inner);
  }
}
