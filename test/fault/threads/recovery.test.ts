import { describe, expect, it } from "vitest";
import type { Worker } from "node:worker_threads";
import type { Strike } from "../../../dist/actors/sabotage.js";
import { recoveredRun, type Example } from "../../support/recovered-run.js";
import { clusterOf, jobOf, mixedJobs, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";
import { runChild } from "./child.js";

const SECOND = 1_000_000;
const cluster = clusterOf({ racks: 4, nodesPerRack: 2 });

function exampleOf(changes: object = {}): Example {
  return smallRun({ cluster, scheduler: schedulerOf("hfs"), jobs: mixedJobs(), ...changes });
}

function strikes(atS: readonly number[]): Strike[] {
  return atS.map((at) => ({ rack: 1, how: { atUs: at * SECOND, how: "throw" } }));
}

describe("a rack thread that is replaced when it dies", () => {
  it("of a lack of memory: the run ends as it would have, and leaves nothing behind", async () => {
    const memory = ["--max-old-space-size=64"];
    const sabotage = [{ rack: 2, how: { atUs: 30 * SECOND, how: "out-of-memory" } }];
    const [undisturbed, found] = await Promise.all([
      runChild({ threads: 0 }, memory),
      runChild({ threads: 2, sabotage, recover: true }, memory),
    ]);
    expect([found.name, found.recoveries, found.left]).toEqual([undefined, 1, []]);
    expect(found.fingerprint).toBe(undisturbed.fingerprint);
    expect(found.lingeredMs).toBeLessThan(1_000);
  });

  it("three times at the same place is given up, and leaves nothing behind", async () => {
    const found = await runChild({ threads: 2, sabotage: strikes([50, 50, 50]), recover: true });
    expect([found.name, found.rack]).toEqual(["RackFailure", "rack01, rack03"]);
    expect(found.message).toMatch(/sabotage: an exception.*; replaced 2 times before$/);
    expect(found.left).toEqual([]);
    expect(found.lingeredMs).toBeLessThan(1_000);
  });

  it("twice at the same place and then elsewhere is not given up; the eleventh time in all is", async () => {
    const places = [100, 100, 300, 300, 500, 500, 700, 700, 900, 900];
    const undisturbed = await recoveredRun(exampleOf(BUSY), 0, 1);
    const run = await recoveredRun(exampleOf(BUSY), 2, 2, strikes(places));
    expect(run.recoveries).toHaveLength(10);
    expect(run.found).toEqual(undisturbed.found);
    const oneMore = recoveredRun(exampleOf(BUSY), 2, 2, strikes([...places, 1100]));
    await expect(oneMore).rejects.toThrow(/; replaced 10 times before$/);
  });
});

/** Small jobs one after the other, so that frames go back and forth all the time. */
const BUSY = {
  cluster: clusterOf({ racks: 2, nodesPerRack: 3, heartbeatUs: SECOND }),
  jobs: [jobOf({ maps: 5, reduces: 1, mapUs: 3 * SECOND, everyUs: 4 * SECOND, count: 400 })],
};

/** When the first threads that are started are terminated, in milliseconds after their start. */
const TERMINATED: readonly number[][] = [
  [0, 0],
  [20, 60],
  [150, 400],
  [300, 500],
];

describe.each(["light", "detailed"])("threads of %s racks that are terminated from outside", (model) => {
  it.each(TERMINATED)("after %i and %i ms: the run ends as it would have", async (...afterMs) => {
    const example = exampleOf({ ...BUSY, runtime: { model } });
    const undisturbed = await recoveredRun(example, 0, 1);
    let started = 0;
    const terminate = (thread: Worker): void => {
      const delayMs = afterMs[started++];
      if (delayMs === 0) void thread.terminate();
      else if (delayMs !== undefined) setTimeout(() => void thread.terminate(), delayMs);
    };
    process.on("worker", terminate);
    try {
      const run = await recoveredRun(example, 2, 2);
      expect(run.found).toEqual(undisturbed.found);
      // Threads that are terminated before they begin: certainly in the first case.
      if (afterMs[0] === 0) expect(run.recoveries).toHaveLength(2);
    } finally {
      process.off("worker", terminate);
    }
  });
});
