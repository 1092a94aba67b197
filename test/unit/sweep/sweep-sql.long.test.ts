import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError, askSweep, SQL_LIMITS } from "../../../dist/io/index.js";
import { record, rows } from "./asked-sweep.js";

// What a statement could read, and where it could write.
let place: string;
const from = process.cwd();
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "bide-hostile-"));
  process.chdir(place);
  writeFileSync("secret.csv", "a\n1\n");
  writeFileSync("schema.sql", "CREATE TABLE stolen (a INT);");
});
afterAll(() => {
  process.chdir(from);
  rmSync(place, { recursive: true });
});

describe("what SQL cannot do", () => {
  it.each([
    "FROM 'secret.csv'",
    "FROM read_csv('secret.csv')",
    "FROM read_parquet('https://example.com/a.parquet')",
    "FROM glob('*')",
    "FROM query('FROM read_text(''secret.csv'')')",
    "CREATE TABLE stolen AS FROM sniff_csv('secret.csv'); FROM stolen",
    "COPY runs FROM 'secret.csv'",
    "COPY (PIVOT runs ON system) TO 'stolen.csv'",
    "EXPLAIN ANALYZE COPY runs TO 'stolen.csv'",
    "EXPORT DATABASE 'stolen'",
    "IMPORT DATABASE '.'",
    "ATTACH 'stolen.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "CREATE PERSISTENT SECRET stolen (TYPE http, BEARER_TOKEN 'a')",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "SET memory_limit = '100GB'",
    "PRAGMA profiling_output = 'stolen.json'",
    "SELECT getenv('HOME')",
    "SELECT get_type(1) AS a",
    "SELECT 1; COPY runs TO 'stolen.csv'",
    "DROP TABLE runs; FROM costs",
    "SELEC 1",
    "SELECT $1",
    "SELECT repeat('x', 17000000) AS long",
  ])("%s", async (sql) => {
    const asked = rows(sql);
    await expect(asked).rejects.toThrow(InputError);
    await expect(asked).rejects.toThrow(/^--sql: /);
  });

  // DuckDB lets these through, and its process may end of them.
  it.each([
    "CALL enable_logging('QueryLog', storage_path = 'stolen')",
    "CREATE TABLE t AS FROM enable_logging('QueryLog', storage_path = 'stolen'); FROM range(100000)",
    "CREATE TABLE t AS FROM enable_profiling(save_location = 'stolen.json', format = 'json'); FROM runs",
    "DROP TABLE runs",
    "DELETE FROM runs",
    "CREATE TEMP TABLE t AS FROM runs",
    "CHECKPOINT",
  ])("is to leave anything behind: %s", async (sql) => {
    await rows(sql).catch((error: unknown) => {
      expect(error).toBeInstanceOf(InputError);
    });
    expect(readdirSync(place).sort()).toEqual(["schema.sql", "secret.csv"]);
  });

  it.each([
    "SELECT range(100000000)",
    "SELECT list(a.range || 'x') FROM range(100000) a, range(10000)",
    "SELECT repeat('x', 100000000) || range FROM range(100) ORDER BY 1",
  ])("is to use more memory than it may: %s", async (sql) => {
    const asked = rows(sql, record, { limits: { memoryBytes: 2 ** 27 } });
    await expect(asked).rejects.toThrow(/^--sql: needs more than 128MB of memory, the limit that --sql-memory sets/);
  });

  it("is to take longer than it may", async () => {
    const endless = "SELECT sum(sin(range)) FROM range(1000000000000)";
    await expect(rows(endless, record, { limits: { timeoutUs: 300_000 } })).rejects.toThrow(
      /^--sql: took longer than 300ms, the limit that --sql-timeout sets/,
    );
  });

  it("is to build what nobody reads", async () => {
    let taken = 0;
    const pages = askSweep({ folder: "nowhere", record }, "FROM range(1000000000000)", "cut", SQL_LIMITS);
    for await (const { rows: some } of pages) if ((taken += some.length) > 125_000) break;
    expect(taken).toBeGreaterThan(125_000);
  });

  it("is not to compute: what only does is answered, however it is written", async () => {
    expect(await rows('/* a */ -- b\n SELECT "abs"(-2) AS "query" ; -- ;')).toEqual([["2"]]);
    expect(await rows("CREATE TABLE t AS SELECT 1 AS a; FROM t")).toEqual([["1"]]);
    expect((await rows("EXPLAIN ANALYZE SELECT 1"))[0]?.[1]).toContain("Total Time");
    expect(await rows("SELECT count(*) FROM (DESCRIBE runs)")).toEqual([
      [String((await rows("DESCRIBE runs")).length)],
    ]);
  });

  it("is to go on for ever: it is stopped by an abort", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    setTimeout(() => {
      controller.abort(reason);
    }, 200);
    const endless = "SELECT sum(sin(range)) FROM range(1000000000000)";
    await expect(rows(endless, record, { signal: controller.signal })).rejects.toBe(reason);
    await expect(rows("SELECT 1", record, { signal: controller.signal })).rejects.toBe(reason);
  });
});
