import type { SpeculationSpec } from "../../../dist/core/scenario/index.js";
import { describe, expect, it } from "vitest";
import { MAP, REDUCE, ProgressRates } from "../../../dist/core/platforms/hadoop/index.js";
import { DrivenMaster } from "../../support/driven-master.js";
import { clusterOf, jobOf, schedulerOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const RULE = {
  rule: "hadoop" as const,
  minAgeUs: 60 * SECOND,
  progressGap: 0.2,
  slowerBy: 1,
  maxShareOfSlots: 1,
  checkEveryUs: 10 * SECOND,
};

/** So many nodes of one map slot and one reduce slot, each in its rack; checks every 10 s. */
function driven(nodes: number, rule: Partial<SpeculationSpec>, jobs: object[], runtime: object = {}): DrivenMaster {
  return new DrivenMaster({
    cluster: clusterOf({ racks: nodes, nodesPerRack: 1, mapSlots: 1, reduceSlots: 1 }),
    jobs: jobs.map((job) => jobOf(job)),
    scheduler: schedulerOf("fifo"),
    faults: { mapFailure: 0.5 },
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, slowStart: 0, speculation: { ...RULE, ...rule }, ...runtime },
  });
}

const namesOf = (told: unknown[][]): unknown[] => told.map(([name]) => name);

/** Launches a map of the job on each of the first nodes, at 3 s, 4 s, ... */
function launchOn(run: DrivenMaster, nodes: number): void {
  for (let node = 0; node < nodes; node++) expect(namesOf(run.beat(node, 3 + node))[0]).toBe("launchMap");
}

function report(run: DrivenMaster, progress: readonly number[]): void {
  progress.forEach((share, node) => run.master.parts.speculation?.progressed(run.slot(node), share * 1e6));
}

const pendingOf = (run: DrivenMaster): number => run.master.jobs.pending[MAP][0];
const runningOf = (run: DrivenMaster): number => run.master.jobs.running[MAP][0];

describe("Hadoop's rule", () => {
  it("wants a copy of a task that is the gap below the mean of all the job's tasks, done and pending ones included", () => {
    const run = driven(4, { rule: "hadoop" }, [{ maps: 4 }]);
    launchOn(run, 3);
    // (0.9 + 0.7 + 0.2 + 0) / 4 = 0.45: the third is 0.25 behind it.
    report(run, [0.9, 0.7, 0.2]);
    run.runUntil(69);
    expect(pendingOf(run)).toBe(1);
    run.runUntil(70);
    expect(pendingOf(run)).toBe(2);
    // Once is enough.
    run.runUntil(90);
    expect(pendingOf(run)).toBe(2);
  });
});

describe("LATE", () => {
  it("takes the mean and the standard deviation of the rates of running and of finished tasks", () => {
    const rates = new ProgressRates();
    rates.add(7, MAP, 4);
    rates.add(7, REDUCE, 100);
    // Mean 2 of 4, 1, 1; deviations 2, -1, -1: the root of 2.
    expect(rates.slowest(7, MAP, [1, 1], 1)).toBeCloseTo(2 - Math.SQRT2, 12);
    expect(rates.slowest(7, MAP, [1, 1], 0)).toBe(2);
    rates.forget(7);
    expect(rates.slowest(7, MAP, [1, 1], 1)).toBe(1);
  });

  it("wants copies of the slowest, longest time left first, and no more at once than their share of the slots", () => {
    // 12 slots: a copy at a time.
    const run = driven(6, { rule: "late", maxShareOfSlots: 0.1 }, [{ maps: 5 }]);
    launchOn(run, 5);
    report(run, [0.9, 0.9, 0.9, 0.02, 0.01]);
    run.runUntil(70);
    expect(pendingOf(run)).toBe(1);
    expect(run.master.parts.speculation?.seconds.firstFor(0, MAP, 0)).toBe(run.slot(4));
    run.runUntil(200);
    expect(pendingOf(run)).toBe(1);
    run.beat(5, 201);
    expect([pendingOf(run), runningOf(run)]).toEqual([0, 6]);
    run.runUntil(210);
    expect(pendingOf(run)).toBe(0);
  });
});

describe("a copy", () => {
  /** Map 2 on node 2 lags; its copy is wanted. */
  function lagging(runtime: object = {}, jobs: object[] = [{ maps: 3 }]): DrivenMaster {
    const run = driven(5, { rule: "hadoop" }, jobs, runtime);
    launchOn(run, 3);
    report(run, [1, 1, 0.1]);
    run.runUntil(70);
    expect([pendingOf(run), runningOf(run)]).toEqual([1, 3]);
    return run;
  }

  it("is wanted no more when the attempt succeeds before it starts", () => {
    const run = lagging();
    const { reports } = run.master;
    run.beat(2, 75, () => reports.finished(2, run.slot(2), 74 * SECOND));
    expect([pendingOf(run), runningOf(run)]).toEqual([0, 2]);
    expect(run.beat(3, 76)).toEqual([]);
  });

  it("runs on when the other fails, and the other way round: the task waits again when neither is left", () => {
    const run = lagging();
    const { reports } = run.master;
    run.beat(3, 72);
    run.beat(2, 75, () => reports.cutOff("failed", 2, run.slot(2), 74 * SECOND));
    expect([pendingOf(run), runningOf(run)]).toEqual([0, 3]);
    run.beat(3, 77, () => reports.cutOff("failed", 3, run.slot(3), 76 * SECOND));
    expect([pendingOf(run), runningOf(run)]).toEqual([1, 2]);
    expect(run.beat(3, 80)).toEqual([]);
    expect(namesOf(run.beat(4, 81))).toEqual(["launchMap"]);
    run.beat(4, 90, () => reports.finished(4, run.slot(4), 89 * SECOND));
    expect(run.rows().map(([, task, attempt, , outcome]) => [task, attempt, outcome])).toEqual([
      [2, 0, 2],
      [2, 1, 2],
      [2, 2, 0],
    ]);
  });

  it("that is left over when its job ends is orphaned", () => {
    const run = lagging({}, [{ maps: 3 }, { maps: 1, atUs: 100 * SECOND }]);
    const { reports, recorder, jobs } = run.master;
    run.beat(3, 72);
    for (const node of [0, 1, 2]) {
      run.beat(node, 80 + node, () => reports.finished(node, run.slot(node), (79 + node) * SECOND));
    }
    expect([jobs.size, recorder.jobsEnded]).toEqual([0, 1]);
    expect(namesOf(run.beat(3, 84))).toEqual(["kill"]);
    // The next job has got the handle.
    run.beat(0, 101);
    run.beat(3, 102, () => reports.cutOff("killed", 3, run.slot(3), 84 * SECOND));
    expect([pendingOf(run), runningOf(run), recorder.redundantUs]).toEqual([0, 1, 12 * SECOND]);
  });
});
