import fc from "fast-check";
import { expect, it } from "vitest";
import {
  applicationOf,
  type AwayFactorName,
  NOWHERE_DEARER,
  SPARK_RULES,
  defaultSettings,
  type SparkApplication,
  type SparkJob,
  type SparkRuntime,
  type SparkStage,
} from "../../../dist/core/platforms/spark/index.js";
import type { FactorRange } from "../../../dist/core/workload/index.js";

// How a table of what was recorded is used: as it is, not at all, or held out by stage.

const FACTORS: readonly AwayFactorName[] = [
  ...(["rackFactor", "anyFactor", "cachedNodeFactor", "cachedAnyFactor", "shuffleAnyFactor"] as const),
];

/** Jobs by how many tasks their stages have; each stage and task says times that nothing else says. */
const jobs: fc.Arbitrary<SparkJob[]> = fc
  .array(fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .map((sizes) => {
    let number = 0;
    return sizes.map((stages): SparkJob => ({
      name: "job",
      submitAtUs: 0,
      endUs: 5,
      stages: stages.map((tasks): SparkStage => {
        const own = 1000 * ++number;
        return {
          name: "s",
          parents: [],
          isBarrier: false,
          beforeUs: own + 1,
          driverUs: own + 2,
          driverMostUs: own + 3,
          tasks: Array.from({ length: tasks }, (_, at) => ({
            runUs: own,
            places: [],
            delayUs: own + 10 * at,
            resultUs: own + 10 * at + 1,
            failures: [{ heldUs: own + 10 * at + 2, reason: "ExceptionFailure" }],
          })),
        };
      }),
    }));
  });

function applicationWith(
  listed: readonly SparkJob[],
  { copied, runtime = {}, seed }: { copied?: "none" | "heldOut"; runtime?: Partial<SparkRuntime>; seed: string },
): SparkApplication {
  const rules = SPARK_RULES["3.5"];
  const timing = { reviveUs: 1, speculationUs: 1, stageStartUs: 7, launchUs: 3, reportUs: 4 };
  const file = { kind: "stages", file: "stages.csv" } as const;
  return applicationOf(
    { cluster: { hosts: [] }, runtime: { ...timing, rackFactor: 1, anyFactor: 1, ...runtime } },
    {
      executors: [],
      leftOut: [],
      workload: copied === undefined ? file : { ...file, copied },
      scheduler: { ...defaultSettings(rules), kind: "spark", version: "3.5", pools: [] },
    },
    listed,
    seed,
  );
}

/** Times that an application copies, by stage, without those of runs. */
function copiedTimes(application: SparkApplication): number[][] {
  return application.jobs.flatMap(({ stages }) =>
    stages.map(({ beforeUs, driverUs, tasks }) =>
      [
        ...[beforeUs, driverUs],
        ...tasks.flatMap(({ delayUs, resultUs, failures = [] }) => [
          ...[delayUs, resultUs],
          ...failures.map(({ heldUs }) => heldUs),
        ]),
      ].filter((us) => us !== undefined),
    ),
  );
}

const stageOf = (us: number): number => Math.floor(us / 1000);

it("Held out, a stage uses none of its own times, whatever is drawn; runs and their order stay", () => {
  fc.assert(
    fc.property(jobs, fc.string(), (listed, seed) => {
      const heldOut = applicationWith(listed, { copied: "heldOut", seed });
      const stages = listed.flatMap((job) => job.stages);
      for (const [place, times] of copiedTimes(heldOut).entries()) {
        for (const us of times) expect(stageOf(us)).not.toBe(place + 1);
        const others = stages.filter((_, at) => at !== place);
        const tasks = stages[place]!.tasks.length * (others.some((one) => one.tasks.length > 0) ? 3 : 0);
        expect(times).toHaveLength(tasks + (others.length > 0 ? 2 : 0));
      }
      const runs = (of: readonly SparkJob[]): number[] =>
        of.flatMap((job) => job.stages.flatMap((stage) => stage.tasks.map(({ runUs }) => runUs)));
      expect(runs(heldOut.jobs)).toEqual(runs(listed));
      expect(applicationWith(listed, { copied: "heldOut", seed })).toEqual(heldOut);
    }),
    { numRuns: 200 },
  );
});

it("Another run draws times of tasks anew, and only if draws are asked for", () => {
  const many = [4, 4, 4].map((tasks): SparkJob => {
    const task = { runUs: 1_000_000, places: [] };
    const stage = { name: "s", parents: [], isBarrier: false, tasks: Array.from({ length: tasks }, () => task) };
    return { name: "job", submitAtUs: 0, stages: [stage] };
  });
  const timesWith = (runtime: Partial<SparkRuntime>): number[] =>
    applicationWith(many, { runtime: { spread: 0.4, ...runtime }, seed: "1" }).jobs.flatMap(({ stages }) =>
      stages.flatMap(({ tasks }) => tasks.map(({ runUs }) => runUs)),
    );
  expect(new Set(timesWith({ draw: true, rerun: true })).size).toBeGreaterThan(6);
  for (const runtime of [{}, { draw: true }, { rerun: true }] as const)
    expect(new Set(timesWith(runtime))).toEqual(new Set([1_000_000]));
});

it("As recorded all of it is used, and with none nothing, so that the constants hold", () => {
  fc.assert(
    fc.property(jobs, fc.string(), (listed, seed) => {
      expect(applicationWith(listed, { seed }).jobs).toEqual(listed);
      const none = applicationWith(listed, { copied: "none", seed });
      expect(copiedTimes(none).flat()).toEqual([]);
      for (const { endUs } of none.jobs) expect(endUs).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

it("Draws lie in their ranges, are the same for the same seed, and estimates hold where nothing is drawn", () => {
  const range = fc
    .tuple(fc.double({ min: 0.1, max: 10, noNaN: true }), fc.double({ min: 1, max: 10, noNaN: true }))
    .map(([low, times]): FactorRange => ({ low, high: low * times }));
  const ranges = fc.record(Object.fromEntries(FACTORS.map((name) => [name, range])), { requiredKeys: [] });
  const seen = new Set<number>();
  fc.assert(
    fc.property(jobs, ranges, fc.string(), (listed, given, seed) => {
      const runtime = { ranges: given as Readonly<Partial<Record<AwayFactorName, FactorRange>>> };
      expect(applicationWith(listed, { runtime, seed }).timing.away).toEqual(NOWHERE_DEARER);
      const drawn = applicationWith(listed, { runtime: { ...runtime, draw: true }, seed });
      for (const name of FACTORS) {
        const { low, high } = runtime.ranges[name] ?? { low: 1, high: 1 };
        const factor = drawn.timing.away[name];
        // The ends are reached to the last digits only.
        expect(factor).toBeGreaterThanOrEqual(low * (1 - 1e-12));
        expect(factor).toBeLessThanOrEqual(high * (1 + 1e-12));
      }
      drawn.jobs.forEach(({ stages }, job) => {
        stages.forEach(({ driverUs }, stage) => {
          const { driverUs: least, driverMostUs: most } = listed[job]!.stages[stage]!;
          expect(driverUs! >= least! && driverUs! <= most!).toBe(true);
          seen.add(driverUs! - least!);
        });
      });
      expect(applicationWith(listed, { runtime: { ...runtime, draw: true }, seed })).toEqual(drawn);
    }),
    { numRuns: 200 },
  );
  expect(seen.size).toBeGreaterThan(1);
});
