import { assert } from "../../kernel/assert.js";
import { Pools } from "../pools.js";
import type { BuiltScheduler } from "../built-scheduler.js";
import { NO_LIMITS } from "../../scenario/no-limits.js";
import type { Owners } from "./owners.js";
import type { SchedulerOfOwners } from "./scheduler-of-owners.js";

/**
 * What the master sees of inner schedulers.
 * @param innerOf by owner: where its jobs go.
 */
export function seenOfOwners(
  scheduler: SchedulerOfOwners,
  owners: Owners,
  innerOf: (owner: number) => number,
  slots: readonly [number, number],
): BuiltScheduler {
  return {
    scheduler,
    users: scheduler.users,
    // Those of the inner schedulers are their own affair.
    pools: new Pools(NO_LIMITS, slots, false),
    hasPools: false,
    preemptions: { checks: 0, slotsWanted: 0, kills: 0 },
    isHeldBack: (job) => scheduler.isHeldBack(job),
    waited: (job) => scheduler.waited(job),
    waitsIn: scheduler.waitsIn,
    poolOf: (pool, user, nowUs) => {
      const owner = owners.ownerOf(pool, user);
      assert(owner >= 0, "a job of somebody who was not announced");
      return scheduler.places.placeOf(innerOf(owner), pool, user, nowUs);
    },
  };
}
