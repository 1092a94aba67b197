import { createHash } from "node:crypto";
import { join } from "node:path";
import { US_PER_HOUR } from "../../core/kernel/time.js";
import type { BenchColumn, BenchReport, BenchRow } from "../../experiments/bench-report.js";
import { loadScenario } from "../../io/scenario/load.js";
import { formatDuration } from "../../io/scenario/units.js";
import { PACKAGE_ROOT } from "../../io/bide-version.js";
import { benchMachine, type BenchOptions, median } from "./machine.js";
import { inOwnProcess } from "./own-process.js";
import type { Sweep, SweepFigures } from "./sweep-process.js";

const RUNS = 3;
/** Of fewer, most of the time is each thread's compiler. */
const SIMULATIONS = 32;
const SPAN_US = 6 * US_PER_HOUR;
const THREADS = [1, 2];

const COLUMNS: readonly BenchColumn[] = [
  { key: "case", title: "case", kind: "name" },
  { key: "wallSeconds", title: "wall s", kind: "cost", decimals: 2 },
  { key: "cpuSeconds", title: "CPU s", kind: "cost", decimals: 2 },
  { key: "peakMemoryMiB", title: "peak MiB", kind: "cost" },
  { key: "perMinute", title: "simulations/min", kind: "rate", decimals: 1 },
  { key: "tasks", title: "tasks", kind: "count" },
  { key: "fingerprints", title: "all fingerprints", kind: "count" },
];

/** `bide bench sweep`. */
export async function benchSweep(options: BenchOptions): Promise<BenchReport> {
  const { runs = RUNS, spanUs = SPAN_US, signal, onProgress } = options;
  const tasks = sweepOf(Math.min(spanUs, SPAN_US));
  const found = THREADS.map((): SweepFigures[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [at, threads] of THREADS.entries()) {
      onProgress?.(`run ${String(run + 1)} of ${String(runs)}: ${nameOf(threads)}`);
      const sweep: Sweep = { threads, tasks };
      found[at].push(
        (await inOwnProcess(new URL("./sweep-process.js", import.meta.url), sweep, signal)) as SweepFigures,
      );
    }
  }
  if (new Set(found.flat().map(fingerprintsOf)).size > 1) throw new Error("one sweep gave two results");
  const [one, two] = found.map((all) => median(all.map((figures) => figures.process.wallSeconds)));
  return {
    bench: "sweep",
    question: "how much faster are independent simulations on two threads?",
    setup: {
      Simulations: `${String(SIMULATIONS)} seeds of scenarios/facebook-day.yaml, its first ${formatDuration(Math.min(spanUs, SPAN_US))}, each inline on a thread of the pool`,
      Medians: `of ${String(runs)}; every sweep is a process of its own, and both take turns`,
      "wall s, CPU s": "of the whole process: its start, that of the threads and the making of the workloads included",
    },
    machine: benchMachine(),
    columns: COLUMNS,
    rows: THREADS.map((threads, at) => rowOf(threads, found[at])),
    ratios: { "wall time, 1 thread to 2": one / two },
    notes: [],
  };
}

function sweepOf(untilUs: number): Sweep["tasks"] {
  const file = join(PACKAGE_ROOT, "scenarios", "facebook-day.yaml");
  const { scenario, directory } = loadScenario(file, { set: [`run.until=${formatDuration(untilUs)}`] });
  return Array.from({ length: SIMULATIONS }, (_, i) => {
    const seed = String(i + 1);
    const ofSeed = { ...scenario, run: { ...scenario.run, seed } };
    return {
      key: seed,
      scenario: ofSeed,
      directory,
      plugins: [],
      measures: [],
      warmUp: { kind: "none" },
      series: false,
    };
  });
}

function nameOf(threads: number): string {
  return threads === 1 ? "1 thread" : `${String(threads)} threads`;
}

/** The first digits of each, in the order of the seeds. */
function fingerprintsOf({ results }: SweepFigures): string {
  const distinct = new Set(results.map(({ fingerprint }) => fingerprint));
  const all = createHash("sha256")
    .update(results.map(({ fingerprint }) => fingerprint).join())
    .digest("hex");
  return `${all.slice(0, 12)} (${String(distinct.size)} results)`;
}

function rowOf(threads: number, sweeps: readonly SweepFigures[]): BenchRow {
  const of = (key: keyof SweepFigures["process"]): number => median(sweeps.map((sweep) => sweep.process[key]));
  return {
    case: nameOf(threads),
    wallSeconds: of("wallSeconds"),
    cpuSeconds: of("cpuSeconds"),
    peakMemoryMiB: of("peakMemoryMiB"),
    perMinute: (60 * SIMULATIONS) / of("wallSeconds"),
    tasks: sweeps[0].results.reduce((sum, { tasks }) => sum + tasks, 0),
    fingerprints: fingerprintsOf(sweeps[0]),
  };
}
