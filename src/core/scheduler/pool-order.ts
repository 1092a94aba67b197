import { widened, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { Pools } from "./pools.js";
import { SortedOrder, TieBreaks } from "./sorted-order.js";

/** Shifts needy pools, whose ratio is below 1, before all others, whose ratio is not negative. */
const NEEDY_SHIFT = -2;

/** A job's claim to slots; `priority` is an index into PRIORITIES. */
export type JobWeight = (priority: number) => number;

/**
 * Who is next for a slot of one type: pools in fair order, and inside each its jobs, kept sorted under every change of
 * the running counts. Pools below their min share come first, by how far below; the others by running / weight; ties by
 * name. Jobs of a fair pool go by running / weight, of a FIFO pool by priority; ties by start time, then submission
 * (semantics sections 7.1, 7.2; paper section 4.1). Only entered jobs, and pools that have some, are in the order.
 */
export class PoolOrder {
  readonly pools = new SortedOrder(new TieBreaks());
  /** Entered jobs of each pool, in order. */
  readonly jobsOf: SortedOrder[] = [];
  /** Tasks of the type that run, by pool, whether their jobs are entered or not. */
  readonly runningOf: number[] = [];
  /** By pool: how many jobs are entered, and the first of them. */
  jobCountOf = new Int32Array(16);
  firstJobOf = new Int32Array(16);
  /** How many entered pools are at their max. */
  fullPools = 0;
  private readonly poolTies: TieBreaks;
  private readonly jobTies = new TieBreaks();
  private readonly demandOf: number[] = [];

  constructor(
    private readonly type: SlotType,
    private readonly table: JobTable,
    private readonly config: Pools,
    private readonly weightOf: JobWeight,
  ) {
    this.poolTies = new TieBreaks();
    this.pools = new SortedOrder(this.poolTies);
  }

  /** Makes room for pools that were created since; ranks shift, but never against each other. */
  adoptPools(): void {
    const ranks = this.config.ranks();
    for (let pool = 0; pool < this.config.size; pool++) {
      if (pool >= this.jobCountOf.length) {
        this.jobCountOf = widened(this.jobCountOf);
        this.firstJobOf = widened(this.firstJobOf);
      }
      if (pool >= this.jobsOf.length) {
        this.jobsOf.push(new SortedOrder(this.jobTies));
        this.runningOf.push(0);
        this.demandOf.push(0);
        this.poolTies.set(pool, this.keyOfPool(pool), 0, ranks[pool]);
      }
      this.poolTies.rank[pool] = ranks[pool];
    }
  }

  enter(job: number): void {
    const { table } = this;
    const pool = table.pool[job];
    const jobs = this.jobsOf[pool];
    if (jobs.size === 0) {
      this.pools.insert(pool);
      if (this.isFull(pool)) this.fullPools++;
    }
    this.jobTies.set(job, this.keyOfJob(job), table.startUs[job], table.id[job]);
    jobs.insert(job);
    this.jobCountOf[pool]++;
    this.firstJobOf[pool] = jobs.items[0];
  }

  leave(job: number): void {
    const pool = this.table.pool[job];
    const jobs = this.jobsOf[pool];
    jobs.remove(job);
    this.jobCountOf[pool]--;
    this.firstJobOf[pool] = jobs.items[0];
    if (jobs.size > 0) return;
    this.pools.remove(pool);
    if (this.isFull(pool)) this.fullPools--;
  }

  /** The job's running count in the table changed by `change`; `entered`: it is in the order. */
  runningChanged(job: number, change: number, entered: boolean): void {
    const pool = this.table.pool[job];
    const wasFull = this.isFull(pool);
    this.runningOf[pool] += change;
    if (this.jobCountOf[pool] > 0) this.fullPools += Number(this.isFull(pool)) - Number(wasFull);
    if (entered && this.config.mode[pool] === "fair") {
      this.jobsOf[pool].move(job, this.keyOfJob(job));
      this.firstJobOf[pool] = this.jobsOf[pool].items[0];
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

  private rekeyPool(pool: number): void {
    const key = this.keyOfPool(pool);
    if (this.jobsOf[pool].size > 0) this.pools.move(pool, key);
    else this.poolTies.key[pool] = key;
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
