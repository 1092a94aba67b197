import type { JobTable, SlotType } from "../jobs/job-table.js";
import { TOP, type Pools } from "./pools.js";
import { Ranking } from "./ranking.js";
import { TieBreaks, type SortedOrder } from "./sorted-order.js";

/** Shifts needy pools, whose ratio is below 1, before all others, whose ratio is not negative. */
const NEEDY_SHIFT = -2;

/** The items in order are `items[0 .. size)`. */
export interface Sequence {
  readonly items: ArrayLike<number>;
  readonly size: number;
}

/** A job's claim to slots of a type. */
export type JobWeight = (job: number, type: SlotType) => number;

/** The last tie-break between jobs: distinct, smaller first. */
export type JobRank = (job: number) => number;

export interface PoolOrderParts {
  readonly type: SlotType;
  readonly table: JobTable;
  readonly pools: Pools;
  readonly weightOf: JobWeight;
  readonly rankOf: JobRank;
  /** Jobs without pending tasks are ranked too. */
  readonly ranksIdleJobs: boolean;
  /** See the rules. */
  readonly zeroWeightTies: boolean;
}

/**
 * Who is next for a slot of one type: pools in fair order level by level, and inside each its jobs, kept sorted under
 * every change of the running counts. Pools below their min share come first, by how far below; the others by running /
 * weight; ties by name. Jobs of a fair pool go by running / weight, of a FIFO pool by priority; ties by start time, then
 * rank (semantics sections 7.1, 7.2; paper section 4.1). Jobs with pending tasks are ranked in `waiting`. `all` ranks
 * with them those that are visited without any, if somebody wants to know; else it is the same ranking.
 */
export class PoolOrder {
  readonly waiting: Ranking;
  readonly all: Ranking;
  /** Tasks of the type that run, by pool with all in it, whether their jobs are ranked or not. */
  readonly runningOf: number[] = [];
  /** How many ranked pools are at their max. */
  fullPools = 0;
  private readonly type: SlotType;
  private readonly table: JobTable;
  private readonly config: Pools;
  private readonly ranksIdleJobs: boolean;
  private readonly poolTies = new TieBreaks();
  private readonly jobTies = new TieBreaks();
  private readonly demandOf: number[] = [];

  constructor(private readonly parts: PoolOrderParts) {
    this.type = parts.type;
    this.table = parts.table;
    this.config = parts.pools;
    this.ranksIdleJobs = parts.ranksIdleJobs;
    this.waiting = new Ranking(this.config, this.poolTies, this.jobTies);
    this.all = this.ranksIdleJobs ? new Ranking(this.config, this.poolTies, this.jobTies) : this.waiting;
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
    const { table, config } = this;
    const pool = table.pool[job];
    for (let p = pool; p !== TOP; p = config.parent[p]) {
      if (this.all.jobCountOf[p] === 0 && this.isFull(p)) this.fullPools++;
    }
    this.jobTies.set(job, this.keyOfJob(job), table.startUs[job], this.parts.rankOf(job));
    this.all.insert(job, pool);
    if (this.ranksIdleJobs && table.pending[this.type][job] > 0) this.waiting.insert(job, pool);
  }

  /** A ranked job; `waits`: it is ranked among those with pending tasks. */
  leave(job: number, waits: boolean): void {
    const pool = this.table.pool[job];
    if (this.ranksIdleJobs && waits) this.waiting.remove(job, pool);
    this.all.remove(job, pool);
    for (let p = pool; p !== TOP; p = this.config.parent[p]) {
      if (this.all.jobCountOf[p] === 0 && this.isFull(p)) this.fullPools--;
    }
  }

  /** A ranked job has launched its last pending task; where idle jobs are ranked it stays among `all`. */
  stopWaiting(job: number): void {
    if (this.ranksIdleJobs) this.waiting.remove(job, this.table.pool[job]);
    else this.leave(job, false);
  }

  /** A job that is ranked among `all` has a pending task again. */
  startWaiting(job: number): void {
    this.waiting.insert(job, this.table.pool[job]);
  }

  /** The job's running count in the table changed by `change`. */
  runningChanged(job: number, change: number, ranked: boolean, waits: boolean): void {
    const pool = this.table.pool[job];
    const { mode } = this.config;
    if (ranked && mode[pool] === "fair") this.rekeyJob(job, waits);
    this.addRunning(pool, change);
  }

