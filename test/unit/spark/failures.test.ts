import { expect, it } from "vitest";
import { type SparkApplication, SparkSimulation } from "../../../dist/core/platforms/spark/index.js";
import { applicationOf, jobOf, tasksOn } from "../../support/spark-applications.js";

// When attempts fail, and what follows, the naive twin says; here is how often chance has it.

const run = (application: SparkApplication, seed = "1") => new SparkSimulation(application, seed).run();

it("As many attempts fail as the chance says, on a host as its own chance says, and with another seed others", () => {
  const ones = tasksOn(undefined, ...Array.from({ length: 2000 }, () => 1));
  const given = applicationOf("3.5", [25, 25], [jobOf(ones)], { maxFailures: 1000 });
  const failed = (failures: Partial<SparkApplication["failures"]>, seed?: string) =>
    run({ ...given, failures: { chance: 0, planned: [], ...failures } }, seed)
      .attempts.rows()
      .filter(({ outcome }) => outcome === "failed");
  // 2,000 successes: 500 failures are expected, with a deviation of 25.
  const everywhere = failed({ chance: 0.2 });
  expect(Math.abs(everywhere.length - 500)).toBeLessThan(100);
  expect(failed({ chance: 0.2 }, "2")).not.toEqual(everywhere);
  const onOne = failed({ chances: [undefined, 0.5] });
  expect(new Set(onOne.map(({ node }) => node))).toEqual(new Set([1]));
  expect(onOne.length).toBeGreaterThan(500);
});

it("An executor that is lost by chance lives as long as the mean says, and nobody is left where none comes back", () => {
  const losses = { events: [], meanUs: 100e6, untilUs: Infinity, backUs: 0, counts: true };
  const given = applicationOf("3.5", [1], [{ ...jobOf(tasksOn(0, 1)), submitAtUs: 100_000e6 }]);
  // 100,000 s of lives of 100 s: 1,000, with a deviation of 32.
  expect(Math.abs(run({ ...given, losses }).executors.length - 1000)).toBeLessThan(130);
  expect(run({ ...given, losses: { ...losses, untilUs: 0 } }).executors.length).toBe(1);
  expect(run({ ...given, losses: { ...losses, backUs: Infinity } }).stopped).toBe("no-executors-left");
});
