import * as z from "zod";
import type { Row, ValueOf, ValueType } from "../../core/scenario/index.js";
import type { Findings } from "../allocations/elements.js";
import type { XmlElement } from "../allocations/xml.js";
import type { Property } from "../capacity/properties.js";
import { formatDuration } from "./units.js";
import * as values from "./values.js";

// A setting is stated once, where its section's schema has its key: values, default, sentence, field of the record, and
// where it has an effect. The check of a file, the record, the notes, the JSON Schema, the tables of
// docs/formats/scenario.md and what the hunt draws follow from that.

/** The facts that decide whether settings have an effect. */
export interface Facts {
  readonly isDetailed: boolean;
  /** Racks stand in rows. */
  readonly hasRows: boolean;
  /** Some job may need a file on its nodes. */
  readonly needsFiles: boolean;
  /** Reduce slots of the node with most. */
  readonly mostReduceSlots: number;
  /** Its rule. */
  readonly speculation: string | undefined;
  /** Placement of blocks. */
  readonly placement: string;
}

export interface Effect {
  /** Begins the sentence of the setting. */
  readonly label?: string;
  readonly holds: (facts: Facts, value: unknown) => boolean;
  /** Ends the note where it has none. */
  readonly otherwise: string | ((facts: Facts) => string);
}

/** The facts of a setting beside its meaning. */
interface Statement {
  /** The value where a file omits it, as a file would write it. */
  readonly default?: unknown;
  /** The same as the record has it. */
  readonly filled?: unknown;
  /** Its name in the record, if that is another. */
  readonly as?: string | undefined;
  readonly effect?: Effect;
}

const STATEMENTS = z.registry<Statement>();

export function effectOf(schema: z.ZodType): Effect | undefined {
  return STATEMENTS.get(schema)?.effect;
}

/** A key of a mapping that a file may leave out. `"~says"` is there for types alone. */
export type Setting<T extends z.ZodType, S> = z.ZodOptional<T> & { readonly "~says": S };

type Name = string | undefined;

/**
 * @param says its meaning, in a sentence. @param usual its default, as a file would write it. @param as its name in the
 * record, if that is another.
 */
export function setting<T extends z.ZodType, const As extends Name = undefined>(
  type: T,
  says: string,
  usual: unknown,
  as?: As,
) {
  const schema = type.optional().describe(says);
  STATEMENTS.add(schema, { default: usual, filled: usual === undefined ? undefined : type.parse(usual), as });
  return schema as Setting<T, { readonly default: unknown; readonly as: As }>;
}

/** A setting without a default. @param usually what holds where a file omits it, in words. */
export function optional<T extends z.ZodType, const As extends Name = undefined>(
  type: T,
  says: string,
  usually?: string,
  as?: As,
) {
  const schema = type.optional().describe(usually === undefined ? says : `${says} Default: ${usually}.`);
  STATEMENTS.add(schema, { as });
  return schema as Setting<T, { readonly as: As }>;
}

/** A key of a mapping that a file must have, under another name in the record. */
export function needed<T extends z.ZodType, const As extends string>(type: T, says: string, as: As) {
  const schema = type.describe(says);
  STATEMENTS.add(schema, { as });
  return schema as T & { readonly "~says": { readonly as: As } };
}

/** A setting, or a form that a value may have, with the effect of all that it says. */
export function withEffect<T extends z.ZodType>(type: T, effect: Effect): T {
  const { label } = effect;
  const { description: says } = type;
  const isLabelled = label !== undefined && says !== undefined;
  const schema = isLabelled ? type.describe(`${label}: ${says.charAt(0).toLowerCase()}${says.slice(1)}`) : type;
  STATEMENTS.add(schema, { ...STATEMENTS.get(type), effect });
  return schema;
}

/** The JSON Schema (draft 7) of what a file may say. */
export function jsonSchemaOf(schema: z.ZodType): object {
  return z.toJSONSchema(schema, {
    io: "input",
    target: "draft-7",
    override: ({ zodSchema, jsonSchema }) => {
      const usual = STATEMENTS.get(zodSchema)?.default;
      // zod itself leaves out the defaults of values that it transforms.
      if (usual !== undefined) jsonSchema.default = usual;
    },
  });
}

type FieldOf<K, T> = T extends { readonly "~says": { readonly as: infer F extends string } } ? F : K;

type Inner<T> =
  T extends z.ZodOptional<infer I>
    ? Inner<I>
    : T extends z.ZodObject<infer S>
      ? RecordOf<S>
      : T extends z.ZodArray<infer E>
        ? readonly Inner<E>[]
        : T extends z.ZodUnion<infer Forms>
          ? Inner<Forms[number]>
          : T extends z.ZodPipe<infer Forms extends z.ZodUnion, z.ZodType>
            ? Extract<Inner<Forms>, object> | Extract<z.output<T>, string>
            : z.output<T>;

