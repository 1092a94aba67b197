import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, it } from "vitest";
import type { Workload } from "../../dist/core/workload/index.js";
import { loadWorkload, parseScenario } from "../../dist/io/index.js";
import { bytesOfWorkload } from "../../dist/lab/index.js";

// In a process of its own: what other tests leave on the heap would be counted too.

const folder = mkdtempSync(join(tmpdir(), "bide-kept-"));
afterAll(() => rmSync(folder, { recursive: true }));

const scenarioWith = (workload: string) =>
  parseScenario(`name: small\nworkload: ${workload}\nscheduler: hfs\nrun: {until: 20m}\n`, join(folder, "s.yaml"))
    .scenario;

describe("a workload that is kept for other runs", () => {
  it.each([
    ["facebook", "{kind: facebook, jobs: 3000, longTasks: {share: 0.1, factor: 3}}"],
    ["benchmark", "{kind: benchmark, repeat: 30}"],
    [
      "jobs",
      "{kind: jobs, jobs: [{maps: 3, mapTime: 5s, spread: 0.5, reduces: 1, copyTime: 1s, reduceTime: 5s, count: 3000}]}",
    ],
    ["swim", "{kind: swim, file: many.tsv}"],
    ["tasks", "{kind: tasks, file: many.csv}"],
  ])("is counted at its real size or above: %s", async (_kind, workload) => {
    const many = Array.from({ length: 3000 }, (_, i) => i);
    writeFileSync(
      join(folder, "many.tsv"),
      many.map((i) => `j${String(i)}\t${String(i)}\t1\t5000000000\t1\t1\tin${String(i)}\n`).join(""),
    );
    const rows = many.map((i) => [0, 1, 2].map((at) => `j${String(i)},${String(i)},map,${String(at + 1)}\n`).join(""));
    writeFileSync(join(folder, "many.csv"), `job,submit,type,seconds\n${rows.join("")}`);
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const used = (): number => {
      collect();
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const scenario = scenarioWith(workload);
    const first = await loadWorkload(scenario, folder);
    const bytesNow = async (): Promise<number> => {
      const held: Workload[] = [];
      const before = used();
      for (let i = 0; i < 4; i++) held.push(await loadWorkload(scenario, folder));
      return (used() - before) / held.length;
    };
    // What else the process comes to keep meanwhile, such as compiled code, is counted too: the median of five is the
    // workloads alone.
    const sizes: number[] = [];
    for (let round = 0; round < 5; round++) sizes.push(await bytesNow());
    const bytes = sizes.toSorted((a, b) => a - b)[2]!;
    expect(bytesOfWorkload(first)).toBeGreaterThan(bytes);
    expect(bytesOfWorkload(first)).toBeLessThan(4 * bytes);
  });
});
