import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HadoopImport, importJobs, InputError, readHadoopRecords } from "../../../dist/io/index.js";
import { HistoryFile, ms } from "../../support/job-history.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-hadoop-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function made(...texts: string[]): Promise<HadoopImport> {
  const files = texts.map((text, i) => {
    const file = join(folder, String(i));
    writeFileSync(file, text);
    return file;
  });
  return importJobs(await readHadoopRecords(files), files);
}

/** All that files become, a line each: jobs, their tasks, nodes, queues, what was recorded, and the report. */
async function digest(...texts: string[]): Promise<string> {
  const { jobs, nodes, queues, recorded, report, ...rest } = await made(...texts);
  const { folded, guessed, leftOut, warnings } = report;
  return [
    ...[rest, { queues }, ...nodes, ...(recorded === null ? [] : [recorded.jobs, recorded.stages, recorded.attempts])],
    ...jobs.flatMap(({ maps, reduces, ...job }) => [job, ...maps, ...reduces]),
    ...[...folded, ...guessed, ...leftOut, ...warnings],
  ]
    .map((row) => (typeof row === "string" ? row : JSON.stringify(row)).replaceAll(`${folder}/`, ""))
    .join("\n");
}

async function expectRefused(...texts: string[]): Promise<void> {
  const error: unknown = await made(...texts).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  expect((error as InputError).message.replaceAll(`${folder}/`, "")).toMatchSnapshot();
}

describe("A trace of Rumen", () => {
  const attempt = (from: number, until: number, more: object = {}): object => ({
    attemptID: `a${String(from)}`,
    hostName: "/r1/n1",
    result: "SUCCESS",
    startTime: ms(from),
    finishTime: ms(until),
    shuffleFinished: -1,
    ...more,
  });
  const map = { taskID: "m0", preferredLocations: [{ layers: ["r1", "n1"] }, { layers: ["r2", "n9"] }] };
  const job = {
    jobID: "job_1_1",
    user: "ann",
    queue: "etl",
    outcome: "SUCCESS",
    submitTime: ms(0),
    finishTime: ms(60),
    jobMapMB: 2048,
    jobReduceMB: -1,
    otherTasks: [],
    mapTasks: [{ ...map, attempts: [attempt(5, 9, { result: "FAILED" }), attempt(12, 40), attempt(10, 20)] }],
    reduceTasks: [{ taskID: "r0", attempts: [attempt(15, 50, { hostName: "/r2/n7", shuffleFinished: ms(30) })] }],
  };

  const tree = { name: "<root>", children: [{ name: "rackX", children: [{ name: "n1" }, { name: "n55" }] }] };
  const bare = { ...map, preferredLocations: [], attempts: [attempt(5, 9, { hostName: "n1" })] };

  it.each<[string, string[]]>([
    // Pretty-printed, one after the other, as Rumen writes them.
    [
      "gives tasks, places, racks and sizes; the success that ended first counts",
      [[job, { ...job, jobID: "job_1_2", submitTime: ms(100) }].map((one) => JSON.stringify(one, null, 2)).join("\n")],
    ],
    [
      "takes racks of a topology beside it",
      [JSON.stringify(tree), JSON.stringify({ ...job, mapTasks: [bare], reduceTasks: [] })],
    ],
    [
      "that is cut, or holds other objects, is read as far as it goes",
      [`${JSON.stringify(job)}\n{"jobID": ""} x {"mapTasks": [}\n{"jobID": "job_1_9", "map`],
    ],
  ])("%s", async (_, texts) => {
    expect(await digest(...texts)).toMatchSnapshot();
  });
});

