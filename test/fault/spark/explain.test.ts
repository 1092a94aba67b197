import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

/**
 * Six tasks of 10 s with their data on one of two hosts of one core each: the other is idle for the wait of 3 s. Then a
 * stage that waits for nothing.
 */
const SCENARIO = `platform: spark
name: explained
cluster: {hosts: 2}
executors: {cores: 1}
runtime: {anyFactor: 1, launch: 0s, report: 0s}
workload:
  kind: jobs
  jobs:
    - name: query
      stages:
        - {name: scan, tasks: 6, time: 10s, input: hosts, on: 1, replicas: 1}
        - {name: join, tasks: 2, time: 5s}
    - name: late
      submit: 1h
      stages: [{name: scan, tasks: 1, time: 1s}]
scheduler: {version: "3.5"}
`;

interface Told {
  readonly us: number;
  readonly shares: readonly { readonly reason: string; readonly us: number; readonly level: string | null }[];
  readonly parts: readonly { readonly name: string; readonly fromUs: number; readonly toUs: number }[];
}

let place: Place;
beforeAll(async () => {
  place = new Place();
  place.write("s.yaml", SCENARIO);
  for (const [out, ...log] of [["with", "--log", "decisions"], ["without"]]) {
    expect(await place.bide("run", "s.yaml", "--quiet", "--out", out, ...log)).toMatchObject({ code: 0, stderr: "" });
  }
});
afterAll(() => {
  place.remove();
});

