import { describe, expect, it } from "vitest";
import { MAP, REDUCE } from "../../../dist/core/platforms/hadoop/index.js";
import { simulate } from "../../../dist/lab/index.js";
import { DrivenMaster } from "../../support/driven-master.js";
import { allocationsOf, clusterOf, jobOf, poolOf, schedulerOf, smallRun } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const GB = 1e9;
const RULES = { maxPerTask: 4, maxFailuresPerNode: 4, trackerExpiryUs: 1e9, mapMemoryBytes: 0, reduceMemoryBytes: 0 };

/** One node with so much of each. */
function oneNode(node: object, jobs: object[], attempts: object = {}): DrivenMaster {
  return new DrivenMaster({
    cluster: clusterOf({ racks: 1, nodesPerRack: 1, mapSlots: 4, reduceSlots: 2, node }),
    jobs: jobs.map((job) => jobOf(job)),
    scheduler: schedulerOf("fifo"),
    runtime: { jobSetupUs: 0, jobCleanupUs: 0, slowStart: 0, attempts: { ...RULES, ...attempts } },
  });
}

const namesOf = (told: unknown[][]): unknown[] => told.map(([name]) => name);

describe("memory", () => {
  it("is shared by all that runs on the node: maps and reduces, as much as each declares", () => {
    const declared = { mapMemoryBytes: 2 * GB, reduceMemoryBytes: 3 * GB };
    const driven = oneNode({ memoryBytes: 9 * GB }, [{ maps: 4, reduces: 2 }], declared);
    const { reports } = driven.master;
    // 8 GB; a reduce does not fit.
    expect(namesOf(driven.beat(0, 3))).toEqual(["launchMap", "launchMap", "launchMap", "launchMap"]);
    expect(driven.beat(0, 6, () => reports.finished(0, driven.slot(0), 5 * SECOND))).not.toEqual([]);
    expect(driven.master.jobs.running[REDUCE][0]).toBe(1);
    // 6 + 3 GB. Two more maps end, and make room for the other reduce, of 3 GB.
    expect(driven.beat(0, 9, () => reports.finished(0, driven.slot(0, 1), 8 * SECOND))).toEqual([]);
    expect(namesOf(driven.beat(0, 12, () => reports.finished(0, driven.slot(0, 2), 11 * SECOND)))).toEqual([
      "launchReduce",
    ]);
  });

  it("that a job declares itself counts for it in place of the scenario's", () => {
    const jobs = [{ maps: 9, mapMemoryBytes: 5 * GB }, { maps: 9 }];
    const driven = oneNode({ memoryBytes: 8 * GB }, jobs, { mapMemoryBytes: GB });
    // One of the first job's, then the other job's until the memory is full, which has slots left.
    expect(driven.beat(0, 3).length).toBe(4);
    expect(driven.master.jobs.running[MAP]).toSatisfy((running: Int32Array) => running[0] === 1 && running[1] === 3);
  });
});

describe("load", () => {
  it("at the limit closes all slots of the node, of both types, until less compute", () => {
    const driven = oneNode({ loadLimit: 2 }, [{ maps: 9, reduces: 2 }]);
    const { slots } = driven.master;
    expect(driven.beat(0, 3, () => slots.loaded(0, 2))).toEqual([]);
    expect([
      driven.master.wantedNodes(0, driven.master.wantedTypes()),
      slots.available(0, MAP),
      slots.free[MAP][0],
    ]).toEqual([0, 0, 4]);
    expect(driven.beat(0, 6, () => slots.loaded(0, 1)).length).toBe(6);
  });
});

describe("disk", () => {
  it("is full of what stalled jobs left, unless a limit lets few jobs run at once", async () => {
    const stalled = async (maxJobs: number | null): Promise<number> => {
      const pools = [poolOf("etl", { maxJobs })];
      const { scenario, workload } = smallRun({
        cluster: clusterOf({ racks: 1, nodesPerRack: 2, mapSlots: 2, reduceSlots: 2, node: { diskBytes: 4 * GB } }),
        jobs: [jobOf({ pool: "etl", maps: 6, mapUs: 5 * SECOND, reduces: 1, mapOutputBytes: GB, count: 4 })],
        scheduler: schedulerOf("hfs", { allocations: allocationsOf({ pools }) }),
        run: { untilUs: 3600 * SECOND },
      });
      const run = await simulate(scenario, workload, { threads: 0, slices: 1, recordTasks: false });
      return 4 - run.master.master.recorder.jobsEnded;
    };
    // The disks take 8 maps' output of the 24; each of the four jobs gets a share of it, and none its six maps.
    expect(await stalled(null)).toBe(4);
    expect(await stalled(1)).toBe(0);
  });
});
