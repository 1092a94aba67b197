import { MAP, REDUCE, widened, type JobTable, type SlotType } from "../jobs/job-table.js";
import { OFF_RACK, RACK_LOCAL, type PendingMaps } from "../jobs/pending-maps.js";
import type { LocalityWait } from "./locality-wait.js";
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
  jobsVisited: number;
}

/**
 * Order x locality wait: FIFO, fair, delay and HFS are this scheduler with different pools, weights and waits.
 * A heartbeat is served slot by slot: pools in order, jobs of a pool in order, the first that may launch here does
 * (paper Algorithms 1 to 3; semantics section 8). Naive twin: test/support/naive-scheduler.ts.
 */
export class PoolScheduler implements Scheduler {
  readonly counts: OperationCounts = { heartbeats: 0, passedOver: 0, searches: 0, jobsVisited: 0 };
  private readonly order: [PoolOrder, PoolOrder];
  /** Entered in the order, per type. */
  private readonly entered: [boolean[], boolean[]] = [[], []];
  /** Runnable: RUNNING as of the last update. */
  private readonly runnable: boolean[] = [];
  private readonly runningTotal = [0, 0];
  /** Demand of each pool now, and of all pools as of the last update. */
  private readonly demandOf: [number[], number[]] = [[], []];
  private readonly demandTotal = [0, 0];
  private readonly capped: [number[], number[]] = [[], []];
  /** Pools whose demand changed, and jobs that turned RUNNING, since the last update. */
  private changedPools = new Int32Array(16);
  private readonly isChanged: boolean[] = [];
  private readonly turnedReady: number[] = [];
  /** Reduces count as demand: the job may start them. */
  private readonly reducesCount: boolean[] = [];
  private readonly enteredPending = [0, 0];
  private updateDueUs = Infinity;
  private foundTask = -1;
  /** Jobs that the last search visited in vain, where that is wanted; the least `leavesAt` of those with pending maps. */
  private visited = new Int32Array(64);
  private visitedCount = 0;
  private safeBelow = Infinity;
  /** Always fresh demands matter only to min shares. */
  private readonly refreshes: boolean;
  private changedCount = 0;

  constructor(private readonly parts: PoolSchedulerParts) {
    const { jobs, pools, weightOf } = parts;
    this.order = [new PoolOrder(MAP, jobs, pools, weightOf), new PoolOrder(REDUCE, jobs, pools, weightOf)];
    const promises = pools.minShare.some((shares) => shares.some((share) => share > 0));
    this.refreshes = promises && parts.updateIntervalUs === 0;
    this.adoptPools();
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
      this.changeDemand(job, type, -1);
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
    const { maxSlots } = this.parts.pools;
    for (let i = 0; i < this.changedCount; i++) {
      const pool = this.changedPools[i];
      this.isChanged[pool] = false;
      for (const type of [MAP, REDUCE] as const) {
        const demand = Math.min(this.demandOf[type][pool], maxSlots[type][pool]);
        this.demandTotal[type] += demand - this.capped[type][pool];
        this.capped[type][pool] = demand;
        this.order[type].demandChanged(pool, demand);
      }
    }
    this.changedCount = 0;
  }

