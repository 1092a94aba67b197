// Small collections: sets of small integers, a bit each, so that 32 of them are looked at in one go; lists by key; sums
// and extremes; orders and names; records without gaps.

/** Room for numbers below `size`, none of which is in the set. */
export function bitsFor(size: number): Int32Array {
  return new Int32Array((size + 31) >> 5);
}

export function hasBit(bits: Int32Array, member: number): boolean {
  return ((bits[member >> 5] >>> (member & 31)) & 1) !== 0;
}

export function setBit(bits: Int32Array, member: number): void {
  bits[member >> 5] |= 1 << (member & 31);
}

export function clearBit(bits: Int32Array, member: number): void {
  bits[member >> 5] &= ~(1 << (member & 31));
}

const EMPTY: readonly never[] = [];

/** A list of values by key, in the order in which they were added. A key without values is not there. */
export class Lists<V, K = number> extends Map<K, V[]> {
  /** The values of the key; valid until one is added. */
  of(key: K): readonly V[] {
    return this.get(key) ?? EMPTY;
  }

  add(key: K, value: V): void {
    const list = this.get(key);
    if (list === undefined) this.set(key, [value]);
    else list.push(value);
  }

  /** Removes a value once, if it is there; who goes through the list sees no change. True: the key has none now. */
  remove(key: K, value: V): boolean {
    const list = this.of(key);
    const place = list.indexOf(value);
    const remaining = list.filter((_, i) => i !== place);
    if (remaining.length > 0) this.set(key, remaining);
    else this.delete(key);
    return remaining.length === 0;
  }
}

/** Sums a number of each item, in their order. */
export function sumOver(numbers: ArrayLike<number>): number;
export function sumOver<T>(items: ArrayLike<T>, valueOf: (item: T, index: number) => number): number;
export function sumOver<T>(items: ArrayLike<T>, valueOf: (item: T, index: number) => number = Number): number {
  let sum = 0;
  for (let index = 0; index < items.length; index++) sum += valueOf(items[index], index);
  return sum;
}

/** Returns the largest number of an item, or `least` if that is larger. */
export function maxOver<T>(
  items: ArrayLike<T>,
  valueOf: (item: T, index: number) => number,
  least = -Infinity,
): number {
  let max = least;
  for (let index = 0; index < items.length; index++) max = Math.max(max, valueOf(items[index], index));
  return max;
}

/** Returns the smallest number of an item, or `limit` if that is smaller. */
export function minOver<T>(items: ArrayLike<T>, valueOf: (item: T, index: number) => number, limit = Infinity): number {
  return -maxOver(items, (item, index) => -valueOf(item, index), -limit);
}

/** Adds to the number of a key, which is 0 where there is none. */
export function tally<K>(numbers: Map<K, number>, key: K, more = 1): void {
  numbers.set(key, (numbers.get(key) ?? 0) + more);
}

/** The order of numbers, for `sort`. */
export function ascending(a: number, b: number): number {
  return a - b;
}

/** Returns the keys of things that have keys, in their order. */
export function keysOf<Key extends string>(keyed: readonly { readonly key: Key }[]): Key[] {
  return keyed.map(({ key }) => key);
}

/** Returns the titles of things that have titles, in their order. */
export function titlesOf(titled: readonly { readonly title: string }[]): string[] {
  return titled.map(({ title }) => title);
}

/** The order of texts that differ, by their characters' numbers, for `sort`. */
export function alphabetical(a: string, b: string): number {
  return a < b ? -1 : 1;
}

export function namesOf<Name extends string>(named: readonly { readonly name: Name }[]): Name[] {
  return named.map(({ name }) => name);
}

export function labelsOf(labelled: readonly { readonly label: string }[]): string[] {
  return labelled.map(({ label }) => label);
}

/** Returns the fields that are not undefined. */
export function definedFields<T extends object>(fields: T): { readonly [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
