import type { ReplicaWatcher, Topology } from "../../../../cluster/index.js";
import { type JobTable, MAP, REDUCE, type SlotType } from "../../jobs/job-table.js";
import { NODE_LOCAL, OFF_RACK, RACK_LOCAL } from "../../jobs/nearness.js";
import { assert, Lists } from "../../../../kernel/index.js";
import { isFair, preempts, type SchedulerSpec } from "../../../../scenario/index.js";
import { onePool } from "../build-pool-scheduler.js";
import { NO_WAIT } from "../locality-wait.js";
import { UpdateTimes } from "../pool-state.js";
import { Pools, Users } from "../pools.js";
import type { BuiltScheduler, Launcher, PreemptionCounts, Scheduler, SchedulerContext } from "../scheduler.js";
import {
  evenShares,
  GraphSync,
  LOOSE,
  type MapOfJob,
  type QuincyParts,
  setJobBounds,
  STAYS,
  TaskCosts,
  TaskGraph,
  TaskRoster,
  TO_MACHINE,
  UNSCHEDULED,
  VIA_RACK,
} from "./task-graph.js";

/**
 * The common part of Quincy and its greedy rival: jobs are set up as soon as they are submitted, every event counts as
 * the same news, and reduces, of which Quincy has none, go to the job that runs the fewest.
 */
export abstract class EventDriven implements Scheduler {
  /** Something happened since the plan was made. */
  protected isStale = true;
  protected readonly present: PresentJobs;
  protected readonly updates: UpdateTimes;
  private readonly reduces: FairReduces;

  constructor(protected readonly parts: QuincyParts) {
    this.present = new PresentJobs(parts.jobs);
    this.reduces = new FairReduces(parts.jobs, this.present, parts.launcher);
    this.updates = new UpdateTimes(parts.periodUs);
  }

  jobAdded(job: number, _nowUs: number): void {
    this.parts.launcher.initialise(job);
  }

  jobReady(job: number, nowUs: number): void {
    this.present.add(job);
    this.changed(nowUs);
  }

  jobRemoved(job: number, nowUs: number): void {
    this.present.remove(job);
    this.changed(nowUs);
  }

  attemptLeft(_job: number, type: SlotType, _requeued: boolean, nowUs: number): void {
    if (type === MAP) this.changed(nowUs);
  }

  pendingChanged(_job: number, type: SlotType, _change: number, nowUs: number): void {
    if (type === MAP) this.changed(nowUs);
  }

  slotsChanged(_maps: number, _reduces: number, nowUs: number): void {
    this.changed(nowUs);
  }

  nextUpdateUs(): number {
    return this.updates.dueUs;
  }

  update(nowUs: number): void {
    this.updates.dueUs = Infinity;
    if (this.wantsMapSlots()) this.reconsider(nowUs);
  }

  wantsMapSlots(): boolean {
    return this.present.havePending(MAP);
  }

  wantsReduceSlots(): boolean {
    return this.hasReduces();
  }

  skipHeartbeats(): boolean {
    return false;
  }

  hasReduces(): boolean {
    return this.reduces.areWaiting;
  }

  heartbeat(node: number, nowUs: number, freeMaps: number, freeReduces: number): void {
    const { tasksPerHeartbeat } = this.parts;
    let launched = 0;
    if (freeMaps > 0 && this.wantsMapSlots())
      launched = this.serveMaps(node, nowUs, Math.min(freeMaps, tasksPerHeartbeat));
    if (freeReduces > 0) this.reduces.serve(node, Math.min(freeReduces, tasksPerHeartbeat - launched));
  }

  /** An update, while maps wait. */
  protected abstract reconsider(nowUs: number): void;

  /**
   * Why a job with pending maps launched none in a map slot of the node that is free, or that another got: the job runs
   * its share, the node takes none of its maps, or the plan has a place for some of them, or for none.
   */
  abstract whyNotServed(job: number, node: number): "share" | "node" | "plan" | "unplanned";

  /** Fills up to so many slots of the node; returns how many. */
  protected abstract serveMaps(node: number, nowUs: number, slots: number): number;

  protected changed(nowUs: number): void {
    this.isStale = true;
    this.updates.want(nowUs);
  }
}

/** The jobs that have been set up, in order of submission. */
class PresentJobs {
  /** Handles. */
  readonly list: number[] = [];

  constructor(private readonly jobs: JobTable) {}

  add(job: number): void {
    const { id } = this.jobs;
    let place = this.list.length;
    while (place > 0 && id[this.list[place - 1]] > id[job]) place--;
    this.list.splice(place, 0, job);
  }