/** Keys that a file may leave out and that have no default. */
type Missing<S> = {
  [K in keyof S]: S[K] extends z.ZodOptional
    ? S[K] extends Setting<z.ZodType, { default: unknown }>
      ? never
      : K
    : never;
}[keyof S];

/** The values of a mapping, with its defaults, under the names of the record. */
type RecordOf<S> = {
  readonly [K in Exclude<keyof S, Missing<S>> as FieldOf<K, S[K]>]: Inner<S[K]>;
} & { readonly [K in Missing<S> as FieldOf<K, S[K]>]?: Inner<S[K]> };

/** The value of a setting in a file, or its default. */
export function filled<T extends z.ZodType>(
  schema: Setting<T, { readonly default: unknown }>,
  said: z.output<T> | undefined,
): z.output<T> {
  return said === undefined ? (STATEMENTS.get(schema)?.filled as z.output<T>) : said;
}

/** Fills in the defaults of a mapping and of all mappings in it. A key without value and default is left out. */
export function recordOf<S extends z.ZodRawShape>(mapping: z.ZodObject<S>, file: object = {}): RecordOf<S> {
  return recorded(mapping, file, (statement) => statement?.filled) as RecordOf<S>;
}

/** The values that a file gives, under the names of the record. */
export function givenOf<S extends z.ZodRawShape>(mapping: z.ZodObject<S>, file: object): Partial<RecordOf<S>> {
  return recorded(mapping, file, () => undefined) as Partial<RecordOf<S>>;
}

function recorded(
  schema: z.ZodType,
  value: unknown,
  usual: (statement: ReturnType<typeof STATEMENTS.get>) => unknown,
): unknown {
  const form = formOf(schema, value);
  if (form === undefined) return value;
  if (form instanceof z.ZodArray) {
    return (value as unknown[]).map((item) => recorded(form.element as z.ZodType, item, usual));
  }
  const said = new Map<string, unknown>(Object.entries(value as object));
  const fields = Object.entries(form.shape as Record<string, z.ZodType>).map(([key, inner]) => {
    const statement = STATEMENTS.get(inner);
    const stated = said.get(key);
    return [statement?.as ?? key, recorded(inner, stated === undefined ? usual(statement) : stated, usual)] as const;
  });
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}

/** The mapping or list that the value is, of all that it may be. */
export function formOf(schema: z.ZodType, value: unknown): z.ZodArray | z.ZodObject | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault)
    return formOf(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodPipe) return formOf(schema.in as z.ZodType, value);
  if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) {
      const form = formOf(option as z.ZodType, value);
      if (form !== undefined) return form;
    }
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? schema : undefined;
  return schema instanceof z.ZodObject && !Array.isArray(value) && isOfKind(schema, value) ? schema : undefined;
}

function isOfKind({ shape }: z.ZodObject, value: object): boolean {
  return Object.entries(value).every(([key, fieldValue]) => {
    const fieldSchema = shape[key] as z.ZodType | undefined;
    return !(fieldSchema instanceof z.ZodLiteral) || fieldSchema.values.has(fieldValue as string);
  });
}

// Settings that are rows of data in core: their keys in scenarios, and their names in files of the real system.

interface Sources {
  readonly property: Property;
  readonly element: XmlElement;
}

type Readers = { readonly [By in keyof Sources]: (source: Sources[By], findings: Findings) => unknown };

/** The notations of a type of value: in a scenario, and in a property and an element of the real system's files. */
export interface AnyForm {
  readonly scenario?: z.ZodType;
  /** The word of a scenario for the value -1. */
  readonly none?: string;
  readonly property?: unknown;
  readonly element?: unknown;
}

/** The same where those files are XML. */
export type Form = AnyForm & Partial<Readers>;

/** Rows of any platform. */
export type Table = Readonly<Record<string, Row<string | ValueType, unknown>>>;

type Unit = "BytesPerSecond" | "Bytes" | "Us";

type KeyOf<Field, Row> = Row extends { readonly key: infer Key extends string }
  ? Key
  : Field extends `${infer Name}${Unit}`
    ? Name
    : Field;

/** The key of a row in scenarios, where a unit stands in the value and not in the name. */
export function keyOf(
  field: string,
  { key = field.replace(/(BytesPerSecond|Bytes|Us)$/, "") }: { readonly key?: string },
): string {
  return key;
}

