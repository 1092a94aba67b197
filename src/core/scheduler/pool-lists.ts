import { SLOT_TYPES, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { JobRank, JobWeight, PoolOrder } from "./pool-order.js";
import { TOP, type Pools } from "./pools.js";

/**
 * The jobs of every pool, runnable or not. Hadoop keeps them, per type, in the order in which the pool last sorted them,
 * which shows only in the demands of a pool at its max (semantics sections 5.1, 7.3); elsewhere they stay in order of
 * arrival.
 */
export class PoolLists {
  private readonly jobsOf: [number[][], number[][]] = [[], []];
  private readonly isIn: boolean[] = [];

  constructor(
    private readonly table: JobTable,
    private readonly pools: Pools,
    private readonly weightOf: JobWeight,
    private readonly rankOf: JobRank,
  ) {}

  of(pool: number, type: SlotType): readonly number[] {
    return (this.jobsOf[type][pool] ??= []);
  }

  /** The job is in some pool: it has been added and not removed since. */
  has(job: number): boolean {
    return this.isIn[job];
  }

  add(job: number): void {
    this.isIn[job] = true;
    for (const type of SLOT_TYPES) (this.jobsOf[type][this.table.pool[job]] ??= []).push(job);
  }

  remove(job: number): void {
    this.isIn[job] = false;
    for (const type of SLOT_TYPES) {
      const jobs = this.jobsOf[type][this.table.pool[job]];
      jobs.splice(jobs.indexOf(job), 1);
    }
  }

  /** Sorts the jobs of a pool as a search for `type` does that asks it. */
  sort(pool: number, type: SlotType): void {
    this.jobsOf[type][pool]?.sort((a, b) => this.compare(a, b, type));
  }

  /** A search for `type` that gave a task to `job` (-1: to nobody) asked the pool; nothing has been launched yet. */
  wasAsked(pool: number, job: number, order: PoolOrder): boolean {
    for (let p = pool; p !== TOP; p = this.pools.parent[p]) if (order.isFull(p)) return false;
    return job < 0 || !order.comesAfter(pool, this.table.pool[job]);
  }

  private compare(a: number, b: number, type: SlotType): number {
    const { table } = this;
    const isFifo = this.pools.mode[table.pool[a]] === "fifo";
    const first = isFifo
      ? table.priority[a] - table.priority[b]
      : ascending(table.running[type][a] / this.weightOf(a, type), table.running[type][b] / this.weightOf(b, type));
    return first || table.startUs[a] - table.startUs[b] || this.rankOf(a) - this.rankOf(b);
  }
}

/** What is not a number comes last. */
function ascending(a: number, b: number): number {
  const x = Number.isNaN(a) ? Infinity : a;
  const y = Number.isNaN(b) ? Infinity : b;
  return x < y ? -1 : x > y ? 1 : 0;
}
