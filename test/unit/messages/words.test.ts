import { describe, expect, it } from "vitest";
import type { CommandSink } from "../../../dist/core/cluster/commands.js";
import { CommandWriter } from "../../../dist/messages/command-words.js";
import { MAX_COMMAND_BYTES } from "../../../dist/messages/command-codes.js";
import { readCommands } from "../../../dist/messages/read-commands.js";
import { FrameError } from "../../../dist/messages/frame.js";
import {
  checkReports,
  REPORT_WORDS,
  ReportWriter,
  SUCCEEDED,
  WAS_KILLED,
} from "../../../dist/messages/report-words.js";

const BOUNDS = { nodes: 10, slots: 50, sliceUs: 1000 };
const REPORT_BOUNDS = { nodes: 10, slots: 50, sliceUs: 1000, longestSilenceUs: 3000 };

/** Everything that a sink was told, as text. */
export function recordingSink(): { told: string[]; sink: CommandSink } {
  const told: string[] = [];
  const sink: CommandSink = {
    launchMap: (...of) => told.push(`map ${of.join(" ")}`),
    launchReduce: (...of) => told.push(`reduce ${of.join(" ")}`),
    mapsFinished: (...of) => told.push(`finished ${of.join(" ")}`),
    kill: (...of) => told.push(`kill ${of.join(" ")}`),
  };
  return { told, sink };
}

function written(fill: (writer: CommandWriter) => void, sliceStartUs = 5000): Int32Array {
  const writer = new CommandWriter();
  writer.open(sliceStartUs);
  fill(writer);
  return Int32Array.from(writer.words.subarray(0, writer.length));
}

function read(words: Int32Array, length = words.length): string[] {
  const { told, sink } = recordingSink();
  readCommands(words, length, 5000, BOUNDS, (node) => (node === 9 ? undefined : sink));
  return told;
}

describe("commands", () => {
  it("come back as given, times beyond 32 bits too", () => {
    const big = 2 ** 53 - 1;
    const words = written((writer) => {
      writer.launchMap(3, 5999, 17, 2, big);
      writer.launchReduce(0, 5000, 49, big, 2 ** 32, 2 ** 31, true);
      writer.launchReduce(1, 5001, 0, 0, 1, 0, false);
      writer.mapsFinished(8, 5500, 4);
      writer.kill(2, 5999, 49);
      writer.kill(0, 5000, 0);
    });
    expect(read(words)).toEqual([
      `map 3 5999 17 2 ${String(big)}`,
      `reduce 0 5000 49 ${String(big)} 4294967296 2147483648 true`,
      "reduce 1 5001 0 0 1 0 false",
      "finished 8 5500 4",
      "kill 2 5999 49",
      "kill 0 5000 0",
    ]);
  });

  it("come back from a slice that starts decades into a run", () => {
    const start = 2 ** 52;
    const words = written((writer) => writer.launchMap(1, start + 999, 2, 0, 7), start);
    const { told, sink } = recordingSink();
    readCommands(words, words.length, start, BOUNDS, () => sink);
    expect(told).toEqual([`map 1 ${String(start + 999)} 2 0 7`]);
  });

  it("never take more bytes than the rings allow for", () => {
    const words = written((writer) => writer.launchReduce(0, 5000, 0, 1, 1, 1, true));
    expect(words.length * 4).toBe(MAX_COMMAND_BYTES);
  });

  it("are forgotten when the next slice opens", () => {
    const writer = new CommandWriter();
    writer.open(0);
    for (let i = 0; i < 500; i++) writer.launchMap(1, 1, 1, 1, i);
    writer.open(1000);
    expect([writer.length, writer.bytes().length]).toEqual([0, 0]);
  });

  const launch = (): number[] => [...written((writer) => writer.launchMap(3, 5010, 17, 2, 99))];
  const changed = (index: number, value: number): number[] => launch().map((word, i) => (i === index ? value : word));
  it.each([
    ["opcode 0", changed(0, 0), "found command 0"],
    ["opcode 5", changed(0, 5), "found command 5, allowed are 1 to 4"],
    ["opcode -1", changed(0, -1), "found command -1"],
    ["node -1", changed(1, -1), "node -1"],
    ["node 10 of 10", changed(1, 10), "node 10"],
    ["a node of another host", changed(1, 9), "node 9, which is not here"],
    ["a heartbeat before the slice", changed(2, -1), "-1 us into a slice"],
    ["a heartbeat after it", changed(2, 1000), "1000 us into a slice"],
    ["slot -1", changed(3, -1), "slot -1"],
    ["slot 50 of 50", changed(3, 50), "slot 50"],
    ["level 4", changed(4, 4), "level 4"],
    ["level -1", changed(4, -1), "level -1"],
    ["a word too few", launch().slice(0, -1), "cut short"],
    ["a word too many", [...launch(), 1], "cut short"],
    ["an opcode alone", [3], "cut short"],
    ["half a kill", [...launch(), 4, 3, 10], "command 4 cut short"],
    ["a kill of slot 50 of 50", [4, 3, 10, 50], "slot 50"],
    ["a kill of slot -1", [4, 3, 10, -1], "slot -1"],
    ["a kill on a node of another host", [4, 9, 10, 17], "node 9, which is not here"],
    ["a kill after the slice", [4, 3, 1000, 17], "1000 us into a slice"],
  ])("with %s are refused", (_, words, message) => {
    expect(() => read(Int32Array.from(words))).toThrow(FrameError);
    expect(() => read(Int32Array.from(words))).toThrow(message);
  });

  it.each([
    ["a length below 0", [...launch().slice(0, 6), -1]],
    ["a length beyond 2^53", [...launch().slice(0, 6), 2 ** 21 + 1]],
  ])("with %s are refused", (_, words) => {
    expect(() => read(Int32Array.from(words))).toThrow(FrameError);
  });

  it("read only the words that count", () => {
    const words = Int32Array.from([...launch(), 77, 77]);
    expect(read(words, 7)).toEqual(["map 3 5010 17 2 99"]);
  });
});

