import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SparkScenario } from "../../../dist/core/platforms/spark/index.js";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

const WORK = `platform: spark
cluster:
  hosts: [{ name: a }, { name: data, executors: false }, { name: b }]
workload: { kind: jobs, jobs: [{ name: work, stages: [{ tasks: 8, time: 4s, input: hosts }] }] }
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-counts-"));
  // The first two are there together, and so are the last two.
  const rows = ["one,a,2,0,10000000", "two,b,2,0,10000000", "three,a,2,10000000,", "four,data,2,10000000,"];
  writeFileSync(join(folder, "executors.csv"), ["executor,host,cores,from_us,until_us", ...rows, ""].join("\n"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string, set: string[] = []) => {
  const { scenario, notes } = parseAnyScenario(text, join(folder, "scenario.yaml"), { set });
  return { scenario: scenario as SparkScenario, notes };
};

describe("a host that only holds data", () => {
  it("gets no executor, listed or allocated, but one that a table names", async () => {
    expect(read(WORK).scenario.executors.map(({ host }) => host)).toEqual([0, 2]);
    expect(read(WORK, ["executors.count=3"]).scenario.executors.map(({ host }) => host)).toEqual([0, 2, 0]);
    const dynamic = read(WORK, ["executors.dynamic=true"]);
    expect(dynamic.scenario.allocation?.max).toBe(2);
    const { record } = await runScenario(dynamic.scenario, folder, { recordTasks: true });
    expect([...new Set(record.tasks?.node)].sort()).toEqual([0, 2]);
    const table = read(`${WORK}executors: { file: executors.csv }\n`);
    expect(table.scenario.executors.map(({ host }) => host)).toEqual([0, 2, 0, 1]);
  });
});

describe("executors that come and go", () => {
  const text = `${WORK}executors: { file: executors.csv }\n`;

  it("count as many as are there at one time, and those that leave with tasks are told", async () => {
    const { summary } = await runScenario(read(text, ["workload.jobs.0.stages.0.tasks=16"]).scenario, folder);
    expect(summary.cluster.resources).toEqual({ cores: 4 });
    expect(summary.notes).toMatchSnapshot();
    const kept = await runScenario(read(WORK).scenario, folder);
    expect(kept.summary.notes).toEqual([]);
  });

  it("are no fewer for a number that the table never reaches, and that is told", () => {
    expect(read(text, ["executors.count=2"]).notes).toHaveLength(1);
    expect(read(text, ["executors.count=1"]).notes).toEqual([]);
  });
});

it("FAIR with all jobs in one pool decides as FIFO, and that is told", async () => {
  const notesOf = async (...set: string[]) => {
    const { scenario } = read(WORK, ["scheduler.mode=FAIR", "scheduler.version=3.1", ...set]);
    return (await runScenario(scenario, folder)).summary.notes.length;
  };
  expect(await notesOf()).toBe(1);
  expect(await notesOf("scheduler.pools=[{name: default, mode: FAIR}]")).toBe(0);
});
