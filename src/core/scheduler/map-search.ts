import type { MapSource } from "../jobs/map-source.js";
import { MAP } from "../jobs/job-table.js";
import { OFF_RACK } from "../jobs/pending-maps.js";
import type { LocalityWait } from "./locality-wait.js";
import type { PoolOrder } from "./pool-order.js";
import type { Ranking } from "./ranking.js";
import { TOP } from "./pools.js";
import type { Launcher } from "./scheduler.js";

export interface MapSearchParts {
  readonly order: PoolOrder;
  readonly source: MapSource;
  readonly wait: LocalityWait;
  readonly launcher: Launcher;
  /** Other pools lie in it. */
  readonly isInner: (pool: number) => boolean;
  /** Jobs of the pool need not wait now. */
  readonly isExempt: (pool: number) => boolean;
}

/** Finds whose map a free slot gets. What the last search found is left in its fields. */
export class MapSearch {
  task = -1;
  /** The least `leavesAt` of the jobs with pending maps that the search met in vain. */
  safeBelow = Infinity;
  /** Some pool may be exempt from waiting. */
  exempts = false;
  /** Jobs with pending maps looked at, over all searches. */
  jobsVisited = 0;
  /** What `listVisited` found. */
  visited = new Int32Array(64);
  visitedCount = 0;

  constructor(private readonly parts: MapSearchParts) {}

  /** The first job in order that may launch a map on the node now, or -1. */
  findJob(node: number): number {
    this.safeBelow = Infinity;
    const { waiting } = this.parts.order;
    return this.findIn(waiting, TOP, node);
  }

  /**
   * Lists the jobs, with pending maps or without, that come before `job` in the order (-1: all of them), except in pools
   * at their max: those that a search visits in vain.
   */
  listVisited(job: number): void {
    const { all } = this.parts.order;
    if (this.visited.length < all.size) this.visited = new Int32Array(2 * all.size);
    this.visitedCount = 0;
    this.listIn(all, TOP, job);
  }

  private findIn(ranking: Ranking, parent: number, node: number): number {
    const { order, isInner } = this.parts;
    const { items: pools, size } = order.poolsIn(ranking, parent);
    const { jobCountOf, firstJobOf, jobsOf } = ranking;
    for (let i = 0; i < size; i++) {
      const pool = pools[i];
      if (order.fullPools > 0 && order.isFull(pool)) continue;
      if (isInner(pool)) {
        const job = this.findIn(ranking, pool, node);
        if (job >= 0) return job;
        continue;
      }
      const jobs = jobCountOf[pool] === 1 ? firstJobOf : jobsOf[pool].items;
      const from = jobCountOf[pool] === 1 ? pool : 0;
      for (let k = from; k < from + jobCountOf[pool]; k++) {
        this.jobsVisited++;
        if (this.findTask(jobs[k], pool, node)) return jobs[k];
      }
    }
    return -1;
  }

  /** True: `job` was met. */
  private listIn(ranking: Ranking, parent: number, job: number): boolean {
    const { order, isInner } = this.parts;
    const { items: pools, size } = order.poolsIn(ranking, parent);
    const { jobCountOf, firstJobOf, jobsOf } = ranking;
    const { visited } = this;
    for (let i = 0; i < size; i++) {
      const pool = pools[i];
      if (order.fullPools > 0 && order.isFull(pool)) continue;
      if (isInner(pool)) {
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
    const { source, wait, launcher, isExempt } = this.parts;
    if (!launcher.isSelective || launcher.accepts(job, MAP, node)) {
      const goesAnywhere = source.hasPlaceless(job) || (this.exempts && isExempt(pool));
      this.task = source.pick(job, node, goesAnywhere ? OFF_RACK : wait.allowedLevel(job));
      if (this.task >= 0) return true;
    }
    const leavesAt = wait.leavesAt(job);
    if (leavesAt < this.safeBelow) this.safeBelow = leavesAt;
    return false;
  }
}
