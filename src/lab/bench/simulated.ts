import { join } from "node:path";
import { namesOf, US_PER_HOUR, US_PER_MINUTE } from "../../core/kernel/index.js";
import type { BenchColumn, BenchReport, BenchRow } from "../../experiments/index.js";
import { PACKAGE_ROOT, quote, formatDuration, fileProblem } from "../../io/index.js";
import type { Placement } from "../run.js";
import { type ProcessCost, inOwnProcess } from "./own-process.js";
import {
  benchMachine,
  type BenchOptions,
  cost,
  inTurns,
  median,
  named,
  rate,
  refuseDifferentResults,
  tally,
} from "./machine.js";

/**
 * Benchmarks of whole simulations, each in a process of its own (`whole-run-process.ts`): first how cases are measured
 * and shown, then `bide bench day`, `scale` and `threads`.
 */

/** A simulation that is measured. */
interface SimulatedCase {
  readonly name: string;
  /**
   * Name of a shipped scenario; or, with `text`, what the text is called. Cases of one simulation have one fingerprint.
   */
  readonly scenario: string;
  readonly text?: string;
  readonly set?: readonly string[];
  readonly placement: Placement;
  /** Default: what the scenario says. */
  readonly untilUs?: number;
  /** The parts of its cost are measured too, with two more runs in the same process; only inline. */
  readonly inParts?: boolean;
}

/** Medians of the cost, and what all runs agree on. */
interface CaseFigures extends WholeRunFigures {
  readonly case: SimulatedCase;
  /** Threads of each run. */
  readonly threadsOfRuns: readonly number[];
}

/** Columns for every benchmark that runs simulations; keys as in `rowOf`. */
const RUN_COLUMNS: readonly BenchColumn[] = [
  named("case", "case"),
  cost("wallSeconds", "wall s", 2),
  cost("cpuSeconds", "CPU s", 2),
  cost("peakMemoryMiB", "peak MiB"),
  rate("tasksPerCpuSecond", "tasks/CPU s"),
  cost("microsecondsPerTask", "us/task", 2),
  cost("simulationWallSeconds", "run s", 2),
  tally("tasks", "tasks"),
  tally("processed", "beats processed"),
  tally("implied", "beats implied"),
  tally("fingerprint", "fingerprint"),
];

/** The options of the session, and how the columns are to be read. */
function runSetup({ runs = 1, spanUs }: BenchOptions): BenchReport["setup"] {
  const span = spanUs === undefined ? {} : { Span: `as asked, no simulation goes on after ${formatDuration(spanUs)}` };
  return { ...span, Medians: `of ${runs}`, ...READING };
}

const READING = {
  Runs: "every run is a process of its own; cases take turns, so that a slow spell of the machine falls on all of them",
  "wall s, CPU s":
    "of the whole process, user + system, all threads: Node's start and the making of the workload included",
  "us/task, run s": "CPU time per map or reduce that ended, and wall time, of the simulation alone",
  beats: "heartbeats that were handled one by one, and those known to change nothing, which were counted at once",
} as const;

/**
 * Runs every case as often as the options say, in turn.
 * @throws Error when runs of one simulation have different fingerprints: a fault of ours.
 */
async function measureCases(
  cases: readonly SimulatedCase[],
  { runs = 1, spanUs, signal, onProgress }: BenchOptions,
): Promise<CaseFigures[]> {
  const figuresOfCases = await inTurns(cases, runs, onProgress, async (simulatedCase) =>
    wholeRun(taskOf(simulatedCase, spanUs), signal),
  );
  refuseDifferentResults(
    "simulation",
    cases,
    ({ scenario, set = [] }) => [scenario, ...set].join(" "),
    figuresOfCases.map((figures) => figures.map(({ fingerprint }) => fingerprint)),
  );
  return cases.map((simulatedCase, index) => ({
    case: simulatedCase,
    threadsOfRuns: figuresOfCases[index].map(({ threads }) => threads),
    ...medianOf(figuresOfCases[index]),
  }));
}

function taskOf(
  { scenario, text, set = [], placement, untilUs, inParts = false }: SimulatedCase,
  spanUs: number | undefined,
): WholeRunTask {
  const mostUs = Math.min(untilUs ?? Infinity, spanUs ?? Infinity);
  const until = mostUs === Infinity ? [] : [`run.until=${formatDuration(mostUs)}`];
  const file = join(PACKAGE_ROOT, "scenarios", `${scenario}.yaml`);
  return {
    file: text === undefined ? file : scenario,
    text: text ?? null,
    set: [...set, ...until],
    placement,
    inParts,
  };
}

