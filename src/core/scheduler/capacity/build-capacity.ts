import type { CapacityQueueSpec } from "../../scenario/capacity-spec.js";
import { NO_LIMITS } from "../../scenario/no-limits.js";
import type { AllocationsSpec, PoolSpec, SchedulerSpec } from "../../scenario/scenario.js";
import { assert } from "../../kernel/assert.js";
import { buildWait } from "../build-wait.js";
import { REFUSED, type BuiltScheduler, type SchedulerSurroundings } from "../built-scheduler.js";
import { DEFAULT_POOL } from "../pool-placement.js";
import { Pools } from "../pools.js";
import { RULES } from "../rules.js";
import { Users } from "../users.js";
import { CapacityScheduler } from "./capacity-scheduler.js";
import { QueueSlots } from "./queue-slots.js";

/** Yahoo!'s capacity scheduler. Its queues are the pools of the run, by the same handles. */
export function buildCapacity(scheduler: SchedulerSpec, around: SchedulerSurroundings): BuiltScheduler {
  const { capacity: spec } = scheduler;
  assert(spec !== undefined, "a capacity scheduler without its settings");
  const pools = new Pools(queuesAsPools(spec.queues, around.slots), around.slots, false);
  const wait = buildWait(scheduler, RULES.paper, around);
  const capacity = new CapacityScheduler({
    ...around,
    spec,
    wait,
    tasksPerHeartbeat: scheduler.tasksPerHeartbeat,
    capPerHeartbeat: [scheduler.mapsPerHeartbeat, scheduler.reducesPerHeartbeat],
  });
  const elsewhere = spec.undeclaredQueues === "default" ? pools.find(DEFAULT_POOL) : REFUSED;
  return {
    scheduler: capacity,
    pools,
    users: new Users(),
    hasPools: true,
    poolOf: (poolName, user) => {
      const asked = scheduler.poolBy === "pool" ? poolName : scheduler.poolBy === "user" ? user : "";
      const queue = pools.find(asked.trim() || DEFAULT_POOL);
      return queue < 0 ? elsewhere : queue;
    },
    preemptions: { checks: 0, slotsWanted: 0, kills: 0 },
    isHeldBack: (job) => capacity.isHeldBack(job),
    waited: (job) => wait.waited(job),
    waitsIn: wait.unit,
  };
}

/** For whoever judges what pools get: queues share by capacity, up to their maximum. */
function queuesAsPools(queues: readonly CapacityQueueSpec[], slots: readonly [number, number]): AllocationsSpec {
  const { most } = new QueueSlots(queues, slots);
  const nothing = { minMaps: 0, minReduces: 0, maxJobs: null, minShareTimeoutUs: null, fairShareTimeoutUs: null };
  const pools = queues.map(({ name, capacityPercent }, queue): PoolSpec => {
    const [maxMaps, maxReduces] = [most[0][queue], most[1][queue]];
    return { name, parent: null, weight: capacityPercent, ...nothing, maxMaps, maxReduces, mode: "fifo" };
  });
  return { ...NO_LIMITS, pools, defaultMode: "fifo" };
}
