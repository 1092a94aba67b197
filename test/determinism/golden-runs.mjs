import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SCHEDULER_KINDS } from "../../dist/core/scenario/index.js";
import { builderWith } from "../../dist/core/platforms/hadoop/index.js";
import { loadAnyScenario, loadScenario, loadWorkload, plainTree, readYaml } from "../../dist/io/index.js";
import { collectRecord, runScenario, simulate, summarise } from "../../dist/lab/index.js";
import { PREEMPTING_RULES, preemptingRun } from "../support/preempting-run.mjs";

/**
 * The runs whose results are kept in test/golden/results.csv: the fingerprint, and digests of the summary and of the
 * tables. `scheduler` "-": as the scenario file says. `variant` "-": the file unchanged; else a name for the settings
 * in `set`. The scenario `preempting-run` is no file: test/support/preempting-run.mjs makes it, for hfs by the rules of
 * that name.
 */

export const GOLDEN_FILE = fileURLToPath(new URL("../golden/results.csv", import.meta.url));
export const GOLDEN_HEADER = "scenario,seed,scheduler,variant,fingerprint,summary,tables";

const FOLDER = fileURLToPath(new URL("../../scenarios", import.meta.url));
const PREEMPTING = "preempting-run";

/**
 * Where these say nothing of themselves, short runs are those of another: one queue with everything is FIFO, and DSFS,
 * as long as nobody has waited enough, is delay scheduling. Their golden runs are of scenarios of their own.
 */
const LIKE_ANOTHER = ["capacity", "dsfs"];
const kinds = SCHEDULER_KINDS.map((kind) => kind.name).filter((name) => !LIKE_ANOTHER.includes(name));

/** Scenario files by themselves, and cut short where the whole would take long. */
const FILES = {
  quincy: [],
  "fifo-with-wait": [],
  "long-task-balance": [],
  dsfs: [],
  "kill-or-wait": [],
  "weighted-pools": [],
  dsbra: [],
  capacity: [],
  "copy-compute": [],
  "cached-files": [],
  "facebook-day": ["run.until=90m"],
  faults: ["run.until=18m", "faults.events.0.at=10m", "faults.events.0.for=4m"],
  "io-heavy": ["run.until=8m"],
  rows: ["run.until=5m"],
  mesos: ["run.until=90s"],
  "hot-spots": ["run.until=15m"],
  "sticky-slots": ["run.until=4m"],
  "production-pool": ["run.until=1h"],
  hierarchical: ["run.until=3m"],
  "long-tasks": ["run.until=18m"],
  "idle-reduce-slots": [],
};

const DETAILED = "runtime.model=detailed";
const CRASHES =
  "faults.events=[{kind: crash, rack: 0, node: 1, at: 40s, for: 1m}, {kind: crash, rack: 2, node: 3, at: 70s}]";
const LOST_SWITCH = "faults.events=[{kind: switch, rack: 1, at: 45s, for: 90s}]";
const STRAGGLERS = "faults.stragglers={share: 0.1, factor: 6}";
const EXPIRY = "runtime.attempts={trackerExpiry: 20s}";
const POOLS = "scheduler.pools={etl: {maxMaps: 14, mode: fair}, ana: {minMaps: 4, weight: 2, mode: fifo}}";
const TWO_FRAMEWORKS = "scheduler.offers={by: user, inner: delay, refuseFor: 4s, frameworks: {ana: {weight: 2}}}";

