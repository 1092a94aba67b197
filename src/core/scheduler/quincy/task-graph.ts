import { ROOT, UNBOUNDED } from "../../kernel/flow/flow-network.js";
import { MinCostFlow } from "../../kernel/flow/min-cost-flow.js";
import type { Preferences } from "./task-costs.js";

const NONE = -1;

/** Where the flow of a task goes. */
export const UNSCHEDULED = 0;
export const TO_MACHINE = 1;
export const VIA_RACK = 2;
export const VIA_CLUSTER = 3;
/** It stays where it runs. */
export const STAYS = 4;

/**
 * Quincy's flow network. Every task is a node that supplies one unit. From it arcs lead to the machines and racks it
 * prefers, to the cluster, to the unscheduled node of its job and, of one that runs, to where it runs; from the cluster to
 * racks, from racks to machines, from machines and unscheduled nodes to the sink. See docs/schedulers/quincy.md.
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
  /** Of the task that `wayOf` was asked about last. */
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

  /** So many tasks of the job, at least and at most, are to be left unscheduled. */
  setUnscheduled(job: number, least: number, most: number): void {
    this.flow.setBounds(this.unscheduledToSink[job], least, most);
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

  /** What it costs to leave the task unscheduled. */
  setWaitCost(task: number, cost: number): void {
    this.flow.setCost(this.waitArc[task], cost);
  }

  /** What it costs to leave the task where it runs. */
  setRunCost(task: number, cost: number): void {
    this.flow.setCost(this.runArc[task], cost);
  }

  /** Where the task goes by the flow: one of the ways above; `target` is that machine or rack. */
  wayOf(task: number): number {
    const { network } = this.flow;
    let arc = network.firstOut[task];
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
    return this.flow.flowOn(this.toRack[rack]);
  }

  /** Tasks that come to the machine by way of its rack. */
  rackFlow(machine: number): number {
    return this.flow.flowOn(this.toMachine[machine]);
  }
}

/** As a bound of `setUnscheduled`: any number. */
export const ANY_NUMBER = UNBOUNDED;
