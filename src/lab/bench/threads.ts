import { US_PER_HOUR, US_PER_MINUTE } from "../../core/kernel/time.js";
import type { BenchReport } from "../../experiments/bench-report.js";
import type { Placement } from "../run.js";
import type { BenchOptions } from "./bench-options.js";
import { benchMachine } from "./machine.js";
import {
  measureCases,
  onlyCases,
  ratiosOf,
  rowOf,
  RUN_COLUMNS,
  runSetup,
  type CaseFigures,
  type SimulatedCase,
} from "./simulated-cases.js";

const RUNS = 3;

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

const CASES = CLUSTERS.flatMap(({ name, scenario, untilUs }) =>
  MODELS.flatMap((model) =>
    PLACEMENTS.map(([where, placement]): SimulatedCase => {
      const set = [`runtime.model=${model}`];
      return { name: `${name}, ${model}, ${where}`, scenario, set, placement, untilUs };
    }),
  ),
);

/** `bide bench threads`. */
export async function benchThreads(options: BenchOptions): Promise<BenchReport> {
  const { runs = RUNS, only } = options;
  const figures = await measureCases(onlyCases(CASES, only), { ...options, runs });
  return {
    bench: "threads",
    question: "when do threads pay, by cluster and by model of its nodes?",
    setup: {
      "620 nodes": "scenarios/facebook-day.yaml, its first 6 hours: 31 racks of 20",
      "10,000 nodes": "scenarios/scale-10k.yaml, its first 20 minutes: 10 racks of 1,000",
      Models: "light: task times as given; detailed: disks, links and stages of tasks, event by event in the racks",
      auto: "measures both on the first part of the run, which is in wall s and not in run s",
      ...runSetup({ ...options, runs }),
    },
    machine: benchMachine(),
    columns: RUN_COLUMNS,
    rows: figures.map(rowOf),
    ratios: ratiosOf(figures, CLUSTERS.flatMap(speedUps)),
    notes: figures.filter((one) => one.case.placement === "auto").map(choices),
  };
}

/** What `auto` chose, run by run. */
function choices({ case: { name }, threadsOfRuns }: CaseFigures): string {
  return `${name}: chose ${threadsOfRuns.map((threads) => (threads === 0 ? "inline" : `${String(threads)} threads`)).join(", ")}`;
}

function speedUps({ name }: { readonly name: string }): Parameters<typeof ratiosOf>[1] {
  return MODELS.flatMap((model) =>
    ["2 threads", "thread per rack"].map((where) => {
      const [inline, threads] = ["inline", where].map((which) => `${name}, ${model}, ${which}`);
      return [`run s, inline to ${where}: ${name}, ${model}`, inline, threads, (run) => run.simulation.wallSeconds];
    }),
  );
}
