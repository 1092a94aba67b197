import { MAP } from "../jobs/job-table.js";
import type { MapSource } from "../jobs/map-source.js";
import { OFF_RACK } from "../jobs/nearness.js";
import { JOBS_AT_FIRST, widened } from "../../../kernel/index.js";
import type { WaitLevels } from "./locality-wait.js";
import type { PoolOrder, Ranking } from "./pool-order.js";
import { type Pools, TOP } from "./pools.js";
import type { Launcher, PoolSchedulerParts } from "./scheduler.js";

/**
 * Finds whose map a free slot gets. What the last search found is left in its fields. A job that must wait for its
 * nodes and has nothing on this one cannot get anything from a later search of the same heartbeat either, which passes
 * over it. The same search without indexes: `assign` in test/support/naive-scheduler.ts.
 */
export class MapSearch {
  task = -1;
  /** The least `leavesNodeAt` of the jobs with pending maps that searches of the heartbeat passed over. */
  safeBelow = Infinity;
  /** Some pool may be exempt from waiting. */
  exempts = false;
  /** Jobs with pending maps looked at, over all searches. */
  jobsVisited = 0;
  /** The jobs that the search passed over, once `listVisited` has been called; without those passed over. */
  visited = new Int32Array(2 * JOBS_AT_FIRST);
  visitedCount = 0;
  private readonly pools: Pools;
  private readonly source: MapSource;
  private readonly levels: WaitLevels;
  private readonly launcher: Launcher;
  /** Only jobs with pending maps are ranked: a search meets all that it visits. */
  private readonly meetsAll: boolean;
  private readonly passesOver: boolean;
  /** The node may have a map near its block for some job. */
  private mayBeLocal = true;
  /** Later searches of the heartbeat follow, earlier ones came before. */
  private marksPassedOver = false;
  private meetsMarked = false;
  /** On which heartbeat, counted in `heartbeat`, a job that must wait was last passed over. */
  private passedOverAt = new Float64Array(2 * JOBS_AT_FIRST);
  private heartbeat = 1;

  /** @param isExempt jobs of the pool need not wait now. */
  constructor(
    private readonly parts: Pick<PoolSchedulerParts, "jobs" | "pools" | "source" | "wait" | "launcher">,
    private readonly order: PoolOrder,
    private readonly isExempt: (pool: number) => boolean,
  ) {
    this.pools = parts.pools;
    this.source = parts.source;
    this.levels = parts.wait.levels;
    this.launcher = parts.launcher;
    this.meetsAll = order.ranked === order.waiting;
    this.passesOver = !parts.wait.countsEachSearch && !parts.source.launchesBringNear;
  }

  /** The heartbeat of a node begins: searches for so many of its slots follow at most. */
  begin(slots: number): void {
    this.heartbeat++;
    this.safeBelow = Infinity;
    this.marksPassedOver = this.passesOver && slots > 1;
    this.meetsMarked = false;
  }

  /** The first job in order that may launch a map on the node now, or -1. */
  findJob(node: number): number {
    const { waiting } = this.order;
    this.visitedCount = 0;
    this.mayBeLocal = this.source.mayHaveLocal(node);
    if (this.visited.length < waiting.size) this.visited = new Int32Array(2 * waiting.size);
    while (this.passedOverAt.length < this.parts.jobs.capacity) this.passedOverAt = widened(this.passedOverAt);
    const job = this.findIn(waiting, TOP, node);
    this.meetsMarked = this.marksPassedOver;
    return job;
  }

  /**
   * Lists the jobs, with pending maps or without, that come before `job`, which the search found (-1: nothing, and so
   * all), except in pools at their max: those that it passed over.
   */
  listVisited(job: number): void {
    if (this.meetsAll) return;
    const { ranked } = this.order;
    if (this.visited.length < ranked.size) this.visited = new Int32Array(2 * ranked.size);
    this.visitedCount = 0;
    this.listIn(ranked, TOP, job);
  }

  private findIn(ranking: Ranking, parent: number, node: number): number {
    const { order, pools: config } = this;
    const { items: pools, size } = order.poolsIn(ranking, parent);
    const { jobCountOf, firstJobOf, jobsOf } = ranking;
    for (let i = 0; i < size; i++) {
      const pool = pools[i];
      if (order.fullPools > 0 && order.isFull(pool)) continue;
      const count = jobCountOf[pool];
      const job =
        config.isTree && config.isInner(pool)
          ? this.findIn(ranking, pool, node)
          : this.findAmong(count === 1 ? firstJobOf : jobsOf[pool].items, count === 1 ? pool : 0, count, pool, node);
      if (job >= 0) return job;
    }
    return -1;
  }

  /** The first of `jobs[from .. from + count)`, all of one pool, that may launch a map on the node now, or -1. */
  private findAmong(jobs: Int32Array, from: number, count: number, pool: number, node: number): number {
    const { passedOverAt, heartbeat, visited, meetsMarked } = this;
    for (let k = from; k < from + count; k++) {
      const job = jobs[k];
      this.jobsVisited++;
      if (meetsMarked && passedOverAt[job] === heartbeat) continue;
      if (this.findTask(job, pool, node)) return job;
      visited[this.visitedCount++] = job;
    }
    return -1;
  }

  /** True: `job` was met. */
  private listIn(ranking: Ranking, parent: number, job: number): boolean {
    const { order, pools: config, visited } = this;
    const { items: pools, size } = order.poolsIn(ranking, parent);
    const { jobCountOf, firstJobOf, jobsOf } = ranking;
    for (let i = 0; i < size; i++) {
      const pool = pools[i];
      if (order.fullPools > 0 && order.isFull(pool)) continue;
      if (config.isTree && config.isInner(pool)) {
        if (this.listIn(ranking, pool, job)) return true;
        continue;
      }
      const jobs = jobCountOf[pool] === 1 ? firstJobOf : jobsOf[pool].items;
      const from = jobCountOf[pool] === 1 ? pool : 0;
      for (let k = from; k < from + jobCountOf[pool]; k++) {
        if (jobs[k] === job) return true;
        visited[this.visitedCount++] = jobs[k];
      }
    }
    return false;
  }

  /**
   * The map that the job may launch here; if there is none, or the node may not serve the job, notes how long the job
   * will wait.
   */
  private findTask(job: number, pool: number, node: number): boolean {
    const { source, levels, launcher } = this;
    // Most jobs must wait for their nodes, and this is none of them.
    const isNear = this.mayBeLocal && source.mayHaveLocalOf(job, node);
    const waits = !isNear && !this.exempts && levels.isNodeOnly(job) && !source.hasPlaceless(job);
    if (waits && this.marksPassedOver) this.passedOverAt[job] = this.heartbeat;
    if (!waits && (!launcher.isSelective || launcher.accepts(job, MAP, node))) {
      const goesAnywhere = source.hasPlaceless(job) || (this.exempts && this.isExempt(pool));
      this.task = source.pick(job, node, goesAnywhere ? OFF_RACK : levels.allowedLevel(job));
      if (this.task >= 0) return true;
    }
    const leavesNodeAt = levels.leavesNodeAt(job);
    if (leavesNodeAt < this.safeBelow) this.safeBelow = leavesNodeAt;
    return false;
  }
}
