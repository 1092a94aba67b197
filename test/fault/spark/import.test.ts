import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SparkLog, zstdOf } from "../../support/spark-log.js";
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

/** Two tasks of one stage. */
function log(): SparkLog {
  const made = new SparkLog().start().executor("1", "n1", 2).job(0, 1000, [0]).stage(0, 1010);
  made.task(0, 0, ["1", "n1"], [1020, 1300]).task(0, 1, ["1", "n1"], [1020, 1400]);
  return made.stageEnd(0, 1010, 1400).jobEnd(0, 1410).end(2000);
}

interface End {
  readonly applications: readonly {
    readonly read: Readonly<Record<string, number>>;
    readonly written: Readonly<Record<string, number>>;
    readonly folded: readonly string[];
    readonly guessed: readonly string[];
    readonly leftOut: readonly string[];
  }[];
}

async function imported(...logs: string[]): Promise<End["applications"][number]> {
  const { code, stdout, stderr } = await place.bide("import", "spark", ...logs, "--out", "out", "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return (JSON.parse(stdout) as End).applications[0]!;
}

async function refused(...logs: string[]): Promise<string> {
  const { code, stdout, stderr } = await place.bide("import", "spark", ...logs, "--out", "out");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(place.left()).not.toContain("out");
  return stderr;
}

describe("bide import spark", () => {
  it("writes a folder and says what it read, folded, guessed and left out", async () => {
    write("log", log().text());
    const { code, stdout, stderr } = await place.bide("import", "spark", "log", "--out", "out");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const begin of [
      "app-20240101000000-0001 (test), Spark 3.5.1",
      "read: 13 lines",
      "written: 1 job",
      "folded: ",
      "guessed: ",
    ]) {
      expect(stdout.split("\n").some((line) => line.startsWith(begin))).toBe(true);
    }
    const [header = "", ...rows] = readFileSync(join(place.path, "out", "stages.csv"), "utf8")
      .trim()
      .split("\n");
    const cells = (row: string): Record<string, string> =>
      Object.fromEntries(header.split(",").map((column, at) => [column, row.split(",")[at] ?? ""]));
    expect(rows.map(cells)).toMatchObject([
      {
        job: "0",
        name: "stage 0",
        submit_us: "1000000",
        driver_us: "10000",
        run_us: "260000",
        scheduler_delay_us: "20000",
      },
      { job: "0", stage: "0", run_us: "360000", scheduler_delay_us: "20000" },
    ]);
    expect(readFileSync(join(place.path, "out", "executors.csv"), "utf8")).toBe(
      "executor,host,rack,cores,from_us,until_us,goes,profile\n1,n1,,2,0,,,\n",
    );
  });

  it("never writes over a folder unless it is told to, and then only over its own", async () => {
    write("log", log().text());
    await imported("log");
    expect((await place.bide("import", "spark", "log", "--out", "out")).stderr).toBe(
      "out: found an existing folder, allowed a new one; --force replaces the results in it\n",
    );
    expect((await place.bide("import", "spark", "log", "--out", "out", "--force", "--quiet")).code).toBe(0);
    write("out/mine.txt", "x");
    expect((await place.bide("import", "spark", "log", "--out", "out", "--force")).stderr).toMatch(/mine\.txt/);
  });

  it("leaves nothing when it is stopped", async () => {
    const many = log();
    const line = many.lines.find((one) => one.includes("TaskEnd"))!;
    write("log", `${many.text()}${`${line}\n`.repeat(100_000)}`);
    const child = place.start("import", "spark", "log", "--out", "deep/out");
    child.stdout?.resume();
    child.stderr?.resume();
    const ended = once(child, "exit");
    for (let waited = 0; waited < 10_000 && !place.left().includes("deep"); waited += 5) {
      await setTimeout(5);
    }
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
    expect(place.left()).toEqual(["log"]);
  });

  it.each([["soon"], ["-1s"]])("refuses --after-within %s", async (time) => {
    write("log", log().text());
    const { code, stderr } = await place.bide("import", "spark", "log", "--out", "out", `--after-within=${time}`);
    expect([code, stderr]).toEqual([2, `--after-within: found "${time}", allowed a time such as 1m or 0s\n`]);
  });
});

