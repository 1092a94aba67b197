import { alphabetical } from "../core/kernel/index.js";
import type { Argument, Option } from "commander";
import { readdirSync } from "node:fs";
import { homedir } from "node:os";

export type Names = readonly { readonly value: string; readonly description?: string | undefined }[];

/** Completions of the last word. */
export interface Completion {
  /** Whether the values are paths, which a shell quotes in its own way. */
  readonly isFiles: boolean;
  readonly values: Names;
}

/** Completes the values of an option or an argument. `typed` is the beginning of the value. */
export type Values = (typed: string) => Completion | Promise<Completion>;

const VALUES = new WeakMap<Option | Argument, Values>();

/**
 * Says what completes the values of an option or an argument; one with choices, and an option of a `<file>` or `<dir>`,
 * need not say it.
 */
export function completes<Taker extends Option | Argument>(taker: Taker, values: Values): Taker {
  VALUES.set(taker, values);
  return taker;
}

/** The completion of its values; undefined: they are not known before they are typed. */
export function valuesOf(taker: Option | Argument): Values | undefined {
  const said = VALUES.get(taker);
  if (said !== undefined) return said;
  const choices = taker.argChoices;
  if (choices !== undefined) return () => oneOf(choices);
  if (!("flags" in taker)) return undefined;
  if (taker.flags.endsWith("<dir>")) return folders;
  return taker.flags.endsWith("<file>") ? anyFile : undefined;
}

export function oneOf(names: readonly string[]): Completion {
  return { isFiles: false, values: names.map((value) => ({ value })) };
}

export const folders: Values = (typed) => entries(typed, /$^/);

/** Folders too: they lead to files. */
export const files =
  (pattern: RegExp): Values =>
  (typed) =>
    entries(typed, pattern);

export const anyFile = files(/./);
export const scenarioFiles = files(/\.(ya?ml|json)$/);

/** Loaded at the first use, for no command needs them to start. */
export const schedulers: Values = async () => {
  const { SCHEDULER_KINDS } = await import("../core/scenario/index.js");
  return {
    isFiles: false,
    values: SCHEDULER_KINDS.map(({ name, summary }) => ({ value: name, description: summary })),
  };
};

/** Completes the last of names that are separated by commas. */
export const listOf =
  (values: Values): Values =>
  async (typed) => {
    const before = typed.slice(0, typed.lastIndexOf(",") + 1);
    const { isFiles, values: last } = await values(typed.slice(before.length));
    return { isFiles, values: last.map((entry) => ({ ...entry, value: before + entry.value })) };
  };

/** Entries of the folder that `typed` leads to: all folders, with a slash, and the files that match. */
function entries(typed: string, pattern: RegExp): Completion {
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  const isHiddenAsked = typed.slice(folder.length).startsWith(".");
  try {
    const entries = readdirSync(folder === "" ? "." : folder.replace(/^~(?=\/)/, homedir()), { withFileTypes: true });
    const names = entries
      .filter(({ name }) => isHiddenAsked || !name.startsWith("."))
      .filter((entry) => entry.isDirectory() || pattern.test(entry.name))
      // A name with a line break or a tab cannot be given to a shell line by line, and one with an escape would act on
      // the terminal.
      .filter(({ name }) => !/\p{Cc}/u.test(name))
      .map((entry) => folder + entry.name + (entry.isDirectory() ? "/" : ""));
    return { isFiles: true, values: names.sort(alphabetical).map((value) => ({ value })) };
  } catch {
    return { isFiles: true, values: [] };
  }
}
