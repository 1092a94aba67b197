/** Numeric columns of one table that grows row by row. */
export class GrowingColumns<Name extends string> {
  rows = 0;
  private capacity = 256;
  private readonly columns = new Map<Name, Float64Array>();

  constructor(readonly names: readonly Name[]) {
    for (const name of names) this.columns.set(name, new Float64Array(this.capacity));
  }

  /** Appends a row: one value per name, in the order of the names. */
  append(...values: number[]): void {
    if (this.rows === this.capacity) this.grow();
    this.names.forEach((name, i) => {
      this.of(name)[this.rows] = values[i];
    });
    this.rows++;
  }

  /** The column without its spare room. */
  column(name: Name): Float64Array {
    return this.of(name).subarray(0, this.rows);
  }

  private of(name: Name): Float64Array {
    return this.columns.get(name) as Float64Array;
  }

  private grow(): void {
    this.capacity *= 2;
    for (const name of this.names) {
      const wider = new Float64Array(this.capacity);
      wider.set(this.of(name));
      this.columns.set(name, wider);
    }
  }
}
