import type { BenchReport } from "../../core/metrics/bench-report.js";
import { alwaysActiveScenario } from "./always-active.js";
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
const ACTIVE = "1,000 jobs always active, inline";

const CASES: readonly SimulatedCase[] = [
  { name: "Facebook day, inline", scenario: "facebook-day", placement: 0 },
  { name: "Facebook day, 2 threads", scenario: "facebook-day", placement: 2 },
  { name: "Facebook day, thread per rack", scenario: "facebook-day", placement: "rack" },
  { name: "Facebook day, fifo, inline", scenario: "facebook-day", set: ["scheduler=fifo"], placement: 0 },
  { name: ACTIVE, scenario: "always-active", text: alwaysActiveScenario(), placement: 0 },
];

/** `bide bench day`. */
export async function benchDay(options: BenchOptions): Promise<BenchReport> {
  const { runs = RUNS, only } = options;
  const figures = await measureCases(onlyCases(CASES, only), { ...options, runs });
  return {
    bench: "day",
    question: "what does a whole run cost, by where the racks are?",
    setup: {
      "Facebook day":
        "scenarios/facebook-day.yaml: 620 nodes, 3,100 map and 3,100 reduce slots, hfs with both waits, light model",
      "1,000 jobs":
        "the same cluster full for two hours: 20 users, jobs of 20 to 400 maps of 19 s, as many as it can do",
      ...runSetup({ ...options, runs }),
    },
    machine: benchMachine(),
    columns: RUN_COLUMNS,
    rows: figures.map(rowOf),
    ratios: ratiosOf(figures, [
      ["wall time, 2 threads to inline", CASES[1].name, CASES[0].name, (run) => run.process.wallSeconds],
      ["wall time, a thread per rack to inline", CASES[2].name, CASES[0].name, (run) => run.process.wallSeconds],
    ]),
    notes: figures.filter((one) => one.case.name === ACTIVE).map(activity),
  };
}

function activity({ activeJobs, pendingMaps }: CaseFigures): string {
  const jobs = activeJobs.toFixed(0);
  return `always active: ${jobs} jobs with work, and ${(pendingMaps / activeJobs).toFixed(0)} maps of each that wait, mean over time`;
}
