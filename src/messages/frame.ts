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
export const FRAME_VERSION = 5;
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
 * Frames are MessagePack arrays `[version, kind, slice, body]`, the body packed words as binary. One codec belongs to
 * one side of one channel; what `encode` returns is valid until its next call, what `decode` leaves in `words` too.
 */
export class FrameCodec {
  /** Body of the frame decoded last; `length` of its words count. */
  words = new Int32Array(256);
  length = 0;
  slice = 0;
  private bytes = new Uint8Array(this.words.buffer);
  private readonly packr = new Packr({ useRecords: false });

  encode(kind: number, slice: number, body: Uint8Array): Uint8Array {
    // msgpackr types its result as a Node Buffer, a name that this room does not know.
    return this.packr.pack([FRAME_VERSION, kind, slice, body]) as Uint8Array;
  }

  /** Takes a frame apart; throws FrameError when it is not a frame of that kind. */
  decode(frame: Uint8Array, kind: number): void {
    const fields: unknown = this.unpack(frame);
    if (!Array.isArray(fields) || fields.length !== 4) throw new FrameError("found no array of 4 fields");
    const [version, foundKind, slice, body] = fields as unknown[];
    if (version !== FRAME_VERSION) {
      throw new FrameError(`found version ${show(version)}, allowed is ${FRAME_VERSION}`);
    }
    if (foundKind !== kind) throw new FrameError(`found kind ${show(foundKind)}, allowed is ${kind}`);
    if (typeof slice !== "number" || !Number.isInteger(slice) || slice < 0 || slice > LARGEST_SLICE) {
      throw new FrameError(`found slice ${show(slice)}, allowed is a whole number from 0 to 2^48`);
    }
    if (!(body instanceof Uint8Array) || body.length % 4 !== 0) {
      throw new FrameError("found a body that is not binary in whole words");
    }
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

/** A decoded field in words; never calls what the field may carry. */
function show(field: unknown): string {
  return typeof field === "number" ? String(field) : `of type ${typeof field}`;
}
