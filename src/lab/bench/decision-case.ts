import { assert, US_PER_SECOND } from "../../core/kernel/index.js";
import {
  type ClusterSpec,
  NOTHING_SPECIAL,
  type WaitSpec,
  type Scenario,
  type SchedulerSpec,
  type WorkloadSpec,
  SCHEDULER_KINDS,
} from "../../core/scenario/index.js";
import { CAPACITY_DEFAULTS } from "../../core/platforms/yarn/index.js";
import { DEFAULT_CLUSTER, DEFAULT_NODE, parseScenario, fileProblem } from "../../io/index.js";

/** Schedulers of Hadoop whose decisions are measured: each is an order, pools and a wait. */
const HADOOP_KINDS = ["hfs", "fair", "delay", "fifo"] as const;
type HadoopKind = (typeof HADOOP_KINDS)[number];

const MODERN_KINDS = ["spark-fifo", "spark-fair", "yarn-fair", "yarn-capacity"] as const;

export const DECISION_KINDS = [...HADOOP_KINDS, ...MODERN_KINDS] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** Those that see pools, or queues. */
const KINDS_WITH_POOLS: readonly DecisionKind[] = ["hfs", "spark-fair", "yarn-fair", "yarn-capacity"];

export function seesPools(kind: DecisionKind): boolean {
  return KINDS_WITH_POOLS.includes(kind);
}

export function isHadoopKind(kind: DecisionKind): kind is HadoopKind {
  return (HADOOP_KINDS as readonly string[]).includes(kind);
}

/**
 * One experiment: all jobs are there from the start, and every task takes as long as a heartbeat of Hadoop or a
 * multiple of that.
 */
export interface DecisionCase {
  readonly nodes: number;
  /**
   * Map slots of every node. Executors of Spark have as many cores, and nodes of YARN room for as many containers, as
   * both slot counts together.
   */
  readonly mapSlots: number;
  readonly reduceSlots: number;
  readonly jobs: number;
  /** Jobs are dealt out to them. */
  readonly pools: number;
  /** Maps of every job: under Spark, tasks of a first stage that reads blocks and of a second that waits for it. */
  readonly maps: number;
  readonly reduces: number;
  readonly kind: DecisionKind;
  readonly wait: WaitSpec;
  /** Infinity: all free slots. */
  readonly tasksPerHeartbeat: number;
  /** Demands are taken anew so often; 0: they are always fresh. */
  readonly updateIntervalUs: number;
  /** The experiment is over then; Infinity: when all jobs have ended. */
  readonly untilUs: number;
}

/** Section 5.4 of the paper, with waits of half a heartbeat interval for the node and for its rack. */
export const PAPER_CASE: DecisionCase = {
  nodes: 2_500,
  mapSlots: 2,
  reduceSlots: 2,
  jobs: 100,
  pools: 20,
  maps: 1_000,
  reduces: 1_000,
  kind: "hfs",
  wait: { kind: "time", nodeUs: 5 * US_PER_SECOND, rackUs: 5 * US_PER_SECOND },
  tasksPerHeartbeat: Infinity,
  updateIntervalUs: 2_500_000,
  untilUs: Infinity,
};

/** The heartbeat interval of Hadoop's and of YARN's nodes. */
export const HEARTBEAT_US = 10 * US_PER_SECOND;

/** Nodes per rack; the last rack has the remainder. */
export const NODES_PER_RACK = 40;

function clusterOf({ nodes, mapSlots, reduceSlots }: DecisionCase): ClusterSpec {
  const racks = Array.from({ length: Math.ceil(nodes / NODES_PER_RACK) }, (_, rack) => ({
    name: `rack${rack}`,
    row: "",
    uplinkBytesPerSecond: Infinity,
    nodes: [
      {
        ...DEFAULT_NODE,
        count: Math.min(NODES_PER_RACK, nodes - rack * NODES_PER_RACK),
        mapSlots,
        reduceSlots,
        speed: 1,
      },
    ],
  }));
  return {
    racks,
    heartbeat: { rule: "fixed", intervalUs: HEARTBEAT_US },
    ...DEFAULT_CLUSTER,
  };
}

