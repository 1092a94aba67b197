import { MAP, REDUCE, type JobTable, type SlotType } from "../../jobs/job-table.js";
import type { MapSource } from "../../jobs/map-source.js";
import type { CapacitySpec } from "../../scenario/capacity-spec.js";
import type { LocalityWait } from "../locality-wait.js";
import type { OperationCounts } from "../operation-counts.js";
import type { Launcher, Scheduler } from "../scheduler.js";
import { CapacitySearch } from "./capacity-search.js";
import { CapacityState } from "./capacity-state.js";

export interface CapacitySchedulerParts {
  readonly spec: CapacitySpec;
  readonly jobs: JobTable;
  readonly source: MapSource;
  readonly wait: LocalityWait;
  readonly launcher: Launcher;
  /** Slots of the cluster, per type. */
  readonly slots: readonly [number, number];
  /** Over both types; Infinity = unlimited. */
  readonly tasksPerHeartbeat: number;
  /** Per type, Infinity = not set. */
  readonly capPerHeartbeat: readonly [number, number];
}

/**
 * The capacity scheduler: queues with parts of the cluster, the one that uses least of its part first; inside a queue jobs one
 * after the other, within limits of their users. What a queue leaves free others may have, and it gets it back as their tasks
 * end: nothing is killed. The pools of the job table are its queues. Naive twin: test/support/naive-capacity.ts.
 */
export class CapacityScheduler implements Scheduler {
  readonly counts: OperationCounts = { heartbeats: 0, passedOver: 0, searches: 0, updates: 0 };
  private readonly state: CapacityState;
  private readonly search: CapacitySearch;

  constructor(private readonly parts: CapacitySchedulerParts) {
    this.state = new CapacityState(parts);
    this.search = new CapacitySearch({ ...parts, state: this.state, limitsAreSoft: parts.spec.userLimits === "soft" });
  }

  /** The job waits to be set up. */
  isHeldBack(job: number): boolean {
    return this.state.initialisation.isHeldBack(job);
  }

  jobAdded(job: number): void {
    this.state.add(job);
  }

  jobReady(job: number): void {
    this.state.ready(job);
  }

  jobRemoved(job: number): void {
    this.state.remove(job);
  }

  attemptEnded(job: number, type: SlotType): void {
    this.state.attemptLeft(job, type, false);
  }

  attemptReturned(job: number, type: SlotType): void {
    this.state.attemptLeft(job, type, true);
  }

  pendingChanged(job: number, type: SlotType, change: number): void {
    this.state.pendingChanged(job, type, change);
  }

  slotsChanged(maps: number, reduces: number): void {
    this.state.slotsChanged([maps, reduces]);
  }

  /** Everything is always as of now. */
  nextUpdateUs(): number {
    return Infinity;
  }

  update(): void {}

  checkPreemption(): void {}

  /** Queues are what they were at the start. */
  reload(): void {}

  wantsMapSlots(): boolean {
    return this.hasMaps() || this.parts.wait.hasMarks();
  }

  wantsReduceSlots(): boolean {
    return this.hasReduces();
  }

  hasReduces(): boolean {
    return this.state.pending[REDUCE] > 0 && this.state.someMayLaunch(REDUCE);
  }

  passOverRun(heartbeats: number, lastUs: number): boolean {
    if (!this.hasMaps() || this.state.someAreRefused()) return false;
    if (!this.parts.wait.passOverRun(heartbeats, lastUs, false)) return false;
    this.counts.heartbeats += heartbeats;
    this.counts.passedOver += heartbeats;
    return true;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { wait } = this.parts;
    this.counts.heartbeats++;
    if (freeMaps > 0) wait.begin(nowUs);
    const wantsReduces = freeReduces > 0 && this.hasReduces();
    if (freeMaps > 0 && !wantsReduces && this.hasMaps() && this.allWouldWait(node)) {
      wait.allPassedOver();
      this.counts.passedOver++;
      return;
    }
    this.serve(node, this.mostOf(MAP, freeMaps), this.mostOf(REDUCE, freeReduces));
  }

  private hasMaps(): boolean {
    return this.state.pending[MAP] > 0 && this.state.someMayLaunch(MAP);
  }

  /** A search for a map here is known to ask every waiting job, and none has a map near or may go farther. */
  private allWouldWait(node: number): boolean {
    const { source, wait } = this.parts;
    return !source.mayHaveLocal(node) && wait.nobodyMayLeave() && !this.state.someAreRefused();
  }

  private mostOf(type: SlotType, free: number): number {
    return Math.min(free, this.parts.capPerHeartbeat[type]);
  }

  /**
   * Hands out tasks one by one until nothing more fits or is found. Where a heartbeat may not hand out all, the type with more
   * free slots goes first, maps if they are as many (Hadoop 0.20, which hands out one).
   */
  private serve(node: number, freeMaps: number, freeReduces: number): void {
    let maps = freeMaps;
    let reduces = freeReduces;
    for (let left = this.parts.tasksPerHeartbeat; left > 0 && maps + reduces > 0; left--) {
      const type = reduces > maps ? REDUCE : MAP;
      const found = type === MAP ? this.hasMaps() && this.serveMap(node) : this.hasReduces() && this.serveReduce(node);
      if (type === MAP) maps = found ? maps - 1 : 0;
      else reduces = found ? reduces - 1 : 0;
      if (!found) left++;
    }
  }

  private serveMap(node: number): boolean {
    const { source, wait, launcher } = this.parts;
    const { search, state } = this;
    this.counts.searches++;
    const job = search.findMapper(node);
    if (job < 0) {
      const everybody = search.askedCount === state.order[MAP].size;
      wait.foundNothing(everybody, search.asked, search.askedCount, search.safeBelow);
      source.nothingOn(node);
      return false;
    }
    const { level } = source;
    launcher.launchMap(job, search.task, node, level);
    state.launched(job, MAP);
    wait.launched(job, level, search.asked, search.askedCount);
    state.leaveIfDone(job, MAP);
    state.initialisation.launched(job);
    return true;
  }

  private serveReduce(node: number): boolean {
    const { state } = this;
    this.counts.searches++;
    const job = this.search.findReducer(node);
    if (job < 0) return false;
    this.parts.launcher.launchReduce(job, node);
    state.launched(job, REDUCE);
    state.leaveIfDone(job, REDUCE);
    state.initialisation.launched(job);
    return true;
  }
}
