import { createHash } from "node:crypto";
import { join } from "node:path";
import { sumOver, US_PER_HOUR, US_PER_MINUTE } from "../../core/kernel/index.js";
import type { BenchColumn, BenchReport, BenchRow } from "../../experiments/index.js";
import { loadScenario, formatDuration, PACKAGE_ROOT } from "../../io/index.js";
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
import { inOwnProcess } from "./own-process.js";
import type { RunTask } from "../sweep/run-task.js";
import type { Sweep, SweepFigures } from "./sweep-process.js";

const RUNS = 3;
/** With fewer, most of the time is each thread's compiler. */
const SIMULATIONS = 32;
const SPAN_US = 6 * US_PER_HOUR;

/** Small runs: so many waits with so many seeds each. */
const WAITS = 100;
const SEEDS = 10;
const SMALL_SPAN_US = 30 * US_PER_MINUTE;

/** A sweep that is measured. */
interface SweepCase {
  readonly name: string;
  readonly threads: number;
  readonly runs: number;
  readonly work: (spanUs: number) => Sweep["work"];
}

const ONE = "1 thread";
const TWO = "2 threads";

const CASES: readonly SweepCase[] = [
  { name: ONE, threads: 1, runs: SIMULATIONS, work: seedsOf },
  { name: TWO, threads: 2, runs: SIMULATIONS, work: seedsOf },
  { name: "1,000 small runs, 2 threads", threads: 2, runs: WAITS * SEEDS, work: smallRuns },
];

const COLUMNS: readonly BenchColumn[] = [
  named("case", "case"),
  cost("wallSeconds", "wall s", 2),
  cost("cpuSeconds", "CPU s", 2),
  cost("peakMemoryMiB", "peak MiB"),
  rate("perMinute", "simulations/min", 1),
  cost("cpuMillisecondsPerRun", "CPU ms/run", 1),
  cost("warmMillisecondsPerRun", "warm ms/run", 1),
  tally("tasks", "tasks"),
  tally("fingerprints", "all fingerprints"),
];

/** `bide bench sweep`. */
export async function benchSweep(options: BenchOptions): Promise<BenchReport> {
  const { runs = RUNS, spanUs = SPAN_US, signal, onProgress } = options;
  const program = new URL("./sweep-process.js", import.meta.url);
  const figuresOfCases = await inTurns(CASES, runs, onProgress, async ({ threads, work }) => {
    const sweep: Sweep = { threads, work: work(spanUs) };
    return (await inOwnProcess(program, sweep, signal)) as SweepFigures;
  });
  refuseDifferentResults(
    "sweep",
    CASES,
    ({ work }) => work,
    figuresOfCases.map((figures) => figures.map(fingerprintsOf)),
  );
  const [single, double] = [ONE, TWO].map((name) => {
    const index = CASES.findIndex((sweepCase) => sweepCase.name === name);
    return median(figuresOfCases[index].map((figures) => figures.process.wallSeconds));
  });
  return {
    bench: "sweep",
    question: "how much faster are independent simulations on two threads?",
    setup: {
      "1 thread, 2": `${SIMULATIONS} seeds of scenarios/facebook-day.yaml, its first ${formatDuration(Math.min(spanUs, SPAN_US))}, each inline on a thread of the pool`,
      "1,000 small": `bide sweep, with its journal and tables: ${WAITS} waits x ${SEEDS} seeds of the first ${formatDuration(Math.min(spanUs, SMALL_SPAN_US))}`,
      Medians: `of ${runs}; every sweep is a process of its own, and they take turns`,
      "wall s, CPU s": "of the whole process: its start, that of the threads and the making of the workloads included",
      "warm ms/run":
        "wall time of a run on its thread: the median of all but the first quarter, which find code and workloads",
    },
    machine: benchMachine(),
    columns: COLUMNS,
    rows: CASES.map((sweepCase, index) => rowOf(sweepCase, figuresOfCases[index])),
    ratios: { "wall time, 1 thread to 2": single / double },
    notes: [],
  };
}

/** Seeds of a day, each a run of its own that nothing is shared with. */
function seedsOf(spanUs: number): Sweep["work"] {
  const file = join(PACKAGE_ROOT, "scenarios", "facebook-day.yaml");
  const until = `run.until=${formatDuration(Math.min(spanUs, SPAN_US))}`;
  const { scenario, directory } = loadScenario(file, { set: [until] });
  const tasks = Array.from({ length: SIMULATIONS }, (_, i): RunTask => {
    const seed = String(i + 1);
    const ofSeed = { ...scenario, run: { ...scenario.run, seed } };
    const kept = { measures: [], warmUp: { kind: "none" }, series: false } as const;
    return { key: seed, scenario: ofSeed, directory, plugins: [], ...kept };
  });
  return { tasks };
}

function smallRuns(spanUs: number): Sweep["work"] {
  const text = `name: small-runs
why: What does a small run cost in a sweep?
scenario: ../facebook-day.yaml
set: {run.until: ${formatDuration(Math.min(spanUs, SMALL_SPAN_US))}}
axes: [{name: W1, path: scheduler.wait.node, range: {from: 0ms, to: ${(WAITS - 1) * 100}ms, step: 100ms}}]
replications: ${SEEDS}
`;
  return { text, file: join(PACKAGE_ROOT, "scenarios", "sweeps", "small-runs.yaml") };
}

/** The first digits of each, in the order of the seeds. */
function fingerprintsOf({ results }: SweepFigures): string {
  const distinct = new Set(results.map(({ fingerprint }) => fingerprint));
  const digest = createHash("sha256")
    .update(results.map(({ fingerprint }) => fingerprint).join())
    .digest("hex");
  return `${digest.slice(0, 12)} (${distinct.size} results)`;
}

function rowOf({ name, runs }: SweepCase, sweeps: readonly SweepFigures[]): BenchRow {
  const medianOf = (key: keyof SweepFigures["process"]) => median(sweeps.map((sweep) => sweep.process[key]));
  return {
    case: name,
    wallSeconds: medianOf("wallSeconds"),
    cpuSeconds: medianOf("cpuSeconds"),
    peakMemoryMiB: medianOf("peakMemoryMiB"),
    perMinute: (60 * runs) / medianOf("wallSeconds"),
    cpuMillisecondsPerRun: (1000 * medianOf("cpuSeconds")) / runs,
    warmMillisecondsPerRun: median(sweeps.map(warmMilliseconds)),
    tasks: sumOver(sweeps[0].results, ({ tasks }) => tasks),
    fingerprints: fingerprintsOf(sweeps[0]),
  };
}

/** Milliseconds per run after the first quarter, in the order of the plan, which is nearly that in which they began. */
function warmMilliseconds({ results }: SweepFigures): number {
  const warm = results.slice(Math.ceil(results.length / 4));
  return 1000 * median(warm.map(({ wallSeconds }) => wallSeconds));
}