function medianOf(runs: readonly WholeRunFigures[]): WholeRunFigures {
  const medianBy = (value: (run: WholeRunFigures) => number) => median(runs.map(value));
  const wholeCpu = medianBy((run) => run.process.cpuSeconds);
  return {
    ...runs[0],
    // Of one run, so that the parts add up to the whole.
    parts: runs.find((run) => run.process.cpuSeconds === wholeCpu)?.parts ?? null,
    process: {
      wallSeconds: medianBy((run) => run.process.wallSeconds),
      cpuSeconds: wholeCpu,
      peakMemoryMiB: medianBy((run) => run.process.peakMemoryMiB),
    },
    simulation: {
      wallSeconds: medianBy((run) => run.simulation.wallSeconds),
      cpuSeconds: medianBy((run) => run.simulation.cpuSeconds),
    },
  };
}

export function microsecondsPerTask({ simulation, tasks }: WholeRunFigures): number {
  return tasks === 0 ? 0 : (simulation.cpuSeconds / tasks) * 1e6;
}

export function rowOf(figures: CaseFigures): BenchRow {
  const { process: whole, simulation, tasks, heartbeats, fingerprint } = figures;
  return {
    case: figures.case.name,
    wallSeconds: whole.wallSeconds,
    cpuSeconds: whole.cpuSeconds,
    peakMemoryMiB: whole.peakMemoryMiB,
    tasksPerCpuSecond: tasks / whole.cpuSeconds,
    microsecondsPerTask: tasks === 0 ? null : microsecondsPerTask(figures),
    simulationWallSeconds: simulation.wallSeconds,
    tasks,
    processed: heartbeats.processed,
    implied: heartbeats.implied,
    fingerprint: fingerprint.slice(0, 12),
  };
}

/** Columns of the breakdown; keys as in `RunParts`. */
const PART_COLUMNS: readonly BenchColumn[] = [
  named("case", "CPU s of"),
  cost("nodeSeconds", "Node", 2),
  cost("modulesSeconds", "modules", 2),
  cost("scenarioSeconds", "scenario", 2),
  cost("workloadSeconds", "workload", 2),
  cost("warmSeconds", "warm run", 2),
  cost("firstExtraSeconds", "first run +", 2),
  cost("summarySeconds", "summary", 2),
  cost("otherThreadsSeconds", "compiler, GC", 2),
  cost("cpuSeconds", "all", 2),
  cost("warmMicrosecondsPerTask", "warm us/task", 2),
];

const READING_PARTS = {
  "Node, modules":
    "CPU time of the main thread until the first line of Bide, until its code is loaded, and until the scenario is read",
  "warm run":
    "CPU time of the simulation in the faster of a second and a third run in the same process, on the main thread",
  "first run +": "what the simulation of the first run took beyond that: interpreter, baseline code, empty caches",
  "compiler, GC": "CPU time of all other threads up to the end of the first run: V8's compiler and garbage collector",
} as const;

/** The second table, of the cases that were measured in parts; none where there are no such cases. */
function breakdownOf(figures: readonly CaseFigures[]): Pick<BenchReport, "breakdown"> {
  const rows = figures.flatMap(({ case: { name }, parts, process: { cpuSeconds }, tasks }): BenchRow[] => {
    if (parts === null) return [];
    const perTask = tasks === 0 ? null : (parts.warmSeconds / tasks) * 1e6;
    return [{ case: name, ...parts, cpuSeconds, warmMicrosecondsPerTask: perTask }];
  });
  return rows.length === 0 ? {} : { breakdown: { columns: PART_COLUMNS, rows } };
}

/** Notes for systems that do not count threads apart. */
function breakdownNotes(figures: readonly CaseFigures[]): string[] {
  if (!figures.some(({ parts }) => parts?.otherThreadsSeconds === null)) return [];
  return [
    "this system does not tell the CPU time of one thread: compiler and garbage collector are in the other parts",
  ];
}

/**
 * Cases whose name contains the text; all without one.
 * @throws InputError when there are none.
 */
export function onlyCases<C extends { readonly name: string }>(
  cases: readonly C[],
  only: string | undefined,
): readonly C[] {
  const chosen = cases.filter(({ name }) => only === undefined || name.includes(only));
  if (chosen.length > 0) return chosen;
  const allowed = namesOf(cases).join(" or ");
  throw fileProblem("--only", `${quote(only ?? "")} is no part of ${allowed}`);
}

