import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type DynamicAllocation,
  type SparkApplication,
  SparkSimulation,
} from "../../../dist/core/platforms/spark/index.js";
import { applicationOf, jobOf, tasksOn } from "../../support/spark-applications.js";

const ALLOCATION: DynamicAllocation = {
  min: 0,
  initial: 0,
  max: 20,
  backlogUs: 1e6,
  sustainedUs: 1e6,
  idleUs: 2e6,
  startUs: 0.5e6,
  hosts: [0, 1],
};
const ten = (count: number) => jobOf(tasksOn(undefined, ...Array.from({ length: count }, () => 10)));

function run(jobs: SparkApplication["jobs"], allocation: Partial<DynamicAllocation> = {}) {
  const given = { ...applicationOf("3.5", [], jobs), racks: [], allocation: { ...ALLOCATION, ...allocation } };
  return new SparkSimulation(given, "1").run();
}

it("Executors are added after a second of backlog, then each second twice as many, and no more than tasks need", () => {
  const { executors, endedUs } = run([ten(8)]);
  expect(executors.map(({ cameUs }) => cameUs / 1e6)).toEqual([1.5, 2.5, 2.5, 3.5, 3.5, 3.5, 3.5, 4.5]);
  expect(executors.map(({ host }) => host)).toEqual([0, 1, 0, 1, 0, 1, 0, 1]);
  expect(endedUs).toBe(14.5e6);
  // Idle since 11.5 s; the next would have gone at 14.5 s.
  expect(executors.map(({ wentUs }) => wentUs / 1e6).filter((went) => went >= 0)).toEqual([13.5]);
});

it("The initial executors stay until there is something to do, and the least of them for ever", () => {
  const { executors } = run(
    [
      { ...ten(1), submitAtUs: 20e6 },
      { ...ten(1), submitAtUs: 60e6 },
    ],
    { min: 1, initial: 3 },
  );
  expect(executors.map(({ cameUs }) => cameUs / 1e6)).toEqual([0.5, 0.5, 0.5]);
  expect(executors.filter(({ wentUs }) => wentUs >= 0).map(({ wentUs }) => wentUs / 1e6)).toEqual([20, 20]);
});

it("Never are more executors there than the most, and every job ends", () => {
  const limits = fc
    .record({ min: fc.nat(3), more: fc.nat(3), most: fc.integer({ min: 1, max: 5 }), idleUs: fc.nat(5_000_000) })
    .map(({ min, more, most, idleUs }) => ({ min, initial: min + more, max: min + more + most, idleUs }));
  const jobs = fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 12 }), submitAtUs: fc.nat(60).map((s) => s * 1e6) }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(limits, jobs, (allocation, drawn) => {
      const record = run(
        drawn.map(({ count, submitAtUs }) => ({ ...ten(count), submitAtUs })),
        allocation,
      );
      expect(record.stopped).toBe("all-jobs-ended");
      for (const { cameUs } of record.executors) {
        const atOnce = record.executors.filter(
          (one) => one.cameUs <= cameUs && (one.wentUs < 0 || one.wentUs > cameUs),
        );
        expect(atOnce.length).toBeLessThanOrEqual(allocation.max);
      }
    }),
    { numRuns: 50 },
  );
});

it("a barrier stage never runs under dynamic allocation: its job fails when it is submitted", () => {
  const job = jobOf(tasksOn(undefined, 1, 1));
  const barrier = { ...job, stages: job.stages.map((stage) => ({ ...stage, isBarrier: true })) };
  const { jobs, attempts } = run([barrier]);
  expect([jobs[0]!.failure, jobs[0]!.endedUs, attempts.length]).toEqual(["barrierDynamic", 0, 0]);
});

it("A lost executor is replaced as it is needed", () => {
  const losses = { events: [{ executor: 0, atUs: 3e6 }], meanUs: Infinity, untilUs: Infinity, backUs: 0, counts: true };
  const given = { ...applicationOf("3.5", [], [jobOf(tasksOn(0, 4))]), racks: [], losses };
  const allocation = { ...ALLOCATION, min: 1, initial: 1, max: 1, startUs: 2e6, hosts: [0] };
  const { executors, endedUs } = new SparkSimulation({ ...given, allocation }, "1").run();
  // The loss is seen at once, as its time is that of a look, and a start takes two seconds.
  expect([...executors.map(({ cameUs }) => cameUs), endedUs]).toEqual([2e6, 5e6, 9e6]);
});
