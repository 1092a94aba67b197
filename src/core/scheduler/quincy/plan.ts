import type { Topology } from "../../cluster/topology.js";
import { STAYS, TO_MACHINE, UNSCHEDULED, VIA_RACK, type TaskGraph } from "./task-graph.js";
import { LOOSE, type TaskRoster } from "./task-roster.js";

/** A map by its job. */
export interface MapOfJob {
  readonly job: number;
  readonly map: number;
}

/** Whether a map may be launched on the node now: it may, it may not yet, or never by this plan. */
export type Readiness = "ready" | "notYet" | "never";

/**
 * What the last solve decided and has not been done: maps for machines; maps for a rack or the cluster, whichever of the
 * machines that await so many is heard first; and what is to be killed for that.
 */
export class Plan {
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

  /** Reads the flow, which may fill so many slots. */
  take(graph: TaskGraph, roster: TaskRoster, slots: number): void {
    const { topology, ofMachine, ofRack, toKill } = this;
    this.clear();
    for (const task of roster.listed) {
      const way = graph.wayOf(task);
      if (way === STAYS) continue;
      const entry = { job: roster.jobOf[task], map: roster.mapOf[task] };
      if (roster.of(entry.job).state[entry.map] === LOOSE) toKill.push(entry);
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
    const own = takeReady(this.ofMachine[machine], readiness);
    if (own !== null || this.viaRack[machine] === 0) return own;
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
      const left = entries.filter((entry) => entry.job !== job);
      if (left.length < entries.length) entries.splice(0, entries.length, ...left);
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
    const found = readiness(entry);
    if (found !== "notYet") entries.splice(i, 1);
    else i++;
    if (found === "ready") return entry;
  }
  return null;
}
