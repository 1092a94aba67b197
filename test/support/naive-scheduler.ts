import type { AllocationsSpec, SchedulerSpec } from "../../dist/core/scenario/index.js";
import { RULES } from "../../dist/core/platforms/hadoop/index.js";
import {
  ANY,
  byDistance,
  NODE,
  NO_INPUT,
  RACK,
  ROW,
  TYPES,
  type NaiveJob,
  type NaiveTask,
  type TaskType,
} from "./naive-job.js";
import { dsfsLevel, dsfsWaitAfter } from "./naive-dsfs.js";
import { NaiveOrder } from "./naive-order.js";
import { placeJob } from "./naive-placement.js";
import { NaivePools, type NaivePool } from "./naive-pools.js";
import { NaivePreemption, type Candidate } from "./naive-preemption.js";
import { specInForce } from "./naive-rules.js";
import { sum } from "./naive-shares.js";
import { isStarved, NaiveUpdate } from "./naive-update.js";
import type { Signs } from "./run-records.js";

/** How the scheduler sees the cluster, and what it may do to it. */
export interface NaiveCluster<C extends Candidate> {
  readonly nodes: number;
  readonly heartbeatUs: number;
  /** Slots of all nodes. */
  readonly slots: Record<TaskType, number>;
  /** Nodes that hold the block of a map of a job that has input. */
  holders(job: NaiveJob, task: NaiveTask): readonly number[];
  rackOf(node: number): number;
  /** null: there are no rows. */
  rowOf(node: number): number | null;
  slotsOf(node: number, type: TaskType): number;
  running(node: number, type: TaskType): number;
  /** The node may take a task of the job. */
  accepts(job: NaiveJob, type: TaskType, node: number): boolean;
  launch(job: NaiveJob, type: TaskType, task: NaiveTask, node: number, level: number): void;
  /** Running attempts that their nodes have reported. */
  reported(type: TaskType): readonly C[];
  /** What holds slots of the type in the whole cluster, by the last heartbeat of each node. */
  reportedInAll(type: TaskType): number;
  /** @param forPool the pool that the slot is for. */
  kill(attempt: C, forPool: string): void;
}

/**
 * All schedulers, by the letter of the rules and with every order sorted afresh for every single slot. The rules are
 * those of Hadoop's Fair Scheduler, with pools in pools, and of Algorithms 1 and 2.
 */
export class NaiveScheduler<C extends Candidate> {
  readonly jobs: NaiveJob[] = [];
  private readonly spec: SchedulerSpec;
  private readonly pools: NaivePools;
  private readonly order: NaiveOrder;
  private readonly updating: NaiveUpdate;
  private readonly preemption: NaivePreemption;
  private lastCallUs: number | null = null;

  constructor(
    spec: SchedulerSpec,
    protected readonly cluster: NaiveCluster<C>,
    protected readonly signs: Signs,
  ) {
    this.spec = specInForce(spec);
    this.pools = new NaivePools(this.spec.allocations, cluster.slots, RULES[this.spec.rules].scalesMinShares);
    this.pools.named("default", 0);
    this.order = new NaiveOrder(this.spec, this.pools);
    this.updating = new NaiveUpdate(this.spec, this.pools, cluster.slots);
    this.preemption = new NaivePreemption(this.spec, this.pools);
  }

  /** Jobs are initialised at submission. */
  get eagerInit(): boolean {
    return RULES[this.spec.rules].eagerInit;
  }

  /** Enters the job in its pool; false if it is refused, as it is by a pool with pools inside. */
  add(job: NaiveJob, nowUs: number): boolean {
    const name = placeJob(this.spec, this.pools.inForce, job.spec);
    if (name === null) return false;
    const pool = this.pools.named(name, nowUs);
    if (this.pools.childrenOf(pool).length > 0) return false;
    this.jobs.push(job);
    for (const type of TYPES) pool.jobs[type].push(job);
    return true;
  }

