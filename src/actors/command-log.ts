const FIRST_BYTES = 1 << 14;
const CHUNK_BYTES = 1 << 20;
/** Before each frame: the slice in which it was sent, and its length. */
const HEADER_WORDS = 2;

/** A log as another thread may read it: chunks of shared memory, and how many bytes of each are written. */
export interface LoggedCommands {
  readonly chunks: readonly SharedArrayBuffer[];
  readonly written: readonly number[];
}

/**
 * Every frame of commands that a host was sent, in order: all that must be kept of a rack to have it again. Grows by
 * chunks of shared memory, so that a thread can be given it without a copy; frames are copied in.
 */
export class CommandLog {
  private readonly chunks: SharedArrayBuffer[] = [];
  private readonly written: number[] = [];
  private words: Int32Array<ArrayBufferLike> = new Int32Array(0);
  private at = 0;
  private payload = 0;

  /** Bytes of the frames that were added. */
  get bytes(): number {
    return this.payload;
  }

  /** Adds the frame that is sent in a slice, after those sent before. */
  add(frame: Uint8Array, slice: number): void {
    const needWords = HEADER_WORDS + ((frame.length + 3) >> 2);
    if (this.at + needWords > this.words.length) this.grow(4 * needWords);
    this.words[this.at] = slice;
    this.words[this.at + 1] = frame.length;
    new Uint8Array(this.words.buffer, 4 * (this.at + HEADER_WORDS), frame.length).set(frame);
    this.at += needWords;
    this.written[this.written.length - 1] = 4 * this.at;
    this.payload += frame.length;
  }

  /** What was added so far; what is added later does not show in it. */
  logged(): LoggedCommands {
    return { chunks: [...this.chunks], written: [...this.written] };
  }

  private grow(needBytes: number): void {
    const next = this.words.length === 0 ? FIRST_BYTES : Math.min(CHUNK_BYTES, 8 * this.words.length);
    const chunk = new SharedArrayBuffer(Math.max(next, needBytes));
    this.chunks.push(chunk);
    this.written.push(0);
    this.words = new Int32Array(chunk);
    this.at = 0;
  }
}

/** Calls `take` with each frame of a log and the slice in which it was sent, in order, as long as that returns true. */
export function readLog(
  { chunks, written }: LoggedCommands,
  take: (frame: Uint8Array, slice: number) => boolean,
): void {
  for (const [index, chunk] of chunks.entries()) {
    const words = new Int32Array(chunk, 0, written[index] / 4);
    for (let at = 0; at < words.length; at += HEADER_WORDS + ((words[at + 1] + 3) >> 2)) {
      if (!take(new Uint8Array(chunk, 4 * (at + HEADER_WORDS), words[at + 1]), words[at])) return;
    }
  }
}