  /** A job with `change` running tasks came to the pool, or left it. */
  addRunning(pool: number, change: number): void {
    const { parent } = this.config;
    let p = pool;
    do {
      this.changeRunning(p, change);
      this.rekeyPool(p);
      p = parent[p];
    } while (p !== TOP);
  }

  /** `a` is asked after `b`, or not at all once `b` gave a task. */
  comesAfter(a: number, b: number): boolean {
    const { parent } = this.config;
    for (let p = a; p !== TOP; p = parent[p]) {
      for (let q = b; q !== TOP; q = parent[q]) {
        if (p === q) return false;
        if (parent[p] !== parent[q]) continue;
        return this.goesBefore(q, p);
      }
    }
    return false;
  }

  /** The weight of a ranked job may have changed, or its pool's mode. */
  rekeyJob(job: number, waits: boolean): void {
    const pool = this.table.pool[job];
    const key = this.keyOfJob(job);
    this.all.moveJob(job, pool, key);
    if (this.ranksIdleJobs && waits) this.waiting.moveJob(job, pool, key);
    this.jobTies.key[job] = key;
  }

  /** The demand that min shares are cut to changed. */
  demandChanged(pool: number, demand: number): void {
    if (this.demandOf[pool] === demand) return;
    this.demandOf[pool] = demand;
    if (this.config.promised[this.type][pool] > 0) this.rekeyPool(pool);
  }

  /** Weights, min shares or maxima of pools changed. */
  configChanged(): void {
    this.fullPools = 0;
    for (let pool = 0; pool < this.config.size; pool++) {
      this.rekeyPool(pool);
      if (this.all.jobCountOf[pool] > 0 && this.isFull(pool)) this.fullPools++;
    }
  }

  /** The ranked pools directly inside one, in order. */
  poolsIn(ranking: Ranking, parent: number): Sequence {
    const pools = ranking.poolsIn[parent + 1];
    return this.parts.zeroWeightTies && this.config.hasZeroWeight ? this.withTies(pools) : pools;
  }

  isFull(pool: number): boolean {
    return this.config.isFull(pool, this.type, this.runningOf[pool]);
  }

  /**
   * 0 / 0 is no number, and Hadoop took it for a tie with every pool that is not needy: no order any more, so that the
   * outcome depends on how one sorts. Here: by insertion, from the pool that was made first.
   */
  private withTies({ items, size }: SortedOrder): Sequence {
    const pools: number[] = [];
    for (const pool of [...items.subarray(0, size)].sort((a, b) => a - b)) {
      let at = pools.length;
      while (at > 0 && this.goesBefore(pool, pools[at - 1])) at--;
      pools.splice(at, 0, pool);
    }
    return { items: pools, size };
  }

  private goesBefore(a: number, b: number): boolean {
    const { key, rank } = this.poolTies;
    const isNeedy = key[a] < 0 || key[b] < 0;
    const isTie = this.parts.zeroWeightTies && !isNeedy && (this.hasNoRatio(a) || this.hasNoRatio(b));
    return isTie || key[a] === key[b] ? rank[a] < rank[b] : key[a] < key[b];
  }

  private hasNoRatio(pool: number): boolean {
    return this.config.weight[pool] === 0 && this.runningOf[pool] === 0;
  }

  private changeRunning(pool: number, change: number): void {
    if (this.config.maxSlots[this.type][pool] === Infinity) {
      this.runningOf[pool] += change;
      return;
    }
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
    const share = Math.min(this.config.promised[this.type][pool], this.demandOf[pool]);
    if (running < share) return running / Math.max(share, 1) + NEEDY_SHIFT;
    return ratio(running, this.config.weight[pool]);
  }

  private keyOfJob(job: number): number {
    if (this.config.mode[this.table.pool[job]] === "fifo") return this.table.priority[job];
    return ratio(this.table.running[this.type][job], this.parts.weightOf(job, this.type));
  }
}

/** running / weight; a weight of 0 comes last whatever runs. */
function ratio(running: number, weight: number): number {
  return weight > 0 ? running / weight : Infinity;
}
