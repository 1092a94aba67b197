import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SparkScenario, versionFor } from "../../../dist/core/platforms/spark/index.js";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import { answerOf } from "../../support/scenario-answers.js";

const QUERY = `platform: spark
cluster: { racks: 2, hosts: 4 }
executors: { cores: 2 }
workload:
  kind: jobs
  jobs:
    - { name: load, stages: [{ name: read, tasks: 8, time: 2s, input: hosts }, { name: write, tasks: 4, time: 1s }] }
    - { name: query, pool: fast, submit: 1s, count: 3, every: 2s, stages: [{ tasks: 2, time: 1s }] }
    - { name: report, after: query, delay: 5s, stages: [{ tasks: 1, time: 1s, input: cached, on: 1 }] }
`;

const EXECUTORS = "executor,host,cores,from_us,until_us\n";
const TABLE = `${EXECUTORS}a,x,2,0,5000000\nb,x,4,0,\nc,y,2,1000000,\nd,y,2,2000000,4000000\n`;
const FILES: Readonly<Record<string, string>> = {
  "spark.conf": "spark.locality.wait 7s\nspark.task.maxFailures 9\nspark.scheduler.mode FAIR\n",
  "pools.xml": "<allocations><pool name='fast'><minShare>4</minShare><weight>2</weight></pool></allocations>",
  "dynamic.conf":
    "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.minExecutors 2\nspark.executor.instances 7\nspark.executor.cores 3\n",
  "exclusion.conf":
    "spark.excludeOnFailure.enabled true\nspark.excludeOnFailure.task.maxTaskAttemptsPerNode 5\nspark.shuffle.reduceLocality.enabled true\n",
  "two.csv": "executor,host,rack,cores,from_us,until_us\n1,away,,2,0,\n2,host-1,,2,0,\n",
  "four.csv": TABLE,
  "leaves.csv": `${EXECUTORS}a,x,1,0,\nb,y,1,0,5000000\n`,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-spark-"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const read = (...set: string[]) =>
  parseAnyScenario(QUERY, join(folder, "query.yaml"), { set }).scenario as SparkScenario;
const NO_CACHE = "workload.jobs.2.stages.0.input=none";

it("A scenario takes the rules of the newest set that is not newer than a release", () => {
  const versions = ["2.4", "2.4.8", "3.2.1", "3.10.0-SNAPSHOT", "4.1", "10.0", "1.6", "", "x"].map(versionFor);
  expect(versions).toEqual(["2.4", "2.4", "3.1", "3.5", "4.0", "4.0", null, null, null]);
});

it("A scenario has Spark's defaults where it says nothing", () => {
  expect(answerOf(QUERY, join(folder, "query.yaml"), [])).toMatchSnapshot();
});

it.each(
  [
    ["scheduler={wait: 10s}"],
    ["scheduler={wait: 10s}", "scheduler.wait.node=0s"],
    ["scheduler={wait: {rack: 1s}}"],
    ['scheduler={version: "3.0"}'],
    ["scheduler={version: 4.0, speculation: true}"],
    ["scheduler={conf: @spark.conf, poolsFile: @pools.xml, wait: {node: 1s}}"],
    ["scheduler={exclusion: true}"],
    ["scheduler={exclusion: {tasksPerExecutor: 7, unschedulable: 5s}}"],
    ["scheduler={conf: @exclusion.conf}"],
    ["scheduler={conf: @exclusion.conf, exclusion: {tasksPerExecutor: 7}}"],
    ["scheduler={conf: @exclusion.conf, exclusion: false, reduceLocality: false}"],
    ["faults={taskFailure: 0.1, hostFailure: {host-2: 1}, executors: {every: 10s, events: [{executor: 3, at: 2s}]}}"],
    ["executors.dynamic=false"],
    ["executors.dynamic=true", NO_CACHE],
    ["executors.dynamic=true", "executors.dynamic.idle=never", NO_CACHE],
    ["executors.dynamic={min: 1, initial: 2, max: 3, backlog: 3s, idle: 5s, start: 0s}", NO_CACHE],
    ["scheduler.conf=@dynamic.conf", NO_CACHE],
    ["scheduler.conf=@dynamic.conf", "executors.dynamic={min: 0, initial: 1}", NO_CACHE],
    ["scheduler.conf=@dynamic.conf", "executors.dynamic=false"],
    ["scheduler.conf=@dynamic.conf", "executors={count: 3}"],
    ["executors={dynamic: {max: 9}}", NO_CACHE],
    ["executors={dynamic: {max: 9}}", "cluster.cores=4", NO_CACHE],
    ["scheduler.mode=FAIR", "scheduler.pools=[{name: fats, weight: 3}]"],
    ["scheduler.mode=FAIR", "scheduler.pools=[{name: fast, weight: 3}]"],
    ["cluster={racks: 3, hosts: [{name: h1, rack: r}, {name: h2, rack: r}]}"],
    ["cluster={racks: 3, hosts: [{name: h1, rack: r}, {name: h2}]}"],
    ["executors={file: @two.csv}", "cluster.hosts=4"],
    ["executors={file: @two.csv}", "cluster.hosts=[{name: host-1}, {name: away}, {name: x}]"],
    ["executors={count: 4, from: 10s, until: 11s}"],
    ["executors={count: 4, from: 10s, until: 3s}"],
    ["executors={count: 4, until: 0s}"],
    ["faults={hostFailure: {host-9: 0.5}}"],
    ["faults={executors: {events: [{executor: 5, at: 1s}]}}"],
    ["faults={executors: {events: [{executor: 1}]}}"],
    ["executors={dynamic: true}", NO_CACHE, "faults.executors.events=[{executor: driver, at: 1s}]"],
    ["scheduler={version: 3.2}"],
    ['scheduler={version: "4.1.1"}'],
    ["scheduler={version: 2}"],
    ["scheduler={taskCores: 3}"],
    ["scheduler={conf: @none.conf}"],
    ["workload.jobs.report.after=quest"],
    ["workload.jobs.load.after=report"],
    ["workload.jobs.query.after=query"],
    ["workload.jobs.load.stages.read.parents=[write]"],
    ["workload.jobs.load.stages.write.parents=[write]"],
    ["workload.jobs.query.name=load"],
    ["workload.jobs.load.count=1e6", "workload.jobs.load.stages.read.tasks=1e6"],
    ["workload.jobs.load.stages.read.on=5"],
    ["workload.jobs.report.stages.0.on=9"],
    ["workload.jobs.load.stages.read.replicas=5"],
    ["workload.jobs.load.stages.read={name: read, tasks: 1, time: 1s, input: hosts, replicas: 3, on: 2}"],
    ["cluster.speeds={host-9: 2}"],
    ["executors={dynamic: true, count: 3}"],
    ["executors={dynamic: {max: 3}, file: @x.csv}"],
    ["executors={dynamic: {min: 5, max: 3}}"],
    ["executors={dynamic: {min: 5, initial: 3}}"],
    ["executors={dynamic: {initial: 5, max: 3}}"],
    ["executors={dynamic: true}"],
    ["executors.file=@x.csv", "executors.from=1s"],
    ["platform=mesos"],
  ].map((set) => [set.join(" "), set] as const),
)("A scenario with %s", (_, set) => {
  const beside = set.map((setting) => setting.replaceAll("@", `${folder}/`));
  expect(answerOf(QUERY, join(folder, "query.yaml"), beside, QUERY)).toMatchSnapshot();
});

describe("a run", () => {
  it("has its own draws for failures and losses: other seeds lose others, and none of them moves what is drawn besides", async () => {
    const print = async (...set: string[]) => (await runScenario(read(...set), "/")).summary.fingerprint;
    const none = await print();
    expect(await print("faults={taskFailure: 0, executors: {every: 30d, until: 0}}")).toBe(none);
    const lossy = "faults={taskFailure: 0.3, executors: {every: 2s}}";
    expect(await print(lossy)).not.toBe(none);
    expect(await print(lossy, "run.seed=2")).not.toBe(await print(lossy));
  });

  it("is stuck where nothing can ever start: a day after the last end, to the microsecond, patience is over", async () => {
    // The second executor goes while the first stage runs: a barrier stage that had room has none any more.
    const text =
      "platform: spark\nexecutors: { file: leaves.csv }\nworkload: { kind: jobs, jobs: [{ name: j, stages: " +
      "[{ name: one, tasks: 1, time: 10s }, { name: two, tasks: 2, time: 1s, barrier: true }] }] }\n";
    const stuck = parseAnyScenario(text, join(folder, "scenario.yaml")).scenario;
    const { summary } = await runScenario(stuck, folder);
    expect(summary.stopped).toBe("stuck");
    expect(summary.virtualSeconds).toBe(summary.stuck!.sinceSeconds + 24 * 3600);
    const impatient = { ...stuck, run: read("run.stuckAfter=1m").run };
    const { stuck: soon } = (await runScenario(impatient, folder)).summary;
    expect(soon).toMatchObject({ afterSeconds: 60, sinceSeconds: summary.stuck!.sinceSeconds, waiting: 1 });
  });

  it("says why jobs failed", async () => {
    const jobs = [1, 2, 3, 4].map((i) => `{name: wide-${i}, stages: [{tasks: 3, time: 1s, barrier: true}]}`);
    const scenario = read("cluster.hosts=1", `workload.jobs=[${jobs.join(", ")}]`);
    expect((await runScenario(scenario, "/")).summary.notes).toMatchSnapshot();
  });
});

describe("fewer executors than the table has", () => {
  const text = "platform: spark\nexecutors: { file: four.csv }\nworkload: { kind: stages, file: stages.csv }\n";

  it("come as there is room, those that come first first; cores are those that the scenario says", () => {
    const executorsOf = (...set: string[]) => {
      const { scenario } = parseAnyScenario(text, join(folder, "scenario.yaml"), { set });
      const { executors, leftOut } = scenario as SparkScenario;
      return [...executors.map(({ id, cores, fromUs }) => `${id!} ${cores} ${fromUs / 1e6}`), leftOut];
    };
    expect(executorsOf("executors.count=9")).toEqual(["a 2 0", "b 4 0", "c 2 1", "d 2 2", []]);
    expect(executorsOf("executors.count=3")).toEqual(["a 2 0", "b 4 0", "c 2 1", ["d"]]);
    // c comes when a goes; d is gone by then.
    expect(executorsOf("executors.count=2")).toEqual(["a 2 0", "b 4 0", "c 2 5", ["d"]]);
    expect(executorsOf("executors.count=1")).toEqual(["a 2 0", "b 4 5", ["c", "d"]]);
    expect(executorsOf("executors.cores=3")).toEqual(["a 3 0", "b 3 0", "c 3 1", "d 3 2", []]);
  });

  it("have in their memory what one that is left out had in its", async () => {
    const { scenario } = parseAnyScenario(text, join(folder, "scenario.yaml"), { set: ["executors.count=1"] });
    for (const [executor, answer] of [
      ["d", "all-jobs-ended"],
      ["e", "refused"],
    ]) {
      const row = `0,0,0,0,1000000,y/${executor!}\n`;
      writeFileSync(join(folder, "stages.csv"), `job,submit_us,stage,task,run_us,places\n${row}`);
      const ended = runScenario(scenario, folder).then(({ summary }) => summary.stopped);
      expect(await ended.catch(() => "refused")).toBe(answer);
    }
  });
});
