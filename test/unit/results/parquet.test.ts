import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeParquet, resultsReadme, runTables } from "../../../dist/io/index.js";
import { sampleRecord, sampleSummary } from "./sample-run.mjs";

// Quotes and braces in a path are harmless.
const folder = mkdtempSync(join(tmpdir(), "bide'{x} "));
let connection: DuckDBConnection;

beforeAll(async () => {
  const record = sampleRecord();
  record.jobs.hasFailed[2] = 1;
  await writeParquet(runTables(record), folder);
  connection = await DuckDBConnection.create();
});

afterAll(() => {
  connection.closeSync();
  rmSync(folder, { recursive: true });
});

async function query(sql: string): Promise<unknown[][]> {
  const table = (name: string) => `'${join(folder, name).replaceAll("'", "''")}.parquet'`;
  const reader = await connection.runAndReadAll(sql.replace(/@([a-z-]+)/g, (_, name: string) => table(name)));
  return reader.getRows().map((row) => row.map((value) => (typeof value === "bigint" ? Number(value) : value)));
}

describe("the Parquet tables of a run", () => {
  it("are exactly these files", () => {
    expect(readdirSync(folder).sort()).toEqual([
      "jobs.parquet",
      "pool-samples.parquet",
      "samples.parquet",
      "tasks.parquet",
    ]);
  });

  it("hold every job, exact to the microsecond, null for what has not happened", async () => {
    expect(await query("SELECT * EXCLUDE (maps, reduces) FROM @jobs")).toEqual([
      [
        0,
        "a",
        "ana",
        "p",
        "p",
        "very-high",
        0,
        2e6,
        2e6,
        10_500_001,
        null,
        "succeeded",
        10_500_001,
        1,
        0,
        0,
        0,
        0,
        0,
        0,
        null,
        2e6,
        8e6,
        0,
        0,
        0,
      ],
      [
        1,
        "b'; DROP TABLE jobs; --",
        "ben",
        "q",
        "q",
        "normal",
        1e6,
        3e6,
        3e6,
        21e6,
        30e6,
        "succeeded",
        20e6,
        0,
        1,
        0,
        0,
        5e6,
        5e6,
        4e6,
        null,
        2e6,
        9e6,
        0,
        0,
        0,
      ],
      [
        2,
        "größer",
        "ana",
        "p",
        null,
        "normal",
        2e6,
        4e6,
        null,
        302e6,
        60e6,
        "failed",
        null,
        30,
        8,
        0,
        2,
        20e6,
        8e6,
        16e6,
        null,
        160e6,
        0,
        2000e6,
        0,
        0,
      ],
      [
        3,
        "d",
        "eva",
        "q",
        "q",
        "very-low",
        3e6,
        null,
        null,
        null,
        3600e6,
        null,
        null,
        900,
        500,
        0,
        100,
        900e6,
        15.5e6,
        700e6,
        null,
        1500e6,
        30_400e6,
        460e6,
        2,
        61.5e6,
      ],
    ]);
  });

  it("hold every attempt in order, over many chunks, codes as words", async () => {
    expect(await query("SELECT count(*), sum(task), min(launch_at_us), max(finish_at_us) FROM @tasks")).toEqual([
      [5000, (4999 * 5000) / 2, 0, 4999 * 1000 + 19e6],
    ]);
    expect(await query("SELECT task FROM @tasks LIMIT 3 OFFSET 2047")).toEqual([[2047], [2048], [2049]]);
    expect(await query("SELECT type, level, outcome, count(*) FROM @tasks GROUP BY ALL ORDER BY ALL")).toEqual([
      ["map", "node", "killed", 17],
      ["map", "node", "succeeded", 1483],
      ["map", "off-rack", "killed", 16],
      ["map", "off-rack", "succeeded", 1484],
      ["map", "rack", "killed", 17],
      ["map", "rack", "succeeded", 1483],
      ["reduce", null, "succeeded", 500],
    ]);
  });

  it("hold the samples, pools by name", async () => {
    expect(await query("SELECT * FROM @samples")).toEqual([
      [5e6, 3, 40, 0, 100, 4, 10, 1, 0, 0],
      [10e6, 2, 41, 1, 90, 3, 3e9, 2, 0, 1],
    ]);
    expect(await query("SELECT * FROM @pool-samples")).toEqual([
      [5e6, "p", 10, 10.5, 11, 0, 0, 0, 1, 0],
      [5e6, "q", 30, 29.5, 130, 0, 4, 4, 2.5, 0.25],
      [10e6, "q", 41, 41, 131, 1, 4, 4, 3, 2],
    ]);
  });

  it("answer the query that README.txt gives to try", async () => {
    const readme = resultsReadme(sampleSummary(), ["jobs"], null);
    const sql = /duckdb -c "([^"]+)"/.exec(readme)?.[1].replace("'jobs.parquet'", "@jobs") ?? "";
    expect(await query(sql)).toEqual([
      ["p", 2, 10.500001, 31 / 41],
      ["q", 2, 20, 900 / 1501],
    ]);
  });
});
