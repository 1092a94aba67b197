import fc from "fast-check";
import { expect, it } from "vitest";
import {
  defaultSpeculation,
  SPARK_RULES,
  type SparkApplication,
  SparkSimulation,
  type SparkVersion,
} from "../../../dist/core/platforms/spark/index.js";
import { applicationOf } from "../../support/spark-applications.js";

const HOSTS = 4;
const versions = Object.keys(SPARK_RULES) as SparkVersion[];

const task = fc.record({
  runUs: fc.integer({ min: 1, max: 5_000_000 }),
  places: fc.array(fc.record({ host: fc.nat(HOSTS - 1) }), { maxLength: 3 }),
});

const job = (number: number) =>
  fc.record({
    name: fc.constant(`job${number}`),
    pool: fc.constantFrom("a", "b", "default"),
    submitAtUs: fc.nat(10_000_000),
    stages: fc
      .array(fc.array(task, { maxLength: 8 }), { minLength: 1, maxLength: 4 })
      .chain((stages) =>
        fc
          .tuple(...stages.map((_, stage) => fc.subarray(Array.from({ length: stage }, (__, parent) => parent))))
          .map((parents) =>
            stages.map((tasks, stage) => ({ name: "s", parents: parents[stage]!, isBarrier: false, tasks })),
          ),
      ),
  });

const application: fc.Arbitrary<SparkApplication> = fc
  .record({
    version: fc.constantFrom(...versions),
    cores: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: HOSTS, maxLength: HOSTS }),
    racks: fc.array(fc.integer({ min: -1, max: 1 }), { minLength: HOSTS, maxLength: HOSTS }),
    gone: fc.array(fc.nat(20_000_000), { maxLength: HOSTS - 1 }),
    jobs: fc.integer({ min: 1, max: 5 }).chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => job(i)))),
    waitUs: fc.constantFrom(0, 500_000, 3_000_000),
    isFair: fc.boolean(),
    speculates: fc.boolean(),
  })
  .map(({ version, cores, racks, gone, jobs, waitUs, isFair, speculates }) => {
    const made = applicationOf(version, cores, jobs, {
      waitNodeUs: waitUs,
      waitRackUs: waitUs,
      mode: isFair ? "FAIR" : "FIFO",
      speculation: speculates ? defaultSpeculation(SPARK_RULES[version]) : null,
    });
    const executors = made.executors.map((one, i) => ({ ...one, untilUs: gone[i] ?? Infinity }));
    return { ...made, executors, racks };
  });

it("No task of an application succeeds twice or never, before its stage's parents, or with more cores than there are", () => {
  fc.assert(
    fc.property(application, (given) => {
      const record = new SparkSimulation(given, "1").run();
      expect(record.stopped).toBe("all-jobs-ended");
      const attempts = record.attempts.rows();
      given.jobs.forEach(({ stages }, of) => {
        stages.forEach(({ tasks, parents }, stage) => {
          const row = record.stages.find((one) => one.job === of && one.stage === stage)!;
          for (const parent of parents) {
            const before = record.stages.find((one) => one.job === of && one.stage === parent)!;
            expect(before.endedUs).toBeLessThanOrEqual(row.submittedUs);
          }
          const own = attempts.filter((one) => one.job === of && one.stage === stage);
          for (const { launchUs, endUs } of own.filter(({ outcome }) => outcome === "succeeded")) {
            expect(launchUs).toBeGreaterThanOrEqual(row.submittedUs);
            expect(endUs).toBeLessThanOrEqual(row.endedUs);
          }
          const succeeded = own.filter(({ outcome }) => outcome === "succeeded").map((one) => one.task);
          expect(succeeded.sort((a, b) => a - b)).toEqual(tasks.map((_, at) => at));
        });
      });
      for (const { executor, launchUs } of attempts) {
        const atOnce = attempts.filter(
          (one) => one.executor === executor && one.launchUs <= launchUs && (one.endUs < 0 || one.endUs > launchUs),
        );
        expect(atOnce.length).toBeLessThanOrEqual(given.executors[executor]!.cores);
      }
    }),
    { numRuns: 150 },
  );
});

it("The same application and seed never come out otherwise, in one go or in steps, and nothing runs on no executor", () => {
  fc.assert(
    fc.property(application, fc.string(), fc.integer({ min: 1, max: 8 }), (given, seed, steps) => {
      const one = new SparkSimulation(given, seed).run();
      const other = new SparkSimulation(given, seed);
      for (let step = 1; step <= steps; step++) {
        other.advance((one.endedUs * step) / steps);
        const { nowUs } = other;
        const { jobsEnded } = other.progress();
        expect(other.nextUs()).toBeGreaterThan(nowUs);
        expect(jobsEnded).toBe(one.jobs.filter(({ endedUs }) => endedUs >= 0 && endedUs <= nowUs).length);
      }
      other.advance(Infinity);
      expect(other.record()).toEqual(one);
      for (const { executor, launchUs } of one.attempts.rows()) {
        const { fromUs, untilUs } = given.executors[executor]!;
        expect(launchUs >= fromUs && launchUs < untilUs).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});
