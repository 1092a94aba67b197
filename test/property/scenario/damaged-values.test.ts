import { Ajv } from "ajv";
import fc from "fast-check";
import { it } from "vitest";
import { LineCounter, parseDocument, stringify } from "yaml";
import { type Diagnostic, InputError, parseAnyScenario, platformJsonSchema } from "../../../dist/io/index.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../../support/search.js";

/** What of JSON Schema the schemas of scenarios are made of. */
interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly pattern?: string;
}

/** A place in scenarios of a platform. */
interface Place {
  readonly platform: string;
  readonly path: readonly (string | number)[];
  readonly schema: Schema;
  readonly definitions: Schema["definitions"];
  /** Whether the schema is one of several forms that a value may have. */
  readonly isForm: boolean;
  /** What a mapping at the place must have. */
  readonly required: object;
  /** The sections of the smallest scenario with a value at the place. */
  readonly scenarioWith: (value: unknown) => unknown;
}

const isObject = ({ properties, additionalProperties }: Schema): boolean =>
  properties !== undefined || typeof additionalProperties === "object";
const formsOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

class Places {
  readonly found: Place[] = [];
  readonly root: Schema;

  constructor(private readonly platform: string) {
    this.root = platformJsonSchema(platform) as Schema;
    this.walk(this.root, [], (value) => value, []);
  }

  private walk(
    node: Schema,
    path: Place["path"],
    scenarioWith: Place["scenarioWith"],
    refs: readonly string[],
    isForm = false,
  ): void {
    if (node.$ref !== undefined && refs.includes(node.$ref)) return;
    const schema = this.resolved(node);
    const trail = node.$ref === undefined ? refs : [...refs, node.$ref];
    if (path.length > 0 && (!isForm || schema.properties !== undefined))
      this.found.push({
        platform: this.platform,
        path,
        schema,
        definitions: this.root.definitions,
        isForm,
        required: this.required(schema),
        scenarioWith,
      });
    for (const form of formsOf(schema)) this.walk(form, path, scenarioWith, trail, true);
    const inner = (key: string, value: Schema): void => {
      const beside = path.length === 0 ? {} : this.required(schema);
      this.walk(value, [...path, key], (at) => scenarioWith({ ...beside, [key]: at }), trail);
    };
    for (const [key, value] of Object.entries(schema.properties ?? {})) inner(key, value);
    if (typeof schema.additionalProperties === "object") inner("p", schema.additionalProperties);
    if (schema.items !== undefined) this.walk(schema.items, [...path, 0], (at) => scenarioWith([at]), trail);
  }

  private resolved(node: Schema): Schema {
    return node.$ref === undefined ? node : this.root.definitions![node.$ref.replace("#/definitions/", "")]!;
  }

  private required({ required = [], properties = {} }: Schema): object {
    return Object.fromEntries(required.map((key) => [key, this.sample(properties[key]!)]));
  }

  /** A value that is allowed. */
  private sample(node: Schema): unknown {
    const schema = this.resolved(node);
    const form = formsOf(schema)[0];
    if (schema.const !== undefined || schema.enum !== undefined) return schema.const ?? schema.enum![0];
    if (form !== undefined) return this.sample(form);
    if (schema.items !== undefined) return [this.sample(schema.items)];
    if (isObject(schema)) return this.required(schema);
    if (schema.type === "boolean") return true;
    if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
    return ["1s", "1MB", "1MB/s", "p"].find((text) => new RegExp(schema.pattern ?? "").test(text));
  }
}

/** Scenarios that are valid; damage stands in the place of one of their sections or beside them. */
const VALID: Readonly<Record<string, object>> = {
  hadoop: { workload: { kind: "facebook" } },
  spark: { platform: "spark", workload: { kind: "jobs", jobs: [{ name: "a", stages: [{ tasks: 1, time: "1s" }] }] } },
  yarn: {
    platform: "yarn",
    workload: { kind: "jobs", jobs: [{ name: "a", maps: { tasks: 1, time: "1s" } }] },
    scheduler: { kind: "yarn-fair" },
  },
};
const PLACES = Object.keys(VALID).flatMap((platform) => new Places(platform).found);
const ajv = new Ajv({ strict: false, logger: false });

/** A word that is not allowed: one that is, with its last letters swapped, or one that stands nowhere. */
function misspelt(schema: Schema): string {
  const words = [schema, ...formsOf(schema)].flatMap((form) => [form.const, ...(form.enum ?? [])]);
  const word = words.find((name) => typeof name === "string" && name.length > 2) as string | undefined;
  return word === undefined ? "no such word" : `${word.slice(0, -2)}${word.at(-1)!}${word.at(-2)!}x`;
}

/** Values that are not allowed at a place: of another type, out of bounds, misspelt, or with a key that is unknown. */
function damagesOf({ schema, definitions, required, isForm }: Place): unknown[] {
  const isAllowed = ajv.compile({ ...schema, definitions });
  const keys = schema.properties === undefined ? [] : [{ ...required, notThere: 1 }];
  const values = isForm ? keys : [-1.5, 0.123, 1e300, "", misspelt(schema), [], {}, null, ...keys];
  return values.filter((value) => !isAllowed(value));
}
const DAMAGES = 9;

/** Line and column of the value at a path of a YAML text, or of the unknown key in it. */
function placeIn(text: string, path: Place["path"], value: unknown): { line: number; col: number } {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const isKey = typeof value === "object" && value !== null && "notThere" in value;
  const node = document.getIn(isKey ? [...path, "notThere"] : path, true) as { range: readonly number[] };
  return lineCounter.linePos(node.range[0]! - (isKey ? "notThere: ".length : 0));
}

/** What is wrong with the refusal of a scenario with a damaged value. */
function problemOf(place: Place, value: unknown): string | null {
  const { path, schema, platform } = place;
  const text = stringify({ ...VALID[platform], ...(place.scenarioWith(value) as object) });
  const { line, col } = placeIn(text, path, value);
  try {
    parseAnyScenario(text, "x.yaml");
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // What a mapping lacks is said of its key.
    const isHere = (one: Diagnostic): boolean => one.line === line && (one.column === col || typeof value === "object");
    const there = error.diagnostics.find(isHere);
    const allowed = typeof value === "number" ? (schema.title ?? "") : "";
    if (there?.message.includes(allowed)) return null;
    return `not refused at ${line}:${col} with "${allowed}", but ${error.message}\n${text}`;
  }
  return `accepted\n${text}`;
}

it(
  "no damaged value of any platform's scenario is taken, or refused elsewhere than at its line and column",
  async () => {
    const cases = fc.tuple(fc.nat(PLACES.length - 1), fc.nat(DAMAGES - 1));
    await searchForProblem("test/property/scenario/damaged-values.test.ts", cases, 2000, ([index, damage]) => {
      const values = damagesOf(PLACES[index]!);
      return values.length === 0 ? null : problemOf(PLACES[index]!, values[damage % values.length]);
    });
  },
  SEARCH_TIMEOUT_MS,
);
