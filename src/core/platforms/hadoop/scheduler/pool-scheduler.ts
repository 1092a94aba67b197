import { MAP, REDUCE, RUNNING, type SlotType } from "../jobs/job-table.js";
import type { MapSource } from "../jobs/map-source.js";
import { OFF_RACK } from "../jobs/nearness.js";
import { DOUBLE_ZERO, JOBS_AT_FIRST, widened } from "../../../kernel/index.js";
import type { AllocationsSpec } from "../../../scenario/index.js";
import type { LocalityWait, WaitLevels } from "./locality-wait.js";
import type { PoolOrder } from "./pool-order.js";
import { PoolState, UpdateTimes } from "./pool-state.js";
import { type Pools, TOP } from "./pools.js";
import type { Rules } from "./rules.js";
import type { Launcher, OperationCounts, PoolSchedulerParts, Scheduler } from "./scheduler.js";

/**
 * Order x locality wait x pools: FIFO, fair, delay and HFS are this scheduler with different pools, weights, waits and
 * rules. A heartbeat is served slot by slot: pools in order, jobs of a pool in order, the first that may launch here
 * does (paper Algorithms 1 to 3; semantics section 8). Naive twin: test/support/naive-scheduler.ts.
 */
export class PoolScheduler implements Scheduler {
  readonly counts: OperationCounts = { heartbeats: 0, passedOver: 0, searches: 0, updates: 0 };
  readonly state: PoolState;
  protected readonly launcher: Launcher;
  protected nowUs = DOUBLE_ZERO;
  /** The map that `serveMap` launched last was `MapSource.isListedNear`. */
  protected servedNear = false;
  private readonly updates: UpdateTimes;
  private readonly search: MapSearch;
  private readonly source: MapSource;
  readonly wait: LocalityWait;
  /** Nothing caps what a heartbeat hands out but the free slots. */
  private readonly isUncapped: boolean;
  /** No pool is exempt from waiting before the first update after this instant. */
  private noneExemptUntilUs: number;
  /** Always fresh demands matter only where something goes by them. */
  private readonly refreshes: boolean;
  private readonly hasBoosts: boolean;

  constructor(protected readonly parts: PoolSchedulerParts) {
    const { source, wait, launcher, maxDiff, updateIntervalUs } = parts;
    this.state = new PoolState(parts);
    this.updates = new UpdateTimes(updateIntervalUs);
    const { state } = this;
    this.search = new MapSearch(parts, state.candidates.order[MAP], (pool) =>
      state.starvation.isExempt(pool, this.nowUs),
    );
    this.source = source;
    this.wait = wait;
    this.launcher = launcher;
    this.isUncapped = Math.min(...parts.capPerHeartbeat, parts.tasksPerHeartbeat) === Infinity && maxDiff === null;
    this.refreshes = goesByDemand(parts) && updateIntervalUs === 0;
    this.noneExemptUntilUs = state.starvation.noneExemptUntilUs;
    this.hasBoosts = parts.weights.booster !== null;
  }

  /** Jobs with pending maps that searches looked at. */
  get jobsVisited(): number {
    return this.search.jobsVisited;
  }

  get preemptions(): PoolState["preemption"]["counts"] {
    return this.state.preemption.counts;
  }

  jobAdded(job: number, nowUs: number): void {
    this.state.addJob(job, nowUs);
    if (this.parts.updateIntervalUs > 0) this.takeUpdate(nowUs, true);
    else this.decide();
    if (this.parts.rules.eagerInit && this.parts.jobs.state[job] !== RUNNING) this.parts.launcher.initialise(job);
  }

  jobReady(job: number, nowUs: number): void {
    this.state.runnability.turnedReady(job);
    this.decideSoon(nowUs);
  }

  jobRemoved(job: number, nowUs: number): void {
    this.state.removeJob(job);
    this.decideSoon(nowUs);
  }

  attemptLeft(job: number, type: SlotType, requeued: boolean, nowUs: number): void {
    this.state.attemptLeft(job, type, requeued);
    this.updates.want(nowUs);
  }

  pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    this.state.pendingChanged(job, type, change);
    this.updates.want(nowUs);
  }

  slotsChanged(maps: number, reduces: number, nowUs: number): void {
    this.state.slotsNow = [maps, reduces];
    if (this.parts.updateIntervalUs === 0) this.state.takeSlots();
    else this.updates.want(nowUs);
  }

  nextUpdateUs(): number {
    return this.updates.dueUs;
  }

  /** In the order of semantics section 3: runnable jobs, demands, then the clocks of starved pools. */
  update(nowUs: number): void {
    this.takeUpdate(nowUs, false);
  }

  private takeUpdate(nowUs: number, isExtra: boolean): void {
    this.counts.updates++;
    this.state.update(nowUs, isExtra);
    this.noneExemptUntilUs = this.state.starvation.noneExemptUntilUs;
    this.updates.dueUs = this.state.preemption.nextCheckUs(nowUs);
    this.initialiseAdmitted();
  }

  checkPreemption(nowUs: number): void {
    this.state.preemption.check(nowUs);
  }

  reload(allocations: AllocationsSpec, nowUs: number): void {
    this.state.reload(allocations, nowUs);
    this.noneExemptUntilUs = this.state.starvation.noneExemptUntilUs;
  }

  wantsMapSlots(): boolean {
    if (this.wait.hasMarks()) return true;
    // Idle jobs are visited as long as there are any.
    return this.state.candidates.order[MAP].ranked.size > 0 && this.state.isOpen(MAP);
  }

  wantsReduceSlots(): boolean {
    return this.hasReduces() || (this.wait.movedByReduceSlots && this.wait.hasMarks());
  }

  hasReduces(): boolean {
    return this.state.candidates.pending[REDUCE] > 0 && this.state.isOpen(REDUCE);
  }

  skipHeartbeats(heartbeats: number, firstUs: number, lastUs: number): boolean {
    if (!this.state.isOpen(MAP) || !this.searchVisitsAll(lastUs)) return false;
    if (this.mayRefuseMaps() || (this.refreshes && this.state.demands.areStale)) return false;
    const nothingPending = this.state.candidates.pending[MAP] === 0;
    if (!this.wait.skipHeartbeats(heartbeats, firstUs, lastUs, nothingPending)) return false;
    this.counts.heartbeats += heartbeats;
    this.counts.passedOver += heartbeats;
    return true;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { wait } = this;
    this.counts.heartbeats++;
    this.nowUs = nowUs;
    if (this.refreshes && this.state.demands.areStale) this.state.update(nowUs, false);
    if (this.hasBoosts) this.state.endBoosts(nowUs);
    if (freeMaps > 0 || wait.movedByReduceSlots) wait.begin(nowUs);
    let maps = freeMaps > 0 && this.state.isOpen(MAP) && this.allows(node, MAP, 0);
    const reduces = freeReduces > 0 && this.hasReduces() && this.allows(node, REDUCE, 0);
    // With a limit, reduces that go first may leave no search for maps.
    const mapsSearched = !reduces || this.parts.tasksPerHeartbeat === Infinity;
    if (maps && mapsSearched && this.searchVisitsAll(nowUs) && this.mapsWouldWait(node)) {
      wait.allPassedOver();
      maps = false;
      if (!reduces) this.counts.passedOver++;
    }
    if (!maps && !reduces) return;
    this.search.exempts = nowUs > this.noneExemptUntilUs;
    this.search.begin(maps ? freeMaps : 0);
    this.serve(node, maps ? freeMaps : 0, reduces ? freeReduces : 0);
  }

  /** A search for a map visits every candidate job, by the rules of waiting alone. */
  private searchVisitsAll(nowUs: number): boolean {
    const { candidates, notesVisits: notesAsked } = this.state;
    return candidates.order[MAP].fullPools === 0 && !notesAsked && nowUs <= this.noneExemptUntilUs;
  }

  /** A search for a map here is known to visit every candidate job and to find nothing. */
  private mapsWouldWait(node: number): boolean {
    if (this.state.candidates.pending[MAP] === 0) return true;
    return !this.parts.source.mayHaveLocal(node) && this.wait.levels.noneMayLeave();
  }

  /** Decides which jobs are runnable: where demands are always fresh, so are the runnable jobs. */
  private decide(): void {
    this.state.runnability.decide();
    this.initialiseAdmitted();
  }

  private decideSoon(nowUs: number): void {
    if (this.parts.updateIntervalUs === 0) this.decide();
    else this.updates.want(nowUs);
  }

  private initialiseAdmitted(): void {
    const { toInitialise } = this.state.runnability;
    if (toInitialise.length === 0) return;
    for (const job of toInitialise.splice(0)) this.parts.launcher.initialise(job);
  }

  /**
   * The load cap lets the node have another task of the type; `handedOut`: tasks of it that this heartbeat has handed
   * out.
   */
  protected allows(node: number, type: SlotType, handedOut: number): boolean {
    const { maxDiff, countsThisHeartbeat } = this.parts;
    if (maxDiff === null) return true;
    const { launcher, state } = this;
    const running = launcher.reportedOn(node, type) + (countsThisHeartbeat ? handedOut : 0);
    return mayTakeAnother(running, launcher.slotsOf(node, type), maxDiff, state.demands.total[type], state.slots[type]);
  }

  /** The load cap may keep a node from a map. Without slots as of the last update, it refuses all that came since. */
  protected mayRefuseMaps(): boolean {
    const { maxDiff } = this.parts;
    const { slots, demands } = this.state;
    return maxDiff !== null && (slots[MAP] === 0 || Math.fround(maxDiff) + demands.total[MAP] / slots[MAP] < 1);
  }

  /** Hands out tasks one by one until nothing more fits or is found (semantics section 8, step 3). */
  protected serve(node: number, freeMaps: number, freeReduces: number): void {
    if (!this.isUncapped) this.serveBoth(node, this.limit(MAP, freeMaps), this.limit(REDUCE, freeReduces));
    else if (freeReduces > 0) this.serveBoth(node, freeMaps, freeReduces);
    else for (let slotsLeft = freeMaps; slotsLeft > 0 && this.serveMap(node) && this.state.isOpen(MAP);) slotsLeft--;
  }

  private limit(type: SlotType, free: number): number {
    const { rules, tasksPerHeartbeat, capPerHeartbeat } = this.parts;
    return free === 0 ? 0 : Math.min(free, mostOfType(rules, capPerHeartbeat[type], free, tasksPerHeartbeat));
  }

  private serveBoth(node: number, freeMaps: number, freeReduces: number): void {
    let maps = freeMaps;
    let reduces = freeReduces;
    let budget = this.parts.tasksPerHeartbeat;
    let givenMaps = 0;
    let givenReduces = 0;
    while (budget > 0 && (maps > 0 || reduces > 0)) {
      if (maps > 0 && (reduces === 0 || this.mapGoesFirst(node, givenMaps, givenReduces))) {
        const served = this.serveMap(node);
        if (served) givenMaps++;
        maps = served && this.state.isOpen(MAP) && this.allows(node, MAP, givenMaps) ? maps - 1 : 0;
        if (served) budget--;
      } else {
        const served = this.serveReduce(node);
        if (served) givenReduces++;
        reduces = served && this.state.isOpen(REDUCE) && this.allows(node, REDUCE, givenReduces) ? reduces - 1 : 0;
        if (served) budget--;
      }
    }
  }

  private mapGoesFirst(node: number, givenMaps: number, givenReduces: number): boolean {
    const { launcher, countsThisHeartbeat } = this.parts;
    const maps = launcher.reportedOn(node, MAP) + (countsThisHeartbeat ? givenMaps : 0);
    return maps <= launcher.reportedOn(node, REDUCE) + (countsThisHeartbeat ? givenReduces : 0);
  }

  protected serveMap(node: number): boolean {
    const { source, wait, search, state } = this;
    this.counts.searches++;
    const job = search.findJob(node);
    if (state.notesVisits) state.noteVisits(MAP, job);
    if (job < 0) {
      if (state.candidates.order[MAP].fullPools === 0) wait.allPassedOver(search.safeBelow);
      else wait.passedOver(search.visited, search.visitedCount);
      return false;
    }
    const { level } = source;
    this.servedNear = source.isListedNear;
    this.launcher.launchMap(job, search.task, node, level);
    state.candidates.launched(job, MAP);
    wait.passedOver(search.visited, search.visitedCount);
    wait.launched(job, level);
    state.candidates.settle(job, MAP);
    if (state.watches) this.updates.want(this.nowUs);
    return true;
  }

  protected serveReduce(node: number): boolean {
    const { state } = this;
    this.counts.searches++;
    const job = state.candidates.firstReducer(node);
    if (state.notesVisits) state.noteVisits(REDUCE, job);
    if (job < 0) return false;
    this.launcher.launchReduce(job, node);
    state.candidates.launched(job, REDUCE);
    state.candidates.settle(job, REDUCE);
    if (state.watches) this.updates.want(this.nowUs);
    return true;
  }
}

