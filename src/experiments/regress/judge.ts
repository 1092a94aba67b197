import type { Note } from "../../core/record/index.js";
import { printable } from "../../core/kernel/index.js";
import type { BenchMachine } from "../bench-report.js";
import { compareRun } from "./compare-run.js";
import type { RegressRun } from "./regress-plan.js";
import {
  type AskedQuestion,
  type Baseline,
  type Compared,
  type ComparedRun,
  PASSING,
  type RunFigures,
  type Setting,
  type RegressVerdict,
} from "./regress-report.js";

/** The figures of one run, or why there are none. */
export type SuiteFigures = {
  /** Wall time of all its measurements, calibration included. */
  readonly wallSeconds: number;
  /** Notes of its replications, each once. */
  readonly notes: readonly Note[];
} & ({ readonly figures: RunFigures; readonly error: null } | { readonly figures: null; readonly error: string });

interface JudgedSuite {
  readonly passed: boolean;
  readonly baselineIsStale: boolean;
  readonly runs: readonly ComparedRun[];
  readonly notes: readonly string[];
}

/** A run of the plan, and its question now. */
interface Asked {
  readonly run: RegressRun;
  readonly question: AskedQuestion;
}

/**
 * Compares the measured figures with the stored ones.
 * @param commandFor returns the shell command that repeats a run alone.
 * @param withSpeed speed and memory were measured.
 */
export function judgeSuite(
  runs: readonly Asked[],
  figuresOfRuns: readonly SuiteFigures[],
  baseline: Baseline,
  commandFor: (name: string) => string,
  withSpeed: boolean,
): JudgedSuite {
  const before = new Map(baseline.runs.map((run) => [run.name, run]));
  const compared = runs.map(({ run, question }, i): ComparedRun => {
    const { figures, error, wallSeconds, notes } = figuresOfRuns[i];
    const stored = before.get(run.name) ?? null;
    const comparisons = figures === null ? [failed(error)] : compareRun(run, stored, figures, withSpeed);
    const passed = comparisons.every(({ verdict }) => PASSING.has(verdict));
    return {
      name: run.name,
      command: commandFor(run.name),
      passed,
      wallSeconds,
      comparisons,
      cases: casesOf(run, withSpeed),
      notes: [
        ...(stored === null ? [] : questionNotes(stored.question, question, comparisons.some(isOther))),
        ...notes,
      ],
      replications: figures?.replications ?? [],
    };
  });
  const pairs = figuresOfRuns.flatMap(({ figures }) =>
    figures === null ? [] : [[before.get(figures.name), figures] as const],
  );
  return {
    passed: compared.every(({ passed }) => passed),
    baselineIsStale: compared.some(({ comparisons }) => comparisons.some(({ verdict }) => verdict === "stale")),
    runs: compared,
    notes: withSpeed ? machineNotes(pairs) : [],
  };
}

function failed(error: string): Compared {
  const detail = error.trimEnd().split("\n").map(printable).join("\n");
  return { kind: "run", what: "run", verdict: "failed", baseline: null, now: null, detail };
}

/** Runs of the baseline that the plan has no longer. */
export function goneRuns(baseline: Baseline, names: readonly string[]): string[] {
  const gone = baseline.runs.filter(({ name }) => !names.includes(name));
  return gone.map(({ name }) => `the baseline has a run ${name}, the file has none`);
}

/** Another answer to the same question; what is new or could not be run has none to compare. */
function isOther({ verdict }: Compared): boolean {
  return verdict === "changed" || verdict === "worse";
}

/** Changes of settings that are listed one by one; any more are only counted. */
const TOLD_CHANGES = 10;

/**
 * Which settings and files are not those of the baseline; where none is and figures differ, that it must be the code.
 */
