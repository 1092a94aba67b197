import { describe, expect, it } from "vitest";
import { tuneProblemOf } from "../../../dist/experiments/index.js";
import { refusedSweep, sweepOf } from "./sweep-texts.js";

const AXES = `
axes:
  - {name: W1, path: scheduler.wait.node, values: [10s, 1s, 5s]}
  - {name: W2, path: scheduler.wait.rack, values: [0s, 4s]}
replications: 2
`;

describe("the goal of a sweep file", () => {
  it("names axes and conditions, in the units of the measures", () => {
    const { goal } = sweepOf(`${AXES}
goal:
  smallest: [W2, W1]
  where:
    - {measure: nodeLocalSmall, atLeast: 95%}
    - {measure: responseP95, atMost: 1m30s}
    - {measure: kills, atMost: 3}
    - {measure: jain, withinOfBest: 5%}
`);
    expect(goal).toEqual({
      wish: { kind: "smallest", axes: [1, 0], by: "order" },
      where: [
        { kind: "atLeast", measure: "nodeLocalSmall", bound: 0.95 },
        { kind: "atMost", measure: "responseP95", bound: 90 },
        { kind: "atMost", measure: "kills", bound: 3 },
        { kind: "withinOfBest", measure: "jain", share: 0.05, better: "higher" },
      ],
      isMonotone: false,
    });
    expect(sweepOf(`${AXES}\ngoal: {minimise: responseMean, monotone: false}`).goal).toEqual({
      wish: { kind: "minimise", measure: "responseMean" },
      where: [],
      isMonotone: false,
    });
    expect(sweepOf(AXES).goal).toBeUndefined();
  });

  it("orders points by the axes it names, or by the sum of their quantities", () => {
    const labels = (by: string): string[] => {
      const { plan, goal } = sweepOf(
        `${AXES}\ngoal: {smallest: [W2, W1], by: ${by}, where: [{measure: jain, atLeast: 0}]}`,
      );
      return tuneProblemOf(plan, goal!).preference.map((point) => plan.points[point]!.label);
    };
    expect(labels("order")).toEqual([
      ...["W1=1s W2=0s", "W1=5s W2=0s", "W1=10s W2=0s"],
      ...["W1=1s W2=4s", "W1=5s W2=4s", "W1=10s W2=4s"],
    ]);
    // 1 and 5 and 10, with 0 or 4; of 5 + 0 and 1 + 4 the smaller W2 comes first.
    expect(labels("sum")).toEqual([
      ...["W1=1s W2=0s", "W1=5s W2=0s", "W1=1s W2=4s"],
      ...["W1=5s W2=4s", "W1=10s W2=0s", "W1=10s W2=4s"],
    ]);
  });

  const where = "where: [{measure: jain, atLeast: 0}]";
  it.each([
    "{smallest: [W3], " + where + "}",
    "{smallest: [W1, W1], " + where + "}",
    "{smallest: [W1]}",
    "{}",
    "{minimise: jain, maximise: jain}",
    "{minimise: wallSeconds}",
    '{minimise: "responseP95 of production"}',
    "{minimise: jain, by: sum}",
    "{minimise: jain, confidence: 40%}",
    "{smallest: [W1], monotone: true, " + where + "}",
    "{minimise: jain, where: [{measure: jain}]}",
    "{minimise: jain, where: [{measure: jain, atLeast: 0, atMost: 1}]}",
    "{minimise: jain, where: [{measure: nodeLocalAll, atLeast: 120%}]}",
    "{minimise: jain, where: [{measure: responseP95, atMost: 30MB}]}",
    "{minimise: jain, where: [{measure: rackLocalAll, withinOfBest: 5%}]}",
    "{minimise: jain, where: [{measure: responseP96, atMost: 3}]}",
    "{minimise: jain, with: 3}",
  ])("refuses %s", (goal) => {
    expect(refusedSweep(`${AXES}goal: ${goal}`)).toMatch(/^x\.yaml:7:\d+: /);
  });

  it("refuses the sum of what cannot be added, and measures that are not kept", () => {
    const axes = "axes: [{name: K, path: scheduler, values: [fair, fifo]}]\n";
    expect(refusedSweep(`${axes}goal: {smallest: [K], by: sum, ${where}}`)).toContain("found sum of K (no quantities)");
    expect(refusedSweep(`${AXES}measures: [jain]\ngoal: {minimise: kills}`)).toContain(
      'found "kills" for goal.minimise',
    );
  });
});
