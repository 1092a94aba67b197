import { MAP, REDUCE, RUNNING, type SlotType } from "../jobs/job-table.js";
import type { AllocationsSpec } from "../scenario/scenario.js";
import type { PoolSchedulerParts } from "./parts.js";
import { MapSearch } from "./map-search.js";
import type { LocalityWait } from "./locality-wait.js";
import type { OperationCounts } from "./operation-counts.js";
import { PoolState } from "./pool-state.js";
import type { Scheduler } from "./scheduler.js";
import { SchedulerView } from "./scheduler-view.js";
import { SlotServing } from "./slot-serving.js";
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
  private readonly serving: SlotServing;
  private readonly updates: UpdateTimes;
  /** No pool is exempt from waiting before the first update after this instant. */
  private noneExemptUntilUs: number;
  /** Always fresh demands matter only where something goes by them. */
  private readonly refreshes: boolean;
  private readonly hasBoosts: boolean;
  private readonly wait: LocalityWait;
  private nowUs = 0;

  constructor(private readonly parts: PoolSchedulerParts) {
    this.state = new PoolState(parts);
    this.updates = new UpdateTimes(parts.updateIntervalUs);
    const { state, updates, counts } = this;
    this.view = new SchedulerView(parts, state);
    this.search = new MapSearch({
      jobs: parts.jobs,
      order: state.entered.order[MAP],
      source: parts.source,
      wait: parts.wait,
      launcher: parts.launcher,
      pools: parts.pools,
      isExempt: (pool) => state.starvation.isExempt(pool, this.nowUs),
    });
    this.serving = new SlotServing(parts, { state, updates, counts, search: this.search });
    const promises = parts.allAllocations.some(({ pools }) => pools.some((p) => p.minMaps + p.minReduces > 0));
    const goesByDemand = promises || parts.maxDiff !== null || parts.weights.bySize;
    this.refreshes = goesByDemand && parts.updateIntervalUs === 0;
    this.noneExemptUntilUs = state.starvation.noneExemptUntilUs;
    this.wait = parts.wait;
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
    return this.state.entered.order[MAP].all.size > 0 && this.serving.isOpen(MAP);
  }

  wantsReduceSlots(): boolean {
    return this.hasReduces() || (this.wait.movedByReduceSlots && this.wait.hasMarks());
  }

  hasReduces(): boolean {
    return this.state.entered.pending[REDUCE] > 0 && this.serving.isOpen(REDUCE);
  }

  passOverRun(heartbeats: number, lastUs: number): boolean {
    if (!this.serving.isOpen(MAP) || !this.everybodyIsAsked(lastUs)) return false;
    if (this.serving.mayRefuseMaps()) return false;
    const nothingPending = this.state.entered.pending[MAP] === 0;
    if (!this.wait.passOverRun(heartbeats, lastUs, nothingPending)) return false;
    this.counts.heartbeats += heartbeats;
    this.counts.passedOver += heartbeats;
    return true;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { wait, serving } = this;
    this.counts.heartbeats++;
    this.nowUs = nowUs;
    if (this.refreshes && this.state.demands.areStale) this.state.update(nowUs, false);
    if (this.hasBoosts) this.state.endBoosts(nowUs);
    if (freeMaps > 0 || wait.movedByReduceSlots) wait.begin(nowUs);
    let maps = freeMaps > 0 && serving.isOpen(MAP) && serving.allows(node, MAP, 0);
    const reduces = freeReduces > 0 && this.hasReduces() && serving.allows(node, REDUCE, 0);
    // With a limit, reduces that go first may leave no search for maps.
    const mapsSearched = !reduces || this.parts.tasksPerHeartbeat === Infinity;
    if (maps && mapsSearched && this.everybodyIsAsked(nowUs) && this.mapsWouldWait(node)) {
      wait.allPassedOver();
      maps = false;
      if (!reduces) this.counts.passedOver++;
    }
    if (!maps && !reduces) return;
    this.search.exempts = nowUs > this.noneExemptUntilUs;
    serving.serve(node, nowUs, maps ? freeMaps : 0, reduces ? freeReduces : 0);
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
    const { toInitialise } = this.state.runnability;
    if (toInitialise.length === 0) return;
    for (const job of toInitialise.splice(0)) this.parts.launcher.initialise(job);
  }
}
