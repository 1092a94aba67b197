import type { JobTable, SlotType } from "../jobs/job-table.js";
import { assert, JOBS_AT_FIRST, widened } from "../../../kernel/index.js";
import { type Pools, TOP } from "./pools.js";
import type { PoolSchedulerParts } from "./scheduler.js";

/** An order of more items than that is large, and remains so until it has half of them. */
const LARGE = 64;

/** Places of a large order come in stretches of 2 ** 6. */
const STRETCH_BITS = 6;
const LAST_OF_STRETCH = (1 << STRETCH_BITS) - 1;

/**
 * Small integers (jobs, pools) kept in a total order by (key, start time, rank). A change of key moves one item. In a
 * small order every item knows its place, and a move goes from neighbour to neighbour and takes each along that it
 * passes. In a large one, where moves may be long, an item knows the stretch of places that it stands in; its new place
 * is searched for, and what is passed moves as one block, of which only the items at the ends of stretches come into
 * another one.
 */
export class SortedOrder {
  /** The items in order are `items[0 .. size)`. */
  items = new Int32Array(8);
  size = 0;
  private isLarge = true;

  /**
   * `ties` is shared by all orders over the same kind of item; its ranks must be unique. `places` may be shared by
   * orders of which no two ever hold the same item.
   */
  constructor(
    private readonly ties: TieBreaks,
    private readonly places = new Places(),
  ) {
    // Once: see `widened`.
    this.items = widened(this.items);
    this.isLarge = false;
  }

  insert(item: number): void {
    if (this.size === this.items.length) this.items = widened(this.items);
    this.places.makeRoom(item);
    if (this.size === LARGE && !this.isLarge) this.setLarge(true);
    this.items[this.size] = item;
    this.putBefore(item, this.size++);
  }

  remove(item: number): void {
    const from = this.placeOf(item);
    this.size--;
    this.takeBack(from, this.size);
    if (this.isLarge && this.size <= LARGE / 2) this.setLarge(false);
  }

  /** The key of an item of the order has changed: moves it to where it belongs. */
  moved(item: number): void {
    const from = this.placeOf(item);
    if (from + 1 < this.size && this.ties.isBefore(this.items[from + 1], item)) this.putAfter(item, from);
    else this.putBefore(item, from);
  }

  private setLarge(isLarge: boolean): void {
    this.isLarge = isLarge;
    for (let i = 0; i < this.size; i++) this.places.positionOf[this.items[i]] = isLarge ? i >> STRETCH_BITS : i;
  }

  /** Returns the index of an item in the order, whatever its key. */
  private placeOf(item: number): number {
    const { items, size } = this;
    let place = this.places.positionOf[item];
    if (this.isLarge) {
      place <<= STRETCH_BITS;
      const last = Math.min(place | LAST_OF_STRETCH, size - 1);
      while (place < last && items[place] !== item) place++;
    }
    assert(place < size && items[place] === item, "the item is not in the order");
    return place;
  }

  /** Takes the items after `from` up to `to` back by one. */
  private takeBack(from: number, to: number): void {
    const { items } = this;
    const { positionOf } = this.places;
    if (!this.isLarge) {
      for (let i = from; i < to; i++) positionOf[(items[i] = items[i + 1])] = i;
      return;
    }
    items.copyWithin(from, from + 1, to + 1);
    for (let i = from | LAST_OF_STRETCH; i < to; i += LAST_OF_STRETCH + 1) positionOf[items[i]] = i >> STRETCH_BITS;
  }

  /** Puts the item at `from` or after it, and takes back by one those that come before it. */
  private putAfter(item: number, from: number): void {
    const { items, ties, size } = this;
    const { positionOf } = this.places;
    let to = from;
    if (this.isLarge) {
      to = this.searchFor(item, from + 1, size) - 1;
      this.takeBack(from, to);
    } else {
      for (; to + 1 < size && ties.isBefore(items[to + 1], item); to++) positionOf[(items[to] = items[to + 1])] = to;
    }
    this.put(item, to);
  }

  /** Puts the item at `from` or before it, and takes on by one those that come after it. */
  private putBefore(item: number, from: number): void {
    const { items, ties } = this;
    const { positionOf } = this.places;
    let to = from;
    if (this.isLarge) {
      to = this.searchFor(item, 0, from);
      items.copyWithin(to + 1, to, from);
      for (let i = from & ~LAST_OF_STRETCH; i > to; i -= LAST_OF_STRETCH + 1) positionOf[items[i]] = i >> STRETCH_BITS;
    } else for (; to > 0 && ties.isBefore(item, items[to - 1]); to--) positionOf[(items[to] = items[to - 1])] = to;
    this.put(item, to);
  }

