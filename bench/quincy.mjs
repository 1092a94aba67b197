/**
 * What a decision of Quincy costs: CPU time and operations of its flow solver, on a cluster of 620 nodes in racks of 20.
 *
 *   npm run bench:quincy
 *
 * Each figure is over rounds in one process, after rounds that only warm up the compiler. From scratch: network built and
 * solved. Incrementally: a few tasks end and others arrive, all waits grow, and the kept solution is mended.
 */
import { counterHash, scaled } from "../dist/core/kernel/hash.js";
import { TaskGraph } from "../dist/core/scheduler/quincy/task-graph.js";

const NODES = 620;
const RACK = 20;
const RACKS = NODES / RACK;
const TASKS = 1000;
const JOBS = 30;
const WARM_UPS = 30;
const ROUNDS = 101;
const CHANGES = 5;

const draw = (entity, counter, bound) => scaled(counterHash(11, entity, counter), bound);

function preferencesOf(task) {
  const machines = [0, 1, 2].map((replica) => draw(task, replica, NODES));
  const racks = [...new Set(machines.map((machine) => Math.floor(machine / RACK)))];
  return { machines: [...new Set(machines)], racks, rackCosts: racks.map(() => 1000), anywhere: 3000 };
}

function build(slotsPerNode) {
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

function price({ graph, tasks }, now) {
  for (const { node, since } of tasks) graph.setWaitCost(node, 1 + Math.floor((now - since) / 2));
}

function fromScratch(slots, round) {
  const before = process.cpuUsage();
  const state = build(slots);
  price(state, 20_000 + round);
  state.graph.flow.solve();
  return { ms: cpuMs(before), state };
}

function change(state, round) {
  for (let i = 0; i < CHANGES; i++) {
    const at = draw(round, i, state.tasks.length);
    state.graph.removeTask(state.tasks[at].node);
    state.tasks[at] = { ...newTask(state.graph, state.made++), since: 20_000 + round * 100 };
  }
}

function cpuMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))];
}

function report(name, ms, counts, solves) {
  const per = (count) => Math.round(count / solves);
  console.log(
    `${name}: median ${quantile(ms, 0.5).toFixed(2)} ms, 95th percentile ${quantile(ms, 0.95).toFixed(2)} ms, ` +
      `most ${quantile(ms, 1).toFixed(2)} ms; per solve ${per(counts.pivots)} pivots (${per(counts.idlePivots)} idle), ` +
      `${per(counts.repairs)} repairs, ${per(counts.arcsPriced)} arcs and ${per(counts.nodesPriced)} nodes priced`,
  );
}

for (const slots of [1, 5]) {
  const title = `${NODES} nodes, ${slots} slot${slots > 1 ? "s" : ""} each, ${TASKS} tasks`;
  const times = [];
  let last;
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    last = fromScratch(slots, round);
    if (round >= WARM_UPS) times.push(last.ms);
  }
  report(`${title}, from scratch`, times, last.state.graph.flow.counts, 1);
  const mended = [];
  const { state } = last;
  const { counts } = state.graph.flow;
  let start = {};
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    if (round === WARM_UPS) start = { ...counts };
    const before = process.cpuUsage();
    change(state, round);
    price(state, 20_000 + round * 100 + 100);
    state.graph.flow.solve();
    if (round >= WARM_UPS) mended.push(cpuMs(before));
  }
  const since = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count - start[name]]));
  report(`${title}, incrementally`, mended, since, ROUNDS);
}
