import { NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "../jobs/pending-maps.js";
import { widened } from "../jobs/job-table.js";

/**
 * Levels and amounts waited, shared by waits in time and in skip counts. The amount of an entered job is
 * `base + common`, that of another its `base`.
 */
export class WaitLevels {
  common = 0;
  /** A `common` below this means that no entered job with pending maps may leave its node. Never too high. */
  safeBelow = Infinity;
  private base = new Float64Array(64);
  private level = new Uint8Array(64);
  private anywhere = new Uint8Array(64);

  constructor(
    private readonly nodeAmount: number,
    private readonly rackAmount: number,
  ) {}

  add(job: number, anywhere: boolean): void {
    while (job >= this.base.length) {
      this.base = widened(this.base);
      this.level = widened(this.level);
      this.anywhere = widened(this.anywhere);
    }
    this.base[job] = 0;
    this.level[job] = NODE_LOCAL;
    this.anywhere[job] = anywhere ? 1 : 0;
  }

  enter(job: number): void {
    this.base[job] -= this.common;
    this.lowerSafe(job);
  }

  leave(job: number): void {
    this.base[job] += this.common;
  }

  /** One job waits `amount` more. */
  addTo(job: number, amount: number): void {
    this.base[job] += amount;
    this.lowerSafe(job);
  }

  allowedLevel(job: number): number {
    if (this.anywhere[job] !== 0) return OFF_RACK;
    const waited = this.base[job] + this.common;
    if (this.level[job] === NODE_LOCAL) {
      if (waited < this.nodeAmount) return NODE_LOCAL;
      return waited < this.nodeAmount + this.rackAmount ? RACK_LOCAL : OFF_RACK;
    }
    if (this.level[job] === RACK_LOCAL) return waited < this.rackAmount ? RACK_LOCAL : OFF_RACK;
    return OFF_RACK;
  }

  launched(job: number, level: number): void {
    this.level[job] = Math.min(level, OFF_RACK);
    this.base[job] = -this.common;
    this.lowerSafe(job);
  }

  /** The `common` from which on an entered job may leave its node. */
  leavesAt(job: number): number {
    if (this.anywhere[job] !== 0 || this.level[job] !== NODE_LOCAL) return -Infinity;
    return this.nodeAmount - this.base[job];
  }

  private lowerSafe(job: number): void {
    const at = this.leavesAt(job);
    if (at < this.safeBelow) this.safeBelow = at;
  }
}
