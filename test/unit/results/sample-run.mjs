import { wordsOf } from "../../../dist/core/platforms/hadoop/index.js";

const words = wordsOf(/** @type {any} */ ({ rowNames: [] }));

/** A small run as a scenario runner would return it, for tests of what is written and printed. Built, not simulated. */

const quantiles = (count, p50) => ({ count, mean: p50 * 1.1, p50, p95: p50 * 2, p99: p50 * 3, max: p50 * 4 });
const none = { count: 0, mean: null, p50: null, p95: null, p99: null, max: null };
const counts = (submitted, unfinished = 0) => ({ submitted, ended: submitted - unfinished, unfinished });

/**
 * @param {Partial<import("../../../dist/core/record/index.js").Summary>} [changes]
 * @returns {import("../../../dist/core/record/index.js").Summary}
 */
export function sampleSummary(changes = {}) {
  return {
    format: "bide-summary",
    version: 2,
    words,
    scenario: "sample",
    seed: "7",
    scheduler: "hfs",
    virtualSeconds: 3723.5,
    stopped: "all-jobs-ended",
    fingerprint: "0123456789abcdef0123456789abcdef",
    cluster: { racks: 2, nodes: 40, resources: { mapSlots: 200, reduceSlots: 200 }, heartbeatSeconds: 3 },
    jobs: { ...counts(4, 1), failed: 0 },
    refusedJobs: 0,
    deadlines: { met: 0, missed: 0, open: 0 },
    preemption: { kills: 0, checks: 0, slotsWanted: 0, lostSeconds: 0 },
    failures: { attempts: 0, sourcesLost: 0, kills: 0, lostSeconds: 0 },
    speculation: { launched: 0, won: 0, wastedSeconds: 0 },
    faults: { nodesGivenUp: 0, attemptsLost: 0, outputsLost: 0, blocksCopied: 0, bytesCopied: 0 },
    tasks: { map: counts(1625, 5), reduce: counts(12) },
    locality: { tasks: 1620, shares: { node: 0.9, rack: 0.08, offRack: 0.02 } },
    waits: {
      localitySecondsPerTask: 0.57,
      longestLocalitySeconds: 15.5,
      clockSecondsPerTask: 0.41,
      clockSkipsPerTask: null,
      pendingSecondsPerTask: 12.25,
    },
    moved: { inputBytes: 2 ** 34, acrossRacksBytes: 2 ** 33 },
    // Of a run with one pool a table by pool would say nothing new.
    groups: [],
    bins: [
      {
        label: "1",
        jobs: counts(2),
        locality: { tasks: 2, shares: { node: 1, rack: 0, offRack: 0 } },
        responseSeconds: quantiles(2, 24.06),
      },
      {
        label: "2",
        jobs: counts(0),
        locality: { tasks: 0, shares: { node: 0, rack: 0, offRack: 0 } },
        responseSeconds: none,
      },
      {
        label: "21-60",
        jobs: counts(1),
        locality: { tasks: 0, shares: { node: 0, rack: 0, offRack: 0 } },
        responseSeconds: quantiles(1, 611),
      },
      {
        label: ">1500",
        jobs: counts(1, 1),
        locality: { tasks: 1618, shares: { node: 0.898, rack: 0.081, offRack: 0.021 } },
        responseSeconds: none,
      },
    ],
    responseSeconds: quantiles(3, 30),
    timeToFirstTaskSeconds: quantiles(4, 2.04),
    timeToFairShareSeconds: none,
    throughput: { jobsPerHour: 312.4, tasksPerSecond: { map: 14.23, reduce: 0.0321 } },
    utilisation: {
      mapSlots: { busy: 0.612, saturated: 0.21, releasesPerSecondSaturated: 27.14 },
      reduceSlots: { busy: 0.1, saturated: 0, releasesPerSecondSaturated: null },
    },
    fairness: { jain: 0.9132, belowFairShare: 0.042 },
    heartbeats: 1511054,
    attemptSeconds: { map: quantiles(1620, 19), reduce: quantiles(12, 231) },
    histograms: { responseMs: "HISTFAAAAA==" },
    cost: {
      placement: "inline",
      threads: 1,
      placementReason: "--threads 0",
      wallSeconds: 2.104,
      cpuSeconds: 2.3,
      tasksPerCpuSecond: 712345.6,
      peakMemoryMiB: 210.4,
      heartbeatsProcessed: 31042,
      frames: 0,
      frameBytes: 0,
    },
    notes: ["3 malformed lines of the trace were skipped"],
    ...changes,
  };
}

