import { sumOver } from "../kernel/index.js";
/**
 * A platform's words for the things that its runs are made of. Records and summaries carry the words with them: columns
 * and keys are read by these, and reports use them. Keys are camel case; `one` and `many` are as they stand in a
 * sentence.
 */
export interface RecordWords {
  readonly platform: string;
  /** By the code that a table of attempts has for them. */
  readonly taskTypes: readonly TaskTypeWord[];
  /** Attempts that are no tasks: codes from `taskTypes.length` on. */
  readonly otherAttempts: readonly string[];
  /** Locality levels of a task, nearest first; by their codes. */
  readonly levels: readonly LevelWord[];
  /** Resources that tasks hold while they run. Fairness is judged by the first. */
  readonly resources: readonly ResourceWord[];
  /** Groups that shares are given to: pools, or queues. */
  readonly group: Noun;
  /** Sections of a summary that the platform has, and others may not have. */
  readonly has: readonly Section[];
}

/** Sections of a summary that only some platforms have. */
export const SECTIONS = [
  "refusals",
  "deadlines",
  "preemption",
  "failures",
  "faults",
  "storage",
  "cachedFiles",
  "copyCompute",
  "speculation",
  "moved",
  "heartbeats",
] as const;

export type Section = (typeof SECTIONS)[number];

interface Noun {
  readonly one: string;
  readonly many: string;
}

interface TaskTypeWord extends Noun {
  readonly key: string;
  /** Tasks of this type have locality. Locality, waits and sizes of jobs are those of the first such type. */
  readonly hasLocality: boolean;
}

interface LevelWord {
  readonly key: string;
  /** In a table: `node`, `off-rack`. */
  readonly title: string;
  /** Word for a task at the level: `node-local`, `off-rack`. Names of columns follow from it. */
  readonly local: string;
  /** The better direction of the level's share: higher where tasks that ran so are near or content; null: neither. */
  readonly better: "higher" | "lower" | null;
  /** The cluster has no places at this level, so no figure includes it. */
  readonly isAbsent?: true;
}

/** Tasks of MapReduce, in the order of its stages. */
export const MAP_AND_REDUCE: readonly TaskTypeWord[] = [
  { key: "map", one: "map", many: "maps", hasLocality: true },
  { key: "reduce", one: "reduce", many: "reduces", hasLocality: false },
];

export const NODE_WORD: LevelWord = { key: "node", title: "node", local: "node-local", better: "higher" };
/** It lies between others: more of it may be less of either. */
export const RACK_WORD: LevelWord = { key: "rack", title: "rack", local: "rack-local", better: null };

interface ResourceWord extends Noun {
  readonly key: string;
  /** Key of the only task type that holds it, one of it a task: its units then go by that type's name, too. */
  readonly ofType?: string;
}

/** In place of the index of a level: locality means nothing to the attempt. */
export const NO_LEVEL = 255;

/** Index of the type whose locality, waits and numbers per job figures are about. */
export function localType({ taskTypes }: Pick<RecordWords, "taskTypes">): number {
  return Math.max(
    0,
    taskTypes.findIndex(({ hasLocality }) => hasLocality),
  );
}

/** The words of that type. */
export function localTask(words: Pick<RecordWords, "taskTypes">): TaskTypeWord {
  return words.taskTypes[localType(words)];
}

/** Returns the short words for units of the resource: a map slot is a map. */
export function shortOf({ taskTypes }: Pick<RecordWords, "taskTypes">, resource: ResourceWord): Noun {
  return taskTypes.find(({ key }) => key === resource.ofType) ?? resource;
}

/** Resources of which each attempt holds one or another add up; of others the first stands for all. */
export function heldTotal({ resources }: Pick<RecordWords, "resources">, heldOf: (place: number) => number): number {
  if (resources.some(({ ofType }) => ofType === undefined)) return heldOf(0);
  return sumOver(resources, (_, place) => heldOf(place));
}

/** Returns the unit of a resource: both of map slots and of reduce slots, slots. */
export function unitOf({ one, many, ofType }: ResourceWord): Noun {
  if (ofType === undefined) return { one, many };
  const last = (words: string) => words.slice(words.lastIndexOf(" ") + 1);
  return { one: last(one), many: last(many) };
}

/** Returns the unit of the total that tasks hold: slots, cores. */
export function heldUnit({ resources: [first] }: Pick<RecordWords, "resources">): Noun {
  return unitOf(first);
}

/** Returns the units of all resources: `slots`, `MB and vcores`. */
export function allUnits({ resources }: Pick<RecordWords, "resources">): string {
  return [...new Set(resources.map((resource) => unitOf(resource).many))].join(" and ");
}

/** A word as part of a column's name: `off-rack` is `off_rack`. */
export function columnWord(word: string): string {
  return word.replace(/[^a-z0-9]+/gi, "_").toLowerCase();
}

/** A word as part of a key: `map slots` is `mapSlots`. */
export function keyWord(word: string): string {
  return word.replace(/[^a-z0-9]+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

/** A word at the beginning of a sentence, or of a part of a key. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** By key of each of the words, what that word's place has. */
export function byKey<T>(words: readonly { readonly key: string }[], valueOf: (place: number) => T): Record<string, T> {
  return Object.fromEntries(words.map(({ key }, place) => [key, valueOf(place)]));
}
