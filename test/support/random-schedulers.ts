import fc from "fast-check";
import type {
  DsfsSpec,
  LongTaskBalanceSpec,
  WaitSpec,
  AllocationsSpec,
  ReloadSpec,
  RulesName,
  SchedulerSpec,
} from "../../dist/core/scenario/index.js";
import { RULES } from "../../dist/core/platforms/hadoop/index.js";
import { allocationsOf, flatTrees, groupsOf, jobPoolsOf, trees, type PlaceInTree } from "./random-allocations.js";

/** A scheduler, and the pools that its jobs name. */
export interface RandomScheduler {
  readonly spec: SchedulerSpec;
  readonly jobPools: readonly string[];
}

const skipCount = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 60 }));

function nullOr<T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: some });
}

/** A span that is often a round part of a heartbeat interval, so that things happen at one instant. */
export function span(beatUs: number, beats: number): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: 0, max: 4 * beats }).map((quarters) => Math.floor((quarters * beatUs) / 4)),
    fc.integer({ min: 0, max: beats * beatUs }),
  );
}

export function waits(beatUs: number): fc.Arbitrary<WaitSpec> {
  const waitUs = fc.oneof(
    fc.constant(0),
    span(beatUs, 6),
    fc.integer({ min: 0, max: 40 }).map((n) => Math.floor((n * beatUs) / 20)),
  );
  const fraction = fc.constantFrom(0, 0.1, 1 / 3, 0.5, 0.98, 1, 2.5);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant<WaitSpec>({ kind: "none" }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("time" as const), nodeUs: waitUs, rackUs: waitUs }) },
    { weight: 1, arbitrary: fc.constant<WaitSpec>({ kind: "auto" }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("skips" as const), node: skipCount, rack: skipCount }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("fraction" as const), node: fraction, rack: fraction }) },
  );
}

const cap = fc.oneof(
  { weight: 3, arbitrary: fc.constant(Infinity) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
);

const rulesNames = fc.constantFrom<RulesName[]>("paper", "0.21", "1.2", "branch-1");

/** When new allocations come: often together with an update, now and then two at once. */
function reloadsOf(allocations: fc.Arbitrary<AllocationsSpec>, beatUs: number): fc.Arbitrary<ReloadSpec[]> {
  const reload = fc.record({ atUs: span(beatUs, 30).filter((atUs) => atUs > 0), allocations });
  const some = fc.uniqueArray(reload, { maxLength: 3, selector: ({ atUs }) => atUs });
  return fc.oneof(fc.constant([]), some).map((list) => [...list].sort((a, b) => a.atUs - b.atUs));
}

/** Demands are fresh or as of the last update. */
function updateIntervals(beatUs: number): fc.Arbitrary<number> {
  const quarters = fc.integer({ min: 1, max: 8 }).map((n) => Math.ceil((n * beatUs) / 4));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.constantFrom(250_000, 500_000, 3_000_000) },
    { weight: 5, arbitrary: quarters },
  );
}

/** Any Hadoop Fair Scheduler with pools of that tree. */
function hfsOf(tree: readonly PlaceInTree[], beatUs: number, rules: RulesName): fc.Arbitrary<RandomScheduler> {
  const { placesByRules } = RULES[rules];
  return fc
    .record({
      kind: fc.constant("hfs"),
      wait: waits(beatUs),
      tasksPerHeartbeat: fc.constantFrom(Infinity, Infinity, 1, 1, 2, 3),
      updateIntervalUs: updateIntervals(beatUs),
      rules: fc.constant(rules),
      mapsPerHeartbeat: cap,
      reducesPerHeartbeat: cap,
      countsThisHeartbeat: fc.boolean(),
      loadManager: nullOr(fc.record({ maxDiff: fc.constantFrom(0, 0.2, 0.5, 1) })),
      preemption: fc.record({
        mode: fc.constantFrom("kill" as const, "kill" as const, "kill" as const, "log" as const, "off" as const),
        intervalUs: span(beatUs, 4),
      }),
      sizeBasedWeight: fc.boolean(),
      weightBooster: nullOr(fc.record({ factor: fc.constantFrom(3, 0.5, 100), durationUs: span(beatUs, 30) })),
      poolBy: fc.oneof(
        { weight: 8, arbitrary: fc.constant("pool" as const) },
        { weight: 2, arbitrary: fc.constantFrom("user" as const, "default" as const) },
      ),
      undeclaredPools: fc.constantFrom(true, true, true, true, false),
      groups: groupsOf(tree),
      allocations: allocationsOf(tree, beatUs, placesByRules, false),
      reloads: reloadsOf(allocationsOf(tree, beatUs, placesByRules, true), beatUs),
    })
    .map((raw) => ({ spec: allowedOf(raw), jobPools: jobPoolsOf(tree) }));
}

