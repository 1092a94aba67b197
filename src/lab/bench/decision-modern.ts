import { setImmediate as turn } from "node:timers/promises";
import { counterHash, scaled, seedWord } from "../../core/kernel/index.js";
import {
  defaultSettings,
  poolsInFairMode,
  SPARK_LEVELS,
  SPARK_RULES,
  type SparkApplication,
  SparkSimulation,
} from "../../core/platforms/spark/index.js";
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
import type { DecisionRun, DecisionTimes } from "./decision-times.js";
import { clockCostNs, type MillisecondClock } from "./machine.js";

/** Where something that runs to an end in virtual time is. */
interface Running {
  nextUs(): number;
  advance(untilUs: number): void;
}

/** So much virtual time passes between looks at the signal. */
const LOOK_US = HEARTBEAT_US;

/** @returns CPU seconds of the process until all is over or virtual time is up. */
async function runToEnd(simulation: Running, untilUs: number, signal?: AbortSignal): Promise<number> {
  let cpuUs = 0;
  for (let nextUs = simulation.nextUs(); nextUs <= untilUs && nextUs < Infinity; nextUs = simulation.nextUs()) {
    await turn();
    signal?.throwIfAborted();
    const started = process.cpuUsage();
    simulation.advance(Math.min(nextUs + LOOK_US, untilUs));
    const { user, system } = process.cpuUsage(started);
    cpuUs += user + system;
  }
  return cpuUs / 1e6;
}

/** The call, and the clock around it. */
function timed<Args extends unknown[], Result>(
  call: (...args: Args) => Result,
  clock: MillisecondClock,
  told: (tookMs: number) => void,
): (...args: Args) => Result {
  return (...args) => {
    const start = clock();
    const result = call(...args);
    told(clock() - start);
    return result;
  };
}

/** Distinct nodes with a block, as many as there are up to three, drawn from a stream of the seed. */
function blockNodes(blocks: number, block: number, nodes: number): number[] {
  const found = new Set<number>();
  for (let counter = 0; found.size < Math.min(REPLICAS, nodes); counter++) {
    found.add(scaled(counterHash(blocks, block, counter), nodes));
  }
  return [...found];
}

const REPLICAS = 3;
const MB_PER_CONTAINER = 1024;
const CONTAINER = { memory: MB_PER_CONTAINER, vcores: 1 };
const SPARK_RELEASE = "3.5";

/** One driver, an executor on each node, jobs of two stages; tasks take as long wherever they run, messages no time. */
export async function runSpark(
  which: DecisionCase,
  seed: string,
  times: DecisionTimes,
  clock: MillisecondClock,
  signal?: AbortSignal,
): Promise<DecisionRun> {
  const simulation = new SparkSimulation(sparkApplication(which, seed), seed);
  const [scheduler] = simulation.schedulers;
  const { attempts } = scheduler;
  times.countLaunched = () => attempts.length;
  const offer = timed(scheduler.offer.bind(scheduler), clock, (tookMs) => {
    times.note("heartbeat", tookMs);
  });
  const bare = scheduler.offer.bind(scheduler);
  let rounds = 0;
  scheduler.offer = (isAllFree, nowUs) => {
    if (!scheduler.hasOffers) return bare(isAllFree, nowUs);
    rounds++;
    return offer(isAllFree, nowUs);
  };
  const cpuSeconds = await runToEnd(simulation, which.untilUs, signal);
  const { fingerprint } = simulation.record();
  let [maps, nodeLocal] = [0, 0];
  for (let at = 0; at < attempts.length; at++) {
    if (which.maps === 0 || attempts.sets[attempts.set[at]].stage > 0) continue;
    maps++;
    if (attempts.level[at] <= SPARK_LEVELS.indexOf("NODE_LOCAL")) nodeLocal++;
  }
  return {
    ...{ times, allSeconds: null, tasks: attempts.length, maps, nodeLocal, fingerprint, cpuSeconds },
    counts: { heartbeats: rounds, updates: 0, passedOver: null, searches: null, jobsVisited: null },
  };
}

