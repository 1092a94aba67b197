import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HistoryFile, ms } from "../../support/job-history.js";
import { Place } from "../cli/command.js";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});

function write(name: string, content: string | Uint8Array): void {
  writeFileSync(join(place.path, name), content);
}

/** Two maps whose input is on nodes, and a reduce that had all output 2 s after the last map. */
function history(number = 1): HistoryFile {
  return new HistoryFile(number)
    .submit(0)
    .task(0, [5, 6, 16], { splits: "n1,n2", locality: "NODE_LOCAL" })
    .task(1, [5, 6, 18], { splits: "n2,n3", host: "n3", locality: "NODE_LOCAL" })
    .task(0, [7, 10, 25], { type: "r", host: "n2", more: { shuffleFinishTime: ms(20) } })
    .finish(26);
}

interface End {
  readonly read: Readonly<Record<string, number>>;
  readonly written: Readonly<Record<string, number>>;
  readonly folded: readonly string[];
  readonly guessed: readonly string[];
  readonly leftOut: readonly string[];
}

async function imported(...files: string[]): Promise<End> {
  const { code, stdout, stderr } = await place.bide("import", "hadoop", ...files, "--out", "out", "--json", "--force");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as End;
}

async function refused(...files: string[]): Promise<string> {
  const { code, stdout, stderr } = await place.bide("import", "hadoop", ...files, "--out", "out");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(place.left()).not.toContain("out");
  return stderr;
}

function made(name: string): string {
  return readFileSync(join(place.path, "out", name), "utf8");
}

