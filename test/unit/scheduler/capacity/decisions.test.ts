import { describe, expect, it } from "vitest";
import type { CapacityQueueSpec, CapacitySpec } from "../../../../dist/core/scenario/index.js";
import { simulateActually } from "../../../support/actual-simulation.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../../../support/small-scenarios.mjs";
import { USUAL_QUEUE } from "../../../support/usual-settings.js";

const SECOND = 1_000_000;
type Job = Parameters<typeof jobOf>[0];

const queue = (name: string, capacityPercent: number, more: Partial<CapacityQueueSpec> = {}): CapacityQueueSpec => ({
  ...USUAL_QUEUE,
  name,
  capacityPercent,
  ...more,
});

/**
 * Who launched what when: `5 clicks` for a map of the job `clicks` at 5 s. Ten nodes, each with a map slot, beat one
 * second apart, ten seconds between two heartbeats of a node; nothing takes time but tasks.
 */
async function launches(
  queues: readonly CapacityQueueSpec[],
  jobs: readonly Job[],
  changes: { readonly capacity?: Partial<CapacitySpec>; readonly runtime?: object; readonly untilS?: number } = {},
): Promise<string[]> {
  const { capacity = {}, runtime = {}, untilS = 500 } = changes;
  const plain = schedulerOf("capacity");
  const run = smallRun({
    cluster: clusterOf({ racks: 1, nodesPerRack: 10, mapSlots: 1, reduceSlots: 0, heartbeatUs: 10 * SECOND }),
    scheduler: { ...plain, capacity: { ...plain.capacity!, ...capacity, queues } },
    jobs: jobs.map(jobOf),
    run: { untilUs: untilS * SECOND },
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, localityFactor: { node: 1, rack: 1, row: 1, any: 1 }, ...runtime },
  });
  const { records } = await simulateActually({ ...run, slices: 1 });
  const names = run.workload.jobs.map(({ name }) => name);
  return records
    .filter(({ what, type }) => what === "launch" && type === "map")
    .map(({ atUs, job }) => `${String(atUs / SECOND)} ${names[job]}`);
}

const LONG = 1000 * SECOND;
const job = (name: string, pool: string, more: Job = {}): Job => ({
  name,
  pool,
  user: name,
  maps: 20,
  mapUs: LONG,
  ...more,
});
const some = (from: number, to: number, name: string): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `${String(from + i)} ${name}`);

describe("between queues", () => {
  it("the least used part of its capacity comes first, and names break ties", async () => {
    const queues = [queue("b", 60), queue("a", 40)];
    // a 0/4, b 0/6 | a 1/4, b 0/6 | a 1/4, b 1/6 | a 1/4, b 2/6 | a 2/4, b 2/6 | 2/4, 3/6: a | 3/4, 3/6 | 3/4, 4/6 |
    // 3/4, 5/6 | 4/4, 5/6
    const expected = "a b b a b a b b a b".split(" ").map((name, i) => `${String(i)} ${name}`);
    expect(await launches(queues, [job("a", "a"), job("b", "b")])).toEqual(expected);
  });

  it("what one leaves another may have, as far as its users may", async () => {
    const jobs = [job("x", "a")];
    expect(await launches([queue("a", 30), queue("b", 70)], jobs)).toEqual(some(0, 2, "x"));
    expect(await launches([queue("a", 30, { userLimitFactor: 2 }), queue("b", 70)], jobs)).toEqual(some(0, 5, "x"));
    expect(await launches([queue("a", 30, { userLimitFactor: 10 }), queue("b", 70)], jobs)).toEqual(some(0, 9, "x"));
  });

  it("never beyond the maximum", async () => {
    const queues = [queue("a", 30, { userLimitFactor: 10, maximumCapacityPercent: 75 }), queue("b", 70)];
    expect(await launches(queues, [job("x", "a"), job("y", "a")])).toEqual(some(0, 6, "x"));
  });

  it("what was lent comes back as tasks end", async () => {
    const queues = [queue("a", 50, { userLimitFactor: 10 }), queue("b", 50, { userLimitFactor: 10 })];
    const jobs = [
      job("x", "a", { maps: 40, mapUs: 20 * SECOND }),
      job("y", "b", { atUs: 11 * SECOND, maps: 40, mapUs: LONG }),
    ];
    const found = await launches(queues, jobs);
    expect(found.slice(0, 10)).toEqual(some(0, 9, "x"));
    // From 20 s on slots come free one a second: a 9/5 after the first, b 0/5.
    expect(found.slice(10, 20)).toEqual([...some(20, 24, "y"), ...some(25, 29, "x")]);
  });

  it("a queue of less than a slot comes after those below their capacity, and gets what is left", async () => {
    const queues = [queue("a", 95), queue("tiny", 5)];
    expect(await launches(queues, [job("x", "a"), job("t", "tiny")])).toEqual([...some(0, 8, "x"), "9 t"]);
  });
});

