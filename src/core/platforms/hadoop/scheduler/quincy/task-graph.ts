import { type JobTable, MAP } from "../../jobs/job-table.js";
import { assert } from "../../../../kernel/index.js";
import type { QuincySpec } from "../../../../scenario/index.js";
import { MinCostFlow, ROOT, UNBOUNDED } from "./min-cost-flow.js";
import type { SchedulerContext } from "../scheduler.js";

/** Costs are whole numbers of these: a thousandth of what reading a gigabyte across one switch costs with weight 1. */
const UNITS = 1000;

const GIBIBYTE = 2 ** 30;

const NONE = -1;

/** The best places for a map and their costs; elsewhere in the cluster it costs `anywhere`. */
interface Preferences {
  readonly machines: readonly number[];
  readonly racks: readonly number[];
  /** By rack in `racks`: the dearest machine there. */
  readonly rackCosts: readonly number[];
  /** The dearest machine of the cluster. */
  readonly anywhere: number;
}

const NOWHERE: Preferences = { machines: [], racks: [], rackCosts: [], anywhere: 0 };

/** Parts of Quincy and its greedy rival: the context, the scenario's settings, and the rules of the policy. */
export interface QuincyParts extends SchedulerContext, QuincySpec {
  /** No job launches maps beyond its share. */
  readonly isFair: boolean;
  /** Maps beyond it are killed for jobs below theirs. */
  readonly preempts: boolean;
  /** Updates come at multiples of it, where they are wanted. */
  readonly periodUs: number;
  /** Over both types; Infinity = unlimited. */
  readonly tasksPerHeartbeat: number;
}

/**
 * The cost of moving the input of maps: bytes across rack switches and across the core, each with its weight (Quincy
 * section 4.1).
 */
export class TaskCosts {
  constructor(private readonly parts: QuincyParts) {}

  preferences(job: number, map: number): Preferences {
    const block = this.blockOf(job, map);
    if (block < 0) return NOWHERE;
    const { store, topology } = this.parts;
    const inRack = this.inRack(job, map);
    const machines = [...store.nodesOf(block)].sort(ascending);
    const racks = [...new Set(machines.map((machine) => topology.rackOf[machine]))].sort(ascending);
    const rackCosts = racks.map((rack) => {
      const holders = machines.filter((machine) => topology.rackOf[machine] === rack).length;
      return holders === topology.rackStart[rack + 1] - topology.rackStart[rack] ? 0 : inRack;
    });
    const anywhere = racks.length < topology.racks ? this.offRack(job, map) : Math.max(0, ...rackCosts);
    return { machines, racks, rackCosts, anywhere };
  }

  /** On that machine. */
  on(job: number, map: number, machine: number): number {
    const { store, topology } = this.parts;
    const block = this.blockOf(job, map);
    if (block < 0 || store.holdsOn(block, machine)) return 0;
    return store.holdsInRack(block, topology.rackOf[machine]) ? this.inRack(job, map) : this.offRack(job, map);
  }

  /** The block that the map reads, -1: none. */
  private blockOf(job: number, map: number): number {
    const first = this.parts.jobs.firstBlock[job];
    return first < 0 ? NONE : first + map;
  }

  private inRack(job: number, map: number): number {
    return this.costOf(job, map, this.parts.rackCost);
  }

  private offRack(job: number, map: number): number {
    return this.inRack(job, map) + this.costOf(job, map, this.parts.coreCost);
  }

  private costOf(job: number, map: number, perGigabyte: number): number {
    return Math.round(((UNITS * this.parts.inputBytesOf(job, map)) / GIBIBYTE) * perGigabyte);
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}

/** States of a map. Those that wait, run loose or are dying are in the graph. */
const ABSENT = 0;

const WAITING = 1;

/** It runs and cannot be moved. */
const PINNED = 2;

/** It runs and may be moved. */
export const LOOSE = 3;

/** It runs and has been ordered to be killed; then it waits. */
const DYING = 4;

/** It waits, and a node that it was planned for refused it. It goes to the first node that accepts it. */
const REFUSED = 5;

/** The maps of one job, by their numbers. */
interface JobMaps {
  readonly state: Uint8Array;
  /** Its number in the graph, -1: it is not there. */
  readonly taskOf: Int32Array;
  /** The slot where it is known to run, -1: none. */
  readonly attemptOf: Int32Array;
  readonly launchUs: Float64Array;
  /** 1: a node has refused it once, so it is not moved once it runs. */
  readonly wasRefused: Uint8Array;
  /** Time that it waited before its present wait, and the start of its present wait. */
  readonly waitedUs: Float64Array;
  readonly sinceUs: Float64Array;
  /** Number of maps in the graph, and the number of these that held a slot when the graph was priced. */
  inGraph: number;
  heldSlots: number;
}

/** The maps of the jobs that are set up: their states, the slots of running ones, and their waiting times. */
export class TaskRoster {
  /** By job. */
  private readonly maps: (JobMaps | undefined)[] = [];
  /** By number in the graph. */
  readonly jobOf: number[] = [];
  readonly mapOf: number[] = [];
  /** Those in the graph, in no special order, and where each is there. */
  readonly listed: number[] = [];
  private readonly listedAt: number[] = [];

