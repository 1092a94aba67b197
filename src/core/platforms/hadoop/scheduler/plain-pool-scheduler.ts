import { MAP } from "../jobs/job-table.js";
import { NearestMaps } from "../jobs/map-source.js";
import { NODE_LOCAL } from "../jobs/nearness.js";
import type { LocalBits, PendingMaps } from "../jobs/pending-maps.js";
import { JOBS_AT_FIRST, widened } from "../../../kernel/index.js";
import type { WaitLevels } from "./locality-wait.js";
import type { PoolOrder, Ranking } from "./pool-order.js";
import { goesByDemand, PoolScheduler } from "./pool-scheduler.js";
import type { PoolSchedulerParts } from "./pool-state.js";
import { type Pools, TOP } from "./pools.js";
import type { Launcher } from "./scheduler.js";

const NONE = -1;

/** The scheduler of such parts: the plain one where nothing but order and wait decides, else the general one. */
export function poolScheduler(parts: PoolSchedulerParts): PoolScheduler {
  return isPlain(parts) ? new PlainPoolScheduler(parts) : new PoolScheduler(parts);
}

/**
 * Neither caps nor boosts, no node that refuses a job, no wait of jobs that have nothing to launch, maps that are found
 * by their places alone, and demands as of an update unless nothing goes by demands.
 */
function isPlain(parts: PoolSchedulerParts): boolean {
  const { tasksPerHeartbeat, capPerHeartbeat, maxDiff, weights, wait, launcher, source } = parts;
  const isUncapped = Math.min(...capPerHeartbeat, tasksPerHeartbeat) === Infinity && maxDiff === null;
  if (!isUncapped || weights.booster !== null || launcher.isSelective || wait.coversIdleJobs) return false;
  if (!(source instanceof NearestMaps) || !source.pending.isPlain) return false;
  return parts.updateIntervalUs > 0 || !goesByDemand(parts);
}

/**
 * The pool scheduler where nothing but the order and the wait decides who gets a slot: how a heartbeat is answered,
 * whole, from top to bottom (paper Algorithms 1 to 3). All rules are those of the general scheduler, called from here:
 * the keys of the order (`PoolOrder`), what a wait allows (`WaitLevels`), which map is next on a node (`PendingMaps`).
 * What is rare is left to the general one: reduces, pools at their max, exempt pools, pools in pools, weights that
 * changed between updates. A property in test/property/scheduler/plain-twin.test.ts holds both against each other.
 */
export class PlainPoolScheduler extends PoolScheduler {
  private readonly order: PoolOrder;
  private readonly ranking: Ranking;
  private readonly levels: WaitLevels;
  private readonly pending: PendingMaps;
  private readonly bits: LocalBits;
  private readonly pools: Pools;
  private readonly source: NearestMaps;
  private readonly launcher: Launcher;
  /**
   * A job that a search of the heartbeat passed over is not looked at again on that heartbeat: what it waits and what
   * is near it stay the same until the next one. Not where each search counts.
   */
  private readonly marksPassedOver: boolean;
  /** On which heartbeat, counted in `served`, a job was passed over. */
  private passedOverAt = new Float64Array(JOBS_AT_FIRST);
  private served = 0;
  /** What the search found: a map, how near its block; and the jobs that it passed over, in order. */
  private task = -1;
  private level: number = NODE_LOCAL;
  private visited = new Int32Array(JOBS_AT_FIRST);
  private visitedCount = 0;
  /** The least `leavesNodeAt` of the jobs that searches of the heartbeat passed over. */
  private safeBelow = Infinity;

  constructor(parts: PoolSchedulerParts) {
    super(parts);
    const source = parts.source as NearestMaps;
    this.pools = parts.pools;
    this.source = source;
    this.launcher = parts.launcher;
    this.order = this.state.candidates.order[MAP];
    this.ranking = this.order.waiting;
    this.levels = parts.wait.levels;
    this.pending = source.pending;
    this.bits = source.pending.bits;
    this.marksPassedOver = !parts.wait.countsEachSearch;
    // Once: see `widened`.
    this.passedOverAt = widened(this.passedOverAt);
    this.visited = widened(this.visited);
  }