  wantsMapSlots(): boolean {
    return this.isOpen(MAP) || this.parts.wait.hasMarks();
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
    if (this.refreshes && this.changedCount > 0) this.update();
    wait.begin(nowUs);
    let maps = freeMaps > 0 && this.isOpen(MAP);
    const reduces = freeReduces > 0 && this.hasReduces();
    if (maps && this.order[MAP].fullPools === 0 && this.mapsWouldWait(node)) {
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
    for (let left = this.parts.tasksPerHeartbeat; left > 0 && (maps > 0 || reduces > 0); left--) {
      if (maps > 0 && (mapsFirst || reduces === 0)) {
        if (this.serveMap(node)) maps = this.isOpen(MAP) ? maps - 1 : 0;
        else [maps, left] = [0, left + 1];
      } else if (this.serveReduce(node)) reduces = this.isOpen(REDUCE) ? reduces - 1 : 0;
      else [reduces, left] = [0, left + 1];
    }
  }

  private serveMap(node: number): boolean {
    const { jobs, pending, wait, launcher } = this.parts;
    this.counts.searches++;
    const job = this.findMap(node);
    if (job < 0) {
      const everybody = this.order[MAP].fullPools === 0;
      if (!everybody) this.listVisited(job);
      wait.foundNothing(everybody, this.visited, this.visitedCount, this.safeBelow);
      pending.bits.summarise(node);
      return false;
    }
    if (wait.listsVisits) this.listVisited(job);
    const level = launcher.launchMap(job, this.foundTask, node);
    this.launched(job, MAP);
    wait.launched(job, level, this.visited, this.visitedCount);
    if (jobs.pending[MAP][job] === 0) {
      this.order[MAP].stopWaiting(job);
      if (!wait.coversIdleJobs) this.leave(job, MAP);
    }
    return true;
  }

  /** The first job in order that may launch a map here, or -1; its task is left in `foundTask`. */
  private findMap(node: number): number {
    const order = this.order[MAP];
    const { jobCountOf, firstJobOf, jobsOf } = order.waiting;
    const { items: pools, size } = order.waiting.pools;
    this.safeBelow = Infinity;
    for (let i = 0; i < size; i++) {
      const pool = pools[i];
      if (order.fullPools > 0 && order.isFull(pool)) continue;
      const jobs = jobCountOf[pool] === 1 ? firstJobOf : jobsOf[pool].items;
      const from = jobCountOf[pool] === 1 ? pool : 0;
      for (let k = from; k < from + jobCountOf[pool]; k++) {
        this.counts.jobsVisited++;
        if (this.findTask(jobs[k], node)) return jobs[k];
      }
    }
    return -1;
  }

  /** Leaves in `visited` the jobs that a search visits before it comes to `job` (-1: all), those of full pools excepted. */
  private listVisited(job: number): void {
    const order = this.order[MAP];
    const { jobCountOf, firstJobOf, jobsOf } = order.all;
    const { items: pools, size } = order.all.pools;
    const visited = this.roomForVisits(order.all.size);
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

  private roomForVisits(jobs: number): Int32Array {
    if (this.visited.length < jobs) this.visited = new Int32Array(2 * jobs);
    return this.visited;
  }

  /** The nearest pending map of the job that it may launch on the node now; else notes how long it will wait. */
  private findTask(job: number, node: number): boolean {
    const { pending, rackOf, wait } = this.parts;
    this.foundTask = pending.onNode(job, node);
    if (this.foundTask >= 0) return true;
    const allowed = wait.allowedLevel(job);
    if (allowed >= RACK_LOCAL) this.foundTask = pending.inRack(job, rackOf[node]);
    if (this.foundTask < 0 && allowed >= OFF_RACK) this.foundTask = pending.anywhere(job);
    if (this.foundTask >= 0) return true;
    const leavesAt = wait.leavesAt(job);
    if (leavesAt < this.safeBelow) this.safeBelow = leavesAt;
    return false;
  }

  private serveReduce(node: number): boolean {
    const order = this.order[REDUCE];
    const { pools, firstJobOf } = order.waiting;
    this.counts.searches++;
    for (let i = 0; i < pools.size; i++) {
      if (order.fullPools > 0 && order.isFull(pools.items[i])) continue;
      const job = firstJobOf[pools.items[i]];
      this.counts.jobsVisited++;
      this.parts.launcher.launchReduce(job, node);
      this.launched(job, REDUCE);
      if (this.parts.jobs.pending[REDUCE][job] === 0) {
        order.stopWaiting(job);
        this.leave(job, REDUCE);
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
    return this.runningTotal[type] !== this.demandTotal[type];
  }

  private makeReadyRunnable(): void {
    for (const job of this.turnedReady) {
      this.runnable[job] = true;
      this.reducesCount[job] = false;
      this.changeDemand(job, MAP, this.parts.jobs.pending[MAP][job]);
      this.reconsider(job);
    }
    this.turnedReady.length = 0;
  }

  private changeDemand(job: number, type: SlotType, by: number): void {
    const pool = this.parts.jobs.pool[job];
    this.demandOf[type][pool] += by;
    if (this.isChanged[pool]) return;
    this.isChanged[pool] = true;
    if (this.changedCount === this.changedPools.length) this.changedPools = widened(this.changedPools);
    this.changedPools[this.changedCount++] = pool;
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
    this.changeDemand(job, REDUCE, jobs.pending[REDUCE][job]);
    this.enter(job, REDUCE);
  }

  private enter(job: number, type: SlotType): void {
    this.entered[type][job] = true;
    this.enteredPending[type] += this.parts.jobs.pending[type][job];
    this.order[type].enter(job);
  }

  private leave(job: number, type: SlotType): void {
    this.entered[type][job] = false;
    this.enteredPending[type] -= this.parts.jobs.pending[type][job];
    this.order[type].leave(job, this.waits(job, type));
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
    for (let pool = this.isChanged.length; pool < this.parts.pools.size; pool++) {
      this.isChanged.push(false);
      for (const type of [MAP, REDUCE] as const) {
        this.demandOf[type].push(0);
        this.capped[type].push(0);
      }
    }
    this.order[MAP].adoptPools();
    this.order[REDUCE].adoptPools();
  }
}
