import type { BlockStore, Topology } from "../../../cluster/index.js";
import type { JobTable, SlotType } from "../jobs/job-table.js";
import type { MapSource } from "../jobs/map-source.js";
import type { PendingMaps } from "../jobs/pending-maps.js";
import type { AllocationsSpec, PreemptionSpec, SchedulerSpec, WeightBoosterSpec } from "../../../scenario/index.js";
import type { Workload } from "../../../workload/index.js";
import type { LocalityWait, SeenWait } from "./locality-wait.js";
import type { Pools, Users } from "./pools.js";
import type { Rules } from "./rules.js";

/**
 * The interface of every scheduler to the master. The scheduler reads jobs and pending maps; the master alone changes
 * them, by the launches that `heartbeat` proposes one at a time through `Launcher` (each is applied at once, for the
 * next choice depends on it) and by what heartbeats report. It tells of one change at a time, right after it has made
 * it.
 */
export interface Scheduler {
  /** A job was entered in the table, PREP. An update happens inside. */
  jobAdded(job: number, nowUs: number): void;
  /** A job turned RUNNING; its maps are in the map source. */
  jobReady(job: number, nowUs: number): void;
  /**
   * A job has ended and is about to leave the table, with the counts it has. Attempts that it still runs count no
   * longer: the scheduler is not notified of their ends.
   */
  jobRemoved(job: number, nowUs: number): void;
  /**
   * An attempt left its slot: the job runs one less, which the table has already. @param requeued it was killed or
   *   lost, and its task is pending again, which counts and map source have already; else the task waits no more than
   *   before.
   */
  attemptLeft(job: number, type: SlotType, requeued: boolean, nowUs: number): void;
  /**
   * `change` tasks of the type became pending (> 0: the output of a finished map was lost, or a speculative copy is
   * wanted) or wait no longer (< 0: the copy is not wanted any more); the counts in the job table have been changed
   * already. If too few maps are done now for the job's reduces to start, no more of them are launched until enough are
   * again.
   */
  pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void;
  /**
   * The slots of the cluster changed: nodes were given up or came back. Fair shares, load cap and promises go by them
   * from the next update on, or at once where demands are always fresh.
   */
  slotsChanged(maps: number, reduces: number, nowUs: number): void;
  /** Virtual time at which the scheduler wants `update`, then `checkPreemption`; Infinity for never. */
  nextUpdateUs(): number;
  /** Demands, runnable jobs and starvation are taken anew (semantics section 3). */
  update(nowUs: number): void;
  /** Kills for pools that have been starved longer than their timeouts (semantics section 12.2). */
  checkPreemption?(nowUs: number): void;
  /** New allocations take effect; the next update goes by them. */
  reload?(allocations: AllocationsSpec, nowUs: number): void;
  /** False: a heartbeat of a node with free map slots only would neither launch anything nor change the scheduler. */
  wantsMapSlots(): boolean;
  /** The same of a node with free reduce slots only. */
  wantsReduceSlots(): boolean;
  /**
   * `heartbeats` heartbeats in a row, the first at `firstUs` and the last at `lastUs`, each of a node with a free map
   * slot, without any pending map near, and without a free reduce slot that anybody wants. True: they are dealt with.
   * False: each must be seen.
   */
  skipHeartbeats(heartbeats: number, firstUs: number, lastUs: number): boolean;
  /** Some launchable reduce waits for a slot. */
  hasReduces(): boolean;
  /** Offers the free slots of a node that has at least one. */
  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void;
}

/** Applies a decision of the scheduler at once: counts, indexes, slot and command follow. */
export interface Launcher {
  /** `accepts` may say no in this run. */
  readonly isSelective: boolean;
  /**
   * The node may take a task of the type of the job now: it is not blacklisted for the job, memory and disk suffice.
   */
  accepts(job: number, type: SlotType, node: number): boolean;
  /** `level`: how near its block the map will run there: NODE_LOCAL, RACK_LOCAL, OFF_RACK or NO_INPUT. */
  launchMap(job: number, task: number, node: number, level: number): void;
  launchReduce(job: number, node: number): void;
  /** Tasks of the type that the node reported as running on this heartbeat. */
  reportedOn(node: number, type: SlotType): number;
  /** Slots of the type on the node. */
  slotsOf(node: number, type: SlotType): number;
  /** The scheduler lets a PREP job be initialised, once: its set-up begins, and `jobReady` follows. */
  initialise(job: number): void;
  /**
   * Every running attempt of the type, of a job in the table, that its node has reported at least once, in any order.
   */
  forEachReported(type: SlotType, visit: VisitAttempt): void;
  /**
   * Orders an attempt that `forEachReported` named to be killed. It runs on until `attemptLeft`.
   * `forPool`: the pool that the slot is for; undefined: the scheduler does not say.
   */
  kill(attempt: number, forPool?: number): void;
}

/** `attempt` is a number by which `kill` knows it. */
export type VisitAttempt = (attempt: number, job: number, task: number, launchUs: number) => void;

