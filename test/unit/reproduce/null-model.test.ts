import { describe, expect, it } from "vitest";
import { nullAnswer } from "../../../dist/experiments/index.js";
import { parseScenario } from "../../../dist/io/index.js";

/** Five racks of 20 nodes with three replicas. */
const setting = (scheduler: string, jobs = "{ name: scan, pool: scans, maps: 2 }", racks = 5) =>
  parseScenario(
    `cluster: { racks: ${racks}, nodesPerRack: ${100 / racks} }
workload: { kind: jobs, jobs: [{ name: other, pool: others, maps: 50, mapTime: 1s }, ${jobs.replace("}", ", mapTime: 1s }")}] }
scheduler: ${scheduler}
`,
    "setting.yaml",
  ).scenario;

const answer = (measure: string, scenario: ReturnType<typeof setting> | null) =>
  nullAnswer({ kind: "shape", measurement: { sweep: "any", measure, at: {} } }, () => scenario);

describe("the null model", () => {
  it("says that two settings do alike, whatever is measured", () => {
    const measurement = { sweep: "any", measure: "inputMoved", of: { a: "1" }, to: { a: "2" } };
    expect(nullAnswer({ kind: "shape", measurement }, () => null)).toBe(1);
  });

  it("says that no gain rises", () => {
    const pair = { of: { a: "1" }, to: { a: "2" } };
    const measurement = { sweep: "any", measure: "responseMean", trend: [pair, pair, pair] };
    expect(nullAnswer({ kind: "shape", measurement }, () => null)).toBe(0);
  });

  it.each(["hfs", "dsfs", "delay", "{ kind: fifo, wait: { node: 1s, rack: 0s } }", "{ kind: hfs, wait: auto }"])(
    "says that %s, which waits, gets the node",
    (scheduler) => {
      expect(answer("nodeLocalAll", setting(scheduler))).toBe(1);
      expect(answer("nodeOrRackLocal of 1 maps", setting(scheduler))).toBe(1);
    },
  );

  it.each(["fair", "fifo", "{ kind: hfs, wait: { node: 0s, rack: 5s } }"])(
    "says that a map of %s, which does not wait, runs where the next slot is",
    (scheduler) => {
      // By hand: of 100 nodes three hold a block; with two maps left, so many miss both blocks.
      const [one, two] = [1 - 0.99 ** 3, 1 - 0.98 ** 3];
      const scenario = setting(scheduler);
      expect(answer("nodeLocalAll of 1 maps", scenario)).toBeCloseTo(one, 12);
      expect(answer("nodeLocalAll of 2 maps", scenario)).toBeCloseTo((one + two) / 2, 12);
      expect(answer("nodeLocalAll of scans", scenario)).toBeCloseTo((one + two) / 2, 12);
      // One job of one map and one of two: three maps.
      expect(answer("nodeLocalAll of 1-2 maps", scenario)).toBeCloseTo((one + one + two) / 3, 12);
      // Replicas are in two of five racks.
      expect(answer("nodeOrRackLocal of 1 maps", scenario)).toBeCloseTo(1 - 0.8 ** 2, 12);
    },
  );
});
