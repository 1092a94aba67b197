import { describe, expect, it } from "vitest";
import type { InnerSchedulerSpec } from "../../../../dist/core/scenario/index.js";
import { simulate } from "../../../../dist/lab/index.js";
import { clusterOf, mixedJobs, schedulerOf, smallRun } from "../../../support/small-scenarios.mjs";
import { USUAL_OFFERS, USUAL_PARTITION } from "../../../support/usual-settings.js";

const SECOND = 1_000_000;

const INNER: readonly InnerSchedulerSpec[] = [
  { kind: "fifo", wait: { kind: "none" }, updateIntervalUs: 0 },
  { kind: "fair", wait: { kind: "time", nodeUs: 5 * SECOND, rackUs: 2 * SECOND }, updateIntervalUs: 0 },
  { kind: "delay", wait: { kind: "skips", node: 1, rack: 0 }, updateIntervalUs: 0 },
  { kind: "hfs", wait: { kind: "time", nodeUs: SECOND, rackUs: 0 }, updateIntervalUs: 500_000 },
];

/** All jobs are of one user in one pool. */
async function fingerprintOf(scheduler: ReturnType<typeof schedulerOf>, reduces: boolean): Promise<string> {
  const jobs = mixedJobs().filter(({ maps }) => reduces || maps > 0);
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ racks: 3, nodesPerRack: 4, reduceSlots: reduces ? 1 : 0 }),
    scheduler,
    jobs: jobs.map((job) => ({ ...job, user: "ann", pool: "all", reduces: reduces ? job.reduces : 0 })),
  });
  const run = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: false });
  expect(run.allEnded).toBe(true);
  return run.master.master.recorder.fingerprint.hex();
}

/**
 * A run of the kind by itself has shortcuts, runs of heartbeats settled at once, that nobody has who is one of several.
 */
describe.each(INNER)("jobs of one owner, under $kind", (inner) => {
  const alone = schedulerOf(inner.kind, inner);

  it("go as without owners in a private cluster that is the whole one", async () => {
    const partition = schedulerOf("partition", { partition: { ...USUAL_PARTITION, inner } });
    expect(await fingerprintOf(partition, true)).toBe(await fingerprintOf(alone, true));
  });

  it("go as without owners where a single framework is offered everything, and no refusal lasts", async () => {
    const usual = { ...USUAL_OFFERS.usual, inner, refuseForUs: 0 };
    const offers = schedulerOf("offers", { offers: { ...USUAL_OFFERS, usual } });
    expect(await fingerprintOf(offers, false)).toBe(await fingerprintOf(alone, false));
  });
});

it("these four decide differently", async () => {
  const found = await Promise.all(INNER.map((inner) => fingerprintOf(schedulerOf(inner.kind, inner), true)));
  expect([...new Set(found)]).toEqual(found);
});
