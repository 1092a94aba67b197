import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SweepRecord } from "../../../dist/experiments/sweep/sweep-record.js";
import { sweepResults } from "../../../dist/experiments/sweep/sweep-results.js";
import { InputError } from "../../../dist/io/input-error.js";
import type { CellForm } from "../../../dist/io/sweep/query-result.js";
import { askSweep, pointsWhere, SQL_LIMITS } from "../../../dist/io/sweep/ask-sweep.js";
import { writeParquet } from "../../../dist/io/results/duckdb.js";
import { seriesTable } from "../../../dist/io/sweep/sweep-tables.js";
import { doneRun, failedRun, secondsAxis, sweepPlan, sweepRecord, wordAxis } from "../../support/hand-made-sweeps.js";

const record = sweepRecord(
  sweepPlan([secondsAxis("W1", 0, 5), wordAxis("system", "fair", "hfs")]),
  (point, replication) => {
    if (point.index === 3) return replication === 0 ? failedRun("no room") : null;
    return doneRun({ nodeLocalSmall: 0.5, responseP95: 10 * point.index + replication });
  },
);

async function rows(
  sql: string | null,
  of: SweepRecord = record,
  { form = "text" as CellForm, folder = "nowhere", limits = {}, signal = undefined as AbortSignal | undefined } = {},
): Promise<(string | null)[][]> {
  const found: (string | null)[][] = [];
  for await (const page of askSweep({ folder, record: of }, sql, form, { ...SQL_LIMITS, ...limits }, signal)) {
    found.push(...page.rows.map((row) => [...row]));
  }
  return found;
}