describe("Jobs and nodes of SLS", () => {
  const load = {
    "am.type": "mapreduce",
    "job.start.ms": "2000",
    "job.end.ms": 60_000,
    "job.queue.name": "q",
    "job.id": "j",
    "job.user": "ann",
    "am.memory-mb": 512,
    "job.tasks": [
      { "container.host": "/x/n1", "container.start.ms": 3000, "container.end.ms": 7500, "container.type": "map" },
      { "container.host": "/x/n2", "container.start.ms": 3000, "container.end.ms": 4000, "container.vcores": 2 },
      { "container.start.ms": 9000, "container.end.ms": 12_000, "container.type": "reduce" },
    ],
  };
  const rack = { rack: "r1", nodes: [{ node: "n1" }, { node: "n2", "memory-mb": "4096", vcores: 4 }, {}] };

  it("give the hosts asked for, sizes, and nodes with SLS's defaults", async () => {
    expect(await digest(JSON.stringify(load), JSON.stringify(rack))).toMatchSnapshot();
  });

  it("of which only lengths are told have nothing to compare; copies get numbers", async () => {
    const tasks = [{ "duration.ms": 100, count: 3 }];
    const copies = { ...load, "job.count": 2, "job.tasks": tasks };
    expect(await digest(JSON.stringify(copies), JSON.stringify(rack))).toMatchSnapshot();
  });

  it.each([
    { "duration.ms": 0 },
    { "duration.ms": "x" },
    { "duration.ms": 5, count: -1 },
    { "duration.ms": 5, "container.memory-mb": 1e300 },
    { "duration.ms": 5, "container.type": "other" },
  ])("with %j are refused", async (task) => {
    await expectRefused(JSON.stringify({ ...load, "job.tasks": [task] }));
  });

  it("may not stand beside histories, and need nodes and jobs", async () => {
    await expectRefused(JSON.stringify(load), new HistoryFile().submit(0).task(0, [1, 2, 3]).text());
    await expectRefused(JSON.stringify({ ...load, "job.tasks": [{ "duration.ms": 5 }] }));
    await expectRefused(JSON.stringify(rack));
  });
});

it("Hosts that could hold queues, and jobs far in time, stay within what a scenario may have", async () => {
  const log = (number: number, queue: string, at: number): string =>
    new HistoryFile(number)
      .submit(at, { jobQueueName: queue })
      .task(0, [at + 1, at + 2, at + 3])
      .text();
  const logs = [log(1, "a", 0), log(2, "root.a.b", 1), log(3, "root", 2), log(4, "a", -1.6e9)];
  expect(await digest(...logs)).toMatchSnapshot();
});

