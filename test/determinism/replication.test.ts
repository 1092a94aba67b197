import { describe, expect, it } from "vitest";
import type { DynamicReplicationSpec } from "../../dist/core/scenario/index.js";
import { simulate } from "../../dist/lab/index.js";
import { faultAt, faultsOf, rateOf } from "../support/fault-specs.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";
import { threadsOfFile } from "../support/threads-of-file.js";

const SECOND = 1_000_000;
const GB = 1e9;

const DSBRA: DynamicReplicationSpec = {
  rule: "dsbra",
  everyUs: 10 * SECOND,
  maxReplicas: Infinity,
  alpha: 0.5,
  delayUs: null,
  step: 0.05,
};
const RULES: readonly (readonly [string, DynamicReplicationSpec])[] = [
  ["DSBRA", DSBRA],
  ["DSBRA of four replicas", { ...DSBRA, maxReplicas: 4 }],
  ["hot spots", { rule: "hotSpots", everyUs: 5 * SECOND, maxReplicas: 5, readersPerReplica: 1, coolUs: 10 * SECOND }],
];
const FAULTS = faultsOf([faultAt("crash", 0, 1, 40, 60), faultAt("switch", 2, 0, 70, 50)], {
  crash: rateOf(300, 30, 400),
});

/** Twenty jobs that read two files, on three racks; blocks that make a difference to a disk with an end. */
function scenarioOf(
  rule: DynamicReplicationSpec,
  model: "light" | "detailed",
  kind: string,
  faults = FAULTS,
  everyS = 6,
) {
  const { scenario, workload } = smallRun({
    cluster: clusterOf({
      racks: 3,
      nodesPerRack: 4,
      mapSlots: 1,
      reduceSlots: 1,
      node: { diskBytes: 0.6 * GB, diskBytesPerSecond: 80e6 },
    }),
    scheduler: schedulerOf(kind),
    jobs: Array.from({ length: 20 }, (_, job) =>
      jobOf({
        name: `job${job}`,
        maps: 1 + (job % 5),
        mapUs: 12 * SECOND,
        atUs: job * everyS * SECOND,
        file: `f${job % 2}`,
      }),
    ),
    seed: "7",
    run: { untilUs: 5_000 * SECOND },
    runtime: {
      model,
      attempts: {
        maxPerTask: 4,
        maxFailuresPerNode: 4,
        trackerExpiryUs: 20 * SECOND,
        mapMemoryBytes: 0,
        reduceMemoryBytes: 0,
      },
    },
    faults,
  });
  return {
    scenario: { ...scenario, storage: { ...scenario.storage, replication: 2, dynamicReplication: rule } },
    workload,
  };
}

const idleThreads = threadsOfFile();

async function run(made: ReturnType<typeof scenarioOf>, threads: number, slices: number, ownRacks = 0) {
  const { master, allEnded, topology } = await simulate(made.scenario, made.workload, {
    threads,
    slices,
    ownRacks,
    recordTasks: false,
    idleThreads,
  });
  const { recorder, traffic, losses } = master.master;
  if (traffic === null || traffic.ordered === null) throw new Error("replication was to change");
  const { copies, ordered } = traffic;
  const gained = Array.from({ length: topology.nodes }, (_, node) => ordered.bytesGained(node));
  const counts = [copies.copies, copies.extras, ordered.use.removed, recorder.nodesGivenUp];
  return { fingerprint: recorder.fingerprint.hex(), counts, gained, allEnded, isLossy: losses !== null };
}

describe.each(RULES)("replication by %s, with nodes that are lost and disks that fill up", (_, rule) => {
  it.each(["light", "detailed"] as const)("is one run on every placement and number of slices, %s", async (model) => {
    const made = scenarioOf(rule, model, "delay");
    const inline = await run(made, 0, 1);
    expect(inline.allEnded).toBe(true);
    // Replicas came beyond the fixed number, some went, and nodes were given up meanwhile.
    expect(inline.counts[1]).toBeGreaterThan(0);
    expect(inline.counts[2]).toBeGreaterThan(0);
    expect(inline.counts[3]).toBeGreaterThan(0);
    expect(Math.max(...inline.gained)).toBeLessThanOrEqual(0.6 * GB);
    for (const [threads, slices, ownRacks] of [
      [0, 3, 0],
      [2, 1, 0],
      [1, 2, 1],
      [3, 2, 0],
    ]) {
      expect(await run(made, threads!, slices!, ownRacks)).toEqual(inline);
    }
  });

  it.each(["fifo", "fair", "hfs"])("goes with %s", async (kind) => {
    const { allEnded, counts, isLossy } = await run(scenarioOf(rule, "detailed", kind, faultsOf([]), 2), 0, 1);
    expect([allEnded, isLossy, counts[0], counts[3]]).toEqual([true, false, 0, 0]);
    // Nobody waits under the first two, so that DSBRA has nothing to do.
    expect(counts[1] > 0).toBe(kind === "hfs" || rule.rule === "hotSpots");
  });
});
