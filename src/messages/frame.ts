import { assert } from "../core/kernel/index.js";

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

/** Reads what `pushLong` wrote at `index`. */
export function longAt(words: Int32Array, index: number): number {
  return (words[index] >>> 0) + words[index + 1] * 4294967296;
}

/** Raised when the format of a frame changes: both sides must be of one build. */
export const FRAME_VERSION = 6;
/** Racks to master: what nodes reported on the heartbeats of one slice. */
export const REPORTS = 1;
/** Master to racks: what the replies to the heartbeats of one slice command. */
export const COMMANDS = 2;
/**
 * The envelope as it is written: an array of four, two small numbers, a 64-bit float, and binary with a 32-bit length.
 */
const ARRAY_OF_4 = 0x94;
const FLOAT_64 = 0xcb;
const BINARY_32 = 0xc6;
const SLICE_AT = 4;
const LENGTH_AT = 13;
const BODY_AT = 17;

/**
 * Frames are MessagePack arrays `[version, kind, slice, body]`, the body packed words as binary. One codec belongs to
 * one side of one channel; what `encode` returns is valid until its next call, what `decode` leaves in `words` too.
 * Frames pass between threads of one build and never leave the machine, so nothing in them is checked but their kind.
 *
 * The envelope is written and read here: msgpackr's took 40 % of the time of a rack thread that has one rack.
 */
export class FrameCodec {
  /** Body of the frame decoded last; `length` of its words count. */
  words = new Int32Array(256);
  length = 0;
  slice = 0;
  private bytes = new Uint8Array(this.words.buffer);
  private encoded = new Uint8Array(0);
  private envelope = new DataView(this.encoded.buffer);

  encode(kind: number, slice: number, body: Uint8Array): Uint8Array {
    const length = BODY_AT + body.length;
    if (this.encoded.length < length) {
      this.encoded = new Uint8Array(2 * length);
      this.encoded[0] = ARRAY_OF_4;
      this.encoded[1] = FRAME_VERSION;
      this.encoded[SLICE_AT - 1] = FLOAT_64;
      this.encoded[LENGTH_AT - 1] = BINARY_32;
      this.envelope = new DataView(this.encoded.buffer);
    }
    this.encoded[2] = kind;
    this.envelope.setFloat64(SLICE_AT, slice);
    this.envelope.setUint32(LENGTH_AT, body.length);
    this.encoded.set(body, BODY_AT);
    return this.encoded.subarray(0, length);
  }

  /** Decodes a frame of the kind. */
  decode(frame: Uint8Array, kind: number): void {
    assert(frame[1] === FRAME_VERSION && frame[2] === kind, "a frame of another kind");
    this.slice = new DataView(frame.buffer, frame.byteOffset).getFloat64(SLICE_AT);
    const body = frame.subarray(BODY_AT);
    this.length = body.length >> 2;
    if (this.words.length < this.length) {
      this.words = new Int32Array(2 * this.length);
      this.bytes = new Uint8Array(this.words.buffer);
    }
    this.bytes.set(body);
  }
}