  constructor(private readonly jobs: JobTable) {}

  open(job: number): JobMaps {
    const maps = this.jobs.total[MAP][job];
    const opened: JobMaps = {
      state: new Uint8Array(maps),
      taskOf: new Int32Array(maps).fill(NONE),
      attemptOf: new Int32Array(maps).fill(NONE),
      launchUs: new Float64Array(maps),
      wasRefused: new Uint8Array(maps),
      waitedUs: new Float64Array(maps),
      sinceUs: new Float64Array(maps),
      inGraph: 0,
      heldSlots: 0,
    };
    this.maps[job] = opened;
    return opened;
  }

  close(job: number): void {
    this.maps[job] = undefined;
  }

  /** Resets `heldSlots` before it is counted anew. */
  forgetHeld(): void {
    for (const maps of this.maps) if (maps !== undefined) maps.heldSlots = 0;
  }

  has(job: number): boolean {
    return this.maps[job] !== undefined;
  }

  mapsOf(job: number): JobMaps {
    const maps = this.maps[job];
    assert(maps !== undefined, "the job has no roster");
    return maps;
  }

  /**
   * It runs and is held there. One that was refused stays: it would go back to where it is refused, and be killed for
   * nothing.
   */
  mayMove(job: number, map: number): boolean {
    const { state, wasRefused } = this.mapsOf(job);
    return state[map] === PINNED && wasRefused[map] === 0;
  }

  list(task: number, job: number, map: number): void {
    const maps = this.mapsOf(job);
    maps.taskOf[map] = task;
    maps.inGraph++;
    this.jobOf[task] = job;
    this.mapOf[task] = map;
    this.listedAt[task] = this.listed.push(task) - 1;
  }

  unlist(task: number): void {
    const maps = this.mapsOf(this.jobOf[task]);
    maps.taskOf[this.mapOf[task]] = NONE;
    maps.inGraph--;
    const last = this.listed.pop();
    assert(last !== undefined, "no task is in the graph");
    if (last === task) return;
    this.listed[this.listedAt[task]] = last;
    this.listedAt[last] = this.listedAt[task];
  }
}

/** Destinations of a task's flow. */
export const UNSCHEDULED = 0;

export const TO_MACHINE = 1;

export const VIA_RACK = 2;

const VIA_CLUSTER = 3;

/** It stays where it runs. */
export const STAYS = 4;

/**
 * Quincy's flow network. Every task is a node that supplies one unit. From it arcs lead to the machines and racks it
 * prefers, to the cluster, to the unscheduled node of its job and, of one that runs, to where it runs; from the cluster
 * to racks, from racks to machines, from machines and unscheduled nodes to the sink. See docs/schedulers/quincy.md.
 */
export class TaskGraph {
  readonly flow = new MinCostFlow();
  private readonly cluster: number;
  private readonly firstRack: number;
  private readonly firstMachine: number;
  /** By rack, and by machine: the arcs from the cluster, from the rack, and to the sink. */
  private readonly toRack: Int32Array;
  private readonly toMachine: Int32Array;
  private readonly toSink: Int32Array;
  /** By job: its unscheduled node, and the arc from there to the sink. */
  private readonly unscheduled: number[] = [];
  private readonly unscheduledToSink: number[] = [];
  /** By task: its arc to the unscheduled node, and the one to where it runs. */
  private readonly waitArc: number[] = [];
  private readonly runArc: number[] = [];
  /** The target of the task in the last call of `wayOf`. */
  target = NONE;

