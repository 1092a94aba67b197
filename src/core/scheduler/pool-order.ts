import { widened, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { Pools } from "./pools.js";
import { SortedOrder, TieBreaks } from "./sorted-order.js";

/** Shifts needy pools, whose ratio is below 1, before all others, whose ratio is not negative. */
const NEEDY_SHIFT = -2;

/** A job's claim to slots; `priority` is an index into PRIORITIES. */
export type JobWeight = (priority: number) => number;

/** Pools in order, and the jobs of each in order. */
export class Ranking {
  readonly pools: SortedOrder;
  readonly jobsOf: SortedOrder[] = [];
  /** By pool: how many jobs it has here, and the first of them. */
  jobCountOf = new Int32Array(16);
  firstJobOf = new Int32Array(16);
  /** All jobs. */
  size = 0;

  constructor(
    private readonly poolTies: TieBreaks,
    private readonly jobTies: TieBreaks,
  ) {
    this.pools = new SortedOrder(poolTies);
  }

  addPool(): void {
    this.jobsOf.push(new SortedOrder(this.jobTies));
    if (this.jobsOf.length <= this.jobCountOf.length) return;
    this.jobCountOf = widened(this.jobCountOf);
    this.firstJobOf = widened(this.firstJobOf);
  }

  insert(job: number, pool: number): void {
    if (this.jobCountOf[pool]++ === 0) this.pools.insert(pool);
    this.size++;
    this.jobsOf[pool].insert(job);
    this.firstJobOf[pool] = this.jobsOf[pool].items[0];
  }

  remove(job: number, pool: number): void {
    if (--this.jobCountOf[pool] === 0) this.pools.remove(pool);
    this.size--;
    this.jobsOf[pool].remove(job);
    this.firstJobOf[pool] = this.jobsOf[pool].items[0];
  }

  /** Before the key is set. */
  moveJob(job: number, pool: number, key: number): void {
    if (this.jobCountOf[pool] < 2) return;
    this.jobsOf[pool].move(job, key);
    this.firstJobOf[pool] = this.jobsOf[pool].items[0];
  }

  /** Before the key is set. */
  movePool(pool: number, key: number): void {
    if (this.jobCountOf[pool] > 0 && this.poolTies.key[pool] !== key) this.pools.move(pool, key);
  }
}

/**
 * Who is next for a slot of one type: pools in fair order, and inside each its jobs, kept sorted under every change of
 * the running counts. Pools below their min share come first, by how far below; the others by running / weight; ties by
 * name. Jobs of a fair pool go by running / weight, of a FIFO pool by priority; ties by start time, then submission
 * (semantics sections 7.1, 7.2; paper section 4.1). Jobs with pending tasks are ranked in `waiting`. `all` ranks
 * with them those that are visited without any, if somebody wants to know; else it is the same ranking.
 */
export class PoolOrder {
  readonly waiting: Ranking;
  readonly all: Ranking;
  /** Tasks of the type that run, by pool, whether their jobs are ranked or not. */
  readonly runningOf: number[] = [];
  /** How many ranked pools are at their max. */
  fullPools = 0;
  private readonly ranksIdleJobs: boolean;
  private readonly poolTies = new TieBreaks();
  private readonly jobTies = new TieBreaks();
  private readonly demandOf: number[] = [];

  constructor(
    private readonly type: SlotType,
    private readonly table: JobTable,
    private readonly config: Pools,
    private readonly weightOf: JobWeight,
    ranksIdleJobs: boolean,
  ) {
    this.waiting = new Ranking(this.poolTies, this.jobTies);
    this.all = ranksIdleJobs ? new Ranking(this.poolTies, this.jobTies) : this.waiting;
    this.ranksIdleJobs = ranksIdleJobs;
  }

  /** Makes room for pools that were created since; ranks shift, but never against each other. */
  adoptPools(): void {
    const ranks = this.config.ranks();
    for (let pool = 0; pool < this.config.size; pool++) {
      if (pool >= this.runningOf.length) {
        this.waiting.addPool();
        if (this.ranksIdleJobs) this.all.addPool();
        this.runningOf.push(0);
        this.demandOf.push(0);
        this.poolTies.set(pool, this.keyOfPool(pool), 0, ranks[pool]);
      }
      this.poolTies.rank[pool] = ranks[pool];
    }
  }

  /** Ranks a job, with pending tasks or without. */
  enter(job: number): void {
    const { table } = this;
    const pool = table.pool[job];
    if (this.all.jobCountOf[pool] === 0 && this.isFull(pool)) this.fullPools++;
    this.jobTies.set(job, this.keyOfJob(job), table.startUs[job], table.id[job]);
    this.all.insert(job, pool);
    if (this.ranksIdleJobs && table.pending[this.type][job] > 0) this.waiting.insert(job, pool);
  }

  /** A ranked job; `waits`: it is ranked among those with pending tasks. */
  leave(job: number, waits: boolean): void {
    const pool = this.table.pool[job];
    if (this.ranksIdleJobs && waits) this.waiting.remove(job, pool);
    this.all.remove(job, pool);
    if (this.all.jobCountOf[pool] === 0 && this.isFull(pool)) this.fullPools--;
  }

  /** A ranked job has launched its last pending task; where idle jobs are ranked it stays among `all`. */
  stopWaiting(job: number): void {
    if (this.ranksIdleJobs) this.waiting.remove(job, this.table.pool[job]);
    else this.leave(job, false);
  }

  /** The job's running count in the table changed by `change`. */
  runningChanged(job: number, change: number, ranked: boolean, waits: boolean): void {
    const pool = this.table.pool[job];
    if (this.config.maxSlots[this.type][pool] !== Infinity) this.countFull(pool, change);
    else this.runningOf[pool] += change;
    if (ranked && this.config.mode[pool] === "fair") {
      const key = this.keyOfJob(job);
      this.all.moveJob(job, pool, key);
      if (this.ranksIdleJobs && waits) this.waiting.moveJob(job, pool, key);
      this.jobTies.key[job] = key;
    }
    this.rekeyPool(pool);
  }

  /** The demand that min shares are cut to changed. */
  demandChanged(pool: number, demand: number): void {
    if (this.demandOf[pool] === demand) return;
    this.demandOf[pool] = demand;
    if (this.config.minShare[this.type][pool] > 0) this.rekeyPool(pool);
  }

  isFull(pool: number): boolean {
    return this.config.isFull(pool, this.type, this.runningOf[pool]);
  }

  private countFull(pool: number, change: number): void {
    const wasFull = this.isFull(pool);
    this.runningOf[pool] += change;
    if (this.all.jobCountOf[pool] > 0) this.fullPools += Number(this.isFull(pool)) - Number(wasFull);
  }

  private rekeyPool(pool: number): void {
    const key = this.keyOfPool(pool);
    this.all.movePool(pool, key);
    if (this.ranksIdleJobs) this.waiting.movePool(pool, key);
    this.poolTies.key[pool] = key;
  }

  private keyOfPool(pool: number): number {
    const running = this.runningOf[pool];
    const share = Math.min(this.config.minShare[this.type][pool], this.demandOf[pool]);
    if (running < share) return running / Math.max(share, 1) + NEEDY_SHIFT;
    return ratio(running, this.config.weight[pool]);
  }

  private keyOfJob(job: number): number {
    const priority = this.table.priority[job];
    if (this.config.mode[this.table.pool[job]] === "fifo") return priority;
    return ratio(this.table.running[this.type][job], this.weightOf(priority));
  }
}

/** running / weight; a weight of 0 comes last whatever runs. */
function ratio(running: number, weight: number): number {
  return weight > 0 ? running / weight : Infinity;
}
