import { MAP, type JobTable } from "../../jobs/job-table.js";
import type { Topology } from "../../cluster/topology.js";
import type { HeldSlots } from "../held-slots.js";
import type { TaskCosts } from "./task-costs.js";
import { UNITS } from "./task-costs.js";
import type { TaskGraph } from "./task-graph.js";
import { ABSENT, DYING, LOOSE, PINNED, REFUSED, WAITING, type TaskRoster } from "./task-roster.js";

const NONE = -1;
/** Longest time that costs go on growing, in units: a task that has waited for 11 days waits long enough. */
const MOST_UNITS = 1e9;
const US_PER_UNIT = 1_000_000 / UNITS;

export interface GraphSyncParts {
  readonly jobs: JobTable;
  readonly heldSlots: HeldSlots;
  readonly topology: Topology;
  readonly graph: TaskGraph;
  readonly roster: TaskRoster;
  readonly costs: TaskCosts;
  readonly preempts: boolean;
  /** Per second unscheduled. */
  readonly waitCost: number;
  /** The free slots of the machine are not to be planned for. */
  readonly isMute: (machine: number) => boolean;
}

interface Arrival {
  readonly place: number;
  readonly job: number;
  readonly map: number;
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
  readonly refused: { readonly job: number; readonly map: number }[] = [];
  /** By place: the map that is known to run there, and when it was last seen there. */
  private readonly jobAt: Int32Array;
  private readonly mapAt: Int32Array;
  private readonly seenAt: Float64Array;
  private readonly nodeAt: Int32Array;
  private syncs = 0;
  /** By machine. */
  private readonly slotsOf: Int32Array;
  private readonly slotsBefore: Int32Array;
  private readonly toLoosen: number[] = [];
  private readonly arrivals: Arrival[] = [];
  private readonly gone: { readonly job: number; readonly map: number }[] = [];

  constructor(private readonly parts: GraphSyncParts) {
    const { heldSlots, topology } = parts;
    this.jobAt = new Int32Array(heldSlots.places).fill(NONE);
    this.mapAt = new Int32Array(heldSlots.places);
    this.seenAt = new Float64Array(heldSlots.places);
    this.nodeAt = nodesOfPlaces(topology, heldSlots.places);
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
    const { taskOf } = roster.of(job);
    for (let place = 0; place < this.jobAt.length; place++) if (this.jobAt[place] === job) this.jobAt[place] = NONE;
    for (const task of taskOf) {
      if (task < 0) continue;
      roster.unlist(task);
      graph.removeTask(task);
    }
    const left = this.refused.filter((other) => other.job !== job);
    this.refused.splice(0, this.refused.length, ...left);
    graph.removeJob(job);
    roster.close(job);
  }

  /** Maps of the job that had finished, or left their slots to commit, may wait again. */
  enterReturned(job: number, nowUs: number): void {
    const { roster } = this.parts;
    const { state } = roster.of(job);
    for (let map = 0; map < state.length; map++) {
      if (state[map] === ABSENT && roster.isPending(job, map)) this.beginWaiting(job, map, nowUs);
    }
  }

  /** The replicas of the map's block are other ones. */
  renew(job: number, map: number): void {
    const { roster } = this.parts;
    const { state, taskOf } = roster.of(job);
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
    for (const { job, map } of this.gone) this.settleReturned(job, map, nowUs);
    for (const place of this.toLoosen) this.loosen(place);
    this.dropFinished();
    this.price(nowUs);
    this.setSlots();
  }

  /** The node refused the map that was planned for it. */
  refuse(job: number, map: number): void {
    this.takeOut(job, map);
    const { state, wasRefused } = this.parts.roster.of(job);
    state[map] = REFUSED;
    wasRefused[map] = 1;
    this.refused.push({ job, map });
  }

  /** The map that runs loose has been ordered to be killed; returns its place. */
  condemn(job: number, map: number, nowUs: number): number {
    const maps = this.parts.roster.of(job);
    this.takeOut(job, map);
    this.putIn(job, map, DYING);
    maps.sinceUs[map] = nowUs;
    return maps.placeOf[map];
  }

  /** Compares what holds slots with what is known to. */
  private lookRound(): void {
    const { heldSlots, roster, preempts } = this.parts;
    const { jobAt, mapAt, seenAt, syncs, arrivals, toLoosen } = this;
    arrivals.length = 0;
    toLoosen.length = 0;
    heldSlots.forEach(MAP, (place, job, map, _node, launchUs, isReported) => {
      const isKnown = jobAt[place] === job && mapAt[place] === map && roster.of(job).launchUs[map] === launchUs;
      if (!isKnown) arrivals.push({ place, job, map, launchUs, isReported });
      else {
        seenAt[place] = syncs;
        if (preempts && isReported && roster.mayMove(job, map)) toLoosen.push(place);
      }
    });
  }

