import type { RulesName } from "../../../dist/core/scenario/index.js";
import { describe, expect, it } from "vitest";
import { MAP, REDUCE } from "../../../dist/core/platforms/hadoop/index.js";
import { DrivenMaster } from "../../support/driven-master.js";
import { clusterOf, jobOf, schedulerOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

/** Racks of one node each with so many map slots and one reduce slot; fifo, no waits. */
function masterOf(nodes: number, mapSlots: number, jobs: object[], runtime: object = {}, rules: RulesName = "1.2") {
  const driven = new DrivenMaster({
    cluster: clusterOf({ racks: nodes, nodesPerRack: 1, mapSlots, reduceSlots: 1 }),
    jobs: jobs.map((job) => jobOf(job)),
    scheduler: schedulerOf("fifo", { rules }),
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, slowStart: 0, ...runtime },
    faults: { mapFailure: 0.5, reduceFailure: 0.5 },
  });
  const { master } = driven;
  const beat = driven.beat.bind(driven);
  return { driven, master, beat, reports: master.reports, jobs: master.jobs, recorder: master.recorder };
}

/** Slot `index` of the node. */
const slotOn = ({ driven }: ReturnType<typeof masterOf>, node: number, index = 0): number => driven.slot(node, index);

const rows = ({ driven }: ReturnType<typeof masterOf>): number[][] => driven.rows();

describe("a failed attempt", () => {
  it("that is the last one too many ends its job: what it runs is killed, what waits is forgotten", () => {
    const run = masterOf(
      3,
      2,
      [
        { maps: 9, reduces: 1 },
        { maps: 1, atUs: SECOND },
      ],
      {
        attempts: {
          maxPerTask: 2,
          maxFailuresPerNode: 4,
          trackerExpiryUs: 1e9,
          mapMemoryBytes: 0,
          reduceMemoryBytes: 0,
        },
      },
      "paper",
    );
    run.beat(0, 3);
    run.beat(1, 4, () => {});
    run.beat(0, 6, () => run.reports.cutOff("failed", 0, slotOn(run, 0), 5 * SECOND));
    // The failed map 0 goes to node 2; its second failure is one too many.
    run.beat(2, 6.5);
    expect(run.jobs.running[MAP][0]).toBe(6);
    run.beat(2, 9.5, () => run.reports.cutOff("failed", 2, slotOn(run, 2), 9 * SECOND));
    expect([run.recorder.jobsFailed, run.recorder.jobsEnded, run.recorder.hasFailed[0], run.recorder.endUs[0]]).toEqual(
      [...[1, 1, 1, 9.5 * SECOND]],
    );
    // Its slots are free once the kills are reported; the other job has got the slot that was free at once.
    expect(run.jobs.size).toBe(1);
    const told = run.beat(0, 12);
    expect(told.map(([name, node, at, place]) => [name, node, at, place])).toEqual(
      [...[slotOn(run, 0, 0), slotOn(run, 0, 1), slotOn(run, 0, 2)].map((slot) => ["kill", 0, 12 * SECOND, slot])].sort(
        (a, b) => Number(a[3]) - Number(b[3]),
      ),
    );
    expect(run.master.isIdle()).toBe(false);
    run.beat(0, 15, () => {
      for (const index of [0, 1, 2]) run.reports.cutOff("killed", 0, slotOn(run, 0, index), 12 * SECOND);
    });
    expect([run.recorder.orphansKilled, run.recorder.kills, run.master.slots.free[MAP][0]]).toEqual([3, 0, 2]);
    // One that ends before it can be told to is let go, and nobody's success.
    run.beat(1, 16, () => run.reports.finished(1, slotOn(run, 1), 15 * SECOND));
    expect([run.recorder.orphansKilled, run.recorder.tasksEnded[MAP]]).toEqual([4, 0]);
  });

  it("counts neither for its task nor its node if its source went away", () => {
    const run = masterOf(1, 1, [{ maps: 1 }], {
      attempts: { maxPerTask: 1, maxFailuresPerNode: 1, trackerExpiryUs: 1e9, mapMemoryBytes: 0, reduceMemoryBytes: 0 },
    });
    run.beat(0, 3);
    expect(
      run.beat(0, 6, () => run.reports.cutOff("sourceLost", 0, slotOn(run, 0), 5 * SECOND)).map(([name]) => name),
    ).toEqual(["launchMap"]);
    expect([run.recorder.sourcesLost, run.recorder.failures, run.recorder.jobsFailed]).toEqual([1, 0, 0]);
  });

  it("of a reduce waits for a node where it has not failed, though others of the job have a free slot", () => {
    const run = masterOf(2, 1, [{ maps: 1, reduces: 1 }]);
    expect(run.beat(0, 3).map(([name]) => name)).toEqual(["launchMap", "launchReduce"]);
    const [map, reduce] = [slotOn(run, 0), slotOn(run, 0, 1)];
    expect(run.beat(0, 6, () => run.reports.cutOff("failed", 0, reduce, 5 * SECOND))).toEqual([]);
    expect(run.beat(0, 9, () => run.reports.finished(0, map, 8 * SECOND))).toEqual([]);
    expect([run.jobs.pending[REDUCE][0], run.jobs.running[REDUCE][0]]).toEqual([1, 0]);
    expect(run.beat(1, 10).map(([name]) => name)).toEqual(["launchReduce"]);
    run.beat(1, 13, () => run.reports.finished(1, slotOn(run, 1, 1), 12 * SECOND));
    expect(rows(run).filter(([type]) => type === REDUCE)).toEqual([
      [REDUCE, 0, 0, 0, 2],
      [REDUCE, 0, 1, 1, 0],
    ]);
  });

  it("that is one too many on its node keeps the job from it", () => {
    const rules = {
      maxPerTask: 9,
      maxFailuresPerNode: 2,
      trackerExpiryUs: 1e9,
      mapMemoryBytes: 0,
      reduceMemoryBytes: 0,
    };
    const run = masterOf(5, 1, [{ maps: 4 }], { attempts: rules });
    run.beat(0, 3);
    expect(run.beat(0, 6, () => run.reports.cutOff("failed", 0, slotOn(run, 0), 5 * SECOND)).length).toBe(1);
    expect(run.beat(0, 9, () => run.reports.cutOff("failed", 0, slotOn(run, 0), 8 * SECOND))).toEqual([]);
    expect(run.beat(0, 12)).toEqual([]);
    expect(run.beat(1, 12.5).length).toBe(1);
  });
});