describe("what is no event log is refused in one line", () => {
  const FILE =
    "an event log of Spark: a file, a folder eventlog_v2_... with its events_N_... files, or a folder of Databricks with eventlog and eventlog-DATE files";
  const LINE = 'an event log of Spark: a JSON object with the key "Event" in each line';
  it.each<[string, string | Uint8Array, string]>([
    ["nothing", "", `is empty; allowed: ${FILE}`],
    ["blank lines", "\n\n \n", "has no line of an event; allowed: an event log of Spark"],
    ["a word", "hello\n", `1:1: found "hello", allowed ${LINE}`],
    ["other JSON", '{"a":1}\n', `1:1: found "{\\"a\\":1}", allowed ${LINE}`],
    [
      "a list",
      '[{"Event":"SparkListenerLogStart"}]\n',
      `1:1: found "[{\\"Event\\":\\"SparkListenerLogStart\\"}]", allowed ${LINE}`,
    ],
    ["events of others", '{"Event":"Other"}\n', "has no line of an event; allowed: an event log of Spark"],
    [
      "gzip of nothing",
      Buffer.from([0x1f, 0x8b, 8, 0]),
      "has no line of an event (log: it ends inside its gzip data; what comes before was read); allowed: an event log of Spark",
    ],
    [
      "lz4",
      Buffer.from("LZ4Block...."),
      "found lz4 blocks of Java; allowed: plain text, gzip or zstd; Spark writes zstd with spark.eventLog.compression.codec=zstd, and plain text without spark.eventLog.compress",
    ],
    [
      "wide zstd",
      zstdOf(Buffer.from(log().text()), 28),
      "found zstd that needs a window of 256MB; allowed: at most 128MB; --zstd-window 256MB reads it, in that much memory",
    ],
    [
      "no job",
      new SparkLog().start().executor("1", "n1", 1).text(),
      "has no job of which a task ended, allowed a log with one: there is nothing to simulate",
    ],
  ])("%s", async (_, content, message) => {
    write("log", content);
    const stderr = await refused("log");
    expect(stderr.split("\n")[0]!.replace(/^log: ?|^log:/, "")).toBe(message);
  });

  it("bytes", async () => {
    write("log", Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251)));
    expect(await refused("log")).toMatch(/^log:1:1: found ".*", allowed an event log of Spark/);
  });

  it("a folder of anything, a folder with a gap, and what is not there", async () => {
    mkdirSync(join(place.path, "empty"));
    expect(await refused("empty")).toBe(
      `empty: found a folder without events_N_... and eventlog-DATE files; allowed: ${FILE}\n`,
    );
    mkdirSync(join(place.path, "eventlog_v2_a"));
    write("eventlog_v2_a/events_1_a", log().text());
    write("eventlog_v2_a/events_3_a", log().text());
    expect(await refused("eventlog_v2_a")).toBe(
      "eventlog_v2_a/events_3_a: found events_3_... after events_1_...; allowed: numbers without gaps, each once\n",
    );
    expect(await refused("none")).toBe(`none: cannot read none (no such file or directory); allowed: ${FILE}\n`);
  });

  it("the same application twice", async () => {
    write("a", log().text());
    write("b", log().text());
    expect(await refused("a", "b")).toBe(
      'b: is of application "app-20240101000000-0001", as is "a"; allowed: each once\n',
    );
  });
});

