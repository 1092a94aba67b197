import type { BenchReport, BenchRow } from "../../core/metrics/bench-report.js";
import type { BenchOptions } from "./bench-options.js";
import { clockCostNs, WALL_CLOCK } from "./call-times.js";
import { caseName } from "./case-name.js";
import { PAPER_CASE, type DecisionCase } from "./decision-case.js";
import { DECISION_COLUMNS, decisionRow } from "./decision-figures.js";
import { bareSeconds, runDecisions, type DecisionRun } from "./decision-run.js";
import { benchMachine } from "./machine.js";
import { median } from "./medians.js";

export interface DecisionsOptions extends BenchOptions {
  /** Runs of each case that warm up the engine before those that count; default 2. */
  readonly warmups?: number;
  /** Of the places of blocks; default 1. */
  readonly seed?: string;
  /** Default: the paper's. */
  readonly cases?: readonly DecisionCase[];
}

interface Sitting {
  readonly runs: number;
  readonly warmups: number;
  readonly seed: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

const RUNS = 5;
const WARMUPS = 2;
const BARE_RUNS = 3;

/** `bide bench decisions`: what the decisions of the scheduler take, one heartbeat after the other (paper section 5.4). */
export async function benchDecisions(options: DecisionsOptions): Promise<BenchReport> {
  const sitting = { runs: RUNS, warmups: WARMUPS, seed: "1", ...options };
  const { cases = [PAPER_CASE], only = "" } = options;
  const rows: BenchRow[] = [];
  let clockNs = 0;
  for (const which of cases.filter((one) => caseName(one).includes(only))) {
    const runs = await measuredRuns(which, sitting);
    const bare = await bareRuns(which, sitting);
    clockNs = clockCostNs(WALL_CLOCK);
    rows.push(decisionRow(which, runs, bare, clockNs));
  }
  return {
    bench: "decisions",
    question: "how many tasks can the scheduler hand out in a second, and how long does a heartbeat take?",
    setup: setupOf(sitting, clockNs),
    machine: benchMachine(),
    columns: DECISION_COLUMNS,
    rows,
    ratios: {},
    notes: [],
  };
}

/** @throws what the signal says, between runs and in them. */
async function measuredRuns(which: DecisionCase, sitting: Sitting): Promise<DecisionRun[]> {
  const { runs, warmups, seed, signal, onProgress } = sitting;
  const measured: DecisionRun[] = [];
  for (let run = -warmups; run < runs; run++) {
    onProgress?.(`${caseName(which)}: ${run < 0 ? "warm-up" : `run ${String(run + 1)} of ${String(runs)}`}`);
    const one = await runDecisions(which, seed, signal);
    if (run >= 0) measured.push(one);
  }
  return measured;
}

async function bareRuns(which: DecisionCase, { seed, signal }: Sitting): Promise<number> {
  const seconds: number[] = [];
  for (let run = 0; run < BARE_RUNS; run++) seconds.push(await bareSeconds(which, seed, signal));
  return median(seconds);
}

function setupOf({ runs, warmups, seed }: Sitting, clockNs: number): BenchReport["setup"] {
  return {
    Jobs: "all there from the start, dealt out to the pools; equal weights, no min shares, no preemption",
    Cluster: "racks of 40; each map's block on 3 distinct nodes at random; a heartbeat of every node each 10 s in turn",
    Tasks: "end on the next heartbeat of their node; where nodes get few per heartbeat, when the node would be full",
    Updates: "of demands every 2.5 simulated seconds, between heartbeats",
    Counted: "from the first heartbeat to the last assignment",
    "tasks/s, us": "calls that offer free slots, launches and index of pending maps included",
    "all, whole": "these and the ends of tasks reported right before; in all calls the updates too",
    "per CPU s":
      "all calls, by CPU time of the process with its collector and compiler, less that of the same heartbeats without scheduler",
    Clock: `monotonic; ${String(Math.round(clockNs))} ns per timed call are subtracted; waits for a processor too where Linux tells of them`,
    Seed: seed,
    "Warm-ups": warmups,
    Medians: `of ${String(runs)} runs in one process`,
  };
}
