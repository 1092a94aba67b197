import type { JobTable, SlotType } from "../jobs/job-table.js";
import type { JobRank, JobWeight, PoolOrder } from "./pool-order.js";
import { TOP, type Pools } from "./pools.js";

/**
 * The jobs of every pool, runnable or not. Hadoop keeps them in the order in which the pool last sorted them, which shows
 * only in the demands of a pool at its max (semantics sections 5.1, 7.3); elsewhere they stay in order of arrival.
 */
export class PoolLists {
  private readonly jobsOf: number[][] = [];

  constructor(
    private readonly table: JobTable,
    private readonly pools: Pools,
    private readonly weightOf: JobWeight,
    private readonly rankOf: JobRank,
  ) {}

  of(pool: number): readonly number[] {
    return (this.jobsOf[pool] ??= []);
  }

  add(job: number): void {
    (this.jobsOf[this.table.pool[job]] ??= []).push(job);
  }

  remove(job: number): void {
    const jobs = this.jobsOf[this.table.pool[job]];
    jobs.splice(jobs.indexOf(job), 1);
  }

  /**
   * A search for `type` asked the pools in order, up to the one of `job`, or all if it is -1; nothing has been launched
   * yet. Each pool with a max that was asked sorted its jobs.
   */
  noteAsked(type: SlotType, job: number, order: PoolOrder): void {
    const { pools, table } = this;
    for (let pool = 0; pool < pools.size; pool++) {
      if (pools.maxSlots[type][pool] === Infinity && pools.maxSlots[1 - type][pool] === Infinity) continue;
      if (this.isFullAround(pool, order) || (job >= 0 && order.comesAfter(pool, table.pool[job]))) continue;
      this.jobsOf[pool]?.sort((a, b) => this.compare(a, b, type));
    }
  }

  private isFullAround(pool: number, order: PoolOrder): boolean {
    for (let p = pool; p !== TOP; p = this.pools.parent[p]) if (order.isFull(p)) return true;
    return false;
  }

  private compare(a: number, b: number, type: SlotType): number {
    const { table } = this;
    const isFifo = this.pools.mode[table.pool[a]] === "fifo";
    const first = isFifo
      ? table.priority[a] - table.priority[b]
      : order(table.running[type][a] / this.weightOf(a, type), table.running[type][b] / this.weightOf(b, type));
    return first || table.startUs[a] - table.startUs[b] || this.rankOf(a) - this.rankOf(b);
  }
}

/** Numbers, with what is not a number last. */
function order(a: number, b: number): number {
  const x = Number.isNaN(a) ? Infinity : a;
  const y = Number.isNaN(b) ? Infinity : b;
  return x < y ? -1 : x > y ? 1 : 0;
}
