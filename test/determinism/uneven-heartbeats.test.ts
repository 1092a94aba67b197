import { describe, expect, it } from "vitest";
import { simulate } from "../../dist/lab/index.js";
import { clusterOf, mixedJobs, schedulerOf, smallRun } from "../support/small-scenarios.mjs";
import { threadsOfFile } from "../support/threads-of-file.js";

const RACKS = 4;
const SECOND = 1_000_000;

const idleThreads = threadsOfFile();

/** What a run decides, and how many heartbeats it had. */
async function resultOf(heartbeats: object, threads: number, slices: number, ownRacks = 0): Promise<string> {
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ racks: RACKS, nodesPerRack: 3, ...heartbeats }),
    scheduler: schedulerOf("hfs"),
    jobs: mixedJobs(),
  });
  const run = await simulate(scenario, workload, { threads, slices, ownRacks, recordTasks: false, idleThreads });
  expect(run.allEnded).toBe(true);
  const { master } = run;
  return `${master.master.recorder.fingerprint.hex()} ${master.heartbeatsBefore(run.stoppedUs)}`;
}

const CASES = [
  ["jitter", { heartbeatJitter: 0.4 }],
  ["out-of-band heartbeats", { outOfBandDelayUs: 0.1 * SECOND }],
  ["out-of-band heartbeats, seldom before the regular ones", { outOfBandDelayUs: 2.9 * SECOND }],
  ["both", { heartbeatJitter: 0.9, outOfBandDelayUs: 0.7 * SECOND }],
] as const;

describe.each(CASES)("one fingerprint with %s", (_, heartbeats) => {
  it("inline, for every number of slices", async () => {
    const found = new Set<string>();
    for (const slices of [1, 2, 3, 7, 8]) found.add(await resultOf(heartbeats, 0, slices));
    expect([...found]).toHaveLength(1);
  });

  it.each([
    [1, 3, 0],
    [1, 2, 1],
    [2, 2, 0],
    [2, 3, 2],
    [RACKS, 1, 0],
    [RACKS, 8, 0],
  ])("on %i rack threads in %i slices, %i racks on the master's", async (threads, slices, ownRacks) => {
    expect(await resultOf(heartbeats, threads, slices, ownRacks)).toBe(await resultOf(heartbeats, 0, 1));
  });
});

it("jitter and out-of-band heartbeats change what happens, each in its own way", async () => {
  const found = await Promise.all([{}, ...CASES.map(([, heartbeats]) => heartbeats)].map((of) => resultOf(of, 0, 1)));
  expect(new Set(found).size).toBe(CASES.length + 1);
});
