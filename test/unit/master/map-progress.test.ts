import { describe, expect, it } from "vitest";
import { DrivenMaster } from "../../support/driven-master.js";
import { clusterOf, jobOf, schedulerOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

/** Two racks of one node; node 0 has 16 map slots, node 1 two reduce slots. The job's maps all run at once. */
function detailed(model: "light" | "detailed"): DrivenMaster {
  const groups = [
    [{ count: 1, mapSlots: 16, reduceSlots: 0, speed: 1 }],
    [{ count: 1, mapSlots: 0, reduceSlots: 2, speed: 1 }],
  ];
  const run = new DrivenMaster({
    cluster: clusterOf({ groups }),
    jobs: [jobOf({ maps: 16, reduces: 2 })],
    scheduler: schedulerOf("fifo"),
    faults: { reduceFailure: 0.1 },
    runtime: { model, setupTasks: true, jobSetupUs: 0, jobCleanupUs: 0, slowStart: 0.01 },
  });
  run.beat(0, 3);
  return run;
}

/** So many maps finish, and node 1 beats: what it is told. */
function finish(run: DrivenMaster, from: number, to: number, atS: number): unknown[][] {
  run.beat(0, atS, () => {
    for (let index = from; index < to; index++) run.master.reports.finished(0, run.slot(0, index), (atS - 1) * SECOND);
  });
  return run.beat(1, atS + 1);
}

const availableOf = (told: unknown[][]): unknown[][] =>
  told.map(([name, , , slot, available]) => [name, slot, available]);

describe("running reduces", () => {
  it("hear of maps when another eighth of them has finished since they heard last, and of the last one", () => {
    const run = detailed("detailed");
    const [first, second] = [run.slot(1, 0), run.slot(1, 1)];
    // Launched with 1 of 16 done.
    expect(finish(run, 0, 1, 10).map((call) => [call[0], (call[8] as { available: number }).available])).toEqual([
      ["launchReduce", 62_500],
      ["launchReduce", 62_500],
    ]);
    expect(finish(run, 1, 2, 20)).toEqual([]);
    expect(availableOf(finish(run, 2, 3, 30)).sort()).toEqual([
      ["mapsAdvanced", first, 187_500],
      ["mapsAdvanced", second, 187_500],
    ]);
    expect(finish(run, 3, 4, 40)).toEqual([]);
    expect(availableOf(finish(run, 4, 9, 50)).map(([, , available]) => available)).toEqual([562_500, 562_500]);
    expect(finish(run, 9, 16, 60).map(([name]) => name)).toEqual(["mapsFinished", "mapsFinished"]);
    expect(run.beat(1, 64)).toEqual([]);
  });

  it("that are killed hear of nothing", () => {
    const run = detailed("detailed");
    finish(run, 0, 1, 10);
    run.beat(0, 20, () => {
      for (const index of [1, 2]) run.master.reports.finished(0, run.slot(0, index), 19 * SECOND);
    });
    const told = run.beat(1, 21, () => {
      run.master.reports.failed(1, run.slot(1, 0), 20 * SECOND);
    });
    expect(told.filter(([name]) => name === "mapsAdvanced").map(([, , , slot]) => slot)).toEqual([run.slot(1, 1)]);
  });

  it("hear of the last map only where attempts take their times without fetching", () => {
    const run = detailed("light");
    finish(run, 0, 1, 10);
    expect(finish(run, 1, 15, 20)).toEqual([]);
    expect(finish(run, 15, 16, 30).map(([name]) => name)).toEqual(["mapsFinished", "mapsFinished"]);
  });
});
