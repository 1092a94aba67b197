import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SweepRecord } from "../../../dist/core/sweep/run-outcome.js";
import { sweepResults } from "../../../dist/core/sweep/sweep-results.js";
import { InputError } from "../../../dist/io/input-error.js";
import { askSweep, describeTables, pointsWhere } from "../../../dist/io/sweep/ask-sweep.js";
import { writeParquet } from "../../../dist/io/results/parquet.js";
import { pointTables } from "../../../dist/io/sweep/point-tables.js";
import { SweepDatabase } from "../../../dist/io/sweep/sweep-database.js";
import { seriesTable, sweepTables } from "../../../dist/io/sweep/sweep-tables.js";
import { doneRun, failedRun, secondsAxis, sweepPlan, sweepRecord, wordAxis } from "../../support/hand-made-sweeps.js";

const record = sweepRecord(
  sweepPlan([secondsAxis("W1", 0, 5), wordAxis("system", "fair", "hfs")]),
  (point, replication) => {
    if (point.index === 3) return replication === 0 ? failedRun("no room") : null;
    return doneRun({ nodeLocalSmall: 0.5, responseP95: 10 * point.index + replication });
  },
);

async function rows(sql: string, of: SweepRecord = record): Promise<(string | null)[][]> {
  const result = await askSweep("nowhere", of, sql);
  return result.rows.map((row) => [...row]);
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
    const listed = (await describeTables("nowhere", record)).rows;
    expect(listed).toContainEqual(["runs", "W1", "VARCHAR"]);
    expect(listed).toContainEqual(["runs", "heartbeats", "BIGINT"]);
    expect([...new Set(listed.map(([table]) => table))]).toEqual(["runs", "costs", "points", "estimates"]);
  });

  it("writes every kind of value as SQL would, and as JSON as far as that goes", async () => {
    const sql = `SELECT 9007199254740993 a, 42::BIGINT b, 1.50::DECIMAL(5,2) c, NULL d, 'nan'::DOUBLE e, '-inf'::DOUBLE f, [1, NULL] g,
      TIMESTAMP '2020-01-02 03:04:05' h, {'x': 1} i, true j, 'NULL' k, -0.1 l, sum(1) m, 1 a`;
    const result = await askSweep("nowhere", record, sql);
    expect(result.rows).toEqual([
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
    expect(JSON.parse(JSON.stringify(result.records()))).toEqual([
      {
        ...{ a: "9007199254740993", b: 42, c: 1.5, d: null, e: "NaN", f: "-Infinity", g: [1, null] },
        ...{ h: "2020-01-02 03:04:05", i: { x: 1 }, j: true, k: "NULL", l: -0.1, m: 1, "a:1": 1 },
      },
    ]);
  });
});

