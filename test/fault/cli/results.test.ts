import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  doneRun,
  failedRun,
  secondsAxis,
  sweepPlan,
  sweepRecord,
  writeSweepFolder,
} from "../../support/hand-made-sweeps.js";
import { Place } from "./command.js";

const unfinished = sweepRecord(sweepPlan([secondsAxis("W1", 0, 5, 9)]), ({ index }, replication) => {
  if (index === 2) return replication === 0 ? failedRun("no room") : null;
  return doneRun({ nodeLocalSmall: 0.5, responseP95: 10 + index + replication });
});

let place: Place;
beforeAll(() => {
  place = new Place();
  writeSweepFolder(join(place.path, "waits"), unfinished);
});
afterAll(() => {
  place.remove();
});

async function parquetRows(path: string): Promise<unknown[]> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  return (await connection.runAndReadAll("FROM read_parquet($1)", [path])).getRows();
}

describe("bide results", () => {
  it("prints an unfinished sweep, and says that it is", async () => {
    const { code, stdout, stderr } = await place.bide("results", "waits", "--sort", "responseP95", "--descending");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("3 points x 2 replications: 4 done, 1 failed\nUnfinished      1 run is not there yet");
    expect(
      stdout
        .split("\n")
        .slice(-4, -1)
        .map((line) => line.slice(0, 2)),
    ).toEqual(["5s", "0s", "9s"]);
  });

  it("writes a file whole, never over another", async () => {
    expect(await place.bide("results", "waits", "--json", "--out", "out.json")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Written to out.json\n",
    });
    const json = readFileSync(join(place.path, "out.json"), "utf8");
    expect(JSON.parse(json)).toMatchObject({ runs: { done: 4, failed: 1, missing: 1 } });
    const again = await place.bide("results", "waits", "--json", "--out", "out.json");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("--force replaces it") });
    expect(readFileSync(join(place.path, "out.json"), "utf8")).toBe(json);
    expect(place.left()).toEqual(["out.json", "waits"]);
  });

  it.each([
    [["--measures", "respnseP95"], /--measures: found "respnseP95", allowed .*did you mean "responseP95"\?/],
    [["--sort", "W9"], /--sort: found "W9", allowed an axis or a measure: W1, nodeLocalSmall, responseP95/],
    [["--baseline", "W9=1s"], /--baseline: found "W9", allowed AXIS=STEP of the axes W1/],
    [["--baseline", "W1=0s,W1=1s"], /--baseline: found the axis W1 twice, allowed once/],
    [["--baseline", "W1=7s"], /--baseline W1: found "7s", allowed 0s, 5s, 9s/],
    [["--baseline", ""], /--baseline: found "", allowed/],
    [["--where", "W1 >"], /--where: Parser Error/],
    [["--where", " "], /--where: found no condition, allowed one such as/],
    [["--sql", `SELECT ${"NOT ".repeat(2000)}true`], /depth limit of 1000 exceeded\.?\n$/],
    [["--sql", "PIVOT '/etc/passwd' ON a USING first(b)"], /^((?!__pivot)[^])*$/],
    [["--top", "0"], /Found "0", allowed a whole number from 1/],
    [["--format", "xml"], /Allowed choices are text, md, latex, csv, json/],
    [["--sql", "SELECT 1", "--top", "3"], /cannot be used with option '--top <n>'/],
    [["--sql", "COPY runs TO 'stolen.csv'"], /--sql: Permission Error: Cannot access file "stolen.csv"/],
    [
      ["--sql", "SELECT range(100000000)", "--sql-memory", "100MB"],
      /--sql: needs more than 100MB of memory, .*--sql-memory/,
    ],
    // The rows pass through the first database, and would fill the one that writes them.
    [
      ["--sql", "FROM range(100000000)", "--parquet", "large.parquet", "--sql-memory", "32MB"],
      /^--sql: needs more than 32MB of memory, the limit that --sql-memory sets/,
    ],
    [
      ["--sql", "SELECT sum(sin(range)) FROM range(1000000000000)", "--sql-timeout", "1s"],
      /--sql: took longer than 1s/,
    ],
    [["--sql-memory", "1MB"], /Found "1MB", allowed a size from 16MB to 1TB/],
    [["--plot", "W1"], /--plot: found "W1", allowed AXIS,MEASURE/],
    [
      ["--plot", "W1,respnseP95"],
      /--plot: found "respnseP95", allowed an axis or a measure: .*did you mean "responseP95"/,
    ],
    [["--plot", "W1,W1,responseP95"], /found the axis "W1" twice/],
    [["--plot", "W1,responseP95", "--where", "W1 > 100"], /--plot: found no point to draw/],
    [["--plot", "W1,responseP95", "--json"], /cannot be used with option '--json'/],
    [["--out", "nowhere/x.txt"], /no such file or directory/],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await place.bide("results", "waits", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  it("exports runs, or what SQL says, whole or not at all", async () => {
    const sql = "SELECT W1, avg(responseP95) AS mean FROM runs GROUP BY W1 ORDER BY W1";
    const all = await place.bide("results", "waits", "--csv", "-");
    expect(all).toMatchObject({ code: 0, stderr: "" });
    expect(all.stdout.split("\n")[0]).toMatch(/^point,replication,seed,key,W1,W1_seconds,outcome,error,/);
    expect(all.stdout.split("\n")).toHaveLength(7);
    const files = await place.bide("results", "waits", "--sql", sql, "--csv", "a.csv", "--parquet", "a'.parquet");
    expect(files).toEqual({ code: 0, stdout: "", stderr: "Written to a'.parquet\nWritten to a.csv\n" });
    expect(readFileSync(join(place.path, "a.csv"), "utf8")).toBe("W1,mean\n0s,10.5\n5s,11.5\n9s,\n");
    expect(await parquetRows(join(place.path, "a'.parquet"))).toEqual([
      ["0s", 10.5],
      ["5s", 11.5],
      ["9s", null],
    ]);
    const again = await place.bide("results", "waits", "--parquet", "a'.parquet");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("--force replaces it") });
    const bad = await place.bide("results", "waits", "--sql", "SELECT nope", "--parquet", "never.parquet");
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining("--sql: Binder Error") });
    expect(place.left().filter((name) => /never|partial/.test(name))).toEqual([]);
  });

  it("draws into a file, or prints the picture", async () => {
    expect(await place.bide("results", "waits", "--plot", "W1,responseP95", "--out", "p.svg", "--quiet")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    const { stdout } = await place.bide("results", "waits", "--plot", "W1,responseP95");
    expect(stdout).toMatch(/^<svg /);
    expect(readFileSync(join(place.path, "p.svg"), "utf8")).toBe(stdout);
  });

  it("refuses a plot in which points would lie upon each other", async () => {
    const plan = sweepPlan(["a", "b", "c"].map((name) => secondsAxis(name, 0, 5)));
    writeSweepFolder(
      join(place.path, "cube"),
      sweepRecord(plan, () => doneRun({ nodeLocalSmall: 1, responseP95: 1 })),
    );
    for (const plot of ["a,responseP95", "a,b,responseP95", "a,responseP95,b"]) {
      const { code, stderr } = await place.bide("results", "cube", "--plot", plot);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^--plot: found several steps of (b, )?c, which the plot does not show; allowed one each/);
    }
    expect(await place.bide("results", "cube", "--plot", "a,b,responseP95", "--where", "c = 5")).toMatchObject({
      code: 0,
    });
  });

  it("refuses what is no sweep, or a damaged one", async () => {
    mkdirSync(join(place.path, "empty"));
    mkdirSync(join(place.path, "damaged"));
    writeFileSync(join(place.path, "damaged", "plan.json"), '{"format":"bide-sweep","version":1,"plan":');
    for (const [folder, message] of [
      ["empty", /^empty: found an empty directory, allowed the folder of a sweep, a run or a comparison$/m],
      ["damaged", /plan\.json: found no JSON/],
      ["good.yaml", /good\.yaml/],
    ] as const) {
      const { code, stdout, stderr } = await place.bide("results", folder);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(message);
    }
  });

  it("reads a journal whose last line was being written", async () => {
    writeSweepFolder(join(place.path, "cut"), unfinished);
    const journal = join(place.path, "cut", "journal.jsonl");
    writeFileSync(journal, readFileSync(journal, "utf8").slice(0, -20));
    const { code, stdout } = await place.bide("results", "cut");
    expect(code).toBe(0);
    expect(stdout).toContain("4 done\nUnfinished      2 runs are not there yet");
  });
});
