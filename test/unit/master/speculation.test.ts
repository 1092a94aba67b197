import type { SpeculationSpec } from "../../../dist/core/scenario/index.js";
import { describe, expect, it } from "vitest";
import {
  MAP,
  REDUCE,
  MapsWithCopies,
  NODE_LOCAL,
  NO_INPUT,
  OFF_RACK,
  RACK_LOCAL,
  ProgressRates,
} from "../../../dist/core/platforms/hadoop/index.js";
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
  progress.forEach((share, node) => run.master.speculation?.progressed(run.slot(node), share * 1e6));
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

  it("wants none of one that is nearer to the mean, or too young", () => {
    const run = driven(4, { rule: "hadoop" }, [{ maps: 3 }]);
    launchOn(run, 3);
    // Mean 0.6; gaps 0.19 and 0.21, but the third is 55 s old at 60 s.
    report(run, [1, 0.41, 0.39]);
    run.runUntil(64);
    expect(pendingOf(run)).toBe(0);
    run.runUntil(70);
    expect(pendingOf(run)).toBe(1);
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
    expect(run.master.speculation?.seconds.firstFor(0, MAP, 0)).toBe(run.slot(4));
    run.runUntil(200);
    expect(pendingOf(run)).toBe(1);
    run.beat(5, 201);
    expect([pendingOf(run), runningOf(run)]).toEqual([0, 6]);
    run.runUntil(210);
    expect(pendingOf(run)).toBe(0);
  });

  it("sees that the last task is slow by those that are done", () => {
    const run = driven(3, { rule: "late" }, [{ maps: 3 }]);
    launchOn(run, 3);
    const { reports } = run.master;
    run.beat(0, 13, () => reports.finished(0, run.slot(0), 12 * SECOND));
    run.beat(1, 14, () => reports.finished(1, run.slot(1), 13 * SECOND));
    report(run, [0, 0, 0.1]);
    run.runUntil(70);
    expect(pendingOf(run)).toBe(1);
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

  it("starts elsewhere, as the next attempt; the first to succeed wins, and the other is killed and comes back to nothing", () => {
    const run = lagging();
    const { reports, recorder } = run.master;
    expect(run.beat(2, 71)).toEqual([]);
    const [told] = run.beat(3, 72);
    expect([told[0], told[3]]).toEqual(["launchMap", run.slot(3)]);
    expect([pendingOf(run), runningOf(run), recorder.copiesLaunched]).toEqual([0, 4, 1]);
    run.beat(3, 83, () => reports.finished(3, run.slot(3), 82 * SECOND));
    expect(run.rows()).toEqual([[MAP, 2, 1, 3, 0]]);
    expect(recorder.copiesWon).toBe(1);
    expect(namesOf(run.beat(2, 84))).toEqual(["kill"]);
    expect([pendingOf(run), runningOf(run)]).toEqual([0, 3]);
    run.beat(2, 87, () => reports.killed(2, run.slot(2), 84 * SECOND));
    expect([pendingOf(run), runningOf(run), run.master.jobs.done[MAP][0]]).toEqual([0, 2, 1]);
    expect([recorder.redundantUs, recorder.kills, recorder.orphansKilled]).toEqual([79 * SECOND, 0, 0]);
  });

  it("that is slower is killed; one that has finished all the same counts for nothing", () => {
    const run = lagging();
    const { reports, recorder } = run.master;
    run.beat(3, 72);
    run.beat(2, 75, () => reports.finished(2, run.slot(2), 74 * SECOND));
    run.beat(3, 76, () => reports.finished(3, run.slot(3), 75 * SECOND));
    expect(run.rows()).toEqual([
      [MAP, 2, 0, 2, 0],
      [MAP, 2, 1, 3, 1],
    ]);
    expect([recorder.copiesWon, recorder.tasksEnded[MAP], run.master.jobs.done[MAP][0]]).toEqual([0, 1, 1]);
  });

  it("is wanted no more when the attempt succeeds before it starts", () => {
    const run = lagging();
    const { reports } = run.master;
    run.beat(2, 75, () => reports.finished(2, run.slot(2), 74 * SECOND));
    expect([pendingOf(run), runningOf(run)]).toEqual([0, 2]);
    expect(run.beat(3, 76)).toEqual([]);
  });

  it("is a pending task again when the attempt fails before it starts", () => {
    const run = lagging();
    const { reports, recorder } = run.master;
    run.beat(2, 75, () => reports.failed(2, run.slot(2), 74 * SECOND));
    expect([pendingOf(run), runningOf(run)]).toEqual([1, 2]);
    run.beat(3, 76);
    expect([pendingOf(run), runningOf(run), recorder.copiesLaunched]).toEqual([0, 3, 0]);
  });

  it("runs on when the other fails, and the other way round: the task waits again when neither is left", () => {
    const run = lagging();
    const { reports } = run.master;
    run.beat(3, 72);
    run.beat(2, 75, () => reports.failed(2, run.slot(2), 74 * SECOND));
    expect([pendingOf(run), runningOf(run)]).toEqual([0, 3]);
    run.beat(3, 77, () => reports.failed(3, run.slot(3), 76 * SECOND));
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
    run.beat(3, 102, () => reports.killed(3, run.slot(3), 84 * SECOND));
    expect([pendingOf(run), runningOf(run), recorder.redundantUs]).toEqual([0, 1, 12 * SECOND]);
  });

  it("loses to the attempt that gets leave to commit", () => {
    const run = lagging({ commit: { pollUs: SECOND, commitUs: SECOND } });
    const { reports, attempts } = run.master;
    run.beat(3, 72);
    expect(namesOf(run.beat(3, 82, () => reports.commitPending(3, run.slot(3))))).toEqual(["commit"]);
    expect(namesOf(run.beat(2, 83))).toEqual(["kill"]);
    run.beat(3, 85, () => reports.finished(3, run.slot(3) + attempts.slots, 84 * SECOND));
    run.beat(2, 86, () => reports.killed(2, run.slot(2), 83 * SECOND));
    expect([pendingOf(run), runningOf(run), run.master.jobs.done[MAP][0]]).toEqual([0, 2, 1]);
    expect(run.rows().map(([, task, attempt, , outcome]) => [task, attempt, outcome])).toEqual([
      [2, 1, 0],
      [2, 0, 1],
    ]);
  });

  it("of a reduce goes after the reduces that wait, to a node where its task does not run", () => {
    const run = driven(3, { rule: "hadoop" }, [{ maps: 0, reduces: 2 }]);
    run.beat(0, 3);
    run.beat(1, 4);
    const { speculation, jobs } = run.master;
    speculation?.progressed(run.slot(0, 1), 1e6);
    speculation?.progressed(run.slot(1, 1), 0);
    run.runUntil(70);
    expect([jobs.pending[REDUCE][0], jobs.running[REDUCE][0]]).toEqual([1, 2]);
    expect(run.beat(1, 71)).toEqual([]);
    expect(namesOf(run.beat(2, 72))).toEqual(["launchReduce"]);
    expect([jobs.pending[REDUCE][0], jobs.running[REDUCE][0]]).toEqual([0, 3]);
  });
});

describe("maps with copies", () => {
  it("are offered last, and only to a job that may go anywhere", () => {
    let pending = -1;
    const maps = {
      launchesBringNear: false,
      level: RACK_LOCAL,
      isListedNear: true,
      pick: () => pending,
      hasPlaceless: () => false,
      mayHaveLocal: () => false,
      mayHaveLocalOf: () => false,
      localNodes: () => 0,
    };
    const source = new MapsWithCopies({ levelOn: () => NO_INPUT } as never, maps, { mapFor: () => 9 });
    expect([source.pick(0, 0, NODE_LOCAL), source.pick(0, 0, RACK_LOCAL)]).toEqual([-1, -1]);
    expect([source.pick(0, 0, OFF_RACK), source.level, source.isListedNear]).toEqual([9, NO_INPUT, false]);
    pending = 4;
    expect([source.pick(0, 0, OFF_RACK), source.level, source.isListedNear]).toEqual([4, RACK_LOCAL, true]);
  });
});
