import { describe, expect, it } from "vitest";
import { LaunchDetails, buildScheduler, type SchedulerContext } from "../../../../dist/core/platforms/hadoop/index.js";
import { loadWorkload, parseScenario } from "../../../../dist/io/index.js";
import { simulate } from "../../../../dist/lab/index.js";

const GIB = 2 ** 30;

/** Jobs that say how much their maps read, or what share of their time goes into it, or nothing; blocks of 64 MiB. */
const text = (model: string): string => `
name: bytes
cluster: { racks: 2, nodesPerRack: 4, mapSlots: 2, reduceSlots: 0 }
storage: { blockSize: 64MiB }
workload:
  kind: jobs
  jobs:
    - { name: declared, user: a, maps: 6, mapTime: 10s, mapInput: 3GiB }
    - { name: share, user: b, maps: 6, mapTime: 10s, spread: 0.4, ioShare: 0.8 }
    - { name: plain, user: c, maps: 6, mapTime: 10s, spread: 0.4 }
scheduler: { kind: quincy, quincy: { policy: QFP } }
runtime: { model: ${model}, jobSetup: 0s, jobCleanup: 0s, io: { taskStart: 1s, ioShare: 0.25 } }
`;

async function told(model: string): Promise<{ readonly around: SchedulerContext; readonly read: Map<string, number> }> {
  const { scenario } = parseScenario(text(model), "bytes.yaml");
  const workload = await loadWorkload(scenario, ".");
  let around: SchedulerContext | null = null;
  const read = new Map<string, number>();
  const { map } = LaunchDetails.prototype;
  LaunchDetails.prototype.map = function (...of) {
    const detail = map.apply(this, of);
    // Handles of jobs are free again after their end: asked now.
    expect([of[0], of[1], around?.inputBytesOf(of[0], of[1])]).toEqual([of[0], of[1], detail.inputBytes]);
    read.set(`${of[0]}/${of[1]}`, detail.inputBytes);
    return detail;
  };
  try {
    await simulate(scenario, workload, {
      threads: 0,
      slices: 1,
      recordTasks: false,
      build: (spec, given) => buildScheduler(spec, (around = given)),
    });
  } finally {
    LaunchDetails.prototype.map = map;
  }
  if (around === null) throw new Error("no scheduler was built");
  return { around, read };
}

describe("what Quincy believes that maps read", () => {
  it("is what they read in the detailed model, map by map", async () => {
    const { read } = await told("detailed");
    expect(read.size).toBe(18);
    const sizes = [...read.values()];
    expect(sizes.filter((bytes) => bytes === 3 * GIB)).toHaveLength(6);
    // No two maps of the other jobs take the same time.
    expect(new Set(sizes).size).toBe(1 + 12);
    expect(sizes).not.toContain(GIB / 16);
  });
});
