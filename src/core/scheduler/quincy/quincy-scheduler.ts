import type { BlockStore, ReplicaWatcher } from "../../cluster/block-store.js";
import type { Topology } from "../../cluster/topology.js";
import { FileReaders } from "../../jobs/file-readers.js";
import { MAP, type SlotType } from "../../jobs/job-table.js";
import type { MapSource } from "../../jobs/map-source.js";
import { OFF_RACK } from "../../jobs/nearness.js";
import type { PendingMaps } from "../../jobs/pending-maps.js";
import { assert } from "../../kernel/assert.js";
import type { PreemptionCounts } from "../preemption.js";
import { EventDriven, type EventDrivenParts } from "./event-driven.js";
import { GraphSync } from "./graph-sync.js";
import { JobBounds } from "./job-bounds.js";
import { MuteMachines } from "./mute-machines.js";
import { Plan, type MapOfJob, type Readiness } from "./plan.js";
import { TaskCosts } from "./task-costs.js";
import { TaskGraph } from "./task-graph.js";
import { TaskRoster } from "./task-roster.js";

export interface QuincyParts extends EventDrivenParts {
  readonly source: MapSource;
  readonly pending: PendingMaps;
  readonly store: BlockStore;
  readonly topology: Topology;
  readonly heartbeatUs: number;
  readonly blockBytes: number;
  readonly rackCost: number;
  readonly coreCost: number;
  readonly waitCost: number;
  readonly isFair: boolean;
  readonly preempts: boolean;
  readonly solveEveryUs: number;
  /** A map that runs may be wanted a second time, as a speculative copy. */
  readonly mapsMayBeCopied: boolean;
}

/**
 * Quincy (Isard et al., SOSP 2009): where all maps go is one minimum-cost flow, solved anew whenever something has happened.
 * Its solution is a plan, which is carried out heartbeat by heartbeat: kills at once, launches when the machine is heard
 * and has the slot. What has not been done when the next solve comes is planned anew. See docs/schedulers/quincy.md.
 */