/** Four jobs: 1, 1, 40 and 1583 maps; the last has not ended. */
export function sampleRecord({ tasks = true } = {}) {
  return {
    words,
    jobs: {
      rows: 4,
      name: ["a", "b'; DROP TABLE jobs; --", "größer", "d"],
      user: ["ana", "ben", "ana", "eva"],
      group: ["p", "q", "p", "q"],
      placedIn: ["p", "q", "", "q"],
      priority: Uint8Array.from([0, 2, 2, 4]),
      tasks: [Int32Array.from([1, 1, 40, 1583]), Int32Array.from([0, 0, 4, 8])],
      submitAtUs: Float64Array.from([0, 1e6, 2e6, 3e6]),
      firstLaunchAtUs: Float64Array.from([2e6, 3e6, 4e6, -1]),
      fairShareAtUs: Float64Array.from([2e6, 3e6, -1, -1]),
      endAtUs: Float64Array.from([10_500_001, 21e6, 302e6, -1]),
      hasFailed: new Uint8Array(4),
      deadlineAtUs: Float64Array.from([-1, 30e6, 60e6, 3600e6]),
      launchedAt: [
        Int32Array.from([1, 0, 30, 900]),
        Int32Array.from([0, 1, 8, 500]),
        Int32Array.from([0, 0, 0, 0]),
        Int32Array.from([0, 0, 2, 100]),
      ],
      launched: Int32Array.from([1, 1, 40, 1500]),
      localityWaitUs: Float64Array.from([0, 5e6, 20e6, 900e6]),
      longestLocalityWaitUs: Float64Array.from([0, 5e6, 8e6, 15.5e6]),
      waitClockUs: Float64Array.from([0, 4e6, 16e6, 700e6]),
      waitClockSkips: new Float64Array(4).fill(-1),
      pendingUs: Float64Array.from([2e6, 2e6, 160e6, 1500e6]),
      heldUs: [Float64Array.from([8e6, 9e6, 0, 30_400e6]), Float64Array.from([0, 0, 2000e6, 460e6])],
      kills: Int32Array.from([0, 0, 0, 2]),
      killedUs: Float64Array.from([0, 0, 0, 61.5e6]),
    },
    tasks: tasks ? sampleTasks() : null,
    samples: {
      rows: 2,
      atUs: Float64Array.from([5e6, 10e6]),
      activeJobs: Int32Array.from([3, 2]),
      running: [Int32Array.from([40, 41]), Int32Array.from([0, 1])],
      pending: [Int32Array.from([100, 90]), Int32Array.from([4, 3])],
      launchedAt: [
        Float64Array.from([10, 3e9]),
        Float64Array.from([1, 2]),
        Float64Array.from([0, 0]),
        Float64Array.from([0, 1]),
      ],
    },
    groupSamples: {
      rows: 3,
      groupNames: ["p", "q"],
      minShare: [0, 20],
      atUs: Float64Array.from([5e6, 5e6, 10e6]),
      group: Int32Array.from([0, 1, 1]),
      running: [Int32Array.from([10, 30, 41]), Int32Array.from([0, 0, 1])],
      fairShare: [Float64Array.from([10.5, 29.5, 41]), Float64Array.from([0, 4, 4])],
      demand: [Int32Array.from([11, 130, 131]), Int32Array.from([0, 4, 4])],
      held: [Float64Array.from([1, 2.5, 3]), Float64Array.from([0, 0.25, 2])],
    },
  };
}

/** More rows than a chunk holds. */
function sampleTasks() {
  const rows = 5000;
  const index = (of) => Array.from({ length: rows }, (_, i) => of(i));
  return {
    rows,
    job: Int32Array.from(index((i) => i % 4)),
    type: Uint8Array.from(index((i) => (i % 10 === 9 ? 1 : 0))),
    index: Int32Array.from(index((i) => i)),
    attempt: Int32Array.from(index(() => 0)),
    node: Int32Array.from(index((i) => i % 40)),
    level: Uint8Array.from(index((i) => (i % 10 === 9 ? 255 : [0, 1, 3][i % 3]))),
    launchAtUs: Float64Array.from(index((i) => i * 1000)),
    finishAtUs: Float64Array.from(index((i) => i * 1000 + 19_000_000)),
    outcome: Uint8Array.from(index((i) => (i % 100 === 0 ? 1 : 0))),
  };
}
