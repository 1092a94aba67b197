import fc from "fast-check";
import type { PoolSpec, Scenario, SchedulerSpec, WaitSpec } from "../../dist/core/scenario/scenario.js";
import type { Workload } from "../../dist/core/workload/job.js";
import { buildRandomWorkload, randomJobs } from "./random-workloads.js";

/** A scenario with its workload, and into how many slices a run of it is cut. */
export interface RandomCase {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly slices: number;
}

/** Rounds of heartbeats after which a run is cut off, if its jobs cannot end earlier. */
const MAX_ROUNDS = 800;

const heartbeatUs = fc.constantFrom(1_000, 1_007, 300_000, 1_000_000, 3_000_000);

const rack = fc.array(
  fc.record({
    count: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.integer({ min: 5, max: 20 })),
    mapSlots: fc.integer({ min: 0, max: 3 }),
    reduceSlots: fc.integer({ min: 0, max: 3 }),
    speed: fc.constantFrom(1, 1, 0.5, 2, 0.37),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Few enough slots that jobs and pools fight for them. */
const narrowRack = fc.array(
  fc.record({
    count: fc.integer({ min: 1, max: 2 }),
    mapSlots: fc.integer({ min: 0, max: 2 }),
    reduceSlots: fc.integer({ min: 0, max: 2 }),
    speed: fc.constantFrom(1, 0.5, 2),
  }),
  { minLength: 1, maxLength: 2 },
);

const clusters = fc.oneof(
  { weight: 3, arbitrary: fc.array(rack, { minLength: 1, maxLength: 6 }) },
  { weight: 2, arbitrary: fc.array(narrowRack, { minLength: 1, maxLength: 3 }) },
);

/** Rarely 0, for most cases should end by themselves. */
const maxSlots = fc.oneof(
  { weight: 10, arbitrary: fc.constant(Infinity) },
  { weight: 10, arbitrary: fc.integer({ min: 1, max: 6 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1) },
);

const poolSettings = fc.record({
  weight: fc.constantFrom(1, 1, 2, 0.5, 3, 0.001, 1.1),
  minMaps: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 8 })),
  minReduces: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 })),
  maxMaps: maxSlots,
  maxReduces: maxSlots,
  mode: fc.constantFrom("fair" as const, "fifo" as const),
});

/** Pool names in no order of theirs; jobs also name some that nobody declares. */
export const POOL_NAMES = ["beta", "alpha", "Beta", "10", "9"];

const pools = fc
  .array(poolSettings, { maxLength: 4, size: "max" })
  .map((list): PoolSpec[] => list.map((settings, i) => ({ name: POOL_NAMES[i], ...settings })));

const skipCount = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 60 }));

/** A span that is often a round part of a heartbeat interval, so that things happen at one instant. */
function span(beatUs: number, parts: number): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: 0, max: 4 * parts }).map((quarters) => Math.floor((quarters * beatUs) / 4)),
    fc.integer({ min: 0, max: parts * beatUs }),
  );
}

function waits(beatUs: number): fc.Arbitrary<WaitSpec> {
  const waitUs = fc.oneof(
    fc.constant(0),
    span(beatUs, 6),
    fc.integer({ min: 0, max: 40 }).map((n) => Math.floor((n * beatUs) / 20)),
  );
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant<WaitSpec>({ kind: "none" }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("time" as const), nodeUs: waitUs, rackUs: waitUs }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("skips" as const), node: skipCount, rack: skipCount }) },
  );
}

function schedulers(beatUs: number): fc.Arbitrary<SchedulerSpec> {
  return fc.record({
    kind: fc.constantFrom("hfs", "hfs", "fair", "delay", "fifo"),
    wait: waits(beatUs),
    tasksPerHeartbeat: fc.constantFrom(Infinity, Infinity, 1, 1, 2, 3),
    updateIntervalUs: fc.oneof(
      fc.constant(0),
      fc.constantFrom(250_000, 500_000, 3_000_000),
      fc.integer({ min: 1, max: 12 }).map((quarters) => Math.ceil((quarters * beatUs) / 4)),
    ),
    pools,
  });
}

/** Clusters of 1 to 6 racks and up to some hundred nodes, with jobs that collide in time, pools, nodes and files. */
export const randomCases: fc.Arbitrary<RandomCase> = heartbeatUs.chain((beatUs) =>
  fc
    .record({
      racks: clusters,
      scheduler: schedulers(beatUs),
      jobs: randomJobs(beatUs),
      replication: fc.integer({ min: 1, max: 5 }),
      placement: fc.constantFrom("hdfs" as const, "uniform" as const),
      jobSetupUs: fc.oneof(fc.constant(0), span(beatUs, 3)),
      jobCleanupUs: fc.oneof(fc.constant(0), span(beatUs, 3)),
      localityFactor: fc.constantFrom(
        { node: 1, rack: 1, any: 1 },
        { node: 1, rack: 1.2, any: 2 },
        { node: 2, rack: 0.5, any: 0.01 },
      ),
      slowStart: fc.constantFrom(0, 0.05, 0.28, 1 / 3, 0.55, 0.7, 1),
      seed: fc.nat(1000),
      rounds: fc.oneof({ weight: 5, arbitrary: fc.constant(MAX_ROUNDS) }, fc.integer({ min: 1, max: 30 })),
      offUs: fc.nat(beatUs - 1),
      slices: fc.integer({ min: 1, max: 7 }),
    })
    .map((raw) => {
      const { jobSetupUs, jobCleanupUs, localityFactor, slowStart, jobs, scheduler, slices } = raw;
      const untilUs = raw.rounds * beatUs - (raw.rounds === MAX_ROUNDS ? 0 : raw.offUs);
      const scenario: Scenario = {
        name: "random",
        why: "",
        cluster: {
          racks: raw.racks.map((nodes, r) => ({ name: `rack${String(r)}`, nodes })),
          heartbeat: { rule: "fixed", intervalUs: beatUs },
        },
        storage: { blockBytes: 1, replication: raw.replication, placement: raw.placement, rereadProbability: 0 },
        workload: { kind: "jobs", jobs: [] },
        scheduler,
        runtime: { jobSetupUs, jobCleanupUs, localityFactor, slowStart },
        run: { seed: String(raw.seed), untilUs, sampleUs: Math.max(100_000, 10 * beatUs) },
      };
      return { scenario, workload: buildRandomWorkload(jobs, POOL_NAMES), slices };
    }),
);
