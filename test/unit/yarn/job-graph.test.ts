import { describe, expect, it } from "vitest";
import type { YarnScenario } from "../../../dist/core/platforms/yarn/index.js";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

const text = (stages: string, more = ""): string => `platform: yarn
cluster: {nodes: 4}
workload:
  kind: jobs
  jobs:
    - {name: q, ${more}stages: [${stages}]}
scheduler: {kind: yarn-fair}
`;

const DIAMOND = [
  "{name: orders, tasks: 6, time: 4s}",
  "{name: customers, parents: [], tasks: 3, time: 2s, replicas: 1}",
  "{name: join, parents: [orders, customers], tasks: 5, time: 3s}",
  "{name: sum, tasks: 2, time: 1s}",
].join(", ");

function jobOf(stages: string, more = "") {
  const { workload } = parseAnyScenario(text(stages, more), "graph.yaml").scenario as YarnScenario;
  if (workload.kind !== "jobs") throw new Error("the scenario lists its jobs");
  return workload.jobs[0]!;
}

describe("a graph of stages", () => {
  it("has parents by name, or the stage before; without parents it reads input", () => {
    const job = jobOf(DIAMOND);
    expect("stages" in job && job.stages.map(({ parents, replicas }) => [parents, replicas])).toEqual([
      [[], 3],
      [[], 1],
      [[0, 1], 0],
      [[2], 0],
    ]);
  });

  it("runs each stage after its parents: those without any count as maps, the others as reduces", async () => {
    const { summary, record } = await runScenario(parseAnyScenario(text(DIAMOND), "graph.yaml").scenario, ".", {
      recordTasks: true,
    });
    expect(summary.stopped).toBe("all-jobs-ended");
    const tasks = record.tasks!;
    const rows = Array.from({ length: tasks.rows }, (_, at) => ({
      type: tasks.type[at]!,
      task: tasks.index[at]!,
      launchUs: tasks.launchAtUs[at]!,
      endUs: tasks.finishAtUs[at]!,
    }));
    const numbersOf = (type: number): number[] =>
      rows.flatMap((row) => (row.type === type ? [row.task] : [])).sort((a, b) => a - b);
    // 6 + 3 maps and 5 + 2 reduces, each with a number of its own.
    expect(numbersOf(0)).toEqual([...Array(9).keys()]);
    expect(numbersOf(1)).toEqual([...Array(7).keys()]);
    const last = (type: number, from: number, to: number): number =>
      Math.max(
        ...rows.filter((row) => row.type === type && row.task >= from && row.task < to).map(({ endUs }) => endUs),
      );
    const first = (type: number, from: number, to: number): number =>
      Math.min(
        ...rows.filter((row) => row.type === type && row.task >= from && row.task < to).map(({ launchUs }) => launchUs),
      );
    expect(first(1, 0, 5)).toBeGreaterThanOrEqual(last(0, 0, 9));
    expect(first(1, 5, 7)).toBeGreaterThanOrEqual(last(1, 0, 5));
  });

  it("with a slow start has containers before its parents have ended, in which its tasks wait", async () => {
    const slow = DIAMOND.replace("tasks: 5, time: 3s", "tasks: 5, time: 3s, slowStart: 0");
    const { record } = await runScenario(parseAnyScenario(text(slow), "graph.yaml").scenario, ".", {
      recordTasks: true,
    });
    const tasks = record.tasks!;
    const all = [...Array(tasks.rows).keys()];
    const lastMap = Math.max(...all.filter((at) => tasks.type[at] === 0).map((at) => tasks.finishAtUs[at]!));
    const firstJoin = all.find((at) => tasks.type[at] === 1)!;
    expect(tasks.launchAtUs[firstJoin]).toBeLessThan(lastMap);
    expect(tasks.finishAtUs[firstJoin]).toBeGreaterThanOrEqual(lastMap + 3e6);
  });

  it.each([
    ["", "found a job without maps and without stages for workload.jobs.0, allowed one of them"],
    [
      "stages: []",
      "found an empty list for workload.jobs.0.stages, allowed a list of at least one of stages {name, tasks, time, parents, ...}",
    ],
    [
      "maps: {tasks: 1, time: 1s}, stages: [{name: a, tasks: 1, time: 1s}]",
      "found maps beside stages, allowed one of them",
    ],
    ["slowStart: 1, stages: [{name: a, tasks: 1, time: 1s}]", "found slowStart beside stages, allowed one of them"],
    [
      "stages: [{name: a, parents: [a], tasks: 1, time: 1s}]",
      'found "a" for workload.jobs.0.stages.0.parents.0, allowed a stage listed before it: none is, as this one is the first',
    ],
    [
      "stages: [{name: a, tasks: 1, time: 1s}, {name: a, tasks: 1, time: 1s}]",
      'found the stage name "a" a second time, allowed each stage name once',
    ],
    [
      "stages: [{name: a, tasks: 1, time: 1s}, {name: b, tasks: 1, time: 1s, replicas: 2}]",
      "found 2 for workload.jobs.0.stages.1.replicas, allowed 0: only stages without parents read input",
    ],
    [
      "stages: [{name: a, tasks: 1, time: 1s, memory: 9000}]",
      "found 9000 MB for workload.jobs.0.stages.0.memory, allowed at most the 8192 of a node",
    ],
    ["count: 1000, stages: [{name: a, tasks: 20000, time: 1s}, {name: b, tasks: 20000, time: 1s}]", "40000000 tasks"],
  ])("%j is refused", (job, message) => {
    const file = `platform: yarn\ncluster: {nodes: 4}\nworkload: {kind: jobs, jobs: [{name: q${job === "" ? "" : `, ${job}`}}]}\nscheduler: {kind: yarn-fair}\n`;
    let said = "";
    try {
      parseAnyScenario(file, "graph.yaml");
    } catch (error) {
      said = String(error);
    }
    expect(said).toContain(message);
  });
});

describe("the priority of a job", () => {
  it("decides under fifo", async () => {
    const file = (priority: string): string => `platform: yarn
cluster: {nodes: 1, memory: 4096}
workload:
  kind: jobs
  jobs:
    - {name: first, master: {memory: 1024}, maps: {tasks: 30, time: 10s}}
    - {name: second, submit: 5s, ${priority}master: {memory: 1024}, maps: {tasks: 10, time: 10s}}
scheduler: {kind: yarn-capacity, queues: [{name: default, capacity: 100, maxAmShare: 1}]}
`;
    const endOf = async (priority: string): Promise<number> => {
      const { record } = await runScenario(parseAnyScenario(file(priority), "p.yaml").scenario, ".");
      return record.jobs.endAtUs[1]! / 1e6;
    };
    expect(await endOf("priority: 5, ")).toBeLessThan((await endOf("")) - 30);
  });
});
