import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { SCHEDULER_KINDS } from "../core/scenario/index.js";
import { MEASURES } from "../experiments/index.js";
import { platformJsonSchema, platformNamed, publishedNames, shippedExamples } from "../io/index.js";
import { contractCaseNames } from "../lab/index.js";

// Names that complete what is typed. They are loaded for completion alone, for much must be loaded to know them.

export type Names = readonly { readonly value: string; readonly description?: string | undefined }[];

export const schedulers = (): Names =>
  SCHEDULER_KINDS.map(({ name, summary }) => ({ value: name, description: summary }));

export const measures = (): Names => MEASURES.map(({ key, title }) => ({ value: key, description: title }));

export const publishedRows = (): Names => publishedNames().map((value) => ({ value }));

export const contractCases = (): Names => contractCaseNames().map((value) => ({ value }));

export const shippedScenarios = (): Names =>
  shippedExamples().map(({ name, why }) => ({ value: name, description: why.replace(/\s+/g, " ") }));

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

/** Longest scenario whose text is looked at. */
const MOST_SCENARIO_BYTES = 1 << 20;

/** That of the first scenario among the words; of none, and of one that cannot be read, Hadoop. */
function platformOf(words: readonly string[]): string {
  for (const word of words.slice(0, -1)) {
    if (word.startsWith("-") || !/\.ya?ml$/.test(word)) continue;
    const path = word.replace(/^~(?=\/)/, homedir());
    try {
      const found = statSync(path);
      if (!found.isFile() || found.size > MOST_SCENARIO_BYTES) continue;
      const [, name] = /^platform:[ \t]*["']?([a-z]+)/m.exec(readFileSync(path, "utf8")) ?? [];
      return name !== undefined && platformNamed(name) !== undefined ? name : "hadoop";
    } catch {
      // What cannot be read says nothing.
    }
  }
  return "hadoop";
}

/** `PATH=VALUE` of a scenario: one more key of the path, or after `=` the words that the schema allows. */
export function settings(typed: string, words: readonly string[]): Names {
  const schema = platformJsonSchema(platformOf(words)) as SchemaNode;
  const [path, value] = typed.split("=", 2);
  const keys = path.split(".");
  const reached = (value === undefined ? keys.slice(0, -1) : keys).reduce<SchemaNode[]>(
    (nodes, key) => nodes.flatMap((node) => variants(node.properties?.[key], schema)),
    variants(schema, schema),
  );
  if (value !== undefined) {
    const allowed = reached.flatMap((node) => node.enum ?? (node.const === undefined ? [] : [node.const]));
    return [...new Set(allowed.map((word) => `${path}=${String(word)}`))].map((one) => ({ value: one }));
  }
  const before = keys
    .slice(0, -1)
    .map((key) => `${key}.`)
    .join("");
  return reached.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([key, node]) => {
      if (key === "$schema") return [];
      const all = variants(node, schema);
      const ends = [
        ...(all.some((one) => one.properties === undefined) ? ["="] : []),
        ...(all.some((one) => one.properties !== undefined) ? ["."] : []),
      ];
      return ends.map((end) => ({ value: before + key + end, description: node.description }));
    }),
  );
}

/** A node of the schema as the alternatives that it stands for. */
function variants(node: SchemaNode | undefined, root: SchemaNode): SchemaNode[] {
  if (node === undefined) return [];
  const target = node.$ref === undefined ? undefined : root.definitions?.[node.$ref.replace("#/definitions/", "")];
  const inner = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? []), ...(target ? [target] : [])];
  return inner.length === 0 ? [node] : inner.flatMap((one) => variants(one, root));
}
