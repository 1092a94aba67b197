import type { PoolSpec } from "../scenario/scenario.js";
import { MAP, REDUCE, type SlotType } from "../jobs/job-table.js";

/** How the jobs inside a pool are ordered. */
export type PoolMode = "fair" | "fifo";

/**
 * The pools by handle, and what is configured for them. A pool that nobody declared is made on first use with weight 1,
 * no min share, no max, mode fair. Pools are never deleted.
 */
export class Pools {
  readonly names: string[] = [];
  readonly weight: number[] = [];
  readonly mode: PoolMode[] = [];
  /** Slots promised while there is demand, per slot type. */
  readonly minShare: [number[], number[]] = [[], []];
  /** Most tasks at once, Infinity = unlimited, per slot type. */
  readonly maxSlots: [number[], number[]] = [[], []];
  private readonly byName = new Map<string, number>();

  constructor(specs: readonly PoolSpec[]) {
    for (const spec of specs) this.declare(spec);
  }

  get size(): number {
    return this.names.length;
  }

  /** Handle of the pool of that name. */
  named(name: string): number {
    return (
      this.byName.get(name) ??
      this.declare({
        name,
        weight: 1,
        minMaps: 0,
        minReduces: 0,
        maxMaps: Infinity,
        maxReduces: Infinity,
        mode: "fair",
      })
    );
  }

  /** Rank of every pool among all by name, which breaks ties between pools (semantics section 7.1). */
  ranks(): number[] {
    const order = this.names.map((_, pool) => pool);
    order.sort((a, b) => (this.names[a] < this.names[b] ? -1 : this.names[a] > this.names[b] ? 1 : a - b));
    const ranks: number[] = [];
    order.forEach((pool, rank) => (ranks[pool] = rank));
    return ranks;
  }

  /** The pool is at its max of the type. */
  isFull(pool: number, type: SlotType, running: number): boolean {
    return running >= this.maxSlots[type][pool];
  }

  private declare(spec: PoolSpec): number {
    const pool = this.names.length;
    this.names.push(spec.name);
    this.weight.push(spec.weight);
    this.mode.push(spec.mode);
    this.minShare[MAP].push(spec.minMaps);
    this.minShare[REDUCE].push(spec.minReduces);
    this.maxSlots[MAP].push(spec.maxMaps);
    this.maxSlots[REDUCE].push(spec.maxReduces);
    this.byName.set(spec.name, pool);
    return pool;
  }
}