/** Ratios of pairs of cases that were both measured. */
function ratiosOf(
  figures: readonly CaseFigures[],
  wanted: readonly (readonly [name: string, of: string, to: string, value: (figures: WholeRunFigures) => number])[],
): Record<string, number> {
  const ratios: Record<string, number> = {};
  for (const [name, ofName, toName, value] of wanted) {
    const dividend = figures.find((figure) => figure.case.name === ofName);
    const divisor = figures.find((figure) => figure.case.name === toName);
    if (dividend !== undefined && divisor !== undefined && value(divisor) > 0)
      ratios[name] = value(dividend) / value(divisor);
  }
  return ratios;
}

/** A simulation for a process of its own. */
export interface WholeRunTask {
  /** Scenario file; or, with `text`, what the text is called. */
  readonly file: string;
  readonly text: string | null;
  /** As after `--set`. */
  readonly set: readonly string[];
  readonly placement: Placement;
  /** As of `SimulatedCase`. */
  readonly inParts: boolean;
}

/** Parts of the CPU time of a process that does one run inline; all but the last are of its main thread. */
export interface RunParts {
  /** Up to the first line of Bide. */
  readonly nodeSeconds: number;
  /** Loading the code. */
  readonly modulesSeconds: number;
  readonly scenarioSeconds: number;
  readonly workloadSeconds: number;
  /** Simulation: the faster of a second and a third run in the same process, which find compiled code. */
  readonly warmSeconds: number;
  /** Time of the first run's simulation beyond that. */
  readonly firstExtraSeconds: number;
  readonly summarySeconds: number;
  /** V8's compiler and garbage collector; null: not known, and part of all others. */
  readonly otherThreadsSeconds: number | null;
}

/** Results of a run, and its cost. */
export interface WholeRunFigures {
  readonly fingerprint: string;
  /** Maps and reduces that ended. */
  readonly tasks: number;
  readonly heartbeats: { readonly processed: number; readonly implied: number };
  /** Jobs that had been submitted and not ended, and maps that waited: means over the samples of the run. */
  readonly activeJobs: number;
  readonly pendingMaps: number;
  /** On which the racks were; 0: inline. */
  readonly threads: number;
  /** Up to the end of the simulation, the making of the workload included. */
  readonly process: ProcessCost;
  /** The simulation alone; with threads, their start included. */
  readonly simulation: { readonly wallSeconds: number; readonly cpuSeconds: number };
  /** null: not measured. */
  readonly parts: RunParts | null;
}

export async function wholeRun(task: WholeRunTask, signal?: AbortSignal): Promise<WholeRunFigures> {
  return (await inOwnProcess(new URL("./whole-run-process.js", import.meta.url), task, signal)) as WholeRunFigures;
}

const RUNS = 3;

const ACTIVE = "1,000 jobs always active, inline";

const USERS = 20;

const SIZES = 20;

const SIZE_STEP = 20;

/** Fewer than 1,000: until the first of them end, more come. */
const AT_START = 800;

const MAP_SECONDS = 19;

/** Slots of the cluster of facebook-day.yaml. */
const MAP_SLOTS = 3100;

/**
 * From launch to launch in a slot: up to the heartbeat after the end, and longer where the block is elsewhere. As
 * measured.
 */
const SLOT_SECONDS = 22.1;

const DAY_CASES: readonly SimulatedCase[] = [
  { name: "Facebook day, inline", scenario: "facebook-day", placement: 0, inParts: true },
  { name: "Facebook day, 2 threads", scenario: "facebook-day", placement: 2 },
  { name: "Facebook day, thread per rack", scenario: "facebook-day", placement: "rack" },
  {
    name: "Facebook day, fifo, inline",
    scenario: "facebook-day",
    set: ["scheduler=fifo"],
    placement: 0,
    inParts: true,
  },
  { name: ACTIVE, scenario: "always-active", text: alwaysActiveScenario(), placement: 0, inParts: true },
];

/** Cases that are compared, and what is said of them. */
interface RunSuite extends Pick<BenchReport, "bench" | "question" | "setup"> {
  readonly cases: readonly SimulatedCase[];
  readonly ratios: Parameters<typeof ratiosOf>[1];
  readonly notesOf?: (figures: readonly CaseFigures[]) => string[];
}

