import type * as z from "zod";
import { counted } from "../../core/kernel/index.js";
import type { SchedulerPlugin } from "../../core/platforms/hadoop/index.js";
import type { RecordWords, Simulation, WaitWords } from "../../core/record/index.js";
import type { AnyScenario } from "../../core/scenario/index.js";
import type { Diagnostic } from "../input-error.js";
import { type CompareFile, compareProblems, compareSchemaOf } from "./compare.js";
import { type Problem, problemsOf } from "./diagnose.js";
import type { Shorthand } from "./overrides.js";
import { runProblems, runSchema } from "./run.js";
import { text, word } from "./values.js";
import type { Plain } from "./yaml-document.js";

/** A platform as scenario files and runs use it. `platforms.ts` lists them all. */
export interface Platform {
  /** Its name in files, under `platform`. */
  readonly name: string;
  /** The words of its runs. */
  readonly recordWords: RecordWords;
  /** Explanations of what stages wait for; undefined: it logs no waits of stages (Hadoop logs those of jobs). */
  readonly waits: WaitWords | undefined;
  /** Sections that systems of a comparison may say something about. */
  readonly sections: readonly string[];
  /** Places where an unchecked scenario names files. */
  readonly filePlaces: (tree: Plain) => FilePlace[];
  /** Single values that a mapping says more about, by the key that holds them there. */
  readonly shorthands: readonly Shorthand[];
  readonly schemaWith: (plugins: readonly SchedulerPlugin[]) => z.ZodObject;
  readonly read: (tree: Plain, context: ReadContext) => Reading;
  readonly words: ScenarioWords;
  /** Nodes in the order of their numbers, and the racks they stand in; of Hadoop none: its topology says more. */
  readonly nodes: (scenario: AnyScenario) => readonly { readonly name: string; readonly rack: string }[];
  /** Whether its scheduler may kill attempts so that others get their place. */
  readonly mayKill: (scenario: AnyScenario) => boolean;
  /**
   * Its scenarios know what of a log is copied (`workload.copied`), and draw what a log does not tell (`runtime.draw`).
   */
  readonly knowsLogs: boolean;
  /** Reads what the scenario names, and builds it; undefined: it runs as actors (Hadoop). */
  readonly build: ((scenario: AnyScenario, directory: string) => Promise<Simulation>) | undefined;
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

export interface ReadContext {
  /** As the user gave it: what the files it names are relative to. */
  readonly file: string;
  /** Used when the file names none. */
  readonly defaultName: string;
  readonly plugins: readonly SchedulerPlugin[];
  /** Checks by the schema; another way where some of it is known. */
  readonly parse: (schema: z.ZodObject, tree: Plain) => z.ZodSafeParseResult<Record<string, unknown>>;
  /** Returns the result of `read` for the files that the tree names at those places, once for each set of files. */
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

interface Parts<
  Schema extends z.ZodObject,
  I extends { readonly problems: readonly Diagnostic[] },
  S extends AnyScenario,
> {
  readonly name: string;
  readonly recordWords: RecordWords;
  readonly waits?: WaitWords;
  readonly sections: readonly string[];
  readonly shorthands: readonly Shorthand[];
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
  readonly nodes?: (scenario: S) => readonly { readonly name: string; readonly rack: string }[];
  readonly mayKill: (scenario: S) => boolean;
  readonly knowsLogs?: true;
  readonly build?: (scenario: S, directory: string) => Promise<Simulation>;
}

/** The first keys of scenario files of every platform, after `platform`. */
export const BEGINNING = {
  name: word(100).optional().describe("Names the results folder. Default: the name of the file."),
  why: text(0, 2000).prefault("").describe("The question this scenario answers."),
};

/** Returns their last keys. @param sections that systems of a comparison may change. */
export function endOf(sections: readonly string[]) {
  return {
    compare: compareSchemaOf(sections)
      .optional()
      .describe("Systems that bide compare runs side by side; bide run ignores them."),
    run: runSchema.prefault({}).describe("Seed, end and sampling of a run."),
  };
}

/** The number of jobs in a list, in words. */
export function listedJobsWords(jobs: readonly { readonly count: number }[]): string {
  return counted(
    jobs.reduce((sum, { count }) => sum + count, 0),
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

/** A platform of what its sections say: the steps from the tree of a file to a scenario are the same for all. */
export function platformOf<
  Schema extends z.ZodObject,
  I extends { readonly problems: readonly Diagnostic[] },
  S extends AnyScenario,
>(parts: Parts<Schema, I, S>): Platform {
  const { name, recordWords, sections, shorthands, filePlaces, schemaWith, build } = parts;
  const read = (tree: Plain, { file, defaultName, plugins, parse, imported }: ReadContext): Reading => {
    const imports = imported(filePlaces(tree), () => parts.readImports(tree, file));
    const schema = schemaWith(plugins);
    const parsed = parse(schema, tree) as z.ZodSafeParseResult<z.output<Schema>>;
    const single = parsed.success ? [] : problemsOf(parsed.error.issues, tree);
    const sound = parsed.success ? parsed.data : soundSections(tree, schema);
    const problems = [...single, ...commonProblems(sound, sections), ...parts.problems(sound, imports, plugins)];
    if (!parsed.success || problems.length > 0 || imports.problems.length > 0) {
      return { scenario: null, problems, diagnostics: imports.problems };
    }
    const disobeyed = parts.fileProblems?.(parsed.data, imports) ?? [];
    if (disobeyed.length > 0) return { scenario: null, problems: [], diagnostics: disobeyed };
    const notes: string[] = [];
    const scenario = parts.resolve(parsed.data, defaultName, imports, notes);
    const whole = parts.wholeProblems?.(parsed.data, scenario, imports) ?? [];
    if (whole.length > 0) return { scenario: null, problems: whole, diagnostics: [] };
    return { scenario, compare: parsed.data.compare as CompareFile | undefined, notes };
  };
  return {
    name,
    recordWords,
    sections,
    shorthands,
    filePlaces,
    schemaWith,
    read,
    waits: parts.waits,
    words: parts.words as ScenarioWords,
    nodes: (scenario) => parts.nodes?.(scenario as S) ?? [],
    mayKill: parts.mayKill as Platform["mayKill"],
    knowsLogs: parts.knowsLogs === true,
    build: build === undefined ? undefined : (scenario, directory) => build(scenario as S, directory),
  };
}

/** The sections that are valid by themselves, so that problems elsewhere do not hide theirs. */
function soundSections<Schema extends z.ZodObject>(tree: Plain, schema: Schema): Partial<z.output<Schema>> {
  if (typeof tree !== "object" || tree === null || Array.isArray(tree)) return {};
  const sound = Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([section, sectionSchema]) => {
    const parsed = sectionSchema.safeParse(tree[section]);
    return parsed.success && parsed.data !== undefined ? [[section, parsed.data] as const] : [];
  });
  return Object.fromEntries(sound) as Partial<z.output<Schema>>;
}
