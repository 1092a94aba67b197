import type { InlineJobSpec } from "../../../dist/core/scenario/index.js";
import { beforeEach, describe, expect, it } from "vitest";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import {
  JobTable,
  MAP,
  REDUCE,
  Attempts,
  KILL_ORDERED,
  FreeSlots,
  PendingReplies,
  Commits,
  hasOutputToCommit,
  Recorder,
} from "../../../dist/core/platforms/hadoop/index.js";
import { simulateActually } from "../../support/actual-simulation.js";
import { simulateNaively } from "../../support/naive-simulation.js";
import { recordingSink } from "../../support/recording-sink.js";
import { firstDifference } from "../../support/run-records.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const COMMIT = { pollUs: SECOND, commitUs: SECOND };

/** Of one node that beats at 0, 3, 6, .. seconds. */
async function timeline(
  slots: { mapSlots: number; reduceSlots: number },
  jobs: InlineJobSpec[],
  scheduler = "fifo",
): Promise<string[]> {
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ groups: [[{ count: 1, ...slots, speed: 1 }]], heartbeatUs: 3 * SECOND }),
    scheduler: schedulerOf(scheduler),
    jobs,
    runtime: {
      jobSetupUs: 0,
      jobCleanupUs: 0,
      slowStart: 1,
      commit: COMMIT,
      localityFactor: { node: 1, rack: 1, row: 1, any: 1 },
    },
    run: { untilUs: 60 * SECOND },
  });
  const run = await simulateActually({ scenario, workload, slices: 3 });
  expect(firstDifference(simulateNaively(scenario, workload), run)).toBe(null);
  return run.records.map(({ atUs, what, type, job, task }) => `${atUs / SECOND} ${what} ${type} ${task} of ${job}`);
}

describe("COMMIT_PENDING", () => {
  it("frees the slot a beat before the job stops counting, and the next in the slot waits for the commit", async () => {
    const jobs = [jobOf({ maps: 1, mapUs: 2 * SECOND }), jobOf({ name: "second", maps: 1, mapUs: 4 * SECOND })];
    // The first ends at 2 s, asks at 3 s, and has committed at 5 s; the second runs from then to 9 s, and commits until
    // 11 s.
    expect(await timeline({ mapSlots: 1, reduceSlots: 0 }, jobs)).toEqual([
      "0 launch map 0 of 0",
      "3 launch map 0 of 1",
      "6 finish map 0 of 0",
      "12 finish map 0 of 1",
    ]);
  });

  it("is nothing to maps that feed reduces, but holds back the reduces", async () => {
    const feeding = jobOf({ maps: 1, mapUs: 2 * SECOND, reduces: 1, copyUs: SECOND, reduceUs: SECOND });
    const next = jobOf({ name: "second", maps: 0, reduces: 1, copyUs: SECOND, reduceUs: SECOND });
    // The reduce of job 1 runs from 0 to 2 s, asks at 3 s, and commits until 5 s.
    expect(await timeline({ mapSlots: 1, reduceSlots: 1 }, [feeding, next])).toEqual([
      ...["0 launch map 0 of 0", "0 launch reduce 0 of 1"],
      "3 finish map 0 of 0",
      // The slot is free at 3 s.
      "3 launch reduce 0 of 0",
      "6 finish reduce 0 of 1",
      // From 5 to 7 s; asked at 9 s, committed at 11 s.
      "12 finish reduce 0 of 0",
    ]);
  });

  it("lets the slot go to another job than the one whose attempt leaves it", async () => {
    const long = (name: string, maps: number, mapUs: number): InlineJobSpec => jobOf({ name, maps, mapUs });
    const jobs = [long("steady", 5, 50 * SECOND), long("brisk", 5, 2 * SECOND)];
    const records = await timeline({ mapSlots: 2, reduceSlots: 0 }, jobs, "fair");
    expect(records.slice(0, 4)).toEqual([
      ...["0 launch map 0 of 0", "0 launch map 0 of 1"],
      // Both jobs count one: the older is first, and has two slots now.
      "3 launch map 1 of 0",
      "6 finish map 0 of 1",
    ]);
  });
});

