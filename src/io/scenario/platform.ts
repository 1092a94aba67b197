import type * as z from "zod";
import { counted, MAX_TIME_US, sumOver } from "../../core/kernel/index.js";
import type { SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import type { RecordWords, Simulation, WaitWords } from "../../core/record/index.js";
import { type AnyScenario, LIMITS } from "../../core/scenario/index.js";
import type { Diagnostic } from "../input-error.js";
import { type CompareFile, compareProblems, compareSchemaOf } from "./compare.js";
import { type Problem, problemsOf } from "./diagnose.js";
import type { Shorthand } from "./overrides.js";
import { runProblems, runSchema } from "./run.js";
import { optional, setting } from "./setting.js";
import { count, duration, text, word } from "./values.js";
import type { Plain } from "./yaml-document.js";

/**
 * A platform as scenario files and runs use it, of what its sections say; the steps from the tree of a file to a
 * scenario are the same for all. `platforms.ts` lists them.
 */
export interface Platform<
  Schema extends z.ZodObject = z.ZodObject,
  I extends { readonly problems: readonly Diagnostic[] } = { readonly problems: readonly Diagnostic[] },
  S extends AnyScenario = AnyScenario,
> {
  /** Its name in files, under `platform`. */
  readonly name: string;
  /** The words of its runs. */
  readonly recordWords: RecordWords;
  /** Explanations of what stages wait for; undefined: it logs no waits of stages (Hadoop logs those of jobs). */
  readonly waits?: WaitWords;
  /** Sections that systems of a comparison may say something about. */
  readonly sections: readonly string[];
  /** Single values that a mapping says more about, by the key that holds them there. */
  readonly shorthands: readonly Shorthand[];
  /** Places where an unchecked scenario names files. */
  readonly filePlaces: (tree: Plain) => FilePlace[];
  readonly schemaWith: (plugins: readonly SchedulerPlugin[]) => Schema;
  readonly readImports: (tree: Plain, scenarioFile: string) => I;
  /** Problems of the platform's own sections, alone or in combination. Only sound sections are passed. */
  readonly problems: (
    sections: Partial<z.output<Schema>>,
    imports: I,
    plugins: readonly SchedulerPlugin[],
  ) => readonly Problem[];
  /** Problems of the files that a sound scenario names. */
  readonly fileProblems?: (file: z.output<Schema>, imports: I) => readonly Diagnostic[];
  /** @param notes receives what the user should know. */
  readonly resolve: (file: z.output<Schema>, defaultName: string, imports: I, notes: string[]) => S;
  /** Problems of the scenario as a whole. */
  readonly wholeProblems?: (file: z.output<Schema>, scenario: S, imports: I) => readonly Problem[];
  readonly words: ScenarioWords<S>;
  /** Nodes in the order of their numbers, and the racks they stand in; of Hadoop none: its topology says more. */
  readonly nodes?: (scenario: S) => readonly { readonly name: string; readonly rack: string }[];
  /** Whether its scheduler may kill attempts so that others get their place. */
  readonly mayKill: (scenario: S) => boolean;
  /**
   * Its scenarios know what of a log is copied (`workload.copied`), and draw what a log does not tell (`runtime.draw`).
   */
  readonly knowsLogs?: true;
  /** Reads what the scenario names, and builds it; undefined: it runs as actors (Hadoop). */
  readonly build?: (scenario: S, directory: string) => Promise<Simulation>;
}

/** Takes a platform for what all have in common: it is handed nothing but its own scenarios. */
export function platformOf<
  Schema extends z.ZodObject,
  I extends { readonly problems: readonly Diagnostic[] },
  S extends AnyScenario,
>(platform: Platform<Schema, I, S>): Platform {
  return platform as unknown as Platform;
}

/** Descriptions of a scenario in reports, a few words each. */
export interface ScenarioWords<S extends AnyScenario = AnyScenario> {
  readonly scheduler: (scenario: S) => string;
  /** Its locality waits. */
  readonly waits: (scenario: S) => string;
  readonly cluster: (scenario: S) => string;
  readonly workload: (scenario: S) => string;
}

/** A value of the tree that is the path of a file, in the mapping that holds it. */
export interface FilePlace {
  readonly path: readonly string[];
  readonly holder: { [key: string]: Plain };
  readonly key: string;
  readonly file: string;
}

interface ReadContext {
  /** As the user gave it: what the files it names are relative to. */
  readonly file: string;
  /** Used when the file names none. */
  readonly defaultName: string;
  readonly plugins: readonly SchedulerPlugin[];
  readonly memo?: ReadMemo | undefined;
}

/** Work that need not be done again for another tree of the same file. */
export interface ReadMemo {
  /** Valid sections, as the schema reads them. */
  readonly valid: WeakMap<object, unknown>;
  /** Returns the result of `read`, which is called once for each set of files that trees name at these places. */
  readonly imported: <I>(places: readonly FilePlace[], read: () => I) => I;
}

/** A scenario, or all that is wrong. */
export type Reading =
  | {
      readonly scenario: AnyScenario;
      readonly compare: CompareFile | undefined;
      readonly notes: readonly string[];
    }
  | {
      readonly scenario: null;
      /** Problems of the file. */
      readonly problems: readonly Problem[];
      /** Problems of files that it names. */
      readonly diagnostics: readonly Diagnostic[];
    };

/** The first keys of scenario files of every platform, after `platform`. */
export const BEGINNING = {
  name: optional(word(100), "Names the results folder. Default: the name of the file."),
  why: text(0, 2000).prefault("").describe("The question this scenario answers."),
};

/** Returns their last keys. @param sections that systems of a comparison may change. */
export function endOf(sections: readonly string[]) {
  return {
    compare: optional(compareSchemaOf(sections), "Systems that bide compare runs side by side; bide run ignores them."),
    run: runSchema.prefault({}).describe("Seed, end and sampling of a run."),
  };
}

/** The keys of listed jobs that say when and how often they come. */
export const ARRIVALS = {
  submit: setting(duration(0, MAX_TIME_US), "When it comes.", 0, "submitUs"),
  count: setting(count(1, LIMITS.jobs), "So many of its kind, called name-1, name-2 and so on.", 1),
  every: setting(duration(0, MAX_TIME_US), "Time between two of its kind.", 0, "everyUs"),
};

/** The number of jobs in a list, in words. */
export function listedJobsWords(jobs: readonly { readonly count: number }[]): string {
  return counted(
    sumOver(jobs, ({ count }) => count),
    "listed job",
  );
}

/** Problems of the sections that all platforms have. */
function commonProblems({ run, compare }: CommonSections, sections: readonly string[]): Problem[] {
  return [
    ...(run === undefined ? [] : runProblems(run)),
    ...(compare === undefined ? [] : compareProblems(compare, sections)),
  ];
}

interface CommonSections {
  readonly run?: Parameters<typeof runProblems>[0];
  readonly compare?: CompareFile;
}

/** Reads the tree of a file as its platform does. */
export function readAs(platform: Platform, tree: Plain, { file, defaultName, plugins, memo }: ReadContext): Reading {
  const readFiles = () => platform.readImports(tree, file);
  const imports = memo === undefined ? readFiles() : memo.imported(platform.filePlaces(tree), readFiles);
  const schema = platform.schemaWith(plugins);
  const { sound, isWhole } = soundSections(tree, schema, memo?.valid);
  // The whole says what is allowed beside what.
  const { error } = isWhole ? {} : schema.safeParse(tree);
  const single = error === undefined ? [] : problemsOf(error.issues, tree);
  const problems = [
    ...single,
    ...commonProblems(sound, platform.sections),
    ...platform.problems(sound, imports, plugins),
  ];
  if (problems.length > 0 || imports.problems.length > 0) {
    return { scenario: null, problems, diagnostics: imports.problems };
  }
  const disobeyed = platform.fileProblems?.(sound, imports) ?? [];
  if (disobeyed.length > 0) return { scenario: null, problems: [], diagnostics: disobeyed };
  const notes: string[] = [];
  const scenario = platform.resolve(sound, defaultName, imports, notes);
  const whole = platform.wholeProblems?.(sound, scenario, imports) ?? [];
  if (whole.length > 0) return { scenario: null, problems: whole, diagnostics: [] };
  return { scenario, compare: sound.compare as CompareFile | undefined, notes };
}

/**
 * The sections that are valid by themselves, so that problems elsewhere do not hide theirs, and whether they are all
 * that the tree says. @param valid what is known of sections, and what is found.
 */
function soundSections(tree: Plain, { shape }: z.ZodObject, valid = new WeakMap<object, unknown>()) {
  const sound: Record<string, unknown> = {};
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return { sound, isWhole: false };
  let isWhole = Object.keys(tree).every((name) => Object.hasOwn(shape, name));
  for (const [name, section] of Object.entries<z.ZodType>(shape)) {
    const said = tree[name];
    const isKept = typeof said === "object" && said !== null;
    const { success, data } =
      isKept && valid.has(said) ? { success: true, data: valid.get(said) } : section.safeParse(said);
    isWhole &&= success;
    if (data !== undefined) sound[name] = data;
    if (isKept && success) valid.set(said, data);
  }
  return { sound, isWhole };
}
