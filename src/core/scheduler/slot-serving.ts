import type { MapSource } from "../jobs/map-source.js";
import { MAP, REDUCE, type SlotType } from "../jobs/job-table.js";
import { mostOfType } from "./heartbeat-caps.js";
import { LoadCap } from "./load-cap.js";
import type { LocalityWait } from "./locality-wait.js";
import type { MapSearch } from "./map-search.js";
import type { OperationCounts } from "./operation-counts.js";
import type { PoolSchedulerParts } from "./parts.js";
import type { PoolState } from "./pool-state.js";
import type { Launcher } from "./scheduler.js";
import type { UpdateTimes } from "./update-times.js";

export interface SlotServingParts {
  readonly state: PoolState;
  readonly search: MapSearch;
  readonly updates: UpdateTimes;
  readonly counts: OperationCounts;
}

/** Fills the free slots of a node one by one: who is next, what of it fits here, and who was passed over. */
export class SlotServing {
  private readonly state: PoolState;
  private readonly search: MapSearch;
  private readonly updates: UpdateTimes;
  private readonly counts: OperationCounts;
  private readonly source: MapSource;
  private readonly wait: LocalityWait;
  private readonly launcher: Launcher;
  private readonly loadCap: LoadCap;
  private readonly demandsAreFresh: boolean;
  /** Nothing caps what a heartbeat hands out but the free slots. */
  private readonly isUncapped: boolean;
  private nowUs = 0;

  constructor(
    private readonly parts: PoolSchedulerParts,
    { state, search, updates, counts }: SlotServingParts,
  ) {
    this.state = state;
    this.search = search;
    this.updates = updates;
    this.counts = counts;
    this.source = parts.source;
    this.wait = parts.wait;
    this.launcher = parts.launcher;
    this.loadCap = new LoadCap({ ...parts, slots: state.slots, demand: state.demands.total });
    this.demandsAreFresh = parts.updateIntervalUs === 0;
    const least = Math.min(...parts.capPerHeartbeat, parts.tasksPerHeartbeat);
    this.isUncapped = least === Infinity && parts.maxDiff === null;
  }

  /**
   * Tasks of the type may be handed out. With cached demands this is Hadoop's test that running and demand differ,
   * which may be stale; with fresh ones it is whether anything is pending.
   */
  isOpen(type: SlotType): boolean {
    const { entered, demands } = this.state;
    return this.demandsAreFresh ? entered.pending[type] > 0 : entered.runningTotal[type] !== demands.total[type];
  }

  /** The load cap lets the node have another task of the type; `given`: what this heartbeat has handed out of it. */
  allows(node: number, type: SlotType, given: number): boolean {
    return this.isUncapped || this.loadCap.allows(node, type, given);
  }

  /** The load cap may keep some node from a map. */
  mayRefuseMaps(): boolean {
    return !this.isUncapped && this.loadCap.mayRefuse(MAP);
  }

  /** Hands out tasks one by one until nothing more fits or is found (semantics section 8, step 3). */
  serve(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    this.nowUs = nowUs;
    this.search.begin(freeMaps);
    if (!this.isUncapped) this.serveBoth(node, this.limit(MAP, freeMaps), this.limit(REDUCE, freeReduces));
    else if (freeReduces > 0) this.serveBoth(node, freeMaps, freeReduces);
    else for (let left = freeMaps; left > 0 && this.serveMap(node) && this.isOpen(MAP);) left--;
  }

  private limit(type: SlotType, free: number): number {
    const { rules, tasksPerHeartbeat, capPerHeartbeat } = this.parts;
    return free === 0 ? 0 : Math.min(free, mostOfType(rules, capPerHeartbeat[type], free, tasksPerHeartbeat));
  }

  private serveBoth(node: number, freeMaps: number, freeReduces: number): void {
    let maps = freeMaps;
    let reduces = freeReduces;
    let left = this.parts.tasksPerHeartbeat;
    let givenMaps = 0;
    let givenReduces = 0;
    while (left > 0 && (maps > 0 || reduces > 0)) {
      if (maps > 0 && (reduces === 0 || this.mapGoesFirst(node, givenMaps, givenReduces))) {
        const served = this.serveMap(node);
        if (served) givenMaps++;
        maps = served && this.isOpen(MAP) && this.allows(node, MAP, givenMaps) ? maps - 1 : 0;
        if (served) left--;
      } else {
        const served = this.serveReduce(node);
        if (served) givenReduces++;
        reduces = served && this.isOpen(REDUCE) && this.allows(node, REDUCE, givenReduces) ? reduces - 1 : 0;
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
    const { source, wait, search, state } = this;
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
    this.launcher.launchMap(job, search.task, node, level);
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
    this.launcher.launchReduce(job, node);
    state.entered.launched(job, REDUCE);
    state.entered.settle(job, REDUCE);
    if (state.watches) this.updates.want(this.nowUs);
    return true;
  }
}
