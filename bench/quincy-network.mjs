import { counterHash, scaled } from "../dist/core/kernel/index.js";
import { TaskGraph } from "../dist/core/platforms/hadoop/index.js";

/** A Quincy network of the size that decisions are measured at, and changes like those between two solves. */

export const NODES = 620;
const RACK = 20;
const RACKS = NODES / RACK;
export const TASKS = 1000;
const JOBS = 30;
const CHANGES = 5;

const draw = (entity, counter, bound) => scaled(counterHash(11, entity, counter), bound);

function preferencesOf(task) {
  const machines = [0, 1, 2].map((replica) => draw(task, replica, NODES));
  const racks = [...new Set(machines.map((machine) => Math.floor(machine / RACK)))];
  return { machines: [...new Set(machines)], racks, rackCosts: racks.map(() => 1000), anywhere: 3000 };
}

/** 1000 maps that wait, three replicas each, and nodes with so many slots. */
export function build(slotsPerNode) {
  const graph = new TaskGraph(
    Int32Array.from({ length: NODES }, (_, node) => Math.floor(node / RACK)),
    RACKS,
  );
  for (let node = 0; node < NODES; node++) graph.setSlots(node, slotsPerNode);
  for (let job = 0; job < JOBS; job++) graph.addJob(job);
  const tasks = [];
  for (let task = 0; task < TASKS; task++) tasks.push(newTask(graph, task));
  return { graph, tasks, made: TASKS };
}

function newTask(graph, number) {
  return { number, node: graph.addTask(number % JOBS, preferencesOf(number)), since: draw(number, 9, 20_000) };
}

/** Waits have grown until then, in ms. */
export function price({ graph, tasks }, now) {
  for (const { node, since } of tasks) graph.setWaitCost(node, 1 + Math.floor((now - since) / 2));
}

/** Some maps end, as many others arrive. */
export function change(state, round) {
  for (let i = 0; i < CHANGES; i++) {
    const at = draw(round, i, state.tasks.length);
    state.graph.removeTask(state.tasks[at].node);
    state.tasks[at] = { ...newTask(state.graph, state.made++), since: 20_000 + round * 100 };
  }
}