/** The scheduler of a case: pools of equal weight, nothing promised, no preemption. */
function schedulerOf({ kind, wait, tasksPerHeartbeat, updateIntervalUs }: DecisionCase): SchedulerSpec {
  assert(isHadoopKind(kind), "only a kind of Hadoop is in a scenario of Hadoop");
  return {
    kind,
    wait,
    tasksPerHeartbeat,
    updateIntervalUs,
    ...NOTHING_SPECIAL,
    poolBy: "pool",
    groups: [],
  };
}

/** Equal jobs, all submitted at 0, dealt out to the pools. */
function workloadOf({
  jobs,
  pools,
  maps,
  reduces,
  mapSlots,
  reduceSlots,
  tasksPerHeartbeat,
}: DecisionCase): WorkloadSpec {
  // As long as it takes to fill a node, so that a full cluster stays full.
  const lengthUs = HEARTBEAT_US * Math.max(1, Math.ceil((mapSlots + reduceSlots) / tasksPerHeartbeat));
  const list = Array.from({ length: jobs }, (_, job) => ({
    name: `job${job}`,
    pool: `pool${job % pools}`,
    user: "user",
    priority: "normal" as const,
    maps,
    reduces,
    mapUs: lengthUs,
    copyUs: 0,
    reduceUs: lengthUs,
    file: "",
    atUs: 0,
    count: 1,
    everyUs: 0,
    sigma: 0,
    deadlineUs: null,
  }));
  return { kind: "jobs", jobs: list };
}

/** The scenario whose settings hold where a case names none. */
const USUAL = `
cluster: { racks: 1, nodesPerRack: 3, mapSlots: 1, reduceSlots: 1 }
storage: { placement: uniform }
workload: { kind: jobs, jobs: [{ name: job, maps: 1, mapTime: 1s }] }
runtime: { jobSetup: 0s, jobCleanup: 0s, slowStart: 1, localityFactor: { node: 1, rack: 1, any: 1 } }
run: { sample: 1d }
`;

/**
 * The case as a scenario. Maps take equally long wherever they run, and reduces come when all maps of their job have
 * ended.
 */
export function scenarioOf(decisionCase: DecisionCase, seed: string): Scenario {
  const { scenario } = parseScenario(USUAL, "decisions", { seed });
  return {
    ...scenario,
    cluster: clusterOf(decisionCase),
    scheduler: schedulerOf(decisionCase),
    workload: workloadOf(decisionCase),
    storage: { ...scenario.storage, replication: Math.min(scenario.storage.replication, decisionCase.nodes) },
    run: { ...scenario.run, untilUs: decisionCase.untilUs },
  };
}

const NODES = [100, 1_000, 10_000, 100_000];

const JOBS = [10, 1_000, 10_000];

const NO_WAIT: WaitSpec = { kind: "none" };

/** As the paper's case, so that sizes are compared and not lengths. */
const TASKS = 200_000;

/** A large cluster must begin to fill a second time. */
const ROUNDS = 1.5;

/**
 * A quarter of the nodes may be passed over before a container goes to the rack, and as many before it goes anywhere.
 */
const THRESHOLDS: WaitSpec = { kind: "fraction", node: 0.25, rack: 0.25 };

/** `yarn.scheduler.capacity.node-locality-delay`, and the wait for the rack where nothing is set. */
const LOCALITY_DELAY: WaitSpec = { kind: "skips", node: CAPACITY_DEFAULTS.nodeLocalityDelay, rack: 0 };

/** The wait that a kind has where nothing is said: that of the paper's case for `hfs` and Spark, else its own. */
function usualWait(kind: DecisionKind): WaitSpec {
  if (kind === "yarn-fair") return THRESHOLDS;
  if (kind === "yarn-capacity") return LOCALITY_DELAY;
  if (kind === PAPER_CASE.kind || !isHadoopKind(kind)) return PAPER_CASE.wait;
  return SCHEDULER_KINDS.find(({ name }) => name === kind)?.defaultWait ?? NO_WAIT;
}

/** The same tasks in so many jobs, as many of them as it takes to keep so many nodes busy. */
function sized(changes: Partial<DecisionCase>): DecisionCase {
  const { nodes = PAPER_CASE.nodes, jobs = PAPER_CASE.jobs } = changes;
  const slots = nodes * (PAPER_CASE.mapSlots + PAPER_CASE.reduceSlots);
  const perJob = Math.max(1, Math.round(Math.max(TASKS, ROUNDS * slots) / jobs / 2));
  return { ...PAPER_CASE, maps: perJob, reduces: perJob, ...changes };
}

