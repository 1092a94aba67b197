import fc from "fast-check";
import { Packr, unpack } from "msgpackr";
import { describe, expect, it } from "vitest";
import { CommandWriter, readCommands } from "../../../dist/messages/command-words.js";
import { COMMANDS, FrameCodec, FrameError, REPORTS } from "../../../dist/messages/frame.js";
import { checkReports } from "../../../dist/messages/report-words.js";
import { longAt, WordWriter } from "../../../dist/messages/words.js";

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
        expect(plain.slice(0, 3)).toEqual([1, kind, slice]);
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
    const arrays = fc.uint8Array({ maxLength: 40 }).map((bytes) => Uint8Array.of(0x94, 1, 1, ...bytes));
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
          isFrame(Uint8Array.from(packr.pack([1, REPORTS, ...fields].slice(0, 4))));
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

  it("never hand a command beyond its bounds to anybody", () => {
    const bounds = { nodes: 4, slots: 6, sliceUs: 5 };
    const word = fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: -1, max: 6 }) },
      { weight: 1, arbitrary: fc.integer() },
    );
    // Commands that are right but for their lengths, and a word or two changed anywhere.
    const head = [fc.constantFrom(0, 1, 3), fc.nat(4), fc.nat(5)] as const;
    const command = fc.oneof(
      fc.tuple(fc.constant(1), ...head, fc.nat(3), word, word),
      fc.tuple(fc.constant(2), ...head, fc.nat(1), word, word, word, word, word, word),
      fc.tuple(fc.constant(3), ...head),
    );
    const changes = fc.array(fc.tuple(fc.nat(), word), { maxLength: 2 });
    const frames = fc.tuple(fc.array(command, { maxLength: 5 }), changes).map(([commands, changed]) => {
      const words = Int32Array.from(commands.flat());
      for (const [at, value] of changed) if (words.length > 0) words[at % words.length] = value;
      return words;
    });
    const isTime = (us: number): boolean => Number.isInteger(us) && us >= 0 && us <= 2 ** 53;
    fc.assert(
      fc.property(frames, (words) => {
        let handed = 0;
        const check = (node: number, atUs: number, slot: number, ...lengths: number[]): void => {
          handed++;
          expect(node >= 0 && node < 4 && node !== 2 && slot >= 0 && slot < 6 && atUs >= 100 && atUs < 105).toBe(true);
          expect(lengths.every(isTime)).toBe(true);
        };
        const sink = {
          launchMap: (node: number, atUs: number, slot: number, level: number, lengthUs: number) => {
            expect([0, 1, 2, 3]).toContain(level);
            check(node, atUs, slot, lengthUs);
          },
          launchReduce: (node: number, atUs: number, slot: number, copyUs: number, reduceUs: number, tailUs: number) =>
            check(node, atUs, slot, copyUs, reduceUs, tailUs),
          mapsFinished: check,
        };
        try {
          readCommands(words, words.length, 100, bounds, (node) => (node === 2 ? undefined : sink));
        } catch (error) {
          if (!(error instanceof FrameError)) throw error;
        }
        expect(handed).toBeLessThanOrEqual(words.length / 4);
      }),
      { numRuns: 3000 },
    );
  });

  it("never lose or reorder commands", () => {
    const command = fc.oneof(
      fc.tuple(fc.constant("launchMap" as const), fc.nat(9), fc.nat(999), fc.nat(49), fc.nat(3), fc.maxSafeNat()),
      fc.tuple(
        fc.constant("launchReduce" as const),
        fc.nat(9),
        fc.nat(999),
        fc.nat(49),
        fc.maxSafeNat(),
        fc.maxSafeNat(),
        fc.maxSafeNat(),
        fc.boolean(),
      ),
      fc.tuple(fc.constant("mapsFinished" as const), fc.nat(9), fc.nat(999), fc.nat(49)),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 100 }), (commands) => {
        const writer = new CommandWriter();
        writer.open(0);
        for (const [name, ...operands] of commands) (writer[name] as (...of: unknown[]) => void)(...operands);
        const told: unknown[] = [];
        const sink = Object.fromEntries(
          ["launchMap", "launchReduce", "mapsFinished"].map((name) => [
            name,
            (...of: unknown[]) => told.push([name, ...of]),
          ]),
        );
        readCommands(writer.words, writer.length, 0, { nodes: 10, slots: 50, sliceUs: 1000 }, () => sink as never);
        expect(told).toEqual(commands);
      }),
    );
  });

  it("never pass a report beyond its bounds", () => {
    const bounds = { nodes: 4, slots: 6, sliceUs: 5, heartbeatUs: 7 };
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(3), fc.integer()), { maxLength: 24 }).map((list) => Int32Array.from(list)),
        (words) => {
          const valid = words.length % 4 === 0 && words.every((word, i) => word >= 0 && word < [4, 5, 6, 7][i % 4]!);
          const check = (): void => checkReports(words, words.length, bounds);
          if (valid) check();
          else expect(check).toThrow(FrameError);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
