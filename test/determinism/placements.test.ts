import fc from "fast-check";
import type { Piscina } from "piscina";
import { describe, expect, it } from "vitest";
import { SCHEDULER_KINDS } from "../../dist/core/scenario/index.js";
import { simulate } from "../../dist/lab/index.js";
import { clusterOf, jobOf, mixedJobs, schedulerOf, smallRun } from "../support/small-scenarios.mjs";
import { threadsOfFile } from "../support/threads-of-file.js";

const RACKS = 4;
const SLICES = [1, 2, 3, 8];
const KINDS = SCHEDULER_KINDS.map((kind) => kind.name);

/** By default DSFS decides here as delay scheduling does. */
const OWN: Readonly<Record<string, object>> = {
  dsfs: { dsfs: { ...schedulerOf("dsfs").dsfs, t1Us: 0, t2Us: 1_000_000 } },
};

type Run = ReturnType<typeof smallRun>;

const idleThreads = threadsOfFile();

/** Everything that a run decides, in one word. */
async function fingerprintOf(
  { scenario, workload }: Run,
  threads: number,
  slices: number,
  framed = false,
  ownRacks = 0,
): Promise<string> {
  const run = await simulate(scenario, workload, {
    threads,
    slices,
    framed,
    ownRacks,
    recordTasks: false,
    idleThreads,
  });
  expect(run.master.frames > 0).toBe(framed || threads > 0);
  expect(run.allEnded).toBe(true);
  return run.master.master.recorder.fingerprint.hex();
}

const mixed = (kind: string, seed = "1"): Run =>
  smallRun({
    cluster: clusterOf({ racks: RACKS, nodesPerRack: 3 }),
    scheduler: schedulerOf(kind, OWN[kind]),
    jobs: mixedJobs(),
    seed,
  });

describe.each(KINDS)("one fingerprint of %s", (kind) => {
  it("inline, for every number of slices, again, and through frames", async () => {
    const found = new Set<string>();
    for (const slices of [...SLICES, 1]) found.add(await fingerprintOf(mixed(kind), 0, slices));
    for (const slices of [1, 3]) found.add(await fingerprintOf(mixed(kind), 0, slices, true));
    expect([...found]).toHaveLength(1);
  });

  // Every number of threads meets every number of slices in some scheduler, and every scheduler meets all of both.
  const offset = KINDS.indexOf(kind);
  const onThreads = [1, 2, RACKS].flatMap((threads, row) =>
    [0, 2].map((column) => [threads, SLICES[(offset + row + column) % SLICES.length]!] as const),
  );
  it.each(onThreads)("on %s threads in %s slices", async (threads, slices) => {
    expect(await fingerprintOf(mixed(kind), threads, slices)).toBe(await fingerprintOf(mixed(kind), 0, 1));
  });

  it("with racks on the master's thread beside a rack thread", async () => {
    const ownRacks = 1 + (offset % (RACKS - 1));
    const slices = SLICES[offset % SLICES.length]!;
    expect(await fingerprintOf(mixed(kind), 1, slices, false, ownRacks)).toBe(await fingerprintOf(mixed(kind), 0, 1));
  });
});

describe("the thread of a light rack", () => {
  it("starts with the first command for the rack", async () => {
    const { scenario, workload } = smallRun({
      cluster: clusterOf({ racks: RACKS, nodesPerRack: 3 }),
      jobs: [jobOf({ maps: 1 }), jobOf({ maps: 1, atUs: 3_600_000_000 })],
      seed: "1",
    });
    const started: Piscina[] = [];
    const options = { threads: RACKS, slices: 1, recordTasks: true, idleThreads: started };
    const { master, topology } = await simulate(scenario, workload, options);
    const launchedOn = new Set(master.master.recorder.tasks?.column("node"));
    expect(launchedOn.size).toBeLessThan(RACKS);
    const racks = new Set([...launchedOn].map((node) => topology.rackOf[Number(node)]));
    expect(started).toHaveLength(racks.size);
    await Promise.all(started.map(async (thread) => thread.destroy()));
  });
});

describe("the schedulers", () => {
  it("decide differently from each other, so that equal fingerprints mean something", async () => {
    const found = await Promise.all(KINDS.map((kind) => fingerprintOf(mixed(kind), 0, 1)));
    expect(new Set(found).size).toBe(KINDS.length);
  });
});

describe("any small run", () => {
  const SECOND = 1_000_000;
  const jobs = fc.array(
    fc
      .record({
        atUs: fc.integer({ min: 0, max: 60 * SECOND }),
        pool: fc.constantFrom("a", "b", "c"),
        priority: fc.constantFrom("very-high", "normal", "low"),
        maps: fc.integer({ min: 1, max: 12 }),
        mapUs: fc.integer({ min: 1, max: 20 * SECOND }),
        reduces: fc.constantFrom(0, 0, 1, 3),
        copyUs: fc.integer({ min: 0, max: 20 * SECOND }),
        reduceUs: fc.integer({ min: 1, max: 10 * SECOND }),
        file: fc.constantFrom("", "shared"),
        count: fc.integer({ min: 1, max: 3 }),
        everyUs: fc.integer({ min: 0, max: 5 * SECOND }),
        thinkUs: fc.constantFrom(undefined, undefined, 0, 3 * SECOND),
        gaps: fc.constantFrom(undefined, "exponential" as const),
      })
      .map((changes) => jobOf(changes)),
    { minLength: 1, maxLength: 5 },
  );
  const group = fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    mapSlots: fc.integer({ min: 1, max: 3 }),
    reduceSlots: fc.integer({ min: 1, max: 2 }),
    speed: fc.constantFrom(0.5, 1, 2),
  });
  const runs = fc
    .record({
      groups: fc.array(fc.array(group, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 4 }),
      heartbeatUs: fc.integer({ min: 100_000, max: 5 * SECOND }),
      kind: fc.constantFrom(...KINDS),
      tasksPerHeartbeat: fc.constantFrom(1, 2, Infinity),
      seed: fc.string({ maxLength: 3 }),
      jobs,
      jobSetupUs: fc.constantFrom(0, 1, 2 * SECOND),
    })
    .map(({ groups, heartbeatUs, kind, tasksPerHeartbeat, seed, jobs: list, jobSetupUs }) =>
      smallRun({
        cluster: clusterOf({ groups, heartbeatUs }),
        scheduler: schedulerOf(kind, { tasksPerHeartbeat }),
        jobs: list,
        seed,
        runtime: { jobSetupUs },
      }),
    );
  const slices = fc.integer({ min: 1, max: 16 });

  it("never depends on its slices", async () => {
    await fc.assert(
      fc.asyncProperty(runs, slices, async (run, count) => {
        expect(await fingerprintOf(run, 0, count)).toBe(await fingerprintOf(run, 0, 1));
      }),
      { numRuns: 60 },
    );
  });

  it("never depends on its threads", async () => {
    await fc.assert(
      fc.asyncProperty(runs, slices, fc.integer({ min: 1, max: 4 }), async (run, count, threads) => {
        expect(await fingerprintOf(run, threads, count)).toBe(await fingerprintOf(run, 0, 1));
      }),
      { numRuns: 8 },
    );
  });
});
