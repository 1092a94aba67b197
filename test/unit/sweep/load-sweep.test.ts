import { describe, expect, it } from "vitest";
import { seedSeries } from "../../../dist/core/scenario/index.js";
import { MEASURES } from "../../../dist/experiments/index.js";
import { loadScenario } from "../../../dist/io/index.js";
import { refusedSweep, sweepOf, SWEEPS } from "./sweep-texts.js";
import { ofHadoop } from "../../support/of-hadoop.js";

describe("a sweep file", () => {
  it("has every combination as a point, the last axis changing fastest", () => {
    const { plan, scenarioAt } = sweepOf(`
axes:
  - {name: W1, path: scheduler.wait.node, values: [0s, 90s]}
  - {path: storage.replication, values: [1, 2, 3]}
replications: 2
measures: [responseP95, jain]
`);
    expect(plan.points.map(({ index, steps, label }) => [index, steps, label])).toEqual([
      [0, [0, 0], "W1=0s replication=1"],
      [1, [0, 1], "W1=0s replication=2"],
      [2, [0, 2], "W1=0s replication=3"],
      [3, [1, 0], "W1=90s replication=1"],
      [4, [1, 1], "W1=90s replication=2"],
      [5, [1, 2], "W1=90s replication=3"],
    ]);
    expect(plan.axes.map(({ name, unit, steps }) => [name, unit, steps.map(({ quantity }) => quantity)])).toEqual([
      ["W1", "seconds", [0, 90]],
      ["replication", "none", [1, 2, 3]],
    ]);
    const at = ofHadoop(scenarioAt(plan.points[4]!, "17"));
    expect([at.storage.replication, at.scheduler.wait, at.run.seed]).toMatchObject([2, { nodeUs: 90e6 }, "17"]);
    const [first] = plan.seeds;
    expect([plan.replications, plan.seeds]).toEqual([2, [first, String(Number(first) + 1)]]);
  });

  it("gives the same scenario of a point each time, also where there are more than are kept", () => {
    // A list of jobs makes each scenario long: some of these points are kept, the others made each time.
    const jobs = Array.from({ length: 450 }, (_, i) => `{name: j${i}, maps: 1, mapTime: 5s}`);
    const text = `
set: {workload: {kind: jobs, jobs: [${jobs.join(", ")}]}}
axes: [{name: W1, path: scheduler.wait.node, range: {from: 0s, to: 99s, step: 1s}}]
`;
    const { plan, scenarioAt } = sweepOf(text);
    const of = (index: number, seed: string) => ofHadoop(scenarioAt(plan.points[index]!, seed));
    const first = of(0, "1");
    const length = JSON.stringify(first).length;
    expect(plan.points.length * length).toBeGreaterThan(1.1 * 2 ** 23);
    for (const index of [99, 0, 75, 0, 99, 3]) {
      const { scheduler, run, ...rest } = of(index, "2");
      expect(scheduler).toEqual({ ...first.scheduler, wait: { ...first.scheduler.wait, nodeUs: index * 1e6 } });
      expect(run).toEqual({ ...first.run, seed: "2" });
      expect({ ...rest, scheduler: first.scheduler, run: first.run }).toEqual(first);
    }
    expect(of(0, "2").workload).toBe(first.workload);
    expect(of(99, "2").workload).not.toBe(of(99, "2").workload);
  });

  it("is one point where nothing is varied, and keeps all that can be repeated", () => {
    const { plan, scenarioAt, directory, notes } = sweepOf("");
    expect(plan).toMatchObject({ name: "x", points: [{ index: 0, steps: [], label: "-" }], replications: 10 });
    expect(plan).toMatchObject({ until: null, warmUp: { kind: "none" }, series: false, why: "" });
    const { scenario, directory: own } = loadScenario(`${SWEEPS}../tiny.yaml`);
    expect(scenarioAt(plan.points[0]!, scenario.run.seed)).toEqual(scenario);
    expect([directory, notes, plan.seeds]).toEqual([own, [], seedSeries(scenario.run.seed, 10)]);
    const groups = new Set(MEASURES.filter(({ key }) => plan.measures.includes(key)).map(({ group }) => group));
    expect([groups.has("cost"), groups.has("slowdown"), groups.has("response")]).toEqual([false, false, true]);
  });

  it("refuses a measure of a pool or user that is another one with each seed, unless there is one seed", () => {
    const text = (replications: number, measure: string): string =>
      `set: {workload: {kind: benchmark}}\nreplications: ${replications}\nmeasures: [responseMean, ${measure}]\naxes: [{path: scheduler.wait.node, values: [1s, 2s]}]\n`;
    expect(refusedSweep(text(2, "responseMean of job050"))).toBe(
      'x.yaml:4:26: "responseMean of job050" is of another job with each seed ("job050"); it is allowed with replications: 1 (at the point "node=1s")',
    );
    expect(refusedSweep(text(2, "responseMean of user job050"))).toContain("job050");
    expect(sweepOf(text(1, "responseMean of job050")).plan.measures).toHaveLength(2);
    expect(sweepOf(text(2, "responseMean of job500")).plan.measures).toHaveLength(2);
  });

  it("says where a value of an axis is wrong, and at which point, once", () => {
    expect(
      refusedSweep(
        "axes:\n  - {path: storage.replication, values: [1, 2]}\n  - {path: scheduler.wait.node, values: [1s, no]}\n",
      ),
    ).toBe(
      `x.yaml:4:46: expected a time from 0s to 365d, found "no" for scheduler.wait.node; times are written 500ms, 10s, 1h30m, 2d (at the point "replication=1 node=no")`,
    );
  });
});
