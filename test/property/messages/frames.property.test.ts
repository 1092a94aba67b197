import fc from "fast-check";
import { unpack } from "msgpackr";
import { describe, expect, it } from "vitest";
import { COMMANDS, FRAME_VERSION, FrameCodec, longAt, REPORTS, WordWriter } from "../../../dist/messages/index.js";

const codec = new FrameCodec();
const slices = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: 2 ** 48 }));
const bodies = fc
  .array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 80 })
  .map((list) => Int32Array.from(list));
const bytesOf = (words: Int32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

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
