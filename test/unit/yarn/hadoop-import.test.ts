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
    ...{ jobID: "job_1_1", user: "ann", queue: "etl", outcome: "SUCCESS", submitTime: ms(0), finishTime: ms(60) },
    ...{ jobMapMB: 2048, jobReduceMB: -1, otherTasks: [] },
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
    expect(maps).toEqual([{ count: 1, runUs: 10_000_000, copyUs: 0, hosts: ["n1", "n9"] }]);
    // Maps ended at 20, the shuffle at 30, all at 50.
    expect(reduces).toEqual([{ count: 1, runUs: 20_000_000, copyUs: 10_000_000, hosts: [] }]);
    expect([mapSize.memory, reduceSize.memory]).toEqual([2048, null]);
    expect(nodes.map(({ name, rack }) => `${rack}/${name}`)).toEqual(["r1/n1", "r2/n7", "r2/n9"]);
    expect(recorded?.attempts.level).toEqual(["NODE_LOCAL", "NODE_LOCAL", null, null]);
    expect(report.leftOut).toEqual([
      "2 attempts that failed or were killed: a simulated task does not fail",
      "2 attempts of tasks that succeeded more than once: the first counts",
    ]);
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
      "1 attempt that failed or were killed: a simulated task does not fail",
      "1 attempt of tasks that succeeded more than once: the first counts",
      "3 objects in which something is missing or impossible",
      "such as /0:2: jobID is missing",
      'such as /0:2: found "x" between objects',
      expect.stringMatching(/^such as \/0:2: is no JSON/),
    ]);
  });
});

describe("Jobs and nodes of SLS", () => {
  const load = {
    ...{ "am.type": "mapreduce", "job.start.ms": "2000", "job.end.ms": 60_000, "job.queue.name": "q", "job.id": "j" },
    ...{ "job.user": "ann", "am.memory-mb": 512 },
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
      `0: has no whole object that can be used (0:1: ${message}); allowed: job histories (.jhist), traces of Rumen, jobs and nodes of SLS`,
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
