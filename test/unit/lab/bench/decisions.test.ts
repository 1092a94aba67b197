import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { benchDecisions, caseName, decisionPoint } from "../../../../dist/lab/index.js";

const point = decisionPoint({ nodes: 20, jobs: 6, pools: 3, maps: 10, reduces: 5 });
const TASKS = 90;

describe("bide bench decisions", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "bide-decisions-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("has a row with every column of the table, and says what was subtracted", async () => {
    const report = await benchDecisions({ runs: 2, decisions: { points: [point], warmups: 0 } });
    expect(report.rows).toHaveLength(1);
    const [row] = report.rows;
    expect(Object.keys(row).sort()).toEqual(report.columns.map(({ key }) => key).sort());
    expect(row).toMatchObject({ case: caseName(point), tasks: TASKS });
    expect(Number(row.tasksPerSecond)).toBeGreaterThan(Number(row.allTasksPerSecond));
    expect(Number(row.p50Us)).toBeLessThanOrEqual(Number(row.p99Us));
    expect(Number(row.p99Us)).toBeLessThanOrEqual(Number(row.maxUs));
    expect(report.setup.Clock).toMatch(/^monotonic; \d+ ns per timed call are subtracted$/);
    expect(report.setup["Warm-ups"]).toMatch(/^0 /);
    expect(report.setup.Medians).toBe("of 2");
  });
});

describe("one case", () => {
  it("follows what is given: few jobs are in few pools, a kind has its own wait", () => {
    expect(decisionPoint({ jobs: 5 }).pools).toBe(5);
    expect(decisionPoint({ kind: "fifo" }).wait).toEqual({ kind: "none" });
    expect(decisionPoint({ kind: "delay" }).wait).toMatchObject({ kind: "skips" });
    expect(decisionPoint({}).wait).toMatchObject({ kind: "time", nodeUs: 5_000_000, rackUs: 5_000_000 });
  });

  it.each([
    ["--pools", { kind: "fair", pools: 2 }],
    ["--wait", { kind: "yarn-fair", wait: { kind: "time", nodeUs: 1, rackUs: 1 } }],
    ["--update-interval", { kind: "spark-fair", updateIntervalUs: 1 }],
    ["--tasks-per-heartbeat", { kind: "yarn-capacity", tasksPerHeartbeat: 1 }],
    ["--pools", { jobs: 3, pools: 4 }],
    ["--maps", { maps: 0, reduces: 0 }],
    ["--maps", { jobs: 10_001 }],
    ["--slots", { mapSlots: 0 }],
    ["--slots", { reduceSlots: 0 }],
  ] as const)("%s is refused: %j", (option, changes) => {
    expect(() => decisionPoint(changes)).toThrow(`${option}: `);
  });
});