  /** A job leaves; it may never have been set up. */
  remove(job: number): void {
    const place = this.list.indexOf(job);
    if (place >= 0) this.list.splice(place, 1);
  }

  /** Some job has tasks of the type that wait. */
  havePending(type: SlotType): boolean {
    const pending = this.jobs.pending[type];
    return this.list.some((job) => pending[job] > 0);
  }
}

const NONE = -1;

/**
 * Reduces without any locality: the job with the fewest running ones goes first, of equal ones that submitted first.
 */
class FairReduces {
  constructor(
    private readonly jobs: JobTable,
    private readonly present: PresentJobs,
    private readonly launcher: Launcher,
  ) {}

  /** Some job may launch one. */
  get areWaiting(): boolean {
    const { jobs } = this;
    return this.present.list.some((job) => jobs.pending[REDUCE][job] > 0 && jobs.reducesMayStart(job));
  }

  /** Fills up to `slots` slots of the node. */
  serve(node: number, slots: number): void {
    for (let slotsLeft = slots; slotsLeft > 0; slotsLeft--) {
      const job = this.firstFor(node);
      if (job < 0) return;
      this.launcher.launchReduce(job, node);
    }
  }

  private firstFor(node: number): number {
    const { jobs, launcher } = this;
    let first = NONE;
    for (const job of this.present.list) {
      if (jobs.pending[REDUCE][job] === 0 || !jobs.reducesMayStart(job)) continue;
      if (first >= 0 && jobs.running[REDUCE][job] >= jobs.running[REDUCE][first]) continue;
      if (!launcher.isSelective || launcher.accepts(job, REDUCE, node)) first = job;
    }
    return first;
  }
}

/** The queues of a machine, its rack and the cluster. */
const LISTS = [NODE_LOCAL, RACK_LOCAL, OFF_RACK];

/**
 * Quincy's rival (section 3.3 there): a map waits in the queues of the machines that hold its block, of their racks,
 * and of the cluster; an idle machine takes the first of its own queue, else of its rack's, else of the cluster's. GF
 * passes over jobs that run their share; GFP kills what jobs run beyond it, the latest first, as far as others can use
 * the slots.
 */
class GreedyScheduler extends EventDriven {
  readonly preemptions: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };
  /** By job: its share, as of the last change. */
  private readonly shareOf: number[] = [];
  /** Launch times of the attempts that are to be killed, by attempt id. */
  private dying = new Map<number, number>();

  /** Without a plan nothing has a place in it. */
  whyNotServed(job: number, node: number): "share" | "node" | "unplanned" {
    const { jobs, isFair, source } = this.parts;
    if (isFair && jobs.running[MAP][job] >= this.shareOf[job]) return "share";
    return this.mayLaunch(job, node) && source.pick(job, node, OFF_RACK) >= 0 ? "unplanned" : "node";
  }

  protected serveMaps(node: number, _nowUs: number, slots: number): number {
    if (this.parts.isFair) this.takeShares();
    let launched = 0;
    while (launched < slots && this.serveMap(node)) launched++;
    return launched;
  }

  protected reconsider(nowUs: number): void {
    if (!this.parts.preempts) return;
    this.takeShares();
    this.killBeyondShares();
    // Attempts too young to be killed may remain.
    if (this.slotsMissed() > 0) this.updates.want(nowUs);
  }

  private serveMap(node: number): boolean {
    const { source, launcher } = this.parts;
    for (const reach of LISTS) {
      if (reach === NODE_LOCAL && !source.mayHaveLocal(node)) continue;
      for (const job of this.present.list) {
        if (!this.mayLaunch(job, node)) continue;
        const task = source.pick(job, node, reach);
        if (task < 0) continue;
        launcher.launchMap(job, task, node, source.level);
        return true;
      }
    }
    return false;
  }

  private mayLaunch(job: number, node: number): boolean {
    const { jobs, launcher, isFair } = this.parts;
    if (jobs.pending[MAP][job] === 0) return false;
    if (isFair && jobs.running[MAP][job] >= this.shareOf[job]) return false;
    return !launcher.isSelective || launcher.accepts(job, MAP, node);
  }

  private takeShares(): void {
    if (!this.isStale) return;
    this.isStale = false;
    const { jobs, heldSlots, topology } = this.parts;
    const { list } = this.present;
    const demands = list.map((job) => jobs.pending[MAP][job] + jobs.running[MAP][job]);
    let slots = 0;
    for (let node = 0; node < topology.nodes; node++) slots += heldSlots.freeOn(node, MAP);
    for (const job of list) slots += jobs.running[MAP][job];
    evenShares(demands, slots).forEach((share, i) => (this.shareOf[list[i]] = share));
  }

  /** Slots that jobs below their shares lack, beyond those that are free or about to be. */
  private slotsMissed(): number {
    const { jobs, heldSlots, topology } = this.parts;
    let missed = -this.dying.size;
    for (const job of this.present.list) missed += Math.max(0, this.shareOf[job] - jobs.running[MAP][job]);
    for (let node = 0; node < topology.nodes; node++) missed -= heldSlots.freeOn(node, MAP);
    return missed;
  }

  private killBeyondShares(): void {
    const { jobs, launcher, heldSlots } = this.parts;
    const victims: { attempt: number; job: number; launchUs: number }[] = [];
    const stillDying = new Map<number, number>();
    const beyond: number[] = [];
    for (const job of this.present.list) beyond[job] = jobs.running[MAP][job] - this.shareOf[job];
    heldSlots.forEach(MAP, (attempt, job, _task, _node, launchUs, isReported) => {
      if (this.dying.get(attempt) === launchUs) {
        stillDying.set(attempt, launchUs);
        beyond[job]--;
      } else if (isReported) victims.push({ attempt, job, launchUs });
    });
    this.dying = stillDying;
    let missed = this.slotsMissed();
    this.preemptions.checks++;
    if (missed <= 0) return;
    this.preemptions.slotsWanted += missed;
    victims.sort((a, b) => b.launchUs - a.launchUs || b.attempt - a.attempt);
    for (const { attempt, job, launchUs } of victims) {
      if (missed <= 0) return;
      if (beyond[job] <= 0) continue;
      beyond[job]--;
      missed--;
      this.dying.set(attempt, launchUs);
      this.preemptions.kills++;
      launcher.kill(attempt);
    }
  }
}

