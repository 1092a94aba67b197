/** A setting as plain data: its field of a record, and its names in scenarios and configuration files. */
export interface Row<Type, Value> {
  /** The name of a type of values. How a scenario, a property and an element write such a value is stated in `io`. */
  readonly type: Type;
  /** The value of the real system where nothing is set. Absent: something else decides. */
  readonly default?: Value | undefined;
  /** The sentence of the scenario's reference. Absent: scenarios do not have the setting. */
  readonly says?: string;
  /** Its key in scenarios. Absent: the field's name without its unit. */
  readonly key?: string;
  /** The default in words, where it depends on something else. */
  readonly usually?: string;
  /** Its properties in configuration files of the real system; the last one of a file counts. */
  readonly property?: string | readonly string[];
  /** The meaning of the property, for explanations of such files. */
  readonly means?: string;
  /** Its elements in XML of the real system. */
  readonly element?: string | readonly string[];
  /** The name of the condition under which it has an effect. Absent: it always has. */
  readonly effect?: string;
}

/** Rows by field of the record. `Types`: the value of each type. */
export type Rows<Types> = Readonly<Record<string, { [Type in keyof Types]: Row<Type, Types[Type]> }[keyof Types]>>;

/** The record that rows describe. */
export type RecordOf<Table extends Readonly<Record<string, { readonly type: keyof Types }>>, Types> = {
  readonly [Field in keyof Table]: Types[Table[Field]["type"]];
};

/** A type of values as data: a kind of `io/scenario/values.ts`, and its bounds or words. */
export type ValueType =
  | readonly ["count" | "quantity" | "duration" | "size", least: number, most: number]
  | readonly ["countOr" | "quantityOr", word: string, least: number, most: number]
  | readonly ["choice", words: readonly string[]]
  | readonly ["flag"];

/** The value of a type. */
export type ValueOf<Type> = Type extends readonly ["flag"]
  ? boolean
  : Type extends readonly ["choice", readonly (infer Word)[]]
    ? Word
    : Type extends readonly ["quantityOr", ...unknown[]]
      ? number | null
      : number;

/**
 * Returns the row of a setting that only scenarios have. @param usual its default, as a file would write it; Infinity:
 * the word of its type. Undefined: something else decides.
 */
export function scenarioRow<
  const Type extends ValueType,
  const Value extends string | number | boolean | undefined,
  const More extends Partial<Row<unknown, unknown>> = object,
>(type: Type, says: string, usual: Value, more?: More) {
  return { type, says, default: usual, ...(more as More) };
}

/** The record of such settings. */
export type SettingsOf<Table extends Readonly<Record<string, { readonly type: ValueType }>>> = {
  readonly [Field in keyof Table]: ValueOf<Table[Field]["type"]>;
};
