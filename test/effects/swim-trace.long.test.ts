import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

const SCENARIO = fileURLToPath(new URL("../../scenarios/swim.yaml", import.meta.url));
const SMALL = fileURLToPath(new URL("../data/swim-small.tsv", import.meta.url));
const REAL = fileURLToPath(new URL("../../../shared/traces/FB-2009_samples_24_times_1hr_0.tsv", import.meta.url));

async function run(trace: string, set: readonly string[] = []) {
  const { scenario, directory } = loadScenario(SCENARIO, { set: [`workload.file=${trace}`, ...set] });
  const { summary } = await runScenario(scenario, directory, { placement: 0, recordTasks: false });
  return summary;
}

describe("a SWIM trace", () => {
  it("runs to the end of its last job", async () => {
    const summary = await run(SMALL);
    expect(summary.jobs.submitted).toBeGreaterThan(0);
    expect(summary.jobs.unfinished).toBe(0);
    expect(summary.stopped).toBe("all-jobs-ended");
  });

  it.skipIf(!existsSync(REAL))("of a day at Facebook: all 5,894 jobs finish", async () => {
    const summary = await run(REAL);
    expect(summary.jobs).toEqual({ submitted: 5894, ended: 5894, failed: 0, unfinished: 0 });
  });

  it.skipIf(!existsSync(REAL))("of a day at Facebook loads the cluster so that schedulers differ", async () => {
    const [fifo, fair] = [await run(REAL, ["scheduler=fifo"]), await run(REAL, ["scheduler=fair"])];
    expect(fair.utilisation.mapSlots.saturated).toBeGreaterThan(0.15);
    // Set-up outweighs the work of most of its small jobs, and the run says so; it no longer says that the load is low.
    expect(fair.notes).toEqual([expect.stringMatching(/^set-up: \d,\d{3} of 5,894 jobs/)]);
    expect(fifo.responseSeconds.p95!).toBeGreaterThan(2 * fair.responseSeconds.p95!);
  });

  it.skipIf(!existsSync(REAL))("of a day at Facebook with default rates does not, and the run says so", async () => {
    const { notes } = await run(REAL, ["workload.timeScale=1", "workload.mapRate=16MB"]);
    expect(notes).toEqual([
      expect.stringMatching(/^low load: \d+ of 5894 jobs competed/),
      expect.stringMatching(/^set-up: 4,899 of 5,894 jobs/),
    ]);
  });
});
