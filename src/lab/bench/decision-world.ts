import { BlockStore } from "../../core/cluster/block-store.js";
import { uniformPlacement } from "../../core/cluster/placement.js";
import { buildTopology, type Topology } from "../../core/cluster/topology.js";
import { JobTable, RUNNING } from "../../core/jobs/job-table.js";
import { NearestMaps } from "../../core/jobs/nearest-maps.js";
import { PendingMaps } from "../../core/jobs/pending-maps.js";
import { seedWord } from "../../core/kernel/hash.js";
import type { BuiltScheduler, SchedulerSurroundings } from "../../core/scheduler/built-scheduler.js";
import type { SchedulerSpec } from "../../core/scenario/scenario.js";
import { inlineWorkload } from "../../core/workload/inline-jobs.js";
import type { Workload } from "../../core/workload/job.js";
import { clusterOf, HEARTBEAT_US, REPLICATION, schedulerOf, type DecisionCase } from "./decision-case.js";
import { LeanLauncher } from "./lean-launcher.js";
import { NodeSlots } from "./node-slots.js";

/** What a case begins with: all jobs are in the table, ready, and known to the scheduler; every slot is free. */
export interface DecisionWorld {
  readonly topology: Topology;
  readonly jobs: JobTable;
  readonly pending: PendingMaps;
  readonly slots: NodeSlots;
  readonly launcher: LeanLauncher;
  readonly built: BuiltScheduler;
}

/** Composes what decides. */
export type BuildDecisions = (
  spec: SchedulerSpec,
  around: SchedulerSurroundings,
  launcher: LeanLauncher,
) => BuiltScheduler;

const NORMAL = 2;

/** @param seed of the places of blocks. */
export function buildWorld(which: DecisionCase, seed: string, build: BuildDecisions): DecisionWorld {
  const topology = buildTopology(clusterOf(which));
  const workload = workloadOf(which, seed);
  const place = uniformPlacement(topology, REPLICATION, seedWord(seed, "block placement"));
  const fileBlocks = workload.files.map(({ blocks }) => blocks);
  const store = new BlockStore(fileBlocks, topology, place, REPLICATION);
  const jobs = new JobTable();
  const pending = new PendingMaps(jobs, store, topology);
  const slots = new NodeSlots(topology);
  const launcher = new LeanLauncher(jobs, pending, slots);
  const around = {
    ...{ jobs, launcher, pending, topology, store, workload, heldSlots: slots },
    source: new NearestMaps(pending, topology),
    blockBytes: 1,
    slots: [topology.totalMapSlots, topology.totalReduceSlots] as const,
    heartbeatUs: HEARTBEAT_US,
    nodes: topology.nodes,
    hasRows: false,
    readShareOf: (): number => 1,
    mapsMayReturn: false,
    mapsMayBeCopied: false,
  };
  const built = build(schedulerOf(which), around, launcher);
  const world = { topology, jobs, pending, slots, launcher, built };
  workload.jobs.forEach((_, id) => {
    submit(world, workload, store, id);
  });
  // Nobody waits for the first update.
  built.scheduler.update(0);
  return world;
}

/** Equal jobs, all submitted at 0, dealt out to the pools; reduces need not wait for maps. */
function workloadOf({ jobs, pools, maps, reduces }: DecisionCase, seed: string): Workload {
  const entry = {
    atUs: 0,
    user: "user",
    priority: "normal" as const,
    ...{ maps, reduces, mapUs: HEARTBEAT_US, copyUs: 0, reduceUs: HEARTBEAT_US },
    file: "",
    ...{ count: 1, everyUs: 0, sigma: 0, deadlineUs: null },
  };
  const list = Array.from({ length: jobs }, (_, job) => ({
    ...entry,
    name: `job${String(job)}`,
    pool: `pool${String(job % pools)}`,
  }));
  return inlineWorkload({ kind: "jobs", jobs: list }, seed);
}

function submit({ jobs, pending, built }: DecisionWorld, workload: Workload, store: BlockStore, id: number): void {
  const spec = workload.jobs[id];
  const job = jobs.enter({
    id,
    pool: built.poolOf(spec.pool, spec.user, 0),
    user: built.users.named(spec.user),
    priority: NORMAL,
    startUs: 0,
    maps: spec.maps,
    reduces: spec.reduces,
    slowStartMaps: 0,
    firstBlock: spec.input === null ? -1 : store.fileStart[spec.input.file] + spec.input.firstBlock,
  });
  built.scheduler.jobAdded(job, 0);
  jobs.state[job] = RUNNING;
  pending.add(job);
  built.scheduler.jobReady(job, 0);
}
