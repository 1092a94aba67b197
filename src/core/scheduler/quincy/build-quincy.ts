import { isFair, preempts } from "../../scenario/quincy-spec.js";
import type { SchedulerSpec } from "../../scenario/scenario.js";
import { assert } from "../../kernel/assert.js";
import { onePool } from "../build-flat.js";
import type { BuiltScheduler, SchedulerSurroundings } from "../built-scheduler.js";
import { Pools } from "../pools.js";
import { Users } from "../users.js";
import { GreedyScheduler } from "./greedy-scheduler.js";
import { QuincyScheduler } from "./quincy-scheduler.js";

/** Updates come that often where nothing else makes Quincy look again: its waits grow, and attempts become old enough to move. */
const PERIOD_US = 1_000_000;

/** Quincy or its greedy rival, by policy. All jobs are in one pool. */
export function buildQuincy(spec: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  assert(spec.quincy !== undefined, "a quincy scheduler without its settings");
  const { policy } = spec.quincy;
  const rules = { isFair: isFair(policy), preempts: preempts(policy) };
  const periodUs = Math.max(PERIOD_US, spec.quincy.solveEveryUs);
  const parts = { ...around, ...spec.quincy, ...rules, periodUs, tasksPerHeartbeat: spec.tasksPerHeartbeat };
  const scheduler = policy.startsWith("G") ? new GreedyScheduler(parts) : new QuincyScheduler(parts);
  return {
    scheduler,
    pools: new Pools(onePool("fair"), around.slots, false),
    users: new Users(),
    hasPools: false,
    poolOf: () => 0,
    preemptions: scheduler.preemptions,
    isHeldBack: () => false,
    waited: () => 0,
    waitsIn: "microseconds",
  };
}
