import {
  type HeldSlots,
  type SchedulerContext,
  type PoolScheduler,
  JobTable,
  MAP,
  REDUCE,
  RUNNING,
  type SlotType,
  buildScheduler,
  type SchedulerView,
  type BuiltScheduler,
  REFUSED,
} from "../../dist/core/platforms/hadoop/index.js";
import type { AllocationsSpec, RulesName, SchedulerSpec } from "../../dist/core/scenario/index.js";
import { FakeCluster } from "../conformance/fake-cluster.mjs";
import { NO_ALLOCATIONS, PLAIN_SCHEDULER } from "./plain-scheduler.js";

const SECOND = 1_000_000;
const NORMAL = 2;

/** A node of a few slots; its name is its host's. */
export interface FakeNode {
  readonly name: string;
  readonly rack?: string;
  readonly mapSlots: number;
  readonly reduceSlots?: number;
}

export interface FakeJob {
  readonly name: string;
  readonly pool?: string;
  readonly maps?: number;
  readonly reduces?: number;
  /** The nodes that hold the block of each map; left out: the maps have no input. */
  readonly on?: readonly (readonly string[])[];
  /** Its set-up is not over: it stays PREP until `ready`. */
  readonly isPrep?: boolean;
  /** Maps that must be done before its reduces start; left out: 0. */
  readonly slowStartMaps?: number;
  /** Rank in submission order; left out: the next one. */
  readonly id?: number;
}

/**
 * Plays the master to a scheduler: nodes on which nothing ends or fails unless it is told to, jobs by name, times in
 * seconds. Nothing happens by itself: updates and checks for preemption are called.
 */
export class FakeMaster {
  readonly view: SchedulerView;
  readonly jobs = new JobTable();
  private readonly built: BuiltScheduler;
  private readonly cluster: FakeCluster;
  private readonly handles = new Map<string, number>();
  private nowUs = 0;

  constructor(spec: SchedulerSpec, nodes: readonly FakeNode[]) {
    const trackers = nodes.map(({ name, rack = "rack", mapSlots, reduceSlots = 0 }) => ({
      id: name,
      host: name,
      rack,
      mapSlots,
      reduceSlots,
    }));
    this.cluster = new FakeCluster(trackers, this.jobs, false);
    const { cluster, jobs } = this;
    this.built = buildScheduler(spec, {
      jobs,
      source: cluster,
      launcher: cluster,
      heldSlots: cluster as unknown as HeldSlots,
      slots: cluster.totalSlots as [number, number],
      heartbeatUs: 3 * SECOND,
      nodes: nodes.length,
      readShareOf: () => 1,
      mapsMayReturn: true,
      mapsMayBeCopied: false,
      hasRows: false,
    } satisfies Partial<SchedulerContext> as unknown as SchedulerContext);
    this.view = this.scheduler.view;
  }

  submit({ name, pool = "default", maps = 0, reduces = 0, on, isPrep = false, ...rest }: FakeJob, atS = 0): void {
    const { jobs, built, cluster } = this;
    const { id, slowStartMaps = 0 } = rest;
    this.nowUs = atS * SECOND;
    const job = jobs.enter({
      id: id ?? this.handles.size,
      pool: built.poolOf(pool, "user", this.nowUs),
      user: built.users.named("user"),
      priority: NORMAL,
      startUs: this.nowUs,
      maps: 0,
      reduces: 0,
      slowStartMaps: 0,
      firstBlock: on === undefined ? -1 : 0,
    });
    this.handles.set(name, job);
    cluster.enter(job, name, [maps, reduces], on, slowStartMaps);
    if (!isPrep) {
      jobs.state[job] = RUNNING;
      cluster.initialise(job);
    }
    built.scheduler.jobAdded(job, this.nowUs);
  }

  /** The set-up of a job that was let begin is over; false: the scheduler has not let it begin. */
  ready(name: string, atS: number): boolean {
    const job = this.handle(name);
    if (!this.cluster.isInitialised(job)) return false;
    this.jobs.state[job] = RUNNING;
    this.built.scheduler.jobReady(job, atS * SECOND);
    this.built.scheduler.update(atS * SECOND);
    return true;
  }

  update(atS: number): void {
    this.built.scheduler.update(atS * SECOND);
  }

  /** What the node is given: `job/m0` for the job's first map, `job/r0` for its first reduce. */
  heartbeat(node: string, atS: number): string[] {
    const { cluster, built } = this;
    this.nowUs = atS * SECOND;
    const number = cluster.nodeNamed(node) as number;
    cluster.beginHeartbeat(number, this.nowUs);
    const maps = cluster.freeSlots(number, MAP);
    const reduces = cluster.freeSlots(number, REDUCE);
    if (maps > 0 || reduces > 0) built.scheduler.heartbeat(number, this.nowUs, maps, reduces);
    return [...(cluster.assigned as string[])];
  }

