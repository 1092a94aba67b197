import fc from "fast-check";
import { expect, it } from "vitest";
import type { DynamicReplicationSpec } from "../../dist/core/scenario/index.js";
import { simulate } from "../../dist/lab/index.js";
import { faultAt, faultsOf } from "../support/fault-specs.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const BLOCK = 128 * 2 ** 20;
const NODES = 6;

const dsbra = fc.record({
  rule: fc.constant("dsbra" as const),
  everyUs: fc.constantFrom(5 * SECOND, 20 * SECOND),
  maxReplicas: fc.constantFrom(Infinity, 3),
  alpha: fc.constantFrom(0, 0.5, 1),
  delayUs: fc.constantFrom(null, SECOND),
  step: fc.constantFrom(0.01, 0.2),
});
const hotSpots = fc.record({
  rule: fc.constant("hotSpots" as const),
  everyUs: fc.constantFrom(2 * SECOND, 15 * SECOND),
  maxReplicas: fc.constantFrom(Infinity, 3),
  readersPerReplica: fc.constantFrom(1, 2.5),
  coolUs: fc.constantFrom(0, 20 * SECOND),
});
const cases = fc.record({
  rule: fc.oneof(dsbra, hotSpots) as fc.Arbitrary<DynamicReplicationSpec>,
  model: fc.constantFrom("light", "detailed"),
  kind: fc.constantFrom("fifo", "delay", "hfs"),
  seed: fc.nat(1000).map(String),
  /** In blocks; the other nodes have no end. */
  room: fc.constantFrom(0, 1, 3, Infinity),
  crashes: fc.array(
    fc.record({ rack: fc.nat(1), node: fc.nat(2), atS: fc.nat(150), forS: fc.integer({ min: 5, max: 90 }) }),
    { maxLength: 3 },
  ),
  outOfBandDelayUs: fc.constantFrom(0, 0, SECOND / 4),
  jobs: fc.array(
    fc.record({ maps: fc.integer({ min: 1, max: 8 }), mapS: fc.integer({ min: 4, max: 30 }), atS: fc.nat(80) }),
    { minLength: 2, maxLength: 8 },
  ),
});

it("replicas come and go within their bounds, whatever the rule, the scheduler, the disks and the crashes", async () => {
  let added = 0;
  let removed = 0;
  await fc.assert(
    fc.asyncProperty(cases, async (raw) => {
      const { scenario, workload } = smallRun({
        cluster: clusterOf({
          groups: [0, 1].map(() => [
            { count: 2, mapSlots: 1, reduceSlots: 0, speed: 1, diskBytes: raw.room * BLOCK },
            { count: 1, mapSlots: 1, reduceSlots: 0, speed: 1 },
          ]),
          node: { diskBytesPerSecond: 80e6 },
          outOfBandDelayUs: raw.outOfBandDelayUs,
        }),
        scheduler: schedulerOf(raw.kind),
        jobs: raw.jobs.map(({ maps, mapS, atS }, job) =>
          jobOf({ name: `job${job}`, maps, mapUs: mapS * SECOND, atUs: atS * SECOND, file: "shared" }),
        ),
        seed: raw.seed,
        run: { untilUs: 20_000 * SECOND },
        runtime: {
          model: raw.model,
          attempts: {
            maxPerTask: 4,
            maxFailuresPerNode: 4,
            trackerExpiryUs: 20 * SECOND,
            mapMemoryBytes: 0,
            reduceMemoryBytes: 0,
          },
        },
        faults: faultsOf(raw.crashes.map(({ rack, node, atS, forS }) => faultAt("crash", rack, node, atS, forS))),
      });
      const storage = { ...scenario.storage, blockBytes: BLOCK, replication: 2, dynamicReplication: raw.rule };
      const run = await simulate({ ...scenario, storage }, workload, { threads: 0, slices: 1, recordTasks: false });
      expect(run.allEnded).toBe(true);
      const { traffic } = run.master.master;
      if (traffic === null || traffic.ordered === null) throw new Error("replication was to change");
      const { copies, ordered } = traffic;
      const most = Math.min(NODES, Math.max(2, raw.rule.maxReplicas));
      for (let block = 0; block < workload.files[0].blocks; block++) {
        expect(ordered.count(block)).toBeGreaterThanOrEqual(2);
        // A copy may arrive after the replica that it stands in for has come back with its node.
        if (raw.crashes.length === 0) expect(ordered.count(block)).toBeLessThanOrEqual(most);
      }
      let gained = 0;
      for (let node = 0; node < NODES; node++) {
        const blocks = ordered.bytesGained(node) / BLOCK;
        expect(blocks).toBeLessThanOrEqual(run.topology.diskBytes[node] / BLOCK);
        gained += blocks;
      }
      added += copies.extras;
      removed += ordered.use.removed;
      const { mean, max } = ordered.use.extraUntil(run.stoppedUs);
      expect(mean).toBeLessThanOrEqual(max);
      if (raw.crashes.length > 0) return;
      expect(copies.copies).toBe(0);
      // What was added and not deleted is there; what is on its way, or is to be deleted, may be as well.
      expect(gained).toBeGreaterThanOrEqual(copies.extras - ordered.use.removed);
      expect(gained).toBeLessThanOrEqual(copies.extras + 2 * NODES);
    }),
    { numRuns: 60, seed: 5 },
  );
  expect(added).toBeGreaterThan(50);
  expect(removed).toBeGreaterThan(20);
}, 180_000);
