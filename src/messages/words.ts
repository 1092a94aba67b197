import { FrameError } from "./frame.js";

/**
 * The packed body of a frame: 32-bit words in the machine's byte order (frames never leave the machine). Growable and
 * reused from frame to frame.
 */
export class WordWriter {
  words = new Int32Array(256);
  length = 0;

  /** Makes room for `count` more words; then write to `words[length++]`. */
  reserve(count: number): void {
    if (this.length + count <= this.words.length) return;
    const wider = new Int32Array(Math.max(this.words.length * 2, this.length + count));
    wider.set(this.words);
    this.words = wider;
  }

  /** A whole number from 0 to 2^53 as two words, low first. */
  pushLong(value: number): void {
    this.words[this.length++] = value | 0;
    this.words[this.length++] = Math.floor(value / 4294967296);
  }

  /** The bytes written so far: a view, valid until the next write. */
  bytes(): Uint8Array {
    return new Uint8Array(this.words.buffer, 0, this.length * 4);
  }
}

const LARGEST = 2 ** 53;

/** Reads what `pushLong` wrote at `index`; throws FrameError on what it cannot have written. */
export function longAt(words: Int32Array, index: number): number {
  const value = (words[index] >>> 0) + words[index + 1] * 4294967296;
  if (!(value >= 0 && value <= LARGEST)) throw new FrameError(`found ${value} where a time belongs`);
  return value;
}
