import { type SparkApplication, SparkSimulation, type SparkVersion } from "../../dist/core/platforms/spark/index.js";
import { type YarnCluster, type YarnSchedulerSpec, YarnSimulation } from "../../dist/core/platforms/yarn/index.js";
import { applicationOf } from "../support/spark-applications.js";
import { capacityOf, clusterOf, fairOf } from "../support/yarn-clusters.js";

/** Stages of tasks that may run anywhere; `parents` are places in the same list. Times in microseconds. */
export interface Job {
  readonly atUs: number;
  readonly stages: readonly { readonly parents: readonly number[]; readonly tasksUs: readonly number[] }[];
}

/** A task that ran. It holds its slot from `givenUs` on; `launchUs` is when it began to run. */
export interface Ran {
  readonly job: number;
  readonly stage: number;
  readonly task: number;
  readonly host: number;
  readonly readyUs: number;
  readonly givenUs: number;
  readonly launchUs: number;
  readonly endUs: number;
}

/** One law for all platforms: what a slot costs beside the time of the task that runs in it. */
export interface Platform {
  readonly isSpark: boolean;
  /** Runs jobs, first come first served, on hosts of so many slots each. */
  readonly run: (slots: readonly number[], jobs: readonly Job[], seed?: string) => Ran[];
  /** A task holds its slot no longer than it runs and this. */
  readonly mostHeldUs: number;
  /** A slot that is free is given to a task no later than so long after the parents of its stage have ended. */
  readonly mostLateUs: number;
}

/** What the driver and its messages take. */
export const SPARK_MESSAGES = { launchUs: 12_000, reportUs: 7_000, stageStartUs: 50_000 };
export const SPARK_HELD_US = SPARK_MESSAGES.launchUs + SPARK_MESSAGES.reportUs;

function spark(version: SparkVersion, mode: "FIFO" | "FAIR"): Platform {
  return {
    isSpark: true,
    mostHeldUs: SPARK_HELD_US,
    mostLateUs: SPARK_MESSAGES.stageStartUs,
    run: (slots, jobs, seed = "1") => {
      const given = jobs.map(({ atUs, stages }): SparkApplication["jobs"][number] => ({
        name: "job",
        submitAtUs: atUs,
        stages: stages.map(({ parents, tasksUs }) => ({
          name: "stage",
          parents,
          isBarrier: false,
          tasks: tasksUs.map((runUs) => ({ runUs, places: [] })),
        })),
      }));
      const made = applicationOf(version, slots, given, { mode });
      const timing = { ...made.timing, ...SPARK_MESSAGES };
      const { attempts } = new SparkSimulation({ ...made, timing }, seed).run();
      return attempts.rows().map((row) => ({
        ...row,
        host: row.node,
        givenUs: row.launchUs,
        launchUs: row.launchUs + SPARK_MESSAGES.launchUs,
        endUs: row.endUs - SPARK_MESSAGES.reportUs,
      }));
    },
  };
}

/** Of nodes, masters, and the Fair Scheduler's updates. */
export const YARN_EVERY = { nodeUs: 200_000, masterUs: 150_000, fairUpdateUs: 70_000 };

/**
 * Masters take 1 MB, and each node has room for so many beside its slots: they take no slot, nor do tasks take their
 * room.
 */
const MASTERS = 1023;
const SLOT_MB = 1024;

/** Cores never lack. */
export function yarnCluster(
  scheduler: YarnSchedulerSpec,
  slots: readonly number[],
  jobs: readonly Job[],
  queueOf: (job: number) => string = () => "root.q",
): YarnCluster {
  const nodes = slots.map((of) => {
    const memory = of * SLOT_MB + MASTERS;
    return { rack: 0, memory, vcores: 10_000, fromUs: 0, untilUs: Infinity };
  });
  const applications = jobs.map(({ atUs, stages }, number) => ({
    name: `job ${number}`,
    queue: queueOf(number),
    user: "ann",
    submitAtUs: atUs,
    master: { memory: 1, vcores: 1 },
    stages: stages.map(({ parents, tasksUs }, stage) => ({
      name: "stage",
      parents,
      priority: 20 + stage,
      size: { memory: SLOT_MB, vcores: 1 },
      slowStart: 1,
      tasks: tasksUs.map((runUs) => ({ runUs, nodes: [] })),
    })),
  }));
  const made = clusterOf(scheduler, nodes, applications);
  const { nodeUs: nodeHeartbeatUs, masterUs: masterHeartbeatUs } = YARN_EVERY;
  // A master first asks between two reports, never at one.
  return { ...made, timing: { ...made.timing, nodeHeartbeatUs, masterHeartbeatUs, masterStartUs: 1 } };
}

/** Nothing holds containers back but room. */
export const NO_LIMITS = {
  fair: { assignsMultiple: true, dynamicMaxAssign: false, updateUs: YARN_EVERY.fairUpdateUs },
  capacity: { maxAssign: -1, maxOffSwitch: Infinity, minimumAllocation: { memory: 1, vcores: 1 } },
  leaf: { userLimitFactor: -1, maxAmShare: 1 },
};

function yarn(scheduler: YarnSchedulerSpec): Platform {
  const { nodeUs, masterUs } = YARN_EVERY;
  const isFair = scheduler.kind === "yarn-fair";
  return {
    isSpark: false,
    // The order of its master, and the report of its end. A node that the Capacity Scheduler keeps for somebody gives
    // one container a report.
    mostHeldUs: masterUs + nodeUs + (isFair ? 0 : nodeUs),
    mostLateUs: masterUs + nodeUs + (isFair ? YARN_EVERY.fairUpdateUs : nodeUs),
    run: (slots, jobs, seed = "1") => {
      const { attempts } = new YarnSimulation(yarnCluster(scheduler, slots, jobs), seed).run();
      const tasks = attempts.rows().filter(({ stage }) => stage >= 0);
      return tasks.map((row) => ({ ...row, host: row.node }));
    },
  };
}

/** Each has one leaf, `root.q`, whose applications go as they come. */
export const YARN_SCHEDULERS = {
  "yarn-fair": fairOf(NO_LIMITS.fair, { "root.q": { policy: "fifo" } }),
  "yarn-capacity": capacityOf({ "root.q": { ...NO_LIMITS.leaf, capacity: 1 } }, NO_LIMITS.capacity),
};

export const PLATFORMS = {
  "Spark 2.4": spark("2.4", "FIFO"),
  "Spark 3.5": spark("3.5", "FIFO"),
  "Spark 4.0 in FAIR mode": spark("4.0", "FAIR"),
  "yarn-fair": yarn(YARN_SCHEDULERS["yarn-fair"]),
  "yarn-capacity": yarn(YARN_SCHEDULERS["yarn-capacity"]),
} satisfies Readonly<Record<string, Platform>>;

export const PLATFORM_NAMES = Object.keys(PLATFORMS) as (keyof typeof PLATFORMS)[];

/** Those that serve jobs as they come. */
export const FIRST_COME = ["Spark 2.4", "Spark 3.5", "yarn-fair", "yarn-capacity"] as const;
