import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { assert, formatTime } from "../../core/kernel/index.js";
import type { BenchColumn, BenchReport, BenchRow } from "../../experiments/index.js";
import { LatencyHistogram, PERCENTILES, checkNewFile, writeWholeFile } from "../../io/index.js";
import {
  benchMachine,
  type BenchOptions,
  type CallTimes,
  clockCostNs,
  cost,
  median,
  named,
  rate,
  tally,
  RunDelay,
  WALL_CLOCK,
} from "./machine.js";
import { DECISION_GRID, type DecisionCase, PAPER_CASE, seesPools } from "./decision-case.js";
import { runDecisions } from "./decision-run.js";
import type { DecisionRun } from "./decision-times.js";
import { onlyCases } from "./simulated.js";

interface Session {
  readonly runs: number;
  readonly warmups: number;
  readonly seed: string;
  readonly cases: readonly DecisionCase[];
  readonly signal: AbortSignal | undefined;
  readonly tell: (line: string) => void;
}

/**
 * `bide bench decisions`: what the decisions of the scheduler take, one heartbeat after the other (paper section 5.4).
 * Files are written once all is measured.
 * @throws InputError when they cannot be, before anything is measured.
 */
export async function benchDecisions(options: BenchOptions): Promise<BenchReport> {
  const session = sessionOf(options);
  const { cases } = session;
  const { hgrm, force = false } = options.decisions ?? {};
  const files = hgrm === undefined ? null : { folder: hgrm, force };
  if (files !== null) checkFiles(files, cases);
  const rows: BenchRow[] = [];
  const writes: (() => void)[] = [];
  const progress = new GridProgress(session);
  let clockNs = 0;
  for (const decisionCase of cases) {
    const runs = await measuredRuns(decisionCase, session, progress);
    clockNs = clockCostNs(WALL_CLOCK);
    rows.push(decisionRow(decisionCase, runs, clockNs));
    if (files === null) continue;
    const latencies = latenciesOf(runs, clockNs);
    writes.push(() => {
      writeFiles(files, decisionCase, latencies);
    });
  }
  for (const write of writes) write();
  return {
    bench: "decisions",
    question: "how many tasks can the scheduler hand out in a second, and how long does a heartbeat take?",
    setup: setupOf(session, clockNs),
    machine: benchMachine(),
    columns: DECISION_COLUMNS,
    rows,
    ratios: gridRatios(cases, rows),
    notes: [],
  };
}

function sessionOf(options: BenchOptions): Session {
  const { only, signal, onProgress, spanUs = Infinity } = options;
  const { grid = false, points = [PAPER_CASE], seed = "1", warmups = grid ? 1 : 2 } = options.decisions ?? {};
  const namedCases = (grid ? DECISION_GRID : points).map((point) => {
    const decisionCase = { ...point, untilUs: Math.min(point.untilUs, spanUs) };
    return { name: caseName(decisionCase), which: decisionCase };
  });
  return {
    runs: options.runs ?? (grid ? 3 : 5),
    warmups,
    seed,
    cases: onlyCases(namedCases, only).map(({ which: decisionCase }) => decisionCase),
    signal,
    tell: onProgress ?? (() => undefined),
  };
}

/** Prints the next measurement, and how long the rest may take if every run takes as long as those before. */
class GridProgress {
  private begun = 0;
  private readonly startMs = performance.now();

  constructor(private readonly session: Session) {}

  begin(decisionCase: DecisionCase, run: number): void {
    const { runs, warmups, cases, tell } = this.session;
    const runsInAll = cases.length * (runs + warmups);
    const leftMs = ((performance.now() - this.startMs) * (runsInAll - this.begun)) / Math.max(1, this.begun);
    const remaining = this.begun === 0 ? "?" : formatTime(Math.ceil(leftMs / 1000) * 1_000_000);
    this.begun++;
    const runName = run < 0 ? "warm-up" : `run ${run + 1} of ${runs}`;
    tell(`${caseName(decisionCase)}: ${runName}, ${this.begun} of ${runsInAll}, ETA ${remaining}`);
  }
}