/** Whether a map may be launched on the node now: it may, it may not yet, or never by this plan. */
type Readiness = "ready" | "notYet" | "never";

/**
 * The open part of the last solve's plan: maps for machines; maps for a rack or the cluster, for the first of the
 * awaited machines that offers a slot; and the attempts to be killed for that.
 */
class Plan {
  /** Maps that are left unscheduled. */
  unscheduled = 0;
  /** Slots are left that nothing was planned for. */
  hasRoom = false;
  /** Maps that run and are to be killed. */
  readonly toKill: MapOfJob[] = [];
  /** By machine: maps for it, and how many of its rack's or the cluster's it gets beside them. */
  private readonly ofMachine: MapOfJob[][];
  private readonly viaRack: Int32Array;
  /** By rack: maps for it, and how many of the cluster's its machines get. */
  private readonly ofRack: MapOfJob[][];
  private readonly viaCluster: Int32Array;
  private readonly ofCluster: MapOfJob[] = [];

  constructor(private readonly topology: Topology) {
    this.ofMachine = Array.from({ length: topology.nodes }, () => []);
    this.ofRack = Array.from({ length: topology.racks }, () => []);
    this.viaRack = new Int32Array(topology.nodes);
    this.viaCluster = new Int32Array(topology.racks);
  }

  /** Maps that the machine awaits. */
  awaitedBy(machine: number): number {
    return this.ofMachine[machine].length + this.viaRack[machine];
  }

  /** Some machine, or some rack's, awaits a map. */
  get isAwaited(): boolean {
    return this.ofCluster.length > 0 || [...this.ofRack, ...this.ofMachine].some((entries) => entries.length > 0);
  }

  /** Some map of the job is for a machine, a rack or the cluster, and has not been launched there yet. */
  hasPlaceFor(job: number): boolean {
    const isOfJob = (entry: MapOfJob) => entry.job === job;
    return this.ofCluster.some(isOfJob) || [...this.ofRack, ...this.ofMachine].some((entries) => entries.some(isOfJob));
  }

  /** Reads the flow, which may fill so many slots. */
  take(graph: TaskGraph, roster: TaskRoster, slots: number): void {
    const { topology, ofMachine, ofRack, toKill } = this;
    this.clear();
    for (const task of roster.listed) {
      const way = graph.wayOf(task);
      if (way === STAYS) continue;
      const entry = { job: roster.jobOf[task], map: roster.mapOf[task] };
      if (roster.mapsOf(entry.job).state[entry.map] === LOOSE) toKill.push(entry);
      if (way === UNSCHEDULED) this.unscheduled++;
      else if (way === TO_MACHINE) ofMachine[graph.target].push(entry);
      else if (way === VIA_RACK) ofRack[graph.target].push(entry);
      else this.ofCluster.push(entry);
    }
    this.hasRoom = roster.listed.length - this.unscheduled < slots;
    for (let node = 0; node < topology.nodes; node++) this.viaRack[node] = graph.rackFlow(node);
    for (let rack = 0; rack < topology.racks; rack++) this.viaCluster[rack] = graph.clusterFlow(rack);
  }

