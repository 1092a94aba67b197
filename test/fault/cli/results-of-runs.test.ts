import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Summary } from "../../../dist/core/record/index.js";
import { Place } from "./command.js";

const SCENARIO = `
name: unlimited
cluster: {racks: 2, nodesPerRack: 2}
workload:
  kind: jobs
  jobs:
    - {name: "a'b", pool: "<p>", maps: 3, mapTime: 4s}
    - {name: unlimited, pool: q, maps: 2, mapTime: 4s}
`;

let place: Place;
let printed = "";
beforeAll(async () => {
  place = new Place();
  writeFileSync(join(place.path, "own.yaml"), SCENARIO);
  const run = await place.bide("run", "own.yaml", "--tasks", "--out", "ran", "--quiet");
  expect(run).toMatchObject({ code: 0 });
  printed = run.stdout;
  cpSync(join(place.path, "ran"), join(place.path, "bare"), { recursive: true });
  for (const name of ["jobs", "samples", "pool-samples", "tasks", "pools"]) {
    rmSync(join(place.path, "bare", `${name}.parquet`), { force: true });
  }
});
afterAll(() => {
  place.remove();
});

/** A copy of the run with one file of other contents. */
function spoilt(name: string, file: string, text: string): void {
  cpSync(join(place.path, "ran"), join(place.path, name), { recursive: true });
  writeFileSync(join(place.path, name, file), text);
}

describe("bide results of a run", () => {
  it("has a table of pools, with the figures of the summary", async () => {
    const sql = "SELECT pool, jobs, response_p95_us, map_slot_us, kills FROM pools";
    const { code, stdout } = await place.bide("results", "ran", "--sql", sql, "--csv", "-");
    const { groups } = JSON.parse(readFileSync(join(place.path, "ran/summary.json"), "utf8")) as Summary;
    const rows = groups.map((one) => [
      ...[one.name, one.jobs.submitted, Math.round((one.responseSeconds.p95 ?? NaN) * 1e6)],
      ...[Math.round(one.resourceSeconds.mapSlots * 1e6), one.kills!.attempts],
    ]);
    expect(rows.length).toBeGreaterThan(0);
    expect({ code, rows: stdout.trim().split(/\r?\n/).slice(1) }).toEqual({
      code: 0,
      rows: rows.map((row) => row.join(",")),
    });
  });

  it.each(["results", "report"])(
    "%s: the folder of an earlier version is refused, and why is said",
    async (command) => {
      const { groups, ...others } = JSON.parse(readFileSync(join(place.path, "ran/summary.json"), "utf8")) as Summary;
      expect(groups.length).toBeGreaterThan(0);
      const name = `earlier-${command}`;
      spoilt(name, "summary.json", JSON.stringify(others));
      expect(await place.bide(command, name)).toEqual({
        code: 2,
        stdout: "",
        stderr: `${name}/summary.json: found no groups: an earlier version of Bide wrote it; run bide run again\n`,
      });
    },
  );

  it("prints the table that the run printed", async () => {
    const { code, stdout, stderr } = await place.bide("results", "ran");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const tableOf = (text: string): string | undefined => /^Maps per job(.+\n)+/m.exec(text)?.[0];
    expect(tableOf(stdout)).toBe(tableOf(printed));
    expect(tableOf(stdout)).toContain("all");
    expect(/^Fingerprint.*$/m.exec(stdout)?.[0]).toBe(/^Fingerprint.*$/m.exec(printed)?.[0]);
    const json = await place.bide("results", "ran", "--json");
    expect(json.stdout).toBe(readFileSync(join(place.path, "ran/summary.json"), "utf8"));
  });

  it("answers SQL over its tables, and exports", async () => {
    const sql =
      "SELECT name, count(*) AS attempts FROM tasks JOIN jobs USING (job) WHERE type = 'map' GROUP BY ALL ORDER BY ALL";
    const csv = await place.bide("results", "ran", "--sql", sql, "--csv", "-");
    expect(csv.stdout.replaceAll("\r", "")).toBe("name,attempts\na'b,3\nunlimited,2\n");
    const jobs = await place.bide("results", "ran", "--csv", "jobs.csv", "--quiet");
    expect(jobs).toMatchObject({ code: 0, stdout: "", stderr: "" });
    expect(readFileSync(join(place.path, "jobs.csv"), "utf8").trim().split("\n")).toHaveLength(3);
    const tables = await place.bide("results", "ran", "--tables", "--format", "csv");
    for (const name of ["jobs,pool,", "samples,at_us,", "pool_samples,pool,", "tasks,node,"]) {
      expect(tables.stdout).toContain(name);
    }
  });

  it.each([
    [["ran", "--where", "W1 > 1"], /^--where: found the folder of one run, allowed that of a sweep/],
    [["ran", "--format", "md"], /^--format: found md for a run, allowed text, json/],
    [["ran", "--sql", "FROM 'ran/jobs.parquet'"], /^--sql: /],
    [["ran", "--sql", "COPY jobs TO 'stolen.csv'"], /Permission Error: Cannot access file "stolen.csv"/],
    [["ran", "--sql", "FROM costs"], /^--sql: .*costs/],
    [["bare", "--sql", "FROM jobs"], /^bare: found no Parquet tables, allowed .* without --no-tables/],
    [["bare", "--csv", "x.csv"], /^bare: found no Parquet tables/],
  ])("refuses %j", async (args, words) => {
    const { code, stdout, stderr } = await place.bide("results", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(words);
  });

  it.each([
    ["summary.json", "{", [], /summary\.json: found no JSON/],
    ["summary.json", `{"format": "bide-summary"}`, [], /summary\.json: version: .*allowed what this version wrote/],
    [
      "resolved-scenario.json",
      `{"platform": "hadoop", "scheduler": {"kind": "hfs"}}`,
      [],
      /resolved-scenario\.json: cluster: /,
    ],
    ["jobs.parquet", "no table", ["--sql", "FROM jobs"], /jobs\.parquet: cannot read the table: /],
  ])("says what is wrong with %s that holds %j", async (file, text, args, words) => {
    const name = `spoilt-${String(text.length)}`;
    spoilt(name, file, text);
    const { code, stderr } = await place.bide("results", name, ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) as string });
  });
});
