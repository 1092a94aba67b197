import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  LARGEST_OFFER,
  type LaunchDetail,
  type MapDetail,
  type ReduceDetail,
} from "../../../dist/core/platforms/hadoop/index.js";
import { CommandWriter, readCommands, WORDS_OF, FrameError } from "../../../dist/messages/index.js";
import { recordingSink } from "../../support/recording-sink.js";

const NODES = 10;
const SLOTS = 50;
const SLICE_US = 1000;
const BOUNDS = { nodes: NODES, slots: SLOTS, sliceUs: SLICE_US };
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
  fc.tuple(fc.constant("rateProposed"), ...placed, fc.nat(LARGEST_OFFER)),
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

/** Whether a call keeps every bound, said anew: without a look at words. */
function isAllowed([name, on, atUs, place, ...operands]: Command): boolean {
  const isWhole = (value: unknown, below: number): boolean =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < below;
  const isLong = (value: unknown): boolean => isWhole(value, 2 ** 53 + 1);
  const isLaunch = (detail: LaunchDetail): boolean =>
    typeof detail.commits === "boolean" &&
    isWhole(detail.failsAt + 1, MILLION + 2) &&
    detail.slowdown >= 1 &&
    isLong(detail.prepareUs);
  if (!isWhole(on, NODES) || on === 2 || !isWhole(atUs, SLICE_US)) return false;
  const ofSlot = isWhole(place, SLOTS);
  const ofPlace = isWhole(place, 2 * SLOTS);
  switch (name) {
    case "launchMap": {
      const detail = operands[2] as MapDetail | null;
      if (!ofSlot || !isWhole(operands[0], 5) || !isLong(operands[1])) return false;
      if (detail === null) return true;
      const { sourceNode, inputBytes, outputBytes } = detail;
      return isLaunch(detail) && isWhole(sourceNode + 1, NODES + 1) && isLong(inputBytes) && isLong(outputBytes);
    }
    case "launchReduce": {
      const detail = operands[4] as ReduceDetail | null;
      if (!ofSlot || !operands.slice(0, 3).every(isLong) || typeof operands[3] !== "boolean") return false;
      if (detail === null) return true;
      const { available, fetchBytes, outputBytes, rank } = detail;
      const isRight = isLaunch(detail) && isWhole(available, MILLION + 1) && isWhole(rank, 2 ** 31);
      return isRight && isLong(fetchBytes) && isLong(outputBytes);
    }
    case "mapsFinished":
      return ofSlot && operands.length === 0;
    case "mapsAdvanced":
      return ofSlot && isWhole(operands[0], MILLION + 1);
    case "openRead":
      return ofPlace && isWhole(operands[0], NODES) && isWhole(operands[1], NODES) && isLong(operands[2]);
    case "rateProposed":
      return ofPlace && isWhole(operands[0], LARGEST_OFFER + 1);
    case "serveOutput":
      return ofSlot && isWhole(operands[0], NODES) && isLong(operands[1]) && isLong(operands[2]);
    case "replicaSent":
    case "bytesMoved":
      return ofSlot && isWhole(operands[0], 2 ** 31);
    case "copyBlock":
      return isWhole(place, 2) && isWhole(operands[0], NODES) && isLong(operands[1]);
    default:
      return ofPlace && operands.length === 0;
  }
}

describe("words of commands", () => {
  it("never lose, change or reorder a command", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        const words = wordsOf(commands);
        const { told, sink } = recordingSink();
        readCommands(words, words.length, 0, BOUNDS, () => sink);
        expect(told).toEqual(commands);
      }),
      { numRuns: 300 },
    );
  });

  it("never hand a command beyond its bounds to anybody, and refuse with FrameError alone", () => {
    const word = fc.oneof(fc.integer({ min: -2, max: 60 }), fc.constantFrom(99, 100, 999, 1000), fc.integer());
    const changes = fc.array(fc.tuple(fc.nat(), word), { maxLength: 3 });
    const random = fc.array(word, { maxLength: 24 }).map((list) => Int32Array.from(list));
    const hurt = fc.tuple(fc.array(command, { maxLength: 5 }), changes).map(([commands, changed]) => {
      const words = wordsOf(commands);
      for (const [at, value] of changed) if (words.length > 0) words[at % words.length] = value;
      return words;
    });
    let refused = 0;
    let handed = 0;
    fc.assert(
      fc.property(fc.oneof(random, hurt), fc.nat(3), (words, cut) => {
        const { told, sink } = recordingSink();
        const length = Math.max(0, words.length - (cut === 3 ? 1 : 0));
        try {
          readCommands(words, length, 0, BOUNDS, (on) => (on === 2 ? undefined : sink));
        } catch (error) {
          if (!(error instanceof FrameError)) throw error;
          refused++;
        }
        handed += told.length;
        expect(told.filter((call) => !isAllowed(call))).toEqual([]);
        expect(told.length).toBeLessThanOrEqual(length / Math.min(...WORDS_OF.slice(1)));
      }),
      { numRuns: 4000 },
    );
    expect(Math.min(refused, handed)).toBeGreaterThan(500);
  });
});