/** Every axis by itself around the paper's case, which comes first; then corners. */
export const DECISION_GRID: readonly DecisionCase[] = [
  PAPER_CASE,
  ...NODES.map((nodes) => sized({ nodes })),
  ...JOBS.map((jobs) => sized({ jobs, pools: Math.min(jobs, PAPER_CASE.pools) })),
  sized({ pools: 1 }),
  sized({ jobs: 1_000, pools: 1 }),
  sized({ jobs: 1_000, pools: 1_000 }),
  sized({ wait: NO_WAIT }),
  sized({ wait: { kind: "time", nodeUs: 15_000_000, rackUs: 15_000_000 } }),
  ...(["fair", "delay", "fifo"] as const).map((kind) => sized({ kind, wait: usualWait(kind) })),
  sized({ kind: "fair", wait: PAPER_CASE.wait }),
  sized({ kind: "fifo", wait: PAPER_CASE.wait }),
  sized({ tasksPerHeartbeat: 1 }),
  sized({ updateIntervalUs: 0 }),
  sized({ nodes: 620, mapSlots: 5, reduceSlots: 5 }),
  sized({ nodes: 100, jobs: 10, pools: 1 }),
  sized({ nodes: 100, jobs: 10_000, pools: 1_000 }),
  sized({ nodes: 100_000, jobs: 10, pools: 1 }),
  // Each task costs a thousand looks at jobs with nothing on the node.
  sized({ nodes: 100_000, jobs: 10_000, pools: 1_000, untilUs: 2_000_000 }),
  sized({ jobs: 10_000, pools: 1_000, wait: NO_WAIT }),
  ...MODERN_KINDS.map((kind) => sized({ kind, wait: usualWait(kind) })),
];

/** The largest number of tasks that fits into a few gigabytes. */
const MOST_DECISION_TASKS = 10_000_000;

/**
 * The paper's case with changes. What is not given follows what is: a kind has its own wait, few jobs are in few pools.
 * @throws InputError when that is no experiment.
 */
export function decisionPoint(changes: Partial<DecisionCase>): DecisionCase {
  const { kind = PAPER_CASE.kind, jobs = PAPER_CASE.jobs } = changes;
  const pools = Math.min(jobs, PAPER_CASE.pools);
  const point = { ...PAPER_CASE, wait: usualWait(kind), pools, ...changes };
  const tasks = point.jobs * (point.maps + point.reduces);
  if (changes.pools !== undefined && !seesPools(kind)) {
    throw fileProblem("--pools", `goes with --kind ${KINDS_WITH_POOLS.join(", ")}, not with ${kind}`);
  }
  if (!isHadoopKind(kind)) refuseForModern(kind, changes);
  if (point.pools > point.jobs) {
    throw fileProblem("--pools", `expected at most one pool per job, found ${point.pools} for ${point.jobs} jobs`);
  }
  if (tasks === 0) throw fileProblem("--maps", "a job needs at least one map or reduce");
  if (tasks > MOST_DECISION_TASKS) {
    throw fileProblem("--maps", `expected at most ${MOST_DECISION_TASKS} tasks in all, found ${tasks}`);
  }
  if (point.mapSlots < 1 && point.maps > 0) throw fileProblem("--slots", "maps need map slots");
  if (point.reduceSlots < 1 && point.reduces > 0) {
    throw fileProblem("--slots", "reduces need reduce slots");
  }
  return point;
}

/** Refuses options that the schedulers of Spark and YARN have no equivalent of here. */
function refuseForModern(
  kind: DecisionKind,
  { wait, tasksPerHeartbeat, updateIntervalUs }: Partial<DecisionCase>,
): void {
  const message = `goes with --kind ${HADOOP_KINDS.join(", ")}, not with ${kind}`;
  if (updateIntervalUs !== undefined) throw fileProblem("--update-interval", message);
  if (tasksPerHeartbeat !== undefined) throw fileProblem("--tasks-per-heartbeat", message);
  if (wait?.kind === "time" && kind.startsWith("yarn")) {
    throw fileProblem("--wait", `takes no time with --kind ${kind}, which counts offers, ${OFFERS_PASSED[kind] ?? ""}`);
  }
}

/** The opportunities counted where no wait is given. */
const OFFERS_PASSED: Partial<Record<DecisionKind, string>> = {
  "yarn-fair": "a quarter of the nodes for the node and for the rack",
  "yarn-capacity": "40 for the node",
};