describe("of a damaged log what is whole is read, and the rest is told", () => {
  it("a last line that is cut", async () => {
    write("log", log().text().slice(0, -30));
    const { leftOut, written } = await imported("log");
    expect(written.tasks).toBe(2);
    expect(leftOut).toEqual(["log: its last line is cut; what comes before was read"]);
  });

  it("zstd with a wide window is read where the option says so", async () => {
    write("log", zstdOf(Buffer.from(log().text()), 28));
    const { code, stderr } = await place.bide("import", "spark", "log", "--out", "wide", "--zstd-window", "256MB");
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("zstd that ends inside a frame", async () => {
    const packed = zstdOf(Buffer.from(log().text()), 17, 100);
    write("log", packed.subarray(0, packed.length - 40));
    const { leftOut, written } = await imported("log");
    expect(written.tasks).toBe(2);
    expect(leftOut).toEqual(["log: it ends inside its zstd data; what comes before was read"]);
    write("log", packed.subarray(0, 60));
    const { stderr } = await place.bide("import", "spark", "log", "--out", "none");
    expect(stderr).toMatch(/^log:.* allowed:? an event log of Spark/);
  });

  it("zstd that is broken in the middle", async () => {
    const text = log().text();
    const packed = zstdOf(Buffer.from(text + text.slice(0, 1 << 17).repeat(20)));
    packed.fill(0xff, packed.length - 3000);
    write("log", packed);
    await place.bide("import", "spark", "log", "--out", "out");
    const { code, stderr } = await place.bide("import", "spark", "log", "--out", "again");
    expect(stderr).not.toMatch(/^ +at /m);
    expect([0, 2]).toContain(code);
  });

  it("lines that are no JSON, or deeper than anybody writes", async () => {
    const made = log();
    made.lines.splice(3, 0, "}{", `{"Event":"SparkListenerTaskEnd","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
    made.lines.splice(5, 0, `{"Event":"SparkListenerTaskEnd","x":${"[".repeat(1000)}`, "\0\0\0");
    write("log", made.text());
    const { leftOut, written } = await imported("log");
    expect(written.tasks).toBe(2);
    expect(leftOut).toContain("3 lines that are no event");
    expect(leftOut).toContain("such as log:4: is no JSON object of an event");
  });

  it("a line that is longer than can be held", async () => {
    const made = log();
    const line = `{"Event":"SparkListenerTaskEnd","x":"${"y".repeat(70_000_000)}"}`;
    const unwanted = `{"Event":"SparkListenerOther","x":"${"y".repeat(70_000_000)}"}`;
    made.lines.splice(3, 0, line, unwanted);
    write("log", made.text());
    const { leftOut, written } = await imported("log");
    expect(written.tasks).toBe(2);
    expect(leftOut.slice(0, 2)).toEqual(["1 line that is no event", "such as log:4: is longer than can be held"]);
  });

  it.each<[string, object]>([
    ["Launch Time", { "Launch Time": "soon" }],
    ["Launch Time", { "Launch Time": null }],
    ["Launch Time", { "Launch Time": 1e300 }],
    ["Launch Time", { "Launch Time": -5 }],
    ["Index", { Index: 1.5 }],
    ["Index", { Index: 1e15 }],
    ["Index", { Index: "__proto__" }],
  ])("a task whose %s is impossible: %j", async (what, info) => {
    const made = log();
    made.task(0, 2, ["1", "n1"], [1020, 1300], "ANY", { info });
    write("log", made.text());
    const { leftOut, written } = await imported("log");
    expect(written.tasks).toBe(2);
    expect(leftOut).toContain("1 event in which something is missing or impossible");
    expect(leftOut.join()).toMatch(new RegExp(`SparkListenerTaskEnd: ${what} is missing or impossible`));
  });

  it("what comes twice, in the wrong order, or of nothing that was told of", async () => {
    const made = log();
    const [start, task] = [
      made.lines.find((one) => one.includes("JobStart"))!,
      made.lines.find((one) => one.includes("TaskEnd"))!,
    ];
    made.lines.push(start, task);
    made.task(77, 5, ["9", "n9"], [1500, 1600], "NODE_LOCAL").executor("1", "n1", 64).jobEnd(99, 1700);
    made.event("JobStart", { "Job ID": 5, "Submission Time": 1, "Stage IDs": [[], "x", -1, 1e99] });
    made
      .event("ExecutorRemoved", { Timestamp: 5, "Executor ID": "nobody" })
      .event("StageCompleted", {})
      .event("TaskEnd", []);
    made.event("constructor", {}).event("JobStart", { "Job ID": 6, "Stage Infos": "no", Properties: 7 });
    const [first, ...rest] = made.lines;
    write("log", [first, ...rest.reverse()].join("\n"));
    // The stage of which nothing was told is of the job of which only the end was told.
    const { written, leftOut, folded } = await imported("log");
    expect(written).toMatchObject({ jobs: 2, tasks: 3, executors: 2 });
    expect(leftOut).toContain("3 events in which something is missing or impossible");
    expect(folded).toContain("1 task that succeeded more than once in a stage attempt: the first counts");
  });

  it("names that mean something in tables, in YAML or on a terminal", async () => {
    const made = new SparkLog(1_700_000_000_000, '../../x: "\u001b[31m').start({ "spark.locality.wait": "soon\n" });
    made
      .executor("a|b/c", 'h,1|"2\n', 2)
      .job(0, 1000, [0], { "spark.job.description": '=1,"\n\u202e|' })
      .stage(0, 1010);
    made.task(0, 0, ["a|b/c", 'h,1|"2\n'], [1020, 1300], "NODE_LOCAL").stageEnd(0, 1010, 1300).jobEnd(0, 1310);
    write("log", made.text());
    const { written, guessed } = await imported("log");
    expect(written.tasks).toBe(1);
    expect(guessed).toContain('spark.locality.wait is "soon", which is no value of it: its default holds');
    expect(place.left()).toEqual(["log", "out"]);
  });
});

describe("bide validate of an import", () => {
  it("reads its table of stages, as a run would", async () => {
    write("log", log().text());
    await imported("log");
    const good = await place.bide("validate", "out/scenario.yaml");
    expect({ code: good.code, stderr: good.stderr }).toEqual({ code: 0, stderr: "" });
    expect(good.stdout).not.toContain("not opened");
    const stages = join(place.path, "out", "stages.csv");
    writeFileSync(stages, readFileSync(stages, "utf8").replace(",1,360000,", ",1,-5,"));
    const bad = await place.bide("validate", "out/scenario.yaml");
    expect(bad.code).toBe(2);
    expect(bad.stderr).toMatch(/stages\.csv:3:\d+: .*run_us/);
  });

  it("says of a table that is not there where it is described", async () => {
    write("log", log().text());
    await imported("log");
    const { code, stderr } = await place.bide("validate", "out/scenario.yaml", "--set", "workload.file=none.csv");
    expect(code).toBe(2);
    expect(stderr).toContain("none.csv");
    expect(stderr).toContain("(docs/formats/spark-event-logs.md describes it)");
  });
});