  remove(job: NaiveJob): void {
    const pool = this.pools.poolOf(job);
    for (const type of TYPES) pool.jobs[type].splice(pool.jobs[type].indexOf(job), 1);
    this.jobs.splice(this.jobs.indexOf(job), 1);
  }

  reload(allocations: AllocationsSpec, nowUs: number): void {
    this.pools.load(allocations, nowUs);
  }

  /** Everything that is as of the last update becomes what it is now; the jobs that are to be initialised. */
  update(nowUs: number): readonly NaiveJob[] {
    const { handedOver, keptOut } = this.updating.run(this.jobs, nowUs);
    // Who may not launch passes up nothing, and begins anew.
    for (const job of this.jobs) if (!job.runnable) job.passedUpAtUs = null;
    if (keptOut > 0) this.signs.keptOut++;
    return handedOver;
  }

  checkPreemption(nowUs: number): void {
    for (const type of TYPES) {
      const victims = this.preemption.victims(type, this.cluster.reported(type), nowUs);
      if (this.spec.preemption.mode === "kill") {
        for (const { attempt, forPool } of victims) this.cluster.kill(attempt, forPool.name);
      }
    }
  }

  /** Semantics section 8. */
  heartbeat(node: number, nowUs: number): void {
    const reported = { map: this.cluster.running(node, "map"), reduce: this.cluster.running(node, "reduce") };
    if (TYPES.every((type) => reported[type] === this.cluster.slotsOf(node, type))) return;
    this.advanceWaits(nowUs, reported.map < this.cluster.slotsOf(node, "map"));
    const given = { map: 0, reduce: 0 };
    const open = { map: true, reduce: true };
    const visited = new Set<NaiveJob>();
    const launchedMap = new Set<NaiveJob>();
    for (;;) {
      for (const type of TYPES) open[type] &&= this.isOpen(type, node, reported[type], given[type]);
      if (given.map + given.reduce >= this.spec.tasksPerHeartbeat || (!open.map && !open.reduce)) break;
      const counts = this.spec.countsThisHeartbeat ? given : { map: 0, reduce: 0 };
      const prefersMap = reported.map + counts.map <= reported.reduce + counts.reduce;
      const type = open.map && (prefersMap || !open.reduce) ? "map" : "reduce";
      const job = this.assign(null, type, node, nowUs, visited);
      if (job === null) open[type] = false;
      else given[type]++;
      if (job !== null && type === "map") launchedMap.add(job);
    }
    if (this.spec.wait.kind !== "time" && this.spec.wait.kind !== "auto") return;
    const { idleJobsWait } = RULES[this.spec.rules];
    for (const job of visited) {
      const waits = idleJobsWait || job.tasks.map.some((task) => task.state === "pending");
      if (waits && !launchedMap.has(job)) job.skipped = true;
    }
  }

  /**
   * Start of a call: what was skipped at the last one has waited since (semantics section 9.2). The paper's waits do
   * not notice heartbeats without a free map slot.
   */
  protected advanceWaits(nowUs: number, hasFreeMapSlot: boolean): void {
    if (!hasFreeMapSlot && this.spec.rules === "paper") return;
    const sinceUs = this.lastCallUs === null ? 0 : nowUs - this.lastCallUs;
    this.lastCallUs = nowUs;
    for (const job of this.jobs) {
      if (job.skipped) job.waited += sinceUs;
      job.skipped = false;
    }
  }

  /** Another task of the type may be handed out (semantics sections 8, steps 2 and 3a, and 8.1). */
  private isOpen(type: TaskType, node: number, reported: number, given: number): boolean {
    const { mapsPerHeartbeat, reducesPerHeartbeat, loadManager, countsThisHeartbeat } = this.spec;
    const slots = this.cluster.slotsOf(node, type);
    if (given >= Math.min(type === "map" ? mapsPerHeartbeat : reducesPerHeartbeat, slots - reported)) return false;
    const demand = sum(this.pools.childrenOf(null).map((pool) => pool.demand[type]));
    if (this.isExhausted(type, demand)) return false;
    if (loadManager === null) return true;
    // Semantics section 8.1: ceil of nothing is nothing.
    if (this.cluster.slots[type] === 0) return false;
    const load = Math.fround(loadManager.maxDiff) + demand / this.cluster.slots[type];
    return reported + (countsThisHeartbeat ? given : 0) < Math.ceil(slots * Math.min(1, load));
  }

