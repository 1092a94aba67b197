import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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
  });

  it.each([
    ["--job", "0"],
    ["--stage", "query/join"],
    ["--stage", "0/0", "--chain"],
  ])("prints %s %s %s", async (...args) => {
    const { code, stdout } = await place.bide("explain", "with", ...args);
    expect([code, stdout]).toMatchSnapshot();
  });

  it("adds up all jobs, or those of a pool", async () => {
    const [all, pool, query, late] = await Promise.all(
      [[], ["--pool", "default"], ["--job", "0"], ["--job", "late"]].map(async (args) => told(...args)),
    );
    expect(all).toEqual({ ...pool, pool: undefined });
    expect(all!.us).toBe(query!.us + late!.us);
    expect(all!.shares.reduce((sum, { us }) => sum + us, 0)).toBe(all!.us);
  });

  it.each([
    ["without", "--job", "0"],
    ["with", "--job", "1", "--pool", "default"],
    ["with", "--task", "0/1"],
    ["with", "--queue", "root.a"],
    ["with", "--chain"],
    ["with", "--job", "2"],
    ["with", "--job", "querry"],
    ["with", "--stage", "query"],
    ["with", "--stage", "scan"],
    ["with", "--stage", "query/jion"],
    ["with", "--pool", "fast"],
  ])("refuses %s %s %s", async (...args) => {
    expect(await place.bide("explain", ...args)).toMatchSnapshot();
  });

  it.each([
    ["jobs", "SELECT * REPLACE (NULL::VARCHAR AS name)", ""],
    ["jobs", "SELECT * REPLACE (-1 AS end_at_us)", ""],
    ["decisions", "SELECT * REPLACE ('setup' AS reason)", ""],
    ["decisions", "SELECT * REPLACE (to_us - 1000000000 AS to_us)", ""],
    ["decisions", "SELECT * REPLACE (NULL::VARCHAR AS stage_name)", ""],
    ["decisions", "SELECT * EXCLUDE (stage)", ""],
    ["decisions", "SELECT *", "WHERE reason <> 'locality'"],
    ["decisions", "SELECT * REPLACE (from_us + 1 AS from_us)", "WHERE to_us > from_us"],
  ])("refuses %s.parquet that is %s %s", async (table, select, rest) => {
    const { code, stdout, stderr } = await changed(table, `${select} FROM`, rest);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(rest === "" ? `${table}.parquet: ` : "job 0");
  });
});

it("explains the whole time of an import, of which the driver has a part", async () => {
  const log = fileURLToPath(new URL("../../data/spark/driver-busy.log", import.meta.url));
  for (const command of [
    ["import", "spark", log, "--out", "imported"],
    ["run", "imported/scenario.yaml", "--log", "decisions", "--quiet", "--out", "run"],
  ])
    expect(await place.bide(...command)).toMatchObject({ code: 0 });
  const { code, stdout } = await place.bide("explain", "run", "--json");
  expect(code).toBe(0);
  const { us, shares } = JSON.parse(stdout) as Told;
  expect(shares.reduce((sum, share) => sum + share.us, 0)).toBe(us);
  expect(shares.find(({ reason }) => reason === "driver")?.us).toBeGreaterThan(0);
});

/** What explain says of a folder with another table in it. */
async function changed(table: string, select: string, rest: string): ReturnType<Place["bide"]> {
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
      const out = `print-${i}`;
      const run = await place.bide("run", "s.yaml", "--json", "--quiet", "--out", out, ...more);
      expect(run.code).toBe(0);
      prints.push((JSON.parse(run.stdout) as { fingerprint: string }).fingerprint);
      if (i > 0) logs.push((await place.bide("explain", out, "--job", "0", "--chain")).stdout);
    }
    expect(new Set(prints).size).toBe(1);
    expect(logs[0]).toContain("launched");
    expect(logs[1]).toBe(logs[0]);
  });
});
