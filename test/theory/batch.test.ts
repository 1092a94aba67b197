import type { CopyComputeSpec } from "../../dist/core/scenario/index.js";
import { describe, expect, it } from "vitest";
import { batchUnderFairSharingUs, batchUnderFifoUs } from "./closed-forms.js";
import { simulate } from "../../dist/lab/index.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";

const S = 1_000_000;
const SLOTS = 12;
/** Whole heartbeats, so that no slot waits for one. */
const BATCH = { jobs: 4, mapsUs: 30 * S, reducesUs: 18 * S };

/** One node, so that all slots are offered at once; each job alone fills all of them, of either type, once. */
async function simulatedUs(kind: string, copyCompute: CopyComputeSpec | null): Promise<number> {
  const run = smallRun({
    cluster: clusterOf({
      racks: 1,
      nodesPerRack: 1,
      mapSlots: SLOTS,
      reduceSlots: copyCompute === null ? SLOTS : 4 * SLOTS,
    }),
    scheduler: schedulerOf(kind),
    jobs: [
      jobOf({
        count: BATCH.jobs,
        maps: SLOTS,
        mapUs: BATCH.mapsUs,
        reduces: SLOTS,
        copyUs: 0,
        reduceUs: BATCH.reducesUs,
      }),
    ],
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, slowStart: 1, copyCompute },
  });
  const { master } = await simulate(run.scenario, run.workload, { threads: 0, slices: 1, recordTasks: false });
  return Math.max(...master.master.recorder.endUs);
}

const SPLIT = { computing: SLOTS, perJob: SLOTS, order: "fair" } as const;

describe("a batch of equal jobs with reduces", () => {
  it("takes nM + R under FIFO, n(M + R) under fair sharing: by hand", () => {
    expect(batchUnderFifoUs(BATCH)).toBe((4 * 30 + 18) * S);
    expect(batchUnderFairSharingUs(BATCH)).toBe(4 * (30 + 18) * S);
  });

  it("takes exactly that in simulation", async () => {
    expect(await simulatedUs("fifo", null)).toBe(batchUnderFifoUs(BATCH));
    expect(await simulatedUs("fair", null)).toBe(batchUnderFairSharingUs(BATCH));
  });

  it("gains nothing by splitting: a heartbeat at the gate is all that changes, once", async () => {
    const fair = await simulatedUs("fair", SPLIT);
    const fifo = await simulatedUs("fifo", SPLIT);
    expect(fair).toBeGreaterThanOrEqual(batchUnderFairSharingUs(BATCH));
    expect(fair).toBeLessThanOrEqual(batchUnderFairSharingUs(BATCH) + 3 * S);
    expect(fifo).toBeGreaterThanOrEqual(batchUnderFifoUs(BATCH));
    expect(fifo).toBeLessThanOrEqual(batchUnderFifoUs(BATCH) + 3 * S);
  });
});
