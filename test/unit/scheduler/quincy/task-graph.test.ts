import { describe, expect, it } from "vitest";
import {
  STAYS,
  TaskGraph,
  TO_MACHINE,
  UNSCHEDULED,
  VIA_CLUSTER,
  VIA_RACK,
} from "../../../../dist/core/platforms/hadoop/index.js";

/**
 * Machines 0 and 1 in rack 0, machine 2 in rack 1; a gigabyte costs 1 in the rack and 3 beyond it:
 * docs/schedulers/quincy.md.
 */
function threeMachines(slots = [1, 1, 1]) {
  const graph = new TaskGraph(Int32Array.from([0, 0, 1]), 2);
  slots.forEach((count, machine) => graph.setSlots(machine, count));
  graph.addJob(0);
  return graph;
}

const onRack0 = (...machines: number[]) => ({ machines, racks: [0], rackCosts: [1000], anywhere: 3000 });

function wayOf(graph: TaskGraph, task: number) {
  const way = graph.wayOf(task);
  return way === TO_MACHINE || way === VIA_RACK ? [way, graph.target] : [way];
}

describe("the flow network of Quincy", () => {
  it("leaves one of three maps of two machines waiting, until the way off the rack is cheaper", () => {
    const graph = threeMachines();
    const [a, b, c] = [onRack0(0), onRack0(0, 1), onRack0(1)].map((where) => graph.addTask(0, where));
    const tasks = [a!, b!, c!];
    for (const task of tasks) graph.setWaitCost(task, 2001);
    expect(graph.flow.solve()).toBe(true);
    expect(graph.flow.totalCost()).toBe(2001);
    expect(tasks.filter((task) => graph.wayOf(task) === UNSCHEDULED)).toHaveLength(1);
    for (const task of tasks) graph.setWaitCost(task, 3001);
    graph.flow.solve();
    expect(graph.flow.totalCost()).toBe(3000);
    expect(tasks.filter((task) => graph.wayOf(task) === VIA_CLUSTER)).toHaveLength(1);
    expect(graph.clusterFlow(1)).toBe(1);
    expect(graph.rackFlow(2)).toBe(1);
    const d = graph.addTask(0, { machines: [2], racks: [1], rackCosts: [0], anywhere: 3000 });
    graph.setWaitCost(d, 1);
    for (const task of tasks) graph.setWaitCost(task, 2001);
    graph.flow.solve();
    expect(graph.flow.totalCost()).toBe(2001);
    expect(graph.wayOf(d)).not.toBe(UNSCHEDULED);
  });

  it("sends a map to another machine of its rack when its own has no slot", () => {
    const graph = threeMachines([0, 1, 1]);
    const task = graph.addTask(0, onRack0(0));
    graph.setWaitCost(task, 1001);
    graph.flow.solve();
    expect(wayOf(graph, task)).toEqual([VIA_RACK, 0]);
    expect(graph.rackFlow(1)).toBe(1);
    graph.setWaitCost(task, 999);
    graph.flow.solve();
    expect(wayOf(graph, task)).toEqual([UNSCHEDULED]);
  });

  it("moves a running map home within the seconds that the way saves, and not later", () => {
    const graph = threeMachines();
    const task = graph.addTask(0, onRack0(0), 2);
    graph.setWaitCost(task, 5000);
    graph.setRunCost(task, 3000 - 2900);
    graph.flow.solve();
    expect(wayOf(graph, task)).toEqual([TO_MACHINE, 0]);
    graph.setRunCost(task, 3000 - 3100);
    graph.flow.solve();
    expect(wayOf(graph, task)).toEqual([STAYS]);
  });

  it("keeps a job within its bounds: at most two run, and at least one, however cheap it is to wait", () => {
    const graph = threeMachines([2, 2, 2]);
    const tasks = [0, 1, 0, 1].map((machine) => graph.addTask(0, onRack0(machine)));
    const running = () => tasks.filter((task) => graph.wayOf(task) !== UNSCHEDULED).length;
    for (const task of tasks) graph.setWaitCost(task, 10_000);
    graph.setUnscheduled(0, 2, 3);
    expect(graph.flow.solve()).toBe(true);
    expect(running()).toBe(2);
    for (const task of tasks) graph.setWaitCost(task, -10_000);
    graph.flow.solve();
    expect(running()).toBe(1);
    graph.setUnscheduled(0, 5, 5);
    expect(graph.flow.solve()).toBe(false);
  });
});
