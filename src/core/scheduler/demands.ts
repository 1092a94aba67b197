import { MAP, REDUCE, widened, type SlotType } from "../jobs/job-table.js";
import type { PoolOrder } from "./pool-order.js";
import type { Pools } from "./pools.js";

/**
 * Demand of every pool: what it is now, and what it was at the last update, which is what scheduling goes by (semantics
 * section 5.1). An update costs in proportion to the pools that changed.
 */
export class Demands {
  /** Sum over the pools as of the last update, cut at each pool's max, per type. */
  readonly total = [0, 0];
  private readonly now: [number[], number[]] = [[], []];
  private readonly taken: [number[], number[]] = [[], []];
  private changed = new Int32Array(16);
  private changedCount = 0;
  private readonly isChanged: boolean[] = [];

  constructor(private readonly pools: Pools) {}

  /** Makes room for pools that were created since. */
  adoptPools(): void {
    for (let pool = this.isChanged.length; pool < this.pools.size; pool++) {
      this.isChanged.push(false);
      for (const type of [MAP, REDUCE] as const) {
        this.now[type].push(0);
        this.taken[type].push(0);
      }
    }
  }

  /** Some demand has changed since the last update. */
  get areStale(): boolean {
    return this.changedCount > 0;
  }

  change(pool: number, type: SlotType, by: number): void {
    this.now[type][pool] += by;
    if (this.isChanged[pool]) return;
    this.isChanged[pool] = true;
    if (this.changedCount === this.changed.length) this.changed = widened(this.changed);
    this.changed[this.changedCount++] = pool;
  }

  /** The update: the orders go by the demands of now. */
  update(order: readonly [PoolOrder, PoolOrder]): void {
    for (let i = 0; i < this.changedCount; i++) {
      const pool = this.changed[i];
      this.isChanged[pool] = false;
      for (const type of [MAP, REDUCE] as const) {
        const demand = Math.min(this.now[type][pool], this.pools.maxSlots[type][pool]);
        this.total[type] += demand - this.taken[type][pool];
        this.taken[type][pool] = demand;
        order[type].demandChanged(pool, demand);
      }
    }
    this.changedCount = 0;
  }
}
