import { setImmediate as turn } from "node:timers/promises";
import type { BenchReport, BenchRow } from "../../core/metrics/bench-report.js";
import { assert } from "../../core/kernel/assert.js";
import { formatTime } from "../../core/kernel/time.js";
import type { BenchOptions } from "./bench-options.js";
import { clockCostNs, WALL_CLOCK } from "./call-times.js";
import { caseName } from "./case-name.js";
import { PAPER_CASE, type DecisionCase } from "./decision-case.js";
import { DECISION_COLUMNS, decisionRow, latenciesOf } from "./decision-figures.js";
import { DECISION_GRID } from "./decision-grid.js";
import { gridRatios } from "./grid-ratios.js";
import { PERCENTILES } from "../../io/results/latency-histogram.js";
import { constantWork } from "./machine-noise.js";
import { LatencyFiles, type CaseHistograms } from "./latency-files.js";
import { bareSeconds, runDecisions, type DecisionRun } from "./decision-run.js";
import { benchMachine } from "./machine.js";
import { median } from "./medians.js";
import { onlyCases } from "./simulated-cases.js";

interface Sitting {
  readonly runs: number;
  readonly warmups: number;
  readonly seed: string;
  readonly cases: readonly DecisionCase[];
  readonly signal: AbortSignal | undefined;
  readonly tell: (line: string) => void;
}

const BARE_RUNS = 3;

/**
 * `bide bench decisions`: what the decisions of the scheduler take, one heartbeat after the other (paper section 5.4). Files
 * are written once all is measured.
 * @throws InputError when they cannot be, before anything is measured.
 */
export async function benchDecisions(options: BenchOptions): Promise<BenchReport> {
  const sitting = sittingOf(options);
  const { cases } = sitting;
  const { hgrm, force = false } = options.decisions ?? {};
  const files = hgrm === undefined ? null : new LatencyFiles(hgrm, cases, force);
  const rows: BenchRow[] = [];
  const histograms: CaseHistograms[] = [];
  const progress = new GridProgress(sitting);
  let clockNs = 0;
  for (const which of cases) {
    const runs = await measuredRuns(which, sitting, progress);
    const bare = await bareRuns(which, sitting);
    clockNs = clockCostNs(WALL_CLOCK);
    rows.push(decisionRow(which, runs, bare, clockNs));
    if (files !== null) histograms.push({ which, latencies: latenciesOf(runs, clockNs) });
  }
  files?.write(histograms);
  return {
    bench: "decisions",
    question: "how many tasks can the scheduler hand out in a second, and how long does a heartbeat take?",
    setup: setupOf(sitting, clockNs),
    machine: benchMachine(),
    columns: DECISION_COLUMNS,
    rows,
    ratios: gridRatios(cases, rows),
    notes: [noise()],
  };
}

/** What this machine adds to calls that always do the same. */
function noise(): string {
  const calls = constantWork(WALL_CLOCK);
  const [p50, , p99, p999, p9999] = PERCENTILES.map((percent) => calls.percentileUs(percent).toFixed(1));
  return `calls that always do the same, timed alike: p50 ${p50} us, p99 ${p99}, p99.9 ${p999}, p99.99 ${p9999}, max ${calls.maxUs.toFixed(1)}; so much of the tails is the machine's`;
}

function sittingOf(options: BenchOptions): Sitting {
  const { only, signal, onProgress } = options;
  const { grid = false, point = PAPER_CASE, seed = "1", warmups = grid ? 1 : 2 } = options.decisions ?? {};
  const all = (grid ? DECISION_GRID : [point]).map((which) => ({ name: caseName(which), which }));
  return {
    runs: options.runs ?? (grid ? 3 : 5),
    warmups,
    seed,
    cases: onlyCases(all, only).map(({ which }) => which),
    signal,
    tell: onProgress ?? (() => undefined),
  };
}

/** Tells what is measured next, and how long the rest may take if every run takes as long as those before. */
class GridProgress {
  private begun = 0;
  private readonly startMs = performance.now();

  constructor(private readonly sitting: Sitting) {}

  begin(which: DecisionCase, run: number): void {
    const { runs, warmups, cases, tell } = this.sitting;
    const all = cases.length * (runs + warmups);
    const leftMs = ((performance.now() - this.startMs) * (all - this.begun)) / Math.max(1, this.begun);
    const left = this.begun === 0 ? "?" : formatTime(Math.ceil(leftMs / 1000) * 1_000_000);
    this.begun++;
    const what = run < 0 ? "warm-up" : `run ${String(run + 1)} of ${String(runs)}`;
    tell(`${caseName(which)}: ${what}, ${String(this.begun)} of ${String(all)}, ETA ${left}`);
  }
}

/** @throws what the signal says, between runs and in them. */
async function measuredRuns(which: DecisionCase, sitting: Sitting, progress: GridProgress): Promise<DecisionRun[]> {
  const { runs, warmups, seed, signal } = sitting;
  const measured: DecisionRun[] = [];
  for (let run = -warmups; run < runs; run++) {
    progress.begin(which, run);
    await turn();
    signal?.throwIfAborted();
    const one = await runDecisions(which, seed, signal);
    if (run >= 0) measured.push(one);
  }
  assert(new Set(measured.map(({ fingerprint }) => fingerprint)).size === 1, "equal runs decided otherwise");
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
    Clock: `monotonic; ${String(Math.round(clockNs))} ns per timed call are subtracted`,
    Interrupted:
      "heartbeats of 20 us or more while others had the processor, as Linux tells: they are in no time and rate",
    Seed: seed,
    "Warm-ups": `${String(warmups)} of each case, in the same process`,
    Medians: `of ${String(runs)}`,
  };
}
