import { describe, expect, it } from "vitest";
import { loadScenario } from "../../../dist/io/scenario/load.js";
import { runScenario } from "../../../dist/lab/run-scenario.js";

const BLOCK = 128 * 2 ** 20;

/** scenarios/by-hand/one-block.yaml: one map, whose block is on the node that beats last, 3 s after the first. */
async function lookup(...set: string[]) {
  const { scenario, directory } = loadScenario("scenarios/by-hand/one-block.yaml", { set });
  const { summary, record } = await runScenario(scenario, directory, { placement: 0 });
  const { localityWaitUs, localitySkips, mapsPendingUs } = record.jobs;
  return { ...summary.waits, ...summary.moved, columns: [localityWaitUs[0], localitySkips[0], mapsPendingUs[0]] };
}

describe("what a map has waited when it is launched", () => {
  it("is three opportunities, one for each node that beats before the block's", async () => {
    expect(await lookup()).toEqual({
      ...{ localitySecondsPerMap: null, skipsPerMap: 3, pendingSecondsPerMap: 3 },
      ...{ inputBytes: 0, acrossRacksBytes: 0, columns: [0, 3, 3e6] },
    });
  });

  it("is one opportunity where that is enough for the rack, whose other node beats second", async () => {
    expect(await lookup("scheduler.wait.nodeSkips=1")).toMatchObject({ skipsPerMap: 1, pendingSecondsPerMap: 1 });
    expect(await lookup("scheduler.wait.nodeSkips=1")).toMatchObject({ inputBytes: BLOCK, acrossRacksBytes: 0 });
  });

  it("is the time between heartbeats that passed it over where time is counted: those at 1 and 2 s, for at 0 s it was not runnable", async () => {
    expect(await lookup("scheduler=hfs")).toMatchObject({ localitySecondsPerMap: 2, columns: [2e6, 0, 3e6] });
  });

  it("is nothing where nobody waits, and the block goes to another rack", async () => {
    expect(await lookup("scheduler=fair")).toEqual({
      ...{ localitySecondsPerMap: 0, skipsPerMap: null, pendingSecondsPerMap: 0 },
      ...{ inputBytes: BLOCK, acrossRacksBytes: BLOCK, columns: [0, 0, 0] },
    });
  });

  it("moves what maps really read where that is simulated", async () => {
    const detailed = ["scheduler=fair", "runtime.model=detailed", "workload.jobs.0.mapInput=10MB"];
    const found = await lookup(...detailed);
    expect(found).toMatchObject({ inputBytes: 10 * 2 ** 20, acrossRacksBytes: 10 * 2 ** 20 });
  });
});
