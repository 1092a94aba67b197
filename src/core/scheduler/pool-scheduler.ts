import { MAP, REDUCE, RUNNING, type SlotType } from "../jobs/job-table.js";
import type { AllocationsSpec } from "../scenario/scenario.js";
import type { PoolSchedulerParts } from "./parts.js";
import { mostOfType } from "./heartbeat-caps.js";
import { LoadCap } from "./load-cap.js";
import { MapSearch } from "./map-search.js";
import type { LocalityWait } from "./locality-wait.js";
import type { OperationCounts } from "./operation-counts.js";
import { PoolState } from "./pool-state.js";
import type { Scheduler } from "./scheduler.js";
import { SchedulerView } from "./scheduler-view.js";
import { UpdateTimes } from "./update-times.js";

/**
 * Order x locality wait x pools: FIFO, fair, delay and HFS are this scheduler with different pools, weights, waits and
 * rules. A heartbeat is served slot by slot: pools in order, jobs of a pool in order, the first that may launch here does
 * (paper Algorithms 1 to 3; semantics section 8). Naive twin: test/support/naive-scheduler.ts.
 */
export class PoolScheduler implements Scheduler {
  readonly counts: OperationCounts = { heartbeats: 0, passedOver: 0, searches: 0, updates: 0 };
  readonly view: SchedulerView;
  private readonly state: PoolState;
  private readonly search: MapSearch;
  private readonly loadCap: LoadCap;
  private readonly updates: UpdateTimes;
  /** No pool is exempt from waiting before the first update after this instant. */
  private noneExemptUntilUs: number;
  /** Always fresh demands matter only where something goes by them. */
  private readonly refreshes: boolean;
  private readonly demandsAreFresh: boolean;
  private readonly hasBoosts: boolean;
  /** Heartbeats are served without any cap but the free slots. */
  private readonly isUncapped: boolean;
  private readonly wait: LocalityWait;
  private nowUs = 0;

