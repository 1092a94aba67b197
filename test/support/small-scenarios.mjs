import { parseScenario, DEFAULT_CLUSTER, DEFAULT_NODE, DEFAULT_RUNTIME, NO_FAULTS } from "../../dist/io/index.js";
import { inlineWorkload, drained } from "../../dist/core/workload/index.js";
import { SCHEDULER_KINDS } from "../../dist/core/scenario/index.js";

/**
 * Resolved scenarios for tests, built by hand so that a test depends on no file format. Plain JavaScript, for child
 * processes too.
 */

/**
 * @import { ClusterSpec, NodeGroupSpec } from "../../dist/core/scenario/index.js"
 * @import { FaultsSpec, RuntimeSpec } from "../../dist/core/scenario/index.js"
 * @import { AllocationsSpec, InlineJobSpec, PoolSpec } from "../../dist/core/scenario/index.js"
 * @import { RunSpec, Scenario, SchedulerSpec, StorageSpec } from "../../dist/core/scenario/index.js"
 * @import { Workload } from "../../dist/core/workload/index.js"
 */

const SECOND = 1_000_000;

/**
 * `racks` racks of equal nodes; or racks as listed, each a list of node groups; dealt out to `rows` rows, 0 for none.
 * What is not given is as by default.
 * @param {{ racks?: number, rows?: number, nodesPerRack?: number, mapSlots?: number, reduceSlots?: number,
 *   heartbeatUs?: number,
 *   groups?: readonly (readonly Partial<NodeGroupSpec>[])[], node?: Partial<NodeGroupSpec> } &
 *   Partial<Omit<ClusterSpec, "racks">>} [given]
 * @returns {ClusterSpec}
 */
export function clusterOf({
  racks = 3,
  rows = 0,
  nodesPerRack = 4,
  mapSlots = 2,
  reduceSlots = 1,
  heartbeatUs = 3 * SECOND,
  groups,
  node = {},
  ...changes
} = {}) {
  const listed =
    groups ?? Array.from({ length: racks }, () => [{ count: nodesPerRack, mapSlots, reduceSlots, speed: 1 }]);
  return {
    racks: listed.map((nodes, rack) => ({
      name: `rack${String(rack).padStart(2, "0")}`,
      row: rows === 0 ? "" : `row${rack % rows}`,
      uplinkBytesPerSecond: Infinity,
      nodes: nodes.map((group) => ({ ...DEFAULT_NODE, ...node, ...group })),
    })),
    heartbeat: { rule: "fixed", intervalUs: heartbeatUs },
    ...DEFAULT_CLUSTER,
    ...changes,
  };
}

/**
 * Allocations that declare nothing, with changes.
 * @param {Partial<AllocationsSpec>} [changes]
 * @returns {AllocationsSpec}
 */
export function allocationsOf(changes = {}) {
  return {
    pools: [],
    users: [],
    poolMaxJobs: Infinity,
    userMaxJobs: Infinity,
    minShareTimeoutUs: Infinity,
    fairShareTimeoutUs: Infinity,
    defaultMode: "fair",
    placement: null,
    ...changes,
  };
}

/**
 * A declared pool of that full name, of which nothing is said but what is given.
 * @param {string} name
 * @param {Partial<PoolSpec>} [changes]
 * @returns {PoolSpec}
 */
export function poolOf(name, changes = {}) {
  return {
    name,
    parent: null,
    weight: 1,
    minMaps: 0,
    minReduces: 0,
    maxMaps: Infinity,
    maxReduces: Infinity,
    maxJobs: null,
    minShareTimeoutUs: null,
    fairShareTimeoutUs: null,
    mode: null,
    ...changes,
  };
}

/** The section of its own that a kind has, if it has one, as where a scenario says nothing. */
function sectionOf(kind) {
  const { scheduler } = parseScenario(`workload: { kind: facebook }\nscheduler: ${kind}\n`, "defaults.yaml").scenario;
  return scheduler[kind] === undefined ? {} : { [kind]: scheduler[kind] };
}

/**
 * A scheduler by its registered name, with the defaults of its kind and the rules of the paper.
 * @param {string} kind
 * @param {Partial<SchedulerSpec>} [changes]
 * @returns {SchedulerSpec}
 */
