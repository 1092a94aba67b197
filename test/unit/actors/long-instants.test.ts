import { describe, expect, it } from "vitest";
import { driveInline, Pacer, MasterActor, buildRacks, RackHost } from "../../../dist/actors/index.js";
import { needsStages, rackModelOf } from "../../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { SliceGrid } from "../../../dist/core/kernel/index.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

/** All submitted at one instant. */
const JOBS = 12_000;

async function actors() {
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ racks: 2, nodesPerRack: 2, mapSlots: 1, reduceSlots: 1, heartbeatUs: 4 * SECOND }),
    scheduler: schedulerOf("fifo"),
    jobs: Array.from({ length: JOBS }, () => jobOf({ maps: 1, mapUs: SECOND })),
    run: { untilUs: 100 * SECOND },
  });
  const topology = buildTopology(scenario.cluster);
  const grid = new SliceGrid(4 * SECOND, 2);
  const model = rackModelOf(scenario);
  const host = new RackHost(topology, await buildRacks(needsStages(scenario), { ...model, topology }, [0, 1]), grid);
  const { commandsOf } = host;
  const parts = { scenario, workload, topology, grid, hostOfRack: new Int32Array(2), hosts: 1, recordTasks: false };
  return { master: new MasterActor({ ...parts, commandsOf }), host, grid };
}

/** Pauses whenever it may. */
class Eager extends Pacer {
  override isDue(): boolean {
    return true;
  }
}

describe("an instant at which more jobs are submitted than can be taken in at once", () => {
  it("is processed piece by piece, to the same end", async () => {
    const whole = await actors();
    expect(whole.master.process(0)).toBe(true);
    const cut = await actors();
    const submitted: number[] = [];
    while (!cut.master.process(0, 5000)) submitted.push(cut.master.master.recorder.jobsSubmitted);
    // The instant begins with a sample.
    expect(submitted).toEqual([4999, 9999]);
    const [a, b] = [whole, cut].map(({ master }) => master.master.recorder);
    expect([b.jobsSubmitted, b.fingerprint.hex()]).toEqual([JOBS, a.fingerprint.hex()]);
  });

  it("hears an abort in its midst", async () => {
    const { master, host, grid } = await actors();
    const controller = new AbortController();
    const pacer = new Eager(() => {
      controller.abort(new Error("enough"));
    }, controller.signal);
    await expect(driveInline(master, host, grid, pacer)).rejects.toThrow("enough");
    expect(master.master.recorder.jobsSubmitted).toBeLessThan(JOBS);
  });
});