describe("A synthetic load of SLS", () => {
  const flat = {
    class_name: "small",
    user_name: "ann",
    class_weight: 1,
    mtasks_avg: 4,
    mtasks_stddev: 1,
    rtasks_avg: 2,
    rtasks_stddev: 0.5,
    mtime_avg: 10,
    mtime_stddev: 2,
    rtime_avg: 20,
    rtime_stddev: 4,
    map_max_memory_avg: 2048,
    map_max_memory_stddev: 0.001,
    map_max_vcores_avg: 2,
    map_max_vcores_stddev: 0.001,
    reduce_max_memory_avg: 100,
    reduce_max_memory_stddev: 1,
    reduce_max_vcores_avg: 1,
    reduce_max_vcores_stddev: 0.001,
    dur_avg: 60,
  };
  const task = (type: string, more: object = {}): object => ({
    type,
    count: { val: 3 },
    time: { val: 5 },
    max_memory: { val: 1500 },
    max_vcores: { val: 1 },
    ...more,
  });
  const workload = {
    workload_name: "w",
    workload_weight: 1,
    queue_name: "q",
    job_classes: [flat],
    time_distribution: [
      { time: 10, weight: 1 },
      { time: 70, weight: 0 },
    ],
  };
  const load = (more: object = {}, of: object = {}): string => {
    const workloads = [{ ...workload, ...of }];
    return JSON.stringify({ num_nodes: 8, nodes_per_rack: 4, num_jobs: 400, rand_seed: 7, workloads, ...more });
  };
  const listed = (...tasks: object[]): object => ({
    job_classes: [{ class_name: "c", class_weight: 1, type: "mapreduce", tasks }],
  });
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

  it("draws jobs by its means and deviations, in its buckets of time, on its nodes", async () => {
    const { jobs, nodes } = await made(load());
    const one = { ...jobs[0]!, maps: [], reduces: [] };
    expect([jobs.length, nodes, one]).toMatchSnapshot();
    // The first comes at 0 whatever its bucket; all within a minute.
    expect(jobs.every(({ submitUs }) => submitUs >= 0 && submitUs < 60e6)).toBe(true);
    expect(mean(jobs.map(({ submitUs }) => submitUs))).toBeCloseTo(29.5e6, -7);
    const times = jobs.flatMap(({ maps }) => maps.map(({ runUs }) => runUs / 1e6));
    expect(mean(times)).toBeCloseTo(10, 0);
    expect(Math.sqrt(mean(times.map((time) => (time - 10) ** 2)))).toBeCloseTo(2, 0);
    expect(mean(jobs.map(({ maps }) => maps.length))).toBeCloseTo(4, 0);
    expect(mean(jobs.flatMap(({ reduces }) => reduces.map(({ runUs }) => runUs / 1e6)))).toBeCloseTo(20, 0);
    expect(new Set(jobs.flatMap(({ maps }) => maps.flatMap(({ hosts }) => hosts))).size).toBe(8);
  });

  it("is the same each time, another with another seed, and its jobs do not hang on how many there are", async () => {
    const drawn = async (more: object): Promise<unknown[]> =>
      (await made(load(more, { time_distribution: [{ time: 0, weight: 1 }] }))).jobs.map(({ maps }) => maps);
    const all = await drawn({});
    expect(await drawn({})).toEqual(all);
    expect(await drawn({ num_jobs: 100 })).toEqual(all.slice(0, 100));
    expect(await drawn({ rand_seed: 8 })).not.toEqual(all);
  });

  it("may list tasks with constants, other distributions and choices; other nodes beside it count", async () => {
    const tasks = [
      task("map", { count: { discrete: ["1", "9"], weights: [1, 3] }, time: { val: 30, std: 3, dist: "NORM" } }),
      task("reduce", { count: { val: 0 } }),
      task("other"),
    ];
    const rack = JSON.stringify({ rack: "r1", nodes: [{ node: "n1" }, { node: "n2" }] });
    const { jobs, nodes } = await made(load({}, listed(...tasks)), rack);
    const counts = jobs.map(({ maps }) => maps.length);
    expect(new Set(counts)).toEqual(new Set([1, 9]));
    expect(mean(counts)).toBeCloseTo(7, 0);
    expect(jobs.every(({ reduces }) => reduces.length === 0)).toBe(true);
    expect(mean(jobs.flatMap(({ maps }) => maps.map(({ runUs }) => runUs / 1e6)))).toBeCloseTo(30, 0);
    expect(nodes.map(({ name }) => name)).toEqual(["n1", "n2"]);
  });

  it("chooses workloads and classes by weight, and leaves out what is no job of mapreduce", async () => {
    const classes = [
      { ...flat, class_name: "a", class_weight: 3 },
      { ...flat, class_name: "b", chance_of_reservation: 0.5 },
      { ...flat, class_name: "s", class_weight: 90, type: "stream" },
    ];
    const { jobs, report } = await made(load({}, { job_classes: classes }));
    const ofA = jobs.filter(({ name }) => name.startsWith("a_")).length;
    expect(Math.abs(ofA - 300)).toBeLessThan(40);
    expect(jobs.filter(({ name }) => name.startsWith("s_"))).toEqual([]);
    expect(report.leftOut).toMatchSnapshot();
  });

  const classOf = (more: object): object => ({ job_classes: [{ ...flat, ...more }] });
  it.each<[string, string]>([
    ["no jobs", load({ num_jobs: 0 })],
    ["too many", load({ num_jobs: 1e9 })],
    ["half a job", load({ num_jobs: "1.5" })],
    ["nothing to draw from", load({}, { job_classes: [] })],
    ["no time", load({}, { time_distribution: [] })],
    ["weights of 0", load({}, { workload_weight: 0 })],
    ["a word", load({}, classOf({ mtime_avg: "long" }))],
    ["a time of 0", load({}, classOf({ rtime_avg: 0 }))],
    ["less than nothing", load({}, classOf({ mtasks_avg: -3 }))],
    ["an unknown distribution", load({}, listed(task("map", { time: { val: 1, std: 1, dist: "PARETO" } })))],
    ["other numbers of weights", load({}, listed(task("map", { count: { discrete: [1, 2], weights: [1] } })))],
    ["a missing sample", load({}, listed({ type: "map", count: { val: 1 } }))],
    ["more tasks than can be held", load({ num_jobs: 1e6 }, listed(task("map", { count: { val: 500_000 } })))],
    ["no nodes", load({ num_nodes: 0 })],
    ["a cut end", load().slice(0, -20)],
  ])("with %s is refused with the place", async (_, text) => {
    await expectRefused(text);
  });
});

