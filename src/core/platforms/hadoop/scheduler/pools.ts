import { sumOver } from "../../../kernel/index.js";
import { MAP, REDUCE, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { AllocationsSpec, PoolMode, PoolSpec } from "../../../scenario/index.js";

/** The parent of a pool that lies in no other. */
export const TOP = -1;

/** Some pool may be starved at all. */
export function hasTimeout(allocations: AllocationsSpec): boolean {
  return hasMinShareTimeout(allocations) || hasFairShareTimeout(allocations);
}

/** Some pool may be starved for its min share, or its fair share, under these allocations. */
export function hasMinShareTimeout({ minShareTimeoutUs, pools }: AllocationsSpec): boolean {
  return minShareTimeoutUs !== Infinity || pools.some((pool) => (pool.minShareTimeoutUs ?? Infinity) !== Infinity);
}

export function hasFairShareTimeout({ fairShareTimeoutUs, pools }: AllocationsSpec): boolean {
  return fairShareTimeoutUs !== Infinity || pools.some((pool) => (pool.fairShareTimeoutUs ?? Infinity) !== Infinity);
}

/**
 * The pools by handle, as a tree, with their configuration. An undeclared pool is made at the top on first use with
 * weight 1, no min share, no max and the default mode of the moment. Pools are never deleted; a pool that new
 * allocations do not list has defaults again, but keeps its mode (semantics section 2.1).
 */
export class Pools {
  readonly names: string[] = [];
  /** The result of `ranks`, for as many pools as there were. */
  private rankOf: readonly number[] = [];
  readonly parent: number[] = [];
  /** Handles of the pools directly inside a pool, by handle + 1; those at the top at 0. In the order they were made. */
  readonly childrenOf: number[][] = [[]];
  readonly weight: number[] = [];
  readonly mode: PoolMode[] = [];
  /** Slots promised while there is demand, per slot type, as configured. */
  readonly minShare: [number[], number[]] = [[], []];
  /** The same as the rules count it: scaled down where they say so. */
  readonly promised: [number[], number[]] = [[], []];
  /** Maximum number of tasks at once, Infinity = unlimited, per slot type. */
  readonly maxSlots: [number[], number[]] = [[], []];
  readonly createdUs: number[] = [];
  /** Some pool lies in another. */
  isTree = false;
  /** Some pool has weight 0. */
  hasZeroWeight = false;
  private readonly specs: (PoolSpec | null)[] = [];
  private readonly minShareTimeouts: number[] = [];
  private readonly fairShareTimeouts: number[] = [];
  private readonly byName = new Map<string, number>();

  /**
   * @param slots of the cluster, per type. @param scalesMinShares see the rules.
   * @param allocations in force from `nowUs` on.
   */
  constructor(
    public allocations: AllocationsSpec,
    private slots: readonly [number, number],
    private readonly scalesMinShares: boolean,
    nowUs = 0,
  ) {
    this.load(allocations, nowUs);
  }

  get size(): number {
    return this.names.length;
  }

  /** Replaces what is configured, as a whole. */
  load(allocations: AllocationsSpec, nowUs: number): void {
    this.allocations = allocations;
    for (let pool = 0; pool < this.size; pool++) this.configure(pool, null);
    const before = this.size;
    for (const spec of allocations.pools) {
      const parent = this.placeFor(spec.parent, before, nowUs);
      const pool = this.byName.get(spec.name) ?? this.create(spec.name, parent, nowUs);
      this.configure(pool, spec);
      this.mode[pool] = spec.mode ?? allocations.defaultMode;
    }
    for (let pool = 0; pool < this.size; pool++) this.setTimeouts(pool);
    this.promise();
    this.hasZeroWeight = this.weight.includes(0);
  }

  /** Sets the number of slots of the cluster, by type. Min shares are scaled to it, under rules that scale them. */
  shareOut(slots: readonly [number, number]): void {
    this.slots = slots;
    this.promise();
  }

  /** Handle of the pool of that name, which is made if there is none. */
  named(name: string, nowUs: number): number {
    return this.byName.get(name) ?? this.create(name, TOP, nowUs);
  }

  /** Handle of the pool of that name, -1 if there is none. */
  find(name: string): number {
    return this.byName.get(name) ?? -1;
  }

  /** The allocations in force list the pool. */
  isDeclared(name: string): boolean {
    const pool = this.find(name);
    return pool >= 0 && this.specs[pool] !== null;
  }

  /** Other pools lie in it, so that it holds no jobs. */
  isInner(pool: number): boolean {
    return this.childrenOf[pool + 1].length > 0;
  }

  /** Maximum number of jobs of the pool, and of all in it, that run at once. */
  maxJobsOf(pool: number): number {
    return this.specs[pool]?.maxJobs ?? (this.isInner(pool) ? Infinity : this.allocations.poolMaxJobs);
  }

  minShareTimeoutUs(pool: number): number {
    return this.minShareTimeouts[pool];
  }

  fairShareTimeoutUs(pool: number): number {
    return this.fairShareTimeouts[pool];
  }

  /** Rank of every pool among all by name, which breaks ties between pools (semantics section 7.1). */
  ranks(): readonly number[] {
    // No pool ever goes, and none is named anew.
    if (this.rankOf.length === this.names.length) return this.rankOf;
    const order = this.names.map((_, pool) => pool);
    order.sort((a, b) => (this.names[a] < this.names[b] ? -1 : this.names[a] > this.names[b] ? 1 : a - b));
    const ranks: number[] = [];
    order.forEach((pool, rank) => (ranks[pool] = rank));
    this.rankOf = ranks;
    return ranks;
  }

  /**
   * Returns the parent of a new pool. Existing pools keep their place: a pool that may hold jobs takes no pools into
   * it, and those go beside it.
   */
  private placeFor(parent: string | null, before: number, nowUs: number): number {
    if (parent === null) return TOP;
    const pool = this.named(parent, nowUs);
    return pool >= before || this.isInner(pool) ? pool : this.parent[pool];
  }

  private create(name: string, parent: number, nowUs: number): number {
    const pool = this.names.length;
    this.names.push(name);
    this.parent.push(parent);
    if (parent !== TOP) this.isTree = true;
    this.childrenOf.push([]);
    this.childrenOf[parent + 1].push(pool);
    this.createdUs.push(nowUs);
    this.mode.push(this.allocations.defaultMode);
    this.byName.set(name, pool);
    this.configure(pool, null);
    this.setTimeouts(pool);
    return pool;
  }

  /** A pool's own timeouts, or those of the pool it lies in, which comes before it. */
  private setTimeouts(pool: number): void {
    const { parent, specs, allocations, minShareTimeouts, fairShareTimeouts } = this;
    const isTop = parent[pool] === TOP;
    const minShareUs = isTop ? allocations.minShareTimeoutUs : minShareTimeouts[parent[pool]];
    const fairShareUs = isTop ? allocations.fairShareTimeoutUs : fairShareTimeouts[parent[pool]];
    minShareTimeouts[pool] = specs[pool]?.minShareTimeoutUs ?? minShareUs;
    fairShareTimeouts[pool] = specs[pool]?.fairShareTimeoutUs ?? fairShareUs;
  }

  private configure(pool: number, spec: PoolSpec | null): void {
    this.specs[pool] = spec;
    this.weight[pool] = spec?.weight ?? 1;
    this.minShare[MAP][pool] = this.promised[MAP][pool] = spec?.minMaps ?? 0;
    this.minShare[REDUCE][pool] = this.promised[REDUCE][pool] = spec?.minReduces ?? 0;
    this.maxSlots[MAP][pool] = spec?.maxMaps ?? Infinity;
    this.maxSlots[REDUCE][pool] = spec?.maxReduces ?? Infinity;
  }

  /**
   * Min shares of the pools in one pool that add up to more than it can have are scaled down alike (paper section 5.1):
   * at the top it can have the cluster, elsewhere its max, but no more than the pool it lies in.
   */
  private promise(): void {
    if (!this.scalesMinShares) return;
    for (const type of SLOT_TYPES) this.scale(TOP, type, this.slots[type]);
  }

  private scale(parent: number, type: SlotType, slots: number): void {
    const children = this.childrenOf[parent + 1];
    const sum = sumOver(children, (pool) => this.minShare[type][pool]);
    const factor = sum > slots ? slots / sum : 1;
    for (const pool of children) {
      this.promised[type][pool] = this.minShare[type][pool] * factor;
      if (this.isInner(pool)) this.scale(pool, type, Math.min(slots, this.maxSlots[type][pool]));
    }
  }
}

/** The users by handle, and how many jobs of each may run at once. */
export class Users {
  readonly names: string[] = [];
  private readonly byName = new Map<string, number>();
  private limits = new Map<string, number>();
  private defaultMax = Infinity;

  /** Handle of the user of that name. */
  named(name: string): number {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    this.byName.set(name, this.names.length);
    this.names.push(name);
    return this.names.length - 1;
  }

  /** Takes the limits of new allocations. */
  limit(users: readonly { readonly name: string; readonly maxJobs: number }[], defaultMax: number): void {
    this.limits = new Map(users.map(({ name, maxJobs }) => [name, maxJobs]));
    this.defaultMax = defaultMax;
  }

  maxJobsOf(name: string): number {
    return this.limits.get(name) ?? this.defaultMax;
  }
}
