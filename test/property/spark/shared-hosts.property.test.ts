import fc from "fast-check";
import { expect, it } from "vitest";
import { type SparkApplication, type SparkRecord, SparkSimulation } from "../../../dist/core/platforms/spark/index.js";
import { randomApplications } from "../../support/random-spark.js";

/**
 * Some with executors of a list, some with allocated ones. Each may run: it has an executor that stays, or may always
 * ask for one.
 */
const applications = fc.array(
  fc
    .record({ given: randomApplications, isDynamic: fc.boolean(), startTenths: fc.nat(50) })
    .map(({ given, isDynamic, startTenths }): SparkApplication => {
      // A job with a barrier stage may never find the room that others have.
      const jobs = given.jobs.map((job) => ({
        ...job,
        stages: job.stages.map((stage) => ({ ...stage, isBarrier: false })),
      }));
      if (!isDynamic) return { ...given, jobs };
      const { losses: _, ...rest } = given;
      const allocation = {
        min: 0,
        initial: 1,
        max: 3,
        backlogUs: 1_000_000,
        sustainedUs: 1_000_000,
        idleUs: 2_000_000,
        startUs: 500_000,
        hosts: [0, 1, 2, 3],
      };
      const settings = { ...given.settings, executorCores: 2 };
      return { ...rest, jobs, settings, executors: [], allocation, startUs: startTenths * 100_000 };
    }),
  { minLength: 1, maxLength: 3 },
);

const runAll = (all: readonly SparkApplication[], seed: string, hostCores?: readonly number[]): SparkRecord[] => {
  const simulation = new SparkSimulation(all, seed, hostCores);
  simulation.run(1e10);
  return all.map((_, number) => simulation.record(number));
};

it("Executors of several applications never hold more cores of a host than it has, and whoever waits for them gets them", () => {
  fc.assert(
    fc.property(applications, fc.integer({ min: 4, max: 8 }), fc.string({ maxLength: 2 }), (all, room, seed) => {
      const records = runAll(all, seed, [room, room, room, room]);
      const changes = records.flatMap(({ executors, endedUs, stopped }) =>
        executors
          .filter(({ cameUs }) => cameUs >= 0)
          .flatMap(({ host, cores, cameUs, wentUs }) => {
            // They go with their application, if nothing has them go before.
            const goneUs = wentUs >= 0 ? wentUs : stopped === "until" ? Infinity : endedUs;
            return [
              { host, atUs: cameUs, by: cores },
              { host, atUs: goneUs, by: -cores },
            ];
          }),
      );
      // Of one instant, those that go make room for those that come.
      changes.sort((a, b) => a.atUs - b.atUs || a.by - b.by);
      const held = [0, 0, 0, 0];
      for (const { host, by } of changes) {
        held[host]! += by;
        expect(held[host]).toBeLessThanOrEqual(room);
      }
      for (const { stopped } of records) expect(stopped).not.toBe("until");
    }),
    { numRuns: 60 },
  );
});

it("Applications on hosts with room for all run as if nobody else were there", () => {
  fc.assert(
    fc.property(applications, fc.string({ maxLength: 2 }), (all, seed) => {
      const rows = (records: readonly SparkRecord[]) =>
        records.map(({ attempts, jobs, executors }) => ({ attempts: attempts.rows(), jobs, executors }));
      const room = [1e6, 1e6, 1e6, 1e6];
      expect(rows(runAll(all, seed, room))).toEqual(rows(runAll(all, seed)));
    }),
    { numRuns: 40 },
  );
});
