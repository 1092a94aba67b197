import { expect, it } from "vitest";
import { theoryAnswer, type RunResult } from "../../../dist/lab/index.js";
import type { Goal } from "../../../dist/experiments/index.js";
import { HADOOP_WORDS } from "../../../dist/core/platforms/hadoop/index.js";
import { loadScenario } from "../../../dist/io/index.js";
import { SWEEPS } from "../sweep/sweep-texts.js";

const { scenario } = loadScenario(`${SWEEPS}../limit-slots.yaml`);

function goal(bound: number): Goal {
  return {
    wish: { kind: "smallest", axes: [0], by: "order" },
    where: [{ kind: "atLeast", measure: "nodeLocalSmall", bound }],
    isMonotone: false,
  };
}

/** 60 nodes of 2 slots, maps of 20 s; jobs of 1, 3 and 50 maps, the last of which is no small one. */
function run(saturated: number): RunResult {
  const jobs = { rows: 3, tasks: [Int32Array.of(1, 3, 50)], firstLaunchAtUs: Float64Array.of(0, 0, 0) };
  const summary = {
    utilisation: { mapSlots: { saturated, busy: 0.9 } },
    attemptSeconds: { map: { mean: 20 } },
    cluster: { nodes: 60, resources: { mapSlots: 120 } },
  };
  return { summary, record: { words: HADOOP_WORDS, jobs } } as unknown as RunResult;
}

it("gives the D and W1 of section 3.5, from the scenario and one run of it", () => {
  // N = (1 * 1 + 3 * 3) / 4 = 2.5, taken as 3; 60 / 3 * ln(1 + 1 / (0.1 * 3)) = 29.3; 30 / 120 slots * 20 s = 5 s.
  expect(theoryAnswer(scenario, goal(0.9), run(0.8))).toMatchObject({
    applies: true,
    skips: 30,
    waitSeconds: 5,
    inputs: { nodes: 60, slotsPerNode: 2, replication: 3, mapsPerJob: 2.5, taskSeconds: 20, saturated: 0.8 },
  });
});

it("says why it gives nothing", () => {
  const reasonOf = (...args: Parameters<typeof theoryAnswer>): unknown => {
    const found = theoryAnswer(...args);
    return found.applies ? "it applies" : found.reason;
  };
  expect(reasonOf(scenario, { ...goal(0.9), where: [] }, run(0.8))).toContain("no share of node-local maps");
  expect(reasonOf(scenario, goal(1), run(0.8))).toContain("100 %");
  expect(reasonOf(scenario, goal(0.9), run(0.05))).toContain("5 % of the time only");
  const { scenario: fifo } = loadScenario(`${SWEEPS}../tiny.yaml`, { set: ["scheduler=fifo"] });
  expect(reasonOf(fifo, goal(0.9), run(0.8))).toContain("no job waits for locality under fifo");
});
