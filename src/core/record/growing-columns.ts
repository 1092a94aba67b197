/** Numeric columns of one table that grows row by row. */
export class GrowingColumns<Name extends string> {
  rows = 0;
  private capacity = 256;
  /** In the order of the names. */
  private readonly columns: Float64Array[];

  constructor(readonly names: readonly Name[]) {
    this.columns = names.map(() => new Float64Array(this.capacity));
  }

  /** Appends a row: one value per name, in the order of the names. */
  append(...values: number[]): void {
    this.appendAll(values);
  }

  /** The same with values that lie in an array, of which there may be more. */
  appendAll(values: ArrayLike<number>): void {
    if (this.rows === this.capacity) this.grow();
    const { columns } = this;
    for (let i = 0; i < columns.length; i++) columns[i][this.rows] = values[i];
    this.rows++;
  }

  /** The column without its spare room. */
  column(name: Name): Float64Array {
    return this.columns[this.names.indexOf(name)].subarray(0, this.rows);
  }

  private grow(): void {
    this.capacity *= 2;
    for (let i = 0; i < this.columns.length; i++) {
      const wider = new Float64Array(this.capacity);
      wider.set(this.columns[i]);
      this.columns[i] = wider;
    }
  }
}