describe("SQL over a sweep", () => {
  it("has a row per run, with its steps, in runs, and what it cost in costs", async () => {
    const sql = `SELECT point, system, W1, W1_seconds, seed, outcome, error, responseP95 FROM runs WHERE replication = 0 ORDER BY point`;
    expect(await rows(sql)).toEqual([
      ["0", "fair", "0s", "0", "1", "done", null, "0"],
      ["1", "hfs", "0s", "0", "1", "done", null, "10"],
      ["2", "fair", "5s", "5", "1", "done", null, "20"],
      ["3", "hfs", "5s", "5", "1", "failed", "no room", null],
    ]);
    expect(await rows("SELECT sum(wall_seconds) FROM costs")).toEqual([["1.625"]]);
  });

  it("has a row per point in points, and per point and measure in estimates", async () => {
    const sql =
      "SELECT label, done, failed, missing, responseP95, round(responseP95_half_width, 3) FROM points WHERE point >= 2";
    expect(await rows(sql)).toEqual([
      ["W1=5s system=fair", "2", "0", "0", "20.5", "6.353"],
      ["W1=5s system=hfs", "0", "1", "1", null, null],
    ]);
    const long =
      "SELECT runs, mean, low, high, deviation, median, least, most FROM estimates WHERE point = 1 AND measure = 'nodeLocalSmall'";
    expect(await rows(long)).toEqual([["2", "0.5", "0.5", "0.5", "0", "0.5", "0.5", "0.5"]]);
  });

  it("pivots, for which the database makes a type of its own", async () => {
    const sql = "PIVOT (FROM points) ON system USING first(responseP95) GROUP BY W1 ORDER BY W1";
    expect(await rows(sql)).toEqual([
      ["0s", "0.5", "10.5"],
      ["5s", "20.5", null],
    ]);
  });

  it("lists all its columns", async () => {
    const listed = await rows(null);
    expect(listed).toContainEqual(["runs", "W1", "VARCHAR"]);
    expect(listed).toContainEqual(["runs", "heartbeats", "BIGINT"]);
    expect([...new Set(listed.map(([table]) => table))]).toEqual(["runs", "costs", "points", "estimates"]);
  });

  it("writes every kind of value as SQL would, and as JSON as far as that goes", async () => {
    const sql = `SELECT 9007199254740993 a, 42::BIGINT b, 1.50::DECIMAL(5,2) c, NULL d, 'nan'::DOUBLE e, '-inf'::DOUBLE f, [1, NULL] g,
      TIMESTAMP '2020-01-02 03:04:05' h, {'x': 1} i, true j, 'NULL' k, -0.1 l, sum(1) m, 1 a`;
    expect(await rows(sql)).toEqual([
      [
        "9007199254740993",
        "42",
        "1.50",
        null,
        "NaN",
        "-Infinity",
        "[1, NULL]",
        "2020-01-02 03:04:05",
        "{'x': 1}",
        "true",
        "NULL",
        "-0.1",
        "1",
        "1",
      ],
    ]);
    const [[json]] = await rows(sql, record, { form: "json" });
    expect([JSON.parse(json ?? "")]).toEqual([
      {
        ...{ a: "9007199254740993", b: 42, c: 1.5, d: null, e: "NaN", f: "-Infinity", g: [1, null] },
        ...{ h: "2020-01-02 03:04:05", i: { x: 1 }, j: true, k: "NULL", l: -0.1, m: 1, "a:1": 1 },
      },
    ]);
  });
});

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
    const endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b";
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
    expect(await rows('/* a */ SELECT abs(-1); -- b\n SELECT "abs"(-2) AS "query" ;')).toEqual([["2"]]);
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
    const endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b";
    await expect(rows(endless, record, { signal: controller.signal })).rejects.toBe(reason);
    await expect(rows("SELECT 1", record, { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe("points for which a condition holds", () => {
  const where = async (condition: string): Promise<number[]> => [
    ...(await pointsWhere(sweepResults(record), condition, SQL_LIMITS)),
  ];

  it("are found by axes, as numbers or words, and by measures", async () => {
    expect(await where("W1 > 1")).toEqual([2, 3]);
    expect(await where("W1_seconds <= 1 AND system = 'hfs'")).toEqual([1]);
    expect(await where("responseP95 BETWEEN 5 AND 100 OR failed > 0")).toEqual([1, 2, 3]);
    expect(await where("point = 1 -- and no more")).toEqual([1]);
  });

  it("are refused in the database's words", async () => {
    await expect(where("W9 > 1")).rejects.toThrow(/^--where: Binder Error: Referenced column "W9" not found/);
    await expect(where("W1 >")).rejects.toThrow(/^--where: Parser Error/);
  });
});

describe("names of others in SQL", () => {
  const evil = ['W1"; DROP TABLE runs; --', "Seed", "point", "a\nb\u0000'c", ""];
  const hostile = sweepRecord(
    sweepPlan(
      evil.map((name) => wordAxis(name, "x'); DROP TABLE runs; --\n\"")),
      { replications: 1 },
    ),
    () => doneRun({ nodeLocalSmall: 1, responseP95: 1 }),
  );

  it("are names and nothing else, each its own", async () => {
    const names = (await rows(null, hostile)).filter(([table]) => table === "runs").map(([, name]) => name);
    expect(names).toContain('W1"; DROP TABLE runs; --');
    expect(names).toEqual(expect.arrayContaining(["Seed_2", "point_2", "seed", "point"]));
    expect(await rows(`SELECT "W1""; DROP TABLE runs; --" FROM runs`, hostile)).toEqual([
      ["x'); DROP TABLE runs; --\n\""],
    ]);
    expect([
      ...(await pointsWhere(sweepResults(hostile), "Seed IS NOT NULL AND point_2 IS NOT NULL", SQL_LIMITS)),
    ]).toEqual([0]);
  });
});

describe("samples of a sweep that keeps series", () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "bide-series-[*]'"));
    await writeParquet([{ ...seriesTable(record.rows[1]!.key, { at_us: [0, 5], running_maps: [1, 2] }) }], folder);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("are a table beside the runs", async () => {
    mkdirSync(join(folder, "series"));
    renameSync(join(folder, `${record.rows[1]!.key}.parquet`), join(folder, "series", "a.parquet"));
    const kept = { ...record, plan: { ...record.plan, series: true } };
    const found = await rows("SELECT point, replication, at_us, running_maps FROM samples ORDER BY at_us", kept, {
      folder,
    });
    expect(found).toEqual([
      ["0", "1", "0", "1"],
      ["0", "1", "5", "2"],
    ]);
  });
});
