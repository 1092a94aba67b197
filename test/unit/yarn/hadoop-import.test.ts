import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HadoopImport, importJobs, InputError, readHadoopRecords } from "../../../dist/io/index.js";
import { HistoryFile, ms } from "../../support/job-history.js";

const ALLOWED =
  "job histories (.jhist), traces of Rumen, jobs, nodes and synthetic loads of SLS, applications and nodes of the resource manager (JSON)";

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

async function refusal(...texts: string[]): Promise<string> {
  try {
    await made(...texts);
  } catch (error) {
    if (error instanceof InputError) return error.message.replaceAll(`${folder}/`, "");
    throw error;
  }
  return "nothing";
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

  it("gives tasks, places, racks and sizes; the success that ended first counts", async () => {
    // Pretty-printed, one after the other, as Rumen writes them.
    const text = [job, { ...job, jobID: "job_1_2", submitTime: ms(100) }].map((one) => JSON.stringify(one, null, 2));
    const { jobs, nodes, recorded, report } = await made(text.join("\n"));
    expect(jobs.map(({ name, submitUs }) => [name, submitUs])).toEqual([
      ["job_1_1", 0],
      ["job_1_2", 100_000_000],
    ]);
    const [{ maps, reduces, mapSize, reduceSize }] = jobs as [HadoopImport["jobs"][number]];
    const failures = [{ heldUs: 4_000_000, reason: "FAILED" }];
    expect(maps).toEqual([
      { count: 1, runUs: 10_000_000, copyUs: 0, hosts: ["n1", "n9"], level: "NODE_LOCAL", failures },
    ]);
    // Maps ended at 20, the shuffle at 30, all at 50.
    expect(reduces).toEqual([{ count: 1, runUs: 20_000_000, copyUs: 10_000_000, hosts: [] }]);
    expect([mapSize.memory, reduceSize.memory]).toEqual([2048, null]);
    expect(nodes.map(({ name, rack }) => `${rack}/${name}`)).toEqual(["r1/n1", "r2/n7", "r2/n9"]);
    expect(recorded?.attempts.level).toEqual(["NODE_LOCAL", "NODE_LOCAL", null, null]);
    // The second success cannot be had again.
    expect(recorded?.stages.map(({ leftOut }) => leftOut?.attempts)).toEqual([1, undefined, 1, undefined]);
    expect(report.guessed).toContain("1 host that ran nothing that is told of: a node like the others");
  });

  it("takes racks of a topology beside it", async () => {
    const tree = { name: "<root>", children: [{ name: "rackX", children: [{ name: "n1" }, { name: "n55" }] }] };
    const bare = {
      ...job,
      mapTasks: [{ ...map, preferredLocations: [], attempts: [attempt(5, 9, { hostName: "n1" })] }],
    };
    const { nodes } = await made(JSON.stringify(tree), JSON.stringify({ ...bare, reduceTasks: [] }));
    expect(nodes.map(({ name, rack }) => `${rack}/${name}`)).toEqual(["rackX/n1", "rackX/n55"]);
  });

  it("that is cut, or holds other objects, is read as far as it goes", async () => {
    const { jobs, report } = await made(
      `${JSON.stringify(job)}\n{"jobID": ""} x {"mapTasks": [}\n{"jobID": "job_1_9", "map`,
    );
    expect(jobs).toHaveLength(1);
    expect(report.leftOut.map((text) => text.replace(folder, ""))).toEqual([
      "/0: its last object is cut; what comes before was read",
      "3 objects in which something is missing or impossible",
      expect.stringMatching(/^1 attempt that ran beside/),
      "such as /0:2: jobID is missing",
      'such as /0:2: found "x" between objects',
      expect.stringMatching(/^such as \/0:2: is no JSON/),
    ]);
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
    const { jobs, nodes, master, isLoad, recorded, report } = await made(JSON.stringify(load), JSON.stringify(rack));
    expect(isLoad).toBe(true);
    expect(nodes).toEqual([
      { name: "n1", rack: "r1", memory: 10_240, vcores: 10 },
      { name: "n2", rack: "r1", memory: 4096, vcores: 4 },
    ]);
    expect(master).toEqual({ memory: 512, vcores: 1 });
    expect(jobs[0]?.mapSize).toEqual({ memory: 1024, vcores: 2 });
    expect(jobs[0]?.maps.map(({ runUs, hosts }) => [runUs, ...hosts])).toEqual([
      [4_500_000, "n1"],
      [1_000_000, "n2"],
    ]);
    expect(recorded?.jobs[0]).toMatchObject({ submittedUs: 0, endedUs: 58_000_000 });
    expect(report.folded).toEqual(["1 job whose tasks of one type differ in size: all take the largest"]);
    expect(report.leftOut).toEqual(["1 unnamed node of lists"]);
  });

  it("of which only lengths are told have nothing to compare; copies get numbers", async () => {
    const tasks = [{ "duration.ms": 100, count: 3 }];
    const { jobs, recorded, report } = await made(
      JSON.stringify({ ...load, "job.count": 2, "job.tasks": tasks }),
      JSON.stringify(rack),
    );
    expect(jobs.map(({ name, maps }) => [name, maps[0]?.count])).toEqual([
      ["j-1", 3],
      ["j-2", 3],
    ]);
    expect(recorded).toBeNull();
    expect(report.leftOut).toContain(
      "what was recorded, as of 2 tasks only the length is told: bide replay has nothing to compare",
    );
  });

  it.each([
    [{ "duration.ms": 0 }, "a task takes 0 ms, allowed more than 0, as SLS wants it"],
    [{ "duration.ms": "x" }, 'duration.ms is "\\"x\\"", allowed a number'],
    [{ "duration.ms": 5, count: -1 }, "count is -1, allowed 1 to 1000000"],
    [{ "duration.ms": 5, "container.memory-mb": 1e300 }, 'container.memory-mb is "1e+300", allowed a number'],
    [{ "duration.ms": 5, "container.type": "other" }, 'container.type is "other", allowed map or reduce'],
  ])("with %j are refused", async (task, message) => {
    expect(await refusal(JSON.stringify({ ...load, "job.tasks": [task] }))).toBe(
      `0: has no whole object that can be used (0:1: ${message}); allowed: ${ALLOWED}`,
    );
  });

  it("may not stand beside histories, and need nodes", async () => {
    const history = new HistoryFile().submit(0).task(0, [1, 2, 3]).text();
    expect(await refusal(JSON.stringify(load), history)).toMatch(/^0: is a load whose times count from its start/);
    expect(await refusal(JSON.stringify({ ...load, "job.tasks": [{ "duration.ms": 5 }] }))).toMatch(
      /^0: names no host, and no list of nodes is beside it/,
    );
    expect(await refusal(JSON.stringify(rack))).toBe("0: has no job, allowed: at least one in all files");
  });
});

