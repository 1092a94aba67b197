import fc from "fast-check";
import { expect, it } from "vitest";
import { parseAnyScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

/** Nodes of so much of a resource, and containers of a size that need not divide any of them. */
const nodes = fc
  .tuple(
    fc.array(fc.integer({ min: 500, max: 4_000 }), { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 90, max: 2_000 }),
  )
  .filter(([[first], each]) => first >= 2 * each);

const TASK_TIME = "10m";
const TASK_US = 600e6;

interface Case {
  /** All nodes are as the first is. */
  readonly isEven: boolean;
  readonly scenario: (sizes: readonly number[], each: number, tasks: number) => object;
}

function yarn(kind: string, resource: "memory" | "vcores", settings: object): Case {
  const other = resource === "memory" ? "vcores" : "memory";
  const sized = (amount: number, ofOther: number): object => ({ [resource]: amount, [other]: ofOther });
  return {
    isEven: false,
    scenario: (sizes, each, tasks) => ({
      platform: "yarn",
      cluster: { nodes: sizes.map((size) => sized(size, 4_000)) },
      workload: {
        kind: "jobs",
        jobs: [{ name: "a", master: sized(each, 1), maps: { tasks, time: TASK_TIME, ...sized(each, 1) } }],
      },
      scheduler: { kind, ...settings },
    }),
  };
}

const CAPACITY = { maxOffSwitch: 1000, queues: [{ name: "default", capacity: 100, userLimitFactor: "off" }] };
const CASES: Readonly<Record<string, Case>> = {
  "Spark, by cores": {
    isEven: true,
    scenario: (sizes, each, tasks) => ({
      platform: "spark",
      cluster: { hosts: sizes.length },
      executors: { cores: sizes[0] },
      workload: { kind: "jobs", jobs: [{ name: "a", stages: [{ tasks, time: TASK_TIME }] }] },
      scheduler: { taskCores: each },
    }),
  },
  "yarn-fair, by memory": yarn("yarn-fair", "memory", { assignMultiple: true, dynamicMaxAssign: false }),
  "yarn-fair, by cores": yarn("yarn-fair", "vcores", { assignMultiple: true, dynamicMaxAssign: false }),
  "yarn-capacity, by memory": yarn("yarn-capacity", "memory", CAPACITY),
  "yarn-capacity, by cores": yarn("yarn-capacity", "vcores", { ...CAPACITY, calculator: "dominant" }),
};

it.each(Object.keys(CASES))(
  "No node is left with room for one more container that somebody asks for, whatever the sizes: %s",
  async (name) => {
    const { scenario, isEven } = CASES[name];
    await fc.assert(
      fc.asyncProperty(nodes, async ([drawn, each]) => {
        const sizes = isEven ? drawn.map(() => drawn[0]) : drawn;
        const room = sizes.map((size) => Math.floor(size / each)).reduce((sum, of) => sum + of, 0);
        const read = parseAnyScenario(JSON.stringify(scenario(sizes, each, room + 1)), "full.json");
        const { record } = await runScenario(read.scenario, read.directory, { recordTasks: true });
        // Masters, which are of the same size, are among them.
        const { launchAtUs } = record.tasks!;
        expect(launchAtUs.filter((us) => us < TASK_US).length).toBe(room);
      }),
      { numRuns: 10 },
    );
  },
);
