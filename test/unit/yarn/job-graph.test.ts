import { describe, expect, it } from "vitest";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import { answerOf } from "../../support/scenario-answers.js";

const text = (stages: string): string => `platform: yarn
cluster: {nodes: 4}
workload:
  kind: jobs
  jobs:
    - {name: q, stages: [${stages}]}
scheduler: {kind: yarn-fair}
`;

const DIAMOND = [
  "{name: orders, tasks: 6, time: 4s}",
  "{name: customers, parents: [], tasks: 3, time: 2s, replicas: 1}",
  "{name: join, parents: [orders, customers], tasks: 5, time: 3s}",
  "{name: sum, tasks: 2, time: 1s}",
].join(", ");

describe("a graph of stages", () => {
  it("has parents by name, or the stage before; without parents it reads input", () => {
    expect(answerOf(text(DIAMOND), "graph.yaml", [])).toMatchSnapshot();
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
    // The maps end before the join begins, and the join before the sum.
    const spans = [
      [0, 0, 9],
      [1, 0, 5],
      [1, 5, 7],
    ].map(([type, from, to]) => {
      const own = rows.filter((row) => row.type === type && row.task >= from! && row.task < to!);
      return { first: Math.min(...own.map((row) => row.launchUs)), last: Math.max(...own.map((row) => row.endUs)) };
    });
    expect(spans[1]!.first).toBeGreaterThanOrEqual(spans[0]!.last);
    expect(spans[2]!.first).toBeGreaterThanOrEqual(spans[1]!.last);
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
    "",
    "stages: []",
    "maps: {tasks: 1, time: 1s}, stages: [{name: a, tasks: 1, time: 1s}]",
    "slowStart: 1, stages: [{name: a, tasks: 1, time: 1s}]",
    "stages: [{name: a, parents: [a], tasks: 1, time: 1s}]",
    "stages: [{name: a, tasks: 1, time: 1s}, {name: a, tasks: 1, time: 1s}]",
    "stages: [{name: a, tasks: 1, time: 1s}, {name: b, tasks: 1, time: 1s, replicas: 2}]",
    "stages: [{name: a, tasks: 1, time: 1s, memory: 9000}]",
    "count: 1000, stages: [{name: a, tasks: 20000, time: 1s}, {name: b, tasks: 20000, time: 1s}]",
  ])("is refused as %j", (job) => {
    const rest = job === "" ? "" : `, ${job}`;
    expect(answerOf(text("").replace(", stages: []", rest), "graph.yaml", [])).toMatchSnapshot();
  });
});
