import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bandedDifference, type Comparison } from "../../../dist/experiments/index.js";
import type { SparkScenario } from "../../../dist/core/platforms/spark/index.js";
import { parseAnyScenario, readComparisonFolder } from "../../../dist/io/index.js";
import { compareSystems, measureHere, planComparison, runScenario } from "../../../dist/lab/index.js";
import { comparisonText, NO_PAINT } from "../../../dist/report/index.js";

// Four tasks on the host of their data take 10 s there; the other host has a core for them if they do not wait.
const STAGES = `job,name,submit_us,stage,parents,reads,task,run_us,places
0,count,0,0,,input,0,10000000,a
,,,,,,1,10000000,a
,,,,,,2,10000000,a
,,,,,,3,10000000,a
,,,1,0,shuffle,0,5000000,
`;

const SCENARIO = `platform: spark
name: away
cluster: { hosts: [{ name: a }, { name: b }] }
executors: { cores: 1 }
workload: { kind: stages, file: stages.csv }
runtime: { rackFactor: { estimate: 1.5, low: 1, high: 6 }, anyFactor: { estimate: 1.5, low: 1, high: 6 } }
`;

const SYSTEMS = `compare:
  systems:
    - { name: waits, set: { scheduler.wait: 1h } }
    - { name: goes, set: { scheduler.wait: 0s } }
    - { name: waits as well, set: { scheduler.wait: 2h } }
`;

const stage = (name: string, submittedUs: number, endedUs: number) => ({
  job: "0",
  stage: name,
  submittedUs,
  endedUs,
  hasFailed: false,
  tasks: 1,
  levels: {},
});