describe("what SQL cannot do", () => {
  let database: SweepDatabase;
  beforeAll(async () => {
    database = await SweepDatabase.open([...sweepTables(record), ...pointTables(sweepResults(record))], null);
  });
  afterAll(() => {
    database.close();
  });

  it.each([
    ["SELECT * FROM read_csv('/etc/passwd')", /file system operations are disabled/],
    ["SELECT * FROM '/etc/passwd'", /does not exist/],
    ["SELECT * FROM read_text('/etc/passwd')", /file system operations are disabled/],
    ["SELECT * FROM glob('/etc/*')", /file system operations are disabled/],
    ["COPY runs TO 'stolen.csv'", /file system operations are disabled/],
    ["COPY (SELECT 1) TO STDOUT", /file system operations are disabled/],
    ["EXPORT DATABASE 'stolen'", /file system operations are disabled/],
    ["ATTACH 'stolen.db'", /found a statement of the kind ATTACH/],
    ["ATTACH ':memory:' AS other", /found a statement of the kind ATTACH, allowed SELECT/],
    ["INSTALL httpfs", /found a statement of the kind LOAD/],
    ["LOAD httpfs", /found a statement of the kind LOAD/],
    ["SET enable_external_access = true", /found a statement of the kind SET/],
    ["SET lock_configuration = false", /found a statement of the kind SET/],
    ["RESET enable_external_access", /found a statement of the kind SET/],
    ["CREATE TABLE stolen AS FROM read_csv('/etc/passwd')", /file system operations are disabled/],
    ["PRAGMA enable_profiling = 'json'", /found enable_profiling, allowed/],
    ["SET profiling_output = 'stolen.json'", /found a statement of the kind SET/],
    ["CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')", /Error/],
    ["SELECT 1; COPY runs TO 'stolen.csv'", /file system operations are disabled/],
    ["EXPLAIN ANALYZE COPY runs TO 'stolen.csv'", /file system operations are disabled/],
    ["DELETE FROM runs", /found a statement of the kind DELETE/],
    ["FROM enable_logging(storage = 'stdout')", /found enable_logging, allowed functions that only compute/],
    [`CREATE VIEW v AS FROM system.main."Enable_Logging"(); FROM v`, /found Enable_Logging, allowed/],
    ["FROM enable_profiling(save_location = 'stolen.json')", /found enable_profiling, allowed/],
    ["FROM query('FROM enable_' || 'logging()')", /found query, allowed/],
    ["FROM json_execute_serialized_sql('{}')", /found json_execute_serialized_sql, allowed/],
    ["SELEC 1", /Parser Error: syntax error at or near "SELEC"/],
    ["SELECT nope FROM runs", /Referenced column "nope" not found/],
    ["SELECT $1", /Values were not provided/],
    ["", /found no statement, allowed a SELECT/],
    ["-- nothing", /found no statement, allowed a SELECT/],
    ["SELECT * FROM range(101)", /found more than 100 rows, allowed fewer: add a LIMIT/],
  ])("%s", async (sql, message) => {
    const asked = database.query(sql, "--sql", undefined, 100);
    await expect(asked).rejects.toThrow(InputError);
    await expect(asked).rejects.toThrow(/^--sql: /);
    await expect(asked).rejects.toThrow(message);
  });

  it("is to change a setting of the database, even if it were allowed such statements", async () => {
    const sql =
      "SELECT name, value FROM duckdb_settings() WHERE name IN ('enable_external_access', 'lock_configuration', 'temp_directory') ORDER BY name";
    expect((await database.query(sql, "--sql")).rows).toEqual([
      ["enable_external_access", "false"],
      ["lock_configuration", "true"],
      ["temp_directory", ""],
    ]);
  });

  it("is to go on for ever: it is stopped by an abort", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    setTimeout(() => {
      controller.abort(reason);
    }, 200);
    const endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b";
    await expect(askSweep("nowhere", record, endless, controller.signal)).rejects.toBe(reason);
    await expect(askSweep("nowhere", record, "SELECT 1", controller.signal)).rejects.toBe(reason);
  });
});

describe("points for which a condition holds", () => {
  const where = async (condition: string): Promise<number[]> => [
    ...(await pointsWhere(sweepResults(record), condition)),
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
    const names = (await describeTables("nowhere", hostile)).rows
      .filter(([table]) => table === "runs")
      .map(([, name]) => name);
    expect(names).toContain('W1"; DROP TABLE runs; --');
    expect(names).toEqual(expect.arrayContaining(["Seed_2", "point_2", "seed", "point"]));
    expect(await rows(`SELECT "W1""; DROP TABLE runs; --" FROM runs`, hostile)).toEqual([
      ["x'); DROP TABLE runs; --\n\""],
    ]);
    expect([...(await pointsWhere(sweepResults(hostile), "Seed IS NOT NULL AND point_2 IS NOT NULL"))]).toEqual([0]);
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
    const result = await askSweep(
      folder,
      kept,
      "SELECT point, replication, at_us, running_maps FROM samples ORDER BY at_us",
    );
    expect(result.rows).toEqual([
      ["0", "1", "0", "1"],
      ["0", "1", "5", "2"],
    ]);
  });
});
