import type * as z from "zod";
import type { Row, ValueOf, ValueType } from "../../core/scenario/index.js";
import type { Findings } from "../allocations/elements.js";
import type { XmlElement } from "../allocations/xml.js";
import type { Property } from "../capacity/properties.js";
import { type Effect, optional, type Setting, setting, withEffect } from "./setting.js";
import { formatDuration } from "./units.js";
import * as values from "./values.js";

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
function keyOf(field: string, { key = field.replace(/(BytesPerSecond|Bytes|Us)$/, "") }: { readonly key?: string }) {
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
    const { scenario, none }: AnyForm = typeof type === "string" ? forms[type] : formOf(type);
    if (says === undefined || scenario === undefined) return [];
    const usual = usually ?? written(row, none);
    const isStated = areStated || (property === undefined && usually === undefined);
    const words = usual === undefined ? undefined : String(usual);
    const schema: z.ZodType = isStated ? setting(scenario, says, usual, field) : optional(scenario, says, words, field);
    return [[keyOf(field, row), effect === undefined ? schema : withEffect(schema, effects[effect])]];
  });
  return Object.fromEntries(keys) as ShapeOf<Rows, F>;
}

function formOf([kind, ...bounds]: ValueType): AnyForm {
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
