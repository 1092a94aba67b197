import fc from "fast-check";
import { expect, it } from "vitest";
import { SparkSimulation } from "../../../dist/core/platforms/spark/index.js";
import { NaiveSpark } from "../../support/naive-spark.js";
import { randomApplications } from "../../support/random-spark.js";

it("No application comes out otherwise than where everything is looked for anew, as the rules say it", () => {
  fc.assert(
    fc.property(randomApplications, fc.string({ maxLength: 2 }), (given, seed) => {
      const record = new SparkSimulation(given, seed).run();
      const twin = new NaiveSpark(given, seed).run();
      expect(record.attempts.rows().map(({ set: _, earlier: __, before: ___, after: ____, ...row }) => row)).toEqual(
        twin.attempts.map(({ set: { job, stage }, fails: _, reason: __, hasLeft: ___, isSpeculative, ...rest }) => {
          const { host } = record.executors[rest.executor]!;
          return { job, stage, node: host, isSpeculative: Number(isSpeculative), ...rest };
        }),
      );
      expect(record.fingerprint).toBe(twin.fingerprint.hex());
    }),
    { numRuns: 100 },
  );
});
