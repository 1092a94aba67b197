import { seedWord } from "../../core/kernel/index.js";
import {
  NOWHERE_DEARER,
  defaultSettings,
  poolsInFairMode,
  SPARK_LEVELS,
  SPARK_RULES,
  type SparkApplication,
  SparkSimulation,
} from "../../core/platforms/spark/index.js";
import { type DecisionCase, HEARTBEAT_US, NODES_PER_RACK } from "./decision-case.js";
import { blockNodes, runToEnd } from "./decision-engine.js";
import type { DecisionRun, DecisionTimes } from "./decision-times.js";
import type { MillisecondClock } from "./machine.js";

const RELEASE = "3.5";

/** One driver, an executor on each node, jobs of two stages; tasks take as long wherever they run, messages no time. */
export async function runSpark(
  decisionCase: DecisionCase,
  seed: string,
  times: DecisionTimes,
  clock: MillisecondClock,
  signal?: AbortSignal,
): Promise<DecisionRun> {
  const simulation = new SparkSimulation(sparkApplication(decisionCase, seed), seed);
  const [scheduler] = simulation.schedulers;
  const { attempts } = scheduler;
  times.countLaunched = () => attempts.length;
  const offer = scheduler.offer.bind(scheduler);
  let rounds = 0;
  scheduler.offer = (...round) => {
    if (!scheduler.hasOffers) return offer(...round);
    const start = clock();
    offer(...round);
    const tookMs = clock() - start;
    rounds++;
    times.note("heartbeat", tookMs);
  };
  const cpuSeconds = await runToEnd(simulation, decisionCase.untilUs, signal);
  const { fingerprint } = simulation.record();
  let [maps, nodeLocal] = [0, 0];
  for (let row = 0; row < attempts.length; row++) {
    if (decisionCase.maps === 0 || attempts.stage[row] > 0) continue;
    maps++;
    if (attempts.level[row] <= SPARK_LEVELS.indexOf("NODE_LOCAL")) nodeLocal++;
  }
  return {
    times,
    allSeconds: null,
    tasks: attempts.length,
    maps,
    nodeLocal,
    fingerprint,
    cpuSeconds,
    counts: { heartbeats: rounds, updates: 0, passedOver: null, searches: null, jobsVisited: null },
  };
}

function sparkApplication(decisionCase: DecisionCase, seed: string): SparkApplication {
  const { kind, nodes, mapSlots, reduceSlots, jobs, pools, maps, reduces, wait } = decisionCase;
  const rules = SPARK_RULES[RELEASE];
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
      mode: kind === "spark-fair" ? "FAIR" : "FIFO",
      waitProcessUs: 0,
      waitNodeUs,
      waitRackUs,
      executorCores: cores,
    },
    pools: poolsInFairMode([], rules),
    timing: {
      reviveUs: 1_000_000,
      speculationUs: 100_000,
      stageStartUs: 0,
      launchUs: 0,
      reportUs: 0,
      away: NOWHERE_DEARER,
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
      return { name: `job${job}`, pool: `pool${job % pools}`, submitAtUs: 0, stages };
    }),
  };
}
