import { type JobTable, MAP, REDUCE, RUNNING, SLOT_TYPES, type SlotType } from "../jobs/job-table.js";
import type { SchedulerSpec } from "../../../scenario/index.js";
import { buildFlatWith, buildWait } from "./build-pool-scheduler.js";
import { PoolScheduler } from "./pool-scheduler.js";
import { RULES } from "./rules.js";
import type { BuiltScheduler, HeldSlots, SchedulerContext } from "./scheduler.js";

/**
 * Share of the tasks of jobs with reduces for which slots are kept free for failures
 * (`mapred.jobtracker.taskalloc.capacitypad`).
 */
const PAD_FRACTION = Math.fround(0.01);
/** Largest number of nodes with which a cluster keeps no slot free. */
const NO_PADDING_UP_TO = 3;

/**
 * FIFO as in Hadoop's JobQueueTaskScheduler, which is the same in 0.21, 1.2 and branch-1. Order and wait are those of
 * the pool scheduler; this class decides how many tasks a heartbeat gets. Naive twin:
 * test/support/naive-hadoop-fifo.ts.
 */
class HadoopFifo extends PoolScheduler {
  private readonly load = new FifoLoad(this.parts);

  override jobAdded(job: number, nowUs: number): void {
    super.jobAdded(job, nowUs);
    this.load.changed(job);
  }

  override jobReady(job: number, nowUs: number): void {
    super.jobReady(job, nowUs);
    this.load.changed(job);
  }

  override jobRemoved(job: number, nowUs: number): void {
    super.jobRemoved(job, nowUs);
    this.load.jobLeft(job);
  }

  override attemptLeft(job: number, type: SlotType, requeued: boolean, nowUs: number): void {
    super.attemptLeft(job, type, requeued, nowUs);
    this.load.changed(job);
  }

  override pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    super.pendingChanged(job, type, change, nowUs);
    this.load.changed(job);
  }

  protected override allows(node: number, type: SlotType): boolean {
    return this.roomOn(node, type) > 0;
  }

  protected override mayRefuseMaps(): boolean {
    return this.load.remaining[MAP] < this.state.slotsNow[MAP];
  }

  /**
   * Assigns the slots of one heartbeat:
   * - Nodes are filled evenly: a node runs at most the part of its slots that the tasks to be done are of all slots.
   * - Maps first, one by one, each of the first job in the queue that has one. A map of elsewhere, or a copy, is the
   *   last of the heartbeat.
   * - At most one reduce.
   * - Where the cluster is all but full, one near map, and a reduce of the first job with reduces only.
   */
  protected override serve(node: number, freeMaps: number, freeReduces: number): void {
    const maps = freeMaps === 0 ? 0 : this.serveMaps(node, freeMaps);
    if (freeReduces > 0 && maps < this.parts.tasksPerHeartbeat) this.serveOneReduce(node);
  }

  /** Launches maps. Returns their number. */
  private serveMaps(node: number, freeMaps: number): number {
    const mostMaps = Math.min(freeMaps, this.roomOn(node, MAP), this.parts.tasksPerHeartbeat);
    const isPadded = this.exceedsPadding(node, MAP);
    for (let maps = 0; maps < mostMaps; maps++) {
      if (!this.state.isOpen(MAP) || !this.serveMap(node)) return maps;
      this.load.launched(MAP, this.nowUs);
      if (isPadded || !this.servedNear) return maps + 1;
    }
    return mostMaps;
  }

  private serveOneReduce(node: number): void {
    if (this.exceedsPadding(node, REDUCE)) {
      const job = this.state.candidates.firstReducer(node);
      if (job < 0 || job !== this.load.firstWithReduces()) return;
    }
    if (this.serveReduce(node)) this.load.launched(REDUCE, this.nowUs);
  }

  /** Tasks of the type that the node may run more than it reported. */
  private roomOn(node: number, type: SlotType): number {
    const slots = this.launcher.slotsOf(node, type);
    const ofAll = this.state.slotsNow[type];
    const cap = ofAll === 0 ? 0 : Math.min(slots, Math.ceil((this.load.remaining[type] / ofAll) * slots));
    return cap - this.launcher.reportedOn(node, type);
  }

  private exceedsPadding(node: number, type: SlotType): boolean {
    return this.load.exceedsPadding(type, this.launcher.slotsOf(node, type), this.state.slotsNow[type], this.nowUs);
  }
}

