/** Where something stands in a text. Both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where the characters of a text stand. Lines end in LF, CRLF or CR, as XML has it. */
export class Places {
  private readonly starts: number[] = [0];

  constructor(text: string) {
    for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) this.starts.push(index + end.length);
  }

  /** The place of the character at `offset`; one past the end is allowed. */
  at(offset: number): Place {
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - this.starts[low] + 1 };
  }
}