  /** As many run as were demanded at the last update; with demands always fresh, nothing that may run is pending. */
  private isExhausted(type: TaskType, demand: number): boolean {
    if (this.spec.updateIntervalUs > 0) return sum(this.jobs.map((job) => job.count(type, "running"))) === demand;
    return this.jobs.every((job) => job.demandNow(type) === 0 || job.count(type, "pending") === 0);
  }

  /** Gives one free slot to a job in `parent`, anywhere if null; the job that got it, or null. */
  private assign(
    parent: NaivePool | null,
    type: TaskType,
    node: number,
    nowUs: number,
    visited: Set<NaiveJob>,
  ): NaiveJob | null {
    for (const pool of this.order.poolsIn(parent, type)) {
      if (this.pools.running(pool, type) >= this.pools.maxOf(pool, type)) continue;
      const inside = this.assign(pool, type, node, nowUs, visited);
      if (inside !== null) return inside;
      for (const job of this.order.sortJobs(pool, type, nowUs)) {
        if (!job.runnable || job.state !== "running") continue;
        if (type === "map") visited.add(job);
        if (!this.cluster.accepts(job, type, node)) {
          this.signs.refusals++;
          if (type === "map") this.passUp(job, nowUs);
          continue;
        }
        if (type === "map" ? this.launchMap(job, node, nowUs) : this.launchReduce(job, node)) return job;
      }
    }
    return null;
  }

  protected launchMap(job: NaiveJob, node: number, nowUs: number): boolean {
    const byWait = this.levelByWait(job);
    const allowed = this.isExempt(job, nowUs) ? ANY : byWait;
    const best = this.bestMap(job, node, allowed);
    if (best === null) {
      this.passUp(job, nowUs);
      return false;
    }
    const { task, level } = best;
    job.lastPick = task.isCopy !== true && (level === NODE || level === RACK) ? "near" : "elsewhere";
    if (level !== NO_INPUT && byDistance(level, byWait) > 0 && task.requeued === 0) this.signs.exemptions++;
    if (task.requeued > 0) this.signs.requeuedMaps++;
    this.cluster.launch(job, "map", task, node, level);
    job.localityWaitsUs.push(nowUs - (job.passedUpAtUs ?? nowUs));
    job.waitClocks.push(job.waited);
    job.passedUpAtUs = null;
    job.lastLevel = level === NO_INPUT ? ANY : level;
    job.waited = this.spec.dsfs === undefined ? 0 : dsfsWaitAfter(this.spec.dsfs, job.waited, level);
    return true;
  }

  /** The job was asked for a map, and launched none. */
  protected passUp(job: NaiveJob, nowUs: number): void {
    if (job.count("map", "pending") === 0) return;
    if (this.countsSkips) job.waited++;
    job.passedUpAtUs ??= nowUs;
  }

  /** The map that the job launches on the node, no farther than allowed (semantics section 10). */
  private bestMap(job: NaiveJob, node: number, allowed: number): { task: NaiveTask; level: number } | null {
    const maps = job.tasks.map.filter((task) => task.state === "pending");
    const pending = maps.map((task) => ({ task, level: this.levelOn(job, task, node) }));
    if (RULES[this.spec.rules].requeuedIgnoreLocality) {
      const requeued = pending.find(({ task }) => task.requeued > 0);
      if (requeued !== undefined) return requeued;
    }
    const fitting = pending.filter(({ task, level }) =>
      task.isCopy === true ? allowed === ANY : level === NO_INPUT || byDistance(level, allowed) <= 0,
    );
    const isCopy = ({ task }: { readonly task: NaiveTask }): number => (task.isCopy === true ? 1 : 0);
    fitting.sort(
      (a, b) =>
        isCopy(a) - isCopy(b) ||
        byDistance(a.level, b.level) ||
        (this.rackByRack && a.level === ANY ? this.firstRack(job, a.task) - this.firstRack(job, b.task) : 0) ||
        b.task.requeued - a.task.requeued ||
        a.task.index - b.task.index,
    );
    return fitting.at(0) ?? null;
  }