/** True: the scheduler uses demands, for promised slots, the load cap or weights by size. */
function goesByDemand({ allAllocations, maxDiff, weights }: PoolSchedulerParts): boolean {
  const promises = allAllocations.some(({ pools }) => pools.some((p) => p.minMaps + p.minReduces > 0));
  return promises || maxDiff !== null || weights.bySize;
}

/**
 * Finds the job whose map gets a free slot; the fields keep the result of the last search. A job that must wait for its
 * nodes, and has no data on this one, cannot launch in a later search of the same heartbeat either, so later searches
 * pass over it. The same search without indexes: `assign` in test/support/naive-scheduler.ts.
 */
class MapSearch {
  task = -1;
  /** The least `leavesNodeAt` of the jobs with pending maps that searches of the heartbeat passed over. */
  safeBelow = Infinity;
  /** Some pool may be exempt from waiting. */
  exempts = false;
  /** Jobs with pending maps looked at, over all searches. */
  jobsVisited = 0;
  /**
   * The jobs that the last search visited and did not choose, without those that it skipped because an earlier search
   * of the heartbeat had passed over them.
   */
  visited = new Int32Array(2 * JOBS_AT_FIRST);
  visitedCount = 0;
  private readonly pools: Pools;
  private readonly source: MapSource;
  private readonly levels: WaitLevels;
  private readonly launcher: Launcher;
  /** Jobs without pending maps are ranked, too. */
  private readonly visitsIdleJobs: boolean;
  private readonly passesOver: boolean;
  /** The node may have a map near its block for some job. */
  private mayBeLocal = true;
  /** Later searches of the heartbeat may follow; earlier ones came before. */
  private marksPassedOver = false;
  private meetsMarked = false;
  /** By job: the heartbeat, counted in `heartbeat`, on which it last had to wait and was passed over. */
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
    this.visitsIdleJobs = parts.wait.coversIdleJobs;
    this.passesOver = !parts.wait.countsEachSearch && !parts.source.launchesBringNear;
  }

  /** A heartbeat of a node begins, with searches for at most `slots` of its slots. */
  begin(slots: number): void {
    this.heartbeat++;
    this.safeBelow = Infinity;
    this.marksPassedOver = this.passesOver && slots > 1;
    this.meetsMarked = false;
  }

  /** The first job in order that may launch a map on the node now, or -1. */
  findJob(node: number): number {
    const { ranked } = this.order;
    this.visitedCount = 0;
    this.mayBeLocal = this.source.mayHaveLocal(node);
    if (this.visited.length < ranked.size) this.visited = new Int32Array(2 * ranked.size);
    while (this.passedOverAt.length < this.parts.jobs.capacity) this.passedOverAt = widened(this.passedOverAt);
    const job = this.findIn(TOP, node);
    this.meetsMarked = this.marksPassedOver;
    return job;
  }

  private findIn(parent: number, node: number): number {
    const { order, pools: config } = this;
    const { items: pools, size } = order.poolsIn(parent);
    const { jobCountOf, firstJobOf, jobsOf } = order.ranked;
    for (let i = 0; i < size; i++) {
      const pool = pools[i];
      if (order.fullPools > 0 && order.isFull(pool)) continue;
      const count = jobCountOf[pool];
      const job =
        config.isTree && config.isInner(pool)
          ? this.findIn(pool, node)
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
      if (!this.visitsIdleJobs || this.parts.jobs.pending[MAP][job] > 0) {
        this.jobsVisited++;
        if (meetsMarked && passedOverAt[job] === heartbeat) continue;
        if (this.findTask(job, pool, node)) return job;
      }
      visited[this.visitedCount++] = job;
    }
    return -1;
  }

  /**
   * The map that the job may launch here; if there is none, or the node may not serve the job, notes how long the job
   * will wait.
   */
  private findTask(job: number, pool: number, node: number): boolean {
    const { source, levels, launcher } = this;
    // Most jobs must wait for their nodes, and this node is none of those.
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

/**
 * Returns the maximum number of tasks of a type that a node with `slots` slots may run under the cap-based load
 * manager, given the demand of all pools and the slots of the cluster: ceil(slots * min(1, maxDiff + demand /
 * totalSlots)). `maxDiff` is a single-precision number: 5 slots at load 0.2 + 0.2 give 3, not 2. A cluster without
 * slots of the type has a cap of 0 (semantics section 8.1).
 */
export function loadCap(slots: number, maxDiff: number, demand: number, totalSlots: number): number {
  if (totalSlots === 0) return 0;
  return Math.ceil(slots * Math.min(1, Math.fround(maxDiff) + demand / totalSlots));
}

/**
 * The load manager lets the node have another task of the type. `running` is what the node reported, and from Hadoop
 * 1.2 on what this heartbeat has handed out besides.
 */
export function mayTakeAnother(
  running: number,
  slots: number,
  maxDiff: number,
  demand: number,
  totalSlots: number,
): boolean {
  return running < loadCap(slots, maxDiff, demand, totalSlots);
}

/**
 * Returns the maximum number of tasks of one type that a heartbeat hands out (L of semantics section 8). With one task
 * per heartbeat it is 1, whatever is free: the load manager and the demand still have their say. Otherwise it is the
 * free slots, or `cap` (Infinity: none is set), which before 1.2 holds even above the free slots.
 */
export function mostOfType(rules: Rules, cap: number, freeSlots: number, tasksPerHeartbeat: number): number {
  if (tasksPerHeartbeat === 1) return 1;
  if (cap === Infinity) return freeSlots;
  return rules.capsToFreeSlots ? Math.min(cap, freeSlots) : cap;
}