/** @throws what the signal says, between runs and in them. */
async function measuredRuns(
  decisionCase: DecisionCase,
  session: Session,
  progress: GridProgress,
): Promise<DecisionRun[]> {
  const { runs, warmups, seed, signal } = session;
  const measured: DecisionRun[] = [];
  for (let run = -warmups; run < runs; run++) {
    progress.begin(decisionCase, run);
    await turn();
    signal?.throwIfAborted();
    const delay = RunDelay.open();
    const measuredRun = await runDecisions(decisionCase, seed, signal, WALL_CLOCK, delay).finally(() => delay?.close());
    if (run >= 0) measured.push(measuredRun);
  }
  assert(new Set(measured.map(({ fingerprint }) => fingerprint)).size === 1, "equal runs decided otherwise");
  return measured;
}

const SPARK_SETUP =
  "one driver by the rules of 3.5, an executor on each node with as many cores as both kinds of slots; a stage of maps, then one of reduces. An offer is a round in which executors with free cores are shown; tasks take 10 s and messages nothing";

const YARN_SETUP =
  "nodes have room for as many containers as both kinds of slots; a master of each job takes one more and is a task here. An offer is a report of a node with room. The Fair Scheduler's updates come every 0.5 s";

function setupOf({ runs, warmups, seed, cases }: Session, clockNs: number): BenchReport["setup"] {
  const isAny = (platform: string) => cases.some(({ kind }) => kind.startsWith(platform));
  return {
    Jobs: "all there from the start, dealt out to the pools; equal weights, no min shares, no preemption",
    Cluster: "racks of 40; each map's block on 3 distinct nodes at random; a heartbeat of every node each 10 s in turn",
    Tasks:
      "end on the next heartbeat of their node; where nodes get few per heartbeat, when the node would be full. Reduces come when the maps of their job have ended",
    ...(isAny("spark") ? { Spark: SPARK_SETUP } : {}),
    ...(isAny("yarn") ? { YARN: YARN_SETUP } : {}),
    Updates: "of demands every 2.5 simulated seconds, between heartbeats",
    "tasks/s, us": "calls of the scheduler that offer free slots, with the launches inside: records and racks included",
    "all calls": "all that the scheduler is told and asked to do",
    "per CPU s":
      "by CPU time of the process in the run: master, racks and scheduler, collector and compiler, and the measuring",
    Clock: `monotonic; ${Math.round(clockNs)} ns per timed call are subtracted`,
    Interrupted:
      "heartbeats of 20 us or more while others had the processor, as Linux tells: they are in no time and rate",
    Seed: seed,
    "Warm-ups": `${warmups} of each case, in the same process`,
    Medians: `of ${runs}`,
  };
}

const US_PER_MS = 1_000;

/** The columns of a case, in order. */
const DECISION_COLUMNS: readonly BenchColumn[] = [
  named("case", "Case"),
  rate("tasksPerSecond", "tasks/s"),
  rate("allTasksPerSecond", "all calls"),
  rate("tasksPerCpuSecond", "per CPU s"),
  cost("taskUs", "us/task", 2),
  ...PERCENTILES.map((percent) => cost(`p${percent}Us`, `p${percent} us`, 1)),
  cost("maxUs", "max us", 1),
  cost("updateUs", "us/update", 1),
  tally("nodeLocalPercent", "local %", 1),
  tally("tasks", "tasks"),
  tally("heartbeats", "offers"),
  tally("passedOver", "passed"),
  tally("searches", "searches"),
  tally("jobsVisited", "visited"),
  tally("updates", "updates"),
  tally("fingerprint", "fingerprint"),
  cost("interrupted", "interrupted"),
];