async function told(...args: string[]): Promise<Told> {
  const { code, stdout, stderr } = await place.bide("explain", "with", "--json", ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Told;
}

describe("bide explain of a run of Spark", () => {
  it("says where the time of a job went: its stages one after the other, and why their tasks waited", async () => {
    const job = await told("--job", "query");
    expect(job.us).toBe(38e6);
    expect(job.parts.map(({ name, fromUs, toUs }) => [name, fromUs / 1e6, toUs / 1e6])).toEqual([
      ["scan", 0, 33],
      ["join", 33, 38],
    ]);
    expect(job.shares.map(({ reason, level, us }) => [reason, level, us / 1e6])).toEqual([
      ["busy", null, 20],
      ["running", null, 15],
      ["locality", "node", 3],
    ]);
    const { stdout } = await place.bide("explain", "with", "--job", "0");
    expect(stdout).toMatch(/^Job 0 \(query, pool default\) took 38 s from its submission to its end\.$/m);
    expect(stdout).toContain("1 core free, none where a waiting task would be at node level;");
    expect(stdout).toMatch(/spark\.locality\.wait\.node had 1 s to\s+run at the last round/);
  });

  it("says so where nothing waited", async () => {
    const { code, stdout } = await place.bide("explain", "with", "--stage", "query/join");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Stage 1 \(join\) of job 0 \(query, pool default\) took 5 s from its submission to its end/m,
    );
    expect(stdout).toContain("No task waited");
    expect((await told("--stage", "join")).us).toBe(5e6);
    expect(stdout).toContain("Launched 2 tasks");
  });

  it("adds up all jobs, or those of a pool", async () => {
    const [all, pool, query, late] = await Promise.all(
      [[], ["--pool", "default"], ["--job", "0"], ["--job", "late"]].map(async (args) => told(...args)),
    );
    expect(all).toEqual({ ...pool, pool: undefined });
    expect(all!.us).toBe(query!.us + late!.us);
    expect(all!.shares.reduce((sum, { us }) => sum + us, 0)).toBe(all!.us);
  });

  it("lists waits and launches in order of time", async () => {
    const { stdout } = await place.bide("explain", "with", "--stage", "0/0", "--chain");
    const order = ["1 task at node level", "none where", "1 task at any level", "because all cores", "no task waited"];
    const chain = stdout.slice(stdout.indexOf("Launched"));
    expect(order.map((words) => chain.indexOf(words))).toEqual(
      order.map((words) => chain.indexOf(words)).sort((a, b) => a - b),
    );
    expect(order.every((words) => chain.includes(words))).toBe(true);
  });

  it.each([
    [["without", "--job", "0"], "found a run without a decision log, allowed one with decisions.parquet; npx bide run"],
    [["with", "--job", "1", "--pool", "default"], "found more than one of --job, --stage or --pool"],
    [["with", "--task", "0/1"], "--task: found a run of spark, allowed --job, --stage or --pool"],
    [["with", "--queue", "root.a"], "--queue: found a run of spark, allowed --job, --stage or --pool"],
    [["with", "--chain"], "found no --job and no --stage, allowed one of them"],
    [["with", "--job", "2"], 'found "2", allowed 0 to 1 or the name of a job'],
    [["with", "--job", "querry"], 'did you mean "query"?'],
    [["with", "--stage", "query"], 'found "query", allowed JOB/STAGE: 0/0, 0/1, 1/0'],
    [["with", "--stage", "scan"], 'found "scan", a stage of 2 jobs, allowed JOB/STAGE: 0/0, 1/0'],
    [
      ["with", "--stage", "query/jion"],
      'found "jion", allowed of job 0 (query) 0 (scan), 1 (join); did you mean "join"?',
    ],
    [["with", "--pool", "fast"], 'found "fast", allowed default'],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await place.bide("explain", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it.each([
    ["jobs", "SELECT * REPLACE (NULL::VARCHAR AS name)", "a table of jobs"],
    ["jobs", "SELECT * REPLACE (-1 AS end_at_us)", "a table of jobs"],
    ["decisions", "SELECT * REPLACE ('setup' AS reason)", "a decision log"],
    ["decisions", "SELECT * REPLACE (job + 100 AS job)", "a decision log"],
    ["decisions", "SELECT * REPLACE (to_us - 1000000000 AS to_us)", "a decision log"],
    ["decisions", "SELECT * REPLACE (100 AS taken_by)", "a decision log"],
    ["decisions", "SELECT * REPLACE ('off-rack' AS level)", "a decision log"],
    ["decisions", "SELECT * REPLACE (NULL::VARCHAR AS stage_name)", "a decision log"],
    ["decisions", "SELECT * EXCLUDE (stage)", "a decision log"],
  ])("refuses %s.parquet that is %s", async (table, select, what) => {
    const { code, stdout, stderr } = await changed(table, `${select} FROM`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(new RegExp(`${table}.parquet: found .*${what}.*, allowed what bide run wrote`, "s"));
  });

  it.each(["SELECT * FROM", "SELECT * REPLACE (from_us + 1 AS from_us) FROM"])(
    "refuses a log with a gap: %s",
    async (select) => {
      const rest = select.includes("REPLACE") ? "WHERE to_us > from_us" : "WHERE reason <> 'locality'";
      const { code, stderr } = await changed("decisions", select, rest);
      expect(code).toBe(2);
      expect(stderr).toContain("found a decision log with a gap at job 0 (query, pool default)");
    },
  );
});

/** What explain says of a folder with another table in it. */
async function changed(table: string, select: string, rest = ""): ReturnType<Place["bide"]> {
  const folder = join(place.path, "changed");
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(place.path, "with"), folder, { recursive: true });
  const [from, to] = ["with", "changed"].map((of) => join(place.path, of, `${table}.parquet`));
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(`COPY (${select} '${from!}' ${rest}) TO '${to!}' (FORMAT parquet)`);
  connection.closeSync();
  return place.bide("explain", "changed", "--job", "0");
}

describe("bide run --log decisions of Spark", () => {
  it("leaves the fingerprint as it is, and writes the same log on any threads", async () => {
    const prints = [];
    const logs = [];
    for (const [i, more] of [[], ["--log", "decisions"], ["--log", "decisions", "--threads", "2"]].entries()) {
      const out = `print-${String(i)}`;
      const run = await place.bide("run", "s.yaml", "--json", "--quiet", "--out", out, ...more);
      expect(run.code).toBe(0);
      prints.push((JSON.parse(run.stdout) as { fingerprint: string }).fingerprint);
      if (i > 0) logs.push((await place.bide("explain", out, "--job", "0", "--chain")).stdout);
    }
    expect(new Set(prints).size).toBe(1);
    expect(logs[0]).toContain("launched");
    expect(logs[1]).toBe(logs[0]);
  });

  it("is refused without tables", async () => {
    const { code, stderr } = await place.bide("run", "s.yaml", "--log", "decisions", "--no-tables");
    expect(code).toBe(2);
    expect(stderr).toContain("--no-tables");
  });
});