  /** Removes and returns the map that the machine gets next, null: none that is ready. */
  next(machine: number, readiness: (entry: MapOfJob) => Readiness): MapOfJob | null {
    const local = takeReady(this.ofMachine[machine], readiness);
    if (local !== null || this.viaRack[machine] === 0) return local;
    const rack = this.topology.rackOf[machine];
    let entry = takeReady(this.ofRack[rack], readiness);
    if (entry === null && this.viaCluster[rack] > 0) {
      entry = takeReady(this.ofCluster, readiness);
      if (entry !== null) this.viaCluster[rack]--;
    }
    if (entry !== null) this.viaRack[machine]--;
    return entry;
  }

  /** The job goes. */
  forget(job: number): void {
    for (const entries of [this.ofCluster, ...this.ofRack, ...this.ofMachine]) {
      const kept = entries.filter((entry) => entry.job !== job);
      if (kept.length < entries.length) entries.splice(0, entries.length, ...kept);
    }
  }

  private clear(): void {
    for (const entries of this.ofMachine) if (entries.length > 0) entries.length = 0;
    for (const entries of this.ofRack) entries.length = 0;
    this.ofCluster.length = 0;
    this.toKill.length = 0;
    this.unscheduled = 0;
  }
}

function takeReady(entries: MapOfJob[], readiness: (entry: MapOfJob) => Readiness): MapOfJob | null {
  for (let i = 0; i < entries.length;) {
    const entry = entries[i];
    const verdict = readiness(entry);
    if (verdict !== "notYet") entries.splice(i, 1);
    else i++;
    if (verdict === "ready") return entry;
  }
  return null;
}

/**
 * Machines with a free slot that a plan has been waiting for longer than it may: they are down, or take nothing
 * because of the load they have. Nothing is planned for them until they offer a slot again.
 */
class UnresponsiveMachines {
  /** By machine: since when a plan has waited for it, Infinity: none does; and whether it is unresponsive. */
  private readonly awaitedUs: Float64Array;
  private readonly marked: Uint8Array;

  constructor(
    machines: number,
    private readonly patienceUs: number,
  ) {
    this.awaitedUs = new Float64Array(machines).fill(Infinity);
    this.marked = new Uint8Array(machines);
  }

  isUnresponsive(machine: number): boolean {
    return this.marked[machine] !== 0;
  }

  /** A plan was made. */
  planned(nowUs: number, isAwaited: (machine: number) => boolean): void {
    const { awaitedUs } = this;
    for (let machine = 0; machine < awaitedUs.length; machine++) {
      if (!isAwaited(machine)) awaitedUs[machine] = Infinity;
      else if (awaitedUs[machine] === Infinity) awaitedUs[machine] = nowUs;
    }
  }

  /** Marks those that have been waited for too long; whether there are new ones. */
  anyBecomesUnresponsive(nowUs: number): boolean {
    const { awaitedUs, marked, patienceUs } = this;
    let any = false;
    for (let machine = 0; machine < awaitedUs.length; machine++) {
      if (awaitedUs[machine] + patienceUs >= nowUs || marked[machine] !== 0) continue;
      marked[machine] = 1;
      any = true;
    }
    return any;
  }

  /** The machine offers a slot; whether it was unresponsive. */
  offerReceived(machine: number): boolean {
    this.awaitedUs[machine] = Infinity;
    if (this.marked[machine] === 0) return false;
    this.marked[machine] = 0;
    return true;
  }
}

/**
 * Quincy (Isard et al., SOSP 2009): where all maps go is one minimum-cost flow, solved anew whenever something has
 * happened. Its solution is a plan, which is carried out heartbeat by heartbeat: kills at once, launches when the
 * machine sends a heartbeat and has the slot. What is still open at the next solve is planned anew. See
 * docs/schedulers/quincy.md.
 */
class QuincyScheduler extends EventDriven implements ReplicaWatcher {
  readonly preemptions: PreemptionCounts = { checks: 0, slotsWanted: 0, kills: 0 };
  readonly graph: TaskGraph;
  private readonly roster: TaskRoster;
  private readonly graphSync: GraphSync;
  private readonly plan: Plan;
  private readonly unresponsive: UnresponsiveMachines;
  private readonly readers = new Lists<number>();
  private solvedUs = -Infinity;

