import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Job, PLATFORM_NAMES, PLATFORMS, type Ran, SPARK_HELD_US, YARN_EVERY } from "./platform-clusters.js";

const taskUs = fc.oneof(
  fc.integer({ min: 1, max: 40 }).map((n) => n * 500_000),
  fc.integer({ min: 1, max: 20_000_000 }),
);

/** A graph of stages in which parents come before what waits for them. */
const graph: fc.Arbitrary<Job> = fc
  .array(fc.array(taskUs, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 })
  .chain((stages) =>
    fc
      .tuple(...stages.map((_, stage) => fc.subarray(Array.from({ length: stage }, (__, parent) => parent))))
      .map((parents) => ({ atUs: 0, stages: stages.map((tasksUs, at) => ({ parents: parents[at], tasksUs })) })),
  );

const slots = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

/** The longest way through the graph, each stage being so long. */
function longestWayUs({ stages }: Job, lengthUs: (tasksUs: readonly number[]) => number): number {
  const endsUs: number[] = [];
  for (const { parents, tasksUs } of stages) {
    endsUs.push(Math.max(0, ...parents.map((parent) => endsUs[parent])) + lengthUs(tasksUs));
  }
  return Math.max(...endsUs);
}

const firstReadyUs = (ran: readonly Ran[]): number => Math.min(...ran.map(({ readyUs }) => readyUs));
const lastEndUs = (ran: readonly Ran[]): number => Math.max(...ran.map(({ endUs }) => endUs));

describe.each(PLATFORM_NAMES)("the makespan under %s", (name) => {
  const { isSpark, run, mostHeldUs, mostLateUs } = PLATFORMS[name];

  it("is at most Graham's, W/m + (1 - 1/m) P, and at least W/m and P: work, slots, and the longest way through the graph", () => {
    fc.assert(
      fc.property(slots, graph, fc.string(), (hosts, job, seed) => {
        const ran = run(hosts, [job], seed);
        const m = sum(hosts);
        const tasksUs = job.stages.flatMap((stage) => stage.tasksUs);
        const takesUs = lastEndUs(ran) - firstReadyUs(ran);
        const longestUs = longestWayUs(job, (of) => Math.max(...of));
        expect(takesUs).toBeGreaterThanOrEqual(Math.max(sum(tasksUs) / m, longestUs));
        const heldUs = sum(tasksUs.map((us) => us + mostHeldUs));
        const heldLongestUs = longestWayUs(job, (of) => Math.max(...of) + mostHeldUs);
        const lateUs = longestWayUs(job, () => mostLateUs);
        expect(takesUs).toBeLessThanOrEqual(heldUs / m + (1 - 1 / m) * heldLongestUs + lateUs);
      }),
      { numRuns: 30 },
    );
  });

  it("on one slot is the sum of all tasks and of what messages take for each, in whatever order they are listed", () => {
    // Under YARN a task of whole intervals holds its slot for one more: it begins between two reports of its node.
    const [unitUs, heldUs] = isSpark ? [1, SPARK_HELD_US] : [YARN_EVERY.nodeUs, YARN_EVERY.nodeUs];
    const lengths = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 4 }), fc.string(), (units, jobs, seed) => {
        const holdsUs = (tasksUs: readonly number[]): number => {
          const dealt = Array.from({ length: jobs }, (_, job) => tasksUs.filter((__, at) => at % jobs === job));
          const stages = dealt.map((of) => [{ parents: [], tasksUs: of }]);
          const ran = run(
            [0, 1],
            stages.map((of) => ({ atUs: 0, stages: of })),
            seed,
          ).sort((a, b) => a.givenUs - b.givenUs);
          const [first, last] = [ran[0], ran[ran.length - 1]];
          return last.givenUs + (last.endUs - last.launchUs) + heldUs - first.givenUs;
        };
        const tasksUs = units.map((unit) => unit * unitUs);
        const expectedUs = sum(tasksUs.map((us) => us + heldUs));
        expect([holdsUs(tasksUs), holdsUs(tasksUs.toSorted((a, b) => a - b))]).toEqual([expectedUs, expectedUs]);
      }),
      { numRuns: 30 },
    );
  });
});