/** Equal runs of a case as a row: the median of every figure. */
function decisionRow(decisionCase: DecisionCase, runs: readonly DecisionRun[], clockNs: number): BenchRow {
  const middle = (figure: (run: DecisionRun) => number) => median(runs.map(figure));
  const offers = runs.map(({ times }) => histogramOf(times.offers, clockNs));
  const medianOfPercentile = (percent: number) => median(offers.map((offer) => offer.percentileUs(percent)));
  const taskUs = ({ times }: DecisionRun) => {
    const ms = times.offersMs - (times.offers.size * clockNs) / 1e6;
    return (ms * US_PER_MS) / Math.max(1, times.tasks);
  };
  const [{ tasks, maps, nodeLocal, counts, fingerprint }] = runs;
  return {
    case: caseName(decisionCase),
    tasksPerSecond: known(middle((run) => 1e6 / taskUs(run))),
    allTasksPerSecond: runs.some(({ allSeconds }) => allSeconds === null)
      ? null
      : known(middle((run) => run.tasks / (run.allSeconds ?? NaN))),
    tasksPerCpuSecond: middle((run) => run.tasks / Math.max(1e-6, run.cpuSeconds)),
    taskUs: middle(taskUs),
    ...Object.fromEntries(PERCENTILES.map((percent) => [`p${percent}Us`, medianOfPercentile(percent)])),
    maxUs: median(offers.map(({ maxUs }) => maxUs)),
    updateUs:
      counts.updates === 0 ? null : middle(({ times }) => (times.updatesMs * US_PER_MS) / Math.max(1, times.updates)),
    nodeLocalPercent: maps === 0 ? null : (100 * nodeLocal) / maps,
    tasks,
    heartbeats: counts.heartbeats,
    passedOver: counts.passedOver,
    searches: counts.searches,
    jobsVisited: counts.jobsVisited,
    updates: counts.updates,
    fingerprint: fingerprint.slice(0, 12),
    interrupted: middle(({ times }) => times.interrupted),
  };
}

/**
 * All runs of a case in one histogram each: one value per offer of free slots, and one per task, an equal part of the
 * offer that gave it.
 */
function latenciesOf(runs: readonly DecisionRun[], clockNs: number): LatencyHistogram[] {
  const heartbeat = LatencyHistogram.empty();
  const task = LatencyHistogram.empty();
  for (const { times } of runs) {
    const { offers } = times;
    heartbeat.merge(histogramOf(offers, clockNs));
    for (let call = 0; call < offers.size; call++) {
      const tasks = offers.tasks(call);
      if (tasks > 0) task.add(Math.round(offers.ns(call, clockNs) / tasks), tasks);
    }
  }
  return [heartbeat, task];
}

function histogramOf(calls: CallTimes, clockNs: number): LatencyHistogram {
  const histogram = LatencyHistogram.empty();
  for (let call = 0; call < calls.size; call++) histogram.add(calls.ns(call, clockNs));
  return histogram;
}

/** Null when all calls were interrupted, or took no more than the clock. */
function known(perSecond: number): number | null {
  return Number.isFinite(perSecond) && perSecond > 0 ? perSecond : null;
}

interface Ratio {
  readonly name: string;
  readonly isItsCase: (decisionCase: DecisionCase) => boolean;
}

/** Compared with the first case, in time per task: sizes and settings that are said to cost little. */
const RATIOS: readonly Ratio[] = [
  { name: "us/task, 100,000 nodes", isItsCase: ({ nodes, jobs }) => nodes === 100_000 && jobs === 100 },
  {
    name: "us/task, 1,000 jobs",
    isItsCase: ({ nodes, jobs, pools }) => nodes === 2_500 && jobs === 1_000 && pools === 20,
  },
  { name: "us/task, one pool", isItsCase: ({ nodes, jobs, pools }) => nodes === 2_500 && jobs === 100 && pools === 1 },
  {
    name: "us/task, no wait",
    isItsCase: ({ kind, jobs, wait }) => kind === "hfs" && jobs === 100 && wait.kind === "none",
  },
];

