import { namesOf, labelsOf } from "../../core/kernel/index.js";
import { type AnyScenario, LIMITS } from "../../core/scenario/index.js";
import { formatDiagnostic, InputError, type Diagnostic, problemOf } from "../input-error.js";
import { checkPlugins } from "../plugins/plugin-shape.js";
import { assemble, type OwnChange } from "./assemble.js";
import type { CompareFile } from "./compare.js";
import { overridesOf, readScenarioFile, type LoadOptions } from "./load.js";
import { type Origin, type Override, startsWith } from "./overrides.js";
import { type Plain, readYaml, type YamlDocument } from "./yaml-document.js";
import { printable, quote } from "./show.js";

/** One of the systems that a file compares. */
export interface LoadedSystem {
  /** The system's own name, and the values varied. */
  readonly name: string;
  /** Its own name. */
  readonly base: string;
  /**
   * The varied values, such as `mapSlots=2`; empty if nothing is varied. Systems at the same point differ only in their
   * own settings.
   */
  readonly point: string;
  readonly why: string;
  readonly scenario: AnyScenario;
}

/** The systems that a file compares. */
export interface LoadedSystems {
  /** Own name of the system that the others are compared with. */
  readonly baseline: string;
  /** Own name of the one in which everybody is alone; undefined: the file does not say. */
  readonly private: string | undefined;
  /** Seeds per system; undefined: the file does not say. */
  readonly seeds: number | undefined;
  readonly systems: readonly LoadedSystem[];
  /** The scenario without its systems. */
  readonly scenario: AnyScenario;
  /** Absolute; what `workload.file` is relative to. */
  readonly directory: string;
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads the systems that a scenario file compares; null when it has no section `compare`.
 * @throws InputError with all problems of the file, or else of its systems, each with its place.
 */
export function loadSystems(path: string, options: LoadOptions = {}): LoadedSystems | null {
  return parseSystems(readScenarioFile(path), path, options);
}

/** The same from a text; `file` as in `parseScenario`. Options apply to all systems, after what these set. */
export function parseSystems(text: string, file: string, options: LoadOptions = {}): LoadedSystems | null {
  const { plugins = [] } = options;
  checkPlugins(plugins);
  const overrides = overridesOf(options);
  const yaml = readYaml(text, file);
  const { scenario, compare, directory, notes } = assemble({ yaml, file, overrides, plugins });
  if (compare === undefined) return null;
  refuseVaried(overrides, Object.keys(compare.vary ?? {}));
  const systems: LoadedSystem[] = [];
  const problems: Diagnostic[] = [];
  const reported = new Set<string>();
  const planned = plannedSystems(compare, yaml);
  // Notes on changes that options undo come first: a file of Hadoop's may have many notes.
  const allNotes = new Set([...replacedNotes(overrides, planned), ...notes]);
  for (const { changes, ...named } of planned) {
    if (problems.length >= LIMITS.problems) break;
    try {
      const system = assemble({ yaml, file, systemChanges: changes, overrides, plugins });
      systems.push({ ...named, scenario: system.scenario });
      for (const note of system.notes) if (!notes.includes(note)) allNotes.add(`${named.name}: ${note}`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // A problem of every point, or of a part that all systems share, is reported once.
      for (const problem of error.diagnostics) {
        if (reported.has(formatDiagnostic(problem))) continue;
        reported.add(formatDiagnostic(problem));
        problems.push(inSystem(problem, named.name));
      }
    }
  }
  if (problems.length > 0) throw new InputError(problems);
  const { seeds, baseline = compare.systems[0].name } = compare;
  return { baseline, private: compare.private, seeds, systems, scenario, directory, notes: [...allNotes] };
}

interface PlannedSystem extends Omit<LoadedSystem, "scenario"> {
  readonly changes: readonly OwnChange[];
}

/** Options come last, so that a path that is varied, or one around it, would undo the variation. */
function refuseVaried(overrides: readonly Override[], varied: readonly string[]): void {
  const problems = overrides.flatMap(({ label, path }): Diagnostic[] => {
    const undone = varied.find((variedPath) => startsWith(variedPath.split("."), path));
    if (undone === undefined) return [];
    const message = `compare.vary sets it at each point (${printable(undone)}); set other paths`;
    return [problemOf(label, message)];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** Options that take away what tells systems apart. */
function replacedNotes(overrides: readonly Override[], planned: readonly PlannedSystem[]): string[] {
  return overrides.flatMap(({ label, path }) => {
    const replaces = ({ path: changedPath, value }: OwnChange) =>
      changedPath.every((part, i) => i >= path.length || part === path[i]) &&
      hasAt(value, path.slice(changedPath.length));
    const names = namesOf(planned.filter(({ changes }) => changes.some(replaces)));
    if (names.length === 0) return [];
    const shown = names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : "");
    return [`${label} replaces what the file sets for ${shown}; to change one of them, edit compare.systems`];
  });
}

function hasAt(value: Plain, [part, ...innerPath]: readonly string[]): boolean {
  if (part === undefined) return true;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return false;
  return hasAt((value as Readonly<Record<string, Plain>>)[part], innerPath);
}

/** Every system at every point, the systems of a point side by side. */
function plannedSystems({ systems, vary }: CompareFile, yaml: YamlDocument): PlannedSystem[] {
  return pointsOf(Object.entries(vary ?? {}), yaml).flatMap((values) =>
    systems.map(({ name: base, why, set }, i) => {
      const origin = ["compare", "systems", i, "set"];
      const changes = Object.entries(set).map(([path, value]) =>
        changeOf(path, value, { yaml, path: [...origin, path] }),
      );
      const point = labelsOf(values).join(" ");
      return { name: point === "" ? base : `${base} ${point}`, base, point, why, changes: [...changes, ...values] };
    }),
  );
}

interface VariedValue extends OwnChange {
  readonly label: string;
}

/** All combinations of the values, the last path's changing fastest. */
function pointsOf(
  varied: readonly (readonly [string, readonly (string | number | boolean)[]])[],
  yaml: YamlDocument,
): VariedValue[][] {
  return varied.reduce<VariedValue[][]>(
    (points, [path, values]) =>
      points.flatMap((point) =>
        values.map((value, i) => {
          const change = changeOf(path, value, { yaml, path: ["compare", "vary", path, i] });
          return [...point, { ...change, label: `${change.path[change.path.length - 1]}=${value}` }];
        }),
      ),
    [[]],
  );
}

/** @param path as `--set` takes it. */
export function changeOf(path: string, value: Plain, origin: Origin): OwnChange {
  return { label: path, path: path.split("."), value, origin };
}

function inSystem(problem: Diagnostic, name: string): Diagnostic {
  return { ...problem, message: `${problem.message} (in the system ${quote(name)})` };
}