/** Settings that no scenario file has, or not together. */
const VARIANTS = {
  tiny: {
    jitter: ["cluster.heartbeatJitter=0.2"],
    "out-of-band": ["cluster.outOfBandDelay=50ms"],
    "out-of-band-jitter": ["cluster.outOfBandDelay=10ms", "cluster.heartbeatJitter=0.1", "scheduler.rules=1.2"],
    "heartbeat-rule": ["cluster.heartbeat={rule: hadoop-1.1, perSecond: 20}", "scheduler.rules=1.2"],
    "node-kinds": [
      "cluster.racks=[{name: a, nodes: [{count: 3, speed: 0.5}, {count: 2, mapSlots: 5}]}, {name: b, count: 2}]",
    ],
    pools: [
      POOLS,
      "scheduler.poolBy=user",
      "scheduler.weightBooster={factor: 3, duration: 1m}",
      "scheduler.sizeBasedWeight=true",
    ],
    reload: [
      POOLS,
      "scheduler.poolBy=user",
      "scheduler.reloads=[{at: 70s, allocations: {pools: {etl: {maxMaps: 3}}}}]",
    ],
    "allocation-file": [`scheduler.allocations=${FOLDER}/hadoop/fair-scheduler.xml`, "scheduler.rules=branch-1"],
    "load-cap": ["scheduler.loadCap={maxDiff: 0.1}", "cluster.loadLimit=2"],
    "setup-tasks": ["runtime.setupTasks=true", "runtime.jobSetup=3s", "runtime.jobCleanup=3s"],
    commit: ["runtime.commit={poll: 700ms, commit: 2s}"],
    "commit-out-of-band": ["runtime.commit=on", "cluster.outOfBandDelay=20ms", "cluster.heartbeatJitter=0.1"],
    speculation: [STRAGGLERS, "runtime.speculation={rule: hadoop, minAge: 5s}"],
    "speculation-late-commit": [STRAGGLERS, "runtime.speculation={rule: late, minAge: 5s}", "runtime.commit=on"],
    "map-failures": ["faults.mapFailure=0.1", "faults.reduceFailure=0.2"],
    crashes: [CRASHES, EXPIRY],
    "lost-switch": [LOST_SWITCH, EXPIRY, "cluster.outOfBandDelay=50ms"],
    detailed: [DETAILED, "cluster.disk=60MB/s", "cluster.link=200Mbps", "cluster.oversubscription=4"],
    "detailed-uneven": [DETAILED, "cluster.heartbeatJitter=0.2", "cluster.outOfBandDelay=20ms", "runtime.commit=on"],
    "detailed-crashes": [DETAILED, CRASHES, EXPIRY, STRAGGLERS, "runtime.speculation={rule: late, minAge: 5s}"],
    "detailed-switch": [DETAILED, LOST_SWITCH, EXPIRY, "runtime.commit=on", "faults.mapFailure=0.05"],
    "detailed-rates": [
      ...[DETAILED, EXPIRY, "cluster.network={settle: 200ms}"],
      "faults.rates={crash: {every: 10m, for: 1m}, slowDisk: {every: 5m, for: 1m, factor: 5}, slowNode: {every: 5m, for: 1m, factor: 3}}",
    ],
    "copy-compute-fair": ["cluster.reduceSlots=3", "runtime.copyCompute={computing: 1, order: fair}"],
    offers: ["scheduler=offers", TWO_FRAMEWORKS],
    "offers-answered-late": [
      "scheduler=offers",
      "scheduler.offers={by: user, answerAfter: 500ms, rescindAfter: 2s, frameworks: {eva: {minFreeMaps: 2}}}",
    ],
    partition: [
      "scheduler=partition",
      "scheduler.partition={by: user, deal: contiguous, weights: {etl: 3}, inner: delay}",
    ],
    "kill-out-of-band": ["scheduler=kill", "cluster.outOfBandDelay=50ms", "runtime.commit=on"],
  },
  benchmark: {
    skips: ["scheduler.wait={nodeSkips: 30, rackSkips: 20}", "run.until=6m"],
    fractions: ["scheduler.wait={nodeFraction: 0.5, rackFraction: 0.2}", "run.until=6m"],
  },
  quincy: Object.fromEntries(
    ["G", "GF", "GFP", "Q", "QF", "QP"].map((policy) => [
      policy,
      [`scheduler.quincy.policy=${policy}`, "run.until=3m", "workload.jobs.2.count=10"],
    ]),
  ),
  dsbra: {
    hotSpots: ["storage.dynamicReplication={rule: hotSpots, readersPerReplica: 1}", "run.until=15m", DETAILED],
  },
  dsfs: {
    additional: ["scheduler.dsfs={t1: 4s, t2: 4s, t2Is: additional, at: waits, reset: nodeLocal}", "run.until=3m"],
  },
  "long-task-balance": { "short-first": ["scheduler.longTasks={over: 9s, newJobs: short, slack: 1}", "run.until=6m"] },
  capacity: {
    "asPrinted-soft": ["scheduler.capacity.rule=asPrinted", "scheduler.capacity.userLimits=soft"],
  },
  "production-pool": { "fair-share-kills": ["run.until=40m", "cluster.outOfBandDelay=100ms", "runtime.commit=on"] },
  "cached-files": { "input-first": ["scheduler.preference=input", "run.until=10m"] },
};

/** Of other platforms, as the file says and as each other system that it compares; some of these decide alike. */
const OTHER_PLATFORMS = {
  spark: [
    "dynamic-allocation",
    "failures",
    "locality-wait",
    "one-local-launch",
    "pools",
    "reset-rule",
    "slow-host",
    "two-applications",
  ],
  yarn: ["drf", "job-graph", "locality-delay", "uneven-heartbeats", "users-of-a-queue"],
};

