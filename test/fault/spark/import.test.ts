import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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
    expect({ code, stdout, stderr }).toMatchSnapshot();
    for (const file of readdirSync(join(place.path, "out")).filter((name) => !name.startsWith("."))) {
      expect(readFileSync(join(place.path, "out", file), "utf8").replace(/^.*version.*$/im, "")).toMatchSnapshot(file);
    }
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
});

describe("what is no event log is refused in one line", () => {
  it.each<[string, string | Uint8Array]>([
    ["nothing", ""],
    ["blank lines", "\n\n \n"],
    ["a word", "hello\n"],
    ["other JSON", '{"a":1}\n'],
    ["a list", '[{"Event":"SparkListenerLogStart"}]\n'],
    ["events of others", '{"Event":"Other"}\n'],
    ["gzip of nothing", Buffer.from([0x1f, 0x8b, 8, 0])],
    ["lz4", Buffer.from("LZ4Block....")],
    ["wide zstd", zstdOf(Buffer.from(log().text()), 28)],
    ["no job", new SparkLog().start().executor("1", "n1", 1).text()],
    ["bytes", Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251))],
  ])("%s", async (_, content) => {
    write("log", content);
    expect(await refused("log")).toMatchSnapshot();
  });

  it("a folder of anything, a folder with a gap, what is not there, and the same application twice", async () => {
    for (const name of ["empty", "eventlog_v2_a"]) mkdirSync(join(place.path, name));
    for (const name of ["eventlog_v2_a/events_1_a", "eventlog_v2_a/events_3_a", "a", "b"]) write(name, log().text());
    for (const logs of [["empty"], ["eventlog_v2_a"], ["none"], ["a", "b"]]) {
      expect(await refused(...logs)).toMatchSnapshot();
    }
  });
});

describe("of a damaged log what is whole is read, and the rest is told", () => {
  it("a last line that is cut", async () => {
    write("log", log().text().slice(0, -30));
    const { leftOut, written } = await imported("log");
    expect(written.tasks).toBe(2);
    expect(leftOut).toEqual(["log: its last line is cut; what comes before was read"]);
  });

  it("zstd that ends inside a frame", async () => {
    const packed = zstdOf(Buffer.from(log().text()), 17, 100);
    write("log", packed.subarray(0, packed.length - 40));
    const { leftOut, written } = await imported("log");
    expect(written.tasks).toBe(2);
    expect(leftOut).toEqual(["log: it ends inside its zstd data; what comes before was read"]);
  });

  it("lines that are no JSON, or deeper than anybody writes", async () => {
    const made = log();
    made.lines.splice(3, 0, "}{", `{"Event":"SparkListenerTaskEnd","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
    made.lines.splice(5, 0, `{"Event":"SparkListenerTaskEnd","x":${"[".repeat(1000)}`, "\0\0\0");
    write("log", made.text());
    const { leftOut, written } = await imported("log");
    expect(written.tasks).toBe(2);
    expect(leftOut).toContain("3 lines that are no event");
  });

  it.each([
    ...["soon", null, 1e300, -5].map((launch) => ({ "Launch Time": launch })),
    ...[1.5, 1e15, "__proto__"].map((index) => ({ Index: index })),
  ])("a task of which something is impossible: %j", async (info) => {
    write("log", log().task(0, 2, ["1", "n1"], [1020, 1300], "ANY", { info }).text());
    const { leftOut, written } = await imported("log");
    expect(written.tasks).toBe(2);
    expect(leftOut[0]).toMatch(/^1 event/);
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