export class QuincyScheduler extends EventDriven implements ReplicaWatcher {
  readonly preemptions: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };
  readonly graph: TaskGraph;
  private readonly roster: TaskRoster;
  private readonly graphSync: GraphSync;
  private readonly bounds: JobBounds;
  private readonly plan: Plan;
  private readonly mutes: MuteMachines;
  private readonly readers = new FileReaders();
  private solvedUs = -Infinity;

  constructor(private readonly parts: QuincyParts) {
    super(parts);
    const { jobs, topology, heldSlots, preempts, waitCost, isFair } = parts;
    const graph = new TaskGraph(topology.rackOf, topology.racks);
    const roster = new TaskRoster(jobs, parts.pending);
    const costs = new TaskCosts(parts);
    this.graph = graph;
    this.roster = roster;
    this.mutes = new MuteMachines(topology.nodes, MUTE_BEATS * parts.heartbeatUs);
    const isMute = (machine: number): boolean => this.mutes.isMute(machine);
    this.graphSync = new GraphSync({ jobs, heldSlots, topology, graph, roster, costs, preempts, waitCost, isMute });
    this.bounds = new JobBounds({ jobs, graph, roster, isFair });
    this.plan = new Plan(topology);
    parts.store.watch(this);
  }

  override jobReady(job: number, nowUs: number): void {
    super.jobReady(job, nowUs);
    this.graphSync.enter(job, nowUs);
    const block = this.parts.jobs.firstBlock[job];
    if (block >= 0) this.readers.add(this.parts.store.fileOf(block), job);
  }

  override jobRemoved(job: number, nowUs: number): void {
    super.jobRemoved(job, nowUs);
    if (!this.roster.has(job)) return;
    this.graphSync.leave(job);
    const block = this.parts.jobs.firstBlock[job];
    if (block >= 0) this.readers.remove(this.parts.store.fileOf(block), job);
    this.plan.forget(job);
  }

  override attemptReturned(job: number, type: SlotType, nowUs: number): void {
    super.attemptReturned(job, type, nowUs);
    // One that had left its slot to commit is known no more.
    if (type === MAP) this.graphSync.enterReturned(job, nowUs);
  }

  override pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    super.pendingChanged(job, type, change, nowUs);
    if (type === MAP && change > 0) this.graphSync.enterReturned(job, nowUs);
  }

  replicaAdded(block: number): void {
    this.renew(block);
  }

  replicaRemoved(block: number): void {
    this.renew(block);
  }

  protected override reconsider(nowUs: number): void {
    if (this.mutes.anyFallsMute(nowUs)) this.isStale = true;
    if (this.isStale || this.mayChangeWithTime) this.solve(nowUs);
    this.wantNext(nowUs);
  }

  protected override serveMaps(node: number, nowUs: number, slots: number): number {
    if (this.mutes.heard(node)) this.changed(nowUs);
    if (this.isStale && nowUs >= this.solvedUs + this.parts.solveEveryUs) {
      this.solve(nowUs);
      this.wantNext(nowUs);
    }
    let given = 0;
    while (given < slots && this.serveMap(node)) given++;
    return given;
  }

  /** The same plan may be worth less later, or there is more to choose from, although nothing happens. */
  private get mayChangeWithTime(): boolean {
    return this.plan.unscheduled > 0 && (this.plan.hasRoom || (this.parts.preempts && this.graphSync.pinned > 0));
  }

  private wantNext(nowUs: number): void {
    if (this.mayChangeWithTime || this.plan.isAwaited) this.updates.want(nowUs);
  }

  private solve(nowUs: number): void {
    const { graph, roster, graphSync, plan, parts } = this;
    this.isStale = false;
    this.solvedUs = nowUs;
    graphSync.sync(nowUs);
    this.bounds.set(this.present.list, graphSync.slots);
    const isFeasible = graph.flow.solve();
    assert(isFeasible, "no flow meets the bounds of the jobs");
    plan.take(graph, roster, graphSync.slots);
    if (parts.preempts) this.preemptions.checks++;
    for (const { job, map } of plan.toKill) {
      this.preemptions.slotsWanted++;
      this.preemptions.kills++;
      parts.launcher.kill(graphSync.condemn(job, map, nowUs));
    }
    this.mutes.planned(nowUs, (machine) => plan.awaitedBy(machine) > 0 && parts.heldSlots.freeOn(machine, MAP) > 0);
  }

  private serveMap(node: number): boolean {
    const { source, launcher, mapsMayBeCopied } = this.parts;
    const refused = this.graphSync.refused.find((entry) => this.mayLaunch(entry, node));
    const next = refused ?? this.plan.next(node, (planned) => this.readiness(planned, node));
    if (next !== null) {
      const { job, map } = next;
      launcher.launchMap(job, map, node, this.parts.pending.levelOn(job, map, node));
      return true;
    }
    if (!mapsMayBeCopied || this.plan.awaitedBy(node) > 0) return false;
    const job = this.present.list.find((other) => this.copyFor(other, node) >= 0);
    if (job === undefined) return false;
    launcher.launchMap(job, this.copyFor(job, node), node, source.level);
    return true;
  }

  /** The running map of the job that the node may start a copy of, -1: none. */
  private copyFor(job: number, node: number): number {
    const { jobs, launcher, source, pending } = this.parts;
    if (jobs.pending[MAP][job] === 0 || !launcher.accepts(job, MAP, node)) return -1;
    const map = source.pick(job, node, OFF_RACK);
    return map < 0 || pending.isPending(job, map) ? -1 : map;
  }

  private mayLaunch({ job, map }: MapOfJob, node: number): boolean {
    const { launcher, pending } = this.parts;
    if (!pending.isPending(job, map)) return false;
    return !launcher.isSelective || (launcher.accepts(job, MAP, node) && !pending.refuses(job, map, node));
  }

  private readiness(entry: MapOfJob, node: number): Readiness {
    if (!this.roster.isPending(entry.job, entry.map)) return "notYet";
    if (this.mayLaunch(entry, node)) return "ready";
    this.graphSync.refuse(entry.job, entry.map);
    return "never";
  }

  private renew(block: number): void {
    const { jobs, store } = this.parts;
    for (const job of this.readers.of(store.fileOf(block))) {
      const map = block - jobs.firstBlock[job];
      if (map >= 0 && map < jobs.total[MAP][job]) this.graphSync.renew(job, map);
    }
  }
}

/** Heartbeats that a machine may leave out before nothing more is planned for it. */
const MUTE_BEATS = 3;