/** Systems that a file compares, by their names in one word each. */
function systemsOf(scenario) {
  const file = `${FOLDER}/${scenario}.yaml`;
  const { systems } = plainTree(readYaml(readFileSync(file, "utf8"), file)).compare;
  return systems
    .filter(({ set }) => set !== undefined)
    .map(({ name, set }) => ({
      variant: name.replaceAll(" ", "-"),
      set: Object.entries(set).map(([path, value]) => `${path}=${JSON.stringify(value)}`),
    }));
}

export const GOLDEN_RUNS = [
  ...kinds.flatMap((scheduler) => ["1", "seven"].map((seed) => golden("tiny", { seed, scheduler }))),
  // Quincy has a smaller scenario of its own: thousands of maps that wait are dear to plan for.
  ...kinds
    .filter((scheduler) => scheduler !== "quincy")
    .map((scheduler) => golden("benchmark", { seed: "7", scheduler })),
  ...Object.entries(FILES).map(([scenario, set]) => golden(scenario, { set })),
  ...Object.entries(VARIANTS).flatMap(([scenario, variants]) =>
    Object.entries(variants).map(([variant, set]) => golden(scenario, { variant, set })),
  ),
  ...PREEMPTING_RULES.map((rules) => golden(PREEMPTING, { scheduler: `hfs:${rules}` })),
  ...Object.entries(OTHER_PLATFORMS)
    .flatMap(([platform, files]) => files.map((file) => `${platform}/${file}`))
    .flatMap((scenario) => [golden(scenario, {}), ...systemsOf(scenario).map((system) => golden(scenario, system))]),
];

export function isOfHadoop({ scenario }) {
  return !Object.keys(OTHER_PLATFORMS).some((platform) => scenario.startsWith(`${platform}/`));
}

function golden(scenario, { seed = "1", scheduler = "-", variant = "-", set = [] }) {
  return { scenario, seed, scheduler, variant, set };
}

export function goldenKey({ scenario, seed, scheduler, variant }) {
  return [scenario, seed, scheduler, variant].join(",");
}

/**
 * The rest of a run's row: computed inline unless `threads` says otherwise.
 * @param {import("../../dist/lab/index.js").RunInputs} [inputs] what it has in common with others; by default
 *   everything is made for this run.
 */
export async function resultOfGolden(golden, threads = 0, inputs) {
  if (!isOfHadoop(golden)) return resultElsewhere(golden, threads);
  const { scenario, workload } = await read(golden, inputs);
  const topology = inputs?.topologyOf(scenario.cluster);
  const before = contentsOf([workload, topology]);
  const build = builderWith([], scenario.run.seed);
  const run = await simulate(scenario, workload, { topology, threads, slices: 1, recordTasks: false, build });
  const record = collectRecord(run.master.master, run.stoppedUs);
  // Not the figures that depend on the machine, nor prose.
  const { cost: _, notes: __, ...summary } = summarise(scenario, run, record, {});
  if (before !== contentsOf([workload, topology])) throw new Error("a run wrote to what others may read");
  return [summary.fingerprint, digest(summary), digest(record)].join(",");
}

/** The same of another platform. */
async function resultElsewhere({ scenario: file, seed, set }, threads) {
  const { scenario, directory } = loadAnyScenario(`${FOLDER}/${file}.yaml`, { set, seed });
  const { summary, record } = await runScenario(scenario, directory, { placement: threads });
  const { cost: _, notes: __, ...figures } = summary;
  return [figures.fingerprint, digest(figures), digest(record)].join(",");
}

async function read({ scenario, seed, scheduler, set }, kept) {
  if (scenario === PREEMPTING) return preemptingRun({ rules: scheduler.slice("hfs:".length), seed });
  const kind = scheduler === "-" ? [] : [`scheduler=${scheduler}`];
  const loaded = loadScenario(`${FOLDER}/${scenario}.yaml`, { set: [...kind, ...set], seed });
  return { scenario: loaded.scenario, workload: await loadWorkload(loaded.scenario, FOLDER, { kept }) };
}

/** Names everything in it; a list that many parts hold is looked at once. */
function contentsOf(value) {
  const seen = new Map();
  const nameOf = (list) => {
    if (!seen.has(list)) seen.set(list, createHash("sha256").update(list).digest("hex"));
    return seen.get(list);
  };
  const text = JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? nameOf(part) : part));
  return createHash("sha256").update(text).digest("hex");
}

function digest(value) {
  const text = JSON.stringify(value, (_, part) => (ArrayBuffer.isView(part) ? Array.from(part) : part));
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