/** The load of the cluster: the remaining work of jobs past their set-up, and the free slots. */
class FifoLoad {
  /** Per type, tasks of these jobs that are not done; reduces from when they may start. */
  readonly remaining = [0, 0];
  /** Per type, tasks of those among them that have reduces. */
  private readonly padded = [0, 0];
  private readonly jobs: JobTable;
  private readonly heldSlots: HeldSlots;
  private readonly counted: readonly [number[], number[]] = [[], []];
  /** By job: it is in `padded`. */
  private readonly isPadded: boolean[] = [];
  private jobsWithReduces = 0;
  private readonly unreported: readonly [RecentLaunches, RecentLaunches];
  private readonly hasPadding: boolean;

  constructor({ jobs, heldSlots, nodes, heartbeatUs }: SchedulerContext) {
    this.jobs = jobs;
    this.heldSlots = heldSlots;
    this.unreported = [new RecentLaunches(heartbeatUs), new RecentLaunches(heartbeatUs)];
    this.hasPadding = nodes > NO_PADDING_UP_TO;
  }

  /** The job is past its set-up, and its counts may have changed. */
  changed(job: number): void {
    const { state, total, done } = this.jobs;
    if (state[job] !== RUNNING) return;
    this.count(job, MAP, total[MAP][job] - done[MAP][job]);
    this.count(job, REDUCE, this.jobs.reducesMayStart(job) ? total[REDUCE][job] - done[REDUCE][job] : 0);
    if (total[REDUCE][job] > 0 && !this.isPadded[job]) this.pad(job, 1);
  }

  jobLeft(job: number): void {
    for (const type of SLOT_TYPES) this.count(job, type, 0);
    if (this.isPadded[job]) this.pad(job, -1);
  }

  launched(type: SlotType, nowUs: number): void {
    this.unreported[type].add(nowUs);
  }

  /**
   * The cluster runs all that it may but for the padding, by what nodes have reported: with the heartbeats at hand, not
   * what was handed out on them. Hadoop compares for each job with reduces in turn; padding only grows, so the last
   * decides.
   */
  exceedsPadding(type: SlotType, nodeSlots: number, slots: number, nowUs: number): boolean {
    if (this.jobsWithReduces === 0) return false;
    const wanted = Math.trunc(Math.fround(Math.fround(this.padded[type]) * PAD_FRACTION));
    const padding = this.hasPadding ? Math.min(nodeSlots, wanted) : 0;
    return this.heldSlots.takenSlots(type) - this.unreported[type].countAt(nowUs) + padding >= slots;
  }

  /** The first job in the queue that has reduces, whether or not it has any to launch; -1: none. */
  firstWithReduces(): number {
    const { jobs } = this;
    let first = -1;
    for (let job = 0; job < jobs.handles; job++) {
      if (jobs.state[job] !== RUNNING || jobs.total[REDUCE][job] === 0) continue;
      if (first < 0 || this.comesBefore(job, first)) first = job;
    }
    return first;
  }

  private comesBefore(a: number, b: number): boolean {
    const { priority, startUs, id } = this.jobs;
    return (priority[a] - priority[b] || startUs[a] - startUs[b] || id[a] - id[b]) < 0;
  }

  private count(job: number, type: SlotType, tasks: number): void {
    this.remaining[type] += tasks - (this.counted[type][job] ?? 0);
    this.counted[type][job] = tasks;
  }

  private pad(job: number, sign: number): void {
    this.isPadded[job] = sign > 0;
    this.jobsWithReduces += sign;
    for (const type of SLOT_TYPES) this.padded[type] += sign * this.jobs.total[type][job];
  }
}

/**
 * Launches that their nodes have not reported yet, each for one heartbeat interval: exact where heartbeats come at
 * regular times.
 */
class RecentLaunches {
  private launchUs: number[] = [];
  private first = 0;

  constructor(private readonly heartbeatUs: number) {}

  add(nowUs: number): void {
    this.forget(nowUs);
    this.launchUs.push(nowUs);
  }

  /** Returns the number of launches that count at `nowUs`. */
  countAt(nowUs: number): number {
    this.forget(nowUs);
    return this.launchUs.length - this.first;
  }

  private forget(nowUs: number): void {
    const { launchUs, heartbeatUs } = this;
    while (this.first < launchUs.length && launchUs[this.first] + heartbeatUs <= nowUs) this.first++;
    if (2 * this.first <= launchUs.length) return;
    this.launchUs = launchUs.slice(this.first);
    this.first = 0;
  }
}

/**
 * FIFO order, handed out by Hadoop's rules. It counts what there is to do on each heartbeat: nothing is as of an
 * update.
 */
export function buildHadoopFifo(spec: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  const wait = buildWait(spec, RULES.paper, around);
  return buildFlatWith(wait, { ...spec, updateIntervalUs: 0 }, around, HadoopFifo);
}