  /** Whether a map for a node without any near is looked for in one rack after the other. */
  protected get rackByRack(): boolean {
    return false;
  }

  private firstRack(job: NaiveJob, task: NaiveTask): number {
    return Math.min(...this.cluster.holders(job, task).map((holder) => this.cluster.rackOf(holder)));
  }

  protected launchReduce(job: NaiveJob, node: number): boolean {
    if (!job.reducesMayStart) return false;
    const pending = job.tasks.reduce.filter((task) => task.state === "pending");
    if (!RULES[this.spec.rules].requeuedIgnoreLocality)
      pending.sort((a, b) => b.requeued - a.requeued || a.index - b.index);
    const task = pending.at(0);
    if (task === undefined) return false;
    this.cluster.launch(job, "reduce", task, node, NO_INPUT);
    return true;
  }

  private levelOn(job: NaiveJob, task: NaiveTask, node: number): number {
    if (job.spec.input === null) return NO_INPUT;
    const holders = this.cluster.holders(job, task);
    if (holders.includes(node)) return NODE;
    if (holders.some((holder) => this.cluster.rackOf(holder) === this.cluster.rackOf(node))) return RACK;
    const row = this.cluster.rowOf(node);
    return row !== null && holders.some((holder) => this.cluster.rowOf(holder) === row) ? ROW : ANY;
  }

  /** Some pool around the job is starved for maps (semantics section 9.4, number 2). */
  protected isExempt(job: NaiveJob, nowUs: number): boolean {
    return this.pools.pathOf(this.pools.poolOf(job)).some((pool) => {
      const { min, fair } = isStarved(this.pools, pool, "map", nowUs);
      return min || fair;
    });
  }

  /** Semantics section 9.4, Algorithm 3; with counts instead of times, Algorithm 2 in two levels. */
  private levelByWait(job: NaiveJob): number {
    if (job.spec.input === null && job.tasks.map.some((task) => task.attempts === 0)) return ANY;
    if (this.spec.dsfs !== undefined) return dsfsLevel(this.spec.dsfs, job);
    const bounds = this.bounds();
    const steps = this.cluster.rowOf(0) === null ? [NODE, RACK] : [NODE, RACK, ROW];
    let waitedFor = 0;
    for (const [i, level] of steps.entries()) {
      if (byDistance(level, job.lastLevel) < 0) continue;
      waitedFor += bounds[i];
      if (job.waited < waitedFor) return level;
    }
    return ANY;
  }

  private ofNodes(shares: [number, number, number]): [number, number, number] {
    return shares.map((share) => Math.ceil(share * this.cluster.nodes)) as [number, number, number];
  }

  protected get countsSkips(): boolean {
    return this.spec.wait.kind === "skips" || this.spec.wait.kind === "fraction";
  }

  /** What a job waits for its node, then for its rack, then for its row: microseconds or skips. */
  private bounds(): [number, number, number] {
    const { wait } = this.spec;
    switch (wait.kind) {
      case "none":
        return [0, 0, 0];
      case "time":
        if (RULES[this.spec.rules].oneDelay) return [wait.nodeUs, wait.nodeUs, wait.nodeUs];
        return [wait.nodeUs, wait.rackUs, wait.rowUs ?? wait.rackUs];
      case "auto": {
        const delayUs = Math.min(15_000, Math.trunc((1.5 * this.cluster.heartbeatUs) / 1000)) * 1000;
        return [delayUs, delayUs, delayUs];
      }
      case "skips":
        return [wait.node, wait.rack, wait.row ?? wait.rack];
      case "fraction":
        return this.ofNodes([wait.node, wait.rack, wait.row ?? wait.rack]);
    }
  }
}
