import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Attempts,
  finishedRun,
  maxMinShares,
  NO_LEVEL,
  OUTCOME,
  type RunLog,
  usualSampleUs,
} from "../../../dist/core/record/index.js";

const claim = (demand: number, weight = 1, minShare = 0) => ({ demand, weight, minShare });

describe("max-min shares", () => {
  it("give everybody what they demand where there is enough", () => {
    expect(maxMinShares(10, [claim(3), claim(4), claim(0)])).toEqual([3, 4, 0]);
  });

  it("go by weight up to the demand, and what is left to the others", () => {
    expect(maxMinShares(12, [claim(20), claim(20, 2)])).toEqual([4, 8]);
    expect(maxMinShares(12, [claim(2), claim(20), claim(20)])).toEqual([2, 5, 5]);
  });

  it("give min shares first, of what is demanded, and cut them in proportion where there is too little", () => {
    expect(maxMinShares(10, [claim(10, 1, 8), claim(10)])).toEqual([8, 2]);
    expect(maxMinShares(10, [claim(3, 1, 8), claim(10)])).toEqual([3, 7]);
    expect(maxMinShares(6, [claim(10, 1, 8), claim(10, 1, 4)])).toEqual([4, 2]);
  });

  it("never give more than there is, nor more than is demanded, and leave nothing that somebody wants", () => {
    const claims = fc.array(
      fc.record({
        demand: fc.integer({ min: 0, max: 100 }),
        weight: fc.integer({ min: 1, max: 9 }),
        minShare: fc.integer({ min: 0, max: 50 }),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), claims, (whole, all) => {
        const shares = maxMinShares(whole, all);
        const sum = shares.reduce((total, share) => total + share, 0);
        const demanded = all.reduce((total, { demand }) => total + demand, 0);
        expect(Math.abs(sum - Math.min(whole, demanded))).toBeLessThan(1e-9 * (1 + whole));
        shares.forEach((share, i) => expect(share).toBeLessThanOrEqual(all[i]!.demand + 1e-9));
      }),
    );
  });
});

const attempts = new Attempts();
attempts.add(0, 0, 0, 0, 0, 0, 1e6, 1e6);
attempts.endUs[0] = 5e6;
attempts.outcome[0] = OUTCOME.succeeded;
attempts.add(0, 0, 1, 0, 1, NO_LEVEL, 1e6, 3e6);

const LOG: RunLog = {
  words: {
    platform: "test",
    taskTypes: [{ key: "task", one: "task", many: "tasks", hasLocality: true }],
    otherAttempts: [],
    levels: [{ key: "node", title: "node", local: "node-local", better: "higher" }],
    resources: [{ key: "cores", one: "core", many: "cores" }],
    group: { one: "pool", many: "pools" },
    has: [],
  },
  stoppedUs: 10e6,
  groups: [{ name: "a", weight: 1, minShare: 0 }],
  capacity: [[{ fromUs: 0, amount: 2 }]],
  jobs: [
    {
      name: "j",
      user: "u",
      group: 0,
      submittedUs: 1e6,
      endedUs: -1,
      hasFailed: false,
      stages: [{ name: "s", type: 0, tasks: 3, held: [1] }],
    },
  ],
  stages: [{ job: 0, stage: 0, submittedUs: 1e6, endedUs: -1 }],
  attempts,
  waits: null,
};

const recordOf = (sampleUs?: number) =>
  finishedRun(
    LOG,
    { untilUs: Infinity, sampleUs, recordTasks: true },
    { stopped: "until", fingerprint: "", cluster: { nodes: 2, resources: { cores: 2 } }, notes: [] },
  );

describe("the record of a log of attempts", () => {
  it("has what ran and what waited at each sample, and what that comes to", () => {
    const { record, facts } = recordOf(2e6);
    const { samples, groupSamples, jobs, tasks } = record;
    expect([...samples.atUs]).toEqual([0, 2e6, 4e6, 6e6, 8e6, 10e6]);
    expect([...samples.running[0]!]).toEqual([0, 1, 2, 1, 1, 1]);
    expect([...samples.pending[0]!]).toEqual([0, 2, 1, 1, 1, 0]);
    expect([...groupSamples.held[0]!]).toEqual([0.5, 1.5, 1.5, 1, 1]);
    expect([...groupSamples.fairShare[0]!]).toEqual([2, 2, 2, 2, 1]);
    expect([jobs.launched[0], jobs.launchedAt[0]![0], jobs.pendingUs[0], jobs.heldUs[0]![0]]).toEqual([
      ...[2, 1, 2e6, 11e6],
    ]);
    expect(jobs.fairShareAtUs[0]).toBe(3e6);
    expect(tasks!.rows).toBe(1);
    expect(facts.tasksEnded).toEqual([1]);
    expect(facts.use[0]!.busy).toBeCloseTo(11 / 20, 12);
  });

  it("has a hundred samples of a short run where nobody says how far apart they are", () => {
    const { samples, groupSamples } = recordOf().record;
    expect([samples.rows, samples.atUs[1]]).toEqual([101, 100_000]);
    // The mean between samples is that of the whole: 11 core-seconds, but for what the sample at 0 cannot tell.
    expect(groupSamples.held[0]!.reduce((sum, held) => sum + held, 0) / 10).toBeCloseTo(11, 9);
  });

  it.each([
    [0, 1],
    [99_999, 1],
    [200_000, 2],
    [199_999, 1],
    [45e6, 200],
    [600e6, 5_000],
    [5999e6, 30_000],
    [6000e6, 60_000],
    [86_400e6, 60_000],
    [200_000 * 60e6, 60_000],
    [200_000 * 60e6 + 1, 120_000],
    [3_153_600_000e6, 263 * 60_000],
  ])("of %d us are %d ms apart", (runUs, ms) => {
    expect(usualSampleUs(runUs)).toBe(ms * 1000);
  });
});
