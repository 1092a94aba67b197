import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SparkScenario, versionFor } from "../../../dist/core/platforms/spark/index.js";
import { InputError, parseAnyScenario, parseScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

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

const notesOf = (set: string[]): readonly string[] => parseAnyScenario(QUERY, "query.yaml", { set }).notes;
const read = (more = "", set: string[] = []) =>
  parseAnyScenario(QUERY + more, "query.yaml", { set }).scenario as SparkScenario;

function refusal(text: string, set: string[] = []): string {
  try {
    parseAnyScenario(text, "query.yaml", { set });
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return "";
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-spark-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a scenario of Spark", () => {
  it("takes the rules of the newest set that is not newer than a release", () => {
    const found = ["2.4", "2.4.8", "3.2.1", "3.10.0-SNAPSHOT", "4.1", "10.0", "1.6", "", "x"].map(versionFor);
    expect(found).toEqual(["2.4", "2.4", "3.1", "3.5", "4.0", "4.0", null, null, null]);
  });

  it("has Spark's defaults where it says nothing", () => {
    const { cluster, executors, scheduler, runtime } = read();
    expect(cluster.hosts.map(({ name, rack }) => `${name} ${rack}`)).toEqual([
      ...["host-1 rack-1", "host-2 rack-2", "host-3 rack-1", "host-4 rack-2"],
    ]);
    expect(executors.map(({ host, cores, untilUs }) => [host, cores, untilUs])).toEqual(
      [0, 1, 2, 3].map((host) => [host, 2, Infinity]),
    );
    expect(scheduler).toMatchObject({
      version: "3.5",
      mode: "FIFO",
      waitNodeUs: 3e6,
      maxFailures: 4,
      speculation: null,
    });
    expect(runtime).toMatchObject({ reviveUs: 1e6, stageStartUs: 0, launchUs: 3000, reportUs: 2000 });
  });

  it("takes one wait for all levels, and others beside it; --set keeps the rest", () => {
    const waits = ({ scheduler }: SparkScenario) => [
      ...[scheduler.waitProcessUs, scheduler.waitNodeUs, scheduler.waitRackUs].map((us) => us / 1e6),
    ];
    expect(waits(read("scheduler: { wait: 10s }"))).toEqual([10, 10, 10]);
    expect(waits(read("scheduler: { wait: 10s }", ["scheduler.wait.node=0s"]))).toEqual([10, 0, 10]);
    expect(waits(read("scheduler: { wait: { rack: 1s } }"))).toEqual([3, 3, 1]);
  });

  it("has the rules of its release", () => {
    expect(read('scheduler: { version: "3.0" }').scheduler.resetsOnLaunch).toBe(true);
    expect(read("scheduler: { version: 3.1 }").scheduler.resetsOnLaunch).toBe(false);
    expect(read("scheduler: { version: 4.0, speculation: true }").scheduler.speculation).toMatchObject({
      quantile: 0.9,
    });
  });

  it("names a file of settings and one of pools; what stands beside them wins", () => {
    writeFileSync(
      join(folder, "spark.conf"),
      "spark.locality.wait 7s\nspark.task.maxFailures 9\nspark.scheduler.mode FAIR\n",
    );
    writeFileSync(
      join(folder, "pools.xml"),
      "<allocations><pool name='fast'><minShare>4</minShare><weight>2</weight></pool></allocations>",
    );
    const files = "scheduler: { conf: spark.conf, poolsFile: pools.xml, wait: { node: 1s } }";
    const { scenario } = parseAnyScenario(QUERY + files, join(folder, "query.yaml"));
    const { scheduler } = scenario as SparkScenario;
    expect(scheduler).toMatchObject({ maxFailures: 9, mode: "FAIR", waitNodeUs: 1e6, waitRackUs: 7e6 });
    expect(scheduler.pools).toEqual([
      { name: "fast", mode: "FIFO", minShare: 4, weight: 2 },
      { name: "default", mode: "FIFO", minShare: 0, weight: 1 },
    ]);
  });

  it("has executors that come as they are needed, by itself or by its file of settings", async () => {
    const allocationOf = (more: string, set: string[] = []) => {
      const text = QUERY.replace("cached, on: 1", "hosts").replace("{ cores: 2 }", `{ cores: 2${more} }`);
      return parseAnyScenario(text, join(folder, "query.yaml"), { set }).scenario as SparkScenario;
    };
    const usual = { min: 0, initial: 0, max: 4, backlogUs: 1e6, sustainedUs: 1e6, idleUs: 60e6, startUs: 5e6 };
    expect(allocationOf("").allocation).toBeUndefined();
    expect(allocationOf(", dynamic: false").allocation).toBeUndefined();
    expect(allocationOf(", dynamic: true").allocation).toEqual(usual);
    expect(allocationOf(", dynamic: true", ["executors.dynamic.idle=never"]).allocation).toEqual({
      ...usual,
      idleUs: Infinity,
    });
    const said = allocationOf(", dynamic: { min: 1, initial: 2, max: 3, backlog: 3s, idle: 5s, start: 0s }");
    expect(said.allocation).toEqual({
      min: 1,
      initial: 2,
      max: 3,
      backlogUs: 3e6,
      sustainedUs: 3e6,
      idleUs: 5e6,
      startUs: 0,
    });
    expect(said.executors).toEqual([]);
    const { summary } = await runScenario(said, "/");
    expect(summary).toMatchObject({ stopped: "all-jobs-ended", cluster: { resources: { cores: 6 } } });
    writeFileSync(
      join(folder, "dynamic.conf"),
      "spark.dynamicAllocation.enabled true\nspark.dynamicAllocation.minExecutors 2\nspark.executor.instances 7\nspark.executor.cores 3\n",
    );
    const conf = [`scheduler.conf=${join(folder, "dynamic.conf")}`];
    expect(allocationOf("", conf).allocation).toEqual({ ...usual, min: 2, initial: 7, max: 7 });
    expect(allocationOf(", dynamic: { min: 0, initial: 1 }", conf).allocation).toMatchObject({ min: 0, initial: 1 });
    expect(allocationOf(", dynamic: false", conf).executors.length).toBe(4);
    const counted = parseAnyScenario(QUERY, join(folder, "q.yaml"), { set: [...conf, "executors={count: 3}"] });
    expect((counted.scenario as SparkScenario).executors.map(({ cores }) => cores)).toEqual([3, 3, 3]);
    expect(counted.notes).toEqual(["spark.dynamicAllocation of scheduler.conf has no effect beside executors.count"]);
  });

  it("notes where hosts may take any number of executors", () => {
    const note = "up to 9 executors may come, and hosts whose cores are not told take any number of them";
    expect(notesOf(["workload.jobs.2.stages.0.input=none", "executors={dynamic: {max: 9}}"])).toEqual([
      expect.stringContaining(note),
    ]);
    expect(
      notesOf(["workload.jobs.2.stages.0.input=none", "executors={dynamic: {max: 9}}", "cluster.cores=4"]),
    ).toEqual([]);
    expect(notesOf(["workload.jobs.2.stages.0.input=none", "executors={dynamic: {max: 4}}"])).toEqual([]);
  });

  it("notes pools that no job is in, and pools of jobs that are not declared", () => {
    const fair = (name: string): string[] => ["scheduler.mode=FAIR", `scheduler.pools=[{name: ${name}, weight: 3}]`];
    expect(notesOf(fair("fast"))).toEqual([]);
    expect(notesOf(fair("fats"))).toEqual([
      'no job is in pool "fats", which is declared',
      'pool "fast" of jobs is not declared: it has weight 1 and no min share, as in Spark',
    ]);
    expect(notesOf(["scheduler.mode=FAIR"])).toEqual([]);
  });

  it("notes racks where every host names its own", () => {
    const hosts = (racks: string): string => `cluster={racks: 3, hosts: [${racks}]}`;
    const named = [1, 2, 3, 4].map((i) => `{name: h${String(i)}, rack: r}`).join(", ");
    expect(notesOf([hosts(named)])).toEqual(["cluster.racks has no effect where every host names its rack"]);
    expect(notesOf([hosts(`${named}, {name: h5}`)])).toEqual([]);
  });

  it("notes hosts that a table of executors adds", () => {
    writeFileSync(join(folder, "two.csv"), "executor,host,rack,cores,from_us,until_us\n1,away,,2,0,\n2,host-1,,2,0,\n");
    const table = [`executors={file: ${join(folder, "two.csv")}}`];
    const note = "tables of executors name 1 host beside cluster.hosts: it is there too";
    expect(notesOf([...table, "cluster.hosts=4"])).toEqual([note]);
    expect(notesOf([...table, "cluster.hosts=[{name: host-1}, {name: away}, {name: x}]"])).toEqual([]);
  });

  it("is refused with executors that go before they come", () => {
    expect(refusal(QUERY, ["executors={count: 4, from: 10s, until: 3s}"])).toMatch(
      /3s.*later than executors.from, 10s/,
    );
    expect(refusal(QUERY, ["executors={count: 4, until: 0s}"])).toMatch(/executors.until/);
    expect(refusal(QUERY, ["executors={count: 4, from: 10s, until: 11s}"])).toBe("");
  });

  it("says what goes wrong, and has exclusion's thresholds and reduce locality by itself or by its file of settings", async () => {
    const plain = read();
    expect([plain.failures, plain.losses, plain.scheduler.reduceLocality]).toEqual([undefined, undefined, undefined]);
    const bad = read(
      "faults: { taskFailure: 0.1, hostFailure: { host-2: 1 }, executors: { every: 10s, events: [{ executor: 3, at: 2s }] } }",
    );
    expect(bad.failures).toEqual({ chance: 0.1, chances: [undefined, 1, undefined, undefined] });
    expect(bad.losses).toEqual({
      events: [{ executor: 2, atUs: 2e6 }],
      meanUs: 10e6,
      untilUs: Infinity,
      backUs: 5e6,
      counts: true,
    });
    const { summary } = await runScenario(
      read("faults: { executors: { events: [{ executor: 1, at: 1500ms }] } }"),
      "/",
    );
    expect(summary.faults!.attemptsLost).toBeGreaterThan(0);
    writeFileSync(
      join(folder, "exclusion.conf"),
      "spark.excludeOnFailure.enabled true\nspark.excludeOnFailure.task.maxTaskAttemptsPerNode 5\nspark.shuffle.reduceLocality.enabled true\n",
    );
    const conf = [`scheduler.conf=${join(folder, "exclusion.conf")}`];
    const usual = {
      attemptsPerExecutor: 1,
      attemptsPerHost: 2,
      tasksPerExecutor: 2,
      executorsPerHost: 2,
      unschedulableUs: 120e6,
    };
    expect(read("scheduler: { exclusion: true }").scheduler.exclusion).toEqual(usual);
    expect(read("scheduler: { exclusion: { tasksPerExecutor: 7, unschedulable: 5s } }").scheduler.exclusion).toEqual({
      ...usual,
      tasksPerExecutor: 7,
      unschedulableUs: 5e6,
    });
    expect(read("", conf).scheduler).toMatchObject({ reduceLocality: true, exclusion: { attemptsPerHost: 5 } });
    expect(read("scheduler: { exclusion: { tasksPerExecutor: 7 } }", conf).scheduler.exclusion).toEqual({
      ...usual,
      attemptsPerHost: 5,
      tasksPerExecutor: 7,
    });
    const off = read("scheduler: { exclusion: false, reduceLocality: false }", conf).scheduler;
    expect([off.exclusion, off.reduceLocality]).toEqual([null, false]);
  });

  it("has its own draws for failures and losses: other seeds lose others, and none of them moves what is drawn besides", async () => {
    const print = async (more: string, set: string[] = []) =>
      (await runScenario(read(more, set), "/")).summary.fingerprint;
    const none = await print("");
    expect(await print("faults: { taskFailure: 0, executors: { every: 30d, until: 0 } }")).toBe(none);
    const lossy = "faults: { taskFailure: 0.3, executors: { every: 2s } }";
    expect(await print(lossy)).toBe(await print(lossy));
    expect(await print(lossy)).not.toBe(none);
    expect(await print(lossy, ["run.seed=2"])).not.toBe(await print(lossy));
  });

  it.each<[string, string, string]>([
    ["a probability above 1", "faults: { taskFailure: 2 }", "allowed a number from 0 to 1"],
    ["a probability that is none", "faults: { hostFailure: { host-1: often } }", "allowed a number from 0 to 1"],
    [
      "a bad host that is none",
      "faults: { hostFailure: { host-9: 0.5 } }",
      'found "host-9" for faults.hostFailure.host-9, allowed host-1',
    ],
    ["losses without end", "faults: { executors: { every: 1ms } }", "allowed a time from 1s to"],
    [
      "a loss of nobody",
      "faults: { executors: { events: [{ executor: 5, at: 1s }] } }",
      'found "5" for faults.executors.events.0.executor, allowed 1 to 4',
    ],
    ["a loss at no time", "faults: { executors: { events: [{ executor: 1 }] } }", "faults.executors.events.0.at"],
    [
      "no losses in a list",
      "faults: { executors: { events: [] } }",
      "allowed a list of at least one of losses {executor, at}",
    ],
    ["blame that is a word", "faults: { executors: { blame: maybe } }", "allowed true or false"],
    ["an unknown fault", "faults: { mapFailure: 0.1 }", "allowed taskFailure, hostFailure, executors"],
    [
      "exclusion after no failure",
      "scheduler: { exclusion: { tasksPerExecutor: 0 } }",
      "allowed a whole number from 1",
    ],
    [
      "exclusion by an unknown key",
      "scheduler: { exclusion: { tasksPerExecutr: 1 } }",
      'did you mean "tasksPerExecutor"?',
    ],
    [
      "exclusion that is a number",
      "scheduler: { exclusion: 3 }",
      "allowed true, false, or a mapping {attemptsPerExecutor",
    ],
    ["reduce locality that is a number", "scheduler: { reduceLocality: 0.2 }", "allowed true or false"],
    ["no failures at most", "scheduler: { maxFailures: 0 }", "allowed a whole number from 1 to 1000"],
    ["an unknown section", "storage: { replication: 2 }", 'found the key "storage"'],
    ["an unknown setting", "scheduler: { wiat: 3s }", 'did you mean "wait"?'],
    ["a release that is none", 'scheduler: { version: "1.6" }', "allowed 2.4, 3.0, 3.1, 3.5, 4.0"],
    [
      "a release without rules of its own",
      "scheduler: { version: 3.2 }",
      "; the rules of 3.1 hold for releases from 3.1 on up to 3.5",
    ],
    [
      "a release of three numbers",
      'scheduler: { version: "4.1.1" }',
      "; the rules of 4.0 hold for releases from 4.0 on",
    ],
    ["a release before all rules", "scheduler: { version: 2 }", "; those of releases before 2.4 are not known"],
    ["a time without a unit", "runtime: { launch: 5 }", "write a unit"],
    ["too many cores for a task", "scheduler: { taskCores: 3 }", "allowed at most the 2 of executors.cores"],
    ["a speed of no host", "run: { seed: 1 }\ncompare: { systems: [] }", "a list of at least one of systems"],
    [
      "a section of Hadoop's in a comparison",
      "compare: { systems: [{ name: a, set: { storage.x: 1 } }] }",
      "allowed cluster, executors",
    ],
    ["a file that is not there", "scheduler: { conf: none.conf }", "none.conf"],
  ])("is refused with %s", (_, more, message) => {
    expect(refusal(QUERY + more)).toContain(message);
  });

  it.each<[string, string[], string]>([
    ["a job after none", ["workload.jobs.report.after=quest"], 'found "quest"'],
    [
      "a job after a later one",
      ["workload.jobs.load.after=report"],
      'found "report" for workload.jobs.0.after, allowed a job listed before it: none is, as this one is the first',
    ],
    [
      "a job after itself",
      ["workload.jobs.query.after=query"],
      'found "query" for workload.jobs.1.after, allowed a job listed before it: load',
    ],
    [
      "stages in a circle",
      ["workload.jobs.load.stages.read.parents=[write]"],
      "allowed a stage listed before it: none is, as this one is the first",
    ],
    [
      "a stage before itself",
      ["workload.jobs.load.stages.write.parents=[write]"],
      "allowed a stage listed before it: read",
    ],
    [
      "more tasks than memory holds",
      ["workload.jobs.load.count=1e6", "workload.jobs.load.stages.read.tasks=1e6"],
      "found 1000004000007 tasks, allowed at most 20000000",
    ],
    [
      "input on too many hosts",
      ["workload.jobs.load.stages.read.on=5"],
      "found 5 for workload.jobs.0.stages.0.on, allowed all, or at most the 4 hosts that there are",
    ],
    ["input on too many executors", ["workload.jobs.report.stages.0.on=9"], "at most the 4 executors that there are"],
    ["too many replicas", ["workload.jobs.load.stages.read.replicas=5"], "allowed at most the 4 hosts that there are"],
    [
      "more replicas than hosts with input",
      ["workload.jobs.load.stages.read={name: read, tasks: 1, time: 1s, input: hosts, replicas: 3, on: 2}"],
      "allowed at most the 2 of on",
    ],
    ["a stage of a stage that is none", ["workload.jobs.load.stages.write.parents=[raed]"], "raed"],
    ["a name twice", ["workload.jobs.query.name=load"], 'the job name "load" a second time'],
    ["a speed of a host that is none", ["cluster.speeds={host-9: 2}"], 'found "host-9"'],
    ["no number", ["workload.jobs.load.stages.read.tasks=-1"], "found -1"],
    ["a huge number", ["executors.count=1e12"], "allowed a whole number"],
    [
      "a number beside dynamic allocation",
      ["executors={dynamic: true, count: 3}"],
      "found executors.count beside executors.dynamic, allowed one of them: executors come as they are needed",
    ],
    [
      "a table beside dynamic allocation",
      ["executors={dynamic: {max: 3}, file: x.csv}"],
      "found executors.file beside executors.dynamic",
    ],
    ["fewer at most than at least", ["executors={dynamic: {min: 5, max: 3}}"], "allowed at most the 3 of max"],
    ["fewer at first than at least", ["executors={dynamic: {min: 5, initial: 3}}"], "allowed at least the 5 of min"],
    ["more at first than at most", ["executors={dynamic: {initial: 5, max: 3}}"], "allowed at most the 3 of max"],
    ["no executor at most", ["executors={dynamic: {max: 0}}"], "allowed a whole number from 1 to 1000000"],
    ["a timeout of none", ["executors={dynamic: {backlog: 0s}}"], "allowed a time from 1ms to 365d"],
    ["an unknown key", ["executors={dynamic: {idel: 5s}}"], 'did you mean "idle"?'],
    ["dynamic allocation that is a number", ["executors={dynamic: 5}"], "allowed true, false, or a mapping {min, max"],
    [
      "a loss of an executor by a name, where none has one",
      [
        "executors={dynamic: true}",
        "workload.jobs.report.stages.0.input=none",
        "faults.executors.events=[{executor: driver, at: 1s}]",
      ],
      'found "driver" for faults.executors.events.0.executor, allowed a whole number from 1: under dynamic allocation',
    ],
    [
      "input in executors that are not there yet",
      ["executors={dynamic: true}"],
      "found cached for workload.jobs.2.stages.0.input, allowed none, hosts: under dynamic allocation",
    ],
    [
      "times beside their table",
      ["executors.file=x.csv", "executors.from=1s"],
      "found executors.from beside executors.file",
    ],
  ])("is refused with %s", (_, set, message) => {
    expect(refusal(QUERY, set)).toContain(message);
  });

  it("is no scenario of Hadoop, and another platform is told of", () => {
    expect(() => parseScenario(QUERY, "query.yaml")).toThrow("found a scenario of the platform spark");
    expect(refusal(QUERY.replace("platform: spark", "platform: mesos"))).toMatch(
      /found "mesos" for platform, allowed hadoop, spark/,
    );
  });

  it("gives one fingerprint, by whatever steps, and its summary has Spark's words", async () => {
    const [first, second] = [await runScenario(read(), "/"), await runScenario(read(), "/")];
    expect(second.summary.fingerprint).toBe(first.summary.fingerprint);
    expect(first.summary).toMatchObject({
      stopped: "all-jobs-ended",
      jobs: { submitted: 5, ended: 5, failed: 0 },
      tasks: { task: { submitted: 19, ended: 19 } },
      cluster: { nodes: 4, racks: 2, resources: { cores: 8 } },
    });
    expect(first.summary.groups.map(({ name }) => name)).toEqual(["default", "fast"]);
    const other = await runScenario(read("", ["run.seed=2"]), "/");
    expect(other.summary.fingerprint).not.toBe(first.summary.fingerprint);
  });

  it("stops when its time is up, and a stage that can never start is stuck", async () => {
    const { summary } = await runScenario(read("", ["run.until=2s"]), "/");
    expect([summary.stopped, summary.virtualSeconds]).toEqual(["until", 2]);
  });

  it("is stuck where nothing can ever start: a day after the last end, to the microsecond, patience is over", async () => {
    const place = join(folder, "stuck");
    mkdirSync(place);
    // The second executor goes while the first stage runs: a barrier stage that had room has none any more.
    writeFileSync(join(place, "executors.csv"), "executor,host,cores,from_us,until_us\na,x,1,0,\nb,y,1,0,5000000\n");
    const text =
      "platform: spark\nexecutors: { file: executors.csv }\nworkload: { kind: jobs, jobs: [{ name: j, stages: " +
      "[{ name: one, tasks: 1, time: 10s }, { name: two, tasks: 2, time: 1s, barrier: true }] }] }\n";
    const stuck = parseAnyScenario(text, join(place, "scenario.yaml")).scenario;
    const { summary: stopped } = await runScenario(stuck, place);
    expect(stopped.stopped).toBe("stuck");
    expect(stopped.virtualSeconds).toBe(stopped.stuck!.sinceSeconds + 24 * 3600);
    const impatient = { ...stuck, run: read("", ["run.stuckAfter=1m"]).run };
    const { stuck: soon } = (await runScenario(impatient, place)).summary;
    expect(soon).toMatchObject({ afterSeconds: 60, sinceSeconds: stopped.stuck!.sinceSeconds, waiting: 1 });
  });
});

describe("fewer executors than the table has", () => {
  const table =
    "executor,host,cores,from_us,until_us\na,x,2,0,5000000\nb,x,4,0,\nc,y,2,1000000,\nd,y,2,2000000,4000000\n";

  it("come as there is room, those that come first first; cores are those that the scenario says", () => {
    const place = join(folder, "fewer");
    mkdirSync(place);
    writeFileSync(join(place, "executors.csv"), table);
    const text = "platform: spark\nexecutors: { file: executors.csv }\nworkload: { kind: stages, file: stages.csv }\n";
    const of = (...sets: string[]) => {
      const { executors, leftOut } = parseAnyScenario(text, join(place, "scenario.yaml"), { set: sets })
        .scenario as SparkScenario;
      return [executors.map(({ id, cores, fromUs, untilUs }) => [id, cores, fromUs / 1e6, untilUs / 1e6]), leftOut];
    };
    const [a, b, c, d] = [
      ["a", 2, 0, 5],
      ["b", 4, 0, Infinity],
      ["c", 2, 1, Infinity],
      ["d", 2, 2, 4],
    ];
    expect(of()).toEqual([[a, b, c, d], []]);
    expect(of("executors.count=9")).toEqual([[a, b, c, d], []]);
    expect(of("executors.count=3")).toEqual([[a, b, c], ["d"]]);
    // c comes when a goes; d is gone by then.
    expect(of("executors.count=2")).toEqual([[a, b, ["c", 2, 5, Infinity]], ["d"]]);
    expect(of("executors.count=1")).toEqual([
      [a, ["b", 4, 5, Infinity]],
      ["c", "d"],
    ]);
    expect(of("executors.cores=3")[0]!.map((own) => own[1])).toEqual([3, 3, 3, 3]);
  });

  it("have in their memory what one that is left out had in its", async () => {
    const place = join(folder, "places");
    mkdirSync(place);
    writeFileSync(join(place, "executors.csv"), table);
    writeFileSync(join(place, "stages.csv"), "job,submit_us,stage,task,run_us,places\n0,0,0,0,1000000,y/d\n");
    const text =
      "platform: spark\nexecutors: { file: executors.csv, count: 1 }\nworkload: { kind: stages, file: stages.csv }\n";
    const { summary } = await runScenario(parseAnyScenario(text, join(place, "scenario.yaml")).scenario, place);
    expect(summary).toMatchObject({ stopped: "all-jobs-ended" });
    writeFileSync(join(place, "stages.csv"), "job,submit_us,stage,task,run_us,places\n0,0,0,0,1000000,y/e\n");
    await expect(runScenario(parseAnyScenario(text, join(place, "scenario.yaml")).scenario, place)).rejects.toThrow(
      'places holds the executor "e"',
    );
  });
});

describe("a run in which jobs fail", () => {
  it("says of each why", async () => {
    const job = (name: string, more: string) => `    - { name: ${name}, stages: [{ tasks: 3, time: 1s${more} }] }\n`;
    const text = `platform: spark
executors: { cores: 2 }
workload:
  kind: jobs
  jobs:
${job("good", "")}${job("wide-1", ", barrier: true")}${job("wide-2", ", barrier: true")}${job("wide-3", ", barrier: true")}${job("wide-4", ", barrier: true")}`;
    const { scenario } = parseAnyScenario(text, "wide.yaml");
    const { summary } = await runScenario(scenario, "/");
    expect(summary.notes).toEqual([
      "4 jobs failed (wide-1, wide-2, wide-3 and 1 more): it has a barrier stage of more tasks than the executors had room for, at 41 looks",
    ]);
  });
});
