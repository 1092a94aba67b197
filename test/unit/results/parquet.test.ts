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
    expect(readdirSync(folder).sort()).toMatchSnapshot();
  });

  it.each([
    // Exact to the microsecond, null for what has not happened; attempts in order, over many chunks, codes as words.
    "SELECT * FROM @jobs",
    "SELECT count(*), sum(task), min(launch_at_us), max(finish_at_us) FROM @tasks",
    "SELECT task FROM @tasks LIMIT 3 OFFSET 2047",
    "SELECT type, level, outcome, count(*) FROM @tasks GROUP BY ALL ORDER BY ALL",
    "SELECT * FROM @samples",
    "SELECT * FROM @pool-samples",
    "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM @jobs)",
    "SELECT DISTINCT compression FROM parquet_metadata(@tasks)",
  ])("answer %s", async (sql) => {
    const rows = await query(sql);
    expect(rows.map((row) => row.map(String).join(", "))).toMatchSnapshot();
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
