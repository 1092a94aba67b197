/**
 * The same numbers in an array of twice the length; zeros follow.
 *
 * V8 compiles code on the assumption that a field which was set only once never changes, and throws that code away when
 * it does. So a table of the hot path that may grow does so once when it is made, while nothing is compiled. Otherwise
 * the next job at once makes V8 compile 76 functions anew.
 */
export function widened<A extends Int32Array | Int8Array | Uint8Array | Float64Array>(array: A): A {
  const wider = new (array.constructor as new (n: number) => A)(array.length * 2);
  wider.set(array);
  return wider;
}

/**
 * Tables by job have room for twice as many from the start, once they have grown as `widened` says: few runs have more
 * jobs at once, and code that never ran, as that which makes room, is thrown away with all that is around it when it
 * first does.
 */
export const JOBS_AT_FIRST = 128;

/**
 * Int32 memory handed out in regions of a power of two, recycled by size. `words` is replaced when it grows: read it
 * afresh after every `allocate`.
 */
export class IntArena {
  words: Int32Array;
  private used = 0;
  private readonly free: number[][] = [];

  constructor(initialWords = 1 << 14) {
    this.words = new Int32Array(initialWords);
  }

  /** Returns the start of a region of at least `size` words, which still has its old contents. */
  allocate(size: number): number {
    const order = orderOf(size);
    const recycled = this.free[order]?.pop();
    if (recycled !== undefined) return recycled;
    const start = this.used;
    this.used += 1 << order;
    if (this.used > this.words.length) {
      const grown = new Int32Array(Math.max(this.words.length * 2, this.used));
      grown.set(this.words);
      this.words = grown;
    }
    return start;
  }

  /** Gives a region back; `size` as it was requested. */
  release(start: number, size: number): void {
    const order = orderOf(size);
    (this.free[order] ??= []).push(start);
  }
}

function orderOf(size: number): number {
  return size <= 1 ? 0 : 32 - Math.clz32(size - 1);
}

const FIRST_ROOM = 64;
export const ints = (): Int32Array => new Int32Array(FIRST_ROOM);
export const bytes = (): Uint8Array => new Uint8Array(FIRST_ROOM);
export const floats = (): Float64Array => new Float64Array(FIRST_ROOM);

/**
 * A table of columns of equal length. The columns are the typed arrays among the fields of the subclass (`ints`,
 * `bytes` and `floats` make them), and those in lists among its fields.
 */
export abstract class Columns {
  private room = FIRST_ROOM;

  /** Makes room for rows below `rows` in all columns. New rows are 0. */
  protected makeRoom(rows: number): void {
    if (rows <= this.room) return;
    this.room = Math.max(rows, 2 * this.room);
    for (const columns of [this, ...Object.values(this).filter((field) => Array.isArray(field))] as object[]) {
      for (const [name, column] of columnsOf(columns)) {
        Object.assign(columns, { [name]: widenedTo(column, this.room, 0) });
      }
    }
  }
}

/** The typed arrays among the fields of an object, by name. */
export function columnsOf(table: object): [string, Int32Array][] {
  return Object.entries(table).filter((field): field is [string, Int32Array] => ArrayBuffer.isView(field[1]));
}

/** The same numbers in a longer array, the rest filled. */
export function widenedTo<A extends Int32Array | Float64Array | Uint8Array>(array: A, length: number, fill: number): A {
  const wider = new (array.constructor as new (n: number) => A)(length);
  wider.fill(fill);
  wider.set(array);
  return wider;
}
