import { describe, expect, it } from "vitest";
import {
  blockedByLongTasksProbability,
  expectedPreferredFraction,
  headOfLineLocality,
  localLaunchProbabilityBound,
  nonLocalLaunchProbability,
  preferredFraction,
  stickySlotCurves,
  stickySlotLocalityBoundOfJobs,
} from "./closed-forms.js";
import {
  expectedJobLocality,
  localityWaitSeconds,
  localityWaitSecondsOnNodes,
  reassignSeconds,
  skipCountForLocality,
  skipCountForWait,
  slotsFreedPerSecond,
} from "../../dist/core/theory.js";

describe("the closed forms give the numbers the paper prints, or one gets by hand", () => {
  it("section 3.5: data on 10 % of the nodes", () => {
    const preferred = preferredFraction(62, 620);
    expect(preferred).toBe(0.1);
    expect(1 - nonLocalLaunchProbability(preferred, 10)).toBeCloseTo(0.6513, 4);
    expect(1 - nonLocalLaunchProbability(preferred, 40)).toBeCloseTo(0.9852, 4);
  });

  it("section 3.5: p_j of a job with K tasks left", () => {
    expect(expectedPreferredFraction({ tasksLeft: 10, nodes: 100, replication: 3 })).toBeCloseTo(1 - 0.729, 12);
    expect(expectedPreferredFraction({ tasksLeft: 50, nodes: 100, replication: 3 })).toBeCloseTo(0.875, 12);
    expect(expectedPreferredFraction({ tasksLeft: 0, nodes: 100, replication: 3 })).toBe(0);
    expect(expectedPreferredFraction({ tasksLeft: 400, nodes: 100, replication: 3 })).toBe(1);
  });

  it("section 3.5: 95 % locality for 20 tasks needs D of 0.23 M, a wait of 2.8 % of a task at 8 slots", () => {
    const skips = skipCountForLocality({ tasks: 20, nodes: 100, replication: 3 }, 0.95);
    expect(skips / 100).toBeCloseTo(0.231, 4);
    const wait = localityWaitSecondsOnNodes({ nodes: 100, slotsPerNode: 8, taskSeconds: 1 }, skips);
    expect(wait).toBeCloseTo(0.0289, 4);
    expect(localityWaitSeconds({ slots: 800, taskSeconds: 1 }, skips)).toBeCloseTo(wait, 12);
    expect(localityWaitSeconds({ slots: 800, taskSeconds: 1 }, 23)).toBeCloseTo(0.02875, 12);
  });

  it("section 4.1: 10 s at 27 slots/s are 270 opportunities, 73 % for one task, at least 90 % over ten", () => {
    const skips = skipCountForWait(10, 27);
    expect(skips).toBe(270);
    const cluster = { nodes: 620, replication: 3 };
    expect(localLaunchProbabilityBound({ tasksLeft: 1, ...cluster }, skips)).toBeCloseTo(0.729, 3);
    const ofTen = expectedJobLocality({ tasks: 10, ...cluster }, skips);
    expect(ofTen).toBeGreaterThan(0.9);
    expect(ofTen).toBeCloseTo(0.963, 3);
  });

  it("section 3.2: 3100 slots that free 27.1 per second give 271 slots in 10 s", () => {
    const cluster = { slots: 3100, taskSeconds: 3100 / 27.1 };
    expect(slotsFreedPerSecond(cluster)).toBeCloseTo(27.1, 10);
    expect(reassignSeconds(cluster, 271)).toBeCloseTo(10, 10);
  });

  it("section 3.5.1: long tasks in 80 % of the slots block a block under 2 % of the time", () => {
    const blocked = blockedByLongTasksProbability(0.8, { replication: 3, slotsPerNode: 6 });
    expect(blocked).toBeCloseTo(0.018, 4);
    expect(blocked).toBeLessThan(0.02);
  });

  it("section 3.3.1: head-of-line locality by job size on 100 nodes", () => {
    const locality = (tasks: number) => headOfLineLocality({ tasks, nodes: 100, replication: 3 });
    const bySize = [1, 2, 10, 50, 100, 200, 400, 800].map((tasks) => Number(locality(tasks).toFixed(2)));
    expect(bySize).toEqual([0.03, 0.04, 0.15, 0.54, 0.75, 0.88, 0.94, 0.97]);
  });
});

describe("Figure 3, from its formula", () => {
  const jobCounts = [2, 5, 10, 15, 20, 30, 40, 50];
  const byHand: [replication: number, slotsPerNode: number, bounds: number[]][] = [
    [3, 1, [0.875, 0.488, 0.271, 0.187, 0.143, 0.097, 0.073, 0.059]],
    [3, 2, [0.984, 0.738, 0.469, 0.339, 0.265, 0.184, 0.141, 0.114]],
    [3, 4, [1.0, 0.931, 0.718, 0.563, 0.46, 0.334, 0.262, 0.215]],
    [3, 6, [1.0, 0.982, 0.85, 0.711, 0.603, 0.457, 0.366, 0.305]],
    [3, 8, [1.0, 0.995, 0.92, 0.809, 0.708, 0.557, 0.455, 0.384]],
  ];

  it("agrees with the table to its three digits", () => {
    const blocks = byHand.map(([replication, slotsPerNode]) => ({ replication, slotsPerNode }));
    const curves = stickySlotCurves(blocks, jobCounts);
    curves.forEach((curve, row) => {
      expect(curve.block).toEqual(blocks[row]);
      curve.bounds.forEach((bound, column) => {
        expect(Math.abs(bound - byHand[row][2][column])).toBeLessThanOrEqual(0.0005 + 1e-9);
      });
    });
  });

  it("stays under 80 % at 15 jobs and 50 % at 30, as the text says, with 18 slots beside a block but not with 24", () => {
    const bound = (jobs: number, slotsPerNode: number) =>
      stickySlotLocalityBoundOfJobs(jobs, { replication: 3, slotsPerNode });
    expect(bound(15, 6)).toBeLessThan(0.8);
    expect(bound(30, 6)).toBeLessThan(0.5);
    expect(bound(15, 8)).toBeGreaterThan(0.8);
    expect(bound(30, 8)).toBeGreaterThan(0.5);
  });
});

const JOB = { tasks: 20, nodes: 100, replication: 3 };
const BUSY = { slots: 800, taskSeconds: 20 };

it.each<[what: string, call: (value: number) => unknown, refused: number[]]>([
  ["nodes", (nodes) => expectedJobLocality({ ...JOB, nodes }, 5), [NaN, 0, 99.5]],
  ["replication", (replication) => expectedJobLocality({ ...JOB, replication }, 5), [0, 101]],
  ["skips", (skips) => localityWaitSeconds(BUSY, skips), [-1e-9, Infinity]],
  ["locality", (locality) => skipCountForLocality(JOB, locality), [-0.1, 1]],
  ["taskSeconds", (taskSeconds) => slotsFreedPerSecond({ ...BUSY, taskSeconds }), [0]],
  ["shareSlots", (shareSlots) => reassignSeconds(BUSY, shareSlots), [0.5, 801]],
])("impossible %s are refused", (_, call, refused) => {
  for (const value of refused) expect(() => call(value)).toThrow(RangeError);
});
