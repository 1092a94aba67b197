import { join } from "node:path";
import type { BenchColumn, BenchReport, BenchRow } from "../../experiments/bench-report.js";
import { InputError } from "../../io/input-error.js";
import { quote } from "../../io/scenario/show.js";
import { formatDuration } from "../../io/scenario/units.js";
import { PACKAGE_ROOT } from "../../io/bide-version.js";
import type { Placement } from "../run.js";
import type { BenchOptions } from "./bench-options.js";
import { median } from "./machine.js";
import { wholeRun, type WholeRunFigures } from "./whole-run.js";

/** A simulation that is measured. */
export interface SimulatedCase {
  readonly name: string;
  /** Name of a shipped scenario; or, with `text`, what the text is called. Cases of one simulation have one fingerprint. */
  readonly scenario: string;
  readonly text?: string;
  readonly set?: readonly string[];
  readonly placement: Placement;
  /** Default: what the scenario says. */
  readonly untilUs?: number;
}

/** Medians of the cost, and what all runs agree on. */
export interface CaseFigures extends WholeRunFigures {
  readonly case: SimulatedCase;
  /** Of each run. */
  readonly threadsOfRuns: readonly number[];
}

/** Columns for every benchmark that runs simulations; keys as in `rowOf`. */
export const RUN_COLUMNS: readonly BenchColumn[] = [
  { key: "case", title: "case", kind: "name" },
  { key: "wallSeconds", title: "wall s", kind: "cost", decimals: 2 },
  { key: "cpuSeconds", title: "CPU s", kind: "cost", decimals: 2 },
  { key: "peakMemoryMiB", title: "peak MiB", kind: "cost" },
  { key: "tasksPerCpuSecond", title: "tasks/CPU s", kind: "rate" },
  { key: "microsecondsPerTask", title: "us/task", kind: "cost", decimals: 2 },
  { key: "simulationWallSeconds", title: "run s", kind: "cost", decimals: 2 },
  { key: "tasks", title: "tasks", kind: "count" },
  { key: "processed", title: "beats processed", kind: "count" },
  { key: "implied", title: "beats implied", kind: "count" },
  { key: "fingerprint", title: "fingerprint", kind: "count" },
];

/** What was asked, and how the columns are to be read. */
export function runSetup({ runs = 1, spanUs }: BenchOptions): BenchReport["setup"] {
  const span = spanUs === undefined ? {} : { Span: `as asked, no simulation goes on after ${formatDuration(spanUs)}` };
  return { ...span, Medians: `of ${String(runs)}`, ...READING };
}

const READING = {
  Runs: "every run is a process of its own; cases take turns, so that a slow spell of the machine falls on all of them",
  "wall s, CPU s":
    "of the whole process, user + system, all threads: Node's start and the making of the workload included",
  "us/task, run s": "CPU time per map or reduce that ended, and wall time, of the simulation alone",
  beats: "heartbeats that were handled one by one, and those known to change nothing, which were counted at once",
} as const;

/**
 * Runs every case as often as asked, in turn.
 * @throws Error when runs of one simulation have different fingerprints: a fault of ours.
 */
export async function measureCases(
  cases: readonly SimulatedCase[],
  { runs = 1, spanUs, signal, onProgress }: BenchOptions,
): Promise<CaseFigures[]> {
  const found = cases.map((): WholeRunFigures[] => []);
  for (let run = 0; run < runs; run++) {
    for (const [at, one] of cases.entries()) {
      onProgress?.(`run ${String(run + 1)} of ${String(runs)}: ${one.name}`);
      found[at].push(await wholeRun(taskOf(one, spanUs), signal));
    }
  }
  refuseDifferentResults(cases, found);
  return cases.map((one, at) => ({
    case: one,
    threadsOfRuns: found[at].map(({ threads }) => threads),
    ...medianOf(found[at]),
  }));
}

function taskOf({ scenario, text, set = [], placement, untilUs }: SimulatedCase, spanUs: number | undefined) {
  const mostUs = Math.min(untilUs ?? Infinity, spanUs ?? Infinity);
  const until = mostUs === Infinity ? [] : [`run.until=${formatDuration(mostUs)}`];
  const file = join(PACKAGE_ROOT, "scenarios", `${scenario}.yaml`);
  return { file: text === undefined ? file : scenario, text: text ?? null, set: [...set, ...until], placement };
}

function refuseDifferentResults(cases: readonly SimulatedCase[], found: readonly WholeRunFigures[][]): void {
  const seen = new Map<string, { fingerprint: string; name: string }>();
  for (const [at, { name, scenario, set = [] }] of cases.entries()) {
    for (const { fingerprint } of found[at]) {
      const simulation = [scenario, ...set].join(" ");
      const before = seen.get(simulation) ?? { fingerprint, name };
      seen.set(simulation, before);
      if (before.fingerprint === fingerprint) continue;
      throw new Error(
        `one simulation gave two results: ${before.fingerprint} (${before.name}), ${fingerprint} (${name})`,
      );
    }
  }
}

function medianOf(runs: readonly WholeRunFigures[]): WholeRunFigures {
  const of = (value: (run: WholeRunFigures) => number): number => median(runs.map(value));
  return {
    ...runs[0],
    process: {
      wallSeconds: of((run) => run.process.wallSeconds),
      cpuSeconds: of((run) => run.process.cpuSeconds),
      peakMemoryMiB: of((run) => run.process.peakMemoryMiB),
    },
    simulation: {
      wallSeconds: of((run) => run.simulation.wallSeconds),
      cpuSeconds: of((run) => run.simulation.cpuSeconds),
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
  const allowed = cases.map(({ name }) => name).join("; ");
  const message = `found ${quote(only ?? "")}, allowed a part of: ${allowed}`;
  throw new InputError([{ file: "--only", line: 0, column: 0, message }]);
}

/** Ratios of pairs of cases that were both measured. */
export function ratiosOf(
  figures: readonly CaseFigures[],
  wanted: readonly (readonly [name: string, of: string, to: string, value: (figures: WholeRunFigures) => number])[],
): Record<string, number> {
  const ratios: Record<string, number> = {};
  for (const [name, ofName, toName, value] of wanted) {
    const of = figures.find((one) => one.case.name === ofName);
    const to = figures.find((one) => one.case.name === toName);
    if (of !== undefined && to !== undefined && value(to) > 0) ratios[name] = value(of) / value(to);
  }
  return ratios;
}
