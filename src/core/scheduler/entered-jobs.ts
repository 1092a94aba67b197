import { MAP, REDUCE, SLOT_TYPES, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { LocalityWait } from "./locality-wait.js";
import { PoolOrder, type JobRank, type JobWeight } from "./pool-order.js";
import { TOP, type Pools } from "./pools.js";
import type { Launcher } from "./scheduler.js";

export interface EnteredJobsParts {
  readonly jobs: JobTable;
  readonly pools: Pools;
  readonly wait: LocalityWait;
  readonly launcher: Launcher;
  readonly weightOf: JobWeight;
  readonly rankOf: JobRank;
  readonly zeroWeightTies: boolean;
}

/**
 * The jobs that searches visit, in order: runnable ones with pending tasks of the type, and those without where a wait
 * wants to know of them. A job enters when it turns runnable, its reduces once they may start.
 */
export class EnteredJobs {
  readonly order: readonly [PoolOrder, PoolOrder];
  /** Running in all, and pending of the entered jobs, per type. */
  readonly runningTotal = [0, 0];
  readonly pending = [0, 0];
  private readonly isEntered: [boolean[], boolean[]] = [[], []];

  constructor(private readonly parts: EnteredJobsParts) {
    const { jobs: table, pools, wait, weightOf, rankOf, zeroWeightTies } = parts;
    const orders = { table, pools, weightOf, rankOf, zeroWeightTies };
    this.order = [
      new PoolOrder({ ...orders, type: MAP, ranksIdleJobs: wait.coversIdleJobs }),
      new PoolOrder({ ...orders, type: REDUCE, ranksIdleJobs: false }),
    ];
  }

  add(job: number): void {
    this.isEntered[MAP][job] = false;
    this.isEntered[REDUCE][job] = false;
  }

  /** The reduces of the job may be launched, as far as it is known here. */
  reducesEntered(job: number): boolean {
    return this.isEntered[REDUCE][job];
  }

  /** Enters a runnable job where it now belongs; its reduces leave when outputs of maps were lost that they need to start. */
  enterWhereDue(job: number): void {
    const { jobs, wait } = this.parts;
    if (!this.isEntered[MAP][job] && (wait.coversIdleJobs || jobs.pending[MAP][job] > 0)) this.enter(job, MAP);
    const reducesAreDue = jobs.pending[REDUCE][job] > 0 && jobs.reducesMayStart(job);
    if (reducesAreDue === this.isEntered[REDUCE][job]) return;
    if (reducesAreDue) this.enter(job, REDUCE);
    else this.leave(job, REDUCE);
  }

  leaveAll(job: number): void {
    for (const type of SLOT_TYPES) if (this.isEntered[type][job]) this.leave(job, type);
  }

  /** An attempt left its slot; counts have been changed. `returned`: its task is pending again. */
  attemptLeft(job: number, type: SlotType, returned: boolean): void {
    const order = this.order[type];
    const entered = this.isEntered[type][job];
    const pending = this.parts.jobs.pending[type][job];
    this.runningTotal[type]--;
    // A task that has just been returned is not ranked as waiting yet.
    order.runningChanged(job, -1, entered, pending > (returned ? 1 : 0));
    if (returned) this.pendingChanged(job, type, 1);
  }

  /** `change` more of its tasks are pending, less if negative; counts have been changed. */
  pendingChanged(job: number, type: SlotType, change: number): void {
    if (!this.isEntered[type][job]) return;
    const pending = this.parts.jobs.pending[type][job];
    this.pending[type] += change;
    if (pending === 0) this.settle(job, type);
    else if (pending === change) this.startWaiting(job, type);
  }

  launched(job: number, type: SlotType): void {
    this.runningTotal[type]++;
    this.pending[type]--;
    this.order[type].runningChanged(job, 1, true, true);
  }

  /** A job that may have lost its last pending task: without any it waits no longer. */
  settle(job: number, type: SlotType): void {
    if (this.parts.jobs.pending[type][job] > 0) return;
    this.order[type].stopWaiting(job);
    if (type === MAP && this.parts.wait.coversIdleJobs) return;
    this.forget(job, type);
  }

  /** Weights of the job, or the mode of its pool, may have changed. */
  rekey(job: number): void {
    for (const type of SLOT_TYPES) {
      if (this.isEntered[type][job]) this.order[type].rekeyJob(job, this.waits(job, type));
    }
  }

  /** The job has gone with what it runs. */
  dropRunning(job: number): void {
    for (const type of SLOT_TYPES) {
      const running = this.parts.jobs.running[type][job];
      if (running === 0) continue;
      this.runningTotal[type] -= running;
      this.order[type].addRunning(this.parts.jobs.pool[job], -running);
    }
  }

  /** Moves the job and what it runs to another pool. */
  move(job: number, pool: number): void {
    const { jobs } = this.parts;
    const types = SLOT_TYPES.filter((type) => this.isEntered[type][job]);
    for (const type of types) this.leave(job, type);
    for (const type of SLOT_TYPES) {
      this.order[type].addRunning(jobs.pool[job], -jobs.running[type][job]);
      this.order[type].addRunning(pool, jobs.running[type][job]);
    }
    jobs.pool[job] = pool;
    for (const type of types) this.enter(job, type);
  }

  /** The job that comes first for a reduce slot of the node, -1 if none may have it. */
  firstReducer(node: number): number {
    return this.firstIn(TOP, node);
  }

  /** Makes room for pools that were created since. */
  adoptPools(): void {
    for (const type of SLOT_TYPES) this.order[type].adoptPools();
  }

  private firstIn(parent: number, node: number): number {
    const order = this.order[REDUCE];
    const { launcher, pools } = this.parts;
    const { items, size } = order.poolsIn(order.waiting, parent);
    for (let i = 0; i < size; i++) {
      const pool = items[i];
      if (order.fullPools > 0 && order.isFull(pool)) continue;
      if (!launcher.isSelective && !pools.isInner(pool)) return order.waiting.firstJobOf[pool];
      const job = pools.isInner(pool) ? this.firstIn(pool, node) : this.firstAccepted(pool, node);
      if (job >= 0) return job;
    }
    return -1;
  }

  /** Of the jobs of a pool with reduces to launch, the first that the node may serve, or -1. */
  private firstAccepted(pool: number, node: number): number {
    const { items, size } = this.order[REDUCE].waiting.jobsOf[pool];
    for (let i = 0; i < size; i++) if (this.parts.launcher.accepts(items[i], REDUCE, node)) return items[i];
    return -1;
  }

  /** A job that is visited has a pending task again. */
  private startWaiting(job: number, type: SlotType): void {
    this.order[type].startWaiting(job);
    if (type === MAP) this.parts.wait.resume(job);
  }

  private enter(job: number, type: SlotType): void {
    this.isEntered[type][job] = true;
    this.pending[type] += this.parts.jobs.pending[type][job];
    this.order[type].enter(job);
    if (type === MAP) this.parts.wait.enter(job);
  }

  private leave(job: number, type: SlotType): void {
    this.pending[type] -= this.parts.jobs.pending[type][job];
    this.order[type].leave(job, this.waits(job, type));
    this.forget(job, type);
  }

  /** The order no longer has the job. */
  private forget(job: number, type: SlotType): void {
    this.isEntered[type][job] = false;
    if (type === MAP) this.parts.wait.leave(job);
  }

  private waits(job: number, type: SlotType): boolean {
    return this.parts.jobs.pending[type][job] > 0;
  }
}
