import { describe, expect, it } from "vitest";
import type { Worker } from "node:worker_threads";
import type { FaultInjection } from "../../../dist/actors/index.js";
import { simulate } from "../../../dist/lab/index.js";
import { recoveredRun, type Example } from "../../support/recovered-run.js";
import { clusterOf, jobOf, mixedJobs, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";
import { BUSY_MS, runChild } from "./child.js";

const SECOND = 1_000_000;
const cluster = clusterOf({ racks: 4, nodesPerRack: 2 });

function exampleOf(changes: object = {}): Example {
  return smallRun({ cluster, scheduler: schedulerOf("hfs"), jobs: mixedJobs(), ...changes });
}

function injections(atS: readonly number[]): FaultInjection[] {
  return atS.map((at) => ({ rack: 1, how: { atUs: at * SECOND, how: "throw" } }));
}

describe("a rack thread that is replaced when it dies", () => {
  it("of a lack of memory: the run ends as it would have, and leaves nothing behind", async () => {
    const memory = ["--max-old-space-size=64"];
    const faultInjections = [{ rack: 2, how: { atUs: 30 * SECOND, how: "out-of-memory" } }];
    const [undisturbed, found] = await Promise.all([
      runChild({ threads: 0 }, memory),
      runChild({ threads: 2, faultInjections, recover: true }, memory),
    ]);
    expect([found.name, found.recoveries, found.left]).toEqual([undefined, 1, []]);
    expect(found.fingerprint).toBe(undisturbed.fingerprint);
    expect(found.lingeredMs).toBeLessThan(BUSY_MS);
  });

  it("three times at the same place is given up, and leaves nothing behind", async () => {
    const found = await runChild({ threads: 2, faultInjections: injections([50, 50, 50]), recover: true });
    expect([found.name, found.rack]).toEqual(["RackFailure", "rack01, rack03"]);
    expect(found.message).toMatch(/fault injection: an exception.*; replaced 2 times before$/);
    expect(found.left).toEqual([]);
    expect(found.lingeredMs).toBeLessThan(BUSY_MS);
  });

  it("twice at the same place and then elsewhere is not given up; the eleventh time in all is", async () => {
    const places = [100, 100, 300, 300, 500, 500, 700, 700, 900, 900];
    const undisturbed = await recoveredRun(exampleOf(BUSY), 0, 1);
    const run = await recoveredRun(exampleOf(BUSY), 2, 2, injections(places));
    expect(run.recoveries).toHaveLength(10);
    expect(run.found).toEqual(undisturbed.found);
    const oneMore = recoveredRun(exampleOf(BUSY), 2, 2, injections([...places, 1100]));
    await expect(oneMore).rejects.toThrow(/; replaced 10 times before$/);
  });
});

/** Small jobs one after the other, so that frames go back and forth all the time. */
const busy = (jobs: number): object => ({
  cluster: clusterOf({ racks: 2, nodesPerRack: 3, heartbeatUs: SECOND }),
  jobs: [jobOf({ maps: 5, reduces: 1, mapUs: 3 * SECOND, everyUs: 4 * SECOND, count: jobs })],
});
const BUSY = busy(400);

/** Calls `onStart` with each thread that is started meanwhile. */
async function watching<T>(onStart: (thread: Worker) => void, run: () => Promise<T>): Promise<T> {
  process.on("worker", onStart);
  try {
    return await run();
  } finally {
    process.off("worker", onStart);
  }
}

describe.each(["light", "detailed"])("threads of %s racks that are terminated from outside", (model) => {
  // So many jobs that a thread ends long before the run does, on fast machines, too; detailed racks take longer for
  // each.
  const example = (): Example => exampleOf({ ...busy(model === "light" ? 4000 : 2000), runtime: { model } });
  const undisturbed = recoveredRun(example(), 0, 1);

  it("before they begin: the run ends as it would have", async () => {
    let started = 0;
    const terminate = (thread: Worker): void => {
      if (started++ < 2) void thread.terminate();
    };
    const run = await watching(terminate, async () => recoveredRun(example(), 2, 2));
    expect(run.recoveries).toHaveLength(2);
    expect(run.found).toEqual((await undisturbed).found);
  });

  it("before they begin, where nothing is replaced: the run ends with the first", async () => {
    const terminate = (thread: Worker): void => void thread.terminate();
    const options = { threads: 2, slices: 2, recordTasks: false };
    const { scenario, workload } = example();
    const run = watching(terminate, async () => simulate(scenario, workload, options));
    await expect(run).rejects.toThrow(/^rack0\d died at virtual time \S+: its thread ended before it had begun$/);
  });

  // Not sooner: Node itself does not survive the end of a thread that loads modules.
  it.each([
    [200, 200],
    [100, 700],
  ])("when it is past %i and %i s: the run ends as it would have", async (...places) => {
    const threads: Worker[] = [];
    const due = [...places];
    const terminate = ({ virtualUs }: { virtualUs: number }): void => {
      // One of the last two that were started: both, if both are due.
      while (due.length > 0 && virtualUs >= due[0]! * SECOND) {
        due.shift();
        void threads[threads.length - 1 - (due.length % 2)]!.terminate();
      }
    };
    const onStart = (thread: Worker): unknown => threads.push(thread);
    const run = await watching(onStart, async () => recoveredRun(example(), 2, 2, [], { onProgress: terminate }));
    expect(run.recoveries.length).toBeGreaterThan(0);
    expect(run.found).toEqual((await undisturbed).found);
  });
});