export function schedulerOf(kind, changes = {}) {
  const known = SCHEDULER_KINDS.find((candidate) => candidate.name === kind);
  if (known === undefined) throw new Error(`no scheduler ${kind}`);
  return {
    kind,
    wait: known.defaultWait,
    tasksPerHeartbeat: Infinity,
    updateIntervalUs: known.defaultUpdateIntervalUs,
    rules: "paper",
    mapsPerHeartbeat: Infinity,
    reducesPerHeartbeat: Infinity,
    countsThisHeartbeat: false,
    loadManager: null,
    preemption: { mode: "off", intervalUs: 15 * SECOND },
    sizeBasedWeight: false,
    weightBooster: null,
    poolBy: "pool",
    undeclaredPools: true,
    groups: [],
    allocations: allocationsOf(),
    reloads: [],
    ...sectionOf(kind),
    ...changes,
  };
}

/**
 * One entry of a job list, with defaults.
 * @param {Partial<InlineJobSpec>} changes
 * @returns {InlineJobSpec}
 */
export function jobOf(changes) {
  return {
    name: "job",
    atUs: 0,
    user: "ann",
    pool: "ann",
    priority: "normal",
    maps: 1,
    mapUs: 10 * SECOND,
    reduces: 0,
    copyUs: 5 * SECOND,
    reduceUs: 5 * SECOND,
    file: "",
    count: 1,
    everyUs: 0,
    sigma: 0,
    deadlineUs: null,
    ...changes,
  };
}

/**
 * A scenario of listed jobs, and its workload.
 * @param {{ cluster?: ClusterSpec, scheduler?: SchedulerSpec, jobs: readonly InlineJobSpec[], seed?: string, run?:
 *   Partial<RunSpec>,
 *   runtime?: Partial<RuntimeSpec>, storage?: Partial<StorageSpec>, faults?: Partial<FaultsSpec> }} given
 * @returns {{ scenario: Scenario, workload: Workload }}
 */
export function smallRun({
  cluster = clusterOf(),
  scheduler = schedulerOf("hfs"),
  jobs,
  seed = "1",
  run = {},
  runtime = {},
  storage = {},
  faults = {},
}) {
  const spec = { kind: "jobs", jobs };
  const scenario = {
    name: "test",
    why: "",
    cluster,
    storage: {
      blockBytes: 128 * 2 ** 20,
      replication: 3,
      placement: "hdfs",
      nodesPerFile: 10,
      rereadProbability: 0,
      ...storage,
    },
    workload: spec,
    scheduler,
    runtime: {
      ...DEFAULT_RUNTIME,
      jobSetupUs: 2 * SECOND,
      jobCleanupUs: SECOND,
      localityFactor: { node: 1, rack: 1.5, row: 2, any: 2 },
      slowStart: 0.05,
      ...runtime,
    },
    faults: { ...NO_FAULTS, ...faults },
    run: { seed, untilUs: Infinity, sampleUs: 10 * SECOND, ...run },
  };
  return { scenario, workload: drained(inlineWorkload(spec, seed)) };
}

/**
 * Scans, small queries on a shared file, joins with reduces, and one job without input blocks to share: a bit of
 * everything.
 * @returns {InlineJobSpec[]}
 */
export function mixedJobs() {
  return [
    jobOf({
      name: "scan",
      pool: "etl",
      maps: 60,
      mapUs: 12 * SECOND,
      reduces: 4,
      copyUs: 20 * SECOND,
      reduceUs: 9 * SECOND,
    }),
    jobOf({
      name: "query",
      pool: "ana",
      atUs: 7 * SECOND,
      maps: 3,
      mapUs: 8 * SECOND,
      file: "clicks",
      count: 6,
      everyUs: 9 * SECOND,
    }),
    jobOf({
      name: "join",
      pool: "ben",
      atUs: 20 * SECOND,
      maps: 17,
      reduces: 3,
      copyUs: 15 * SECOND,
      reduceUs: 21 * SECOND,
    }),
    jobOf({ name: "hotfix", pool: "eva", atUs: 33 * SECOND, maps: 1, mapUs: 5 * SECOND, priority: "very-high" }),
    jobOf({ name: "reduce-only", pool: "eva", atUs: 41 * SECOND, maps: 0, reduces: 2 }),
    jobOf({ name: "late", pool: "ana", atUs: 400 * SECOND, maps: 5, reduces: 1, mapUs: 3 * SECOND + 1 }),
  ];
}
