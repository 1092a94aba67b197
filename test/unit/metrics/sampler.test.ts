import { describe, expect, it } from "vitest";
import { loadScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

describe("slots held between samples", () => {
  it("add up to the slot-time of all attempts, under a scheduler with pools and one without", async () => {
    for (const kind of ["hfs", "fifo"]) {
      const { scenario, directory } = loadScenario("scenarios/tiny.yaml", {
        set: [`scheduler=${kind}`, "run.sample=1m"],
      });
      const { record, summary } = await runScenario(scenario, directory, {
        placement: 0,
        recordTasks: true,
      });
      const { samples, tasks } = record;
      const lastUs = samples.atUs[samples.rows - 1];
      let held = 0;
      record.groupSamples.held[0]!.forEach((mean) => (held += mean * 60e6));
      let ran = 0;
      for (let row = 0; row < tasks!.rows; row++) {
        if (tasks!.type[row] === 0)
          ran += Math.max(0, Math.min(tasks!.finishAtUs[row], lastUs) - tasks!.launchAtUs[row]);
      }
      expect(held).toBeGreaterThanOrEqual(ran);
      // A slot is free when the next heartbeat says so.
      expect(held).toBeLessThanOrEqual(ran + tasks!.rows * summary.cluster.heartbeatSeconds! * 1e6);
      expect(held).toBeGreaterThan(0);
    }
  });
});