  constructor(private readonly parts: PoolSchedulerParts) {
    this.state = new PoolState(parts);
    this.updates = new UpdateTimes(parts.updateIntervalUs);
    const { state } = this;
    this.view = new SchedulerView(parts, state);
    this.search = new MapSearch({
      order: state.entered.order[MAP],
      source: parts.source,
      wait: parts.wait,
      launcher: parts.launcher,
      pools: parts.pools,
      isExempt: (pool) => state.starvation.isExempt(pool, this.nowUs),
    });
    this.loadCap = new LoadCap({ ...parts, slots: state.slots, demand: state.demands.total });
    const promises = parts.allAllocations.some(({ pools }) => pools.some((p) => p.minMaps + p.minReduces > 0));
    const goesByDemand = promises || parts.maxDiff !== null || parts.weights.bySize;
    this.refreshes = goesByDemand && parts.updateIntervalUs === 0;
    this.noneExemptUntilUs = state.starvation.noneExemptUntilUs;
    this.wait = parts.wait;
    this.demandsAreFresh = parts.updateIntervalUs === 0;
    this.hasBoosts = parts.weights.booster !== null;
    const capped = Math.min(...parts.capPerHeartbeat, parts.tasksPerHeartbeat) < Infinity;
    this.isUncapped = !capped && parts.maxDiff === null;
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

  /** The job's state in the table turned OVER: it is asked no more, and the next update forgets it. */
  jobOver(job: number): void {
    this.state.endJob(job);
  }

  attemptEnded(job: number, type: SlotType, nowUs: number): void {
    this.state.attemptLeft(job, type, false);
    this.updates.want(nowUs);
  }

  attemptReturned(job: number, type: SlotType, nowUs: number): void {
    this.state.attemptLeft(job, type, true);
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

  setPriority(job: number, priority: number): void {
    this.state.setPriority(job, priority);
  }

  /** Moves a job, by handles; demands follow at the next update. */
  setPool(job: number, pool: number): void {
    this.state.setPool(job, pool);
  }

  setUser(job: number, user: number): void {
    this.parts.jobs.user[job] = user;
    this.state.runnability.changed();
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

  /** Takes demands anew and nothing else. */
  refreshDemand(): void {
    this.state.takeDemands();
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
    // Where idle jobs are asked, as long as there are any.
    return this.state.entered.order[MAP].all.size > 0 && this.isOpen(MAP);
  }

  wantsReduceSlots(): boolean {
    return this.hasReduces() || this.wait.hasMarks();
  }

  hasReduces(): boolean {
    return this.state.entered.pending[REDUCE] > 0 && this.isOpen(REDUCE);
  }

  passOverRun(heartbeats: number, lastUs: number): boolean {
    if (!this.isOpen(MAP) || !this.everybodyIsAsked(lastUs)) return false;
    if (!this.isUncapped && this.loadCap.mayRefuse(MAP)) return false;
    const nothingPending = this.state.entered.pending[MAP] === 0;
    if (!this.wait.passOverRun(heartbeats, lastUs, nothingPending)) return false;
    this.counts.heartbeats += heartbeats;
    this.counts.passedOver += heartbeats;
    return true;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { wait, isUncapped } = this;
    this.counts.heartbeats++;
    this.nowUs = nowUs;
    if (this.refreshes && this.state.demands.areStale) this.state.update(nowUs, false);
    if (this.hasBoosts) this.state.endBoosts(nowUs);
    wait.begin(nowUs);
    let maps = freeMaps > 0 && this.isOpen(MAP) && (isUncapped || this.loadCap.allows(node, MAP, 0));
    const reduces = freeReduces > 0 && this.hasReduces() && (isUncapped || this.loadCap.allows(node, REDUCE, 0));
    // With a limit, reduces that go first may leave no search for maps.
    const mapsSearched = !reduces || this.parts.tasksPerHeartbeat === Infinity;
    if (maps && mapsSearched && this.everybodyIsAsked(nowUs) && this.mapsWouldWait(node)) {
      wait.allPassedOver();
      maps = false;
      if (!reduces) this.counts.passedOver++;
    }
    if (!maps && !reduces) return;
    this.search.exempts = nowUs > this.noneExemptUntilUs;
    if (!isUncapped) {
      this.serve(node, maps ? this.limit(MAP, freeMaps) : 0, reduces ? this.limit(REDUCE, freeReduces) : 0);
    } else if (reduces) {
      this.serve(node, maps ? freeMaps : 0, freeReduces);
    } else {
      this.serveMaps(node, freeMaps);
    }
  }

  /** As `serve`, of maps alone and without a cap. */
  private serveMaps(node: number, free: number): void {
    for (let left = free; left > 0 && this.serveMap(node) && this.isOpen(MAP); ) left--;
  }

  /** A search for a map visits every entered job, by the rules of waiting alone. */
  private everybodyIsAsked(nowUs: number): boolean {
    const { entered, notesAsked } = this.state;
    return entered.order[MAP].fullPools === 0 && !notesAsked && nowUs <= this.noneExemptUntilUs;
  }

  /** A search for a map here is known to visit every entered job and to find nothing. */
  private mapsWouldWait(node: number): boolean {
    if (this.state.entered.pending[MAP] === 0) return true;
    return !this.parts.source.mayHaveLocal(node) && this.wait.nobodyMayLeave();
  }

  private limit(type: SlotType, free: number): number {
    const { rules, tasksPerHeartbeat, capPerHeartbeat } = this.parts;
    return Math.min(free, mostOfType(rules, capPerHeartbeat[type], free, tasksPerHeartbeat));
  }

  /** Hands out tasks one by one until nothing more fits or is found (semantics section 8, step 3). */
  private serve(node: number, freeMaps: number, freeReduces: number): void {
    let maps = freeMaps;
    let reduces = freeReduces;
    let left = this.parts.tasksPerHeartbeat;
    let givenMaps = 0;
    let givenReduces = 0;
    while (left > 0 && (maps > 0 || reduces > 0)) {
      if (maps > 0 && (reduces === 0 || this.mapGoesFirst(node, givenMaps, givenReduces))) {
        const served = this.serveMap(node);
        if (served) givenMaps++;
        maps = served && this.isOpen(MAP) && this.loadCap.allows(node, MAP, givenMaps) ? maps - 1 : 0;
        if (served) left--;
      } else {
        const served = this.serveReduce(node);
        if (served) givenReduces++;
        reduces = served && this.isOpen(REDUCE) && this.loadCap.allows(node, REDUCE, givenReduces) ? reduces - 1 : 0;
        if (served) left--;
      }
    }
  }

  private mapGoesFirst(node: number, givenMaps: number, givenReduces: number): boolean {
    const { launcher, countsThisHeartbeat } = this.parts;
    const maps = launcher.reportedOn(node, MAP) + (countsThisHeartbeat ? givenMaps : 0);
    return maps <= launcher.reportedOn(node, REDUCE) + (countsThisHeartbeat ? givenReduces : 0);
  }

  private serveMap(node: number): boolean {
    const { source, wait, launcher } = this.parts;
    const { search, state } = this;
    this.counts.searches++;
    const job = search.findJob(node);
    if (state.notesAsked) state.noteAsked(MAP, job);
    if (job < 0) {
      const everybody = state.entered.order[MAP].fullPools === 0;
      if (!everybody) search.listVisited(job);
      wait.foundNothing(everybody, search.visited, search.visitedCount, search.safeBelow);
      source.nothingOn(node);
      return false;
    }
    if (wait.listsVisits) search.listVisited(job);
    const { level } = source;
    launcher.launchMap(job, search.task, node, level);
    state.entered.launched(job, MAP);
    wait.launched(job, level, search.visited, search.visitedCount);
    state.entered.settle(job, MAP);
    if (state.watches) this.updates.want(this.nowUs);
    return true;
  }

  private serveReduce(node: number): boolean {
    const { state } = this;
    this.counts.searches++;
    const job = state.entered.firstReducer(node);
    if (state.notesAsked) state.noteAsked(REDUCE, job);
    if (job < 0) return false;
    this.parts.launcher.launchReduce(job, node);
    state.entered.launched(job, REDUCE);
    state.entered.settle(job, REDUCE);
    if (state.watches) this.updates.want(this.nowUs);
    return true;
  }

  /**
   * Tasks of the type may be handed out. With cached demands this is Hadoop's test that running and demand differ,
   * which may be stale; with fresh ones it is whether anything is pending.
   */
  private isOpen(type: SlotType): boolean {
    const { entered, demands } = this.state;
    return this.demandsAreFresh ? entered.pending[type] > 0 : entered.runningTotal[type] !== demands.total[type];
  }

  /** Where demands are always fresh, so are the runnable jobs. */
  private decide(): void {
    this.state.runnability.decide();
    this.initialiseAdmitted();
  }

  private decideSoon(nowUs: number): void {
    if (this.parts.updateIntervalUs === 0) this.decide();
    else this.updates.want(nowUs);
  }

  private initialiseAdmitted(): void {
    for (const job of this.state.runnability.toInitialise.splice(0)) this.parts.launcher.initialise(job);
  }
}