  override heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { wait, counts, state } = this;
    counts.heartbeats++;
    this.nowUs = nowUs;
    if (freeMaps > 0 || wait.movedByReduceSlots) wait.begin(nowUs);
    const isRare = this.pools.isTree || !this.everybodyIsAsked(nowUs);
    if (isRare || (freeReduces > 0 && this.hasReduces())) return this.serve(node, nowUs, freeMaps, freeReduces);
    if (freeMaps === 0 || !state.isOpen(MAP)) return;
    if (!this.mapsWouldWait(node)) return this.serveMaps(node, freeMaps);
    wait.allPassedOver();
    counts.passedOver++;
  }

  /** Fills free map slots one by one, each with the first job in order that may launch here. */
  private serveMaps(node: number, freeMaps: number): void {
    const { wait, counts, launcher, state } = this;
    const { candidates } = state;
    const notes = this.marksPassedOver && freeMaps > 1;
    this.served++;
    this.safeBelow = Infinity;
    for (let left = freeMaps; ;) {
      counts.searches++;
      const job = this.findJob(node, notes);
      if (job < 0) {
        return wait.allPassedOver(this.safeBelow);
      }
      launcher.launchMap(job, this.task, node, this.level);
      // The order first: who launched the last map leaves it.
      candidates.launched(job, MAP);
      wait.passedOver(this.visited, this.visitedCount);
      wait.launched(job, this.level);
      candidates.settle(job, MAP);
      if (state.watches) this.updates.want(this.nowUs);
      if (--left === 0 || !state.isOpen(MAP)) return;
      // A pool is full now: the general form goes on.
      if (this.order.fullPools > 0) return this.serve(node, this.nowUs, left, 0);
      // The next search is known to visit everybody and to find nothing: as if it had been made.
      if (this.mapsWouldWait(node)) return wait.allPassedOver();
    }
  }

  /** Pools in order, in each its jobs in order: the first with a map that its wait allows here, or -1. */
  private findJob(node: number, notes: boolean): number {
    const visited = this.roomForVisited();
    const { ranking, levels, bits, passedOverAt, served } = this;
    const { jobCountOf, firstJobOf, jobsOf } = ranking;
    const { items: pools, size } = this.order.poolsIn(ranking, TOP);
    const { common } = levels;
    const mayBeNear = bits.hasAny(node);
    let visitedCount = 0;
    let looked = 0;
    let found = NONE;
    for (let i = 0; i < size && found < 0; i++) {
      const pool = pools[i];
      const count = jobCountOf[pool];
      const jobs = count === 1 ? firstJobOf : jobsOf[pool].items;
      const from = count === 1 ? pool : 0;
      for (let k = from; k < from + count; k++) {
        const job = jobs[k];
        looked++;
        if (notes && passedOverAt[job] === served) continue;
        const isNear = mayBeNear && bits.has(node, job);
        const leavesAt = levels.leavesNodeAt(job);
        if (
          (isNear && this.launchableOnNode(job, node)) ||
          (common >= leavesAt && this.launchableAnywhere(job, node))
        ) {
          found = job;
          break;
        }
        if (notes) passedOverAt[job] = served;
        if (leavesAt < this.safeBelow) this.safeBelow = leavesAt;
        visited[visitedCount++] = job;
      }
    }
    this.looked += looked;
    this.visitedCount = visitedCount;
    return found;
  }

  private launchableOnNode(job: number, node: number): boolean {
    this.task = this.pending.onNode(job, node);
    this.level = NODE_LOCAL;
    return this.task >= 0;
  }

  /** The nearest map that the job's wait allows. */
  private launchableAnywhere(job: number, node: number): boolean {
    const { source } = this;
    this.task = source.pick(job, node, this.levels.allowedLevel(job));
    this.level = source.level;
    return this.task >= 0;
  }

  private roomForVisited(): Int32Array {
    while (this.visited.length < this.ranking.size) this.visited = widened(this.visited);
    while (this.passedOverAt.length < this.parts.jobs.capacity) this.passedOverAt = widened(this.passedOverAt);
    return this.visited;
  }
}
