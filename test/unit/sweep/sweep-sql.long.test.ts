import { describe, expect, it } from "vitest";
import { InputError, askSweep, SQL_LIMITS } from "../../../dist/io/index.js";
import { record, rows } from "./asked-sweep.js";

describe("what SQL cannot do", () => {
  it.each([
    ["SELECT * FROM read_csv('/etc/passwd')", /found the function "read_csv", allowed functions that only compute/],
    ["SELECT * FROM '/etc/passwd'", /does not exist/],
    ["SELECT * FROM '/etc/passwd.csv'", /file system operations are disabled/],
    ["SELECT * FROM read_text('/etc/passwd')", /found the function "read_text"/],
    ["SELECT * FROM glob('/etc/*')", /found the function "glob"/],
    ["COPY runs TO 'stolen.csv'", /found a statement that begins with "COPY", allowed SELECT and EXPLAIN/],
    ["COPY (PIVOT runs ON system) TO 'stolen.csv'", /found a statement that begins with "COPY"/],
    ["EXPORT DATABASE 'stolen'", /begins with "EXPORT"/],
    ["ATTACH 'stolen.db'", /begins with "ATTACH"/],
    ["INSTALL httpfs", /begins with "INSTALL"/],
    ["LOAD httpfs", /begins with "LOAD"/],
    ["SET enable_external_access = true", /begins with "SET"/],
    ["RESET enable_external_access", /begins with "RESET"/],
    ["CREATE TABLE stolen AS FROM read_csv('/etc/passwd')", /begins with "CREATE"/],
    ["CREATE MACRO f() AS TABLE FROM enable_logging()", /begins with "CREATE"/],
    ["PRAGMA enable_profiling = 'json'", /begins with "PRAGMA"/],
    ["CALL enable_logging()", /begins with "CALL"/],
    ["SELECT 1; COPY runs TO 'stolen.csv'", /begins with "COPY"/],
    ["EXPLAIN ANALYZE COPY runs TO 'stolen.csv'", /begins with "COPY"/],
    ["EXPLAIN /* x */ ANALYZE SELECT * FROM enable_logging()", /found the function "enable_logging"/],
    ["DELETE FROM runs", /begins with "DELETE"/],
    ["FROM enable_logging(storage = 'stdout')", /found the function "enable_logging"/],
    [`FROM system.main."Enable_Logging"()`, /found the function "(?:E|e)nable_(?:L|l)ogging"/],
    ["SELECT 1 WHERE EXISTS (FROM enable_profiling(save_location = 'stolen.json'))", /"enable_profiling"/],
    ["SELECT * FROM query/**/('SELECT 1')", /found the function "query"/],
    ["SELECT * FROM query -- x\n ('SELECT 1')", /found the function "query"/],
    ["FROM query_table('runs')", /found the function "query_table"/],
    ["FROM json_execute_serialized_sql('{}')", /found the function "json_execute_serialized_sql"/],
    ["SELECT write_log('x')", /found the function "write_log"/],
    ["SELECT sleep_ms(1000000)", /found the function "sleep_ms"/],
    // A macro of DuckDB's that calls it.
    ["SELECT pg_sleep(1000)", /found the function "pg_sleep"/],
    ["SELECT get_type(1) AS a", /the column "a" is of a type that cannot be read out, allowed for example a::VARCHAR/],
    ["PIVOT (FROM enable_logging()) ON a USING first(b)", /found the function "enable_logging"/],
    [`PIVOT (FROM "query"/**/ ('SELECT 1')) ON a USING first(b)`, /found the function "query"/],
    ["PIVOT (FROM /* /* ' */ */ query('SELECT 1')) ON a /* ' */ USING first(b)", /found a comment within a comment/],
    ["PIVOT (FROM query\u00a0('SELECT 1')) ON a USING first(b)", /found the function "query"/],
    ["SELECT 1; SELECT 2", /found 2 statements, allowed one$/],
    ["SELECT nope(1); SELECT 2", /found the function "nope"/],
    ["SELEC 1", /Parser Error: syntax error at or near "SELEC"/],
    ["SELECT nope FROM runs", /Referenced column "nope" not found/],
    ["SELECT nope(1)", /found the function "nope", allowed/],
    ["SELECT $1", /Values were not provided/],
    ["", /found no statement, allowed a SELECT/],
    [";;", /found no statement, allowed a SELECT/],
    ["-- nothing", /found no statement, allowed a SELECT/],
    [
      "SELECT repeat('x', 17000000) AS long",
      /found a value of 17000000 characters in the column "long", allowed 16777216/,
    ],
  ])("%s", async (sql, message) => {
    const asked = rows(sql);
    await expect(asked).rejects.toThrow(InputError);
    await expect(asked).rejects.toThrow(/^--sql: /);
    await expect(asked).rejects.toThrow(message);
  });

  it("is to change a setting of the database, even if it were allowed such statements", async () => {
    const sql =
      "SELECT name, value FROM duckdb_settings() WHERE name IN ('enable_external_access', 'lock_configuration', 'temp_directory') ORDER BY name";
    expect(await rows(sql)).toEqual([
      ["enable_external_access", "false"],
      ["lock_configuration", "true"],
      ["temp_directory", ""],
    ]);
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

  it("is not to compute: what only does is let through, however it is written", async () => {
    expect(await rows('/* a */ -- b\n SELECT "abs"(-2) AS "query" ; -- ;')).toEqual([["2"]]);
    expect(await rows("WITH query AS (SELECT 1 AS a) SELECT upper('query(') || a FROM query")).toEqual([["QUERY(1"]]);
    expect((await rows("EXPLAIN ANALYZE SELECT 1"))[0]?.[1]).toContain("Total Time");
    expect(
      await rows("SELECT count(*) FILTER (a > 1), list_transform([1], lambda x: x + 1) FROM (VALUES (1), (2)) t(a)"),
    ).toEqual([["1", "[2]"]]);
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
