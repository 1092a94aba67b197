import type * as z from "zod";
import type { Row } from "../../core/scenario/index.js";
import type { Findings } from "../allocations/elements.js";
import type { XmlElement } from "../allocations/xml.js";
import type { Property } from "../capacity/properties.js";
import { optional, setting } from "./setting.js";

// Settings that are rows of data in core: their keys in scenarios, and their names in files of the real system.

interface Sources {
  readonly property: Property;
  readonly element: XmlElement;
}

type Readers = { readonly [By in keyof Sources]: (source: Sources[By], findings: Findings) => unknown };

/** The notations of a type of value: in a scenario, in a property and in an element of XML. */
export interface Form extends Partial<Readers> {
  readonly scenario?: z.ZodType;
  /** The word of a scenario for the value -1. */
  readonly none?: string;
}

type Forms = Readonly<Record<string, Form>>;

/** Rows of any platform. */
export type Table = Readonly<Record<string, Row<string, unknown>>>;

type KeyOf<Field, Row> = Row extends { readonly key: infer Key extends string } ? Key : Field;

/** Keys of a scenario's mapping. */
type ShapeOf<Rows extends Table, F> = {
  [
    Field in keyof Rows as Rows[Field] extends { readonly says: string } ? KeyOf<Field, Rows[Field]> : never
  ]: Rows[Field]["type"] extends keyof F
    ? F[Rows[Field]["type"]] extends { readonly scenario: infer Schema extends z.ZodType }
      ? z.ZodOptional<Schema>
      : never
    : never;
};

/** Returns the schema of the rows that have a key in scenarios. A row with a property has its default in words. */
export function shapeOf<Rows extends Table, F extends Forms>(rows: Rows, forms: F): ShapeOf<Rows, F> {
  const keys = Object.entries(rows).flatMap(([field, { type, key = field, says, property, ...row }]) => {
    const { scenario, none } = forms[type];
    if (says === undefined || scenario === undefined) return [];
    const words = row.default === -1 ? none : String(row.default);
    const usually = row.usually ?? (property === undefined ? undefined : words);
    const isStated = usually === undefined;
    return [[key, isStated ? setting(scenario, says, row.default) : optional(scenario, says, usually)]];
  });
  return Object.fromEntries(keys) as ShapeOf<Rows, F>;
}

/** The values that a mapping of a scenario gives, by field of the record. */
export function fieldsOf(rows: Table, file: object): Record<string, unknown> {
  const values = new Map<string, unknown>(Object.entries(file));
  return valuesOf(rows, (field, { key = field, says }) => (says === undefined ? undefined : values.get(key)));
}

/** The values of a record that are given, in the order of the rows. */
export function inOrder<Rows extends Table, Values extends object>(
  rows: Rows,
  record: Values,
): Given<Pick<Values, keyof Rows & keyof Values>> {
  const values = new Map<string, unknown>(Object.entries(record));
  return valuesOf(rows, (field) => values.get(field)) as Given<Pick<Values, keyof Rows & keyof Values>>;
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
  forms: Forms,
  by: By,
): Map<string, NamedReader<Sources[By]>> {
  const readers = Object.entries(rows).flatMap(([field, row]) => {
    const valueOf: Partial<Readers>[By] = forms[row.type][by];
    const read = (record: object, source: Sources[By], findings: Findings) => {
      const value = valueOf?.(source, findings);
      if (value !== undefined) Object.assign(record, { [field]: value });
    };
    return [row[by] ?? []].flat().map((name) => [name, { means: row.means ?? "", read }] as const);
  });
  return new Map(readers);
}
