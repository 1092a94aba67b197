import fc from "fast-check";
import { expect, it } from "vitest";
import {
  CAPACITY_PREEMPTION_DEFAULTS,
  type YarnCluster,
  type YarnRecord,
  YarnSimulation,
} from "../../../dist/core/platforms/yarn/index.js";
import { capacityOf, clusterOf, fairOf, nodesFor } from "../../support/yarn-clusters.js";
import { waitsOf } from "../../support/yarn-waits.js";

const NODES = 4;
const LEAVES = ["root.a", "root.b.c", "root.b.d"];

const task = fc.record({
  runUs: fc.integer({ min: 1, max: 200 }).map((tenths) => tenths * 100_000),
  nodes: fc.uniqueArray(fc.nat(NODES - 1), { maxLength: 3 }),
});
/** The largest still fits beside a master on the smallest node. */
const size = fc.record({ memory: fc.constantFrom(512, 1024, 2048, 3072), vcores: fc.integer({ min: 1, max: 2 }) });

const application = (number: number) =>
  fc.record({
    name: fc.constant(`application_${String(number)}`),
    queue: fc.constantFrom(...LEAVES),
    user: fc.constantFrom("ann", "bob"),
    priority: fc.integer({ min: 1, max: 2 }),
    submitAtUs: fc.nat(300).map((tenths) => tenths * 100_000),
    master: fc.constant({ memory: 1024, vcores: 1 }),
    ...(number === 0
      ? {}
      : {
          after: fc.option(fc.record({ application: fc.nat(number - 1), delayUs: fc.nat(3_000_000) }), {
            nil: undefined,
          }),
        }),
    stages: fc
      .array(fc.tuple(fc.array(task, { maxLength: 8 }), size, fc.constantFrom(0, 0.05, 0.5, 1)), {
        minLength: 1,
        maxLength: 3,
      })
      .chain((stages) =>
        fc
          .tuple(...stages.map((_, stage) => fc.subarray(Array.from({ length: stage }, (__, parent) => parent))))
          .map((parents) =>
            stages.map(([tasks, of, slowStart], stage) => ({
              name: "s",
              parents: parents[stage]!,
              priority: 20 - stage,
              size: of,
              slowStart,
              tasks,
            })),
          ),
      ),
  });

const fair = fc
  .record({
    assignsMultiple: fc.boolean(),
    dynamicMaxAssign: fc.boolean(),
    maxAssign: fc.constantFrom(-1, 1, 3),
    localityThresholdNode: fc.constantFrom(-1, 0, 0.5, 1),
    localityThresholdRack: fc.constantFrom(-1, 0, 0.5, 1),
    isContinuous: fc.boolean(),
    continuousSleepUs: fc.constant(50_000),
    localityDelayNodeUs: fc.constantFrom(-1, 2_000_000),
    localityDelayRackUs: fc.constantFrom(-1, 3_000_000),
    preempts: fc.boolean(),
    preemptionUtilization: fc.constantFrom(0, 0.8),
    waitBeforeKillUs: fc.constantFrom(0, 1_500_000),
    reservationThreshold: fc.constantFrom({ memory: 1024, vcores: 1 }, { memory: 2048, vcores: 2 }),
    reservableNodes: fc.constantFrom(0.05, 1),
  })
  .chain((settings) =>
    fc
      .record({
        ofRoot: fc.constantFrom("fair" as const, "drf" as const),
        ofLeaf: fc.constantFrom("fair" as const, "fifo" as const),
        weight: fc.constantFrom(0.5, 1, 3),
        minResources: fc.constantFrom({ memory: 0, vcores: 0 }, { memory: 2048, vcores: 2 }),
        timeoutUs: fc.constantFrom(0, 4_000_000, Infinity),
        maxRunningApps: fc.constantFrom(1, 2, Infinity),
      })
      .map(({ ofRoot, ofLeaf, weight, minResources, timeoutUs, maxRunningApps }) =>
        fairOf(settings, {
          root: { policy: ofRoot, fairSharePreemptionTimeoutUs: timeoutUs, minSharePreemptionTimeoutUs: timeoutUs },
          "root.a": { weight, policy: ofLeaf, maxRunningApps },
          "root.b": { minResources, policy: ofRoot },
        }),
      ),
  );

const capacity = fc
  .record({
    nodeLocalityDelay: fc.constantFrom(0, 2, 40),
    rackLocalityAdditionalDelay: fc.constantFrom(-1, 3),
    rackLocalityFullReset: fc.boolean(),
    maxOffSwitch: fc.constantFrom(1, 3),
    countsVcores: fc.boolean(),
    asynchronousUs: fc.constantFrom(Infinity, 50_000),
    minimumAllocation: fc.constant({ memory: 512, vcores: 1 }),
    preemption: fc.constantFrom(null, {
      ...CAPACITY_PREEMPTION_DEFAULTS,
      maxWaitBeforeKillUs: 3_000_000,
      totalPerRound: 1,
    }),
  })
  .chain((settings) =>
    fc
      .record({
        appOrder: fc.constantFrom("fifo" as const, "fair" as const),
        minimumUserLimitPercent: fc.constantFrom(25, 100),
        part: fc.constantFrom(0, 0.3, 0.7),
      })
      .map(({ appOrder, minimumUserLimitPercent, part }) => {
        // Whoever wants to may have all.
        const leaf = { appOrder, minimumUserLimitPercent, userLimitFactor: -1, maxAmShare: 0.5 };
        return capacityOf(
          {
            root: { capacity: 1, ordersByPriority: true },
            "root.a": { ...leaf, capacity: part, priority: 1 },
            "root.b": { capacity: 1 - part },
            "root.b.c": { ...leaf, capacity: 0.5 },
            "root.b.d": { ...leaf, capacity: 0.5 },
          },
          settings,
        );
      }),
  );

