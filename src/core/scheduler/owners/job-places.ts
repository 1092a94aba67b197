import { assert } from "../../kernel/assert.js";
import type { BuiltScheduler } from "../built-scheduler.js";

/**
 * One number for an inner scheduler and a pool of it. A job carries it in place of a pool from its submission until it is
 * added: only then does the table hold the pool that its inner scheduler knows.
 */
export class JobPlaces {
  readonly inners: number[] = [];
  readonly pools: number[] = [];
  private readonly numbers: Map<number, number>[];

  constructor(private readonly schedulers: readonly BuiltScheduler[]) {
    this.numbers = schedulers.map(() => new Map<number, number>());
  }

  /** Of a job that names a pool and a user, in that inner scheduler. */
  placeOf(inner: number, poolName: string, userName: string, nowUs: number): number {
    const pool = this.schedulers[inner].poolOf(poolName, userName, nowUs);
    assert(pool >= 0, "an inner scheduler without limits refuses a job");
    const known = this.numbers[inner].get(pool);
    if (known !== undefined) return known;
    this.numbers[inner].set(pool, this.inners.length);
    this.inners.push(inner);
    this.pools.push(pool);
    return this.inners.length - 1;
  }
}