/** Keys of a scenario's mapping, with the fields of the record. */
type ShapeOf<Rows extends Table, F> = {
  [Field in keyof Rows as Rows[Field] extends { readonly says: string } ? KeyOf<Field, Rows[Field]> : never]: Setting<
    SchemaOf<Rows[Field]["type"], F>,
    { readonly as: Field } & StatedDefault<Rows[Field]>
  >;
};

type SchemaOf<Type, F> = Type extends ValueType
  ? z.ZodType<ValueOf<Type>>
  : Type extends keyof F
    ? F[Type] extends { readonly scenario: infer Schema extends z.ZodType }
      ? Schema
      : never
    : never;

type StatedDefault<Row> = Row extends
  { readonly property: unknown } | { readonly usually: unknown } | { readonly default: undefined }
  ? unknown
  : { readonly default: unknown };

/**
 * Returns the schema of the rows that have a key in scenarios. A row with a property has its default in words: a file
 * of the real system may say otherwise.
 * @param effects by the names that rows give. @param areStated defaults of all rows hold in scenarios by themselves.
 */
export function shapeOf<Rows extends Table, F extends Readonly<Record<string, AnyForm>>>(
  rows: Rows,
  forms: F,
  effects: Readonly<Record<string, Effect>> = {},
  areStated = false,
): ShapeOf<Rows, F> {
  const keys = Object.entries(rows).flatMap(([field, row]) => {
    const { type, says, property, usually, effect } = row;
    const { scenario, none }: AnyForm = typeof type === "string" ? forms[type] : formOfType(type);
    if (says === undefined || scenario === undefined) return [];
    const usual = usually ?? written(row, none);
    const isStated = areStated || (property === undefined && usually === undefined);
    const words = usual === undefined ? undefined : String(usual);
    const schema: z.ZodType = isStated ? setting(scenario, says, usual, field) : optional(scenario, says, words, field);
    return [[keyOf(field, row), effect === undefined ? schema : withEffect(schema, effects[effect])]];
  });
  return Object.fromEntries(keys) as ShapeOf<Rows, F>;
}

/** The notation of a type that stands in the row itself, with its bounds. */
function formOfType([kind, ...bounds]: ValueType): AnyForm {
  return { scenario: (values[kind] as (...bounds: readonly unknown[]) => z.ZodType)(...bounds) };
}

/** A default as a scenario writes it. Types of times have their unit in their name. */
function written({ type, default: value }: Table[string], none: string | undefined) {
  if (typeof type !== "string") return (value === Infinity ? type[1] : value) as string | undefined;
  if (value === -1) return none;
  return (type.endsWith("Us") && typeof value === "number" && value > 0 ? formatDuration(value) : value) as string;
}

/** The values that a mapping of a scenario gives, by field of the record. */
export function fieldsOf(rows: Table, file: object): Record<string, unknown> {
  const said = new Map<string, unknown>(Object.entries(file));
  return valuesOf(rows, (field, row) => (row.says === undefined ? undefined : said.get(keyOf(field, row))));
}

/** The values of a record that are given, in the order of the rows. */
export function inOrder<Rows extends Table, Values extends object>(
  rows: Rows,
  record: Values,
): Given<Pick<Values, keyof Rows & keyof Values>> {
  const said = new Map<string, unknown>(Object.entries(record));
  return valuesOf(rows, (field) => said.get(field)) as Given<Pick<Values, keyof Rows & keyof Values>>;
}

type Given<Values> = { [Field in keyof Values]?: Exclude<Values[Field], undefined> };

function valuesOf(rows: Table, valueOf: (field: string, row: Table[string]) => unknown): Record<string, unknown> {
  const fields = Object.entries(rows).map(([field, row]) => [field, valueOf(field, row)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Sets a field of a record to what a file of the real system says. */
export interface NamedReader<Source> {
  readonly means: string;
  readonly read: (record: object, source: Source, findings: Findings) => void;
}

/** The rows by their names in files of properties or of XML. */
export function readersOf<By extends keyof Sources>(
  rows: Table,
  forms: Readonly<Record<string, Form>>,
  by: By,
): Map<string, NamedReader<Sources[By]>> {
  const readers = Object.entries(rows).flatMap(([field, row]) => {
    const valueOf: Partial<Readers>[By] = forms[row.type as string][by];
    const read = (record: object, source: Sources[By], findings: Findings) => {
      const value = valueOf?.(source, findings);
      if (value !== undefined) Object.assign(record, { [field]: value });
    };
    return [row[by] ?? []].flat().map((name) => [name, { means: row.means ?? "", read }] as const);
  });
  return new Map(readers);
}
