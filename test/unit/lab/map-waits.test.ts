import { describe, expect, it } from "vitest";
import type { SchedulerPlugin } from "../../../dist/core/platforms/hadoop/index.js";
import { loadScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import shortestJob from "../../../scenarios/plugins/shortest-job-first.mjs";

const BLOCK = 128 * 2 ** 20;

/** scenarios/by-hand/one-block.yaml: one map, whose block is on the node that beats last, 3 s after the first. */
async function lookup(...set: string[]) {
  return lookupWith([shortestJob as unknown as SchedulerPlugin], ...set);
}

async function lookupWith(plugins: SchedulerPlugin[], ...set: string[]) {
  const { scenario, directory } = loadScenario("scenarios/by-hand/one-block.yaml", { set, plugins });
  const { summary, record } = await runScenario(scenario, directory, { placement: 0, plugins });
  const { localityWaitUs, longestLocalityWaitUs, waitClockUs, waitClockSkips, pendingUs } = record.jobs;
  const columns = [localityWaitUs, longestLocalityWaitUs, waitClockUs, waitClockSkips, pendingUs];
  return { ...summary.waits, ...summary.moved, columns: columns.map(([value]) => value) };
}

describe("what a map has waited when it is launched", () => {
  it("is three opportunities, one for each node that beats before the block's, and 3 s from the first of them", async () => {
    expect(await lookup()).toEqual({
      localitySecondsPerTask: 3,
      longestLocalitySeconds: 3,
      clockSecondsPerTask: null,
      clockSkipsPerTask: 3,
      pendingSecondsPerTask: 3,
      inputBytes: 0,
      acrossRacksBytes: 0,
      columns: [3e6, 3e6, -1, 3, 3e6],
    });
  });

  it("is one opportunity where that is enough for the rack, whose other node beats second", async () => {
    expect(await lookup("scheduler.wait.nodeSkips=1")).toMatchObject({
      clockSkipsPerTask: 1,
      localitySecondsPerTask: 1,
      pendingSecondsPerTask: 1,
      inputBytes: BLOCK,
      acrossRacksBytes: 0,
    });
  });

  it("is the time since the heartbeat at 1 s passed it over where time is counted, for at 0 s it was not runnable", async () => {
    expect(await lookup("scheduler=hfs")).toMatchObject({
      localitySecondsPerTask: 2,
      clockSecondsPerTask: 2,
      clockSkipsPerTask: null,
      columns: [2e6, 2e6, 2e6, -1, 3e6],
    });
  });

  it.each(["fair", "quincy", "kill", "partition", "offers"])(
    "is unknown under %s, which has no clock",
    async (kind) => {
      const found = await lookup(`scheduler=${kind}`);
      expect(found).toMatchObject({
        localitySecondsPerTask: null,
        longestLocalitySeconds: null,
        clockSecondsPerTask: null,
        clockSkipsPerTask: null,
      });
      expect(found.pendingSecondsPerTask).not.toBe(null);
      expect(found.columns.slice(0, 4)).toEqual([-1, -1, -1, -1]);
    },
  );

  it("has no clock under a user's own scheduler, but begins when that passes the job over for its distance", async () => {
    const found = await lookup("scheduler=shortest-job");
    expect(found).toMatchObject({
      localitySecondsPerTask: 3,
      longestLocalitySeconds: 3,
      clockSecondsPerTask: null,
      clockSkipsPerTask: null,
      pendingSecondsPerTask: 3,
      columns: [3e6, 3e6, -1, -1, 3e6],
    });
    expect(await lookup("scheduler=shortest-job", "scheduler.options.waitSeconds=0.9")).toMatchObject({
      localitySecondsPerTask: 1,
    });
  });
});