/** Operation counts: what the scheduler did, for tests of cost and for reports. */
export interface OperationCounts {
  heartbeats: number;
  /** Heartbeats that were skipped without a visit to any job. */
  passedOver: number;
  searches: number;
  updates: number;
}

/** The held slots, for a scheduler that plans for more than the node at hand. */
export interface HeldSlots {
  /** Slots of the cluster. The id of an attempt that holds a slot is the number of the slot. */
  readonly slotCount: number;
  /** Slots of the type on the node that hold nothing; 0 on a node that was given up. */
  freeOn(node: number, type: SlotType): number;
  /** Slots of the type that are taken in the whole cluster. */
  takenSlots(type: SlotType): number;
  /** Every slot of the type that holds a task of a job in the table, in order of nodes. */
  forEach(type: SlotType, visit: VisitHeld): void;
}

/** `isReported`: `Launcher.forEachReported` names it, so it may be killed. `attempt` is its id there. */
export type VisitHeld = (
  attempt: number,
  job: number,
  task: number,
  node: number,
  launchUs: number,
  isReported: boolean,
) => void;

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
  /** Counts of preemption so far. */
  readonly preemptions: PreemptionCounts;
  /** A limit of its user or pools keeps the job from launching. */
  readonly isHeldBack: (job: number) => boolean;
  /** The view of a job's wait for locality. */
  readonly waitOf: (job: number) => SeenWait;
  /** Tasks of the job may run on the node at some time; undefined: every job's on every node. */
  readonly serves?: (job: number, node: number) => boolean;
  /**
   * Notified of each task that succeeds, before `attemptLeft`: the time that its attempt ran, as its node reports it.
   */
  readonly taskDone?: (job: number, type: SlotType, ranUs: number) => void;
}

/** The context that a scheduler is built upon. */
export interface SchedulerContext {
  readonly jobs: JobTable;
  readonly source: MapSource;
  readonly launcher: Launcher;
  readonly pending: PendingMaps;
  readonly heldSlots: HeldSlots;
  readonly topology: Topology;
  readonly store: BlockStore;
  /** All jobs that will come: for decisions before the run. */
  readonly workload: Workload;
  /** Slots of the cluster, per type. */
  readonly slots: readonly [number, number];
  readonly heartbeatUs: number;
  readonly nodes: number;
  readonly hasRows: boolean;
  /** Returns the input bytes of the map; 0 where its job has no input. */
  readonly inputBytesOf: (job: number, map: number) => number;
  /** Share of the time of a job's maps that goes into reading, 0 to 1; 1 if nothing is known of it. */
  readonly readShareOf: (job: number) => number;
  /** A launched map may become pending again: its attempt may be killed or fail. */
  readonly mapsMayReturn: boolean;
  /** A map that runs may be wanted a second time, as a speculative copy. */
  readonly mapsMayBeCopied: boolean;
  /** Only with a log of decisions: the wait in place of a wait, which shows what it is told. */
  readonly showing?: (wait: LocalityWait) => LocalityWait;
  /** Only with a log of decisions, by owner: builds the scheduler of one, with slots of nodes that `isOwn`. */
  readonly buildLogged?: (
    build: (around: SchedulerContext) => BuiltScheduler,
    around: SchedulerContext,
    isOwn: (node: number) => boolean,
  ) => BuiltScheduler;
}

/** The parts of a pool scheduler. */
export interface PoolSchedulerParts extends SchedulerContext {
  readonly pools: Pools;
  readonly users: Users;
  readonly rules: Rules;
  readonly wait: LocalityWait;
  readonly weights: JobWeightRules;
  /** Over both types; Infinity = unlimited, 1 = assign-multiple off. */
  readonly tasksPerHeartbeat: number;
  /** Per type, Infinity = not set. */
  readonly capPerHeartbeat: readonly [number, number];
  readonly countsThisHeartbeat: boolean;
  /** The maxDiff of the load cap; null = no load cap. */
  readonly maxDiff: number | null;
  readonly preemption: PreemptionSpec;
  /** Demands are as of the last update, at multiples of it; 0: always fresh; Infinity: only updates that are called. */
  readonly updateIntervalUs: number;
  /** All allocations that will ever be loaded, where that is known. */
  readonly allAllocations: readonly AllocationsSpec[];
  /** The pool of that name may come to have a max. */
  readonly mayHaveMax: (name: string) => boolean;
}

/** The basis of the weights of jobs. */
export interface JobWeightRules {
  readonly byPriority: boolean;
  /** ln(1 + demand) / ln 2 of the type's demand as of the last update. */
  readonly bySize: boolean;
  readonly booster: WeightBoosterSpec | null;
}

/** Composes a scheduler of one kind. */
export type BuildKind = (spec: SchedulerSpec, around: SchedulerContext) => BuiltScheduler;

/** Counts of preemption. */
export interface PreemptionCounts {
  /** Checks that found slots to be wanted. */
  checks: number;
  /** Slots that starved pools claimed, over all checks. */
  slotsWanted: number;
  /** Attempts chosen to be killed; with mode `log` none. */
  kills: number;
}
