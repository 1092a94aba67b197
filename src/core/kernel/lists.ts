const EMPTY: readonly never[] = [];

/** A list of values by key, in the order in which they were added. A key without values is not there. */
export class Lists<V> extends Map<number, V[]> {
  /** The values of the key; valid until one is added. */
  of(key: number): readonly V[] {
    return this.get(key) ?? EMPTY;
  }

  add(key: number, value: V): void {
    const list = this.get(key);
    if (list === undefined) this.set(key, [value]);
    else list.push(value);
  }

  /** Removes a value once, if it is there; who goes through the list sees no change. True: the key has none now. */
  remove(key: number, value: V): boolean {
    const list = this.of(key);
    const place = list.indexOf(value);
    const remaining = list.filter((_, i) => i !== place);
    if (remaining.length > 0) this.set(key, remaining);
    else this.delete(key);
    return remaining.length === 0;
  }
}
