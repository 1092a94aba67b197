import { widenedTo } from "../kernel/index.js";

type Numbers = Int32Array | Uint8Array | Float64Array;
type Kind = Int32ArrayConstructor | Uint8ArrayConstructor | Float64ArrayConstructor;
type Schema = Readonly<Record<string, Kind | readonly Kind[]>>;

/** The columns of a table as its schema names them, and its rows. */
export type ColumnsOf<S extends Schema> = {
  readonly [Name in keyof S]: S[Name] extends Kind ? ColumnOf<S[Name]> : readonly ColumnOf<ElementOf<S[Name]>>[];
} & { readonly rows: number };
type ColumnOf<K> = K extends Int32ArrayConstructor
  ? Int32Array
  : K extends Uint8ArrayConstructor
    ? Uint8Array
    : Float64Array;
type ElementOf<List> = List extends readonly (infer Element extends Kind)[] ? Element : never;

/** Numeric columns of one table that grows row by row. A name may stand for several columns of a kind. */
export class GrowingColumns<S extends Schema> {
  rows = 0;
  private capacity = 256;
  private readonly flat: Numbers[];

  /** @param schema in the order of the values of a row. */
  constructor(private readonly schema: S) {
    this.flat = Object.values(schema)
      .flat()
      .map((kind: Kind) => new kind(this.capacity));
  }

  /** Appends a row: one value per column, in their order. */
  append(...values: number[]): void {
    this.appendAll(values);
  }

  /** The same with values that lie in an array, of which there may be more. */
  appendAll(values: ArrayLike<number>): void {
    if (this.rows === this.capacity) this.grow();
    const { flat } = this;
    for (let i = 0; i < flat.length; i++) flat[i][this.rows] = values[i];
    this.rows++;
  }

  /** The columns without their spare room. */
  columns(): ColumnsOf<S> {
    let place = 0;
    const next = (): Numbers => this.flat[place++].subarray(0, this.rows);
    const columns = Object.entries(this.schema).map(([name, kinds]) => {
      return [name, Array.isArray(kinds) ? kinds.map(next) : next()];
    });
    return { rows: this.rows, ...Object.fromEntries(columns) } as ColumnsOf<S>;
  }

  column<Name extends keyof S>(name: Name): ColumnsOf<S>[Name] {
    return this.columns()[name];
  }

  /** Appends the rows of another table. */
  appendTable({ flat, rows }: GrowingColumns<S>): void {
    for (let row = 0; row < rows; row++) this.appendAll(flat.map((column) => column[row]));
  }

  private grow(): void {
    this.capacity *= 2;
    for (let i = 0; i < this.flat.length; i++) this.flat[i] = widenedTo(this.flat[i], this.capacity, 0);
  }
}
