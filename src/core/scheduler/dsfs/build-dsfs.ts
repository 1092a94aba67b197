import { assert } from "../../kernel/assert.js";
import type { SchedulerSpec } from "../../scenario/scenario.js";
import { buildFlatWith } from "../build-flat.js";
import type { BuiltScheduler, SchedulerSurroundings } from "../built-scheduler.js";
import { TimeWait } from "../time-wait.js";
import { DsfsLevels } from "./dsfs-levels.js";

/** Fair order, and the wait of DSFS, whose clock is that of Algorithm 3. */
export function buildDsfs(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  const { dsfs } = spec;
  assert(dsfs !== undefined, "a scenario with kind dsfs has no section for it");
  const isCpuBound = (job: number): boolean => around.readShareOf(job) < dsfs.ioBoundFrom;
  return buildFlatWith(new TimeWait(new DsfsLevels(dsfs, isCpuBound), false, false), spec, around);
}
