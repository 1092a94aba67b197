import {
  Demands,
  PoolScheduler,
  Runnability,
  SortedOrder,
  Starvation,
  TimeWait,
} from "../../dist/core/platforms/hadoop/index.js";
import { simulate } from "../../dist/lab/index.js";
import { allocationsOf, clusterOf, jobOf, poolOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";

const SECOND = 1_000_000;
/** Idle jobs have come by then; only what happens later is counted. */
const FROM_US = 100 * SECOND;

/**
 * Operations of the scheduler, HFS with pools in pools, waits and preemption, from 100 s on: 40 jobs of 6 maps and 10
 * of 60 compete for 80 map slots. Beside them, from before, `running` jobs of one endless map each on slots of their
 * own, in the pool of some of the others and in one of their own, and `prep` jobs that a limit keeps in PREP.
 */
export async function preemptingRun({ nodes = 20, running = 0, prep = 0 }) {
  const extra = Math.ceil(running / nodes);
  const pools = [
    poolOf("prod", { minMaps: 20, minShareTimeoutUs: 10 * SECOND }),
    poolOf("batch"),
    poolOf("batch.small", { parent: "batch", fairShareTimeoutUs: 30 * SECOND }),
    poolOf("batch.large", { parent: "batch", weight: 2, mode: "fifo" }),
    poolOf("kept", { maxJobs: 1 }),
  ];
  const idle = (pool) => jobOf({ name: `idle-${pool}`, pool, mapUs: 36_000 * SECOND, count: running / 2 });
  const kept = jobOf({ name: "kept", pool: "kept", mapUs: 36_000 * SECOND, count: prep });
  const small = { maps: 6, mapUs: 20 * SECOND, atUs: FROM_US, everyUs: 12 * SECOND };
  const jobs = [
    jobOf({ ...small, name: "prod", pool: "prod", count: 20, everyUs: 25 * SECOND }),
    jobOf({ ...small, name: "small", pool: "batch.small", count: 20 }),
    jobOf({
      ...small,
      name: "large",
      pool: "batch.large",
      maps: 60,
      mapUs: 100 * SECOND,
      count: 10,
      everyUs: 30 * SECOND,
      reduces: 2,
    }),
    ...(running > 0 ? [idle("stray"), idle("batch.small")] : []),
    ...(prep > 0 ? [kept] : []),
  ];
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ racks: nodes / 20, nodesPerRack: 20, mapSlots: 4 + extra, reduceSlots: 1 }),
    scheduler: schedulerOf("hfs", {
      rules: "1.2",
      preemption: { mode: "kill", intervalUs: 5 * SECOND },
      allocations: allocationsOf({ pools }),
    }),
    jobs,
    runtime: { jobSetupUs: SECOND },
    run: { untilUs: 700 * SECOND },
  });
  const counter = countFrom(FROM_US);
  await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: false }).finally(counter.restore);
  return counter.perLaunch();
}

/** Counts calls, or what they handle, once the scheduler has been told of something at `fromUs` or later. */
function countFrom(fromUs) {
  const counts = { launches: 0, listed: 0, jobsDecided: 0, demandsTaken: 0, ticks: 0, moves: 0 };
  const before = {};
  let scheduler = null;
  const restores = [];
  const watch = (prototype, name, see) => {
    const original = prototype[name];
    prototype[name] = function (...operands) {
      see.call(this, operands);
      return original.apply(this, operands);
    };
    restores.push(() => (prototype[name] = original));
  };
  const counted = (prototype, name, key, howMany = () => 1) =>
    watch(prototype, name, function (operands) {
      if (scheduler !== null) counts[key] += howMany.call(this, operands);
    });
  const begin = function ([, nowUs]) {
    if (scheduler !== null || nowUs < fromUs) return;
    scheduler = this;
    Object.assign(before, { ...this.counts, jobsVisited: this.jobsVisited });
  };
  watch(PoolScheduler.prototype, "heartbeat", begin);
  watch(PoolScheduler.prototype, "jobAdded", begin);
  counted(TimeWait.prototype, "launched", "launches");
  counted(TimeWait.prototype, "passedOver", "listed", ([, count]) => count);
  counted(Runnability.prototype, "settle", "jobsDecided");
  counted(Demands.prototype, "takeJob", "demandsTaken");
  counted(Starvation.prototype, "tick", "ticks");
  counted(SortedOrder.prototype, "move", "moves");
  return {
    restore: () => restores.forEach((restore) => restore()),
    perLaunch: () => {
      const { launches, ...rest } = counts;
      const { heartbeats, passedOver, searches, updates } = scheduler.counts;
      const of = {
        heartbeats: heartbeats - passedOver - (before.heartbeats - before.passedOver),
        searches: searches - before.searches,
        updates: updates - before.updates,
        jobsVisited: scheduler.jobsVisited - before.jobsVisited,
        kills: scheduler.preemptions.kills,
        ...rest,
      };
      for (const key of Object.keys(of)) of[key] /= launches;
      return { launches, ...of };
    },
  };
}