/** Without what the rule set or the other settings do not allow. */
function allowedOf(spec: SchedulerSpec): SchedulerSpec {
  const { mode, intervalUs } = spec.preemption;
  const isPlaced = [spec.allocations, ...spec.reloads.map(({ allocations }) => allocations)].some(
    ({ placement }) => placement !== null,
  );
  const never = ({ allocations }: { readonly allocations: AllocationsSpec }): AllocationsSpec =>
    spec.updateIntervalUs === 0 ? withoutTimeouts(allocations) : allocations;
  return {
    ...spec,
    allocations: never(spec),
    reloads: spec.reloads.map(({ atUs, allocations }) => ({ atUs, allocations: never({ allocations }) })),
    preemption: { mode: spec.updateIntervalUs === 0 ? "off" : mode, intervalUs: Math.max(1, intervalUs) },
    poolBy: isPlaced ? "pool" : spec.poolBy,
    undeclaredPools: spec.undeclaredPools || isPlaced || !RULES[spec.rules].mayRefusePools,
  };
}

/** Starved pools are found by updates: without those there are no timeouts. */
function withoutTimeouts(allocations: AllocationsSpec): AllocationsSpec {
  const none = { minShareTimeoutUs: Infinity, fairShareTimeoutUs: Infinity };
  return { ...allocations, ...none, pools: allocations.pools.map((pool) => ({ ...pool, ...none })) };
}

/** DSFS, however it is read. */
export function dsfsSpecs(beatUs: number): fc.Arbitrary<DsfsSpec> {
  return fc
    .record({
      t1Us: span(beatUs, 4),
      t2Us: span(beatUs, 8),
      t2Is: fc.constantFrom("absolute" as const, "additional" as const),
      at: fc.constantFrom("goes" as const, "waits" as const, "asPrinted" as const),
      reset: fc.constantFrom("launch" as const, "launch" as const, "nodeLocal" as const, "never" as const),
      jobTypes: fc.boolean(),
      ioBoundFrom: fc.constantFrom(0, 0.5, 1),
    })
    .map((spec) => (spec.t2Is === "absolute" ? { ...spec, t2Us: spec.t1Us + spec.t2Us } : spec));
}

/** Long-task balancing, whatever is long. */
export function longTaskBalances(beatUs: number): fc.Arbitrary<LongTaskBalanceSpec> {
  return fc.record({
    overUs: fc.oneof(fc.constant(null), span(beatUs, 6)),
    overMean: fc.constantFrom(0.5, 1, 2),
    newJobs: fc.constantFrom("long" as const, "long" as const, "short" as const),
    slack: fc.constantFrom(0, 0, 0, 1, 0.5),
  });
}

/** Any scheduler; with pools in pools if it is the Fair Scheduler. */
export function schedulers(beatUs: number): fc.Arbitrary<RandomScheduler> {
  const others = fc
    .record({ drawn: hfsSchedulers(beatUs), kind: fc.constantFrom("fair", "delay", "fifo") })
    .map(({ drawn, kind }) => ({
      ...drawn,
      spec: { ...drawn.spec, kind, preemption: { mode: "off" as const, intervalUs: 1 }, reloads: [] },
    }));
  return fc.oneof({ weight: 2, arbitrary: hfsSchedulers(beatUs) }, { weight: 3, arbitrary: others });
}

export function hfsSchedulers(beatUs: number): fc.Arbitrary<RandomScheduler> {
  return fc
    .record({ tree: fc.oneof({ weight: 1, arbitrary: flatTrees }, { weight: 3, arbitrary: trees }), rules: rulesNames })
    .chain(({ tree, rules }) => hfsOf(tree, beatUs, rules));
}
