import * as z from "zod";

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
