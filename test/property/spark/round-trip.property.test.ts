import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  SPARK_LEVELS,
  type SparkApplication,
  type SparkJob,
  SparkSimulation,
} from "../../../dist/core/platforms/spark/index.js";
import { importApplication, readEventLogs, writeImports } from "../../../dist/io/index.js";
import { replay } from "../../../dist/lab/index.js";
import { applicationOf } from "../../support/spark-applications.js";
import { SparkLog } from "../../support/spark-log.js";

// A run is written as Spark would log it, imported, and run again. All tasks have the one executor, so that none can go
// elsewhere.

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-round-trip-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const [HERE, ELSEWHERE] = [0, 1];
const MS_US = 1000;
const ms = (min: number, max: number) => fc.integer({ min, max }).map((many) => many * MS_US);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const task = fc.record({
  // What holds an executor at all, such as loading code, is part of a run: 6 ms at least.
  runUs: ms(6, 3000),
  delayUs: ms(0, 200),
  resultUs: fc.oneof(fc.constant(0), ms(1, 500)),
  places: fc.constantFrom([], [{ host: HERE }], [{ host: ELSEWHERE }]),
  failures: maybe(
    fc.array(fc.record({ heldUs: ms(6, 900), reason: fc.constantFrom("ExceptionFailure", "TaskCommitDenied") }), {
      minLength: 1,
      maxLength: 2,
    }),
  ).map((failures) => failures ?? []),
});

const stage = fc.record({
  beforeUs: ms(0, 300),
  driverUs: ms(0, 2000),
  tasks: fc.array(task, { minLength: 1, maxLength: 6 }),
});

/** Jobs one after the other, whose stages follow one another. */
const application = fc
  .record({
    cores: fc.integer({ min: 1, max: 4 }),
    // A log does not split what is beyond a run: with both, cores that are free at one time are told apart by chance.
    areLate: fc.boolean(),
    jobs: fc.array(
      fc.record({ endUs: ms(0, 300), delayUs: ms(1, 900), stages: fc.array(stage, { minLength: 1, maxLength: 3 }) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  })
  .map(({ cores, areLate, jobs }): SparkApplication => {
    const made = jobs.map(({ delayUs, endUs, stages }, job): SparkJob => ({
      name: `job ${job}`,
      submitAtUs: job === 0 ? 1_000_000 : 0,
      endUs,
      ...(job === 0 ? {} : { after: { job: job - 1, delayUs } }),
      stages: stages.map((one, at) => ({
        ...one,
        name: String(at),
        parents: at === 0 ? [] : [at - 1],
        isBarrier: false,
        tasks: one.tasks.map((own) => (areLate ? { ...own, delayUs: 0 } : { ...own, resultUs: 0 })),
      })),
    }));
    const waits = { waitProcessUs: 0, waitNodeUs: 0, waitRackUs: 0, maxFailures: 4 };
    const given = applicationOf("3.5", [cores], made, waits);
    const { away } = given.timing;
    return {
      ...given,
      // Tasks take what they are said to take, wherever they run.
      timing: { ...given.timing, away: { ...away, rackFactor: 1, anyFactor: 1 } },
      racks: [...given.racks, ...given.racks],
    };
  });

/** Instants of a run in milliseconds. */
const at = (us: number): number => us / MS_US;

/** The log of a run: by stage, as Spark numbers them. */
function logOf({ jobs, executors }: SparkApplication, record: ReturnType<SparkSimulation["run"]>): SparkLog {
  const log = new SparkLog().start({ "spark.locality.wait": "0s" }).executor("1", "here", executors[0]!.cores);
  const attempts = record.attempts.rows();
  let first = 0;
  jobs.forEach(({ stages }, job) => {
    const ids = stages.map((_, number) => first + number);
    first += stages.length;
    log.job(job, at(record.jobs[job]!.submittedUs), ids);
    ids.forEach((id, number) => {
      const row = record.stages.find((one) => one.job === job && one.stage === number)!;
      const parents = { "Parent IDs": number === 0 ? [] : [id - 1] };
      log.stage(id, at(row.submittedUs), parents);
      for (const one of attempts.filter((other) => other.job === job && other.stage === number)) {
        const { failures, runUs } = { failures: [], ...stages[number]!.tasks[one.task]! };
        const failure = one.outcome === "failed" ? failures[one.number]! : null;
        const failed = failure === null ? {} : { outcome: failure.reason };
        const took: [number, number] = [at(one.launchUs), at(one.endUs)];
        const info = { info: { Attempt: one.number }, runMs: at(failure === null ? runUs : failure.heldUs) };
        log.task(id, one.task, ["1", "here"], took, SPARK_LEVELS[one.level], { ...info, ...failed });
      }
      log.stageEnd(id, at(row.submittedUs), at(row.endedUs), parents);
    });
    log.jobEnd(job, at(record.jobs[job]!.endedUs));
  });
  return log.end(at(record.endedUs) + 1000);
}

it("A run that is written as a log takes as long when it is imported and run again, whatever the factors are said to be", async () => {
  const factor = fc.constantFrom("0.5", "1", "2.7", "30");
  await fc.assert(
    fc.asyncProperty(application, factor, factor, factor, async (given, ofInput, ofShuffle, ofFirst) => {
      const record = new SparkSimulation(given, "1").run();
      expect(record.stopped).toBe("all-jobs-ended");
      const own = mkdtempSync(join(folder, "run-"));
      writeFileSync(join(own, "log"), logOf(given, record).text());
      const [logged] = await readEventLogs([join(own, "log")]);
      await writeImports([importApplication(logged, { afterWithinUs: 60e6 })], own, own);
      const set = [
        `runtime.anyFactor=${ofInput}`,
        `runtime.shuffleAnyFactor=${ofShuffle}`,
        `runtime.firstFactor=${ofFirst}`,
      ];
      const { stages, jobs, whole } = await replay(join(own, "scenario.yaml"), { set });
      for (const { recordedUs, simulatedUs } of [...stages.times, ...jobs.times, whole]) {
        expect(simulatedUs).toBe(recordedUs);
      }
      expect(stages.times).toHaveLength(record.stages.length);
    }),
    { numRuns: 40 },
  );
});