describe("the answer to who asks leave to commit", () => {
  const topology = buildTopology(clusterOf({ racks: 1, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1 }));
  const SLOTS = 6;
  let jobs: JobTable;
  let slots: FreeSlots;
  let attempts: Attempts;
  let killOrders: PendingReplies;
  let commits: Commits;
  let told: readonly (readonly unknown[])[];

  beforeEach(() => {
    const { scenario, workload } = smallRun({
      jobs: [jobOf({ maps: 4, reduces: 1 }), jobOf({ maps: 4 })],
      runtime: { commit: COMMIT },
    });
    jobs = new JobTable();
    for (const [id, reduces] of [1, 0].entries()) {
      const counts = { maps: 4, reduces, slowStartMaps: 0, firstBlock: -1 };
      jobs.enter({ id, pool: 0, user: 0, priority: 2, startUs: 0, ...counts });
    }
    slots = new FreeSlots(topology);
    attempts = new Attempts(topology);
    attempts.jobAdded(0);
    attempts.jobAdded(1);
    killOrders = new PendingReplies(topology.nodes);
    const sink = recordingSink();
    told = sink.told;
    const recorder = new Recorder(workload, topology, false);
    commits = new Commits({ scenario, commandsOf: () => sink.sink, jobs, slots, attempts, recorder, killOrders });
  });

  function launched(node: number, job: number, task: number): number {
    const slot = slots.take(node, MAP);
    attempts.begin(slot, job, jobs.id[job]!, task, 0, 0, SECOND);
    return slot;
  }

  it("is leave, with the id that the attempt has from now on; the slot is free", () => {
    const slot = launched(1, 1, 3);
    commits.asked(1, slot, 9 * SECOND);
    expect(told).toEqual([["commit", 1, 9 * SECOND, slot + SLOTS]]);
    expect([slots.isHeldOn(1, slot), attempts.isAwaitingCommit(slot + SLOTS), attempts.awaitingCommit]).toEqual([
      false,
      true,
      1,
    ]);
    const attempt = slot + SLOTS;
    expect([
      attempts.jobOf(attempt),
      attempts.taskOf(attempt),
      attempts.launchUsOf(attempt),
      attempts.node[attempt],
    ]).toEqual([...[1, 3, SECOND, 1]]);
    expect([commits.ended(1, attempt), attempts.awaitingCommit]).toEqual([MAP, 0]);
  });

  it("is death for the second attempt of a task, until the first has ended", () => {
    const [first, second] = [launched(0, 1, 3), launched(1, 1, 3)];
    commits.asked(0, first, 9 * SECOND);
    commits.asked(1, second, 10 * SECOND);
    expect(told.length).toBe(1);
    expect([attempts.killStateOf(second + SLOTS), killOrders.take(1)]).toEqual([KILL_ORDERED, [second + SLOTS]]);
    commits.ended(1, second + SLOTS);
    commits.asked(1, launched(1, 1, 3), 11 * SECOND);
    expect(told.length).toBe(1);
    commits.ended(0, first + SLOTS);
    commits.asked(0, launched(0, 1, 3), 12 * SECOND);
    expect(told.length).toBe(2);
  });

  it("is death for who was to be killed anyway, by its new id", () => {
    const slot = launched(0, 1, 0);
    attempts.setKillState(slot, KILL_ORDERED);
    killOrders.add(0, slot);
    commits.asked(0, slot, 9 * SECOND);
    expect([told, killOrders.take(0)]).toEqual([[], [slot + SLOTS]]);
  });

  it("is given to those alone that have something to commit", () => {
    expect([hasOutputToCommit(jobs, 0, MAP), hasOutputToCommit(jobs, 1, MAP)]).toEqual([false, true]);
    expect([hasOutputToCommit(jobs, 0, REDUCE), hasOutputToCommit(jobs, 1, REDUCE)]).toEqual([true, true]);
  });
});
