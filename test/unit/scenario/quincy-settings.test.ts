import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";

const scenarioWith = (scheduler: string) =>
  `workload: {kind: jobs, jobs: [{name: a, maps: 1}]}\nscheduler: ${scheduler}\n`;

describe("the settings of quincy", () => {
  it("all have defaults: the costs of the paper, fair and preempting", () => {
    const spec = { policy: "QFP", rackCost: 1, coreCost: 2, waitCost: 0.5, solveEveryUs: 0 };
    for (const scheduler of ["quincy", "{kind: quincy}", "{kind: quincy, quincy: {}}"]) {
      expect(parseScenario(scenarioWith(scheduler), "x.yaml", {}).scenario.scheduler.quincy).toEqual(spec);
    }
    expect(parseScenario(scenarioWith("fair"), "x.yaml", {}).scenario.scheduler.quincy).toBeUndefined();
  });

  it.each([
    ["{policy: QPF}", /"QPF" for scheduler\.quincy\.policy, allowed G, GF, GFP, Q, QF, QP, QFP/],
    ["{waitCost: 1.5}", /1\.5 for scheduler\.quincy\.waitCost/],
    ["{coreCost: -1}", /-1 for scheduler\.quincy\.coreCost/],
    ["{rackCost: 1e9}", /for scheduler\.quincy\.rackCost/],
    ["{solveEvery: never}", /"never" for scheduler\.quincy\.solveEvery/],
    ["{polic: Q}", /polic/],
    ["QF", /scheduler\.quincy/],
  ])("refuse %s", (quincy, message) => {
    expect(refusal(scenarioWith(`{kind: quincy, quincy: ${quincy}}`))).toMatch(message);
  });
});