  finish(task: string, node: string, atS: number): void {
    const { job, type } = this.cluster.finish(task, this.cluster.nodeNamed(node)) as { job: number; type: SlotType };
    this.built.scheduler.attemptEnded(job, type, atS * SECOND);
  }

  /** An update and a check for preemption: the tasks killed, which leave their slots at once. */
  preempt(atS: number): string[] {
    const { cluster, built } = this;
    built.scheduler.update(atS * SECOND);
    built.scheduler.checkPreemption(atS * SECOND);
    return (cluster.killOrders.splice(0) as number[]).map((attempt) => {
      const { job, type, name } = cluster.takeOut(attempt) as { job: number; type: SlotType; name: string };
      built.scheduler.attemptRequeued(job, type, atS * SECOND);
      return name;
    });
  }

  /** Of all kills so far: the pool that each slot is for. */
  get killedFor(): string[] {
    return (this.cluster.killedFor as number[]).map((pool) => this.built.pools.names[pool]);
  }

  /** Kills a running map of the job: it is pending again at once. */
  kill(name: string, map: number, atS: number): void {
    const { cluster, built } = this;
    cluster.forEachReported(MAP, (attempt: number, job: number, task: number) => {
      if (job === this.handle(name) && task === map) cluster.kill(attempt);
    });
    for (const attempt of cluster.killOrders.splice(0) as number[]) {
      const { job, type } = cluster.takeOut(attempt) as { job: number; type: SlotType };
      built.scheduler.attemptRequeued(job, type, atS * SECOND);
    }
  }

  /** The output of a map that succeeded is lost: it is pending again. */
  lose(name: string, map: number, atS: number): void {
    this.cluster.loseMap(this.handle(name), map);
    this.built.scheduler.pendingChanged(this.handle(name), MAP, 1, atS * SECOND);
  }

  /** A pending map is not wanted any more. */
  drop(name: string, map: number, atS: number): void {
    this.cluster.dropMap(this.handle(name), map);
    this.built.scheduler.pendingChanged(this.handle(name), MAP, -1, atS * SECOND);
  }

  /** The job fails, whatever it runs: its attempts hold their slots. */
  fail(name: string, atS: number): void {
    this.built.scheduler.jobRemoved(this.handle(name), atS * SECOND);
    this.jobs.leave(this.handle(name));
  }

  /** The cluster has so many slots from now on. */
  changeSlots(maps: number, reduces: number, atS: number): void {
    this.built.scheduler.slotsChanged(maps, reduces, atS * SECOND);
  }

  /** The node takes no more tasks of the job. */
  refuse(name: string, node: string): void {
    const { cluster } = this;
    const nodes = (cluster.refused.get(this.handle(name)) ?? new Set<number>()) as Set<number>;
    cluster.isSelective = true;
    cluster.refused.set(this.handle(name), nodes.add(cluster.nodeNamed(node) as number));
  }

  /** When the scheduler wants an update, in seconds. */
  get updateDueS(): number {
    return this.built.scheduler.nextUpdateUs() / SECOND;
  }

  /** Slots that the pool may take from others now. */
  wanted(pool: string, atS: number): number {
    return this.view.tasksToPreempt(this.pool(pool), MAP, atS * SECOND);
  }

  /** Of the kinds that are played here, all have pools. */
  private get scheduler(): PoolScheduler {
    return this.built.scheduler as PoolScheduler;
  }

  setPriority(name: string, priority: number): void {
    this.scheduler.setPriority(this.handle(name), priority);
  }

  /** The pool of a job that names `pool` (empty: none), submitted by `user`; null: the job is refused. */
  placed(pool: string, user: string): string | null {
    const handle = this.built.poolOf(pool, user, this.nowUs);
    return handle === REFUSED ? null : this.built.pools.names[handle];
  }

  pool(name: string): number {
    return this.built.pools.find(name);
  }

  handle(name: string): number {
    return this.handles.get(name) as number;
  }
}

/** Nodes of one rack, by name, with so many map slots each. */
export function nodesOf(slots: Readonly<Record<string, number>>): FakeNode[] {
  return Object.entries(slots).map(([name, mapSlots]) => ({ name, mapSlots }));
}

/** The Fair Scheduler under these rules: no waits, no load cap; updates and checks where they are called. */
export function underRules(
  rules: RulesName,
  changes: Partial<SchedulerSpec> = {},
  allocations: Partial<AllocationsSpec> = {},
): SchedulerSpec {
  const called = { updateIntervalUs: Infinity, rules, allocations: { ...NO_ALLOCATIONS, ...allocations } };
  return { ...PLAIN_SCHEDULER, ...called, ...changes };
}
