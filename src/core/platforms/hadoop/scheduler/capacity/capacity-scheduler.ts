import { MAP, REDUCE, type SlotType } from "../../jobs/job-table.js";
import { OFF_RACK } from "../../jobs/nearness.js";
import { assert } from "../../../../kernel/index.js";
import {
  type CapacityQueueSpec,
  NO_LIMITS,
  type AllocationsSpec,
  type PoolSpec,
  type SchedulerSpec,
} from "../../../../scenario/index.js";
import { buildWait } from "../build-pool-scheduler.js";
import { requestedByName, DEFAULT_POOL } from "../pool-choice.js";
import { Pools, Users } from "../pools.js";
import { RULES } from "../rules.js";
import {
  type OperationCounts,
  type Scheduler,
  type BuiltScheduler,
  REFUSED,
  type SchedulerContext,
} from "../scheduler.js";
import { type CapacityParts, CapacityState, QueueSlots } from "./capacity-state.js";

/**
 * The capacity scheduler. Each queue has a part of the cluster, and the queue that uses least of its part comes first.
 * Inside a queue, jobs are served one after the other, within the limits of their users. Other queues may use the slots
 * that a queue leaves free. The queue gets these slots back as the tasks there end: nothing is killed. The pools of the
 * job table are the queues. Naive twin: test/support/naive-capacity.ts.
 */
export class CapacityScheduler extends CapacityState implements Scheduler {
  readonly counts: OperationCounts = { heartbeats: 0, passedOver: 0, searches: 0, updates: 0 };
  private readonly search = new CapacitySearch(this.parts, this);

  /** There are no updates: all counts are always current. */
  nextUpdateUs(): number {
    return Infinity;
  }

  update(): void {}

  wantsMapSlots(): boolean {
    return this.hasMaps() || this.parts.wait.hasMarks();
  }

  wantsReduceSlots(): boolean {
    return this.hasReduces();
  }

  hasReduces(): boolean {
    return this.pending[REDUCE] > 0 && this.someMayLaunch(REDUCE);
  }

  skipHeartbeats(heartbeats: number, firstUs: number, lastUs: number): boolean {
    if (!this.hasMaps() || this.someAreRefused()) return false;
    if (!this.parts.wait.skipHeartbeats(heartbeats, firstUs, lastUs, false)) return false;
    this.counts.heartbeats += heartbeats;
    this.counts.passedOver += heartbeats;
    return true;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { wait } = this.parts;
    this.counts.heartbeats++;
    if (freeMaps > 0) wait.begin(nowUs);
    const wantsReduces = freeReduces > 0 && this.hasReduces();
    if (freeMaps > 0 && !wantsReduces && this.hasMaps() && this.allWouldWait(node)) {
      wait.allPassedOver();
      this.counts.passedOver++;
      return;
    }
    this.serve(node, this.mostOf(MAP, freeMaps), this.mostOf(REDUCE, freeReduces));
  }

  private hasMaps(): boolean {
    return this.pending[MAP] > 0 && this.someMayLaunch(MAP);
  }

  /** A search for a map here is known to ask every waiting job, and none has a map near or may go farther. */
  private allWouldWait(node: number): boolean {
    const { source, wait } = this.parts;
    return !source.mayHaveLocal(node) && wait.levels.noneMayLeave() && !this.someAreRefused();
  }

  private mostOf(type: SlotType, free: number): number {
    return Math.min(free, this.parts.capPerHeartbeat[type]);
  }

  /**
   * Hands out tasks one by one until nothing more fits or is found. Where a heartbeat may not hand out all, the type
   * with more free slots goes first, maps if they are as many (Hadoop 0.20, which hands out one).
   */
  private serve(node: number, freeMaps: number, freeReduces: number): void {
    let maps = freeMaps;
    let reduces = freeReduces;
    for (let budget = this.parts.tasksPerHeartbeat; budget > 0 && maps + reduces > 0; budget--) {
      const type = reduces > maps ? REDUCE : MAP;
      const hasLaunched =
        type === MAP ? this.hasMaps() && this.serveMap(node) : this.hasReduces() && this.serveReduce(node);
      if (type === MAP) maps = hasLaunched ? maps - 1 : 0;
      else reduces = hasLaunched ? reduces - 1 : 0;
      if (!hasLaunched) budget++;
    }
  }

  private serveMap(node: number): boolean {
    const { source, wait, launcher } = this.parts;
    const { search } = this;
    this.counts.searches++;
    const job = search.findMapper(node);
    if (job < 0) {
      const passesAll = search.passedOverCount === this.order[MAP].size;
      if (passesAll) wait.allPassedOver(search.safeBelow);
      else wait.passedOver(search.passedOver, search.passedOverCount);
      return false;
    }
    const { level } = source;
    launcher.launchMap(job, search.task, node, level);
    this.launched(job, MAP);
    wait.passedOver(search.passedOver, search.passedOverCount);
    wait.launched(job, level);
    this.leaveIfDone(job, MAP);
    this.initialisation.launched(job);
    return true;
  }

