import { MAP, RUNNING, SLOT_TYPES, type JobTable, type SlotType } from "../jobs/job-table.js";
import { Columns, ints, JOBS_AT_FIRST, widened } from "../../../kernel/index.js";
import type { PoolOrder } from "./pool-order.js";
import { type Pools, TOP } from "./pools.js";

/** A set of small integers that is filled and emptied again and again. */
class Marks {
  items = new Int32Array(8);
  count = 0;
  private readonly isMarked: boolean[] = [];

  constructor() {
    this.items = widened(this.items);
  }

  add(item: number): void {
    if (this.isMarked[item]) return;
    this.isMarked[item] = true;
    if (this.count === this.items.length) this.items = widened(this.items);
    this.items[this.count++] = item;
  }

  clear(): void {
    for (let i = 0; i < this.count; i++) this.isMarked[this.items[i]] = false;
    this.count = 0;
  }
}

/**
 * Demand of every job and pool as of the last update, which is what scheduling goes by (semantics section 5.1). An
 * update costs in proportion to the jobs that changed since the one before.
 */
export class Demands extends Columns {
  /** Sum over the pools at the top, each cut at its max, per type. */
  readonly total = [0, 0];
  /** By job, per type: its demand at the last update that reached it. */
  readonly ofJob = [ints(), ints()] as const;
  /** By pool, per type, cut at its max. */
  readonly ofPool: [number[], number[]] = [[], []];
  /** Jobs whose demand the last update changed. */
  readonly changedJobs: number[] = [];
  /** Contribution of each job to its pool's demand, and the sum over the jobs or pools in each. */
  private readonly added = [ints(), ints()] as const;
  private readonly sum: [number[], number[]] = [[], []];
  private readonly jobs = new Marks();
  private readonly pools = new Marks();

  /**
   * @param counts whether a job's tasks of the type count as demand: it is runnable, and if reduces, they may start.
   * @param walkStops a pool at its max leaves the demands of its later jobs as they were (see the rules); `jobsOf` then
   * gives the pool's jobs in list order.
   */
  constructor(
    private readonly table: JobTable,
    private readonly config: Pools,
    private readonly counts: (job: number, type: SlotType) => boolean,
    private readonly walkStops: boolean,
    private readonly jobsOf: (pool: number, type: SlotType) => readonly number[],
  ) {
    super();
    this.makeRoom(2 * JOBS_AT_FIRST);
  }

  /** Makes room for pools created since the last call. */
  adoptPools(): void {
    for (let pool = this.sum[MAP].length; pool < this.config.size; pool++) {
      for (const type of SLOT_TYPES) {
        this.sum[type].push(0);
        this.ofPool[type].push(0);
      }
    }
  }

  /** Some demand has changed since the last update. */
  get areStale(): boolean {
    return this.jobs.count + this.pools.count > 0;
  }

  addJob(job: number): void {
    this.makeRoom(job + 1);
    for (const type of SLOT_TYPES) {
      this.ofJob[type][job] = 0;
      this.added[type][job] = 0;
    }
  }

  /** The job's demand may have changed. */
  jobChanged(job: number): void {
    this.jobs.add(job);
  }

  /** The pool's max changed. */
  poolChanged(pool: number): void {
    this.pools.add(pool);
  }

  /** The job leaves its pool: for another, or for good. */
  takeOut(job: number): void {
    const pool = this.table.pool[job];
    for (const type of SLOT_TYPES) {
      this.sum[type][pool] -= this.added[type][job];
      this.added[type][job] = 0;
    }
    this.pools.add(pool);
  }

  /** The update: the orders go by the demands of now. */
  update(order: readonly [PoolOrder, PoolOrder]): void {
    this.changedJobs.length = 0;
    for (let i = 0; i < this.jobs.count; i++) this.takeJob(this.jobs.items[i]);
    for (let i = 0; i < this.pools.count; i++) {
      const pool = this.pools.items[i];
      for (const type of SLOT_TYPES) {
        if (this.isWalked(pool, type)) this.walk(pool, type);
        this.takePool(pool, type, order);
      }
    }
    this.jobs.clear();
    this.pools.clear();
  }

  private takeJob(job: number): void {
    const { table } = this;
    const pool = table.pool[job];
    for (const type of SLOT_TYPES) {
      const unfinished = table.running[type][job] + table.pending[type][job];
      const demand = unfinished > 0 && table.state[job] === RUNNING && this.counts(job, type) ? unfinished : 0;
      if (!this.isWalked(pool, type)) this.setJob(job, type, demand);
      const change = demand - this.added[type][job];
      if (change === 0) continue;
      this.added[type][job] = demand;
      this.sum[type][pool] += change;
      this.pools.add(pool);
    }
  }

  private setJob(job: number, type: SlotType, demand: number): void {
    if (this.ofJob[type][job] === demand) return;
    this.ofJob[type][job] = demand;
    this.changedJobs.push(job);
  }

  private isWalked(pool: number, type: SlotType): boolean {
    return this.walkStops && this.config.maxSlots[type][pool] !== Infinity;
  }

  /** Jobs after the one that fills the pool keep the demand of an earlier update. */
  private walk(pool: number, type: SlotType): void {
    let room = this.config.maxSlots[type][pool];
    for (const job of this.jobsOf(pool, type)) {
      this.setJob(job, type, this.added[type][job]);
      room -= this.added[type][job];
      if (room <= 0) return;
    }
  }

  /** Cuts a pool's demand at its max, and tells the pools around it. */
  private takePool(pool: number, type: SlotType, order: readonly [PoolOrder, PoolOrder]): void {
    const { config } = this;
    let change = 0;
    for (let p = pool; p !== TOP; p = config.parent[p]) {
      this.sum[type][p] += change;
      const demand = Math.min(this.sum[type][p], config.maxSlots[type][p]);
      change = demand - this.ofPool[type][p];
      if (change === 0) return;
      this.ofPool[type][p] = demand;
      order[type].demandChanged(p, demand);
    }
    this.total[type] += change;
  }
}
