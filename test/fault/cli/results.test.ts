import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Summary } from "../../../dist/core/record/index.js";
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
beforeAll(async () => {
  place = new Place();
  writeSweepFolder(join(place.path, "waits"), unfinished);
  await place.bide("run", "good.yaml", "--tasks", "--out", "ran", "--quiet");
});
afterAll(() => {
  place.remove();
});

it("an unfinished sweep is read, also one whose last line was being written", async () => {
  const runsOf = async (): Promise<unknown> =>
    (JSON.parse((await place.bide("results", "waits", "--json")).stdout) as { runs: unknown }).runs;
  expect(await runsOf()).toMatchObject({ done: 4, failed: 1, missing: 1 });
  const journal = join(place.path, "waits/journal.jsonl");
  const text = readFileSync(journal, "utf8");
  writeFileSync(journal, text.slice(0, -20));
  expect(await runsOf()).toMatchObject({ done: 4, missing: 2 });
  writeFileSync(journal, text);
});

it("what SQL says is exported, whole or not at all", async () => {
  const sql = "SELECT W1, avg(responseP95) AS mean FROM runs GROUP BY W1 ORDER BY W1";
  const files = await place.bide("results", "waits", "--sql", sql, "--csv", "a.csv", "--parquet", "a'.parquet");
  expect(files.code).toBe(0);
  expect(readFileSync(join(place.path, "a.csv"), "utf8")).toBe("W1,mean\n0s,10.5\n5s,11.5\n9s,\n");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const rows = (await connection.runAndReadAll("FROM read_parquet($1)", [join(place.path, "a'.parquet")])).getRows();
  connection.closeSync();
  expect(rows).toEqual([
    ["0s", 10.5],
    ["5s", 11.5],
    ["9s", null],
  ]);
  expect((await place.bide("results", "waits", "--parquet", "a'.parquet")).code).toBe(2);
  expect(place.left().filter((name) => name.includes("partial"))).toEqual([]);
});

it("a query can neither read nor write files, and hostile ones end", async () => {
  for (const sql of [
    `SELECT ${"NOT ".repeat(2000)}true`,
    "PIVOT '/etc/passwd' ON a USING first(b)",
    "COPY runs TO 'stolen.csv'",
  ])
    expect(await place.bide("results", "waits", "--sql", sql)).toMatchObject({ code: 2, stdout: "" });
  expect(place.left()).not.toContain("stolen.csv");
});

it("a plot in which points would lie upon each other is refused", async () => {
  const plan = sweepPlan(["a", "b", "c"].map((name) => secondsAxis(name, 0, 5)));
  const record = sweepRecord(plan, () => doneRun({ nodeLocalSmall: 1, responseP95: 1 }));
  writeSweepFolder(join(place.path, "cube"), record);
  const codes = ["a,responseP95", "a,b,responseP95", "a,responseP95,b"].map(
    async (plot) => (await place.bide("results", "cube", "--plot", plot)).code,
  );
  expect(await Promise.all(codes)).toEqual([2, 2, 2]);
  expect(await place.bide("results", "cube", "--plot", "a,b,responseP95", "--where", "c = 5")).toMatchObject({
    code: 0,
  });
});

it("a run has a table of pools with the figures of the summary", async () => {
  const sql = "SELECT pool, jobs, response_p95_us, map_slot_us FROM pools";
  const { stdout } = await place.bide("results", "ran", "--sql", sql, "--csv", "-");
  const { groups } = JSON.parse(readFileSync(join(place.path, "ran/summary.json"), "utf8")) as Summary;
  const rows = groups.map(({ name, jobs, responseSeconds, resourceSeconds }) => {
    const us = [responseSeconds.p95 ?? NaN, resourceSeconds.mapSlots].map((seconds) => Math.round(seconds * 1e6));
    return [name, jobs.submitted, ...us].join(",");
  });
  expect(stdout.trim().split(/\r?\n/).slice(1)).toEqual(rows);
});
