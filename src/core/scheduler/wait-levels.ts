import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL, ROW_LOCAL } from "../jobs/nearness.js";
import { DOUBLE_ZERO } from "../kernel/time.js";
import { widened } from "../kernel/widened.js";

/**
 * What a job waits at each level before it goes one further: for its node, its rack and its row, in microseconds or
 * opportunities. `row` is 0 where the cluster has no rows.
 */
export interface WaitAmounts {
  readonly node: number;
  readonly rack: number;
  readonly row: number;
}

/**
 * Levels and amounts waited, shared by waits in time and in skip counts. The amount of an entered job is
 * `base + common`, that of another its `base`.
 */
export class WaitLevels {
  common = DOUBLE_ZERO;
  /** A `common` below this means that no entered job with pending maps may leave its node. Never too high. */
  safeBelow = Infinity;
  protected base = new Float64Array(64);
  protected level = new Uint8Array(64);
  /** What the job must wait before it may leave its node: nothing (-Infinity) once it has, or if it has no input. */
  protected limit = new Float64Array(64);
  /** The job's maps have no input: it never waits. */
  protected goesAnywhere = new Uint8Array(64);

  private readonly node: number;
  private readonly rack: number;
  private readonly row: number;

  constructor(amounts: WaitAmounts) {
    this.node = amounts.node;
    this.rack = amounts.rack;
    this.row = amounts.row;
  }

  add(job: number, anywhere: boolean): void {
    while (job >= this.base.length) {
      this.base = widened(this.base);
      this.level = widened(this.level);
      this.limit = widened(this.limit);
      this.goesAnywhere = widened(this.goesAnywhere);
    }
    this.base[job] = 0;
    this.level[job] = NODE_LOCAL;
    this.goesAnywhere[job] = anywhere ? 1 : 0;
    this.limit[job] = anywhere ? -Infinity : this.node;
  }

  enter(job: number): void {
    this.base[job] -= this.common;
    this.resume(job);
  }

  /** An entered job has pending maps from now on. */
  resume(job: number): void {
    this.safeBelow = Math.min(this.safeBelow, this.leavesAt(job));
  }

  leave(job: number): void {
    this.base[job] += this.common;
  }

  /** Each of `jobs[0 .. count)` waits `amount` more; those for which `seenOn` holds `mark` are left out, and get it. */
  addToUnseen(jobs: Int32Array, count: number, amount: number, seenOn: Float64Array, mark: number): void {
    const { base, limit } = this;
    let safe = this.safeBelow;
    for (let i = 0; i < count; i++) {
      const job = jobs[i];
      if (seenOn[job] === mark) continue;
      seenOn[job] = mark;
      const waited = base[job] + amount;
      base[job] = waited;
      if (limit[job] - waited < safe) safe = limit[job] - waited;
    }
    this.safeBelow = safe;
  }

  /** Each of `jobs[0 .. count)` waits `amount` more. */
  addTo(jobs: Int32Array, count: number, amount: number): void {
    const { base, limit } = this;
    for (let i = 0; i < count; i++) {
      const job = jobs[i];
      base[job] += amount;
      if (limit[job] - base[job] < this.safeBelow) this.safeBelow = limit[job] - base[job];
    }
  }

  allowedLevel(job: number): number {
    if (this.goesAnywhere[job] !== 0) return OFF_RACK;
    const level = this.level[job];
    const waited = this.base[job] + this.common;
    const { node, rack, row } = this;
    switch (level) {
      case NODE_LOCAL:
        if (waited < node) return NODE_LOCAL;
        if (waited < node + rack) return RACK_LOCAL;
        return waited < node + rack + row ? ROW_LOCAL : OFF_RACK;
      case RACK_LOCAL:
        if (waited < rack) return RACK_LOCAL;
        return waited < rack + row ? ROW_LOCAL : OFF_RACK;
      case ROW_LOCAL:
        return waited < row ? ROW_LOCAL : OFF_RACK;
      default:
        return OFF_RACK;
    }
  }

  launched(job: number, level: number): void {
    this.level[job] = level === NO_INPUT ? OFF_RACK : level;
    this.limit[job] = level === NODE_LOCAL && this.goesAnywhere[job] === 0 ? this.node : -Infinity;
    this.base[job] = -this.common;
    this.safeBelow = Math.min(this.safeBelow, this.leavesAt(job));
  }

  /** Level of the map that the job launched last. */
  lastLevel(job: number): number {
    return this.level[job];
  }

  /** What the job has waited; `entered`: it is among those that are visited. */
  waited(job: number, entered: boolean): number {
    return this.base[job] + (entered ? this.common : 0);
  }

  /** The `common` from which on an entered job may leave its node. */
  leavesAt(job: number): number {
    return this.limit[job] - this.base[job];
  }
}