  constructor(parts: QuincyParts) {
    super(parts);
    const { jobs, topology } = parts;
    const graph = new TaskGraph(topology.rackOf, topology.racks);
    const roster = new TaskRoster(jobs);
    const costs = new TaskCosts(parts);
    this.graph = graph;
    this.roster = roster;
    this.unresponsive = new UnresponsiveMachines(topology.nodes, UNRESPONSIVE_AFTER_HEARTBEATS * parts.heartbeatUs);
    const isUnresponsive = (machine: number) => this.unresponsive.isUnresponsive(machine);
    this.graphSync = new GraphSync({ ...parts, graph, roster, costs, isUnresponsive });
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

  override attemptLeft(job: number, type: SlotType, requeued: boolean, nowUs: number): void {
    super.attemptLeft(job, type, requeued, nowUs);
    // One that had left its slot to commit is known no more.
    if (type === MAP && requeued) this.graphSync.enterRequeued(job, nowUs);
  }

  override pendingChanged(job: number, type: SlotType, change: number, nowUs: number): void {
    super.pendingChanged(job, type, change, nowUs);
    if (type === MAP && change > 0) this.graphSync.enterRequeued(job, nowUs);
  }

  replicaAdded(block: number): void {
    this.renew(block);
  }

  replicaRemoved(block: number): void {
    this.renew(block);
  }

  whyNotServed(job: number, node: number): "node" | "plan" | "unplanned" {
    const { launcher } = this.parts;
    if (launcher.isSelective && !launcher.accepts(job, MAP, node)) return "node";
    if (this.plan.hasPlaceFor(job)) return "plan";
    return this.graphSync.refused.some((entry) => entry.job === job) ? "node" : "unplanned";
  }

  protected override reconsider(nowUs: number): void {
    if (this.unresponsive.anyBecomesUnresponsive(nowUs)) this.isStale = true;
    if (this.isStale || this.mayChangeWithTime) this.solve(nowUs);
    this.wantNext(nowUs);
  }

  protected override serveMaps(node: number, nowUs: number, slots: number): number {
    if (this.unresponsive.offerReceived(node)) this.changed(nowUs);
    if (this.isStale && nowUs >= this.solvedUs + this.parts.solveEveryUs) {
      this.solve(nowUs);
      this.wantNext(nowUs);
    }
    let launched = 0;
    while (launched < slots && this.serveMap(node)) launched++;
    return launched;
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
    setJobBounds(parts, graph, roster, this.present.list, graphSync.slots);
    const isFeasible = graph.flow.solve();
    assert(isFeasible, "no flow meets the bounds of the jobs");
    plan.take(graph, roster, graphSync.slots);
    if (parts.preempts) this.preemptions.checks++;
    for (const { job, map } of plan.toKill) {
      this.preemptions.slotsWanted++;
      this.preemptions.kills++;
      parts.launcher.kill(graphSync.condemn(job, map, nowUs));
    }
    this.unresponsive.planned(
      nowUs,
      (machine) => plan.awaitedBy(machine) > 0 && parts.heldSlots.freeOn(machine, MAP) > 0,
    );
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
    const job = this.present.list.find((candidate) => this.copyFor(candidate, node) >= 0);
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
    if (!this.parts.pending.isPending(entry.job, entry.map)) return "notYet";
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
const UNRESPONSIVE_AFTER_HEARTBEATS = 3;

/**
 * Updates come that often where nothing else makes Quincy look again: its waits grow, and attempts become old enough to
 * move.
 */
const PERIOD_US = 1_000_000;

/** Quincy or its greedy rival, by policy. All jobs are in one pool. */
export function buildQuincy(spec: SchedulerSpec, around: SchedulerContext): BuiltScheduler {
  assert(spec.quincy !== undefined, "a quincy scheduler without its settings");
  const { policy } = spec.quincy;
  const rules = { isFair: isFair(policy), preempts: preempts(policy) };
  const periodUs = Math.max(PERIOD_US, spec.quincy.solveEveryUs);
  const parts = { ...around, ...spec.quincy, ...rules, periodUs, tasksPerHeartbeat: spec.tasksPerHeartbeat };
  const scheduler = policy.startsWith("G") ? new GreedyScheduler(parts) : new QuincyScheduler(parts);
  return {
    scheduler,
    pools: new Pools(onePool("fair"), around.slots, false),
    users: new Users(),
    hasPools: false,
    poolOf: () => 0,
    preemptions: scheduler.preemptions,
    isHeldBack: () => false,
    waitOf: () => NO_WAIT,
  };
}