  /** No machine has a slot yet. */
  constructor(rackOf: Int32Array, racks: number) {
    const { flow } = this;
    const machines = rackOf.length;
    this.cluster = flow.addNode(0);
    this.firstRack = this.cluster + 1;
    this.firstMachine = this.firstRack + racks;
    for (let node = 0; node < racks + machines; node++) flow.addNode(0);
    this.toSink = Int32Array.from(rackOf, (_, m) => flow.addArc(this.firstMachine + m, ROOT, 0, 0, 0));
    this.toMachine = Int32Array.from(rackOf, (rack, m) => flow.addArc(this.firstRack + rack, this.firstMachine + m, 0));
    this.toRack = Int32Array.from({ length: racks }, (_, r) => flow.addArc(this.cluster, this.firstRack + r, 0));
    for (const arc of this.toSink) flow.startWith(arc);
    for (let rack = 0; rack < racks; rack++) {
      const machine = rackOf.indexOf(rack);
      if (machine >= 0) flow.startWith(this.toMachine[machine]);
    }
    flow.startWith(this.toRack[rackOf[0]]);
  }

  setSlots(machine: number, slots: number): void {
    this.flow.setBounds(this.toSink[machine], 0, slots);
  }

  addJob(job: number): void {
    const { flow } = this;
    this.unscheduled[job] = flow.addNode(0);
    this.unscheduledToSink[job] = flow.addArc(this.unscheduled[job], ROOT, 0);
    flow.startWith(this.unscheduledToSink[job]);
  }

  /** Its tasks have gone before. */
  removeJob(job: number): void {
    this.flow.removeNode(this.unscheduled[job]);
  }

  /** Sets the least and the greatest number of the job's tasks that are to be left unscheduled. */
  setUnscheduled(job: number, least: number, greatest: number): void {
    this.flow.setBounds(this.unscheduledToSink[job], least, greatest);
  }

  /** @param machine where it runs, -1: nowhere. Returns the number of the task. */
  addTask(job: number, preferences: Preferences, machine = NONE): number {
    const { flow } = this;
    const { machines, racks, rackCosts, anywhere } = preferences;
    const task = flow.addNode(1);
    this.waitArc[task] = flow.addArc(task, this.unscheduled[job], 0);
    flow.addArc(task, this.cluster, anywhere);
    for (let i = 0; i < racks.length; i++) flow.addArc(task, this.firstRack + racks[i], rackCosts[i]);
    for (const preferred of machines) flow.addArc(task, this.firstMachine + preferred, 0);
    this.runArc[task] = machine < 0 ? NONE : flow.addArc(task, this.firstMachine + machine, 0);
    flow.startWith(machine < 0 ? this.waitArc[task] : this.runArc[task]);
    return task;
  }

  removeTask(task: number): void {
    this.flow.removeNode(task);
  }

  /** Sets the cost of leaving the task unscheduled. */
  setWaitCost(task: number, cost: number): void {
    this.flow.cost[this.waitArc[task]] = cost;
  }

  /** Sets the cost of leaving the task where it runs. */
  setRunCost(task: number, cost: number): void {
    this.flow.cost[this.runArc[task]] = cost;
  }

  /** Returns the destination of the task by the flow: one of the ways above; `target` is that machine or rack. */
  wayOf(task: number): number {
    const { flow: network } = this;
    let arc = network.tree.firstOut[task];
    while (network.flow[arc] === 0) arc = network.nextOut[arc];
    const node = network.to[arc];
    if (arc === this.waitArc[task]) return UNSCHEDULED;
    if (arc === this.runArc[task]) return STAYS;
    if (node === this.cluster) return VIA_CLUSTER;
    const isRack = node < this.firstMachine;
    this.target = node - (isRack ? this.firstRack : this.firstMachine);
    return isRack ? VIA_RACK : TO_MACHINE;
  }

  /** Tasks that come to the rack by way of the cluster. */
  clusterFlow(rack: number): number {
    return this.flow.flow[this.toRack[rack]];
  }

