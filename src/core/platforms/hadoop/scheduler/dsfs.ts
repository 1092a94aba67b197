import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "../jobs/nearness.js";
import { assert } from "../../../kernel/index.js";
import { type DsfsSpec, fullWaitUs, type SchedulerSpec } from "../../../scenario/index.js";
import { buildFlatWith, shown } from "./build-pool-scheduler.js";
import { TimeWait, WaitLevels } from "./locality-wait.js";
import type { BuiltScheduler, SchedulerContext } from "./scheduler.js";

/**
 * The locality level that a job may use by DSFS: its node until T1, its rack until T2, then anywhere, all counted from
 * one start. Unlike Algorithm 3 it remembers no level: where the last map ran matters only in so far as it takes the
 * wait back to 0. Rows are unknown to it, and count as anywhere.
 */
export class DsfsLevels extends WaitLevels {
  /** The first waits of which a job may leave its node, and its rack. Waits are whole microseconds. */
  private readonly leavesNodeUs: number;
  private readonly leavesRackUs: number;
  /** After exactly so much a job may not leave its node, whatever it is. */
  private readonly gapUs: number;

  /** `isCpuBound`, called once per job: it need not wait for its node. */
  constructor(
    private readonly spec: DsfsSpec,
    private readonly isCpuBound: (job: number) => boolean,
  ) {
    super({ node: 0, rack: 0, row: 0 });
    const after = spec.at === "goes" ? 0 : 1;
    this.leavesNodeUs = spec.t1Us + after;
    this.leavesRackUs = fullWaitUs(spec) + after;
    this.gapUs = spec.at === "asPrinted" ? fullWaitUs(spec) : -1;
  }

  override add(job: number, anywhere: boolean): void {
    super.add(job, anywhere);
    if (!anywhere) this.limit[job] = this.spec.jobTypes && this.isCpuBound(job) ? 0 : this.leavesNodeUs;
  }

  override allowedLevel(job: number): number {
    if (this.goesAnywhere[job] !== 0) return OFF_RACK;
    const waitedUs = this.base[job] + this.common;
    if (waitedUs < this.limit[job] || waitedUs === this.gapUs) return NODE_LOCAL;
    return waitedUs < this.leavesRackUs ? RACK_LOCAL : OFF_RACK;
  }

  override launched(job: number, level: number): void {
    this.level[job] = level === NO_INPUT ? OFF_RACK : level;
    const { reset } = this.spec;
    if (reset === "launch" || (reset === "nodeLocal" && level === NODE_LOCAL)) this.base[job] = -this.common;
    this.safeBelow = Math.min(this.safeBelow, this.leavesNodeAt(job));
  }
}

/** Fair order, and the wait of DSFS, whose clock is that of Algorithm 3. */
export function buildDsfs(spec: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  const { dsfs } = spec;
  assert(dsfs !== undefined, "a scenario with kind dsfs has no section for it");
  const isCpuBound = (job: number) => around.readShareOf(job) < dsfs.ioBoundFrom;
  return buildFlatWith(shown(new TimeWait(new DsfsLevels(dsfs, isCpuBound), false, false), around), spec, around);
}
