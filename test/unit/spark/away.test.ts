import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  importApplication,
  importEnd,
  importLines,
  readEventLogs,
  type SparkImport,
  writeImports,
} from "../../../dist/io/index.js";
import { SparkLog } from "../../support/spark-log.js";

const ONE = ["1", "h1"] as const;
const TWO = ["2", "h2"] as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-away-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let logs = 0;

async function imported(log: SparkLog): Promise<SparkImport> {
  const path = join(folder, `log-${logs++}`);
  writeFileSync(path, log.text());
  const [application] = await readEventLogs([path]);
  return importApplication(application, { afterWithinUs: 60e6 });
}

/**
 * 16 tasks of 4 s on the host of their data and 12 of `awayMs` on another; a second stage in which both hosts are
 * equally fast.
 */
function twoHosts(awayMs: number, rest: object = {}, id?: string): SparkLog {
  const log = new SparkLog(1_700_000_000_000, id)
    .start()
    .executor("1", "h1", 4)
    .executor("2", "h2", 4)
    .job(0, 1000, [0])
    .stage(0, 1010, rest);
  const launch = (wave: number, ms: number): [number, number] => [
    1020 + wave * (ms + 10),
    1020 + wave * (ms + 10) + ms,
  ];
  for (let task = 0; task < 16; task++) log.task(0, task, ONE, launch(Math.floor(task / 4), 4020), "NODE_LOCAL");
  for (let task = 0; task < 12; task++) log.task(0, 16 + task, TWO, launch(Math.floor(task / 4), awayMs + 20), "ANY");
  log.stageEnd(0, 1010, 60_000, rest).jobEnd(0, 60_000).job(1, 61_000, [1]).stage(1, 61_000, rest);
  for (let task = 0; task < 8; task++) log.task(1, task, task < 4 ? ONE : TWO, [61_010, 65_030], "NODE_LOCAL");
  return log.stageEnd(1, 61_000, 65_030, rest).jobEnd(1, 65_040).end(66_000);
}

describe("what an import learns of tasks away from their data", () => {
  it("is the factor, with the tasks and stages behind it, in the report and in the scenario", async () => {
    const one = await imported(twoHosts(8000));
    const any = one.report.away.find(({ level }) => level === "ANY");
    expect(any).toMatchObject({
      reads: "input",
      unidentified: null,
      awayTasks: 12,
      besideTasks: 16,
      stages: 1,
      hostStages: 1,
    });
    expect(any?.factor).toBeCloseTo(2, 2);
    expect(importLines(importEnd([one], "out")).filter((line) => line.startsWith("learnt"))).toMatchInlineSnapshot(`
      [
        "learnt: what an input task costs away from its data (RACK_LOCAL) is not identified: no task ran there; runs carry 1.0 to 2.0 times",
        "learnt: away from its data (ANY) an input task takes 2.0 times as long (95 %: 1.8 to 2.2; 28 tasks of 1 stage, hosts told apart by 1 more)",
      ]
    `);
    const out = mkdtempSync(join(folder, "out-"));
    await writeImports([one], out, out);
    const { runtime } = parse(readFileSync(join(out, "scenario.yaml"), "utf8")) as { runtime: Record<string, object> };
    expect(runtime.anyFactor).toMatchObject({ estimate: 2 });
    expect(runtime.rackFactor).toMatchObject({ low: 1, high: 2 });
    expect(Object.keys(runtime)).not.toContain("cachedAnyFactor");
  });

  it.each([
    ["input", {}, {}],
    ["shuffle", { "Parent IDs": [7] }, {}],
    [
      "input",
      { "Parent IDs": [7] },
      { "Input Metrics": { "Bytes Read": 9 }, "Shuffle Read Metrics": { "Local Bytes Read": 2 } },
    ],
    [
      "shuffle",
      { "Parent IDs": [7] },
      { "Input Metrics": { "Bytes Read": 1 }, "Shuffle Read Metrics": { "Local Bytes Read": 2 } },
    ],
  ])("is of stages that read %s", async (reads, rest, metrics) => {
    const log = twoHosts(8000, rest);
    log.lines.forEach((line, at) => {
      const event = JSON.parse(line) as { "Task Metrics"?: object };
      if (event["Task Metrics"] === undefined) return;
      event["Task Metrics"] = { ...event["Task Metrics"], ...metrics };
      log.lines[at] = JSON.stringify(event);
    });
    const one = await imported(log);
    expect(one.report.away.map((factor) => factor.reads)).toContain(reads);
    expect(new Set(one.report.away.map((factor) => factor.reads)).size).toBe(1);
    expect(one.jobs.flatMap(({ stages }) => stages.map((stage) => stage.reads))).toEqual([reads, reads]);
  });

  it("is written with the scenario of several applications as one range that spans theirs", async () => {
    const all = [await imported(twoHosts(8000)), await imported(twoHosts(6000, {}, "app-2"))];
    const out = mkdtempSync(join(folder, "out-"));
    await writeImports(all, out, out);
    const { runtime } = parse(readFileSync(join(out, "together.yaml"), "utf8")) as {
      runtime: { anyFactor: { estimate: number; low: number; high: number } };
    };
    expect(runtime.anyFactor.estimate).toBeCloseTo(Math.sqrt(3), 2);
    expect(runtime.anyFactor.low).toBeLessThan(1.5);
    expect(runtime.anyFactor.high).toBeGreaterThan(2);
  });
});
