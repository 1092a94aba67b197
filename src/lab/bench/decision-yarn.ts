import { seedWord } from "../../core/kernel/index.js";
import {
  CAPACITY_DEFAULTS,
  type CapacityQueueSpec,
  FAIR_DEFAULTS,
  mapReduceStages,
  NODE_LOCAL,
  YARN_TIMING,
  type YarnCluster,
  type YarnSchedulerSpec,
  YarnSimulation,
} from "../../core/platforms/yarn/index.js";
import { type DecisionCase, HEARTBEAT_US, NODES_PER_RACK } from "./decision-case.js";
import { clocked } from "../stopwatch.js";
import { blockNodes, runToEnd } from "./decision-engine.js";
import type { DecisionRun, DecisionTimes } from "./decision-times.js";
import { clockCostNs, type MillisecondClock } from "./machine.js";

const MB_PER_CONTAINER = 1024;
const CONTAINER = { memory: MB_PER_CONTAINER, vcores: 1 };

/** A resource manager, nodes with room for so many containers, MapReduce jobs whose masters take one more each. */
export async function runYarn(
  decisionCase: DecisionCase,
  seed: string,
  times: DecisionTimes,
  clock: MillisecondClock,
  signal?: AbortSignal,
): Promise<DecisionRun> {
  const simulation = new YarnSimulation(yarnCluster(decisionCase, seed), seed);
  const { scheduler } = simulation;
  let [launched, offers, updates, allMs, readings] = [0, 0, 0, 0, 0];
  times.countLaunched = () => launched;
  const addReading = (tookMs: number) => {
    allMs += tookMs;
    readings++;
  };
  const heartbeat = scheduler.heartbeat.bind(scheduler);
  scheduler.heartbeat = (node, nowUs) => {
    const isOffer = node.free.memory > 0;
    const start = clock();
    const assigned = heartbeat(node, nowUs);
    const tookMs = clock() - start;
    addReading(tookMs);
    launched += assigned.length;
    if (!isOffer) return assigned;
    offers++;
    times.note("heartbeat", tookMs);
    return assigned;
  };
  clocked(scheduler, ["update", "submit", "ask", "release", "remove"], clock, (call, tookMs) => {
    addReading(tookMs);
    if (call !== "update") return;
    updates++;
    times.note(call, tookMs);
  });
  const cpuSeconds = await runToEnd(simulation, decisionCase.untilUs, signal);
  const { fingerprint, attempts } = simulation.record();
  const ofMaps = attempts.rows().filter(({ stage }) => stage === 0);
  const clockMs = clockCostNs(clock) / 1e6;
  return {
    times,
    allSeconds: Math.max(0, allMs - readings * clockMs) / 1_000,
    tasks: launched,
    fingerprint,
    cpuSeconds,
    maps: ofMaps.length,
    nodeLocal: ofMaps.filter(({ level }) => level === NODE_LOCAL).length,
    counts: { heartbeats: offers, updates, passedOver: null, searches: null, jobsVisited: null },
  };
}

function yarnCluster(decisionCase: DecisionCase, seed: string): YarnCluster {
  const { nodes, mapSlots, reduceSlots, jobs, pools, maps, reduces } = decisionCase;
  const blocks = seedWord(seed, "bench/blocks");
  const room = mapSlots + reduceSlots;
  const tasks = (count: number, nodesOf: (task: number) => number[]): { runUs: number; nodes: number[] }[] =>
    Array.from({ length: count }, (_, task) => ({ runUs: HEARTBEAT_US, nodes: nodesOf(task) }));
  return {
    scheduler: yarnScheduler(decisionCase),
    timing: { ...YARN_TIMING, nodeHeartbeatUs: HEARTBEAT_US, launchUs: 0, masterStartUs: 0 },
    nodes: Array.from({ length: nodes }, (_, node) => ({
      rack: Math.floor(node / NODES_PER_RACK),
      memory: room * MB_PER_CONTAINER,
      vcores: room,
      fromUs: 0,
      untilUs: Infinity,
    })),
    applications: Array.from({ length: jobs }, (_, job) => ({
      name: `job${job}`,
      queue: queueNamed(job % pools),
      user: "user",
      submitAtUs: 0,
      master: CONTAINER,
      // As under Hadoop here: reduces come when all maps of their job have ended.
      stages: mapReduceStages(
        { size: CONTAINER, tasks: tasks(maps, (task) => blockNodes(blocks, job * maps + task, nodes)) },
        { size: CONTAINER, tasks: tasks(reduces, () => []) },
        1,
      ),
    })),
  };
}

const queueNamed = (queue: number) => `root.pool${queue}`;

/** Queues of equal weight. A report of a node gives as many containers as there is room for. */
function yarnScheduler({ kind, pools, wait, nodes }: DecisionCase): YarnSchedulerSpec {
  const names = Array.from({ length: pools }, (_, queue) => queueNamed(queue));
  if (kind === "yarn-fair") {
    const [node, rack] = wait.kind === "fraction" ? [wait.node, wait.rack] : [-1, -1];
    const thresholds = { localityThresholdNode: node, localityThresholdRack: rack };
    return {
      kind,
      settings: {
        ...FAIR_DEFAULTS,
        assignsMultiple: true,
        dynamicMaxAssign: false,
        heartbeatUs: HEARTBEAT_US,
        ...thresholds,
      },
      allocations: { queues: new Map(names.map((name) => [name, { maxAmShare: -1 }])), users: new Map() },
    };
  }
  const delay =
    wait.kind === "skips" ? { nodeLocalityDelay: wait.node } : { nodeLocalityDelay: 0, rackLocalityAdditionalDelay: 0 };
  const leaf = { capacity: 1 / pools, userLimitFactor: -1, maxAmShare: 1 };
  return {
    kind: "yarn-capacity",
    settings: { ...CAPACITY_DEFAULTS, ...delay, maxOffSwitch: Math.max(1, nodes) },
    queues: new Map<string, CapacityQueueSpec>([
      ["root", { capacity: 1 }],
      ...names.map((name) => [name, leaf] as const),
    ]),
  };
}