  /** Tasks that come to the machine by way of its rack. */
  rackFlow(machine: number): number {
    return this.flow.flow[this.toMachine[machine]];
  }
}

/** As a bound of `setUnscheduled`: any number. */
const ANY_NUMBER = UNBOUNDED;

/** Longest time that costs go on growing, in units: a task that has waited for 11 days waits long enough. */
const MOST_UNITS = 1e9;

const US_PER_UNIT = 1_000_000 / UNITS;

interface GraphSyncParts extends QuincyParts {
  readonly graph: TaskGraph;
  readonly roster: TaskRoster;
  readonly costs: TaskCosts;
  /** The free slots of the machine are not to be planned for. */
  readonly isUnresponsive: (machine: number) => boolean;
}

/** A map by its job. */
export interface MapOfJob {
  readonly job: number;
  readonly map: number;
}

interface Arrival extends MapOfJob {
  readonly attempt: number;
  readonly launchUs: number;
  readonly isReported: boolean;
}

/** Brings the graph up to date with what waits, runs and is free, as the master knows it, and with the time. */
export class GraphSync {
  /** Maps that run but cannot be moved yet. */
  pinned = 0;
  /** Slots that the graph may fill or leave filled. */
  slots = 0;
  /** Maps that some node refused; of those that were launched since, the next sync hears. */
  readonly refused: MapOfJob[] = [];
  /** By attempt id: the map that is known to run there, and when it was last seen there. */
  private readonly jobAt: Int32Array;
  private readonly mapAt: Int32Array;
  private readonly seenAt: Float64Array;
  private syncs = 0;
  /** By machine. */
  private readonly slotsOf: Int32Array;
  private readonly slotsBefore: Int32Array;
  private readonly toLoosen: number[] = [];
  private readonly arrivals: Arrival[] = [];
  private readonly gone: MapOfJob[] = [];

  constructor(private readonly parts: GraphSyncParts) {
    const { heldSlots, topology } = parts;
    this.jobAt = new Int32Array(heldSlots.slotCount).fill(NONE);
    this.mapAt = new Int32Array(heldSlots.slotCount);
    this.seenAt = new Float64Array(heldSlots.slotCount);
    this.slotsOf = new Int32Array(topology.nodes);
    this.slotsBefore = new Int32Array(topology.nodes);
  }

  /** All maps of the job begin to wait. */
  enter(job: number, nowUs: number): void {
    const { roster, graph } = this.parts;
    const { state } = roster.open(job);
    graph.addJob(job);
    for (let map = 0; map < state.length; map++) this.beginWaiting(job, map, nowUs);
  }

  /** The job is about to go. */
  leave(job: number): void {
    const { roster, graph } = this.parts;
    const { taskOf } = roster.mapsOf(job);
    for (let attempt = 0; attempt < this.jobAt.length; attempt++)
      if (this.jobAt[attempt] === job) this.jobAt[attempt] = NONE;
    for (const task of taskOf) {
      if (task < 0) continue;
      roster.unlist(task);
      graph.removeTask(task);
    }
    const kept = this.refused.filter((entry) => entry.job !== job);
    this.refused.splice(0, this.refused.length, ...kept);
    graph.removeJob(job);
    roster.close(job);
  }

  /** Maps of the job that had finished, or left their slots to commit, may wait again. */
  enterRequeued(job: number, nowUs: number): void {
    const { roster, pending } = this.parts;
    const { state } = roster.mapsOf(job);
    for (let map = 0; map < state.length; map++) {
      if (state[map] === ABSENT && pending.isPending(job, map)) this.beginWaiting(job, map, nowUs);
    }
  }

  /** The replicas of the map's block are other ones. */
  renew(job: number, map: number): void {
    const { roster } = this.parts;
    const { state, taskOf } = roster.mapsOf(job);
    if (taskOf[map] < 0) return;
    const before = state[map];
    this.takeOut(job, map);
    this.putIn(job, map, before);
  }

  sync(nowUs: number): void {
    this.syncs++;
    this.lookRound();
    this.settleGone();
    for (const arrival of this.arrivals) this.settleArrival(arrival);
    for (const { job, map } of this.gone) this.settleRequeued(job, map, nowUs);
    for (const attempt of this.toLoosen) this.loosen(attempt);
    this.dropFinished();
    this.price(nowUs);
    this.setSlots();
  }

  /** The node refused the map that was planned for it. */
  refuse(job: number, map: number): void {
    this.takeOut(job, map);
    const { state, wasRefused } = this.parts.roster.mapsOf(job);
    state[map] = REFUSED;
    wasRefused[map] = 1;
    this.refused.push({ job, map });
  }

  /** The map that runs loose has been ordered to be killed; returns its attempt id. */
  condemn(job: number, map: number, nowUs: number): number {
    const maps = this.parts.roster.mapsOf(job);
    this.takeOut(job, map);
    this.putIn(job, map, DYING);
    maps.sinceUs[map] = nowUs;
    return maps.attemptOf[map];
  }