describe("Applications and nodes of the resource manager", () => {
  const app = {
    id: "application_1700000000000_0001",
    user: "ann",
    name: "sort",
    queue: "etl",
    state: "FINISHED",
    finalStatus: "SUCCEEDED",
    applicationType: "MAPREDUCE",
    startedTime: ms(0),
    finishedTime: ms(104),
    elapsedTime: 104_000,
    amHostHttpAddress: "n1:8042",
    // A master of 1536 MB and a vcore for 104 s, and 5 containers of 2048 MB and a vcore for 100 s.
    memorySeconds: 1536 * 104 + 5 * 2048 * 100,
    vcoreSeconds: 104 + 5 * 100,
  };
  const answer = (...apps: object[]): string => JSON.stringify({ apps: { app: apps } });
  const node = {
    rack: "/r1",
    state: "RUNNING",
    id: "n1:45454",
    nodeHostName: "n1",
    usedMemoryMB: 1024,
    availMemoryMB: 15_360,
    usedVirtualCores: 1,
    availableVirtualCores: 15,
  };

  const nodes = { node: [node, { ...node, nodeHostName: "n2" }, { ...node, state: "LOST" }] };

  it.each<[string, string[]]>([
    ["run as maps that hold together what was held, for as long", [answer(app), JSON.stringify({ nodes })]],
    [
      "begin with the launch of their masters, where that is told; failed ones count as failed",
      [answer({ ...app, startedTime: ms(-96), launchTime: ms(0), finalStatus: "KILLED" })],
    ],
    [
      "that run still, held nothing or lack something are left out, each counted",
      [
        answer(
          app,
          { ...app, id: "application_1_2", finishedTime: 0 },
          { ...app, id: "application_1_3", memorySeconds: 0 },
          { ...app, id: "../../etc" },
          { ...app, id: "application_1_5", startedTime: "soon" },
          { ...app, id: "application_1_6", finishedTime: ms(-5) },
          { ...app, id: "application_1_7", vcoreSeconds: 1e300 },
          { ...app, id: "application_1_8", applicationType: "SPARK", vcoreSeconds: 1, memorySeconds: 1 },
        ),
      ],
    ],
    [
      "give way to a job history of the same job, whatever comes first",
      [answer(app), new HistoryFile(1).submit(0).task(0, [5, 6, 9]).finish(20).text()],
    ],
    ["may be asked for one by one", [JSON.stringify({ app })]],
  ])("%s", async (_, texts) => {
    expect(await digest(...texts)).toMatchSnapshot();
  });

  it.each([
    '{"apps":null}',
    answer({ ...app, id: 7 }),
    answer({ ...app, finishedTime: 0 }),
    '{"nodes":{"node":[{"id":"n1"}]}}',
    '<?xml version="1.0"?>\n<apps><app></app></apps>',
  ])("%s is refused", async (text) => {
    await expectRefused(text);
  });
});

describe("Histories that are far apart", () => {
  const DAY = 86_400;
  const log = (number: number, fromDay: number, untilDay: number): string =>
    new HistoryFile(number)
      .submit(fromDay * DAY)
      .task(0, [fromDay * DAY + 1, fromDay * DAY + 2, fromDay * DAY + 3])
      .finish(untilDay * DAY)
      .text();
  const warned = async (...texts: string[]): Promise<readonly string[]> =>
    (await made(...texts)).report.warnings.map((text) => text.replaceAll(`${folder}/`, ""));

  it.each([
    ["more than a week", [log(2, 400, 400.5), log(1, 0, 1)], 1],
    ["a week", [log(1, 0, 1), log(2, 8, 9)], 0],
    ["more than a week in which a longer job runs", [log(1, 0, 30), log(2, 1, 2), log(3, 31, 32)], 0],
    ["weeks, nine times", Array.from({ length: 9 }, (_, i) => log(i + 1, 10 * i, 10 * i + 1)), 6],
    ["what a wrong clock said", [log(1, -1e4, -1e4 + 1), log(2, 0, 1)], 1],
  ])("by %s are warned of or not", async (_, texts, count) => {
    const warnings = await warned(...texts);
    expect(warnings).toHaveLength(count);
    expect(warnings).toMatchSnapshot();
  });
});

it("The shipped histories are read whole, and name queues of the allocation file beside them", async () => {
  const shipped = new URL("../../../scenarios/yarn/history/", import.meta.url).pathname;
  const files = readdirSync(shipped).map((name) => join(shipped, name));
  const { jobs, ...rest } = importJobs(await readHadoopRecords(files), files);
  const { queues, nodes, report } = rest;
  expect([jobs.map(({ maps, reduces }) => [maps.length, reduces.length]), queues, nodes, report]).toMatchSnapshot();
});
