import type { InlineJobSpec } from "../../../dist/core/scenario/index.js";
import { describe, expect, it } from "vitest";
import { simulateActually } from "../../support/actual-simulation.js";
import { simulateNaively } from "../../support/naive-simulation.js";
import { firstDifference } from "../../support/run-records.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

interface Case {
  readonly jobs: InlineJobSpec[];
  readonly mapSlots: number;
  readonly reduceSlots?: number;
  readonly speed?: number;
  readonly runtime?: object;
}

/** Of one node that beats at 0, 3, 6, .. seconds: what happened when, and when each job ended. */
async function timeline({ jobs, mapSlots, reduceSlots = 0, speed = 1, runtime = {} }: Case) {
  const { scenario, workload } = smallRun({
    cluster: clusterOf({ groups: [[{ count: 1, mapSlots, reduceSlots, speed }]], heartbeatUs: 3 * SECOND }),
    scheduler: schedulerOf("fifo"),
    jobs,
    runtime: {
      jobSetupUs: 2 * SECOND,
      jobCleanupUs: SECOND,
      setupTasks: true,
      localityFactor: { node: 1, rack: 1, row: 1, any: 1 },
      slowStart: 0,
      ...runtime,
    },
    run: { untilUs: 60 * SECOND },
  });
  const run = await simulateActually({ scenario, workload, slices: 3 });
  expect(firstDifference(simulateNaively(scenario, workload), run)).toBe(null);
  return {
    records: run.records.map(({ atUs, what, type, job }) => `${atUs / SECOND} ${what} ${type} ${job}`),
    ends: run.endUs.map((endUs) => endUs / SECOND),
  };
}

const short = (changes: Partial<InlineJobSpec> = {}): InlineJobSpec =>
  jobOf({ maps: 1, mapUs: 2 * SECOND, ...changes });

describe("set-up and clean-up as tasks", () => {
  it("hold a slot each, and their reports move the job on", async () => {
    const { records, ends } = await timeline({ jobs: [short()], mapSlots: 1 });
    expect(records).toEqual([
      "0 launch set-up 0",
      "3 finish set-up 0",
      "3 launch map 0",
      "6 finish map 0",
      "6 launch clean-up 0",
      "9 finish clean-up 0",
    ]);
    expect(ends).toEqual([9]);
  });

  it("are handed out one per heartbeat, which then hands out nothing else; clean-ups first, oldest jobs first", async () => {
    const jobs = [short(), short({ name: "second" }), short({ name: "third", atUs: 8 * SECOND })];
    const { records, ends } = await timeline({ jobs, mapSlots: 3 });
    expect(records).toEqual([
      "0 launch set-up 0",
      // Two free slots are left, but the map of job 0 gets none: this heartbeat brought a set-up task.
      ...["3 finish set-up 0", "3 launch set-up 1"],
      ...["6 finish set-up 1", "6 launch map 0", "6 launch map 1"],
      ...["9 finish map 0", "9 finish map 1", "9 launch clean-up 0"],
      ...["12 finish clean-up 0", "12 launch clean-up 1"],
      ...["15 finish clean-up 1", "15 launch set-up 2"],
      ...["18 finish set-up 2", "18 launch map 2"],
      ...["21 finish map 2", "21 launch clean-up 2"],
      "24 finish clean-up 2",
    ]);
    expect(ends).toEqual([12, 15, 24]);
  });

  it("take a reduce slot where no map slot is free, and wait where none is", async () => {
    const long = short({ mapUs: 20 * SECOND });
    const { records: full } = await timeline({ jobs: [long, short({ atUs: 4 * SECOND })], mapSlots: 1 });
    // The map runs from 3 s to 23 s: both tasks wait for its slot, and the clean-up is the first.
    expect(full.slice(2, 8)).toEqual([
      "3 launch map 0",
      ...["24 finish map 0", "24 launch clean-up 0"],
      ...["27 finish clean-up 0", "27 launch set-up 1"],
      "30 finish set-up 1",
    ]);
    const { records: besides } = await timeline({
      jobs: [long, short({ atUs: 4 * SECOND })],
      mapSlots: 1,
      reduceSlots: 1,
    });
    expect(besides.slice(2, 5)).toEqual(["3 launch map 0", "6 launch set-up 1", "9 finish set-up 1"]);
  });

  it("run at the speed of their node", async () => {
    const { ends } = await timeline({ jobs: [short()], mapSlots: 1, speed: 0.25 });
    // Set-up 0 to 8 s, map 9 to 17 s, clean-up 18 to 22 s.
    expect(ends).toEqual([24]);
  });

  it("are left out where they take no time", async () => {
    const { records, ends } = await timeline({
      jobs: [short()],
      mapSlots: 1,
      runtime: { jobSetupUs: 0, jobCleanupUs: 0 },
    });
    expect(records).toEqual(["0 launch map 0", "3 finish map 0"]);
    expect(ends).toEqual([3]);
  });
});