const RECORDED = {
  format: "bide-spark-recorded",
  version: 1,
  id: "x",
  name: "x",
  sparkVersion: null,
  startedMs: 0,
  endedUs: 46e6,
  delayUs: null,
  stageStartUs: null,
  jobs: [{ job: "0", submittedUs: 0, endedUs: 46e6, result: "succeeded" }],
  stages: [stage("0", 0, 41e6), stage("1", 41e6, 46e6)],
  attempts: {
    stage: [0, 0, 0, 0, 1],
    task: [0, 1, 2, 3, 0],
    executor: ["1", "1", "1", "1", "1"],
    level: [...Array.from({ length: 4 }, () => "NODE_LOCAL"), "PROCESS_LOCAL"],
    launchUs: [0, 10e6, 20e6, 30e6, 41e6],
    finishUs: [10e6, 20e6, 30e6, 40e6, 46e6],
  },
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-bands-"));
  writeFileSync(join(folder, "stages.csv"), STAGES);
  writeFileSync(join(folder, "scenario.yaml"), SCENARIO);
  writeFileSync(join(folder, "recorded.json"), JSON.stringify(RECORDED));
  writeFileSync(join(folder, "what-if.yaml"), SCENARIO + SYSTEMS);
  writeFileSync(join(folder, "tasks-of-mine.csv"), STAGES);
  writeFileSync(join(folder, "no-import.yaml"), SCENARIO.replace("stages.csv", "tasks-of-mine.csv") + SYSTEMS);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function compared(file: string, seeds?: number): Promise<Comparison> {
  const planned = planComparison({
    file: join(folder, file),
    set: [],
    seed: undefined,
    seeds,
    kinds: undefined,
    systems: undefined,
    lenient: false,
  });
  return compareSystems(planned, measureHere(runScenario, 0), {});
}

describe("a comparison of an import", () => {
  it("has bands over draws in place of intervals, stars and p values, and says what cannot be told", async () => {
    const found = await compared("what-if.yaml");
    expect(found.seeds).toHaveLength(39);
    const [, goes, same] = found.systems;
    // Beside the data in turn, or at once on both hosts: better below a factor of 2 or so, worse above it.
    expect(goes!.differences!["makespanSeconds"]!.band).toMatchObject({ verdict: "untold" });
    for (const { band, values } of Object.values(same!.differences!)) {
      if (values.every((value) => value === 0)) expect(band?.verdict).toBe("same");
    }
    expect(same!.differences!["makespanSeconds"]!.band?.verdict).toBe("same");
    // Without intervals and stars.
    expect(comparisonText(found, "text", NO_PAINT)).not.toMatch(/±|\*/);
    expect(comparisonText(found, "csv", NO_PAINT).split("\n", 1)).toMatchSnapshot();
    // It is read again as it was written.
    writeFileSync(join(folder, "comparison.json"), JSON.stringify(found));
    expect(readComparisonFolder(folder).comparison).toEqual(JSON.parse(JSON.stringify(found)));
  });
});

it("a comparison whose draws miss the log says so, and its differences cannot be told", async () => {
  const half = { ...RECORDED, jobs: [{ ...RECORDED.jobs[0], endedUs: 10e6 }] };
  writeFileSync(join(folder, "recorded.json"), JSON.stringify(half));
  const systems = SYSTEMS.replace("waits, set: { scheduler.wait: 1h }", "as recorded");
  writeFileSync(join(folder, "missed.yaml"), SCENARIO + systems);
  const missed = await compared("missed.yaml");
  expect(missed.notes.filter((note) => String(note).startsWith("the model misses the log"))).toHaveLength(1);
  expect(missed.systems[1]!.differences!["makespanSeconds"]!.band?.verdict).toBe("untold");
});

it("a difference that is the same in every draw is told if the draws give the log's own makespan, and not if they miss it", () => {
  const draws = [40, 42, 44, 46];
  const sampleOf = (more: number) => ({
    values: draws.map((seconds) => seconds + more),
    levels: draws.map(() => [1]),
  });
  const verdictOf = (recorded: number) =>
    bandedDifference(sampleOf(5), sampleOf(0), 0.01, { simulated: draws, recorded }).band?.verdict;
  expect([verdictOf(40), verdictOf(43), verdictOf(46)]).toEqual(["differs", "differs", "differs"]);
  expect([verdictOf(17), verdictOf(150)]).toEqual(["untold", "untold"]);
});

it("reduce tasks that preferred no host by the log prefer none in draws, though others of the stage do", async () => {
  // Two maps on each of two hosts; of four reduce tasks only the first had input, and preferred a host.
  const maps = ["a", "a", "b", "b"].map((host, task) => `0,count,0,0,,shuffle,${task},1000000,,${host}\n`);
  const reduces = ["a", "", "", ""].map((place, task) => `0,,,1,0,shuffle,${task},1000000,${place},c\n`);
  writeFileSync(
    join(folder, "reduces.csv"),
    `job,name,submit_us,stage,parents,reads,task,run_us,places,host\n${maps.join("")}${reduces.join("")}`,
  );
  const scenario = SCENARIO.replace("stages.csv", "reduces.csv")
    .replace("{ name: b }", "{ name: b }, { name: c }")
    .replace("runtime: {", "runtime: { draw: true,");
  const drawn = parseAnyScenario(scenario, join(folder, "reduces.yaml"), {}).scenario as SparkScenario;
  const { summary } = await runScenario(drawn, folder);
  expect(summary.locality.shares["node"]).toBe(1 / 8);
});

it("output of maps is not waited for on a host without executors", async () => {
  const row = (place: string) =>
    `job,name,submit_us,stage,parents,reads,task,run_us,places\n0,x,0,0,,shuffle,0,5000000,${place}\n`;
  writeFileSync(join(folder, "lost.csv"), `${row("c").trim()}\n,,,,,,1,5000000,a\n`);
  const scenario = SCENARIO.replace("stages.csv", "lost.csv")
    .replace("{ name: b }", "{ name: c, executors: false }")
    .replace("runtime:", "scheduler: { wait: 1h }\nruntime:");
  const read = parseAnyScenario(scenario, join(folder, "lost.yaml"), {}).scenario as SparkScenario;
  const { summary } = await runScenario(read, folder);
  expect(summary.makespan!.seconds).toBeLessThan(11);
});

it("what is the same with every seed has neither interval nor star, and the head says so", async () => {
  const found = await compared("no-import.yaml", 3);
  const text = comparisonText(found, "text", NO_PAINT);
  const machine = text.indexOf("Cost on this machine");
  expect(text.slice(0, machine)).not.toMatch(/\d±|\d\?|\d\*/);
  expect(text).toContain("change nothing");
});
