import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
    expect(stdout).toMatchSnapshot();
    for (const file of ["scenario.yaml", "tasks.csv", "recorded.json"]) expect(made(file)).toMatchSnapshot(file);
    const run = await place.bide("run", "out/scenario.yaml", "--quiet", "--out", "ran");
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: "" });
    const replayed = await place.bide("replay", "out/scenario.yaml", "--quiet", "--json");
    expect(replayed.code).toBe(0);
    expect(JSON.parse(replayed.stdout)).toMatchSnapshot();
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
    expect(await imported("a.jhist")).toMatchSnapshot();
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

  it("keeps names of hosts, queues and users from breaking the files", async () => {
    const log = new HistoryFile().submit(0, { userName: 'a,"b\n', jobQueueName: "root.a b..c,d" });
    log.task(0, [5, 6, 9], { host: 'n 1,"x"', splits: "n 1,localhost" });
    write("a.jhist", log.text());
    expect((await imported("a.jhist")).leftOut).toHaveLength(1);
    const { code, stderr } = await place.bide("run", "out/scenario.yaml", "--quiet", "--out", "ran");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("what cannot be imported is refused in one line", () => {
  it.each([
    ["nothing", ""],
    ["text", "hello\n"],
    ["Spark's log", '{"Event":"SparkListenerLogStart","Spark Version":"3.5.1"}\n'],
    ["Avro-Binary", "Avro-Binary\n{}\n"],
    ["a head alone", "Avro-Json\n{}\n"],
    ["a job without tasks", new HistoryFile().submit(0).finish(3).text()],
  ])("%s", async (_, content) => {
    write("a", content);
    const stderr = await refused("a");
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toMatchSnapshot();
  });

  it("a folder, what is not there, what is of Hadoop for Spark, and what is there already", async () => {
    mkdirSync(join(place.path, "eventlog_v2_app-1"));
    write("a.jhist", history().text());
    write("apps.json", '{"apps":{"app":[]}}');
    await imported("a.jhist");
    write("out/mine.txt", "x");
    for (const args of [
      ["hadoop", "."],
      ["hadoop", "eventlog_v2_app-1"],
      ["hadoop", "none"],
      ["hadoop", "a.jhist", "--after-within", "1m"],
      ["hadoop", "a.jhist"],
      ["hadoop", "a.jhist", "--force"],
      ["spark", "a.jhist"],
      ["spark", "apps.json"],
    ]) {
      const { code, stderr } = await place.bide(
        "import",
        ...args,
        "--out",
        args.includes("1m") || args.includes("spark") ? "other" : "out",
      );
      expect([args, code, stderr]).toMatchSnapshot();
    }
    expect(made("mine.txt")).toBe("x");
  });
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
