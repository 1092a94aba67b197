import { describe, expect, it } from "vitest";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { Attempts, LongTaskBalance } from "../../../dist/core/platforms/hadoop/index.js";
import type { LongTaskBalanceSpec } from "../../../dist/core/scenario/index.js";
import { DrivenMaster } from "../../support/driven-master.js";
import { clusterOf, jobOf, schedulerOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const BALANCE: LongTaskBalanceSpec = { overUs: 20 * SECOND, overMean: 2, newJobs: "long", slack: 0 };

/** Nodes with so many map slots each, and what runs on them. */
function balanceOn(mapSlots: readonly number[], spec: Partial<LongTaskBalanceSpec> = {}) {
  const groups = [mapSlots.map((slots) => ({ count: 1, mapSlots: slots, reduceSlots: 0, speed: 1 }))];
  const topology = buildTopology(clusterOf({ groups }));
  const attempts = new Attempts(topology);
  const balance = new LongTaskBalance({ ...BALANCE, ...spec }, topology, attempts);
  for (const job of [0, 1]) balance.jobEntered(job);
  const launch = (job: number, node: number, index: number): void => {
    const slot = topology.slotStart[node] + index;
    attempts.begin(slot, job, job, 0, 0, 0, 0);
    balance.launched(job, slot, node);
  };
  const leave = (node: number, index: number): void => balance.left(topology.slotStart[node] + index, node);
  const taken = (job = 0): boolean[] => mapSlots.map((_, node) => balance.accepts(job, node));
  return { balance, launch, leave, taken };
}

describe("a node takes another long map", () => {
  it("as long as it runs no more of them than the average", () => {
    const { launch, leave, taken } = balanceOn([3, 3, 3]);
    expect(taken()).toEqual([true, true, true]);
    launch(0, 0, 0);
    // 1, 0, 0: a third on average.
    expect(taken()).toEqual([false, true, true]);
    launch(0, 1, 0);
    launch(0, 2, 0);
    expect(taken()).toEqual([true, true, true]);
    launch(0, 2, 1);
    launch(0, 2, 2);
    // 1, 1, 3.
    expect(taken()).toEqual([true, true, false]);
    leave(2, 2);
    leave(2, 1);
    expect(taken()).toEqual([true, true, true]);
  });

  it("by its share of the map slots, where nodes differ", () => {
    const { launch, taken } = balanceOn([1, 8]);
    launch(0, 1, 0);
    launch(0, 1, 1);
    // 0 of 1 and 2 of 8: more than 2 of 9.
    expect(taken()).toEqual([true, false]);
    launch(0, 0, 0);
    // 1 of 1 is more than 3 of 9, 2 of 8 is not.
    expect(taken()).toEqual([false, true]);
  });

  it("with some slack beyond the average", () => {
    const { launch, taken } = balanceOn([3, 3], { slack: 1 });
    launch(0, 0, 0);
    expect(taken()).toEqual([true, true]);
    launch(0, 0, 1);
    // 2 and 0: 1 on average.
    expect(taken()).toEqual([true, true]);
    launch(0, 0, 2);
    expect(taken()).toEqual([false, true]);
  });

  it("by the average of the nodes that live", () => {
    const { balance, launch, taken } = balanceOn([2, 2, 2, 2]);
    launch(0, 0, 0);
    launch(0, 1, 0);
    expect(taken()).toEqual([false, false, true, true]);
    balance.slotsChanged(4);
    expect(taken().slice(0, 2)).toEqual([true, true]);
  });
});

describe("jobs", () => {
  it("are long until a map has shown how short they are, and what they run is counted anew", () => {
    const { balance, launch, taken } = balanceOn([2, 2]);
    launch(0, 0, 0);
    launch(1, 0, 1);
    expect([taken(0), taken(1)]).toEqual([
      [false, true],
      [false, true],
    ]);
    balance.mapFinished(0, 5 * SECOND);
    // Job 0 may go anywhere; job 1 has its only map where no other long one is left.
    launch(0, 1, 0);
    expect([taken(0), taken(1)]).toEqual([
      [true, true],
      [false, true],
    ]);
    // 5 + 40 = 2 x 22.5 s: job 0 is long after all, with maps on both nodes: 2 and 1.
    balance.mapFinished(0, 40 * SECOND);
    expect(taken(0)).toEqual([false, true]);
  });

  it("are short until then if the scenario says so", () => {
    const { balance, launch, taken } = balanceOn([2, 2], { newJobs: "short" });
    launch(0, 0, 0);
    expect(taken()).toEqual([true, true]);
    balance.mapFinished(0, 21 * SECOND);
    expect(taken()).toEqual([false, true]);
  });

  it("are long above so many times the mean of all maps, and never by themselves alone", () => {
    const { balance, launch, taken } = balanceOn([2, 2], { overUs: null, overMean: 2 });
    launch(0, 0, 0);
    balance.mapFinished(0, 30 * SECOND);
    expect(taken()).toEqual([true, true]);
    // Mean (30 + 3 x 2) / 4 = 9 s.
    for (let i = 0; i < 3; i++) balance.mapFinished(1, 2 * SECOND);
    balance.mapFinished(0, 30 * SECOND);
    expect([taken(0), taken(1)]).toEqual([
      [false, true],
      [true, true],
    ]);
  });

  it("of a handle that another job had start from nothing", () => {
    const { balance, launch, taken } = balanceOn([2, 2]);
    balance.mapFinished(0, SECOND);
    balance.jobEntered(0);
    launch(0, 0, 0);
    expect(taken()).toEqual([false, true]);
  });
});

describe("the master", () => {
  const balanced = (maps: number, slack = 0): DrivenMaster =>
    new DrivenMaster({
      cluster: clusterOf({ racks: 1, nodesPerRack: 2, mapSlots: 2, reduceSlots: 0 }),
      jobs: [jobOf({ maps })],
      scheduler: schedulerOf("fifo", { longTasks: { ...BALANCE, slack } }),
      runtime: { jobSetupUs: 0, jobCleanupUs: 0 },
    });

  it("hands a new job one map here, two there, and fills up where there are fewer", () => {
    const driven = balanced(4);
    expect(driven.beat(0, 1).length).toBe(1);
    expect(driven.beat(1, 2).length).toBe(2);
    expect(driven.beat(0, 4).length).toBe(1);
  });

  it("forgets a map that has ended, and lets a job that was short go where it likes", () => {
    const driven = balanced(8);
    const { reports } = driven.master;
    expect(driven.beat(0, 1).length).toBe(1);
    expect(driven.beat(0, 4).length).toBe(0);
    expect(driven.beat(0, 7, () => reports.finished(0, driven.slot(0), 5 * SECOND)).length).toBe(2);
  });
});
