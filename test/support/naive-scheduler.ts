import type { PoolSpec, SchedulerSpec } from "../../dist/core/scenario/scenario.js";
import { ANY, NODE, NO_INPUT, RACK, TYPES, type NaiveJob, type NaiveTask, type TaskType } from "./naive-job.js";

/** How the scheduler sees the cluster, and what it may do to it. */
export interface NaiveCluster {
  /** Nodes that hold the block of a map of a job that has input. */
  holders(job: NaiveJob, task: NaiveTask): readonly number[];
  rackOf(node: number): number;
  free(node: number, type: TaskType): number;
  running(node: number, type: TaskType): number;
  launch(job: NaiveJob, type: TaskType, task: NaiveTask, node: number, level: number): void;
}

/** A pool with its jobs of the moment. */
interface NaivePool {
  readonly spec: PoolSpec;
  readonly jobs: NaiveJob[];
}

/**
 * All schedulers, by the letter of the rules and with every order sorted afresh for every single slot. The rules are
 * those of Hadoop's Fair Scheduler (pools, needy first, stale demands, waits by time) and of Algorithms 1 and 2.
 */
export class NaiveScheduler {
  readonly jobs: NaiveJob[] = [];
  private readonly demand: Record<TaskType, Map<string, number>> = { map: new Map(), reduce: new Map() };
  private lastCallUs: number | null = null;

  constructor(
    private readonly spec: SchedulerSpec,
    private readonly cluster: NaiveCluster,
  ) {}

  /** Name of the pool in which a job that names `pool` is scheduled. */
  poolOf(pool: string): string {
    return this.spec.kind === "hfs" ? pool : "all";
  }

  /** Demands and runnability become what they are now. */
  update(): void {
    for (const job of this.jobs) {
      job.runnable = job.state === "running";
      for (const type of TYPES) job.demand[type] = job.demandNow(type);
    }
    for (const type of TYPES) {
      this.demand[type].clear();
      for (const pool of this.pools()) {
        const sum = pool.jobs.reduce((total, job) => total + job.demand[type], 0);
        this.demand[type].set(pool.spec.name, Math.min(sum, maxOf(pool, type)));
      }
    }
  }

  heartbeat(node: number, nowUs: number): void {
    if (TYPES.every((type) => this.cluster.free(node, type) === 0)) return;
    if (this.spec.updateIntervalUs === 0) this.update();
    this.advanceWaits(nowUs);
    const visited = new Set<NaiveJob>();
    const launchedMap = new Set<NaiveJob>();
    const mapsFirst = this.cluster.running(node, "map") <= this.cluster.running(node, "reduce");
    let left = this.spec.tasksPerHeartbeat;
    for (const type of mapsFirst ? TYPES : [...TYPES].reverse()) {
      while (left > 0 && this.cluster.free(node, type) > 0 && this.isOpen(type)) {
        const job = this.assign(type, node, visited);
        if (job === null) break;
        if (type === "map") launchedMap.add(job);
        left--;
      }
    }
    if (this.spec.wait.kind !== "time") return;
    for (const job of visited) if (!launchedMap.has(job)) job.skipped = true;
  }

  /** Start of a call: what was skipped at the last one has waited since (semantics section 9.2). */
  private advanceWaits(nowUs: number): void {
    const sinceUs = this.lastCallUs === null ? 0 : nowUs - this.lastCallUs;
    this.lastCallUs = nowUs;
    for (const job of this.jobs) {
      if (job.skipped) job.waited += sinceUs;
      job.skipped = false;
    }
  }

  /** Closed when as many tasks run as are demanded, as far as the last update knew (semantics section 8.3a). */
  private isOpen(type: TaskType): boolean {
    const demand = [...this.demand[type].values()].reduce((total, pool) => total + pool, 0);
    const running = this.jobs.reduce((total, job) => total + job.count(type, "running"), 0);
    return running !== demand;
  }

  /** Gives one free slot away; the job that got it, or null. */
  private assign(type: TaskType, node: number, visited: Set<NaiveJob>): NaiveJob | null {
    for (const pool of this.pools().sort((a, b) => this.comparePools(a, b, type))) {
      if (runningIn(pool, type) >= maxOf(pool, type)) continue;
      for (const job of [...pool.jobs].sort((a, b) => this.compareJobs(a, b, pool, type))) {
        if (!job.runnable || job.state !== "running") continue;
        if (type === "map") visited.add(job);
        if (type === "map" ? this.launchMap(job, node) : this.launchReduce(job, node)) return job;
      }
    }
    return null;
  }

