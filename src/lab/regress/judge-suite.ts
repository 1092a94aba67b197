import type { BenchMachine } from "../../experiments/bench-report.js";
import { casesOf, compareRun } from "../../experiments/regress/compare-run.js";
import {
  type AskedQuestion,
  type Baseline,
  type Compared,
  type ComparedRun,
  PASSING,
  type RunFigures,
  type Setting,
} from "../../experiments/regress/regress-report.js";
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
  const compared = runs.map(({ run, asked }, i): ComparedRun => {
    const { figures, error, wallSeconds } = found[i];
    const stored = before.get(run.name) ?? null;
    const comparisons = figures === null ? [failed(error)] : compareRun(run, stored, figures, withSpeed);
    const passed = comparisons.every(({ verdict }) => PASSING.has(verdict));
    return {
      ...{ name: run.name, command: commandFor(run.name), passed, wallSeconds, comparisons },
      cases: casesOf(run, withSpeed),
      notes: stored === null ? [] : notesOn(stored.asked, asked, comparisons, passed),
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

function notesOn(
  stored: AskedQuestion,
  now: AskedQuestion,
  comparisons: readonly Compared[],
  passed: boolean,
): string[] {
  const notes = questionNotes(stored, now, passed);
  if (comparisons.some(({ verdict }) => verdict === "better")) {
    notes.push("it costs less than the tolerance reaches: --update keeps it so");
  }
  return notes;
}

/** Changes of settings that are told one by one; of more only how many there are. */
const TOLD_CHANGES = 10;

/** Which settings and files are not those of the baseline; where none is and something fails, that it must be the code. */
function questionNotes(stored: AskedQuestion, now: AskedQuestion, passed: boolean): string[] {
  const files = changes(stored.files ?? now.files ?? {}, now.files ?? {}).map(
    ([name, before, after]) =>
      `${printable(name)}: the file ${before === undefined ? "is new" : after === undefined ? "is no longer read" : "is not that of the baseline"}`,
  );
  if (stored.settings === undefined || now.settings === undefined) {
    const why =
      stored.settings === undefined ? "the baseline keeps no settings; --update does" : "they are too many to keep";
    const differs = `the resolved scenario is not that of the baseline; which setting differs is not known, for ${why}`;
    return [...(stored.scenario === now.scenario ? [] : [differs]), ...files];
  }
  const all = changes(stored.settings, now.settings).map(
    ([path, before, after]) => `${printable(path)}: ${settingWords(before)} -> ${settingWords(after)}`,
  );
  const more = all.length > TOLD_CHANGES ? [`and ${String(all.length - TOLD_CHANGES)} more settings`] : [];
  const told = [...all.slice(0, TOLD_CHANGES), ...more, ...files];
  if (told.length > 0) return told;
  if (stored.scenario !== now.scenario)
    return ["names of racks differ from those of the baseline, and no other setting"];
  const code =
    "all settings and files are those of the baseline: what differs is the code, of Bide, of a module that a plugin imports, or Node";
  return passed ? [] : [code];
}

/** What differs, in the order of the first, then what only the second has. */
function changes<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const of = (record: Readonly<Record<string, T>>, key: string) =>
    Object.hasOwn(record, key) ? record[key] : undefined;
  return [...keys].flatMap((key) => {
    const [one, other] = [of(before, key), of(after, key)];
    return one === other ? [] : [[key, one, other] as const];
  });
}

function settingWords(value: Setting | undefined): string {
  if (value === undefined) return "(none)";
  return value === "" ? '""' : printable(String(value));
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
