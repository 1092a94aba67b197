import fc from "fast-check";
import {
  CAPACITY_PREEMPTION_DEFAULTS,
  WITHIN_QUEUES_DEFAULTS,
  type FairPolicy,
  type YarnCluster,
  type YarnSchedulerSpec,
} from "../../dist/core/platforms/yarn/index.js";
import { capacityOf, clusterOf, fairOf, nodesFor } from "./yarn-clusters.js";

const NODES = 5;
const LEAVES = ["root.a", "root.b.c", "root.b.d", "root.b.e.f"];

/** Whole tenths of a second make things coincide. */
const failure = fc.record({
  heldUs: fc.integer({ min: 0, max: 60 }).map((tenths) => tenths * 100_000),
  reason: fc.constantFrom("FAILED", "FAILED", "KILLED", "PREEMPTED"),
});

/** What a log tells is there or not. */
function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 1 });
}

const task = fc.record({
  failures: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.array(failure, { minLength: 1, maxLength: 3 }) },
  ),
  level: maybe(fc.constantFrom(0, 1, 2)),
  runUs: fc.oneof(
    fc.integer({ min: 1, max: 200 }).map((tenths) => tenths * 100_000),
    fc.integer({ min: 1, max: 20_000_000 }),
  ),
  nodes: fc.uniqueArray(fc.nat(NODES - 1), { maxLength: 3 }),
});
/** The largest still fits beside a master on the smallest node, and under every maximum. */
const size = fc.record({ memory: fc.constantFrom(512, 1024, 2048, 3072), vcores: fc.integer({ min: 1, max: 2 }) });