function questionNotes(stored: AskedQuestion, now: AskedQuestion, differs: boolean): string[] {
  const files = changes(stored.files ?? now.files ?? {}, now.files ?? {}).map(
    ([name, before, after]) =>
      `${printable(name)}: the file ${before === undefined ? "is new" : after === undefined ? "is no longer read" : "is not that of the baseline"}`,
  );
  if (stored.settings === undefined || now.settings === undefined) {
    const why =
      stored.settings === undefined ? "the baseline keeps no settings; --update does" : "they are too many to keep";
    const otherScenario = `the resolved scenario is not that of the baseline; which setting differs is not known, for ${why}`;
    return [...(stored.scenario === now.scenario ? [] : [otherScenario]), ...files];
  }
  const changedSettings = changes(stored.settings, now.settings).map(
    ([path, before, after]) => `${printable(path)}: ${settingWords(before)} -> ${settingWords(after)}`,
  );
  const more =
    changedSettings.length > TOLD_CHANGES ? [`and ${changedSettings.length - TOLD_CHANGES} more settings`] : [];
  const lines = [...changedSettings.slice(0, TOLD_CHANGES), ...more, ...files];
  if (lines.length > 0) return lines;
  if (stored.scenario !== now.scenario)
    return ["names of racks differ from those of the baseline, and no other setting"];
  const code =
    "all settings and files are those of the baseline: what differs is the code, of Bide, of a module that a plugin imports, or Node";
  return differs ? [code] : [];
}

/** The differences, in the order of the first, then keys that only the second has. */
function changes<T>(before: Readonly<Record<string, T>>, after: Readonly<Record<string, T>>) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const valueIn = (record: Readonly<Record<string, T>>, key: string) =>
    Object.hasOwn(record, key) ? record[key] : undefined;
  return [...keys].flatMap((key) => {
    const [old, now] = [valueIn(before, key), valueIn(after, key)];
    return old === now ? [] : [[key, old, now] as const];
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
    const machine = `${cpu}, ${cores} cores, Node ${node}, ${platform}`;
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

/** Name of the case that holds what is known of the baseline's age: it fails where a figure is stale. */
const BASELINE_CASE = "baseline";

/**
 * The comparisons of a run by its plan: the same whether it passes, fails or cannot be compared. See
 * `ComparedRun.cases`.
 */
function casesOf({ exact, statistics, speed, memory }: RegressRun, withSpeed: boolean): string[] {
  const costs = withSpeed ? [...(speed === null ? [] : ["speed"]), ...(memory === null ? [] : ["peak memory"])] : [];
  return ["run", ...exact, ...statistics.measures, ...costs, ...(costs.length === 0 ? [] : [BASELINE_CASE])];
}

/**
 * The one of `ComparedRun.cases` that a comparison belongs to: `run` holds all that is not of one figure, `counts`
 * every count.
 */
function caseOf({ kind, what: name }: Compared): string {
  if (kind === "run") return "run";
  return kind === "exact" && name.startsWith("counts.") ? "counts" : name;
}

/** One of `ComparedRun.cases`, as build servers keep the history of each. */
export interface JudgedCase {
  readonly name: string;
  readonly outcome: "passed" | "skipped" | "failure" | "error";
  /** Comparisons of the case that do not pass; of the baseline's own case, figures that are stale. */
  readonly bad: readonly Compared[];
  readonly seconds: number;
}

/** Verdicts on a cost that was compared with the baseline. */
const JUDGES_BASELINE: ReadonlySet<RegressVerdict> = new Set<RegressVerdict>(["within", "stale", "worse"]);

/** The result of each case. */
export function casesJudged(run: ComparedRun): JudgedCase[] {
  return run.cases.map((name) => judged(name, run));
}

/** The time of a run is that of its case `run`: all others are comparisons of what it gave, and take none. */
function judged(name: string, { comparisons, wallSeconds }: ComparedRun): JudgedCase {
  const isOfBaseline = name === BASELINE_CASE;
  const ofCase = comparisons.filter((compared) =>
    isOfBaseline
      ? (compared.kind === "speed" || compared.kind === "memory") && JUDGES_BASELINE.has(compared.verdict)
      : caseOf(compared) === name,
  );
  const bad = ofCase.filter(({ verdict }) => (isOfBaseline ? verdict === "stale" : !PASSING.has(verdict)));
  const base = { name, bad, seconds: name === "run" ? wallSeconds : 0 };
  if (bad.length > 0)
    return { ...base, outcome: bad.some(({ verdict }) => verdict === "failed") ? "error" : "failure" };
  return { ...base, outcome: ofCase.length > 0 || name === "run" ? "passed" : "skipped" };
}
