import { beforeAll, describe, expect, test } from "vitest";
import { stickySlotLocalityBoundOfJobs } from "../theory/closed-forms.js";
import { loadScenario } from "../../dist/io/index.js";
import { runScenario } from "../../dist/lab/index.js";

interface Outcome {
  /** Share of maps, in percent. */
  readonly nodeLocal: number;
  readonly meanSeconds: number;
}

async function outcomeOf(...set: string[]): Promise<Outcome> {
  const { scenario, directory } = loadScenario("scenarios/mesos.yaml", { set });
  const { summary, record } = await runScenario(scenario, directory, { placement: 0 });
  expect(summary.stopped).toBe("all-jobs-ended");
  const { rows, endAtUs, submitAtUs } = record.jobs;
  const total = endAtUs.reduce((sum, endUs, job) => sum + endUs - submitAtUs[job]!, 0);
  return { nodeLocal: 100 * summary.locality.shares.node, meanSeconds: total / rows / 1e6 };
}

// Mesos, NSDI 2011, section 6.3: 18 % local and 564 s in private clusters; under offers 50 % and 485 s, 92 % and 369 s
// with a wait of a second, 97 % and 339 s with five. Five points are allowed, but for the wait of a second: its text
// says "above 90 %".
describe("sixteen Hadoops on one cluster", () => {
  let alone: Outcome;
  let noWait: Outcome;
  let oneSecond: Outcome;
  let fiveSeconds: Outcome;

  beforeAll(async () => {
    alone = await outcomeOf("scheduler=partition");
    noWait = await outcomeOf();
    oneSecond = await outcomeOf("scheduler.wait.node=1s");
    fiveSeconds = await outcomeOf("scheduler.wait.node=5s");
  }, 120_000);

  test("read 18 % locally in private clusters", () => {
    expect(Math.abs(alone.nodeLocal - 18)).toBeLessThan(5);
  });

  test("read 50 % locally with offers, what slots that stick to them allow", () => {
    expect(Math.abs(noWait.nodeLocal - 50)).toBeLessThan(5);
    const bound = stickySlotLocalityBoundOfJobs(16, { replication: 3, slotsPerNode: 4 });
    expect(Math.abs(noWait.nodeLocal - 100 * bound)).toBeLessThan(3);
  });

  test("read more than 90 % locally if they wait for a second, 97 % for five", () => {
    expect(oneSecond.nodeLocal).toBeGreaterThan(90);
    expect(fiveSeconds.nodeLocal).toBeGreaterThanOrEqual(oneSecond.nodeLocal);
    expect(Math.abs(fiveSeconds.nodeLocal - 97)).toBeLessThan(5);
  });

  test("are the faster for it: most of it comes from sharing and the first second", () => {
    expect(alone.meanSeconds).toBeGreaterThan(1.1 * noWait.meanSeconds);
    expect(noWait.meanSeconds).toBeGreaterThan(1.2 * oneSecond.meanSeconds);
    expect(oneSecond.meanSeconds).toBeGreaterThan(fiveSeconds.meanSeconds);
    // Printed: 1.66, or 1.7 in the text.
    expect(alone.meanSeconds / fiveSeconds.meanSeconds).toBeGreaterThan(1.5);
    expect(alone.meanSeconds / fiveSeconds.meanSeconds).toBeLessThan(2);
  });
});