const application = (number: number) =>
  fc.record({
    name: fc.constant(`application_${number}`),
    queue: fc.constantFrom(...LEAVES),
    user: fc.constantFrom("ann", "bob"),
    priority: fc.integer({ min: 1, max: 2 }),
    submitAtUs: fc.nat(150).map((tenths) => tenths * 100_000),
    master: fc.constantFrom({ memory: 1024, vcores: 1 }, { memory: 512, vcores: 1 }),
    masterStartUs: maybe(fc.nat(80).map((tenths) => tenths * 100_000)),
    masterEndUs: maybe(fc.nat(30).map((tenths) => tenths * 100_000)),
    ...(number === 0
      ? {}
      : {
          after: fc.option(fc.record({ application: fc.nat(number - 1), delayUs: fc.nat(3_000_000) }), {
            nil: undefined,
            freq: 2,
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

const fairQueue = fc.record({
  weight: fc.constantFrom(0, 0.5, 1, 1, 3),
  minResources: fc.constantFrom(
    { memory: 0, vcores: 0 },
    { memory: 4096, vcores: 2 },
    { memory: 0.25, vcores: 0.5, isOfCluster: true as const },
  ),
  maxResources: fc.constantFrom(
    { memory: Infinity, vcores: Infinity },
    { memory: 9216, vcores: 9 },
    { memory: 0.75, vcores: 1, isOfCluster: true as const },
  ),
  maxRunningApps: fc.constantFrom(1, 2, Infinity, Infinity),
  maxAmShare: fc.constantFrom(-1, 0.5, 1),
  allowPreemptionFrom: fc.constantFrom(true, true, true, false),
});

const timeouts = fc.record({
  minSharePreemptionTimeoutUs: fc.constantFrom(0, 2_000_000, Infinity),
  fairSharePreemptionTimeoutUs: fc.constantFrom(0, 4_000_000),
  fairSharePreemptionThreshold: fc.constantFrom(0.5, 1),
});

const fairSettings = fc.record({
  assignsMultiple: fc.boolean(),
  dynamicMaxAssign: fc.boolean(),
  maxAssign: fc.constantFrom(-1, 1, 3),
  localityThresholdNode: fc.constantFrom(-1, 0, 0.5, 1),
  localityThresholdRack: fc.constantFrom(0, 0.5, 1),
  isContinuous: fc.constantFrom(false, false, true),
  continuousSleepUs: fc.constant(100_000),
  localityDelayNodeUs: fc.constantFrom(-1, 2_000_000),
  localityDelayRackUs: fc.constantFrom(0, 3_000_000),
  preempts: fc.boolean(),
  preemptionUtilization: fc.constantFrom(0, 0.5),
  waitBeforeKillUs: fc.constantFrom(0, 1_500_000),
  waitBeforeNextCheckUs: fc.constantFrom(0, 2_000_000),
  weighsBySize: fc.boolean(),
  reservationThreshold: fc.constantFrom({ memory: 1024, vcores: 1 }, { memory: 2048, vcores: 2 }),
  reservableNodes: fc.constantFrom(0.05, 0.5, 1),
  userMaxApps: fc.constantFrom(2, Infinity, Infinity),
});

/** What may be below it. */
const ofLeaf = (parent: FairPolicy): fc.Arbitrary<FairPolicy> =>
  parent === "drf" ? fc.constantFrom("fair", "fifo", "drf") : fc.constantFrom("fair", "fifo");

export const randomFair: fc.Arbitrary<YarnSchedulerSpec> = fc
  .constantFrom<FairPolicy>("fair", "drf")
  .chain((policy) =>
    fc.record({
      settings: fairSettings,
      times: timeouts,
      specs: fc.tuple(...LEAVES.map(() => fc.tuple(fairQueue, ofLeaf(policy)))),
      parents: fc.tuple(fairQueue, fairQueue),
      policy: fc.constant(policy),
      // The last leaf may be one that the file does not name.
      named: fc.constantFrom(LEAVES.length, LEAVES.length - 1),
      ofUnnamed: fc.constantFrom(undefined, { memory: 8192, vcores: 8 }),
    }),
  )
  .map(({ settings, times, specs, parents: [ofB, ofE], policy, named, ofUnnamed }) => {
    const leaves = LEAVES.slice(0, named).map((name, at) => [name, { ...specs[at]![0], policy: specs[at]![1] }]);
    return fairOf(settings, {
      root: { policy, ...times },
      "root.b": { ...ofB, policy },
      "root.b.e": { ...ofE, policy, ...(ofUnnamed === undefined ? {} : { maxChildResources: ofUnnamed }) },
      ...Object.fromEntries(leaves),
    });
  });

const ownCapacityQueue = fc.record({
  maximumCapacity: fc.constantFrom(0.6, 1, 1),
  priority: fc.nat(2),
  ordersByPriority: fc.boolean(),
  appOrder: fc.constantFrom("fifo" as const, "fair" as const),
  weighsBySize: fc.boolean(),
  minimumUserLimitPercent: fc.constantFrom(25, 50, 100),
  userLimitFactor: fc.constantFrom(-1, 1, 4),
  maxAmShare: fc.constantFrom(0.1, 0.5, 1),
});

/** Said of some queues only: the others go by those above them. */
const preemptable = fc.record({ isPreemptable: fc.boolean(), isPreemptableWithin: fc.boolean() }, { requiredKeys: [] });
const capacityQueue = fc.tuple(ownCapacityQueue, preemptable).map(([own, more]) => ({ ...own, ...more }));

const within = fc.constantFrom(
  null,
  {
    ...WITHIN_QUEUES_DEFAULTS,
    maxAllowableLimit: 1,
  },
  { minimumThreshold: 0, maxAllowableLimit: 0.5, order: "priority" as const },
);

const capacitySettings = fc.record({
  nodeLocalityDelay: fc.constantFrom(0, 2, 40),
  rackLocalityAdditionalDelay: fc.constantFrom(-1, 3),
  rackLocalityFullReset: fc.boolean(),
  assignsMultiple: fc.boolean(),
  maxAssign: fc.constantFrom(-1, 2, 100),
  maxOffSwitch: fc.constantFrom(1, 3),
  countsVcores: fc.boolean(),
  asynchronousUs: fc.constantFrom(Infinity, Infinity, 100_000),
  minimumAllocation: fc.constantFrom({ memory: 512, vcores: 1 }, { memory: 1024, vcores: 1 }),
  maximumAllocation: fc.constantFrom({ memory: 8192, vcores: 4 }, { memory: 4096, vcores: 4 }),
  preemption: fc.option(
    within.map((own) => ({
      ...CAPACITY_PREEMPTION_DEFAULTS,
      maxWaitBeforeKillUs: 3_000_000,
      totalPerRound: 1,
      naturalTerminationFactor: 1,
      within: own,
    })),
    { nil: null, freq: 2 },
  ),
});

export const randomCapacity: fc.Arbitrary<YarnSchedulerSpec> = fc
  .record({
    settings: capacitySettings,
    specs: fc.tuple(...LEAVES.map(() => capacityQueue)),
    parents: fc.tuple(capacityQueue, capacityQueue, capacityQueue),
    part: fc.constantFrom(0, 0.3, 0.7),
    partOfC: fc.constantFrom(0, 0.25, 0.5),
  })
  .map(({ settings, specs, parents: [root, ofB, ofE], part, partOfC }) =>
    capacityOf(
      {
        root: { capacity: 1, ordersByPriority: root.ordersByPriority },
        "root.a": { ...specs[0]!, capacity: part },
        "root.b": { ...ofB, capacity: 1 - part, maximumCapacity: 1 },
        "root.b.c": { ...specs[1]!, capacity: partOfC },
        "root.b.d": { ...specs[2]!, capacity: 0.5 },
        "root.b.e": { ...ofE, capacity: 0.5 - partOfC, maximumCapacity: 1 },
        "root.b.e.f": { ...specs[3]!, capacity: 1 },
      },
      settings,
    ),
  );

/** Nodes come and go, but one: its two first stay. */
export function randomClusters(scheduler: fc.Arbitrary<YarnSchedulerSpec>): fc.Arbitrary<YarnCluster> {
  return fc
    .record({
      scheduler,
      rooms: fc.array(fc.integer({ min: 4, max: 7 }), { minLength: NODES, maxLength: NODES }),
      comes: fc.array(fc.constantFrom(0, 0, 0, 5_000_000, 7_123_456), { minLength: NODES, maxLength: NODES }),
      stays: fc.array(
        fc.oneof(
          fc.constant(Infinity),
          fc.integer({ min: 8, max: 60 }).map((seconds) => seconds * 1e6),
        ),
        { minLength: NODES, maxLength: NODES },
      ),
      paces: fc.array(fc.constantFrom(undefined, undefined, 500_000, 1_700_000), {
        minLength: NODES,
        maxLength: NODES,
      }),
      applications: fc
        .integer({ min: 1, max: 6 })
        .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => application(i)))),
      messageUs: fc.constantFrom(0, 0, 250_000),
      factor: fc.constantFrom(1, 1.3),
      maxAttempts: fc.constantFrom(2, 4),
    })
    .map(({ scheduler: spec, rooms, comes, stays, paces, applications, messageUs, factor, maxAttempts }) => {
      const nodes = nodesFor(rooms, 2).map((node, i) => ({
        ...node,
        ...(i < 2 ? {} : { fromUs: comes[i]!, untilUs: stays[i]! }),
        ...(paces[i] === undefined ? {} : { heartbeatUs: paces[i] }),
      }));
      const made = clusterOf(spec, nodes, applications as YarnCluster["applications"]);
      const timing = {
        ...made.timing,
        launchUs: messageUs,
        reducePreemptionUs: 5_000_000,
        mapMaxAttempts: maxAttempts,
      };
      return { ...made, timing: { ...timing, rackFactor: factor, offSwitchFactor: 1.5 * factor } };
    });
}
