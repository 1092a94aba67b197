import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadScenario } from "../../dist/io/scenario/load.js";
import { runScenario } from "../../dist/lab/run-scenario.js";

const SCENARIO = fileURLToPath(new URL("../../scenarios/swim.yaml", import.meta.url));
const SMALL = fileURLToPath(new URL("../data/swim-small.tsv", import.meta.url));
const REAL = fileURLToPath(new URL("../../../shared/traces/FB-2009_samples_24_times_1hr_0.tsv", import.meta.url));

async function run(trace: string) {
  const { scenario, directory } = loadScenario(SCENARIO, { set: [`workload.file=${trace}`] });
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
});