async function measureRuns(suite: RunSuite, options: BenchOptions): Promise<BenchReport> {
  const { bench, question, cases, ratios, notesOf = () => [] } = suite;
  const { runs = RUNS, only } = options;
  const figures = await measureCases(onlyCases(cases, only), { ...options, runs });
  return {
    bench,
    question,
    setup: {
      ...suite.setup,
      ...runSetup({ ...options, runs }),
      ...(figures.some(({ parts }) => parts !== null) ? READING_PARTS : {}),
    },
    machine: benchMachine(),
    columns: RUN_COLUMNS,
    rows: figures.map(rowOf),
    ...breakdownOf(figures),
    ratios: ratiosOf(figures, ratios),
    notes: [...notesOf(figures), ...breakdownNotes(figures)],
  };
}

const wallSeconds = (run: WholeRunFigures) => run.process.wallSeconds;

const [INLINE_DAY, TWO_THREADS, THREAD_PER_RACK] = DAY_CASES;

/** `bide bench day`. */
export async function benchDay(options: BenchOptions): Promise<BenchReport> {
  const suite: RunSuite = {
    bench: "day",
    question: "what does a whole run cost, by where the racks are?",
    setup: {
      "Facebook day":
        "scenarios/facebook-day.yaml: 620 nodes, 3,100 map and 3,100 reduce slots, hfs with both waits, light model",
      "1,000 jobs":
        "the same cluster full for two hours: 20 users, jobs of 20 to 400 maps of 19 s, as many as it can do",
    },
    cases: DAY_CASES,
    ratios: [
      ["wall time, 2 threads to inline", TWO_THREADS.name, INLINE_DAY.name, wallSeconds],
      ["wall time, a thread per rack to inline", THREAD_PER_RACK.name, INLINE_DAY.name, wallSeconds],
    ],
    notesOf: (figures) => figures.filter((figure) => figure.case.name === ACTIVE).map(activity),
  };
  return measureRuns(suite, options);
}

function activity({ activeJobs, pendingMaps }: CaseFigures): string {
  const jobs = activeJobs.toFixed(0);
  return `always active: ${jobs} jobs with work, and ${(pendingMaps / activeJobs).toFixed(0)} maps of each that wait, mean over time`;
}

/**
 * A scenario in which about 1,000 jobs have maps to launch all the time, for two hours: the cluster of
 * facebook-day.yaml, 20 users, jobs of 20 to 400 maps of 19 s. As many come as the cluster can do, evenly spaced; those
 * at the start are as far done as they would be after long.
 */
function alwaysActiveScenario(): string {
  const meanMaps = (SIZE_STEP * (SIZES + 1)) / 2;
  const jobsPerSecond = MAP_SLOTS / SLOT_SECONDS / meanMaps;
  const jobs = users().flatMap((user) =>
    sizes().flatMap((size) => [atStart(user, size), later(user, size, jobsPerSecond)]),
  );
  return `name: always-active
cluster: {racks: 31, nodesPerRack: 20, mapSlots: 5, reduceSlots: 5, heartbeat: 3s}
workload:
  kind: jobs
  jobs:
${jobs.join("\n")}
scheduler: {kind: hfs, wait: {node: 10s, rack: 5s}}
run: {until: 2h, sample: 10s}
`;
}

function users(): number[] {
  return [...Array(USERS).keys()];
}

function sizes(): number[] {
  return [...Array(SIZES).keys()];
}

/**
 * The start of a job such that, where jobs of all sizes share alike, their remaining work falls linearly from none to
 * the largest size.
 */
function atStart(user: number, size: number): string {
  const sharesInAll = (SIZES * (SIZES + 1)) / 2;
  const count = Math.max(1, Math.round(((AT_START / USERS) * (SIZES - size)) / sharesInAll));
  return entryOf(user, size, `s${size}`, 0, count, 1);
}

/** Users in turn, each with all sizes in turn; 13 is prime to 20, so that large and small ones alternate. */
function later(user: number, size: number, jobsPerSecond: number): string {
  const turn = ((size * 13) % SIZES) * USERS + user;
  const gapMs = Math.round((1000 * USERS * SIZES) / jobsPerSecond);
  const atMs = Math.round((1000 * (turn + 1)) / jobsPerSecond);
  return entryOf(user, size, `l${size}`, atMs, Math.ceil(7_200_000 / gapMs), gapMs);
}

function entryOf(user: number, size: number, name: string, atMs: number, count: number, everyMs: number): string {
  const words = [
    `name: u${user}${name}, user: u${user}, maps: ${SIZE_STEP * (size + 1)}`,
    `mapTime: ${MAP_SECONDS}s, at: ${atMs}ms, count: ${count}, every: ${everyMs}ms`,
  ];
  return `    - {${words.join(", ")}}`;
}