describe("as printed, running jobs over capacity", () => {
  const queues = [queue("a", 50, { userLimitFactor: 10 }), queue("b", 50, { userLimitFactor: 10 })];

  it("a queue with fewer jobs has every slot, whatever it holds", async () => {
    const jobs = [job("x", "a", { atUs: 0 }), job("y1", "b"), job("y2", "b")];
    expect(await launches(queues, jobs, { capacity: { rule: "asPrinted" } })).toEqual(some(0, 9, "x"));
  });

  it("where only jobs count that run a task, each queue gets its first, and then the one that has the name", async () => {
    const jobs = [job("x", "a"), job("y", "b")];
    const found = await launches(queues, jobs, { capacity: { rule: "asPrinted", runningJobs: "launched" } });
    // 0, 0: a | 1/5, 0: b | 1/5, 1/5: a, for ever.
    expect(found).toEqual(["0 x", "1 y", ...some(2, 9, "x")]);
  });
});

describe("inside a queue", () => {
  it("jobs go by submission, by priority only where it is supported", async () => {
    const jobs = [job("x", "a", { user: "u", maps: 5 }), job("y", "a", { user: "u", maps: 5, priority: "high" })];
    expect(await launches([queue("a", 100)], jobs)).toEqual([...some(0, 4, "x"), ...some(5, 9, "y")]);
    expect(await launches([queue("a", 100, { supportsPriority: true })], jobs)).toEqual([
      ...some(0, 4, "y"),
      ...some(5, 9, "x"),
    ]);
  });

  it("users share it alike as far as the minimum allows", async () => {
    const half = [queue("a", 100, { minimumUserLimitPercent: 50 })];
    // Three users, 50 % each: the first two have half each, and the third waits.
    const three = [job("x", "a"), job("y", "a"), job("z", "a")];
    expect(await launches(half, three)).toEqual([...some(0, 4, "x"), ...some(5, 9, "y")]);
    const third = [queue("a", 100, { minimumUserLimitPercent: 10 })];
    expect(await launches(third, three)).toEqual([...some(0, 3, "x"), ...some(4, 7, "y"), ...some(8, 9, "z")]);
  });

  it("only users with something to launch count, or all with a job", async () => {
    const queues = [queue("a", 100, { minimumUserLimitPercent: 10 })];
    // x has launched all it has: y is alone, or one of two.
    const jobs = [job("x", "a", { maps: 1 }), job("y", "a")];
    expect(await launches(queues, jobs)).toEqual(["0 x", ...some(1, 9, "y")]);
    expect(await launches(queues, jobs, { capacity: { countedUsers: "submitted" } })).toEqual([
      "0 x",
      ...some(1, 5, "y"),
    ]);
  });

  it("a soft limit gives way where nobody else can use the slot", async () => {
    const queues = [queue("a", 50), queue("b", 50)];
    expect(await launches(queues, [job("x", "a")])).toEqual(some(0, 4, "x"));
    expect(await launches(queues, [job("x", "a")], { capacity: { userLimits: "soft" } })).toEqual(some(0, 9, "x"));
    const shared = [queue("a", 100, { minimumUserLimitPercent: 50 })];
    const jobs = [job("x", "a"), job("y", "a", { maps: 2 })];
    const soft = await launches(shared, jobs, { capacity: { userLimits: "soft", countedUsers: "submitted" } });
    expect(soft).toEqual([...some(0, 4, "x"), ...some(5, 6, "y"), ...some(7, 9, "x")]);
  });
});

describe("jobs set up at once", () => {
  const one = [queue("a", 100, { maximumInitializedJobsPerUser: 1 })];
  const runtime = { jobSetupUs: 2 * SECOND };
  const jobs = [
    job("x", "a", { user: "u", maps: 2 }),
    job("y", "a", { user: "u", maps: 2 }),
    job("z", "a", { user: "w", maps: 1 }),
  ];

  it("are so many of a user, until one has launched something", async () => {
    // x and z are ready at 2 s; x launches then, so that y's set-up ends at 4 s.
    expect(await launches(one, jobs, { runtime })).toEqual(["2 x", "3 x", "4 y", "5 y", "6 z"]);
  });

  it("or until one has ended", async () => {
    const found = await launches(one, jobs, { runtime, untilS: 1500, capacity: { initializedJobs: "unfinished" } });
    expect(found.slice(0, 3)).toEqual(["2 x", "3 x", "4 z"]);
    // x ends with its second map, at 1003 s, which its node 3 reports then; y is ready at 1005 s.
    expect(found.slice(3)).toEqual(["1005 y", "1006 y"]);
  });
});

describe("jobs that name no queue of the list", () => {
  it("go to default, or nowhere", async () => {
    const jobs = [job("x", "nowhere", { maps: 1 }), job("y", "a", { maps: 1 })];
    const queues = [queue("a", 50), queue("default", 50)];
    expect(await launches(queues, jobs)).toEqual(["0 y", "1 x"]);
    expect(await launches(queues, jobs, { capacity: { undeclaredQueues: "refuse" } })).toEqual(["0 y"]);
    expect(await launches([queue("a", 100)], jobs)).toEqual(["0 y"]);
  });
});