  /** Compares what holds slots with what is known to. */
  private lookRound(): void {
    const { heldSlots, roster, preempts } = this.parts;
    const { jobAt, mapAt, seenAt, syncs, arrivals, toLoosen } = this;
    arrivals.length = 0;
    toLoosen.length = 0;
    heldSlots.forEach(MAP, (attempt, job, map, _node, launchUs, isReported) => {
      const isKnown = jobAt[attempt] === job && mapAt[attempt] === map && roster.mapsOf(job).launchUs[map] === launchUs;
      if (!isKnown) arrivals.push({ attempt, job, map, launchUs, isReported });
      else {
        seenAt[attempt] = syncs;
        if (preempts && isReported && roster.mayMove(job, map)) toLoosen.push(attempt);
      }
    });
  }

  /** Applies the end of tasks that were known to run and do not run there any more. */
  private settleGone(): void {
    const { roster } = this.parts;
    const { jobAt, mapAt, seenAt, syncs, gone } = this;
    gone.length = 0;
    for (let attempt = 0; attempt < jobAt.length; attempt++) {
      const job = jobAt[attempt];
      if (job < 0 || seenAt[attempt] === syncs) continue;
      const map = mapAt[attempt];
      const maps = roster.mapsOf(job);
      jobAt[attempt] = NONE;
      maps.attemptOf[map] = NONE;
      if (maps.state[map] === PINNED) this.pinned--;
      // One that was to be killed waits in the graph already.
      if (maps.state[map] !== DYING) {
        this.takeOut(job, map);
        maps.state[map] = ABSENT;
      }
      gone.push({ job, map });
    }
  }

  private settleArrival({ attempt, job, map, launchUs, isReported }: Arrival): void {
    const maps = this.parts.roster.mapsOf(job);
    // A second attempt of a map that is known to run elsewhere.
    if (maps.attemptOf[map] !== NONE) return;
    if (maps.state[map] === WAITING || maps.state[map] === DYING) {
      maps.waitedUs[map] += Math.max(0, launchUs - maps.sinceUs[map]);
      this.takeOut(job, map);
    }
    maps.state[map] = PINNED;
    this.pinned++;
    maps.attemptOf[map] = attempt;
    maps.launchUs[map] = launchUs;
    this.jobAt[attempt] = job;
    this.mapAt[attempt] = map;
    if (this.parts.preempts && isReported && this.parts.roster.mayMove(job, map)) this.toLoosen.push(attempt);
  }

  private settleRequeued(job: number, map: number, nowUs: number): void {
    const { roster, pending } = this.parts;
    const { state } = roster.mapsOf(job);
    if (state[map] === DYING) state[map] = WAITING;
    else if (state[map] === ABSENT && pending.isPending(job, map)) this.beginWaiting(job, map, nowUs);
  }

  private loosen(attempt: number): void {
    this.pinned--;
    this.putIn(this.jobAt[attempt], this.mapAt[attempt], LOOSE);
  }

  /** Removes maps that waited and may have been launched and finished since. */
  private dropFinished(): void {
    const { roster, pending } = this.parts;
    const { listed, jobOf, mapOf } = roster;
    for (let i = listed.length - 1; i >= 0; i--) {
      const job = jobOf[listed[i]];
      const map = mapOf[listed[i]];
      const { state } = roster.mapsOf(job);
      if (state[map] !== WAITING || pending.isPending(job, map)) continue;
      this.takeOut(job, map);
      state[map] = ABSENT;
    }
    const kept = this.refused.filter(({ job, map }) => roster.mapsOf(job).state[map] === REFUSED);
    this.refused.length = 0;
    for (const { job, map } of kept) {
      if (pending.isPending(job, map)) this.refused.push({ job, map });
      else roster.mapsOf(job).state[map] = ABSENT;
    }
  }

  private price(nowUs: number): void {
    const { graph, roster, costs, waitCost, heldSlots, topology } = this.parts;
    const { listed, jobOf, mapOf } = roster;
    const { slotsOf } = this;
    for (let node = 0; node < slotsOf.length; node++) {
      slotsOf[node] = this.parts.isUnresponsive(node) ? 0 : heldSlots.freeOn(node, MAP);
    }
    roster.forgetHeld();
    for (const task of listed) {
      const job = jobOf[task];
      const map = mapOf[task];
      const maps = roster.mapsOf(job);
      const { state, waitedUs, sinceUs, launchUs, attemptOf } = maps;
      const spellUs = state[map] === LOOSE ? 0 : nowUs - sinceUs[map];
      const waited = ((waitedUs[map] + spellUs) / US_PER_UNIT) * waitCost;
      // One more, so that a map that has just begun to wait prefers a machine that costs nothing.
      graph.setWaitCost(task, 1 + Math.min(MOST_UNITS, Math.floor(waited)));
      if (attemptOf[map] < 0) continue;
      const node = topology.nodeOfSlot[attemptOf[map]];
      slotsOf[node]++;
      maps.heldSlots++;
      if (state[map] !== LOOSE) continue;
      const ran = Math.min(MOST_UNITS, Math.floor((nowUs - launchUs[map]) / US_PER_UNIT));
      graph.setRunCost(task, costs.on(job, map, node) - ran);
    }
  }