  private serveReduce(node: number): boolean {
    this.counts.searches++;
    const job = this.search.findReducer(node);
    if (job < 0) return false;
    this.parts.launcher.launchReduce(job, node);
    this.launched(job, REDUCE);
    this.leaveIfDone(job, REDUCE);
    this.initialisation.launched(job);
    return true;
  }
}

/**
 * Finds whose task a free slot gets: queues in order, but for those at their maximum; in each its jobs in order, but
 * for those of users at their limit. What the last search found is left in its fields. A job that no search asks has
 * passed up no opportunity, so that its wait for locality stands still.
 */
class CapacitySearch {
  task = -1;
  /** The jobs that the last search for a map passed over. */
  passedOver = new Int32Array(64);
  passedOverCount = 0;
  /** The least `leavesNodeAt` of these. */
  safeBelow = Infinity;

  constructor(
    private readonly parts: CapacityParts,
    private readonly state: CapacityState,
  ) {}

  /** The first job in order that may launch a map on the node now, or -1. */
  findMapper(node: number): number {
    const { size } = this.state.order[MAP];
    if (this.passedOver.length < size) this.passedOver = new Int32Array(2 * size);
    this.passedOverCount = 0;
    this.safeBelow = Infinity;
    return this.find(MAP, node);
  }

  /** The first job in order that may launch a reduce on the node now, or -1. */
  findReducer(node: number): number {
    return this.find(REDUCE, node);
  }

  private find(type: SlotType, node: number): number {
    const { state } = this;
    const { queues, jobsOf } = state.order[type];
    for (let i = 0; i < queues.size; i++) {
      const queue = queues.items[i];
      if (state.isFull(queue, type)) continue;
      const { items, size } = jobsOf[queue];
      let passed = 0;
      for (let k = 0; k < size; k++) {
        if (!state.isBelowLimit(items[k], type)) passed++;
        else if (this.mayLaunch(items[k], type, node)) return items[k];
      }
      if (!state.isSoft || passed === 0) continue;
      for (let k = 0; k < size; k++) {
        if (!state.isBelowLimit(items[k], type) && this.mayLaunch(items[k], type, node)) return items[k];
      }
    }
    return -1;
  }

  private mayLaunch(job: number, type: SlotType, node: number): boolean {
    if (type === MAP) return this.findMap(job, node);
    const { launcher } = this.parts;
    return !launcher.isSelective || launcher.accepts(job, REDUCE, node);
  }

  /** The map that the job may launch here, left in `task`; if there is none, notes that the job was passed over. */
  private findMap(job: number, node: number): boolean {
    const { source, wait, launcher } = this.parts;
    if (!launcher.isSelective || launcher.accepts(job, MAP, node)) {
      this.task = source.pick(job, node, source.hasPlaceless(job) ? OFF_RACK : wait.levels.allowedLevel(job));
      if (this.task >= 0) return true;
    }
    this.passedOver[this.passedOverCount++] = job;
    this.safeBelow = Math.min(this.safeBelow, wait.levels.leavesNodeAt(job));
    return false;
  }
}

/** Yahoo!'s capacity scheduler. Its queues are the pools of the run, by the same handles. */
export function buildCapacity(scheduler: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  const { capacity: spec } = scheduler;
  assert(spec !== undefined, "a capacity scheduler without its settings");
  const pools = new Pools(queuesAsPools(spec.queues, around.slots), around.slots, false);
  const wait = buildWait(scheduler, RULES.paper, around);
  const capacity = new CapacityScheduler({
    ...around,
    spec,
    pools,
    wait,
    tasksPerHeartbeat: scheduler.tasksPerHeartbeat,
    capPerHeartbeat: [scheduler.mapsPerHeartbeat, scheduler.reducesPerHeartbeat],
  });
  const elsewhere = spec.undeclaredQueues === "default" ? pools.find(DEFAULT_POOL) : REFUSED;
  return {
    scheduler: capacity,
    pools,
    users: new Users(),
    hasPools: true,
    poolOf: (pool, user) => {
      const queue = pools.find(requestedByName(scheduler, { pool, user }));
      return queue < 0 ? elsewhere : queue;
    },
    preemptions: { checks: 0, slotsWanted: 0, kills: 0 },
    // The job waits to be set up.
    isHeldBack: (job) => capacity.initialisation.isHeldBack(job),
    waitOf: () => wait,
  };
}

/** For the measures of fairness: queues share by capacity, up to their maximum. */
function queuesAsPools(queues: readonly CapacityQueueSpec[], slots: readonly [number, number]): AllocationsSpec {
  const { maximum } = new QueueSlots(queues, slots);
  const nothing = { minMaps: 0, minReduces: 0, maxJobs: null, minShareTimeoutUs: null, fairShareTimeoutUs: null };
  const pools = queues.map(({ name, capacityPercent }, queue): PoolSpec => {
    const [maxMaps, maxReduces] = [maximum[0][queue], maximum[1][queue]];
    return { name, parent: null, weight: capacityPercent, ...nothing, maxMaps, maxReduces, mode: "fifo" };
  });
  return { ...NO_LIMITS, pools, defaultMode: "fifo" };
}
