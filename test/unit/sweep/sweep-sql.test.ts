import { describe, expect, it } from "vitest";
import { sweepResults } from "../../../dist/experiments/index.js";
import { pointsWhere, SQL_LIMITS } from "../../../dist/io/index.js";
import { record, rows } from "./asked-sweep.js";

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
        a: "9007199254740993",
        b: 42,
        c: 1.5,
        d: null,
        e: "NaN",
        f: "-Infinity",
        g: [1, null],
        h: "2020-01-02 03:04:05",
        i: { x: 1 },
        j: true,
        k: "NULL",
        l: -0.1,
        m: 1,
        "a:1": 1,
      },
    ]);
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
