import type { Argument, Option } from "commander";
import { readdirSync } from "node:fs";
import { homedir } from "node:os";

/** What may stand in the place of the last word. */
export interface Completion {
  /** Whether the values are paths, which a shell quotes in its own way. */
  readonly isFiles: boolean;
  readonly values: readonly { readonly value: string; readonly description?: string | undefined }[];
}

/** How the values of an option or an argument are found. `typed` is what there is of the value so far. What names them is loaded then. */
export type Values = (typed: string) => Completion | Promise<Completion>;

const VALUES = new WeakMap<Option | Argument, Values>();

/** Says what completes the values of an option or an argument; one with choices, and an option of a `<file>` or `<dir>`, need not say it. */
export function completes<Taker extends Option | Argument>(taker: Taker, values: Values): Taker {
  VALUES.set(taker, values);
  return taker;
}

/** What completes its values; undefined: nobody can know them before they are typed. */
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

export const schedulers: Values = async () => {
  const { SCHEDULER_KINDS } = await import("../core/scenario/index.js");
  return {
    isFiles: false,
    values: SCHEDULER_KINDS.map(({ name, summary }) => ({ value: name, description: summary })),
  };
};

export const measures: Values = async () => {
  const { MEASURES } = await import("../experiments/index.js");
  return { isFiles: false, values: MEASURES.map(({ key, title }) => ({ value: key, description: title })) };
};

/** Of names that are separated by commas, the last is completed. */
export const listOf =
  (values: Values): Values =>
  async (typed) => {
    const before = typed.slice(0, typed.lastIndexOf(",") + 1);
    const { isFiles, values: last } = await values(typed.slice(before.length));
    return { isFiles, values: last.map((one) => ({ ...one, value: before + one.value })) };
  };

/** Entries of the folder that `typed` leads to: all folders, with a slash, and the files that match. */
function entries(typed: string, pattern: RegExp): Completion {
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  const isHiddenAsked = typed.slice(folder.length).startsWith(".");
  try {
    const found = readdirSync(folder === "" ? "." : folder.replace(/^~(?=\/)/, homedir()), { withFileTypes: true });
    const names = found
      .filter(({ name }) => isHiddenAsked || !name.startsWith("."))
      .filter((entry) => entry.isDirectory() || pattern.test(entry.name))
      // A name with a line break or a tab cannot be told to a shell line by line, and one with an escape would act on the terminal.
      .filter(({ name }) => !/\p{Cc}/u.test(name))
      .map((entry) => folder + entry.name + (entry.isDirectory() ? "/" : ""));
    return { isFiles: true, values: names.sort((a, b) => (a < b ? -1 : 1)).map((value) => ({ value })) };
  } catch {
    return { isFiles: true, values: [] };
  }
}

interface SchemaNode {
  readonly $ref?: string;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly definitions?: Readonly<Record<string, SchemaNode>>;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
}

/** `PATH=VALUE` of a scenario: one more key of the path, or after `=` the words that the schema allows. */
export const settings: Values = async (typed) => {
  const { platformJsonSchema } = await import("../io/index.js");
  const schema = platformJsonSchema("hadoop") as SchemaNode;
  const [path, value] = typed.split("=", 2);
  const keys = path.split(".");
  const known = (value === undefined ? keys.slice(0, -1) : keys).reduce<SchemaNode[]>(
    (nodes, key) => nodes.flatMap((node) => variants(node.properties?.[key], schema)),
    variants(schema, schema),
  );
  if (value !== undefined) {
    const words = known.flatMap((node) => node.enum ?? (node.const === undefined ? [] : [node.const]));
    return oneOf([...new Set(words.map((word) => `${path}=${String(word)}`))]);
  }
  const before = keys.slice(0, -1).map((key) => `${key}.`);
  const found = new Map<string, string | undefined>();
  for (const { properties = {} } of known) {
    for (const [key, node] of Object.entries(properties)) {
      if (key === "$schema") continue;
      const all = variants(node, schema);
      const full = before.join("") + key;
      if (all.some((one) => one.properties === undefined)) found.set(`${full}=`, node.description);
      if (all.some((one) => one.properties !== undefined)) found.set(`${full}.`, node.description);
    }
  }
  return { isFiles: false, values: [...found].map(([one, description]) => ({ value: one, description })) };
};

/** A node of the schema as the alternatives that it stands for. */
function variants(node: SchemaNode | undefined, root: SchemaNode): SchemaNode[] {
  if (node === undefined) return [];
  const target = node.$ref === undefined ? undefined : root.definitions?.[node.$ref.replace("#/definitions/", "")];
  const inner = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? []), ...(target ? [target] : [])];
  return inner.length === 0 ? [node] : inner.flatMap((one) => variants(one, root));
}
