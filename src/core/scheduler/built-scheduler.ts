import type { BlockStore } from "../cluster/block-store.js";
import type { Topology } from "../cluster/topology.js";
import type { JobTable, SlotType } from "../jobs/job-table.js";
import type { MapSource } from "../jobs/map-source.js";
import type { PendingMaps } from "../jobs/pending-maps.js";
import type { SchedulerSpec } from "../scenario/scenario.js";
import type { Workload } from "../workload/job.js";
import type { HeldSlots } from "./held-slots.js";
import type { SeenWait } from "./locality-wait.js";
import type { PoolScheduler } from "./pool-scheduler.js";
import type { PreemptionCounts } from "./preemption.js";
import type { Pools } from "./pools.js";
import type { Launcher, Scheduler } from "./scheduler.js";
import type { Users } from "./users.js";

/** In place of a pool's handle. */
export const REFUSED = -1;

/** The scheduler of a scenario, with the pools and users it was given. */
export interface BuiltScheduler {
  readonly scheduler: Scheduler;
  readonly pools: Pools;
  readonly users: Users;
  /** Jobs are in pools of their own choice. */
  readonly hasPools: boolean;
  /** Handle of the pool of a job that names a pool and a user, made if need be; -1: the job is refused. */
  readonly poolOf: (poolName: string, userName: string, nowUs: number) => number;
  /** What preemption did so far. */
  readonly preemptions: PreemptionCounts;
  /** A limit of its user or pools keeps the job from launching. */
  readonly isHeldBack: (job: number) => boolean;
  /** Where it is seen how the job waits for locality. */
  readonly waitOf: (job: number) => SeenWait;
  /** Tasks of the job may run on the node at some time; undefined: every job's on every node. */
  readonly serves?: (job: number, node: number) => boolean;
  /** To be told of each task that succeeds, before `attemptEnded`: how long its attempt ran, as its node reports it. */
  readonly taskDone?: (job: number, type: SlotType, ranUs: number) => void;
}

/** What a scheduler is built upon. */
export interface SchedulerSurroundings {
  readonly jobs: JobTable;
  readonly source: MapSource;
  readonly launcher: Launcher;
  readonly pending: PendingMaps;
  readonly heldSlots: HeldSlots;
  readonly topology: Topology;
  readonly store: BlockStore;
  /** All jobs that will come: for what is settled before the run. */
  readonly workload: Workload;
  readonly blockBytes: number;
  /** Slots of the cluster, per type. */
  readonly slots: readonly [number, number];
  readonly heartbeatUs: number;
  readonly nodes: number;
  readonly hasRows: boolean;
  /** Share of the time of a job's maps that goes into reading, 0 to 1; 1 if nothing is known of it. */
  readonly readShareOf: (job: number) => number;
  /** A launched map may become pending again: its attempt may be killed or fail. */
  readonly mapsMayReturn: boolean;
  /** A map that runs may be wanted a second time, as a speculative copy. */
  readonly mapsMayBeCopied: boolean;
}

/** Composes a scheduler of one kind. */
export type BuildKind = (spec: SchedulerSpec, around: SchedulerSurroundings) => BuiltScheduler;

/** What can be seen of a pool scheduler, and itself. */
export function seenOf(
  scheduler: PoolScheduler,
): Pick<BuiltScheduler, "scheduler" | "preemptions" | "isHeldBack" | "waitOf"> {
  const { view, preemptions } = scheduler;
  return {
    scheduler,
    preemptions,
    isHeldBack: (job) => view.isHeldBack(job),
    waitOf: () => view.wait,
  };
}
