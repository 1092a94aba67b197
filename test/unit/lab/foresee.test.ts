import { describe, expect, it } from "vitest";
import { loadScenario, parseScenario } from "../../../dist/io/scenario/load.js";
import { loadWorkload } from "../../../dist/io/workloads/load.js";
import { foresee, refuseTooLarge } from "../../../dist/lab/foresee.js";

/** A machine of 2 GB, on which Node allows half of that for its heap. */
const SMALL = { bytes: 2e9, heapBytes: 1e9, addressBytes: Infinity };
const NONE = { threads: 0, recordTasks: false };

describe("what is foreseen of a run", () => {
  it.each([
    ["facebook-day", []],
    ["scale-10k", []],
    // The largest of the ladder of bench scale.
    ["scale-10k", ["cluster.racks=100", "cluster.nodesPerRack=620", "workload.jobs=31250"]],
  ])("%s %j fits into 2 GB", async (name, set) => {
    const { scenario, directory } = loadScenario(`scenarios/${name}.yaml`, { set });
    const workload = await loadWorkload(scenario, directory);
    for (const threads of [0, 4]) {
      for (const known of [null, workload]) {
        const foreseen = foresee(scenario, known, { ...NONE, threads });
        expect(() => {
          refuseTooLarge(name, foreseen, SMALL);
        }).not.toThrow();
        expect(foreseen.bytes).toBeGreaterThan(50e6);
      }
    }
  });

  it("is told for so many runs at once", () => {
    const { scenario } = loadScenario("scenarios/facebook-day.yaml", { set: ["workload.jobs=1000000"] });
    const foreseen = foresee(scenario, null, NONE);
    expect(() => {
      refuseTooLarge("day", foreseen, SMALL, 2);
    }).not.toThrow();
    expect(() => {
      refuseTooLarge("day", foreseen, SMALL, 4);
    }).toThrow("day: 4 runs at once need at least 3.1 GB of memory, most of it for 1,000,000 jobs (workload.jobs)");
  });

  it("blames threads where they are what takes memory", () => {
    const text = "cluster: { racks: 400, nodesPerRack: 1 }\nworkload: { kind: jobs, jobs: [ { maps: 1 } ] }\n";
    const { scenario } = parseScenario(text, "x");
    expect(() => {
      refuseTooLarge("x", foresee(scenario, null, { ...NONE, threads: 400 }), SMALL);
    }).toThrow("x: the run needs at least 3.7 GB of memory, most of it for 400 threads (--threads)");
  });
});
