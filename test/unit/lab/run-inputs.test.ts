import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Workload } from "../../../dist/core/workload/index.js";
import { parseScenario, loadWorkload } from "../../../dist/io/index.js";
import { RunInputs, runScenario } from "../../../dist/lab/index.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-inputs-"));
  copyFileSync(resolve("test/data/swim-small.tsv"), join(folder, "swim.tsv"));
  copyFileSync(resolve("test/data/tasks-small.csv"), join(folder, "tasks.csv"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const WORKLOADS = {
  facebook: "{kind: facebook, jobs: 10, span: 5m}",
  benchmark: "{kind: benchmark, maxMaps: 5}",
  jobs: "{kind: jobs, jobs: [{maps: 3, mapTime: 5s, spread: 0.5, count: 20, every: 5s}]}",
  swim: "{kind: swim, file: swim.tsv, maxMaps: 20}",
  tasks: "{kind: tasks, file: tasks.csv}",
};

/** A scenario of little work, with changes. */
function scenarioWith(workload: string, set: readonly string[] = [], seed = "1") {
  const text = `name: small
cluster: {racks: 2, nodesPerRack: 3, mapSlots: 2, reduceSlots: 1, heartbeat: 1s}
workload: ${workload}
scheduler: hfs
run: {until: 20m, sample: 10s}
`;
  return parseScenario(text, join(folder, "s.yaml"), { set, seed }).scenario;
}

async function load(inputs: RunInputs, ...of: Parameters<typeof scenarioWith>): Promise<Workload> {
  return loadWorkload(scenarioWith(...of), folder, { kept: inputs });
}

/** Everything that comes of a run, but for what it cost. */
async function wholeRun(scenario: ReturnType<typeof scenarioWith>, inputs?: RunInputs): Promise<string> {
  const { summary, record } = await runScenario(scenario, folder, { placement: 0, inputs });
  const { cost: _, ...found } = summary;
  return JSON.stringify([found, record], (_key, part: unknown) =>
    ArrayBuffer.isView(part) ? Array.from(part as Float64Array) : part,
  );
}

describe("what runs have in common", () => {
  it.each(Object.entries(WORKLOADS))(
    "gives each the same as alone, whatever ran before: %s",
    async (_kind, workload) => {
      const inputs = new RunInputs();
      const changes = [
        [],
        ["scheduler=fifo"],
        ["storage.replication=2", "storage.dynamicReplication={rule: hotSpots, readersPerReplica: 1}"],
        ["runtime.model=detailed", "faults.events=[{kind: crash, rack: 0, node: 1, at: 30s, for: 1m}]"],
      ];
      const scenarios = changes.map((set) => scenarioWith(workload, set));
      const alone: string[] = [];
      for (const scenario of scenarios) alone.push(await wholeRun(scenario));
      for (const _round of [1, 2]) {
        for (const [i, scenario] of scenarios.entries()) {
          expect(await wholeRun(scenario, inputs), changes[i]!.join(" ")).toBe(alone[i]);
        }
      }
      // One workload and one topology.
      expect(inputs.hits).toBe(2 * (2 * changes.length - 1));
    },
  );
});

it("keeps what was used last, below its limit", async () => {
  const of = async (inputs: RunInputs, seed: string): Promise<Workload> => load(inputs, WORKLOADS.facebook, [], seed);
  const unlimited = new RunInputs(Infinity);
  await of(unlimited, "1");
  const limit = 2.5 * unlimited.bytes;
  const inputs = new RunInputs(limit);
  const [first, second] = [await of(inputs, "1"), await of(inputs, "2")];
  expect(await of(inputs, "1")).toBe(first);
  await of(inputs, "3");
  expect(inputs.bytes).toBeLessThanOrEqual(limit);
  expect(await of(inputs, "1")).toBe(first);
  expect(await of(inputs, "2")).not.toBe(second);
  const none = new RunInputs(0);
  expect(await of(none, "1")).not.toBe(await of(none, "1"));
  expect(none.bytes).toBe(0);
});