describe("reports", () => {
  it("say node, time into the slice, slot, time since the end and outcome", () => {
    const writer = new ReportWriter();
    writer.open(2 ** 50);
    writer.finished(7, 2 ** 50 + 12, 33, 2 ** 50 - 8);
    writer.killed(9, 2 ** 50 + 999, 49, 2 ** 50 + 999 - 3000);
    expect([...writer.words.subarray(0, writer.length)]).toEqual([
      7,
      12,
      33,
      20,
      SUCCEEDED,
      9,
      999,
      49,
      3000,
      WAS_KILLED,
    ]);
    expect(writer.bytes().length).toBe(2 * 4 * REPORT_WORDS);
    expect(() => checkReports(writer.words, writer.length, REPORT_BOUNDS)).not.toThrow();
    for (let i = 0; i < 300; i++) writer.finished(1, 2 ** 50 + i, i % 50, 2 ** 50);
    expect(writer.length).toBe(302 * 5);
    expect([...writer.words.subarray(1505, 1510)]).toEqual([1, 299, 49, 299, SUCCEEDED]);
  });

  it("tell a kill from a success by the last word alone", () => {
    expect([SUCCEEDED, WAS_KILLED]).toEqual([0, 1]);
    const [finished, killed] = (["finished", "killed"] as const).map((outcome) => {
      const writer = new ReportWriter();
      writer.open(0);
      writer[outcome](1, 5, 2, 3);
      return [...writer.words.subarray(0, writer.length)];
    });
    expect([finished, killed]).toEqual([
      [1, 5, 2, 2, 0],
      [1, 5, 2, 2, 1],
    ]);
  });

  it.each([
    ["an end at the heartbeat itself", [0, 0, 0, 0, 0]],
    ["an end just after the beat before", [0, 0, 0, 2999, 0]],
    ["a kill by the reply to the beat before", [0, 0, 0, 3000, 1]],
    ["the largest of everything", [9, 999, 49, 3000, 1]],
  ])("with %s pass", (_, words) => {
    expect(() => checkReports(Int32Array.from(words), words.length, REPORT_BOUNDS)).not.toThrow();
  });

  it.each([
    ["node -1", [-1, 0, 0, 0, 0], "node -1"],
    ["node 10 of 10", [10, 0, 0, 0, 0], "node 10"],
    ["a heartbeat before the slice", [0, -1, 0, 0, 0], "-1 us into"],
    ["a heartbeat after it", [0, 1000, 0, 0, 0], "1000 us into"],
    ["slot 50 of 50", [0, 0, 50, 0, 0], "slot 50"],
    ["slot -1", [0, 0, -1, 0, 0], "slot -1"],
    ["a finish in the future", [0, 0, 0, -1, 0], "-1 us ago"],
    ["a kill in the future", [0, 0, 0, -1, 1], "-1 us ago"],
    ["a finish at or before the beat before", [0, 0, 0, 3000, 0], "3000 us ago"],
    ["a kill before the beat before", [0, 0, 0, 3001, 1], "3001 us ago"],
    ["outcome 2", [0, 0, 0, 0, 2], "outcome 2"],
    ["outcome -1", [0, 0, 0, 0, -1], "outcome -1"],
    ["an outcome that would stretch the interval", [0, 0, 0, 3500, 1000], "outcome 1000"],
    ["a word too many", [0, 0, 0, 0, 0, 0], "multiple of 5"],
    ["a word too few", [0, 0, 0, 0], "multiple of 5"],
  ])("with %s are refused", (_, words, message) => {
    const afterGood = Int32Array.from([1, 2, 3, 4, 0, ...words]);
    expect(() => checkReports(afterGood, afterGood.length, REPORT_BOUNDS)).toThrow(FrameError);
    expect(() => checkReports(Int32Array.from(words), words.length, REPORT_BOUNDS)).toThrow(message);
  });
});
