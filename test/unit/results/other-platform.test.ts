import { describe, expect, it } from "vitest";
import {
  NO_LEVEL,
  LogLinearCounts,
  type RecordWords,
  type RunRecord,
  summaryOf,
} from "../../../dist/core/record/index.js";
import { measureNamed } from "../../../dist/experiments/index.js";
import { parseScenario, runTables, summaryText } from "../../../dist/io/index.js";
import { NO_PAINT, runReport } from "../../../dist/report/index.js";

/** One type of task, four levels, one resource of which a task may hold several, no racks, no heartbeats. */
const words: RecordWords = {
  platform: "by-hand",
  taskTypes: [{ key: "task", one: "task", many: "tasks", hasLocality: true }],
  otherAttempts: [],
  levels: [
    { key: "process", title: "process", local: "process-local", better: "higher" },
    { key: "node", title: "node", local: "node-local", better: "higher" },
    { key: "noPref", title: "no-pref", local: "no-pref", better: null },
    { key: "any", title: "any", local: "any", better: "lower" },
  ],
  resources: [{ key: "cores", one: "core", many: "cores" }],
  group: { one: "queue", many: "queues" },
  has: [],
};

const us = (...values: number[]): Float64Array => Float64Array.from(values, (value) => value * 1e6);
const ints = (...values: number[]): Int32Array => Int32Array.from(values);

/** Two jobs of two queues, of 2 and 30 tasks. */
const record: RunRecord = {
  words,
  jobs: {
    rows: 2,
    name: ["a", "b"],
    user: ["ann", "ann"],
    group: ["prod", "adhoc"],
    placedIn: ["prod", "adhoc"],
    tasks: [ints(2, 30)],
    submitAtUs: us(0, 10),
    firstLaunchAtUs: us(1, 12),
    fairShareAtUs: us(1, 12),
    endAtUs: us(21, 110),
    hasFailed: new Uint8Array(2),
    launchedAt: [ints(2, 10), ints(0, 12), ints(0, 0), ints(0, 8)],
    launched: ints(2, 30),
    localityWaitUs: us(0, 64),
    longestLocalityWaitUs: us(0, 3),
    waitClockUs: us(0, 64),
    waitClockSkips: Float64Array.of(-1, -1),
    pendingUs: us(2, 94),
    heldUs: [us(40, 600)],
  },
  tasks: {
    rows: 1,
    job: ints(0),
    type: Uint8Array.of(0),
    index: ints(0),
    attempt: ints(0),
    node: ints(3),
    level: Uint8Array.of(NO_LEVEL),
    launchAtUs: us(1),
    finishAtUs: us(21),
    outcome: Uint8Array.of(0),
  },
  samples: {
    rows: 1,
    atUs: us(15),
    activeJobs: ints(2),
    running: [ints(8)],
    pending: [ints(24)],
    launchedAt: [us(0), us(0), us(0), us(0)],
  },
  groupSamples: {
    rows: 2,
    groupNames: ["prod", "adhoc"],
    minShare: [0, 0],
    atUs: us(15, 15),
    group: ints(0, 1),
    running: [ints(2, 6)],
    fairShare: [Float64Array.of(2, 6)],
    demand: [ints(2, 30)],
    held: [Float64Array.of(2, 6)],
  },
};

const summary = summaryOf(record, {
  scenario: "s",
  seed: "1",
  scheduler: "fair",
  stopped: "all-jobs-ended",
  stoppedUs: 110e6,
  fingerprint: "0".repeat(32),
  cluster: { nodes: 4, resources: { cores: 8 } },
  tasksEnded: [32],
  attemptMs: [new LogLinearCounts()],
  use: [{ busy: 0.7 }],
  encode: () => "",
  fairness: { jain: 1, belowFairShare: 0 },
  cost: {
    placement: "inline",
    threads: 1,
    placementReason: "one simulation",
    wallSeconds: 1,
    cpuSeconds: 1,
    tasksPerCpuSecond: 32,
    peakMemoryMiB: 50,
  },
  notes: [],
});

describe("a record of another platform, in its own words", () => {
  it("has a summary by the same code and schema, without sections that the platform does not have", () => {
    expect(JSON.parse(summaryText(summary))).toMatchSnapshot();
  });

  it("is reported without a word of Hadoop's", () => {
    const { scenario } = parseScenario("workload: {kind: benchmark}", "sample.yaml");
    const text = runReport(summary, { scenario, timeline: null, resultsPath: null, paint: NO_PAINT });
    const [, ...lines] = text.split("\n").filter((line) => !line.startsWith("Scheduler"));
    expect(lines.join("\n")).not.toMatch(/\bmaps?\b|reduce|slot|pool|rack|heartbeat/i);
  });

  it("has tables with columns of its words", () => {
    expect(runTables(record).map(({ name, select }) => [name, select])).toMatchSnapshot();
  });

  it("is measured by keys of its words, and has no measure of what it does not have", () => {
    const run = { summary, record, decisions: null };
    const of = (key: string): number | null | undefined => measureNamed(key, words)?.of(run);
    expect(of("tasksPerSecond")).toBe(32 / 110);
    expect(of("taskPending")).toBe(3);
    expect(of("processLocalAll")).toBe(12 / 32);
    expect(of("elsewhereAll")).toBe(8 / 32);
    expect(of("nodeLocalAll of prod")).toBe(0);
    expect(of("responseMean of 1-20 tasks")).toBe(21);
    expect(of("slotsConserved")).toBeCloseTo((0.7 * 8 * 110) / 640, 9);
    for (const key of ["mapsPerSecond", "kills", "inputMoved", "deadlinesMissed"])
      expect(measureNamed(key, words)).toBeUndefined();
  });
});