  /** What was known to run and is no more where it ran. */
  private settleGone(): void {
    const { roster } = this.parts;
    const { jobAt, mapAt, seenAt, syncs, gone } = this;
    gone.length = 0;
    for (let place = 0; place < jobAt.length; place++) {
      const job = jobAt[place];
      if (job < 0 || seenAt[place] === syncs) continue;
      const map = mapAt[place];
      const maps = roster.of(job);
      jobAt[place] = NONE;
      maps.placeOf[map] = NONE;
      if (maps.state[map] === PINNED) this.pinned--;
      // One that was to be killed waits in the graph already.
      if (maps.state[map] !== DYING) {
        this.takeOut(job, map);
        maps.state[map] = ABSENT;
      }
      gone.push({ job, map });
    }
  }

  private settleArrival({ place, job, map, launchUs, isReported }: Arrival): void {
    const maps = this.parts.roster.of(job);
    // A second attempt of a map that is known to run elsewhere.
    if (maps.placeOf[map] !== NONE) return;
    if (maps.state[map] === WAITING || maps.state[map] === DYING) {
      maps.waitedUs[map] += Math.max(0, launchUs - maps.sinceUs[map]);
      this.takeOut(job, map);
    }
    maps.state[map] = PINNED;
    this.pinned++;
    maps.placeOf[map] = place;
    maps.launchUs[map] = launchUs;
    this.jobAt[place] = job;
    this.mapAt[place] = map;
    if (this.parts.preempts && isReported && this.parts.roster.mayMove(job, map)) this.toLoosen.push(place);
  }

  private settleReturned(job: number, map: number, nowUs: number): void {
    const { roster } = this.parts;
    const { state } = roster.of(job);
    if (state[map] === DYING) state[map] = WAITING;
    else if (state[map] === ABSENT && roster.isPending(job, map)) this.beginWaiting(job, map, nowUs);
  }

  private loosen(place: number): void {
    this.pinned--;
    this.putIn(this.jobAt[place], this.mapAt[place], LOOSE);
  }

  /** What waited may have been launched and finished since. */
  private dropFinished(): void {
    const { roster } = this.parts;
    const { listed, jobOf, mapOf } = roster;
    for (let i = listed.length - 1; i >= 0; i--) {
      const job = jobOf[listed[i]];
      const map = mapOf[listed[i]];
      const { state } = roster.of(job);
      if (state[map] !== WAITING || roster.isPending(job, map)) continue;
      this.takeOut(job, map);
      state[map] = ABSENT;
    }
    const left = this.refused.filter(({ job, map }) => roster.of(job).state[map] === REFUSED);
    this.refused.length = 0;
    for (const { job, map } of left) {
      if (roster.isPending(job, map)) this.refused.push({ job, map });
      else roster.of(job).state[map] = ABSENT;
    }
  }

  private price(nowUs: number): void {
    const { graph, roster, costs, waitCost, jobs, heldSlots } = this.parts;
    const { listed, jobOf, mapOf } = roster;
    const { slotsOf } = this;
    for (let node = 0; node < slotsOf.length; node++) {
      slotsOf[node] = this.parts.isMute(node) ? 0 : heldSlots.freeOn(node, MAP);
    }
    roster.forgetHeld();
    for (const task of listed) {
      const job = jobOf[task];
      const map = mapOf[task];
      const maps = roster.of(job);
      const { state, waitedUs, sinceUs, launchUs, placeOf } = maps;
      const spellUs = state[map] === LOOSE ? 0 : nowUs - sinceUs[map];
      const waited = ((waitedUs[map] + spellUs) / US_PER_UNIT) * waitCost;
      // One more, so that a map that has just begun to wait prefers a machine that costs nothing.
      graph.setWaitCost(task, 1 + Math.min(MOST_UNITS, Math.floor(waited)));
      if (placeOf[map] < 0) continue;
      const node = this.nodeAt[placeOf[map]];
      slotsOf[node]++;
      maps.held++;
      if (state[map] !== LOOSE) continue;
      const block = jobs.firstBlock[job] < 0 ? NONE : jobs.firstBlock[job] + map;
      const ran = Math.min(MOST_UNITS, Math.floor((nowUs - launchUs[map]) / US_PER_UNIT));
      graph.setRunCost(task, costs.on(block, node) - ran);
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
    const maps = this.parts.roster.of(job);
    maps.sinceUs[map] = nowUs;
    this.putIn(job, map, WAITING);
  }

  private putIn(job: number, map: number, state: number): void {
    const { graph, roster, costs, jobs } = this.parts;
    const maps = roster.of(job);
    const block = jobs.firstBlock[job] < 0 ? NONE : jobs.firstBlock[job] + map;
    const machine = state === LOOSE ? this.nodeAt[maps.placeOf[map]] : NONE;
    maps.state[map] = state;
    roster.list(graph.addTask(job, costs.preferences(block), machine), job, map);
  }

  private takeOut(job: number, map: number): void {
    const { graph, roster } = this.parts;
    const maps = roster.of(job);
    const task = maps.taskOf[map];
    if (task < 0) return;
    roster.unlist(task);
    graph.removeTask(task);
  }
}

/** By place, the node that it is on. */
function nodesOfPlaces({ nodes, slotStart, mapSlots, reduceSlots }: Topology, places: number): Int32Array {
  const nodeAt = new Int32Array(places);
  for (let node = 0; node < nodes; node++) {
    nodeAt.fill(node, slotStart[node], slotStart[node] + mapSlots[node] + reduceSlots[node]);
  }
  return nodeAt;
}
