/** A setting as plain data: its field of a record, and its names in scenarios and configuration files. */
export interface Row<Type, Value> {
  /** The name of a type of values. How a scenario, a property and an element write such a value is stated in `io`. */
  readonly type: Type;
  /** The value of the real system where nothing is set. Absent: something else decides. */
  readonly default?: Value;
  /** The sentence of the scenario's reference. Absent: scenarios do not have the setting. */
  readonly says?: string;
  /** Its key in scenarios. Absent: the field's name, of times without its unit. */
  readonly key?: string;
  /** The default in words, where it depends on something else. */
  readonly usually?: string;
  /** Its properties in configuration files of the real system; the last one of a file counts. */
  readonly property?: string | readonly string[];
  /** The meaning of the property, for explanations of such files. */
  readonly means?: string;
  /** Its elements in XML of the real system. */
  readonly element?: string | readonly string[];
}

/** Rows by field of the record. `Types`: the value of each type. */
export type Rows<Types> = Readonly<Record<string, { [Type in keyof Types]: Row<Type, Types[Type]> }[keyof Types]>>;

/** The record that rows describe. */
export type RecordOf<Table extends Readonly<Record<string, { readonly type: keyof Types }>>, Types> = {
  readonly [Field in keyof Table]: Types[Table[Field]["type"]];
};
