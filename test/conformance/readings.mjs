import { loadCap } from "../../dist/core/platforms/hadoop/index.js";
import { MAX_DIFF } from "./scheduler-spec.mjs";
import { expectedNumber, flag, name, oneOf } from "./shapes.mjs";

const LEVELS = ["NODE", "RACK", "ANY"];
const number = (read) => ({ leaf: expectedNumber, read });

/**
 * Everything that can be expected of a timeline, by where it stands in `expect`: what form the expectation has and how
 * the value is read. `typed` lies below `map` and `reduce`. The key between the two outer levels is a job, pool, user
 * or tracker. A job of this line of schedulers has no min share and no max of its own (semantics section 5.3).
 */
export const READINGS = {
  jobs: {
    typed: {
      running: number((world, job, type) => world.jobs.running[type][world.jobNamed(job)]),
      demand: number((world, job, type) => world.state.demands.ofJob[type][world.jobNamed(job)]),
      fairShare: number((world, job, type) => world.jobShares[type][world.jobNamed(job)] ?? 0),
      weight: number((world, job, type) => world.state.weightOf(world.jobNamed(job), type)),
      minSlots: number(() => 0),
      maxSlots: number(() => Infinity),
    },
    plain: {
      lastLocality: {
        leaf: oneOf(...LEVELS),
        read: (world, job) => LEVELS[world.wait.levels.lastLevel(world.jobNamed(job))],
      },
      waitedMs: number((world, job) => world.wait.waited(world.jobNamed(job)) / 1000),
      skipped: { leaf: flag, read: (world, job) => world.wait.isMarked(world.jobNamed(job)) },
      initialized: { leaf: flag, read: (world, job) => world.cluster.isInitialised(world.jobNamed(job)) },
      pool: { leaf: name, read: (world, job) => world.poolNameOf(world.jobNamed(job)) },
    },
  },
  pools: {
    typed: {
      running: number((world, pool, type) => world.state.candidates.order[type].runningOf[world.poolNamed(pool)]),
      demand: number((world, pool, type) => world.state.demands.ofPool[type][world.poolNamed(pool)]),
      fairShare: number((world, pool, type) => world.state.shares.pool(world.poolNamed(pool), type)),
      minShare: number((world, pool, type) => world.pools.minShare[type][world.poolNamed(pool)]),
      maxSlots: number((world, pool, type) => world.pools.maxSlots[type][world.poolNamed(pool)]),
      tasksToPreempt: number((world, pool, type) =>
        world.state.starvation.amount(world.poolNamed(pool), type, world.nowUs),
      ),
    },
    plain: {
      maxRunningJobs: number((world, pool) => world.pools.maxJobsOf(world.poolNamed(pool))),
      minSharePreemptionTimeoutMs: number((world, pool) => world.pools.minShareTimeoutUs(world.poolNamed(pool)) / 1000),
    },
  },
  users: {
    typed: {},
    plain: { maxRunningJobs: number((world, user) => world.users.maxJobsOf(user)) },
  },
  trackers: {
    typed: {
      cap: number((world, tracker, type) => {
        const { cluster } = world;
        const node = cluster.nodeNamed(tracker);
        return loadCap(cluster.slotsOf(node, type), MAX_DIFF, world.totalDemand(type), cluster.totalSlots[type]);
      }),
    },
    plain: {},
  },
};

/** The same of the cluster, which has no name. */
export const CLUSTER_READINGS = {
  poolCount: number((world) => world.pools.size),
  fairSharePreemptionTimeoutMs: number((world) => world.pools.allocations.fairShareTimeoutUs / 1000),
};
