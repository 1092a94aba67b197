import type { BenchMachine } from "../../core/metrics/bench-report.js";
import { compareRun } from "../../core/regress/compare-run.js";
import { PASSING, type Compared, type ComparedRun } from "../../core/regress/regress-report.js";
import type { Baseline, RunFigures } from "../../core/regress/run-figures.js";
import { printable } from "../../io/scenario/show.js";
import type { SuiteFigures, SuiteRun } from "./measure-suite.js";

export interface JudgedSuite {
  readonly passed: boolean;
  readonly runs: readonly ComparedRun[];
  readonly notes: readonly string[];
}

/**
 * What was measured beside what is stored.
 * @param commandFor what a shell takes to see a run again, and it alone.
 * @param withSpeed speed and memory were measured.
 */
export function judgeSuite(
  runs: readonly SuiteRun[],
  found: readonly SuiteFigures[],
  baseline: Baseline,
  commandFor: (name: string) => string,
  withSpeed: boolean,
): JudgedSuite {
  const before = new Map(baseline.runs.map((run) => [run.name, run]));
  const compared = runs.map(({ run }, i): ComparedRun => {
    const { figures, error } = found[i];
    const stored = before.get(run.name) ?? null;
    const comparisons = figures === null ? [failed(error)] : compareRun(run, stored, figures, withSpeed);
    return {
      name: run.name,
      command: commandFor(run.name),
      passed: comparisons.every(({ verdict }) => PASSING.has(verdict)),
      comparisons,
      notes: stored === null || figures === null ? [] : notesOn(stored, figures, comparisons),
      replications: figures?.replications ?? [],
    };
  });
  const pairs = found.flatMap(({ figures }) =>
    figures === null ? [] : [[before.get(figures.name), figures] as const],
  );
  return {
    passed: compared.every(({ passed }) => passed),
    runs: compared,
    notes: withSpeed ? machineNotes(pairs) : [],
  };
}

function failed(error: string): Compared {
  const detail = error.trimEnd().split("\n").map(printable).join("\n");
  return { kind: "run", what: "run", verdict: "failed", baseline: null, now: null, detail };
}

function notesOn(stored: RunFigures, now: RunFigures, comparisons: readonly Compared[]): string[] {
  const notes: string[] = [];
  if (stored.scenario !== now.scenario) {
    notes.push("the resolved scenario is not that of the baseline: the question differs, perhaps not only the answer");
  }
  if (comparisons.some(({ verdict }) => verdict === "better")) {
    notes.push("it costs less than the tolerance reaches: --update keeps it so");
  }
  return notes;
}

/** One for each machine that figures were stored on and that this is not. */
function machineNotes(pairs: readonly (readonly [RunFigures | undefined, RunFigures])[]): string[] {
  const names = new Map<string, string[]>();
  for (const [stored, now] of pairs) {
    if (stored?.speed === undefined || stored.speed === null || isSame(stored.machine, now.machine)) continue;
    const { cpu, cores, node, platform } = stored.machine;
    const machine = `${cpu}, ${String(cores)} cores, Node ${node}, ${platform}`;
    names.set(machine, [...(names.get(machine) ?? []), now.name]);
  }
  return [...names].map(
    ([machine, runs]) =>
      `the baseline of ${runs.join(", ")} is of another machine (${machine}): speeds are ratios to a calibration loop and compared all the same, but no loop is slower by just as much as a simulation`,
  );
}

function isSame(a: BenchMachine, b: BenchMachine): boolean {
  return a.cpu === b.cpu && a.cores === b.cores && a.node === b.node && a.platform === b.platform;
}
