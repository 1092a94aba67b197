import type { CopyComputeSpec } from "../../../dist/core/scenario/index.js";
import { describe, expect, it } from "vitest";
import { REDUCE } from "../../../dist/core/platforms/hadoop/index.js";
import { DrivenMaster } from "../../support/driven-master.js";
import { clusterOf, jobOf, schedulerOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

/** One node with four reduce slots, and jobs of reduces alone. */
function oneNode(copyCompute: CopyComputeSpec, jobs: object[]): DrivenMaster {
  return new DrivenMaster({
    cluster: clusterOf({ racks: 1, nodesPerRack: 1, mapSlots: 1, reduceSlots: 4 }),
    jobs: jobs.map((job) => jobOf({ maps: 0, ...job })),
    scheduler: schedulerOf("fifo"),
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, slowStart: 0, copyCompute },
  });
}

const running = ({ master }: DrivenMaster): number[] => [...master.jobs.running[REDUCE]].slice(0, 2);

describe("reduces that copy", () => {
  it("are at most so many of one job on a node; others take the rest", () => {
    const driven = oneNode({ computing: 2, perJob: 1, order: "waiting" }, [{ reduces: 9 }, { reduces: 9 }]);
    driven.beat(0, 3);
    expect(running(driven)).toEqual([1, 1]);
    const { copying } = driven.master;
    // A parked one still counts, one that has passed the gate does not.
    driven.beat(0, 6, () => copying?.atGate(driven.slot(0, 1), false, 6 * SECOND));
    expect(running(driven)).toEqual([1, 1]);
    driven.beat(0, 9, () => copying?.atGate(driven.slot(0, 1), true, 9 * SECOND));
    expect(running(driven)).toEqual([2, 1]);
    driven.beat(0, 12, () => driven.master.reports.finished(0, driven.slot(0, 2), 11 * SECOND));
    expect(running(driven)).toEqual([2, 1]);
    expect(driven.master.jobs.done[REDUCE][1]).toBe(1);
  });

  it("are as many as there are slots where the limit is no less", () => {
    const driven = oneNode({ computing: 2, perJob: 4, order: "waiting" }, [{ reduces: 9 }, { reduces: 9 }]);
    driven.beat(0, 3);
    expect(running(driven)).toEqual([4, 0]);
  });

  it("are counted while they are parked: the most at once, and the mean", () => {
    const driven = oneNode({ computing: 1, perJob: 4, order: "waiting" }, [{ reduces: 4 }]);
    driven.beat(0, 3);
    const { copying, reports } = driven.master;
    driven.beat(0, 6, () => {
      copying?.atGate(driven.slot(0, 1), true, 6 * SECOND);
      copying?.atGate(driven.slot(0, 2), false, 6 * SECOND);
      copying?.atGate(driven.slot(0, 3), false, 6 * SECOND);
    });
    driven.beat(0, 12, () => copying?.atGate(driven.slot(0, 2), true, 12 * SECOND));
    driven.beat(0, 15, () => reports.killed(0, driven.slot(0, 3), 14 * SECOND));
    expect(copying?.parked.most).toBe(2);
    // Two from 6 to 12, one from there to 15.
    expect(copying?.parked.mean(30 * SECOND)).toBe((2 * 6 + 3) / 30);
  });
});
