import { widened } from "../kernel/widened.js";
import { TOP, type Pools } from "./pools.js";
import { Places, SortedOrder, type TieBreaks } from "./sorted-order.js";

/** Pools in order, level by level, and the jobs of each pool that holds jobs in order. */
export class Ranking {
  /** The ranked pools directly inside a pool, by handle + 1; those at the top at 0. */
  readonly poolsIn: SortedOrder[];
  readonly jobsOf: SortedOrder[] = [];
  /** By pool: how many jobs are ranked in it, and the first of them if it holds jobs. */
  jobCountOf = new Int32Array(16);
  firstJobOf = new Int32Array(16);
  /** All jobs. */
  size = 0;
  private readonly poolPlaces = new Places();
  private readonly jobPlaces = new Places();

  constructor(
    private readonly config: Pools,
    private readonly poolTies: TieBreaks,
    private readonly jobTies: TieBreaks,
  ) {
    this.poolsIn = [new SortedOrder(poolTies, this.poolPlaces)];
  }

  addPool(): void {
    this.jobsOf.push(new SortedOrder(this.jobTies, this.jobPlaces));
    this.poolsIn.push(new SortedOrder(this.poolTies, this.poolPlaces));
    if (this.jobsOf.length <= this.jobCountOf.length) return;
    this.jobCountOf = widened(this.jobCountOf);
    this.firstJobOf = widened(this.firstJobOf);
  }

  insert(job: number, pool: number): void {
    const { parent } = this.config;
    for (let p = pool; p !== TOP; p = parent[p]) {
      if (this.jobCountOf[p]++ === 0) this.poolsIn[parent[p] + 1].insert(p);
    }
    this.size++;
    this.jobsOf[pool].insert(job);
    this.firstJobOf[pool] = this.jobsOf[pool].items[0];
  }

  remove(job: number, pool: number): void {
    const { parent } = this.config;
    for (let p = pool; p !== TOP; p = parent[p]) {
      if (--this.jobCountOf[p] === 0) this.poolsIn[parent[p] + 1].remove(p);
    }
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
    if (this.jobCountOf[pool] === 0 || this.poolTies.key[pool] === key) return;
    this.poolsIn[this.config.parent[pool] + 1].move(pool, key);
  }
}