/** Time per task of some cases of a grid as a multiple of that of its first case; none of a single case. */
function gridRatios(cases: readonly DecisionCase[], rows: readonly BenchRow[]): BenchReport["ratios"] {
  const first = Number(rows[0]?.taskUs);
  const comparedRows = RATIOS.map(({ name, isItsCase }) => ({ name, row: rows[cases.findIndex(isItsCase)] }));
  return Object.fromEntries(
    comparedRows
      .filter(({ row }) => row !== undefined && row !== rows[0])
      .map(({ name, row }) => [`${name} to the first case`, Number(row.taskUs) / first]),
  );
}

/**
 * Checks, before anything is measured, that the files can be written afterwards.
 * @throws InputError
 */
function checkFiles({ folder, force }: LatencyFolder, cases: readonly DecisionCase[]): void {
  const paths = existsSync(folder) ? cases.flatMap(namesOf).map((name) => join(folder, name)) : [folder];
  for (const path of paths) checkNewFile(path, force);
}

/** @throws InputError */
function writeFiles({ folder, force }: LatencyFolder, decisionCase: DecisionCase, latencies: LatencyHistogram[]): void {
  mkdirSync(folder, { recursive: true });
  const texts = latencies.flatMap((histogram) => [histogram.distribution(), `${histogram.compressed()}\n`]);
  for (const [i, name] of namesOf(decisionCase).entries()) writeWholeFile(join(folder, name), texts[i], force);
}

/**
 * A folder of histograms. Each case has two, of heartbeats and of tasks, and each of these has two files: `.hgrm` with
 * percentiles in microseconds for plotters, and `.hdr` with the histogram in nanoseconds, V2 compressed and base64, for
 * merging with others.
 */
interface LatencyFolder {
  readonly folder: string;
  readonly force: boolean;
}

/** In the order in which they are written. */
function namesOf(decisionCase: DecisionCase): string[] {
  const base = caseName(decisionCase)
    .replace(/[^\w.]+/g, "-")
    .replace(/-+$/, "");
  return ["heartbeat.hgrm", "heartbeat.hdr", "task.hgrm", "task.hdr"].map((end) => `${base}.${end}`);
}

/** The name that distinguishes a case: `hfs, 2500 x (2+2), 100 jobs x (1000+1000), 20 pools, wait 5s+5s`. */
export function caseName(decisionCase: DecisionCase): string {
  const { nodes, mapSlots, reduceSlots, jobs, maps, reduces, pools, kind } = decisionCase;
  const { tasksPerHeartbeat, updateIntervalUs, untilUs } = decisionCase;
  return [
    kind,
    `${nodes} x (${mapSlots}+${reduceSlots})`,
    `${jobs} jobs x (${maps}+${reduces})`,
    ...(seesPools(kind) ? [`${pools} pools`] : []),
    waitName(decisionCase),
    ...(tasksPerHeartbeat === Infinity ? [] : [`${tasksPerHeartbeat} per heartbeat`]),
    ...(updateIntervalUs === 0 ? ["demands always fresh"] : []),
    ...(untilUs === Infinity ? [] : [`the first ${formatTime(untilUs)}`]),
  ].join(", ");
}

function waitName({ kind, wait }: DecisionCase): string {
  switch (wait.kind) {
    case "none":
      return "no wait";
    case "auto":
      return "wait auto";
    case "time":
      return `wait ${formatTime(wait.nodeUs)}+${formatTime(wait.rackUs)}`;
    case "skips":
      if (kind === "yarn-capacity") return `locality delay ${wait.node}`;
      return `wait ${wait.node}+${wait.rack} skips`;
    case "fraction":
      return `wait ${wait.node}+${wait.rack} of nodes`;
  }
}