it("Hosts that could hold queues, and jobs far in time, stay within what a scenario may have", async () => {
  const log = (number: number, queue: string, at: number): string =>
    new HistoryFile(number)
      .submit(at, { jobQueueName: queue })
      .task(0, [at + 1, at + 2, at + 3])
      .text();
  const { queues, jobs, report } = await made(
    log(1, "a", 0),
    log(2, "root.a.b", 1),
    log(3, "root", 2),
    log(4, "a", -1.6e9),
  );
  expect(queues).toEqual(["a", "a.b", "a.jobs", "default"]);
  expect(jobs.map(({ queue, submitUs }) => [queue, submitUs])).toEqual([
    ["a.jobs", 0],
    ["a.jobs", 1.6e15],
    ["a.b", 1.600_000_001e15],
    ["default", 1.600_000_002e15],
  ]);
  expect(report.guessed).toContain('queue "a", which cannot be one here: a.jobs');
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
    const { jobs, nodes, master, isLoad, recorded, report } = await made(load());
    expect([jobs.length, isLoad, recorded, master]).toEqual([400, true, null, { memory: 1024, vcores: 1 }]);
    expect(nodes.slice(0, 3)).toEqual([
      { name: "node0", rack: "rack0", memory: 10_240, vcores: 10 },
      { name: "node1", rack: "rack1", memory: 10_240, vcores: 10 },
      { name: "node2", rack: "rack0", memory: 10_240, vcores: 10 },
    ]);
    expect([nodes.length, jobs[0]!.name, jobs[0]!.queue, jobs[0]!.user]).toEqual([8, "small_000000", "q", "ann"]);
    // The first comes at 0 whatever its bucket; all within a minute.
    expect(jobs.every(({ submitUs }) => submitUs >= 0 && submitUs < 60e6)).toBe(true);
    expect(mean(jobs.map(({ submitUs }) => submitUs))).toBeCloseTo(29.5e6, -7);
    const times = jobs.flatMap(({ maps }) => maps.map(({ runUs }) => runUs / 1e6));
    expect(mean(times)).toBeCloseTo(10, 0);
    expect(Math.sqrt(mean(times.map((time) => (time - 10) ** 2)))).toBeCloseTo(2, 0);
    expect(mean(jobs.map(({ maps }) => maps.length))).toBeCloseTo(4, 0);
    expect(mean(jobs.flatMap(({ reduces }) => reduces.map(({ runUs }) => runUs / 1e6)))).toBeCloseTo(20, 0);
    // Nobody gets less than SLS's least.
    expect([jobs[0]!.mapSize, jobs[0]!.reduceSize]).toEqual([
      { memory: 2048, vcores: 2 },
      { memory: 1024, vcores: 1 },
    ]);
    expect(new Set(jobs.flatMap(({ maps }) => maps.flatMap(({ hosts }) => hosts))).size).toBe(8);
    expect(report.guessed[0]).toMatch(
      /are drawn by the stream of its rand_seed 7: of the same distributions as in SLS/,
    );
    expect(report.leftOut).toEqual(["what was recorded, as drawn jobs never ran: bide replay has nothing to compare"]);
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
    const { jobs, nodes, report } = await made(load({}, listed(...tasks)), rack);
    const counts = jobs.map(({ maps }) => maps.length);
    expect(new Set(counts)).toEqual(new Set([1, 9]));
    expect(mean(counts)).toBeCloseTo(7, 0);
    expect(jobs.every(({ reduces }) => reduces.length === 0)).toBe(true);
    expect(mean(jobs.flatMap(({ maps }) => maps.map(({ runUs }) => runUs / 1e6)))).toBeCloseTo(30, 0);
    expect(jobs[0]!.mapSize).toEqual({ memory: 1500, vcores: 1 });
    expect(nodes.map(({ name }) => name)).toEqual(["n1", "n2"]);
    expect(report.leftOut).toContain('1 class of tasks of type "other": neither maps nor reduces');
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
    expect(report.leftOut).toEqual(
      expect.arrayContaining([
        '1 class of jobs of type "stream": jobs of mapreduce alone are drawn',
        "1 class of jobs with reservations and deadlines: its jobs come without",
      ]),
    );
  });

  it.each<[string, string, string]>([
    ["no jobs", load({ num_jobs: 0 }), "num_jobs is 0, allowed a whole number from 1 to 1000000"],
    ["too many", load({ num_jobs: 1e9 }), "num_jobs is 1000000000, allowed a whole number from 1 to 1000000"],
    ["half a job", load({ num_jobs: "1.5" }), "num_jobs is 1.5, allowed a whole number from 1 to 1000000"],
    ["nothing to draw from", load({}, { job_classes: [] }), "workloads[0].job_classes has none of type mapreduce"],
    ["no time", load({}, { time_distribution: [] }), "workloads[0].time_distribution is missing or empty"],
    [
      "weights of 0",
      load({}, { workload_weight: 0 }),
      "every workload_weight of workloads is 0, allowed one above at least",
    ],
    [
      "a word",
      load({}, { job_classes: [{ ...flat, mtime_avg: "long" }] }),
      'mtime_avg is "\\"long\\"", allowed a number',
    ],
    [
      "a time of 0",
      load({}, { job_classes: [{ ...flat, rtime_avg: 0 }] }),
      "workloads[0].job_classes[0].rtime_avg is 0, allowed more than 0",
    ],
    [
      "less than nothing",
      load({}, { job_classes: [{ ...flat, mtasks_avg: -3 }] }),
      "workloads[0].job_classes[0].mtasks_avg is -3, allowed 0 to 2147483647",
    ],
    [
      "an unknown distribution",
      load({}, listed(task("map", { time: { val: 1, std: 1, dist: "PARETO" } }))),
      'workloads[0].job_classes[0].tasks[0].time.dist is "PARETO", allowed LOGNORM or NORM',
    ],
    [
      "other numbers of weights",
      load({}, listed(task("map", { count: { discrete: [1, 2], weights: [1] } }))),
      "workloads[0].job_classes[0].tasks[0].count has other numbers of values and of weights",
    ],
    [
      "a missing sample",
      load({}, listed({ type: "map", count: { val: 1 } })),
      'workloads[0].job_classes[0].tasks[0].time is missing, allowed {"val": a number}, with "std" or not, or {"discrete": [numbers]}',
    ],
  ])("with %s is refused with the place", async (_, text, message) => {
    expect(await refusal(text)).toMatch(`0: has no whole object that can be used (0:1: ${message}); allowed: `);
  });

  it("that comes to more tasks than can be held is refused, before all are drawn", async () => {
    expect(await refusal(load({ num_jobs: 1e6 }, listed(task("map", { count: { val: 500_000 } }))))).toBe(
      "0: its distributions come to about 500,000,000,000 tasks with all files beside it; allowed: at most 2,000,000, as each task is a row",
    );
  });

  it("that names no nodes, with none beside it, and one that is cut are refused", async () => {
    expect(await refusal(load({ num_nodes: 0 }))).toMatch(/^0: names no host, and no list of nodes is beside it/);
    expect(await refusal(load().slice(0, -20))).toMatch(/^0: has no whole object that can be used/);
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

  it("run as maps that hold together what was held, for as long", async () => {
    const nodes = JSON.stringify({
      nodes: { node: [node, { ...node, nodeHostName: "n2" }, { ...node, state: "LOST" }] },
    });
    const { jobs, nodes: found, isLoad, recorded, report } = await made(answer(app), nodes);
    expect(jobs).toEqual([
      expect.objectContaining({
        name: "job_1700000000000_0001",
        queue: "etl",
        submitUs: 0,
        hasFailed: false,
        reduces: [],
        maps: [{ count: 5, runUs: 100_000_000, copyUs: 0, hosts: [] }],
        mapSize: { memory: 2048, vcores: 1 },
      }),
    ]);
    expect(found).toEqual([
      { name: "n1", rack: "r1", memory: 16_384, vcores: 16 },
      { name: "n2", rack: "r1", memory: 16_384, vcores: 16 },
    ]);
    expect([isLoad, recorded]).toEqual([false, null]);
    expect(report.leftOut).toEqual([
      "what was recorded, as of 1 application no task is told: bide replay has nothing to compare",
      "1 node of lists in state LOST",
    ]);
  });

  it("begin with the launch of their masters, where that is told; failed ones count as failed", async () => {
    const waited = { ...app, startedTime: ms(-96), launchTime: ms(0), finalStatus: "KILLED" };
    const { jobs } = await made(answer(waited));
    expect(jobs[0]).toMatchObject({ maps: [{ count: 5, runUs: 100_000_000 }], hasFailed: true });
  });

  it("that run still, held nothing or lack something are left out, each counted", async () => {
    const { jobs, report } = await made(
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
    );
    expect(jobs.map(({ name, maps }) => [name, maps[0]!.count])).toEqual([
      ["job_1700000000000_0001", 5],
      ["job_1_8", 1],
    ]);
    expect(report.leftOut.slice(1)).toEqual([
      "1 application that had not ended when the list was made",
      "1 application that held nothing",
      "4 applications in which something is missing or impossible",
    ]);
    expect(report.guessed).toContain("1 application of type SPARK: run as a job of maps");
  });

  it("give way to a job history of the same job, whatever comes first", async () => {
    const history = new HistoryFile(1).submit(0).task(0, [5, 6, 9]).finish(20).text();
    const { jobs, report } = await made(answer(app), history);
    expect(jobs.map(({ name, maps }) => [name, maps[0]!.runUs])).toEqual([["job_1700000000000_0001", 3_000_000]]);
    expect(report.leftOut).toContain("1 repeated job: the first counts");
  });

  it("may be asked for one by one", async () => {
    expect((await made(JSON.stringify({ app }))).jobs).toHaveLength(1);
  });

  it.each([
    ['{"apps":null}', "no application can be run: it lists none"],
    ['{"apps":{}}', "no application can be run: it lists none"],
    [answer({ ...app, id: 7 }), 'no application can be run: id is "", allowed as application_1700000000000_0001'],
    [answer({ ...app, finishedTime: 0 }), "no application can be run: none of them has ended and held anything"],
    ['{"nodes":{"node":[{"id":"n1"}]}}', "no node runs and tells its memory and vcores"],
  ])("%s is refused", async (text, message) => {
    expect(await refusal(text)).toMatch(`0: has no whole object that can be used (0:1: ${message}); allowed: `);
  });

  it("as XML are refused with what to ask for", async () => {
    expect(await refusal('<?xml version="1.0"?>\n<apps><app></app></apps>')).toMatch(
      /; the resource manager answers with JSON where the request says Accept: application\/json$/,
    );
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

  it("by more than a week are warned of, with both files and what to do", async () => {
    expect(await warned(log(2, 400, 400.5), log(1, 0, 1))).toEqual([
      "399 days without a job, from 2023-11-15 (job_1700000000000_0001 of 1) to 2024-12-18 (job_1700000000000_0002 of 0): " +
        "the scenario has that time too; to leave it out, import the files of each period into a folder of its own",
    ]);
  });

  it("by a week are not, nor where a longer job runs in between", async () => {
    expect(await warned(log(1, 0, 1), log(2, 8, 9))).toEqual([]);
    expect(await warned(log(1, 0, 30), log(2, 1, 2), log(3, 31, 32))).toEqual([]);
  });

  it("many times are told five times, and counted", async () => {
    const warnings = await warned(...Array.from({ length: 9 }, (_, i) => log(i + 1, 10 * i, 10 * i + 1)));
    expect(warnings).toHaveLength(6);
    expect(warnings[5]).toBe("3 more gaps of more than 7 days");
  });

  it("by a clock that was wrong are told by what it said", async () => {
    const [warning] = await warned(log(1, -1e4, -1e4 + 1), log(2, 0, 1));
    expect(warning).toMatch(/^9,999 days without a job, from 1996-06-29/);
  });
});

it("The shipped histories are read whole, and name queues of the allocation file beside them", async () => {
  const shipped = new URL("../../../scenarios/yarn/history/", import.meta.url).pathname;
  const files = readdirSync(shipped).map((name) => join(shipped, name));
  const { jobs, queues, nodes, report } = importJobs(await readHadoopRecords(files), files);
  expect(jobs.map(({ maps, reduces }) => [maps.length, reduces.length])).toEqual([
    [36, 0],
    [28, 0],
    [14, 1],
    [14, 1],
    [14, 1],
  ]);
  expect(queues).toEqual(["production", "research", "research.ml", "research.web"]);
  expect(nodes).toHaveLength(4);
  expect([report.leftOut, report.warnings]).toEqual([[], []]);
});
