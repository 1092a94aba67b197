import fc from "fast-check";
import { Packr, unpack } from "msgpackr";
import { describe, expect, it } from "vitest";
import { CommandWriter } from "../../../dist/messages/command-words.js";
import { readCommands } from "../../../dist/messages/read-commands.js";
import { COMMANDS, FRAME_VERSION, FrameCodec, FrameError, REPORTS } from "../../../dist/messages/frame.js";
import { checkReports, ReportWriter, SUCCEEDED, WAS_KILLED } from "../../../dist/messages/report-words.js";
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
      fc.tuple(fc.constantFrom(3, 4), ...head),
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
          kill: check,
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
      fc.tuple(fc.constantFrom("mapsFinished" as const, "kill" as const), fc.nat(9), fc.nat(999), fc.nat(49)),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 100 }), (commands) => {
        const writer = new CommandWriter();
        writer.open(0);
        for (const [name, ...operands] of commands) (writer[name] as (...of: unknown[]) => void)(...operands);
        const told: unknown[] = [];
        const sink = Object.fromEntries(
          ["launchMap", "launchReduce", "mapsFinished", "kill"].map((name) => [
            name,
            (...of: unknown[]) => told.push([name, ...of]),
          ]),
        );
        readCommands(writer.words, writer.length, 0, { nodes: 10, slots: 50, sliceUs: 1000 }, () => sink as never);
        expect(told).toEqual(commands);
      }),
    );
  });

  it("never lose, reorder or change reports", () => {
    const bounds = { nodes: 10, slots: 50, sliceUs: 1000, longestSilenceUs: 3000 };
    const report = fc
      .record({ node: fc.nat(9), slot: fc.nat(49), intoUs: fc.nat(999), agoUs: fc.nat(2999), wasKilled: fc.boolean() })
      .map((drawn) => ({ ...drawn, agoUs: drawn.agoUs + (drawn.wasKilled ? 1 : 0) }));
    const starts = fc.oneof(fc.nat(10_000), fc.integer({ min: 2 ** 33, max: 2 ** 52 }));
    fc.assert(
      fc.property(fc.array(report, { maxLength: 100 }), starts, (reports, startUs) => {
        const writer = new ReportWriter();
        writer.open(startUs);
        for (const { node, slot, intoUs, agoUs, wasKilled } of reports) {
          const atUs = startUs + intoUs;
          if (wasKilled) writer.killed(node, atUs, slot, atUs - agoUs);
          else writer.finished(node, atUs, slot, atUs - agoUs);
        }
        codec.decode(codec.encode(REPORTS, 3, writer.bytes()), REPORTS);
        checkReports(codec.words, codec.length, bounds);
        const told = reports.map(({ node, intoUs, slot, agoUs, wasKilled }) => [
          ...[node, intoUs, slot, agoUs],
          wasKilled ? WAS_KILLED : SUCCEEDED,
        ]);
        expect([...codec.words.subarray(0, codec.length)]).toEqual(told.flat());
      }),
    );
  });

  it("never pass a report beyond its bounds", () => {
    const bounds = { nodes: 4, slots: 6, sliceUs: 5, longestSilenceUs: 7 };
    const isReport = ([node, intoUs, slot, agoUs, outcome]: readonly number[]): boolean =>
      [node! < 4, intoUs! < 5, slot! < 6, outcome! < 2, agoUs! < (outcome === 1 ? 8 : 7)].every(Boolean);
    const report = fc.tuple(fc.nat(3), fc.nat(4), fc.nat(5), fc.nat(7), fc.nat(1));
    const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(fc.integer({ min: -1, max: 9 }), fc.integer())), {
      maxLength: 2,
    });
    const lists = fc.oneof(
      fc.array(fc.oneof(fc.nat(3), fc.integer()), { maxLength: 24 }),
      fc.tuple(fc.array(report, { maxLength: 4 }), changes).map(([reports, changed]) => {
        const words = reports.flat();
        for (const [at, value] of changed) if (words.length > 0) words[at % words.length] = value;
        return words;
      }),
    );
    let passed = 0;
    let refused = 0;
    fc.assert(
      fc.property(lists, (list) => {
        const words = Int32Array.from(list);
        const reports = Array.from({ length: Math.ceil(list.length / 5) }, (_, i) => list.slice(5 * i, 5 * i + 5));
        const valid = reports.every((of) => of.length === 5 && of.every((word) => word >= 0) && isReport(of));
        const check = (): void => checkReports(words, words.length, bounds);
        if (valid) check();
        else expect(check).toThrow(FrameError);
        if (!valid) refused++;
        else if (list.length > 0) passed++;
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(passed, refused)).toBeGreaterThan(100);
  });
});