  private put(item: number, place: number): void {
    this.items[place] = item;
    this.places.positionOf[item] = this.isLarge ? place >> STRETCH_BITS : place;
  }

  /** The place in `items[low .. high)`, which does not hold the item, where it belongs. */
  private searchFor(item: number, low: number, high: number): number {
    const { items, ties } = this;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ties.isBefore(items[middle], item)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Position of each item in the order that holds it: its index, or in a large order the stretch. */
export class Places {
  positionOf = new Int32Array(JOBS_AT_FIRST);

  constructor() {
    this.makeRoom(this.positionOf.length);
  }

  makeRoom(item: number): void {
    while (item >= this.positionOf.length) this.positionOf = widened(this.positionOf);
  }
}

/** Words of an item: key, start time, rank, and a word that pads its entry to an even place in a cache line. */
const TIE_WORDS = 4;
const START = 1;
const RANK = 2;

/** The sort keys of items: key, start time and rank. */
export class TieBreaks {
  values = new Float64Array(JOBS_AT_FIRST * TIE_WORDS);

  constructor() {
    this.makeRoom(JOBS_AT_FIRST);
  }

  set(item: number, key: number, startUs: number, rank: number): void {
    this.makeRoom(item);
    this.values[TIE_WORDS * item] = key;
    this.values[TIE_WORDS * item + START] = startUs;
    this.values[TIE_WORDS * item + RANK] = rank;
  }

  key(item: number): number {
    return this.values[TIE_WORDS * item];
  }

  rank(item: number): number {
    return this.values[TIE_WORDS * item + RANK];
  }

  /** Orders that hold the item must be notified afterwards. */
  setKey(item: number, key: number): void {
    this.values[TIE_WORDS * item] = key;
  }

  /** Ranks may shift, but never against each other. */
  setRank(item: number, rank: number): void {
    this.values[TIE_WORDS * item + RANK] = rank;
  }

  private makeRoom(item: number): void {
    while (TIE_WORDS * item >= this.values.length) this.values = widened(this.values);
  }

  isBefore(a: number, b: number): boolean {
    const { values } = this;
    const i = TIE_WORDS * a;
    const j = TIE_WORDS * b;
    if (values[i] !== values[j]) return values[i] < values[j];
    return values[i + START] !== values[j + START]
      ? values[i + START] < values[j + START]
      : values[i + RANK] < values[j + RANK];
  }
}

/** The pools in order, level by level, and the jobs of each pool in order. */
export class Ranking {
  /** The ranked pools directly inside a pool, by handle + 1; those at the top at 0. */
  readonly poolsIn: SortedOrder[];
  readonly jobsOf: SortedOrder[] = [];
  /** By pool: the number of jobs ranked in it; the first of them, if the pool itself holds jobs. */
  jobCountOf = new Int32Array(8);
  firstJobOf = new Int32Array(8);
  /** Number of ranked jobs. */
  size = 0;
  private readonly poolPlaces = new Places();
  private readonly jobPlaces = new Places();

  constructor(
    private readonly config: Pools,
    private readonly poolTies: TieBreaks,
    private readonly jobTies: TieBreaks,
  ) {
    this.poolsIn = [new SortedOrder(poolTies, this.poolPlaces)];
    this.growPools();
  }

  addPool(): void {
    this.jobsOf.push(new SortedOrder(this.jobTies, this.jobPlaces));
    this.poolsIn.push(new SortedOrder(this.poolTies, this.poolPlaces));
    if (this.jobsOf.length > this.jobCountOf.length) this.growPools();
  }

  private growPools(): void {
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

  /** The key of a ranked job has changed. */
  jobMoved(job: number, pool: number): void {
    if (this.jobCountOf[pool] < 2) return;
    this.jobsOf[pool].moved(job);
    this.firstJobOf[pool] = this.jobsOf[pool].items[0];
  }

  /** The key of a pool has changed. */
  poolMoved(pool: number): void {
    if (this.jobCountOf[pool] > 0) this.poolsIn[this.config.parent[pool] + 1].moved(pool);
  }
}

/** Shifts needy pools, whose ratio is below 1, before all others, whose ratio is not negative. */
const NEEDY_SHIFT = -2;

/** The items in order are `items[0 .. size)`. */
interface Sequence {
  readonly items: ArrayLike<number>;
  readonly size: number;
}

/** A job's claim to slots of a type. */
export type JobWeight = (job: number, type: SlotType) => number;

/** The last tie-break between jobs: distinct, smaller first. */
export type JobRank = (job: number) => number;

interface PoolOrderParts extends Pick<PoolSchedulerParts, "jobs" | "pools" | "rules"> {
  readonly type: SlotType;
  readonly weightOf: JobWeight;
  readonly rankOf: JobRank;
}

/**
 * The order of claims to a slot of one type: pools in fair order level by level, and inside each its jobs, kept sorted
 * under every change of the running counts. Pools below their min share come first, by how far below; the others by
 * running / weight; ties by name. Jobs of a fair pool go by running / weight, of a FIFO pool by priority; ties by start
 * time, then rank (semantics sections 7.1, 7.2; paper section 4.1). The same rule without an index, sorted afresh for
 * every slot: test/support/naive-order.ts.
 */
export class PoolOrder {
  readonly ranked: Ranking;
  /** Running tasks of the type, by pool with the pools in it, whether their jobs are ranked or not. */
  readonly runningOf: number[] = [];
  /** Number of ranked pools at their max. */
  fullPools = 0;
  private readonly type: SlotType;
  private readonly table: JobTable;
  private readonly config: Pools;
  private readonly poolTies = new TieBreaks();
  private readonly jobTies = new TieBreaks();
  private readonly demandOf: number[] = [];
  /** By pool: weight and max as configured; the min share, cut to the demand. */
  private weight = new Float64Array(8);
  private max = new Float64Array(8);
  private share = new Float64Array(8);
  /** By ranked job. */
  private weightOf = new Float64Array(JOBS_AT_FIRST);

  constructor(private readonly parts: PoolOrderParts) {
    this.type = parts.type;
    this.table = parts.jobs;
    this.config = parts.pools;
    this.ranked = new Ranking(this.config, this.poolTies, this.jobTies);
    this.growPools();
    this.weightOf = widened(this.weightOf);
  }

  /** Makes room for pools that were created since; ranks shift, but never against each other. */
  adoptPools(): void {
    const ranks = this.config.ranks();
    for (let pool = 0; pool < this.config.size; pool++) {
      if (pool >= this.runningOf.length) {
        this.ranked.addPool();
        this.runningOf.push(0);
        this.demandOf.push(0);
        if (pool === this.weight.length) this.growPools();
        this.configure(pool);
        this.poolTies.set(pool, this.keyOfPool(pool), 0, ranks[pool]);
      }
      this.poolTies.setRank(pool, ranks[pool]);
    }
  }

  private growPools(): void {
    this.weight = widened(this.weight);
    this.max = widened(this.max);
    this.share = widened(this.share);
  }

  /** Ranks a job. */
  enter(job: number): void {
    const { table, config } = this;
    const pool = table.pool[job];
    for (let p = pool; p !== TOP; p = config.parent[p]) {
      if (this.ranked.jobCountOf[p] === 0 && this.isFull(p)) this.fullPools++;
    }
    while (job >= this.weightOf.length) this.weightOf = widened(this.weightOf);
    this.weightOf[job] = this.parts.weightOf(job, this.type);
    this.jobTies.set(job, this.keyOfJob(job), table.startUs[job], this.parts.rankOf(job));
    this.ranked.insert(job, pool);
  }

  /** A ranked job is ranked no more. */
  leave(job: number): void {
    const pool = this.table.pool[job];
    this.ranked.remove(job, pool);
    for (let p = pool; p !== TOP; p = this.config.parent[p]) {
      if (this.ranked.jobCountOf[p] === 0 && this.isFull(p)) this.fullPools--;
    }
  }

  /** The job's running count in the table changed by `change`. */
  runningChanged(job: number, change: number, ranked: boolean): void {
    const pool = this.table.pool[job];
    if (ranked && this.config.mode[pool] === "fair") this.moveJob(job, pool);
    this.addRunning(pool, change);
  }

  /** A job with `change` running tasks came to the pool, or left it. */
  addRunning(pool: number, change: number): void {
    const { runningOf, max } = this;
    const { parent } = this.config;
    for (let p = pool; p !== TOP; p = parent[p]) {
      const before = runningOf[p];
      runningOf[p] = before + change;
      if (max[p] !== Infinity && this.ranked.jobCountOf[p] > 0) {
        this.fullPools += Number(before + change >= max[p]) - Number(before >= max[p]);
      }
      this.rekeyPool(p);
    }
  }

  /** `a` is visited after `b`, or not at all once `b` gave a task. */
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
  rekeyJob(job: number): void {
    this.weightOf[job] = this.parts.weightOf(job, this.type);
    this.moveJob(job, this.table.pool[job]);
  }

  private moveJob(job: number, pool: number): void {
    const key = this.keyOfJob(job);
    if (this.jobTies.key(job) === key) return;
    this.jobTies.setKey(job, key);
    this.ranked.jobMoved(job, pool);
  }

  /** The demand that min shares are cut to changed. */
  demandChanged(pool: number, demand: number): void {
    if (this.demandOf[pool] === demand) return;
    this.demandOf[pool] = demand;
    if (this.config.promised[this.type][pool] === 0) return;
    this.configure(pool);
    this.rekeyPool(pool);
  }

  /** Weights, min shares or maxima of pools changed. */
  configChanged(): void {
    this.fullPools = 0;
    for (let pool = 0; pool < this.config.size; pool++) {
      this.configure(pool);
      this.rekeyPool(pool);
      if (this.ranked.jobCountOf[pool] > 0 && this.isFull(pool)) this.fullPools++;
    }
  }

  /** The ranked pools directly inside one, in order. */
  poolsIn(parent: number): Sequence {
    const pools = this.ranked.poolsIn[parent + 1];
    return this.parts.rules.zeroWeightTies && this.config.hasZeroWeight ? this.withTies(pools) : pools;
  }

  /**
   * Visits the pools with ranked jobs of their own that lie in a pool and are not at their max, in order, until `visit`
   * returns true; returns whether it did.
   */
  visit(parent: number, visit: (pool: number) => boolean): boolean {
    const { items, size } = this.poolsIn(parent);
    for (let i = 0; i < size; i++) {
      if (this.fullPools > 0 && this.isFull(items[i])) continue;
      if (this.config.isInner(items[i]) ? this.visit(items[i], visit) : visit(items[i])) return true;
    }
    return false;
  }

  isFull(pool: number): boolean {
    return this.runningOf[pool] >= this.max[pool];
  }

  /**
   * 0 / 0 is no number, and Hadoop took it for a tie with every pool that is not needy: no order any more, so that the
   * outcome depends on how one sorts. Here: by insertion, from the pool that was made first.
   */
  private withTies({ items, size }: SortedOrder): Sequence {
    const pools: number[] = [];
    for (const pool of [...items.subarray(0, size)].sort((a, b) => a - b)) {
      let index = pools.length;
      while (index > 0 && this.goesBefore(pool, pools[index - 1])) index--;
      pools.splice(index, 0, pool);
    }
    return { items: pools, size };
  }

  private goesBefore(a: number, b: number): boolean {
    const { poolTies } = this;
    const isNeedy = poolTies.key(a) < 0 || poolTies.key(b) < 0;
    const isTie = this.parts.rules.zeroWeightTies && !isNeedy && (this.hasNoRatio(a) || this.hasNoRatio(b));
    return isTie ? poolTies.rank(a) < poolTies.rank(b) : poolTies.isBefore(a, b);
  }

  private hasNoRatio(pool: number): boolean {
    return this.weight[pool] === 0 && this.runningOf[pool] === 0;
  }

  /** Takes what is configured of the pool. */
  private configure(pool: number): void {
    const { config, type } = this;
    this.weight[pool] = config.weight[pool];
    this.max[pool] = config.maxSlots[type][pool];
    this.share[pool] = Math.min(config.promised[type][pool], this.demandOf[pool]);
  }

  private rekeyPool(pool: number): void {
    const key = this.keyOfPool(pool);
    if (this.poolTies.key(pool) === key) return;
    this.poolTies.setKey(pool, key);
    this.ranked.poolMoved(pool);
  }

  private keyOfPool(pool: number): number {
    const running = this.runningOf[pool];
    const share = this.share[pool];
    if (running < share) return running / Math.max(share, 1) + NEEDY_SHIFT;
    return ratio(running, this.weight[pool]);
  }

  private keyOfJob(job: number): number {
    if (this.config.mode[this.table.pool[job]] === "fifo") return this.table.priority[job];
    return ratio(this.table.running[this.type][job], this.weightOf[job]);
  }
}

/** running / weight; a weight of 0 comes last whatever runs. */
function ratio(running: number, weight: number): number {
  return weight > 0 ? running / weight : Infinity;
}
