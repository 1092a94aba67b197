import fc from "fast-check";
import type { WaitSpec, Scenario, SchedulerSpec, NodeGroupSpec } from "../../dist/core/scenario/index.js";
import { DEFAULT_RUNTIME, NO_FAULTS } from "../../dist/io/index.js";
import type { JobSpec, TaskLengths, Workload } from "../../dist/core/workload/index.js";
import { clusterOf } from "./small-scenarios.mjs";
import {
  dsfsSpecs,
  hfsSchedulers,
  longTaskBalances,
  schedulers,
  span,
  type RandomScheduler,
} from "./random-schedulers.js";
import { buildRandomWorkload, floodingJobs, randomJobs } from "./random-workloads.js";

/** A scenario with its workload, and into how many slices a run of it is cut. */
export interface RandomCase {
  readonly scenario: Scenario;
  readonly workload: Workload;
  readonly slices: number;
  /** The lookahead is cut to so much of what the racks promise; 1 if it is not said. */
  readonly lookahead?: number;
}

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

export const clusters = fc.oneof(
  { weight: 3, arbitrary: fc.array(rack, { minLength: 1, maxLength: 6 }) },
  { weight: 2, arbitrary: fc.array(narrowRack, { minLength: 1, maxLength: 3 }) },
);

/** Two to six nodes, on which a few jobs collide. */
export const smallClusters = fc.array(
  fc.array(
    fc.record({
      count: fc.constantFrom(1, 1, 2),
      mapSlots: fc.constantFrom(2, 2, 3, 4, 1, 0),
      reduceSlots: fc.constantFrom(1, 2, 2, 0),
      speed: fc.constantFrom(1, 1, 0.5, 2),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  { minLength: 2, maxLength: 3 },
);

/** Clusters of 1 to 6 racks and up to some hundred nodes, with jobs that collide in time, pools, nodes and files. */
export const randomCases: fc.Arbitrary<RandomCase> = heartbeatUs.chain((beatUs) =>
  casesOf(beatUs, clusters, schedulers(beatUs), randomJobs(beatUs), 800),
);

/** The Fair Scheduler with everything it can do, on few nodes that few jobs fight for; half the time to the death. */
export const crowdedCases: fc.Arbitrary<RandomCase> = fc
  .constantFrom(1_000_000, 1_500_000, 2_000_000, 3_000_000)
  .chain((beatUs) => {
    const cases = casesOf(beatUs, smallClusters, hfsSchedulers(beatUs), floodingJobs(beatUs), 150);
    return fc.oneof(
      cases,
      cases.map((example) => feuding(example, beatUs)),
    );
  });

/** Cases in which long maps keep away from each other. */
export const balancedCases: fc.Arbitrary<RandomCase> = crowdedCases.chain((example) => {
  const { scenario } = example;
  return longTaskBalances(beatOf(example)).map((longTasks) => {
    const scheduler = { ...scenario.scheduler, longTasks };
    return { ...example, scenario: { ...scenario, scheduler } };
  });
});

/** Jobs on few nodes under DSFS, some of which declare how much they read. */
export const dsfsCases: fc.Arbitrary<RandomCase> = crowdedCases.chain((example) => {
  const { scenario, workload } = example;
  const off = { mode: "off" as const, intervalUs: 1 };
  return dsfsSpecs(beatOf(example)).map((dsfs) => {
    const wait = { kind: "time" as const, nodeUs: dsfs.t1Us, rackUs: dsfs.t2Us };
    const scheduler = { ...scenario.scheduler, kind: "dsfs", dsfs, wait, preemption: off, reloads: [] };
    const jobs = workload.jobs.map((job, rank) => ({ ...job, ioShare: [undefined, 0.2, 0.9][rank % 3] }));
    return { ...example, scenario: { ...scenario, scheduler }, workload: { ...workload, jobs } };
  });
});

/** FIFO by the rules of a release, on few nodes or any, with or without reduces. */
export const hadoopFifoCases: fc.Arbitrary<RandomCase> = fc
  .record({
    example: fc.oneof({ weight: 1, arbitrary: randomCases }, { weight: 3, arbitrary: crowdedCases }),
    rules: fc.constantFrom("0.21" as const, "1.2" as const, "branch-1" as const),
    tasksPerHeartbeat: fc.constantFrom(Infinity, Infinity, 1, 2),
    updateIntervalUs: fc.constantFrom(0, 0, 500_000),
  })
  .map(({ example, ...own }) => {
    const off = { mode: "off" as const, intervalUs: 1 };
    const scheduler = { ...example.scenario.scheduler, ...own, kind: "fifo", preemption: off, reloads: [] };
    return { ...example, scenario: { ...example.scenario, scheduler } };
  });

/** The same where nodes have joined one after another, so that their heartbeats are spread unevenly. */
export const joinedCases: fc.Arbitrary<RandomCase> = fc
  .record({ example: hadoopFifoCases, joinEveryUs: fc.integer({ min: 1_000, max: 900_000 }) })
  .map(({ example, joinEveryUs }) => {
    const { cluster } = example.scenario;
    const nodes = cluster.racks.flatMap((rack) => rack.nodes).reduce((sum, { count }) => sum + count, 0);
    // About a second, whatever the number of nodes.
    const rule = { rule: "hadoop-1.1", perSecond: nodes, scalingFactor: 1, joinEveryUs } as const;
    return { ...example, scenario: { ...example.scenario, cluster: { ...cluster, heartbeat: rule } } };
  });

function beatOf({ scenario }: RandomCase): number {
  const { heartbeat } = scenario.cluster;
  return heartbeat.rule === "fixed" ? heartbeat.intervalUs : 0;
}

/** Cases with jittered heartbeats, or a lookahead that no round of heartbeats is a multiple of, or both. */
export const unevenCases: fc.Arbitrary<RandomCase> = fc
  .record({
    example: fc.oneof({ weight: 1, arbitrary: randomCases }, { weight: 3, arbitrary: crowdedCases }),
    heartbeatJitter: fc.constantFrom(0, 0.05, 0.5, 0.9),
    lookahead: fc.constantFrom(1, 0.61, 0.4),
  })
  .map(({ example, heartbeatJitter, lookahead }) => {
    const cluster = { ...example.scenario.cluster, heartbeatJitter };
    return { ...example, scenario: { ...example.scenario, cluster }, lookahead };
  });

/** The first half of the jobs hold what slots they get for long; starved pools kill. */
function feuding({ scenario, workload, slices }: RandomCase, beatUs: number): RandomCase {
  const { scheduler } = scenario;
  const updateIntervalUs = scheduler.updateIntervalUs === 0 ? beatUs / 2 : scheduler.updateIntervalUs;
  const kill = { mode: "kill", intervalUs: scheduler.preemption.intervalUs } as const;
  const slower = (lengths: TaskLengths): TaskLengths => ({
    lengthUs: (index) => lengths.lengthUs(index) + 20 * beatUs,
  });
  const jobs = workload.jobs.map((job, rank): JobSpec => {
    if (2 * rank >= workload.jobs.length) return job;
    return { ...job, mapLengths: slower(job.mapLengths), reduceLengths: slower(job.reduceLengths) };
  });
  const spec: SchedulerSpec = { ...scheduler, updateIntervalUs, preemption: kill, poolBy: "pool", loadManager: null };
  return { scenario: { ...scenario, scheduler: spec }, workload: { ...workload, jobs }, slices };
}

/** A wait for the row that is not that for the rack. */
function withRowWait(wait: WaitSpec): WaitSpec {
  if (wait.kind === "time") return { ...wait, rowUs: Math.floor(wait.nodeUs / 2) };
  return wait.kind === "skips" || wait.kind === "fraction" ? { ...wait, row: wait.node } : wait;
}

/** `maxRounds`: rounds of heartbeats after which a run is cut off, if its jobs cannot end earlier. */
export function casesOf(
  beatUs: number,
  racks: fc.Arbitrary<Partial<NodeGroupSpec>[][]>,
  scheduler: fc.Arbitrary<RandomScheduler>,
  jobs: ReturnType<typeof randomJobs>,
  maxRounds: number,
): fc.Arbitrary<RandomCase> {
  return fc
    .record({
      racks,
      scheduler,
      jobs,
      replication: fc.integer({ min: 1, max: 5 }),
      placement: fc.constantFrom("hdfs" as const, "uniform" as const, "correlated" as const),
      jobSetupUs: fc.oneof(fc.constant(0), span(beatUs, 3)),
      jobCleanupUs: fc.oneof(fc.constant(0), span(beatUs, 3)),
      localityFactor: fc.constantFrom(
        { node: 1, rack: 1, row: 1, any: 1 },
        { node: 1, rack: 1.2, row: 2, any: 2 },
        { node: 2, rack: 0.5, row: 0.01, any: 0.01 },
      ),
      setupTasks: fc.boolean(),
      // Leave is looked for after the reply that brings it, never at once: a scenario file must say 1 ms or more.
      commit: fc.option(fc.record({ pollUs: span(beatUs, 2).map((us) => us + 1), commitUs: span(beatUs, 2) })),
      slowStart: fc.constantFrom(0, 0.05, 0.28, 1 / 3, 0.55, 0.7, 1),
      seed: fc.nat(1000),
      rounds: fc.oneof({ weight: 5, arbitrary: fc.constant(maxRounds) }, fc.integer({ min: 1, max: 30 })),
      offUs: fc.nat(beatUs - 1),
      slices: fc.integer({ min: 1, max: 7 }),
    })
    .map((raw) => {
      const { jobSetupUs, jobCleanupUs, localityFactor, slowStart, setupTasks, commit, slices } = raw;
      const rows = slices % 2 === 0 && raw.racks.length > 2 ? 2 : 0;
      const untilUs = raw.rounds * beatUs - (raw.rounds === maxRounds ? 0 : raw.offUs);
      const scenario: Scenario = {
        platform: "hadoop",
        name: "random",
        why: "",
        cluster: clusterOf({ groups: raw.racks, heartbeatUs: beatUs, rows }),
        storage: {
          blockBytes: 1,
          replication: raw.replication,
          placement: raw.placement,
          nodesPerFile: raw.replication + 1,
          rereadProbability: 0,
        },
        workload: { kind: "jobs", jobs: [] },
        scheduler: {
          ...raw.scheduler.spec,
          wait: rows > 0 ? withRowWait(raw.scheduler.spec.wait) : raw.scheduler.spec.wait,
        },
        runtime: { ...DEFAULT_RUNTIME, jobSetupUs, jobCleanupUs, localityFactor, slowStart, setupTasks, commit },
        faults: NO_FAULTS,
        run: { seed: String(raw.seed), untilUs, sampleUs: Math.max(100_000, 10 * beatUs) },
      };
      return { scenario, workload: buildRandomWorkload(raw.jobs, raw.scheduler.jobPools), slices };
    });
}
