import { describe, expect, it } from "vitest";
import { MAP, REDUCE, type OfferScheduler } from "../../../../dist/core/platforms/hadoop/index.js";
import type { FrameworkSpec, OffersSpec } from "../../../../dist/core/scenario/index.js";
import { collectRecord, simulate } from "../../../../dist/lab/index.js";
import { clusterOf, jobOf, mixedJobs, schedulerOf, smallRun } from "../../../support/small-scenarios.mjs";
import { USUAL_OFFERS } from "../../../support/usual-settings.js";

const SECOND = 1_000_000;

const offering = (changes: Partial<OffersSpec> = {}) =>
  schedulerOf("offers", { offers: { ...USUAL_OFFERS, ...changes } });
const named = (name: string, changes: Partial<FrameworkSpec>) => ({ ...USUAL_OFFERS.usual, ...changes, name });

/** Four nodes with a map slot each, which beat one second apart; pools a and b have 24 maps of 8 s each. */
async function endsOf(changes: Partial<OffersSpec>): Promise<number[]> {
  const jobs = ["a", "b"].map((pool) => jobOf({ name: pool, pool, maps: 24, mapUs: 8 * SECOND }));
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ racks: 1, nodesPerRack: 4, mapSlots: 1, reduceSlots: 0, heartbeatUs: 4 * SECOND }),
    scheduler: offering(changes),
    jobs,
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, localityFactor: { node: 1, rack: 1, row: 1, any: 1 } },
  });
  const run = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: false });
  return [...collectRecord(run.master.master, run.stoppedUs).jobs.endAtUs].map((us) => us / SECOND);
}

describe("frameworks on four slots, by hand", () => {
  it("lose time where they answer late", async () => {
    // A node is offered at its beat, answered for at the next, 4 s later; so a map takes its slot for 12 s, twelve
    // waves. a: node 2 at 2, 6, 18, ..., 138, until 146; b: node 3, a second later.
    expect(await endsOf({ usual: { ...USUAL_OFFERS.usual, answerAfterUs: 3 * SECOND } })).toEqual([146, 147]);
  });

  it("get nothing where answers come after offers are taken back, and hold up others only so long", async () => {
    const slow = named("a", { answerAfterUs: 60 * SECOND });
    const { scenario, workload } = smallRun({
      cluster: clusterOf({ racks: 1, nodesPerRack: 4, mapSlots: 1, reduceSlots: 0, heartbeatUs: 4 * SECOND }),
      scheduler: offering({ frameworks: [slow], rescindAfterUs: 2 * SECOND }),
      jobs: ["a", "b"].map((pool) => jobOf({ name: pool, pool, maps: 4, mapUs: 4 * SECOND })),
      runtime: { jobSetupUs: 0, jobCleanupUs: 0 },
      run: { untilUs: 60 * SECOND },
    });
    const run = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: false });
    const { recorder, built } = run.master.master;
    expect([...recorder.endUs].map((us) => us >= 0)).toEqual([false, true]);
    expect((built.scheduler as OfferScheduler).counts.rescinded).toBeGreaterThan(10);
  });
});

const STORM = {
  mapFailure: 0.1,
  reduceFailure: 0.1,
  rates: {
    crash: { everyUs: 120 * SECOND, forUs: 30 * SECOND, factor: 1, untilUs: 400 * SECOND },
    switch: { everyUs: Infinity, forUs: 0, factor: 1, untilUs: Infinity },
    slowDisk: { everyUs: Infinity, forUs: 0, factor: 1, untilUs: Infinity },
    slowNode: { everyUs: Infinity, forUs: 0, factor: 1, untilUs: Infinity },
  },
};

describe("what frameworks hold", () => {
  const stormy = (answerAfterUs: number, untilUs: number) =>
    smallRun({
      cluster: clusterOf({ racks: 3, nodesPerRack: 4 }),
      scheduler: offering({ usual: { ...USUAL_OFFERS.usual, answerAfterUs } }),
      jobs: mixedJobs(),
      faults: STORM,
      runtime: {
        model: "detailed",
        attempts: {
          maxPerTask: 100,
          maxFailuresPerNode: 4,
          trackerExpiryUs: 15 * SECOND,
          mapMemoryBytes: 0,
          reduceMemoryBytes: 0,
        },
        speculation: {
          rule: "hadoop",
          minAgeUs: 5 * SECOND,
          progressGap: 0.1,
          slowerBy: 1,
          maxShareOfSlots: 0.5,
          checkEveryUs: SECOND,
        },
      },
      run: { untilUs },
    });

  it.each([20, 45, 80, 150, 300])(
    "is what their jobs run, %i s into crashes, failures and second attempts",
    async (untilS) => {
      const { scenario, workload } = stormy(0, untilS * SECOND);
      const { master } = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: false });
      const { jobs, built } = master.master;
      const scheduler = built.scheduler as OfferScheduler;
      const names = [...new Set(mixedJobs().map(({ pool }) => pool))].sort();
      for (const type of [MAP, REDUCE] as const) {
        const running = names.map(() => 0);
        for (let job = 0; job < jobs.handles; job++) {
          if (jobs.state[job] !== 0) running[scheduler.innerOf(job)]! += jobs.running[type][job]!;
        }
        expect(names.map((_, k) => scheduler.shares.heldSlots[type][k])).toEqual(running);
      }
    },
  );

  it("is nothing once all jobs have ended, also where answers take time", async () => {
    const { scenario, workload } = stormy(2 * SECOND, Infinity);
    const run = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: false });
    expect(run.allEnded).toBe(true);
    const { shares } = run.master.master.built.scheduler as OfferScheduler;
    for (const k of [0, 1, 2, 3]) expect([shares.heldSlots[MAP][k], shares.heldSlots[REDUCE][k]]).toEqual([0, 0]);
  });
});
