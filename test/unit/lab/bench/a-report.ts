import type { BenchReport } from "../../../../dist/experiments/index.js";

/** A small report; what a test is about is put in place of it. */
export function aReport(changes: Partial<BenchReport> = {}): BenchReport {
  return {
    bench: "day",
    question: "what does it cost?",
    setup: { Cluster: "two nodes", Runs: 3 },
    machine: { cpu: "Abacus", cores: 2, memoryGiB: 1.5, node: "v20.0.0", platform: "linux x64", bide: "0.1.0 abc" },
    columns: [
      { key: "case", title: "case", kind: "name" },
      { key: "seconds", title: "CPU s", kind: "cost", decimals: 2 },
      { key: "rate", title: "tasks/s", kind: "rate" },
      { key: "tasks", title: "tasks", kind: "count" },
    ],
    rows: [
      { case: "inline", seconds: 1.5, rate: 1234567.8, tasks: 42 },
      { case: "threads", seconds: 0.25, rate: null, tasks: 42 },
    ],
    ratios: { "threads to inline": 1 / 6 },
    notes: ["it rained"],
    ...changes,
  };
}
