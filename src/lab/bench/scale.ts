import { US_PER_HOUR } from "../../core/kernel/time.js";
import type { BenchReport } from "../../experiments/bench-report.js";
import type { BenchOptions } from "./bench-options.js";
import { benchMachine } from "./machine.js";
import {
  measureCases,
  microsecondsPerTask,
  onlyCases,
  ratiosOf,
  rowOf,
  RUN_COLUMNS,
  runSetup,
  type SimulatedCase,
} from "./simulated-cases.js";

const RUNS = 3;
const FEW = "620 nodes";

/** 7500 jobs a day on 620 nodes are 312.5 jobs an hour. */
const CASES: readonly SimulatedCase[] = [
  { name: FEW, scenario: "facebook-day", placement: 0 },
  hourOf("6,200 nodes", 31, 200, 3125),
  hourOf("62,000 nodes", 62, 1000, 31_250),
];

function hourOf(name: string, racks: number, nodesPerRack: number, jobs: number): SimulatedCase {
  const cluster = [`cluster.racks=${String(racks)}`, `cluster.nodesPerRack=${String(nodesPerRack)}`];
  const set = [...cluster, `workload.jobs=${String(jobs)}`];
  return { name, scenario: "scale-10k", set, placement: 0, untilUs: US_PER_HOUR };
}

/** `bide bench scale`. */
export async function benchScale(options: BenchOptions): Promise<BenchReport> {
  const { runs = RUNS, only } = options;
  const figures = await measureCases(onlyCases(CASES, only), { ...options, runs });
  const toFew = CASES.slice(1).flatMap(
    ({ name }) =>
      [
        [`us per task, ${name} to ${FEW}`, name, FEW, microsecondsPerTask],
        [`peak memory, ${name} to ${FEW}`, name, FEW, ({ process: { peakMemoryMiB } }) => peakMemoryMiB],
      ] satisfies Parameters<typeof ratiosOf>[1],
  );
  return {
    bench: "scale",
    question: "what does a task cost on larger clusters, at the same load per slot?",
    setup: {
      [FEW]: "scenarios/facebook-day.yaml, 24 hours: long enough for the start not to count",
      "6,200 nodes": "31 racks of 200, otherwise scenarios/scale-10k.yaml: one hour, 3,125 jobs",
      "62,000 nodes": "62 racks of 1,000, likewise: 310,000 map and 310,000 reduce slots, 31,250 jobs",
      Racks: "inline, all on one thread",
      ...runSetup({ ...options, runs }),
    },
    machine: benchMachine(),
    columns: RUN_COLUMNS,
    rows: figures.map(rowOf),
    ratios: ratiosOf(figures, toFew),
    notes: [],
  };
}
