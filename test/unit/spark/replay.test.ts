import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../../dist/io/index.js";
import { replay } from "../../../dist/lab/index.js";
import { NO_PAINT, replayReport } from "../../../dist/report/index.js";

// Two jobs: the second comes 8 s after the first has ended.
const STAGES = `job,name,submit_us,after,delay_us,stage,parents,task,run_us
0,count,0,,,0,,0,1000000
,,,,,0,,1,1000000
,,,,,1,0,0,500000
1,save,,0,8000000,2,,0,40000
`;

const SCENARIO = `platform: spark
name: two-jobs
executors: { cores: 2 }
workload: { kind: stages, file: stages.csv }
runtime: { launch: 0s, report: 0s }
`;

const stage = (job: string, name: string, submittedUs: number, endedUs: number) => ({
  job,
  stage: name,
  submittedUs,
  endedUs,
  hasFailed: false,
  tasks: 1,
  levels: {},
});

/** A new one each time, for a test to spoil. */
const recordedAsWritten = () => ({
  format: "bide-spark-recorded",
  version: 1,
  id: "x",
  name: "x",
  sparkVersion: null,
  startedMs: 0,
  endedUs: 10_050_000,
  copied: [
    { what: "scheduler delay of tasks", us: 1500, mostUs: null, partOf: "the time of all tasks", wholeUs: 3000 },
  ],
  jobs: [
    { job: "0", submittedUs: 0, endedUs: 2_000_000 as number | null, result: "succeeded" },
    { job: "1", submittedUs: 10_000_000, endedUs: 10_050_000, result: "succeeded" },
  ],
  stages: [
    ...[stage("0", "0", 0, 1_250_000), stage("0", "1", 1_250_000, 2_000_000)],
    stage("1", "2", 10_000_000, 10_050_000),
  ],
  attempts: {
    stage: [0, 0, 1, 2],
    task: [0, 1, 0, 0],
    executor: ["1", "1", "1", "1"],
    level: ["PROCESS_LOCAL", "PROCESS_LOCAL", "ANY", "PROCESS_LOCAL"],
    launchUs: [0, 10, 1_300_000, 10_000_000],
    finishUs: [1e6, 1e6, 2e6, 10_050_000],
  },
});

type Recorded = ReturnType<typeof recordedAsWritten>;

let folder: string;
let scenario: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-replay-"));
  writeFileSync(join(folder, "stages.csv"), STAGES);
  writeFileSync((scenario = join(folder, "scenario.yaml")), SCENARIO);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function replayed(recorded: unknown, set: string[] = []) {
  const text = typeof recorded === "string" ? recorded : JSON.stringify(recorded);
  writeFileSync(join(folder, "recorded.json"), text);
  return replay(scenario, { set });
}

describe("a replay", () => {
  it("holds jobs and stages against what was recorded, apart from the gaps between them", async () => {
    const found = await replayed(recordedAsWritten());
    expect(found).toMatchSnapshot();
    expect(replayReport(found, NO_PAINT)).toMatchSnapshot();
  });

  it("compares what ended in both, where one of the two stopped before", async () => {
    const found = await replayed(recordedAsWritten(), ["run.until=5s"]);
    expect(found.whole).toMatchObject({ recordedUs: 2_000_000, simulatedUs: 1_500_000, error: -0.25 });
    expect(found.gaps).toEqual({ recordedUs: 0, simulatedUs: 0 });
    expect(found.jobs.sum).toEqual({ recordedUs: 2_000_000, simulatedUs: 1_500_000, error: -0.25 });
    expect(found.jobs.times[1]).toEqual({ job: "1", stage: "", recordedUs: 50_000, simulatedUs: null, error: null });
    expect(found.stages.times[2]).toMatchObject({ recordedUs: 50_000, simulatedUs: null });
    const recorded = recordedAsWritten();
    recorded.jobs[0].endedUs = null;
    const open = await replayed(recorded);
    expect(open.jobs.sum).toEqual({ recordedUs: 50_000, simulatedUs: 40_000, error: -0.2 });
    const none = await replayed(recordedAsWritten(), ["run.until=1s"]);
    expect(none.whole).toMatchObject({ recordedUs: null, simulatedUs: null, error: null });
    expect(none.gaps).toEqual({ recordedUs: null, simulatedUs: null });
    expect(none.busy).toEqual({ recordedUs: null, simulatedUs: null, error: null });
    expect(replayReport(none, NO_PAINT)).toMatch(/^Idle {12}-$/m);
  });

  const spoilt: readonly (readonly [what: string, spoil: (recorded: Recorded) => unknown])[] = [
    ["no jobs", (one) => (one.jobs = [])],
    ["a job less", (one) => one.jobs.pop()],
    ["a job more", (one) => one.jobs.push({ ...one.jobs[0], job: "a\nb" })],
    ["a job twice", (one) => one.jobs.push(one.jobs[0])],
    ["a stage less", (one) => one.stages.pop()],
    ["a stage of another job", (one) => (one.stages[2].job = "0")],
    ["a stage twice", (one) => one.stages.push(one.stages[0])],
    ["a task more", ({ attempts }) => (attempts.task[1] = 2)],
    ["a task twice", ({ attempts }) => (attempts.task[1] = 0)],
    ["an attempt of no stage", ({ attempts }) => (attempts.stage[3] = 3)],
    ["columns of different lengths", ({ attempts }) => (attempts.task = [])],
    ["a time below zero", (one) => (one.jobs[0].submittedUs = -1)],
    ["part of a microsecond", (one) => (one.stages[0].endedUs = 0.5)],
    ["NaN, which JSON has as null", ({ attempts }) => (attempts.launchUs[1] = NaN)],
    ["no such level", ({ attempts }) => (attempts.level[0] = "HERE")],
    ["another version", (one) => (one.version = 2)],
    ["twenty differences", ({ attempts }) => attempts.stage.fill(9)],
  ];

  it.each(spoilt)("refuses a recording with %s", async (_, spoil) => {
    const recorded = recordedAsWritten();
    spoil(recorded);
    const message = await replayed(recorded).catch((error: unknown) => (error as InputError).message);
    expect((message as string).replaceAll(folder, "")).toMatchSnapshot();
  });
});