function sparkApplication(which: DecisionCase, seed: string): SparkApplication {
  const { kind, nodes, mapSlots, reduceSlots, jobs, pools, maps, reduces, wait } = which;
  const rules = SPARK_RULES[SPARK_RELEASE];
  const blocks = seedWord(seed, "bench/blocks");
  const [waitNodeUs, waitRackUs] = wait.kind === "time" ? [wait.nodeUs, wait.rackUs] : [0, 0];
  const cores = mapSlots + reduceSlots;
  const tasks = (
    count: number,
    placesOf: (task: number) => number[],
  ): SparkApplication["jobs"][number]["stages"][number]["tasks"] =>
    Array.from({ length: count }, (_, task) => ({
      runUs: HEARTBEAT_US,
      places: placesOf(task).map((host) => ({ host })),
    }));
  return {
    rules,
    settings: {
      ...defaultSettings(rules),
      ...{
        mode: kind === "spark-fair" ? "FAIR" : "FIFO",
        waitProcessUs: 0,
        waitNodeUs,
        waitRackUs,
        executorCores: cores,
      },
    },
    pools: poolsInFairMode([], rules),
    timing: {
      ...{ reviveUs: 1_000_000, speculationUs: 100_000, stageStartUs: 0, launchUs: 0, reportUs: 0 },
      ...{ rackFactor: 1, anyFactor: 1 },
    },
    executors: Array.from({ length: nodes }, (_, host) => ({ host, cores, fromUs: 0, untilUs: Infinity })),
    racks: Array.from({ length: nodes }, (_, host) => Math.floor(host / NODES_PER_RACK)),
    jobs: Array.from({ length: jobs }, (_, job) => {
      const map = {
        name: "map",
        parents: [],
        isBarrier: false,
        tasks: tasks(maps, (task) => blockNodes(blocks, job * maps + task, nodes)),
      };
      const reduce = {
        name: "reduce",
        parents: maps === 0 ? [] : [0],
        isBarrier: false,
        tasks: tasks(reduces, () => []),
      };
      const stages = [map, reduce].filter((stage) => stage.tasks.length > 0);
      return { name: `job${String(job)}`, pool: `pool${String(job % pools)}`, submitAtUs: 0, stages };
    }),
  };
}

/** A resource manager, nodes with room for so many containers, MapReduce jobs whose masters take one more each. */
export async function runYarn(
  which: DecisionCase,
  seed: string,
  times: DecisionTimes,
  clock: MillisecondClock,
  signal?: AbortSignal,
): Promise<DecisionRun> {
  const simulation = new YarnSimulation(yarnCluster(which, seed), seed);
  const { scheduler } = simulation;
  let [given, offers, updates, allMs, readings] = [0, 0, 0, 0, 0];
  times.countLaunched = () => given;
  const told = (tookMs: number): void => {
    allMs += tookMs;
    readings++;
  };
  const heartbeat = scheduler.heartbeat.bind(scheduler);
  scheduler.heartbeat = (node, nowUs) => {
    const isOffer = node.free.memory > 0;
    const start = clock();
    const found = heartbeat(node, nowUs);
    const tookMs = clock() - start;
    told(tookMs);
    given += found.containers.length;
    if (!isOffer) return found;
    offers++;
    times.note("heartbeat", tookMs);
    return found;
  };
  scheduler.update = timed(scheduler.update.bind(scheduler), clock, (tookMs) => {
    told(tookMs);
    updates++;
    times.note("update", tookMs);
  });
  scheduler.submit = timed(scheduler.submit.bind(scheduler), clock, told);
  scheduler.ask = timed(scheduler.ask.bind(scheduler), clock, told);
  scheduler.release = timed(scheduler.release.bind(scheduler), clock, told);
  scheduler.remove = timed(scheduler.remove.bind(scheduler), clock, told);
  const cpuSeconds = await runToEnd(simulation, which.untilUs, signal);
  const { fingerprint, attempts } = simulation.record();
  const ofMaps = attempts.filter(({ stage }) => stage === 0);
  const clockMs = clockCostNs(clock) / 1e6;
  return {
    ...{ times, allSeconds: Math.max(0, allMs - readings * clockMs) / 1_000, tasks: given, fingerprint, cpuSeconds },
    maps: ofMaps.length,
    nodeLocal: ofMaps.filter(({ level }) => level === NODE_LOCAL).length,
    counts: { heartbeats: offers, updates, passedOver: null, searches: null, jobsVisited: null },
  };
}

function yarnCluster(which: DecisionCase, seed: string): YarnCluster {
  const { nodes, mapSlots, reduceSlots, jobs, pools, maps, reduces } = which;
  const blocks = seedWord(seed, "bench/blocks");
  const room = mapSlots + reduceSlots;
  const tasks = (count: number, nodesOf: (task: number) => number[]): { runUs: number; nodes: number[] }[] =>
    Array.from({ length: count }, (_, task) => ({ runUs: HEARTBEAT_US, nodes: nodesOf(task) }));
  return {
    scheduler: yarnScheduler(which),
    timing: { ...YARN_TIMING, nodeHeartbeatUs: HEARTBEAT_US, launchUs: 0, masterStartUs: 0 },
    nodes: Array.from({ length: nodes }, (_, node) => ({
      ...{ rack: Math.floor(node / NODES_PER_RACK), memory: room * MB_PER_CONTAINER, vcores: room },
      ...{ fromUs: 0, untilUs: Infinity },
    })),
    applications: Array.from({ length: jobs }, (_, job) => ({
      ...{ name: `job${String(job)}`, queue: queueNamed(job % pools), user: "user", submitAtUs: 0, master: CONTAINER },
      // As under Hadoop here: reduces come when all maps of their job have ended.
      stages: mapReduceStages(
        { size: CONTAINER, tasks: tasks(maps, (task) => blockNodes(blocks, job * maps + task, nodes)) },
        { size: CONTAINER, tasks: tasks(reduces, () => []) },
        1,
      ),
    })),
  };
}

const queueNamed = (queue: number): string => `root.pool${String(queue)}`;

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
        ...{ assignsMultiple: true, dynamicMaxAssign: false, heartbeatUs: HEARTBEAT_US, ...thresholds },
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
