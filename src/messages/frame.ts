import { Packr } from "msgpackr/pack";

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

// Not the package as a whole: that also loads streams and a native library for long texts, and no frame has any.

/** Raised when the format of a frame changes: both sides must be of one build. */
export const FRAME_VERSION = 6;
/** Racks to master: what nodes reported on the heartbeats of one slice. */
export const REPORTS = 1;
/** Master to racks: what the replies to the heartbeats of one slice command. */
export const COMMANDS = 2;
const LARGEST_SLICE = 2 ** 48;

/** A frame that is not what the protocol allows: a fault of ours or a version mix, never a user's doing. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

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
 *
 * The envelope is written and read here: msgpackr's took 40 % of the time of a rack thread that has one rack. It reads
 * what is enveloped otherwise, to say what is wrong with it.
 */
export class FrameCodec {
  /** Body of the frame decoded last; `length` of its words count. */
  words = new Int32Array(256);
  length = 0;
  slice = 0;
  private bytes = new Uint8Array(this.words.buffer);
  private readonly packr = new Packr({ useRecords: false });
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

  /** Takes a frame apart; throws FrameError when it is not a frame of that kind. */
  decode(frame: Uint8Array, kind: number): void {
    const { buffer, byteOffset, length } = frame;
    const isOurs = length >= BODY_AT && frame[0] === ARRAY_OF_4 && frame[1] === FRAME_VERSION && frame[2] === kind;
    if (isOurs && frame[SLICE_AT - 1] === FLOAT_64 && frame[LENGTH_AT - 1] === BINARY_32) {
      const view = new DataView(buffer, byteOffset, BODY_AT);
      const isWhole = view.getUint32(LENGTH_AT) === length - BODY_AT && (length - BODY_AT) % 4 === 0;
      const slice = view.getFloat64(SLICE_AT);
      if (isWhole && isSlice(slice)) return this.keep(slice, frame.subarray(BODY_AT));
    }
    this.decodeOther(frame, kind);
  }

  private decodeOther(frame: Uint8Array, kind: number): void {
    const fields: unknown = this.unpack(frame);
    if (!Array.isArray(fields) || fields.length !== 4) throw new FrameError("found no array of 4 fields");
    const [version, foundKind, slice, body] = fields as unknown[];
    if (version !== FRAME_VERSION) {
      throw new FrameError(`found version ${show(version)}, allowed is ${FRAME_VERSION}`);
    }
    if (foundKind !== kind) throw new FrameError(`found kind ${show(foundKind)}, allowed is ${kind}`);
    if (typeof slice !== "number" || !isSlice(slice)) {
      throw new FrameError(`found slice ${show(slice)}, allowed is a whole number from 0 to 2^48`);
    }
    if (!(body instanceof Uint8Array) || body.length % 4 !== 0) {
      throw new FrameError("found a body that is not binary in whole words");
    }
    this.keep(slice, body);
  }

  private keep(slice: number, body: Uint8Array): void {
    this.slice = slice;
    this.length = body.length >> 2;
    if (this.words.length < this.length) {
      this.words = new Int32Array(2 * this.length);
      this.bytes = new Uint8Array(this.words.buffer);
    }
    this.bytes.set(body);
  }

  private unpack(frame: Uint8Array): unknown {
    try {
      return this.packr.unpack(frame) as unknown;
    } catch (cause) {
      // The library's own message repeats what it found, whatever that is.
      throw new FrameError("found bytes that are no MessagePack value", { cause });
    }
  }
}

function isSlice(slice: number): boolean {
  return Number.isInteger(slice) && slice >= 0 && slice <= LARGEST_SLICE;
}

/** A decoded field in words; never calls what the field may carry. */
function show(field: unknown): string {
  return typeof field === "number" ? String(field) : `of type ${typeof field}`;
}