  private setSlots(): void {
    const { slotsOf, slotsBefore } = this;
    this.slots = 0;
    for (let node = 0; node < slotsOf.length; node++) {
      this.slots += slotsOf[node];
      if (slotsOf[node] === slotsBefore[node]) continue;
      slotsBefore[node] = slotsOf[node];
      this.parts.graph.setSlots(node, slotsOf[node]);
    }
  }

  private beginWaiting(job: number, map: number, nowUs: number): void {
    const maps = this.parts.roster.mapsOf(job);
    maps.sinceUs[map] = nowUs;
    this.putIn(job, map, WAITING);
  }

  private putIn(job: number, map: number, state: number): void {
    const { graph, roster, costs, topology } = this.parts;
    const maps = roster.mapsOf(job);
    const machine = state === LOOSE ? topology.nodeOfSlot[maps.attemptOf[map]] : NONE;
    maps.state[map] = state;
    roster.list(graph.addTask(job, costs.preferences(job, map), machine), job, map);
  }

  private takeOut(job: number, map: number): void {
    const { graph, roster } = this.parts;
    const maps = roster.mapsOf(job);
    const task = maps.taskOf[map];
    if (task < 0) return;
    roster.unlist(task);
    graph.removeTask(task);
  }
}

/**
 * Shares out slots evenly: no share exceeds its demand, the rest goes to the others, and of slots that cannot be split
 * evenly the earlier get one more. Returns the shares in the order of the demands.
 */
export function evenShares(demands: readonly number[], slots: number): number[] {
  const shares = demands.map(() => 0);
  const byDemand = demands.map((_, i) => i).sort((a, b) => demands[a] - demands[b] || a - b);
  let slotsLeft = slots;
  let sharersLeft = demands.length;
  let even = 0;
  for (const i of byDemand) {
    even = Math.floor(slotsLeft / sharersLeft);
    if (demands[i] > even) break;
    shares[i] = demands[i];
    slotsLeft -= demands[i];
    sharersLeft--;
  }
  if (sharersLeft === 0) return shares;
  let odd = slotsLeft - even * sharersLeft;
  for (let i = 0; i < demands.length; i++) {
    if (demands[i] <= even) continue;
    shares[i] = even + (odd > 0 ? 1 : 0);
    odd--;
  }
  return shares;
}

/**
 * Sets the bounds on the running maps of each job, least and greatest: E and F of the paper (section 4.3). F is the
 * job's even share of the slots, E is 1. Maps that run and cannot be moved count for both, without a contradiction: a
 * job that already runs more than F gets nothing, and a job that gets nothing for lack of slots is owed nothing.
 * @param list the jobs, in order of submission. @param slots that the graph may fill or leave filled.
 */
export function setJobBounds(
  { jobs, isFair }: QuincyParts,
  graph: TaskGraph,
  roster: TaskRoster,
  list: readonly number[],
  slots: number,
): void {
  if (!isFair) {
    for (const job of list) graph.setUnscheduled(job, 0, ANY_NUMBER);
    return;
  }
  const outside = list.map((job) => jobs.running[MAP][job] - roster.mapsOf(job).heldSlots);
  const demands = list.map((job, i) => roster.mapsOf(job).inGraph + outside[i]);
  const totalSlots = outside.reduce((sum, count) => sum + count, slots);
  const shares = evenShares(demands, totalSlots);
  let slotsLeft = slots;
  list.forEach((job, i) => {
    const { inGraph } = roster.mapsOf(job);
    const greatest = Math.min(inGraph, Math.max(0, shares[i] - outside[i]));
    const least = Math.min(greatest, slotsLeft, Math.max(0, 1 - outside[i]));
    slotsLeft -= least;
    graph.setUnscheduled(job, inGraph - greatest, inGraph - least);
  });
}
