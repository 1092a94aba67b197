import fc from "fast-check";
import { Packr, unpack } from "msgpackr";
import { describe, expect, it } from "vitest";
import {
  COMMANDS,
  FRAME_VERSION,
  FrameCodec,
  FrameError,
  longAt,
  REPORTS,
  WordWriter,
} from "../../../dist/messages/index.js";

const codec = new FrameCodec();
const slices = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 2 ** 48 }));
const bodies = fc
  .array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 80 })
  .map((list) => Int32Array.from(list));
const bytesOf = (words: Int32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

/** Decodes; true for a frame, false for FrameError; anything else is thrown on. */
function isFrame(bytes: Uint8Array, kind = REPORTS): boolean {
  try {
    codec.decode(bytes, kind);
    return true;
  } catch (error) {
    if (error instanceof FrameError) return false;
    throw error;
  }
}

describe("frames", () => {
  it("never come back different", () => {
    fc.assert(
      fc.property(fc.constantFrom(REPORTS, COMMANDS), slices, bodies, (kind, slice, words) => {
        const frame = codec.encode(kind, slice, bytesOf(words));
        const plain = unpack(frame) as unknown[];
        expect(plain.slice(0, 3)).toEqual([FRAME_VERSION, kind, slice]);
        expect(Buffer.compare(plain[3] as Uint8Array, bytesOf(words))).toBe(0);
        codec.decode(frame, kind);
        expect([codec.slice, ...codec.words.subarray(0, codec.length)]).toEqual([slice, ...words]);
      }),
      { numRuns: 300 },
    );
  });

  it("never fail with anything but FrameError, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => void isFrame(bytes)),
      { numRuns: 4000 },
    );
    const arrays = fc
      .uint8Array({ maxLength: 40 })
      .map((bytes) => Uint8Array.of(0x94, FRAME_VERSION, REPORTS, ...bytes));
    fc.assert(
      fc.property(arrays, (bytes) => void isFrame(bytes)),
      { numRuns: 4000 },
    );
  });

  it("never fail with anything but FrameError when their fields are any values", () => {
    const packr = new Packr({ useRecords: false });
    fc.assert(
      fc.property(
        fc.array(fc.anything({ withBigInt: false, withDate: true, withNullPrototype: true }), { maxLength: 5 }),
        (fields) => {
          isFrame(Uint8Array.from(packr.pack(fields)));
          isFrame(Uint8Array.from(packr.pack([FRAME_VERSION, REPORTS, ...fields].slice(0, 4))));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("never pass when they are cut short", () => {
    fc.assert(
      fc.property(slices, bodies, fc.nat(), (slice, words, cut) => {
        const frame = Uint8Array.from(codec.encode(REPORTS, slice, bytesOf(words)));
        expect(isFrame(frame.subarray(0, cut % frame.length))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("never break the frames after a broken one", () => {
    const good = Uint8Array.from(codec.encode(REPORTS, 77, Uint8Array.of(1, 2, 3, 4)));
    fc.assert(
      fc.property(slices, bodies, fc.nat(), fc.nat(255), (slice, words, at, byte) => {
        const frame = Uint8Array.from(codec.encode(REPORTS, slice, bytesOf(words)));
        frame[at % frame.length] = byte;
        isFrame(frame);
        expect(isFrame(good)).toBe(true);
        expect([codec.slice, codec.length, codec.words[0]]).toEqual([77, 1, 0x04030201]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("words", () => {
  it("never lose a bit of a number up to 2^53", () => {
    const numbers = fc.oneof(
      fc.maxSafeNat(),
      fc.nat(1000),
      fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53),
    );
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 200 }), (list) => {
        const writer = new WordWriter();
        for (const number of list) {
          writer.reserve(2);
          writer.pushLong(number);
        }
        const words = new Int32Array(Uint8Array.from(writer.bytes()).buffer);
        expect(list.map((_, i) => longAt(words, 2 * i))).toEqual(list);
      }),
    );
  });
});
