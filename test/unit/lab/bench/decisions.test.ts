import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LatencyHistogram } from "../../../../dist/io/index.js";
import { benchDecisions, caseName, DECISION_GRID, DECISION_KINDS, decisionPoint } from "../../../../dist/lab/index.js";

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

  it("tells of every run before it, warm-ups too", async () => {
    const lines: string[] = [];
    const onProgress = (line: string): number => lines.push(line);
    await benchDecisions({ runs: 1, onProgress, decisions: { points: [point], warmups: 1 } });
    expect(lines).toEqual([
      `${caseName(point)}: warm-up, 1 of 2, ETA ?`,
      expect.stringMatching(/: run 1 of 1, 2 of 2, ETA \d+s$/),
    ]);
  });

  it("writes histograms of heartbeats and tasks that others can be added to", async () => {
    const hgrm = join(folder, "latencies");
    await benchDecisions({ runs: 2, decisions: { points: [point], warmups: 0, hgrm } });
    const names = readdirSync(hgrm).sort();
    const base = "hfs-20-x-2-2-6-jobs-x-10-5-3-pools-wait-5s-5s";
    expect(names).toEqual(["heartbeat.hdr", "heartbeat.hgrm", "task.hdr", "task.hgrm"].map((end) => `${base}.${end}`));
    const read = (end: string): LatencyHistogram =>
      LatencyHistogram.from(readFileSync(join(hgrm, `${base}.${end}`), "utf8").trim());
    const task = read("task.hdr");
    // Both runs; interrupted heartbeats and what they gave are left out.
    expect(task.count).toBeLessThanOrEqual(2 * TASKS);
    expect(task.count).toBeGreaterThan(0);
    const { count } = task;
    task.merge(read("task.hdr"));
    expect(task.count).toBe(2 * count);
    expect(readFileSync(join(hgrm, `${base}.heartbeat.hgrm`), "utf8")).toContain("1/(1-Percentile)");
  });

  it("refuses before it measures what it could not write, and replaces files when told to", async () => {
    const measured: string[] = [];
    const onProgress = (line: string): number => measured.push(line);
    const once = (hgrm: string, force = false): Promise<unknown> =>
      benchDecisions({ runs: 1, onProgress, decisions: { points: [point], warmups: 0, hgrm, force } });
    await expect(once(join(folder, "no", "where"))).rejects.toThrow(/parent folder does not exist/);
    await once(folder);
    expect(measured).toHaveLength(1);
    await expect(once(folder)).rejects.toThrow(/found an existing file, allowed a new one/);
    expect(measured).toHaveLength(1);
    await once(folder, true);
    expect(measured).toHaveLength(2);
  });

  it("leaves nothing behind when it is stopped", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    const hgrm = join(folder, "latencies");
    const decisions = { points: [decisionPoint({ nodes: 400, jobs: 50 })], warmups: 0, hgrm };
    const onProgress = (): void => {
      stop.abort(reason);
    };
    await expect(benchDecisions({ runs: 3, onProgress, signal: stop.signal, decisions })).rejects.toBe(reason);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("the grid", () => {
  it("has cases of different names, one of each extreme", () => {
    const names = DECISION_GRID.map(caseName);
    expect(new Set(names).size).toBe(names.length);
    const axis = (key: "nodes" | "jobs" | "pools" | "kind"): unknown[] => [
      ...new Set(DECISION_GRID.map((which) => which[key])),
    ];
    expect(axis("nodes")).toEqual(expect.arrayContaining([100, 1_000, 2_500, 10_000, 100_000]));
    expect(axis("jobs")).toEqual(expect.arrayContaining([10, 100, 1_000, 10_000]));
    expect(axis("pools")).toEqual(expect.arrayContaining([1, 20, 1_000]));
    expect(axis("kind").sort()).toEqual([...DECISION_KINDS].sort());
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
    [
      { kind: "fair", pools: 2 },
      "--pools: found pools with --kind fair, allowed with hfs, spark-fair, yarn-fair, yarn-capacity",
    ],
    [
      { kind: "yarn-fair", wait: { kind: "time", nodeUs: 1, rackUs: 1 } },
      "--wait: found a time with --kind yarn-fair, allowed none: it counts offers, a quarter of the nodes for the node and for the rack",
    ],
    [
      { kind: "spark-fair", updateIntervalUs: 1 },
      "--update-interval: found a time with --kind spark-fair, allowed with hfs, fair, delay, fifo",
    ],
    [
      { kind: "yarn-capacity", tasksPerHeartbeat: 1 },
      "--tasks-per-heartbeat: found a number with --kind yarn-capacity, allowed with hfs, fair, delay, fifo",
    ],
    [{ jobs: 3, pools: 4 }, "--pools: found 4 for 3 jobs, allowed one per job at most"],
    [{ maps: 0, reduces: 0 }, "--maps: found 0 maps and 0 reduces, allowed jobs with at least one task"],
    [{ jobs: 10_001 }, "--maps: found 20002000 tasks in all, allowed up to 10000000"],
    [{ mapSlots: 0 }, "--slots: found no map slots, allowed 0 without maps"],
    [{ reduceSlots: 0 }, "--slots: found no reduce slots, allowed 0 without reduces"],
  ] as const)("is not %j", (changes, message) => {
    expect(() => decisionPoint(changes)).toThrow(message);
  });
});
