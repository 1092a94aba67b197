import { RULES } from "../../dist/core/platforms/hadoop/index.js";

/** `load.max.diff` of Hadoop's load manager, which no case of the format sets. */
export const MAX_DIFF = 0;

/** The allocation file with nothing in it, with which every scheduler of the format starts. */
const NO_ALLOCATIONS = allocationsOf({});

/** The scheduler that a timeline sets up. Nothing happens in it by itself: updates are steps. */
export function specOf(config, variant) {
  const nodeUs = config.nodeLocalityDelayMs * 1000;
  const rackUs = RULES[variant].oneDelay ? nodeUs : config.rackLocalityDelayMs * 1000;
  return {
    kind: "hfs",
    wait: { kind: "time", nodeUs, rackUs },
    tasksPerHeartbeat: config.assignMultiple ? Infinity : 1,
    updateIntervalUs: Infinity,
    rules: variant,
    mapsPerHeartbeat: Infinity,
    reducesPerHeartbeat: Infinity,
    countsThisHeartbeat: RULES[variant].countsThisHeartbeat,
    loadManager: { maxDiff: MAX_DIFF },
    preemption: {
      mode: config.preemption ? (config.preemptionOnlyLog ? "log" : "kill") : "off",
      intervalUs: config.preemptionIntervalMs * 1000,
    },
    sizeBasedWeight: config.sizeBasedWeight,
    weightBooster: null,
    poolBy: "pool",
    undeclaredPools: true,
    groups: [],
    allocations: NO_ALLOCATIONS,
    reloads: [],
  };
}

/** Contents of an allocation file as a timeline spells them. */
export function allocationsOf(file) {
  return {
    pools: Object.entries(file.pools ?? {}).map(([name, pool]) => ({
      name,
      parent: null,
      weight: pool.weight ?? 1,
      minMaps: pool.minMaps ?? 0,
      minReduces: pool.minReduces ?? 0,
      maxMaps: pool.maxMaps ?? Infinity,
      maxReduces: pool.maxReduces ?? Infinity,
      maxJobs: pool.maxRunningJobs ?? null,
      minShareTimeoutUs: inUs(pool.minSharePreemptionTimeoutSec) ?? null,
      fairShareTimeoutUs: null,
      mode: pool.schedulingMode?.toLowerCase() ?? null,
    })),
    users: Object.entries(file.users ?? {}).flatMap(([name, { maxRunningJobs: maxJobs }]) =>
      maxJobs === undefined ? [] : [{ name, maxJobs }],
    ),
    poolMaxJobs: file.poolMaxJobsDefault ?? Infinity,
    userMaxJobs: file.userMaxJobsDefault ?? Infinity,
    minShareTimeoutUs: inUs(file.defaultMinSharePreemptionTimeoutSec) ?? Infinity,
    fairShareTimeoutUs: inUs(file.fairSharePreemptionTimeoutSec) ?? Infinity,
    defaultMode: file.defaultPoolSchedulingMode?.toLowerCase() ?? "fair",
    placement: null,
  };
}

function inUs(seconds) {
  return seconds === undefined ? undefined : seconds * 1_000_000;
}