const cluster: fc.Arbitrary<YarnCluster> = fc
  .record({
    scheduler: fc.oneof(fair, capacity),
    rooms: fc.array(fc.integer({ min: 4, max: 6 }), { minLength: NODES, maxLength: NODES }),
    stays: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
    applications: fc
      .integer({ min: 1, max: 4 })
      .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => application(i)))),
    messageUs: fc.constantFrom(0, 0, 250_000),
  })
  .map(({ scheduler, rooms, stays, applications, messageUs }) => {
    const nodes = nodesFor(rooms, 2).map((node, i) => ({
      ...node,
      untilUs: stays[i] === undefined ? Infinity : stays[i] * 1e6,
    }));
    const made = clusterOf(scheduler, nodes, applications as YarnCluster["applications"]);
    return { ...made, timing: { ...made.timing, launchUs: messageUs, reducePreemptionUs: 5_000_000 } };
  });

const UNTIL = 3600e6;
const run = (given: YarnCluster, seed = "1"): YarnRecord => new YarnSimulation(given, seed).run(UNTIL);

/**
 * The Capacity Scheduler's preemption may kill for ever: its factor of natural termination takes back a part of what is
 * lacking, too little for one container of the queue that lacks it, and the queue that lost it takes that again.
 */
function killsForEver({ scheduler }: YarnCluster, { stopped, attempts }: YarnRecord): boolean {
  if (scheduler.kind !== "yarn-capacity" || scheduler.settings.preemption === null) return false;
  return stopped === "until" && attempts.some(({ outcome, endUs }) => outcome === "killed" && endUs > 0.99 * UNTIL);
}

it("No task succeeds twice or never, none before its parents, and no node holds more than it has room for", () => {
  fc.assert(
    fc.property(cluster, (given) => {
      const record = run(given);
      if (killsForEver(given, record)) return;
      expect(record.stopped).toBe("all-jobs-ended");
      given.applications.forEach(({ stages }, job) => {
        stages.forEach(({ tasks, parents }, stage) => {
          const row = record.stages.find((one) => one.job === job && one.stage === stage)!;
          const good = record.attempts.filter(
            (one) => one.job === job && one.stage === stage && one.outcome === "succeeded",
          );
          expect(good.map(({ task: of }) => of).sort((a, b) => a - b)).toEqual(tasks.map((_, at) => at));
          for (const parent of parents) {
            const before = record.stages.find((one) => one.job === job && one.stage === parent)!;
            expect(before.endedUs).toBeLessThanOrEqual(row.endedUs);
            for (const { endUs, task: of } of good) {
              expect(endUs).toBeGreaterThanOrEqual(before.endedUs + tasks[of]!.runUs);
            }
          }
        });
      });
      const countsVcores = given.scheduler.kind === "yarn-fair" || given.scheduler.settings.countsVcores;
      for (const { node, launchUs } of record.attempts) {
        const held = { memory: 0, vcores: 0 };
        for (const one of record.attempts) {
          if (one.node !== node || one.launchUs > launchUs || (one.endUs >= 0 && one.endUs <= launchUs)) continue;
          const { master, stages } = given.applications[one.job]!;
          const { memory, vcores } = one.stage < 0 ? master : stages[one.stage]!.size;
          held.memory += memory;
          held.vcores += vcores;
        }
        expect(held.memory).toBeLessThanOrEqual(given.nodes[node]!.memory);
        if (countsVcores) expect(held.vcores).toBeLessThanOrEqual(given.nodes[node]!.vcores);
      }
    }),
    { numRuns: 300 },
  );
});

it("The same cluster and seed never come out otherwise, in one go or in steps, and nothing runs where no node is", () => {
  fc.assert(
    fc.property(cluster, fc.string(), fc.integer({ min: 1, max: 40 }), (given, seed, steps) => {
      const one = run(given, seed);
      const other = new YarnSimulation(given, seed);
      for (let step = 1; step <= steps; step++) other.advance((one.endedUs * step) / steps);
      expect(other.run(UNTIL)).toEqual(one);
      for (const { node, launchUs, givenUs, readyUs } of one.attempts) {
        const { fromUs, untilUs } = given.nodes[node]!;
        expect(launchUs >= givenUs && launchUs >= readyUs && givenUs >= fromUs && launchUs < untilUs).toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

it("No stage is in two states or in none, no part of a job's time is missing, and the log of waits never changes a run", () => {
  fc.assert(
    fc.property(cluster, fc.constantFrom(20e6, UNTIL), (given, untilUs) => {
      waitsOf(given, untilUs);
    }),
    { numRuns: 200 },
  );
});
