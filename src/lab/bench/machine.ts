import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { availableParallelism, cpus, totalmem } from "node:os";
import { join } from "node:path";
import { widened } from "../../core/kernel/index.js";
import type { BenchColumn, BenchMachine, BenchReport } from "../../experiments/index.js";
import { bideVersion, PACKAGE_ROOT } from "../../io/index.js";
import type { DecisionCase } from "./decision-case.js";

/**
 * The base of every benchmark: its options, the machine it measures, clocks and their cost, time that other programs
 * had the processor, and medians.
 */

export interface BenchOptions {
  /** Measurements per case, from 1; the table shows medians. Default: the benchmark's own. */
  readonly runs?: number;
  /** Simulations end after so much virtual time, if they would run longer. */
  readonly spanUs?: number;
  /** Only cases whose name contains this. */
  readonly only?: string;
  /** Frames counted, of each size. */
  readonly frames?: number;
  readonly decisions?: DecisionChoices;
  readonly signal?: AbortSignal;
  /** Receives the next measurement, a line without its end. */
  readonly onProgress?: (line: string) => void;
}

/** Options of `decisions` only. */
export interface DecisionChoices {
  /** Runs of each case that warm up the engine and do not count. Default: 2, in the grid 1. */
  readonly warmups?: number;
  /** The seed of the places of blocks; default 1. */
  readonly seed?: string;
  /** Cases, in the order of the table; default: the paper's. */
  readonly points?: readonly DecisionCase[];
  /** Measures a grid of cases around the paper's, in place of `points`. */
  readonly grid?: boolean;
  /** Folder for histograms; by default there is none. */
  readonly hgrm?: string;
  /** Histograms that are there are replaced. */
  readonly force?: boolean;
}

/** Makes columns of a kind, each by the key of its rows. */
function columnsOf(kind: BenchColumn["kind"]) {
  return (key: string, title: string, decimals?: number): BenchColumn =>
    decimals === undefined ? { key, title, kind } : { key, title, kind, decimals };
}

export const [named, cost, rate, tally] = (["name", "cost", "rate", "count"] as const).map(columnsOf);

/**
 * Measures every case so often, in turn, so that a slow spell of the machine falls on all of them.
 * @returns the figures of each case, by run.
 */
export async function inTurns<Case extends { readonly name: string }, Figures>(
  cases: readonly Case[],
  runs: number,
  onProgress: BenchOptions["onProgress"],
  measure: (measured: Case) => Promise<Figures>,
): Promise<Figures[][]> {
  const figures = cases.map((): Figures[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [index, measured] of cases.entries()) {
      onProgress?.(`run ${run + 1} of ${runs}: ${measured.name}`);
      figures[index].push(await measure(measured));
    }
  }
  return figures;
}

/**
 * @param results by case and run; cases of the same work must have equal results.
 * @throws Error where they are not: a fault of ours.
 */
export function refuseDifferentResults<Case extends { readonly name: string }>(
  noun: string,
  cases: readonly Case[],
  workOf: (measured: Case) => unknown,
  results: readonly (readonly string[])[],
): void {
  const seen = new Map<unknown, { readonly result: string; readonly name: string }>();
  for (const [index, measured] of cases.entries()) {
    for (const result of results[index]) {
      const { name } = measured;
      const before = seen.get(workOf(measured)) ?? { result, name };
      seen.set(workOf(measured), before);
      if (before.result === result) continue;
      throw new Error(`one ${noun} gave two results: ${before.result} (${before.name}), ${result} (${name})`);
    }
  }
}

/** Measures this machine; rejects with the signal's reason when it is aborted. */
export type Bench = (options: BenchOptions) => Promise<BenchReport>;