const FEW = "620 nodes";

/** 7500 jobs a day on 620 nodes are 312.5 jobs an hour. */
const SCALE_CASES: readonly SimulatedCase[] = [
  { name: FEW, scenario: "facebook-day", placement: 0 },
  hourOf("6,200 nodes", 31, 200, 3125),
  hourOf("62,000 nodes", 62, 1000, 31_250),
];

function hourOf(name: string, racks: number, nodesPerRack: number, jobs: number): SimulatedCase {
  const cluster = [`cluster.racks=${racks}`, `cluster.nodesPerRack=${nodesPerRack}`];
  const set = [...cluster, `workload.jobs=${jobs}`];
  return { name, scenario: "scale-10k", set, placement: 0, untilUs: US_PER_HOUR };
}

/** `bide bench scale`. */
export async function benchScale(options: BenchOptions): Promise<BenchReport> {
  const suite: RunSuite = {
    bench: "scale",
    question: "what does a task cost on larger clusters, at the same load per slot?",
    setup: {
      [FEW]: "scenarios/facebook-day.yaml, 24 hours: long enough for the start not to count",
      "6,200 nodes": "31 racks of 200, otherwise scenarios/scale-10k.yaml: one hour, 3,125 jobs",
      "62,000 nodes": "62 racks of 1,000, likewise: 310,000 map and 310,000 reduce slots, 31,250 jobs",
      Racks: "inline, all on one thread",
    },
    cases: SCALE_CASES,
    ratios: SCALE_CASES.slice(1).flatMap(
      ({ name }) =>
        [
          [`us per task, ${name} to ${FEW}`, name, FEW, microsecondsPerTask],
          [`peak memory, ${name} to ${FEW}`, name, FEW, ({ process: { peakMemoryMiB } }) => peakMemoryMiB],
        ] satisfies RunSuite["ratios"],
    ),
  };
  return measureRuns(suite, options);
}

const CLUSTERS = [
  { name: "620 nodes", scenario: "facebook-day", untilUs: 6 * US_PER_HOUR },
  { name: "10,000 nodes", scenario: "scale-10k", untilUs: 20 * US_PER_MINUTE },
] as const;

const MODELS = ["light", "detailed"] as const;

const PLACEMENTS: readonly (readonly [name: string, placement: Placement])[] = [
  ["inline", 0],
  ["auto", "auto"],
  ["2 threads", 2],
  ["thread per rack", "rack"],
];

const THREAD_CASES = CLUSTERS.flatMap(({ name, scenario, untilUs }) =>
  MODELS.flatMap((model) =>
    PLACEMENTS.map(([where, placement]): SimulatedCase => {
      const set = [`runtime.model=${model}`];
      return { name: `${name}, ${model}, ${where}`, scenario, set, placement, untilUs };
    }),
  ),
);

/** `bide bench threads`. */
export async function benchThreads(options: BenchOptions): Promise<BenchReport> {
  const suite: RunSuite = {
    bench: "threads",
    question: "when do threads pay, by cluster and by model of its nodes?",
    setup: {
      "620 nodes": "scenarios/facebook-day.yaml, its first 6 hours: 31 racks of 20",
      "10,000 nodes": "scenarios/scale-10k.yaml, its first 20 minutes: 10 racks of 1,000",
      Models: "light: task times as given; detailed: disks, links and stages of tasks, event by event in the racks",
      Threads: "all of them, the master's among them; a thread per rack is beside the master's",
      auto: "of the detailed model measured on the first part of the run, which is in wall s and not in run s",
    },
    cases: THREAD_CASES,
    ratios: CLUSTERS.flatMap(speedUps),
    notesOf: (figures) => figures.filter((figure) => figure.case.placement === "auto").map(choices),
  };
  return measureRuns(suite, options);
}

/** The placements that `auto` chose, run by run. */
function choices({ case: { name }, threadsOfRuns }: CaseFigures): string {
  return `${name}: chose ${threadsOfRuns.map((threads) => (threads === 1 ? "inline" : `${threads} threads`)).join(", ")}`;
}

function speedUps({ name }: { readonly name: string }): RunSuite["ratios"] {
  return MODELS.flatMap((model) =>
    ["2 threads", "thread per rack"].map((where) => {
      const [inline, threads] = ["inline", where].map((placement) => `${name}, ${model}, ${placement}`);
      return [`run s, inline to ${where}: ${name}, ${model}`, inline, threads, (run) => run.simulation.wallSeconds];
    }),
  );
}
