import { type Scenario, seedSeries } from "../core/scenario/scenario.js";
import { ENOUGH_RUNS } from "../experiments/statistics/estimates.js";
import { DEFAULT_KINDS } from "../core/scheduler/kinds.js";
import type { SchedulerPlugin } from "../core/scheduler/plugin/plugin-face.js";
import { InputError } from "../io/input-error.js";
import { loadScenario, type LoadOptions } from "../io/scenario/load.js";
import { allowedNames, quote } from "../io/scenario/show.js";
import { loadSystems, type LoadedSystem, type LoadedSystems } from "../io/scenario/systems.js";
import { lenient } from "./lenient.js";

export interface ComparePlan {
  readonly file: string;
  readonly set: readonly string[];
  /** First seed; undefined: the scenario's. */
  readonly seed: string | undefined;
  /** Seeds per system, >= 1; undefined: as the file says, or as many as an interval needs. */
  readonly seeds: number | undefined;
  /** Names from the registry, in place of the file's systems; undefined: those, or the default kinds. */
  readonly kinds: readonly string[] | undefined;
  /** Names of systems of the file; undefined: all. */
  readonly systems: readonly string[] | undefined;
  readonly plugins?: readonly SchedulerPlugin[];
  readonly lenient: boolean;
}

export interface PlannedSystem {
  readonly name: string;
  readonly why: string;
  readonly point: string;
  readonly scenario: Scenario;
  /** Places among the systems; null: it is the baseline itself, or nobody is alone. */
  readonly baseline: number | null;
  readonly alone: number | null;
}

/** What will be run. */
export interface PlannedComparison {
  /** Name of the scenario, and its question. */
  readonly scenario: string;
  readonly why: string;
  readonly systems: readonly PlannedSystem[];
  readonly directory: string;
  readonly seeds: readonly string[];
  readonly notes: readonly string[];
}

/**
 * What a file compares, or, without a section `compare` or with `kinds`, the scenario once per scheduler. The kind that the file
 * (with `set`) names then keeps its `wait` and `updateInterval`; every other kind gets its own defaults, for a wait in seconds
 * means nothing to a kind that counts skips. All else is equal.
 * @throws InputError
 */
export function planComparison(plan: ComparePlan): PlannedComparison {
  const loaded = load(plan);
  const chosen = loaded.systems.filter(({ name, base }) => plan.systems?.some((x) => x === name || x === base) ?? true);
  checkChoice(plan.systems, loaded);
  const at = (base: string | undefined, point: string): number | null => {
    const found = chosen.findIndex((system) => system.base === base && system.point === point);
    return found < 0 ? null : found;
  };
  const inPrivate =
    loaded.private ?? loaded.systems.find(({ scenario }) => scenario.scheduler.kind === "partition")?.base;
  return {
    scenario: loaded.scenario.name,
    why: loaded.scenario.why,
    systems: chosen.map(({ name, base, why, point, scenario }) => ({
      ...{ name, why, point },
      scenario: plan.lenient ? (lenient(scenario) ?? scenario) : scenario,
      baseline: base === loaded.baseline ? null : at(loaded.baseline, point),
      alone: at(inPrivate, point),
    })),
    directory: loaded.directory,
    seeds: seedSeries(loaded.scenario.run.seed, plan.seeds ?? loaded.seeds),
    notes: loaded.notes,
  };
}

function load({ file, set, seed, kinds, plugins = [] }: ComparePlan): LoadedSystems {
  const options = { set, plugins, ...(seed === undefined ? {} : { seed }) };
  const systems = kinds === undefined ? loadSystems(file, options) : null;
  return systems ?? loadKinds(file, options, kinds ?? usualKinds(file, options));
}

/** The four of the paper, the file's own, and plugins. */
function usualKinds(file: string, options: LoadOptions): string[] {
  const { kind } = loadScenario(file, options).scenario.scheduler;
  return [...new Set([...DEFAULT_KINDS, kind, ...(options.plugins ?? []).map(({ name }) => name)])];
}

function loadKinds(
  file: string,
  options: LoadOptions & { readonly set: readonly string[] },
  kinds: readonly string[],
): LoadedSystems {
  const own = loadScenario(file, options);
  const systems = kinds.map((kind): LoadedSystem => {
    // This way of setting it drops the file's wait (src/io/scenario/overrides.ts).
    const scenario =
      kind === own.scenario.scheduler.kind
        ? own.scenario
        : loadScenario(file, { ...options, set: [...options.set, `scheduler=${kind}`] }).scenario;
    return { name: kind, base: kind, point: "", why: "", scenario };
  });
  const baseline = kinds.includes("fair") ? "fair" : kinds[0];
  return { ...own, systems, baseline, private: undefined, seeds: ENOUGH_RUNS };
}

function checkChoice(wanted: readonly string[] | undefined, { systems }: LoadedSystems): void {
  const names = [...new Set(systems.flatMap(({ name, base }) => [base, name]))];
  const unknown = (wanted ?? []).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  throw new InputError(
    unknown.map((name) => ({
      ...{ file: "--systems", line: 0, column: 0 },
      message: `found ${quote(name)}, allowed ${allowedNames(names, name)}`,
    })),
  );
}
