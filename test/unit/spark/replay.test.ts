import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  it("holds jobs and stages against what was recorded", async () => {
    const found = await replayed(recordedAsWritten());
    expect(found.whole).toMatchObject({ recordedUs: 10_050_000, simulatedUs: 9_540_000 });
    expect(found.stages).toMatchObject({ compared: 3, maxError: 1 / 3 });
    expect(found.stages.times.map(({ simulatedUs }) => simulatedUs)).toEqual([1_000_000, 500_000, 40_000]);
    expect(found.levels.filter(({ recorded: some }) => some > 0)).toEqual([
      { level: "process", recorded: 3, simulated: 4 },
      { level: "any", recorded: 1, simulated: 0 },
    ]);
    expect(found.launchOrder).toBeCloseTo(0.949, 3);
  });

  it("tells the time of jobs apart from the gaps between them, which the scenario copies", async () => {
    const found = await replayed(recordedAsWritten());
    const { recordedUs, simulatedUs, error } = found.jobs.sum;
    expect([recordedUs, simulatedUs]).toEqual([2_050_000, 1_540_000]);
    expect(error).toBeCloseTo(-0.249, 3);
    expect(found.gaps).toEqual({ recordedUs: 8_000_000, simulatedUs: 8_000_000 });
    expect(found.busy).toEqual({ recordedUs: 2_050_000, simulatedUs: 1_540_000, error });
    expect(replayReport(found, NO_PAINT)).toMatchInlineSnapshot(`
      "Replay          two-jobs, seed 1: recorded against simulated
      Makespan        10.1 s recorded, 9.54 s simulated (-5.1 %) until the last job ended
      Jobs together   2.05 s recorded, 1.54 s simulated (-24.9 %): the sum of their times
      Idle            8.00 s recorded, 8.00 s simulated: no job runs, 79.6 % of the time recorded; when
                      jobs come is copied from the log
      Busy            2.05 s recorded, 1.54 s simulated (-24.9 %): the rest of the makespan
      Jobs            2 jobs: error 20.0 % median, 25.0 % p95, 25.0 % largest; of all together -24.9 %
      Stages          3 stages: error 20.0 % median, 33.3 % p95, 33.3 % largest; of all together -24.9 %
      Held out        stages: error 20.0 % median; busy -24.9 %: what 3 stages did is taken from the
                      others, with 5 seeds
      Levels          process 3 -> 4, any 1 -> 0
      Launch order    rank correlation 0.949
      Copied          scheduler delay of tasks: 0.0015 s, 50.0 % of the time of all tasks
      Fingerprint     1474b00ea76795066312581b97f764b8

      Largest errors by seconds  recorded s  simulated s  error %
      job 0, stage 0                   1.25         1.00    -20.0
      job 0, stage 1                  0.750        0.500    -33.3
      job 1, stage 2                 0.0500       0.0400    -20.0
      "
    `);
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

  it("has no time of a job that ended before it came, as clocks that are set back log it", async () => {
    const recorded = recordedAsWritten();
    recorded.jobs[1].endedUs = 9_000_000;
    const { jobs, whole } = await replayed(recorded);
    expect(jobs.times[1]).toMatchObject({ recordedUs: null, error: null });
    expect(whole.recordedUs).toBe(2_000_000);
  });

  const spoilt: [string, (recorded: Recorded) => unknown, string][] = [
    [
      "no jobs",
      (one) => (one.jobs = []),
      'jobs: found 0, without job "0", job "1"; allowed the 2 jobs that the scenario runs, each once',
    ],
    ["a job less", (one) => one.jobs.pop(), 'jobs: found 1, without job "1"; allowed the 2 jobs'],
    [
      "a job more",
      (one) => one.jobs.push({ ...one.jobs[0], job: "a\nb" }),
      'jobs: found job "a\\u000ab", which the scenario does not run; allowed the 2 jobs',
    ],
    ["a job twice", (one) => one.jobs.push(one.jobs[0]), 'jobs: found job "0" more than once'],
    ["a stage less", (one) => one.stages.pop(), 'stages: found 2, without stage "2" of job "1"; allowed the 3 stages'],
    ["a stage of another job", (one) => (one.stages[2].job = "0"), 'stages: found stage "2" of job "0", which the'],
    ["a stage twice", (one) => one.stages.push(one.stages[0]), 'stages: found stage "0" of job "0" more than once'],
    [
      "a task less",
      ({ attempts }) =>
        [attempts.stage, attempts.task, attempts.level, attempts.launchUs].map((column) => column.shift()),
      'attempts: found 1 task of stage "0" of job "0", allowed 2, which the scenario runs',
    ],
    [
      "a task more",
      ({ attempts }) => (attempts.task[1] = 2),
      'attempts.task.1: found task 2 of stage "0" of job "0", allowed below 2, the tasks that the scenario runs',
    ],
    [
      "a task twice",
      ({ attempts }) => (attempts.task[1] = 0),
      'attempts.task.1: found task 0 of stage "0" of job "0" again',
    ],
    [
      "an attempt of no stage",
      ({ attempts }) => (attempts.stage[3] = 3),
      "attempts.stage.3: found 3, allowed a position",
    ],
    [
      "columns of different lengths",
      ({ attempts }) => (attempts.task = []),
      "attempts: found columns of different lengths (stage 4, task 0, level 4, launchUs 4)",
    ],
    ["a time below zero", (one) => (one.jobs[0].submittedUs = -1), "jobs.0.submittedUs: Too small"],
    ["a time beyond all", (one) => (one.jobs[0].submittedUs = 1e300), "jobs.0.submittedUs: "],
    ["part of a microsecond", (one) => (one.stages[0].endedUs = 0.5), "stages.0.endedUs: Invalid input"],
    [
      "NaN, which JSON has as null",
      ({ attempts }) => (attempts.launchUs[1] = NaN),
      "attempts.launchUs.1: Invalid input",
    ],
    [
      "a text for a time",
      (one) => ((one.jobs[0] as { endedUs: unknown }).endedUs = "2"),
      "jobs.0.endedUs: Invalid input",
    ],
    ["a number for a name", (one) => ((one.jobs[0] as { job: unknown }).job = 0), "jobs.0.job: Invalid input"],
    ["no such level", ({ attempts }) => (attempts.level[0] = "HERE"), "attempts.level.0: Invalid option"],
    ["a copied time below zero", (one) => (one.copied[0].us = -1), "copied.0.us: Too small"],
    ["another version", (one) => (one.version = 2), "version: Invalid input"],
  ];

  it.each(spoilt)("refuses a recording with %s", async (_, spoil, message) => {
    const recorded = recordedAsWritten();
    spoil(recorded);
    const refusal = replayed(recorded);
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toThrow(join(folder, "recorded.json: "));
    await expect(refusal).rejects.toHaveProperty("name", "InputError");
  });

  it.each([
    ["no JSON", "{", "found no JSON"],
    [
      "a number beyond all",
      JSON.stringify(recordedAsWritten()).replace('"submittedUs":0', '"submittedUs":1e999'),
      "jobs.0.submittedUs: Invalid input",
    ],
    ["a list", "[]", "Invalid input"],
    ["nothing", "", "found no JSON"],
  ])("refuses a file that holds %s", async (_, text, message) => {
    await expect(replayed(text)).rejects.toThrow(message);
  });

  it("tells of five differences at most", async () => {
    const recorded = recordedAsWritten();
    const { attempts } = recorded;
    for (let i = 0; i < 20; i++) {
      attempts.stage.push(9);
      attempts.task.push(0);
      attempts.level.push("ANY");
      attempts.launchUs.push(0);
    }
    const found = await replayed(recorded).catch((error: unknown) => (error as Error).message.split("\n"));
    expect(found).toHaveLength(5);
  });

  it("refuses an import of what tells no times", async () => {
    writeFileSync(join(folder, "recorded.json"), "");
    rmSync(join(folder, "recorded.json"));
    await expect(replay(join(folder, "scenario.yaml"), { set: [] })).rejects.toThrow("found no recording");
  });

  it("refuses scenarios that no import writes", async () => {
    writeFileSync(join(folder, "recorded.json"), JSON.stringify(recordedAsWritten()));
    await expect(replay(join(folder, "stages.csv"), { set: [] })).rejects.toThrow();
    const other = join(folder, "hadoop");
    mkdirSync(other);
    writeFileSync(join(other, "recorded.json"), JSON.stringify(recordedAsWritten()));
    writeFileSync(join(other, "scenario.yaml"), "workload: { kind: benchmark }\n");
    await expect(replay(join(other, "scenario.yaml"), { set: [] })).rejects.toThrow(
      "found a scenario of the platform hadoop, allowed one that bide import wrote",
    );
  });
});