describe("bide import hadoop of job histories", () => {
  it("writes a folder that runs, keeps placement, and says what it read and guessed", async () => {
    write("a.jhist", history().text());
    const { code, stdout, stderr } = await place.bide("import", "hadoop", "a.jhist", "--out", "out");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const begin of ["read: 1 file, 1 job, 3 tasks", "written: 1 job, 3 tasks", "guessed: ", "learnt: "]) {
      expect(stdout.split("\n").some((line) => line.startsWith(begin))).toBe(true);
    }
    const job = "job_1700000000000_0001";
    const rows = made("tasks.csv").trim().split("\n").slice(1);
    expect(rows.map((row) => row.split(",").slice(0, 3).join())).toEqual([
      `${job},map,10`,
      `${job},map,12`,
      `${job},reduce,5`,
    ]);
    const run = await place.bide("run", "out/scenario.yaml", "--quiet", "--out", "ran");
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
    const replayed = await place.bide("replay", "out/scenario.yaml", "--quiet", "--json");
    expect(replayed.code).toBe(0);
    const { jobs, stages, levels } = JSON.parse(replayed.stdout) as {
      jobs: { times: { recordedUs: number; simulatedUs: number }[] };
      stages: { times: { stage: string; recordedUs: number }[] };
      levels: { level: string; recorded: number; simulated: number }[];
    };
    expect(jobs.times[0]!.recordedUs).toBe(26_000_000);
    expect(jobs.times[0]!.simulatedUs).toBeGreaterThan(20_000_000);
    expect(stages.times.map(({ stage, recordedUs }) => [stage, recordedUs])).toEqual([
      ["map", 12_000_000],
      ["reduce", 15_000_000],
    ]);
    expect(levels.map(({ level, recorded }) => [level, recorded])).toEqual([
      ["node", 2],
      ["rack", 0],
      ["off-switch", 0],
    ]);
    // Nobody waits for data under the defaults of yarn-fair: where the two maps run hangs on who reports first.
    expect(levels.reduce((sum, { simulated }) => sum + simulated, 0)).toBe(2);
  });

  it("replays histories of different days without letting the time between them flatter the error", async () => {
    const day = 86_400;
    write("a.jhist", history().text());
    const later = new HistoryFile(2).submit(8 * day).task(0, [8 * day + 5, 8 * day + 6, 8 * day + 16]);
    write("b.jhist", later.finish(8 * day + 20).text());
    const { code, stdout } = await place.bide("import", "hadoop", "a.jhist", "b.jhist", "--out", "out");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning: 7 days without a job, from 2023-11-14 \(job_1700000000000_0001 of a\.jhist\)/m);
    const replayed = await place.bide("replay", "out/scenario.yaml", "--quiet", "--json");
    const { whole, gaps, busy } = JSON.parse(replayed.stdout) as Record<
      "whole" | "gaps" | "busy",
      { recordedUs: number; simulatedUs: number; error: number }
    >;
    expect([whole.recordedUs, gaps.recordedUs, busy.recordedUs]).toEqual([691_220e6, 691_174e6, 46e6]);
    expect(gaps.simulatedUs + busy.simulatedUs).toBe(whole.simulatedUs);
    expect(Math.abs(whole.error)).toBeLessThan(1e-4);
    expect(Math.abs(busy.error)).toBeGreaterThan(0.01);
    expect((await place.bide("replay", "out/scenario.yaml", "--quiet")).stdout).toMatch(
      /^Idle {12}691,174 s recorded, 691,\d{3} s simulated: no job runs, 100\.0 % of the time recorded;$/m,
    );
  });

  it("makes the same of gzip, of several files in any order, and of events out of order", async () => {
    write("a.jhist", history().text());
    write("b.jhist", history(2).text());
    await imported("a.jhist", "b.jhist");
    const [tasks, recorded] = [made("tasks.csv"), made("recorded.json")];
    write("a.gz", gzipSync(history().text()));
    write("b.jhist", history(2).text(history(2).lines.toReversed()));
    await imported("b.jhist", "a.gz");
    expect([made("tasks.csv"), made("recorded.json")]).toEqual([tasks, recorded]);
  });

  it("takes the attempt that succeeded, and counts the others", async () => {
    const [taskid, attemptId] = history().names(0);
    const [, again] = history().names(0, "m", 1);
    const log = new HistoryFile().submit(0).event("MAP_ATTEMPT_STARTED", "TaskAttemptStarted", {
      taskid,
      attemptId: again,
      startTime: ms(1),
      trackerName: "n1",
    });
    log.event("MAP_ATTEMPT_FAILED", "TaskAttemptUnsuccessfulCompletion", {
      taskid,
      attemptId: again,
      finishTime: ms(50),
      hostname: "n1",
      status: "FAILED",
    });
    log.task(0, [5, 6, 9]).finish(60, "JOB_FAILED");
    log.event("MAP_ATTEMPT_STARTED", "TaskAttemptStarted", { taskid, attemptId, startTime: ms(7) });
    write("a.jhist", log.text());
    const { leftOut, guessed } = await imported("a.jhist");
    expect(made("tasks.csv").split("\n")[1]).toMatch(/,map,3,0,/);
    expect(leftOut).toHaveLength(2);
    expect(guessed).toContain(
      "1 job that failed or was killed: its tasks that ended are run, and it counts as failed then",
    );
  });

  it("has jobs that failed or were killed count as failed, and not as done", async () => {
    const ended = (number: number, type: string): string =>
      new HistoryFile(number).submit(number).task(0, [5, 6, 10]).finish(20, type).text();
    write("a.jhist", ended(1, "JOB_FINISHED"));
    write("b.jhist", ended(2, "JOB_FAILED"));
    write("c.jhist", ended(3, "JOB_KILLED"));
    await imported("a.jhist", "b.jhist", "c.jhist");
    expect(made("tasks.csv").match(/,failed(,|$)/gm)).toHaveLength(2);
    const { code, stdout } = await place.bide("run", "out/scenario.yaml", "--quiet", "--out", "ran");
    expect([code, /^Failures .*$/m.exec(stdout)?.[0]]).toEqual([0, "Failures        2 jobs failed"]);
    const { jobs, groups, responseSeconds } = JSON.parse(
      readFileSync(join(place.path, "ran/summary.json"), "utf8"),
    ) as {
      jobs: object;
      groups: { jobs: object }[];
      responseSeconds: { count: number };
    };
    expect(jobs).toEqual({ submitted: 3, ended: 3, unfinished: 0, failed: 2 });
    expect([groups[0]!.jobs, responseSeconds.count]).toEqual([jobs, 1]);
    const measured = await place.bide(
      "compare",
      "out/scenario.yaml",
      "--seeds",
      "2",
      "--measures",
      "failedJobs",
      "--quiet",
    );
    expect(measured.stdout).toMatch(/^yarn-fair +2/m);
    write("out/tasks.csv", made("tasks.csv").replace(/,failed(?=[,\n])/, ",killed"));
    expect((await place.bide("validate", "out/scenario.yaml")).stderr).toMatch(
      /^tasks\.csv:3:\d+: outcome is "killed"; allowed: succeeded, failed\n$/,
    );
  });

  it("reads what is cut, damaged, unknown, absurd and of another job as far as it goes", async () => {
    const other = history(2).lines[1]!;
    const lines = [
      ...history().lines.slice(0, -1),
      '{"type":"NEW_EVENT","event":{"org.apache.hadoop.mapreduce.jobhistory.New":{"a":1}}}',
      "{broken",
      "[]",
      '{"type":"JOB_FINISHED","event":{}}',
      '{"type":"JOB_FINISHED","event":{"org.apache.hadoop.mapreduce.jobhistory.JobFinished":{"jobid":"job_1700000000000_0001","finishTime":1e300}}}',
      '{"type":"TASK_STARTED","event":{"org.apache.hadoop.mapreduce.jobhistory.TaskStarted":{"taskid":"../../etc"}}}',
      other,
    ];
    write("a.jhist", history().text(lines) + history().lines[3]!.slice(0, 40));
    const { written, guessed, leftOut } = await imported("a.jhist");
    expect(written).toEqual({ jobs: 1, tasks: 3, nodes: 3, queues: 1 });
    expect(guessed).toContain("1 job of which no end is told: its tasks that ended are run");
    expect(leftOut).toEqual([
      "a.jhist: its last line is cut; what comes before was read",
      "2 lines without an event",
      "4 events in which something is missing or impossible",
      "such as a.jhist:27: not an event",
      "such as a.jhist:29: not an event",
      "such as a.jhist:31: JOB_FINISHED: the event is empty",
      "such as a.jhist:33: JOB_FINISHED: finishTime is missing or impossible",
      'such as a.jhist:35: TASK_STARTED: the task "../../etc" is none',
    ]);
    const { code, stderr } = await place.bide("run", "out/scenario.yaml", "--quiet", "--out", "ran");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("reads gzip that is cut as far as it goes", async () => {
    const many = new HistoryFile().submit(0);
    for (let i = 0; i < 3000; i++) many.task(i, [5, 6, 7 + ((i * 7919) % 1000)]);
    const whole = gzipSync(many.text());
    write("a.jhist", whole.subarray(0, whole.length / 2));
    const { written } = await imported("a.jhist");
    expect(written.tasks).toBeGreaterThan(500);
    expect(written.tasks).toBeLessThan(3000);
  });

  it("counts a job that stands in two files once", async () => {
    write("a.jhist", history().text());
    const { leftOut, written } = await imported("a.jhist", "a.jhist");
    expect(written.jobs).toBe(1);
    expect(leftOut).toEqual(["1 repeated job: the first counts", "such as a.jhist: job_1700000000000_0001 again"]);
  });

  it("keeps names of hosts, queues and users from breaking the files", async () => {
    const log = new HistoryFile().submit(0, { userName: 'a,"b\n', jobQueueName: "root.a b..c,d" });
    log.task(0, [5, 6, 9], { host: 'n 1,"x"', splits: "n 1,localhost" });
    write("a.jhist", log.text());
    const { leftOut } = await imported("a.jhist");
    expect(leftOut).toEqual(["1 name of hosts with input that are no machines of a cluster, such as localhost"]);
    const { code, stderr } = await place.bide("run", "out/scenario.yaml", "--quiet", "--out", "ran");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("what cannot be imported is refused in one line", () => {
  const ALL =
    "job histories (.jhist), traces of Rumen, jobs, nodes and synthetic loads of SLS, applications and nodes of the resource manager (JSON)";
  it.each<[string, string | Uint8Array, string]>([
    ["nothing", "", `a: is empty; allowed: ${ALL}`],
    ["text", "hello\n", `a: found text that begins with "hello", allowed ${ALL}`],
    ["gzip of text", gzipSync("hello"), /^a: found text that begins with .*, allowed job histories/.source],
    [
      "Spark's log",
      '{"Event":"SparkListenerLogStart","Spark Version":"3.5.1"}\n',
      `a: found an event log of Spark, allowed ${ALL}; npx bide import spark reads it`,
    ],
    [
      "Avro-Binary",
      "Avro-Binary\n{}\n",
      "a: found Avro-Binary, allowed Avro-Json: mapreduce.jobhistory.jhist.format=json writes it",
    ],
    [
      "a head alone",
      "Avro-Json\n{}\n",
      "a: has no event of a job or task; allowed: a job history, with an event in each line",
    ],
    [
      "a job without tasks",
      new HistoryFile().submit(0).finish(3).text(),
      "a: has no job of which a task ended, allowed: one at least; there is nothing to simulate",
    ],
  ])("%s", async (_, content, message) => {
    write("a", content);
    const stderr = await refused("a");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    if (message.startsWith("^")) expect(stderr).toMatch(new RegExp(message));
    else expect(stderr.trimEnd()).toBe(message);
  });

  it("what is of Hadoop, for bide import spark, with the command that reads it", async () => {
    write("a.jhist", history().text());
    write("apps.json", '{"apps":{"app":[]}}');
    for (const [name, what] of [
      ["a.jhist", "a job history of Hadoop (.jhist)"],
      ["apps.json", "a list of applications of YARN's resource manager"],
    ] as const) {
      const { code, stderr } = await place.bide("import", "spark", name, "--out", "out");
      expect([code, stderr]).toEqual([2, expect.stringMatching(`${name}: found .*npx bide import hadoop reads it`)]);
      expect(stderr).toContain(what);
    }
  });

  it("a folder, and what is not there", async () => {
    expect(await refused(".")).toBe(`.: found a folder; allowed: ${ALL}\n`);
    mkdirSync(join(place.path, "eventlog_v2_app-1"));
    expect(await refused("eventlog_v2_app-1")).toBe(
      `eventlog_v2_app-1: found a rolling event log of Spark; allowed: ${ALL}; npx bide import spark reads it\n`,
    );
    expect(await refused("none")).toBe(`none: cannot be read (no such file or directory); allowed: ${ALL}\n`);
  });

  it("an option that is Spark's", async () => {
    write("a.jhist", history().text());
    const { code, stderr } = await place.bide("import", "hadoop", "a.jhist", "--out", "out", "--after-within", "1m");
    expect([code, stderr]).toEqual([
      2,
      "--after-within: found it for hadoop, allowed for spark alone: jobs of a cluster come when they came\n",
    ]);
  });

  it("a folder that is there, or holds what others wrote", async () => {
    write("a.jhist", history().text());
    await imported("a.jhist");
    expect((await place.bide("import", "hadoop", "a.jhist", "--out", "out")).stderr).toBe(
      "out: found an existing folder, allowed a new one; --force replaces the results in it\n",
    );
    write("out/mine.txt", "x");
    expect((await place.bide("import", "hadoop", "a.jhist", "--out", "out", "--force")).stderr).toMatch(/mine\.txt/);
  });
});

it("A synthetic load and a list of applications become scenarios that run", async () => {
  const task = (type: string): object => {
    return { type, count: { val: 3, std: 1 }, time: { val: 5 }, max_memory: { val: 1024 }, max_vcores: { val: 1 } };
  };
  const classes = [{ class_name: "c", class_weight: 1, type: "mapreduce", tasks: [task("map"), task("reduce")] }];
  const workloads = [
    { workload_weight: 1, queue_name: "q", job_classes: classes, time_distribution: [{ time: 0, weight: 1 }] },
  ];
  write("syn.json", JSON.stringify({ num_nodes: 4, nodes_per_rack: 2, num_jobs: 6, rand_seed: 1, workloads }));
  const app = { id: "application_1_1", user: "ann", queue: "root.q", finalStatus: "SUCCEEDED", startedTime: ms(0) };
  const held = { finishedTime: ms(60), memorySeconds: 400_000, vcoreSeconds: 300, amHostHttpAddress: "n1:8042" };
  write("apps.json", JSON.stringify({ apps: { app: [{ ...app, ...held }] } }));
  for (const [file, jobs] of [
    ["syn.json", 6],
    ["apps.json", 1],
  ] as const) {
    expect((await imported(file)).written["jobs"]).toBe(jobs);
    const { code, stderr } = await place.bide("run", "out/scenario.yaml", "--quiet", "--out", `ran-${file}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const summary = JSON.parse(readFileSync(join(place.path, `ran-${file}/summary.json`), "utf8")) as object;
    expect(summary).toMatchObject({ stopped: "all-jobs-ended", jobs: { submitted: jobs, ended: jobs } });
  }
});

it("An import that is stopped leaves nothing", async () => {
  const many = new HistoryFile().submit(0);
  for (let i = 0; i < 40_000; i++) many.task(i, [5, 6, 7]);
  write("a.jhist", many.text());
  const child = place.start("import", "hadoop", "a.jhist", "--out", "deep/out");
  child.stdout?.resume();
  child.stderr?.resume();
  const ended = once(child, "exit");
  for (let waited = 0; waited < 10_000 && !place.left().includes("deep"); waited += 5) await setTimeout(5);
  child.kill("SIGINT");
  expect((await ended)[0]).toBe(130);
  expect(place.left()).toEqual(["a.jhist"]);
});

it("A history of which most are counters is read in a small part of its size", async () => {
  const counters = { name: "COUNTERS", groups: [{ name: "x".repeat(80_000), counts: [] }] };
  const wide = new HistoryFile().submit(0);
  for (let i = 0; i < 600; i++) wide.task(i, [5, 6, 7 + (i % 90)], { more: { counters } });
  const text = wide.finish(120).text();
  expect(text.length).toBeGreaterThan(48e6);
  write("a.jhist", text);
  const bide = fileURLToPath(new URL("../../../bin/bide.js", import.meta.url));
  const args = ["--max-old-space-size=36", bide, "import", "hadoop", "a.jhist", "--out", "out", "--quiet", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: place.path });
  expect((JSON.parse(stdout) as End).written).toEqual({ jobs: 1, tasks: 600, nodes: 1, queues: 1 });
}, 60_000);
