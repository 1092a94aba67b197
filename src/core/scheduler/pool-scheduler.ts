import { MAP, REDUCE, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { PendingMaps } from "../jobs/pending-maps.js";
import { Demands } from "./demands.js";
import type { LocalityWait } from "./locality-wait.js";
import { MapSearch } from "./map-search.js";
import { PoolOrder, type JobWeight } from "./pool-order.js";
import type { Pools } from "./pools.js";
import type { Launcher, Scheduler } from "./scheduler.js";

export interface PoolSchedulerParts {
  readonly jobs: JobTable;
  readonly pending: PendingMaps;
  readonly rackOf: Int32Array;
  readonly pools: Pools;
  readonly wait: LocalityWait;
  readonly weightOf: JobWeight;
  readonly launcher: Launcher;
  readonly tasksPerHeartbeat: number;
  /** Demands are as of the last update, at multiples of it; 0: always fresh. */
  readonly updateIntervalUs: number;
}

/** Operation counts: what the scheduler did, for tests of cost and for reports. */
export interface OperationCounts {
  heartbeats: number;
  /** Heartbeats settled without looking at any job. */
  passedOver: number;
  searches: number;
}

/**
 * Order x locality wait: FIFO, fair, delay and HFS are this scheduler with different pools, weights and waits.
 * A heartbeat is served slot by slot: pools in order, jobs of a pool in order, the first that may launch here does
 * (paper Algorithms 1 to 3; semantics section 8). Naive twin: test/support/naive-scheduler.ts.
 */
export class PoolScheduler implements Scheduler {
  readonly counts: OperationCounts = { heartbeats: 0, passedOver: 0, searches: 0 };
  private readonly order: [PoolOrder, PoolOrder];
  /** Entered in the order, per type. */
  private readonly entered: [boolean[], boolean[]] = [[], []];
  /** Runnable: RUNNING as of the last update. */
  private readonly runnable: boolean[] = [];
  private readonly runningTotal = [0, 0];
  private readonly demands: Demands;
  private readonly search: MapSearch;
  /** Jobs that turned RUNNING since the last update. */
  private readonly turnedReady: number[] = [];
  /** Reduces count as demand: the job may start them. */
  private readonly reducesCount: boolean[] = [];
  private readonly enteredPending = [0, 0];
  private updateDueUs = Infinity;
  /** Always fresh demands matter only to min shares. */
  private readonly refreshes: boolean;

  constructor(private readonly parts: PoolSchedulerParts) {
    const { jobs, pools, weightOf } = parts;
    this.order = [
      new PoolOrder(MAP, jobs, pools, weightOf, parts.wait.coversIdleJobs),
      new PoolOrder(REDUCE, jobs, pools, weightOf, false),
    ];
    this.demands = new Demands(pools);
    this.search = new MapSearch(this.order[MAP], parts.pending, parts.wait, parts.rackOf);
    const promises = pools.minShare.some((shares) => shares.some((share) => share > 0));
    this.refreshes = promises && parts.updateIntervalUs === 0;
    this.adoptPools();
  }

  /** Jobs with pending maps that searches looked at. */
  get jobsVisited(): number {
    return this.search.jobsVisited;
  }

  jobAdded(job: number): void {
    if (this.parts.pools.size > this.order[MAP].runningOf.length) this.adoptPools();
    this.runnable[job] = false;
    this.entered[MAP][job] = false;
    this.entered[REDUCE][job] = false;
    this.parts.wait.add(job, this.parts.jobs.firstBlock[job] < 0);
    if (this.parts.updateIntervalUs > 0) this.update();
  }

  jobReady(job: number, nowUs: number): void {
    this.turnedReady.push(job);
    if (this.parts.updateIntervalUs === 0) this.makeReadyRunnable();
    else this.wantUpdate(nowUs);
  }

  jobRemoved(job: number): void {
    this.runnable[job] = false;
    for (const type of [MAP, REDUCE] as const) if (this.entered[type][job]) this.leave(job, type);
    this.parts.wait.drop(job);
  }

  attemptEnded(job: number, type: SlotType, nowUs: number): void {
    this.runningTotal[type]--;
    this.order[type].runningChanged(job, -1, this.entered[type][job], this.waits(job, type));
    if (this.runnable[job]) {
      this.demands.change(this.parts.jobs.pool[job], type, -1);
      this.reconsider(job);
    }
    this.wantUpdate(nowUs);
  }

  nextUpdateUs(): number {
    return this.updateDueUs;
  }

  /** Makes jobs runnable that turned RUNNING and takes the demands anew (semantics section 3). */
  update(): void {
    this.updateDueUs = Infinity;
    if (this.turnedReady.length > 0) this.makeReadyRunnable();
    this.demands.update(this.order);
  }

  wantsMapSlots(): boolean {
    if (this.parts.wait.hasMarks()) return true;
    return this.isOpen(MAP) && (this.enteredPending[MAP] > 0 || this.parts.wait.coversIdleJobs);
  }

  wantsReduceSlots(): boolean {
    return this.hasReduces() || this.parts.wait.hasMarks();
  }

  hasReduces(): boolean {
    return this.enteredPending[REDUCE] > 0 && this.isOpen(REDUCE);
  }

  passOverRun(heartbeats: number, lastUs: number): boolean {
    if (!this.isOpen(MAP) || this.order[MAP].fullPools > 0) return false;
    if (!this.parts.wait.passOverRun(heartbeats, lastUs, this.enteredPending[MAP] === 0)) return false;
    this.counts.heartbeats += heartbeats;
    this.counts.passedOver += heartbeats;
    return true;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { wait } = this.parts;
    this.counts.heartbeats++;
    if (this.refreshes && this.demands.areStale) this.update();
    wait.begin(nowUs);
    let maps = freeMaps > 0 && this.isOpen(MAP);
    const reduces = freeReduces > 0 && this.hasReduces();
    // With a limit, reduces that go first may leave no search for maps.
    const mapsSearched = !reduces || this.parts.tasksPerHeartbeat === Infinity;
    if (maps && mapsSearched && this.order[MAP].fullPools === 0 && this.mapsWouldWait(node)) {
      wait.allPassedOver();
      maps = false;
      if (!reduces) this.counts.passedOver++;
    }
    if (maps || reduces) this.serve(node, maps ? freeMaps : 0, reduces ? freeReduces : 0);
  }

  /** A search for a map here is known to visit every entered job and to find nothing. */
  private mapsWouldWait(node: number): boolean {
    if (this.enteredPending[MAP] === 0) return true;
    return !this.parts.pending.bits.hasAny(node) && this.parts.wait.nobodyMayLeave();
  }

  /** Hands out tasks one by one until nothing more fits or is found. */
  private serve(node: number, freeMaps: number, freeReduces: number): void {
    const { launcher } = this.parts;
    const mapsFirst = launcher.runningOn(node, MAP) <= launcher.runningOn(node, REDUCE);
    let maps = freeMaps;
    let reduces = freeReduces;
    let left = this.parts.tasksPerHeartbeat;
    while (left > 0 && (maps > 0 || reduces > 0)) {
      if (maps > 0 && (mapsFirst || reduces === 0)) {
        const served = this.serveMap(node);
        maps = served && this.isOpen(MAP) ? maps - 1 : 0;
        if (served) left--;
      } else {
        const served = this.serveReduce(node);
        reduces = served && this.isOpen(REDUCE) ? reduces - 1 : 0;
        if (served) left--;
      }
    }
  }

  private serveMap(node: number): boolean {
    const { jobs, pending, wait, launcher } = this.parts;
    const { search } = this;
    this.counts.searches++;
    const job = search.findJob(node);
    if (job < 0) {
      const everybody = this.order[MAP].fullPools === 0;
      if (!everybody) search.listVisited(job);
      wait.foundNothing(everybody, search.visited, search.visitedCount, search.safeBelow);
      pending.bits.summarise(node);
      return false;
    }
    if (wait.listsVisits) search.listVisited(job);
    launcher.launchMap(job, search.task, node, search.level);
    this.launched(job, MAP);
    wait.launched(job, search.level, search.visited, search.visitedCount);
    if (jobs.pending[MAP][job] === 0) {
      this.order[MAP].stopWaiting(job);
      if (!wait.coversIdleJobs) this.forget(job, MAP);
    }
    return true;
  }

  private serveReduce(node: number): boolean {
    const order = this.order[REDUCE];
    const { pools, firstJobOf } = order.waiting;
    this.counts.searches++;
    for (let i = 0; i < pools.size; i++) {
      if (order.fullPools > 0 && order.isFull(pools.items[i])) continue;
      const job = firstJobOf[pools.items[i]];
      this.parts.launcher.launchReduce(job, node);
      this.launched(job, REDUCE);
      if (this.parts.jobs.pending[REDUCE][job] === 0) {
        order.stopWaiting(job);
        this.forget(job, REDUCE);
      }
      return true;
    }
    return false;
  }

  private launched(job: number, type: SlotType): void {
    this.runningTotal[type]++;
    this.enteredPending[type]--;
    this.order[type].runningChanged(job, 1, true, true);
  }

  /**
   * Tasks of the type may be handed out. With cached demands this is Hadoop's test that running and demand differ,
   * which may be stale; with fresh ones it is whether anything is pending.
   */
  private isOpen(type: SlotType): boolean {
    if (this.parts.updateIntervalUs === 0) return this.enteredPending[type] > 0;
    return this.runningTotal[type] !== this.demands.total[type];
  }

  private makeReadyRunnable(): void {
    for (const job of this.turnedReady) {
      this.runnable[job] = true;
      this.reducesCount[job] = false;
      this.demands.change(this.parts.jobs.pool[job], MAP, this.parts.jobs.pending[MAP][job]);
      this.reconsider(job);
    }
    this.turnedReady.length = 0;
  }

  /** Enters a runnable job where it now belongs. */
  private reconsider(job: number): void {
    const { jobs, wait } = this.parts;
    if (!this.entered[MAP][job] && (wait.coversIdleJobs || jobs.pending[MAP][job] > 0)) {
      this.enter(job, MAP);
      wait.enter(job);
    }
    if (this.reducesCount[job] || jobs.total[REDUCE][job] === 0 || !jobs.reducesMayStart(job)) return;
    this.reducesCount[job] = true;
    this.demands.change(this.parts.jobs.pool[job], REDUCE, jobs.pending[REDUCE][job]);
    this.enter(job, REDUCE);
  }

  private enter(job: number, type: SlotType): void {
    this.entered[type][job] = true;
    this.enteredPending[type] += this.parts.jobs.pending[type][job];
    this.order[type].enter(job);
  }

  private leave(job: number, type: SlotType): void {
    this.enteredPending[type] -= this.parts.jobs.pending[type][job];
    this.order[type].leave(job, this.waits(job, type));
    this.forget(job, type);
  }

  /** The order no longer has the job. */
  private forget(job: number, type: SlotType): void {
    this.entered[type][job] = false;
    if (type === MAP) this.parts.wait.leave(job);
  }

  private wantUpdate(nowUs: number): void {
    const interval = this.parts.updateIntervalUs;
    if (interval > 0 && this.updateDueUs === Infinity) this.updateDueUs = (Math.floor(nowUs / interval) + 1) * interval;
  }

  private waits(job: number, type: SlotType): boolean {
    return this.parts.jobs.pending[type][job] > 0;
  }

  private adoptPools(): void {
    this.demands.adoptPools();
    this.order[MAP].adoptPools();
    this.order[REDUCE].adoptPools();
  }
}
