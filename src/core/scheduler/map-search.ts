import type { PendingMaps } from "../jobs/pending-maps.js";
import { NO_INPUT, NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "../jobs/pending-maps.js";
import type { LocalityWait } from "./locality-wait.js";
import type { PoolOrder } from "./pool-order.js";

/** Finds whose map a free slot gets. What the last search found is left in its fields. */
export class MapSearch {
  task = -1;
  /** How near its block the task would run: the search came to this level because the job has nothing nearer. */
  level = NODE_LOCAL;
  /** The least `leavesAt` of the jobs with pending maps that the search met in vain. */
  safeBelow = Infinity;
  /** Jobs with pending maps looked at, over all searches. */
  jobsVisited = 0;
  /** What `listVisited` found. */
  visited = new Int32Array(64);
  visitedCount = 0;

  constructor(
    private readonly order: PoolOrder,
    private readonly pending: PendingMaps,
    private readonly wait: LocalityWait,
    private readonly rackOf: Int32Array,
  ) {}

  /** The first job in order that may launch a map on the node now, or -1. */
  findJob(node: number): number {
    const { order } = this;
    const { jobCountOf, firstJobOf, jobsOf } = order.waiting;
    const { items: pools, size } = order.waiting.pools;
    this.safeBelow = Infinity;
    for (let i = 0; i < size; i++) {
      const pool = pools[i];
      if (order.fullPools > 0 && order.isFull(pool)) continue;
      const jobs = jobCountOf[pool] === 1 ? firstJobOf : jobsOf[pool].items;
      const from = jobCountOf[pool] === 1 ? pool : 0;
      for (let k = from; k < from + jobCountOf[pool]; k++) {
        this.jobsVisited++;
        if (this.findTask(jobs[k], node)) return jobs[k];
      }
    }
    return -1;
  }

  /**
   * Lists the jobs, with pending maps or without, that come before `job` in the order (-1: all of them), except in pools
   * at their max: those that a search visits in vain.
   */
  listVisited(job: number): void {
    const { order } = this;
    const { jobCountOf, firstJobOf, jobsOf } = order.all;
    const { items: pools, size } = order.all.pools;
    if (this.visited.length < order.all.size) this.visited = new Int32Array(2 * order.all.size);
    const { visited } = this;
    let count = 0;
    search: for (let i = 0; i < size; i++) {
      const pool = pools[i];
      if (order.fullPools > 0 && order.isFull(pool)) continue;
      const jobs = jobCountOf[pool] === 1 ? firstJobOf : jobsOf[pool].items;
      const from = jobCountOf[pool] === 1 ? pool : 0;
      for (let k = from; k < from + jobCountOf[pool]; k++) {
        if (jobs[k] === job) break search;
        visited[count++] = jobs[k];
      }
    }
    this.visitedCount = count;
  }

  /** The nearest pending map of the job within its allowed level; if there is none, notes how long it will wait. */
  private findTask(job: number, node: number): boolean {
    const { pending, wait } = this;
    this.level = NODE_LOCAL;
    this.task = pending.onNode(job, node);
    if (this.task >= 0) return true;
    const allowed = wait.allowedLevel(job);
    if (allowed >= RACK_LOCAL) {
      this.level = RACK_LOCAL;
      this.task = pending.inRack(job, this.rackOf[node]);
    }
    if (this.task < 0 && allowed >= OFF_RACK) {
      this.level = pending.hasInput(job) ? OFF_RACK : NO_INPUT;
      this.task = pending.anywhere(job);
    }
    if (this.task >= 0) return true;
    const leavesAt = wait.leavesAt(job);
    if (leavesAt < this.safeBelow) this.safeBelow = leavesAt;
    return false;
  }
}
