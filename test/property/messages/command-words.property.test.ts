import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MapDetail, ReduceDetail } from "../../../dist/core/platforms/hadoop/index.js";
import { CommandWriter, readCommands } from "../../../dist/messages/index.js";
import { recordingSink } from "../../support/recording-sink.js";

const NODES = 10;
const SLOTS = 50;
const SLICE_US = 1000;
const MILLION = 1_000_000;

const node = fc.nat(NODES - 1);
const head = [node, fc.nat(SLICE_US - 1), fc.nat(SLOTS - 1)] as const;
const placed = [node, fc.nat(SLICE_US - 1), fc.nat(2 * SLOTS - 1)] as const;
const long = fc.oneof(fc.nat(1000), fc.maxSafeNat());
const launchDetail = {
  commits: fc.boolean(),
  failsAt: fc.integer({ min: -1, max: MILLION }),
  slowdown: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  prepareUs: long,
};
const mapDetail: fc.Arbitrary<MapDetail> = fc.record({
  ...launchDetail,
  sourceNode: fc.integer({ min: -1, max: NODES - 1 }),
  inputBytes: long,
  outputBytes: long,
});
const reduceDetail: fc.Arbitrary<ReduceDetail> = fc.record({
  ...launchDetail,
  available: fc.nat(MILLION),
  rank: fc.nat(2 ** 31 - 1),
  fetchBytes: long,
  outputBytes: long,
});

/** Every command with any operands that are allowed. */
const command = fc.oneof(
  fc.tuple(fc.constant("launchMap"), ...head, fc.nat(4), long, fc.option(mapDetail)),
  fc.tuple(fc.constant("launchReduce"), ...head, long, long, long, fc.boolean(), fc.option(reduceDetail)),
  fc.tuple(fc.constant("mapsFinished"), ...head),
  fc.tuple(fc.constant("mapsAdvanced"), ...head, fc.nat(MILLION)),
  fc.tuple(fc.constantFrom("kill", "commit", "closeRead"), ...placed),
  fc.tuple(fc.constant("openRead"), ...placed, node, node, long),
  fc.tuple(fc.constant("rateProposed"), ...placed, fc.nat(0x7f800003)),
  fc.tuple(fc.constant("serveOutput"), ...head, node, long, long),
  fc.tuple(fc.constantFrom("replicaSent", "bytesMoved"), ...head, fc.nat(2 ** 31 - 1)),
  fc.tuple(fc.constant("copyBlock"), node, fc.nat(SLICE_US - 1), fc.nat(1), node, long),
);
type Command = readonly [string, ...unknown[]];

function wordsOf(commands: readonly Command[]): Int32Array {
  const writer = new CommandWriter();
  writer.open(0);
  for (const [name, ...operands] of commands) {
    (writer as unknown as Record<string, (...of: unknown[]) => void>)[name]!(...operands);
  }
  return Int32Array.from(writer.words.subarray(0, writer.length));
}

describe("words of commands", () => {
  it("never lose, change or reorder a command", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const words = wordsOf(commands);
        const { told, sink } = recordingSink();
        readCommands(words, words.length, 0, () => sink);
        expect(told).toEqual(commands);
      }),
      { numRuns: 300 },
    );
  });
});