  private launchMap(job: NaiveJob, node: number): boolean {
    const pending = job.tasks.map.filter((task) => task.state === "pending");
    const allowed = this.allowedLevel(job);
    const best = pending
      .map((task) => ({ task, level: this.levelOn(job, task, node) }))
      .filter(({ level }) => level === NO_INPUT || level <= allowed)
      .sort((a, b) => a.level - b.level || a.task.index - b.task.index)
      .at(0);
    if (best === undefined) {
      if (this.spec.wait.kind === "skips" && pending.length > 0) job.waited++;
      return false;
    }
    this.cluster.launch(job, "map", best.task, node, best.level);
    job.lastLevel = best.level === NO_INPUT ? ANY : best.level;
    job.waited = 0;
    return true;
  }

  private launchReduce(job: NaiveJob, node: number): boolean {
    const task = job.tasks.reduce.find((reduce) => reduce.state === "pending");
    if (task === undefined || !job.reducesMayStart) return false;
    this.cluster.launch(job, "reduce", task, node, NO_INPUT);
    return true;
  }

  private levelOn(job: NaiveJob, task: NaiveTask, node: number): number {
    if (job.spec.input === null) return NO_INPUT;
    const holders = this.cluster.holders(job, task);
    if (holders.includes(node)) return NODE;
    return holders.some((holder) => this.cluster.rackOf(holder) === this.cluster.rackOf(node)) ? RACK : ANY;
  }

  /** Semantics section 9.4, Algorithm 3; with counts instead of times, Algorithm 2 in two levels. */
  private allowedLevel(job: NaiveJob): number {
    const { wait } = this.spec;
    if (wait.kind === "none") return ANY;
    const [node, rack] = wait.kind === "time" ? [wait.nodeUs, wait.rackUs] : [wait.node, wait.rack];
    if (job.lastLevel === NODE) return job.waited >= node + rack ? ANY : job.waited >= node ? RACK : NODE;
    if (job.lastLevel === RACK) return job.waited >= rack ? ANY : RACK;
    return ANY;
  }

  private pools(): NaivePool[] {
    const names = new Set(this.jobs.map((job) => job.pool));
    return [...names].map((name) => ({ spec: this.specOf(name), jobs: this.jobs.filter((job) => job.pool === name) }));
  }

  private specOf(name: string): PoolSpec {
    const declared = this.spec.kind === "hfs" ? this.spec.pools.find((pool) => pool.name === name) : undefined;
    const mode = this.spec.kind === "fifo" ? "fifo" : "fair";
    return declared ?? { name, weight: 1, minMaps: 0, minReduces: 0, maxMaps: Infinity, maxReduces: Infinity, mode };
  }

  /** Needy first, then by how far; then the least running by weight; then by name (semantics section 7.1). */
  private comparePools(a: NaivePool, b: NaivePool, type: TaskType): number {
    const [minA, minB] = [a, b].map((pool) => Math.min(minOf(pool, type), this.demand[type].get(pool.spec.name) ?? 0));
    const [runA, runB] = [a, b].map((pool) => runningIn(pool, type));
    const [needyA, needyB] = [runA < minA, runB < minB];
    if (needyA !== needyB) return needyA ? -1 : 1;
    const ratio = needyA
      ? runA / Math.max(minA, 1) - runB / Math.max(minB, 1)
      : runA / a.spec.weight - runB / b.spec.weight;
    if (ratio !== 0) return ratio;
    return a.spec.name < b.spec.name ? -1 : 1;
  }

  private compareJobs(a: NaiveJob, b: NaiveJob, pool: NaivePool, type: TaskType): number {
    const byAge = a.spec.submitAtUs - b.spec.submitAtUs || a.rank - b.rank;
    if (pool.spec.mode === "fifo") return a.spec.priority - b.spec.priority || byAge;
    const [ratioA, ratioB] = [a, b].map((job) => job.count(type, "running") / this.weightOf(job));
    return ratioA - ratioB || byAge;
  }

  private weightOf(job: NaiveJob): number {
    return this.spec.kind === "hfs" ? job.priorityWeight : 1;
  }
}

function minOf(pool: NaivePool, type: TaskType): number {
  return type === "map" ? pool.spec.minMaps : pool.spec.minReduces;
}

function maxOf(pool: NaivePool, type: TaskType): number {
  return type === "map" ? pool.spec.maxMaps : pool.spec.maxReduces;
}

function runningIn(pool: NaivePool, type: TaskType): number {
  return pool.jobs.reduce((total, job) => total + job.count(type, "running"), 0);
}