/** The machine and the versions of the measurement. */
export function benchMachine(): BenchMachine {
  return {
    // Some virtual machines name no processor.
    cpu: cpus()[0]?.model.trim() ?? process.arch,
    cores: availableParallelism(),
    memoryGiB: Number((totalmem() / 2 ** 30).toFixed(1)),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    bide: [bideVersion(), commit(PACKAGE_ROOT)].filter((part) => part !== null).join(" "),
  };
}

/** The commit of a checkout, and whether what is measured differs from it; null where there is no checkout. */
function commit(root: string): string | null {
  if (!existsSync(join(root, ".git"))) return null;
  try {
    const head = git(root, "rev-parse", "--short=10", "HEAD");
    const changed = git(root, "status", "--porcelain", "--", "src", "bin", "scenarios", "package-lock.json");
    return changed === "" ? head : `${head} with changes`;
  } catch {
    return null;
  }
}

function git(root: string, ...words: string[]): string {
  return execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

const NS_PER_MS = 1_000_000;

const FILE = "/proc/thread-self/schedstat";

const ZERO = 48;

/**
 * The time that this thread stood ready while others had its processor, as Linux counts it: time of a timed call that
 * the call did not use. Reading it costs a few microseconds.
 */
export class RunDelay {
  private readonly text = new Uint8Array(80);
  private lastMs: number;

  private constructor(private readonly file: number) {
    this.lastMs = this.readMs();
  }

  /** null: this system does not tell. */
  static open(): RunDelay | null {
    try {
      return new RunDelay(openSync(FILE, "r"));
    } catch {
      return null;
    }
  }

  /** Milliseconds since the last call. */
  takeMs(): number {
    const nowMs = this.readMs();
    const sinceMs = nowMs - this.lastMs;
    this.lastMs = nowMs;
    return sinceMs;
  }

  close(): void {
    closeSync(this.file);
  }

  /** The second number of the line, in nanoseconds there. */
  private readMs(): number {
    const { text } = this;
    readSync(this.file, text, 0, text.length, 0);
    let index = 0;
    while (text[index] >= ZERO) index++;
    let ns = 0;
    for (index++; text[index] >= ZERO; index++) ns = ns * 10 + text[index] - ZERO;
    return ns / NS_PER_MS;
  }
}

/** Lower median; of an even number of values the smaller of the middle two, so that it is one that was measured. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1];
}

/** Time of a clock, in milliseconds. */
export type MillisecondClock = () => number;

/** Node's finest clock that costs less than what is timed: monotonic, nanoseconds; time off the processor counts. */
export const WALL_CLOCK: MillisecondClock = () => performance.now();

const CLOCK_TRIALS = 100_000;

/**
 * The apparent duration of a timed call that does nothing: two readings of the clock back to back, the median, in
 * nanoseconds.
 */
export function clockCostNs(clock: MillisecondClock): number {
  const gaps = new Float64Array(CLOCK_TRIALS);
  for (let i = 0; i < CLOCK_TRIALS; i++) {
    const start = clock();
    gaps[i] = (clock() - start) * NS_PER_MS;
  }
  return gaps.sort()[CLOCK_TRIALS >> 1];
}

/**
 * Two columns: the duration of each call, and the number of tasks that it launched. Storing them adds to no duration.
 */
export class CallTimes {
  size = 0;
  /** Milliseconds, the clock's own cost included. */
  private ms = new Float64Array(1 << 16);
  private taskCounts = new Int32Array(1 << 16);

  add(ms: number, tasks: number): void {
    if (this.size === this.ms.length) {
      this.ms = widened(this.ms);
      this.taskCounts = widened(this.taskCounts);
    }
    this.ms[this.size] = ms;
    this.taskCounts[this.size++] = tasks;
  }

  /** Duration of a call without the cost of the clock, in whole nanoseconds, at least 0. */
  ns(call: number, clockNs: number): number {
    return Math.max(0, Math.round(this.ms[call] * NS_PER_MS - clockNs));
  }

  tasks(call: number): number {
    return this.taskCounts[call];
  }
}
