import fc from "fast-check";
import { expect, it } from "vitest";
import { SparkSimulation } from "../../../dist/core/platforms/spark/index.js";
import { NaiveSpark } from "../../support/naive-spark.js";
import { randomApplications } from "../../support/random-spark.js";
import { applicationOf, jobOf, tasksOn } from "../../support/spark-applications.js";

/** So many that the places of task sets, a bit for each set, need several words. */
const MANY_JOBS = Array.from({ length: 100 }, (_, job) => jobOf(tasksOn(job % 2, 1 + (job % 3)), job * 10_000));

/** Numbers task sets, of which a stage has one for each of its attempts, in the order in which they launch tasks. */
function inOrderOfLaunch(): (set: unknown) => number {
  const numbers = new Map<unknown, number>();
  return (set) => {
    const number = numbers.get(set) ?? numbers.size;
    numbers.set(set, number);
    return number;
  };
}

it("No application comes out otherwise than where everything is looked for anew, as the rules say it", () => {
  fc.assert(
    fc.property(randomApplications, fc.string({ maxLength: 2 }), (given, seed) => {
      const record = new SparkSimulation(given, seed).run();
      const twin = new NaiveSpark(given, seed).run();
      const setOf = inOrderOfLaunch();
      const rows = record.attempts.rows().map(({ earlier: _, before: __, after: ___, set, ...row }) => {
        return { ...row, set: setOf(set) };
      });
      const twinSetOf = inOrderOfLaunch();
      expect(rows).toEqual(
        twin.attempts.map(({ set, fails: _, reason: __, hasLeft: ___, isSpeculative, ...rest }) => {
          const { host } = record.executors[rest.executor]!;
          const { job, stage } = set;
          return { job, stage, node: host, isSpeculative: Number(isSpeculative), ...rest, set: twinSetOf(set) };
        }),
      );
      expect(record.fingerprint).toBe(twin.fingerprint.hex());
    }),
    { numRuns: 100, examples: [[applicationOf("3.5", [1, 1, 2], MANY_JOBS), "1"]] },
  );
});
