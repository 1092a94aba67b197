import { describe, expect, it } from "vitest";
import { FrameError, checkReports, REPORT_WORDS, ReportWriter } from "../../../dist/messages/index.js";
import {
  AT_GATE,
  HAS_COPIED,
  HAS_FAILED,
  HAS_MOVED,
  HAS_NOT_COPIED,
  HAS_PROGRESSED,
  HAS_RETURNED,
  IS_LOADED,
  PROPOSES_RATE,
  SENDS_REPLICA,
  SOURCE_LOST,
  SUCCEEDED,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../../../dist/core/platforms/hadoop/index.js";

const BOUNDS = { nodes: 10, slots: 50, sliceUs: 1000, longestReportDelayUs: 3000 };
const START = 2 ** 50;

function written(fill: (writer: ReportWriter) => void): number[] {
  const writer = new ReportWriter();
  writer.open(START);
  fill(writer);
  return [...writer.words.subarray(0, writer.length)];
}

describe("reports", () => {
  it("may count their times from the start of a later slice, no later than the first heartbeat", () => {
    const words = written((writer) => {
      writer.report(SUCCEEDED, 7, START + 912, 33, 20);
      writer.report(WAS_KILLED, 9, START + 500, 49, 3000);
      expect(writer.firstUs()).toBe(START + 500);
      writer.countFrom(START + 400);
      expect(writer.firstUs()).toBe(START + 500);
    });
    expect(words).toEqual([...[7, 512, 33, 20, SUCCEEDED], ...[9, 100, 49, 3000, WAS_KILLED]]);
  });

  it("say node, time into the slice, slot, time since the end and outcome", () => {
    const writer = new ReportWriter();
    writer.open(START);
    writer.report(SUCCEEDED, 7, START + 12, 33, 20);
    writer.report(WAS_KILLED, 9, START + 999, 49, 3000);
    expect([...writer.words.subarray(0, writer.length)]).toEqual([
      ...[7, 12, 33, 20, SUCCEEDED],
      ...[9, 999, 49, 3000, WAS_KILLED],
    ]);
    expect(writer.bytes().length).toBe(2 * 4 * REPORT_WORDS);
    expect(() => checkReports(writer.words, writer.length, BOUNDS)).not.toThrow();
    for (let i = 0; i < 300; i++) writer.report(SUCCEEDED, 1, START + i, i % 50, i);
    expect(writer.length).toBe(302 * 5);
    expect([...writer.words.subarray(1505, 1510)]).toEqual([1, 299, 49, 299, SUCCEEDED]);
  });

  it("tell a kill from a success by the last word alone", () => {
    expect([SUCCEEDED, WAS_KILLED]).toEqual([0, 1]);
    expect(written((writer) => writer.report(SUCCEEDED, 1, START + 5, 2, 2))).toEqual([1, 5, 2, 2, 0]);
    expect(written((writer) => writer.report(WAS_KILLED, 1, START + 5, 2, 2))).toEqual([1, 5, 2, 2, 1]);
  });

  it("of attempts in stages say what there is to say, and pass", () => {
    const words = written((writer) => {
      writer.report(HAS_FAILED, 1, START + 5, 99, 2);
      writer.report(SOURCE_LOST, 2, START + 6, 49, 2999);
      writer.report(WANTS_COMMIT, 3, START + 7, 49, 0);
      writer.report(HAS_PROGRESSED, 4, START + 8, 0, 1_000_000);
      writer.report(HAS_RETURNED, 5, START + 9, 0, 0);
      writer.report(IS_LOADED, 6, START + 10, 0, 12);
      writer.report(HAS_COPIED, 7, START + 11, 1, 10);
      writer.report(HAS_NOT_COPIED, 8, START + 12, 0, 5000);
      writer.report(PROPOSES_RATE, 9, START + 13, 99, 123_456);
      writer.report(AT_GATE, 0, START + 14, 49, 0);
      writer.report(AT_GATE, 0, START + 14, 48, 1);
      writer.report(SENDS_REPLICA, 0, START + 15, 48, 2 ** 31 - 1);
      writer.report(HAS_MOVED, 0, START + 15, 49, 0);
    });
    expect(words).toEqual([
      ...[1, 5, 99, 2, HAS_FAILED],
      ...[2, 6, 49, 2999, SOURCE_LOST],
      ...[3, 7, 49, 0, WANTS_COMMIT],
      ...[4, 8, 0, 1_000_000, HAS_PROGRESSED],
      ...[5, 9, 0, 0, HAS_RETURNED],
      ...[6, 10, 0, 12, IS_LOADED],
      ...[7, 11, 1, 10, HAS_COPIED],
      ...[8, 12, 0, 5000, HAS_NOT_COPIED],
      ...[9, 13, 99, 123_456, PROPOSES_RATE],
      ...[0, 14, 49, 0, AT_GATE],
      ...[0, 14, 48, 1, AT_GATE],
      ...[0, 15, 48, 2 ** 31 - 1, SENDS_REPLICA],
      ...[0, 15, 49, 0, HAS_MOVED],
    ]);
    expect(() => checkReports(Int32Array.from(words), words.length, BOUNDS)).not.toThrow();
  });

  it("of an end before the longest time that a word can say count as that", () => {
    const words = written((writer) => writer.report(SUCCEEDED, 1, START, 0, 2 ** 40));
    expect(words).toEqual([1, 0, 0, 2 ** 31 - 1, SUCCEEDED]);
  });

  it.each([
    ["an end at the heartbeat itself", [0, 0, 0, 0, 0]],
    ["an end just after the beat before", [0, 0, 0, 2999, 0]],
    ["a kill by the reply to the beat before", [0, 0, 0, 3000, 1]],
    ["the largest of everything", [9, 999, 99, 3000, 1]],
    ["the last place, failed", [9, 999, 99, 2999, 2]],
    ["the last slot that can wish to commit", [9, 999, 49, 2999, 4]],
    ["no progress", [9, 999, 99, 0, 5]],
    ["a load of 65535 tasks", [9, 999, 0, 65_535, 7]],
    ["a copy made long ago", [9, 999, 1, 2 ** 31 - 1, 8]],
  ])("with %s pass", (_, words) => {
    expect(() => checkReports(Int32Array.from(words), words.length, BOUNDS)).not.toThrow();
  });

  it.each([
    ["node -1", [-1, 0, 0, 0, 0], "node -1"],
    ["node 10 of 10", [10, 0, 0, 0, 0], "node 10"],
    ["a heartbeat before the slice", [0, -1, 0, 0, 0], "-1 us into"],
    ["a heartbeat after it", [0, 1000, 0, 0, 0], "1000 us into"],
    ["place 100 of 2 x 50", [0, 0, 100, 0, 0], "slot 100"],
    ["slot -1", [0, 0, -1, 0, 0], "slot -1"],
    ["a finish in the future", [0, 0, 0, -1, 0], "-1 us ago"],
    ["a kill in the future", [0, 0, 0, -1, 1], "-1 us ago"],
    ["a finish at or before the beat before", [0, 0, 0, 3000, 0], "3000 us ago"],
    ["a kill before the beat before", [0, 0, 0, 3001, 1], "3001 us ago"],
    ["outcome 14", [0, 0, 0, 0, 14], "outcome 14"],
    ["outcome -1", [0, 0, 0, 0, -1], "outcome -1"],
    ["an outcome that would stretch the interval", [0, 0, 0, 3500, 1000], "outcome 1000"],
    ["a word too many", [0, 0, 0, 0, 0, 0], "multiple of 5"],
    ["a word too few", [0, 0, 0, 0], "multiple of 5"],
    ["a failure in the future", [0, 0, 0, -1, 2], "-1 us ago"],
    ["a failure before the beat before", [0, 0, 0, 3000, 2], "3000 us ago"],
    ["a failure at place 100", [0, 0, 100, 0, 2], "slot 100"],
    ["a source lost in the future", [0, 0, 0, -1, 3], "-1 us ago"],
    ["a source lost before the beat before", [0, 0, 0, 3000, 3], "3000 us ago"],
    ["a wish to commit by what commits", [0, 0, 50, 0, 4], "slot 50"],
    ["a wish to commit from before the beat before", [0, 0, 0, 3000, 4], "3000 us ago"],
    ["progress beyond the end", [0, 0, 0, 1_000_001, 5], "1000001"],
    ["progress below 0", [0, 0, 0, -1, 5], "-1"],
    ["progress at place 100", [0, 0, 100, 0, 5], "slot 100"],
    ["a return at some place", [0, 0, 1, 0, 6], "slot 1"],
    ["a return of some value", [0, 0, 0, 1, 6], "1 us ago"],
    ["a load at some place", [0, 0, 1, 0, 7], "slot 1"],
    ["a load of 65536 tasks", [0, 0, 0, 65_536, 7], "65536"],
    ["a load below 0", [0, 0, 0, -1, 7], "-1"],
    ["a third copy", [0, 0, 2, 0, 8], "slot 2"],
    ["a copy in the future", [0, 0, 0, -1, 8], "-1 us ago"],
    ["a third copy that was not made", [0, 0, 2, 0, 9], "slot 2"],
    ["a copy not made in the future", [0, 0, 0, -1, 9], "-1 us ago"],
    ["a proposed rate at place 100", [0, 0, 100, 0, 10], "slot 100"],
    ["a proposed rate below 0", [0, 0, 0, -1, 10], "-1"],
    ["a gate for what commits", [0, 0, 50, 0, 11], "slot 50"],
    ["twice past a gate", [0, 0, 0, 2, 11], "2 us ago"],
  ])("with %s are refused", (_, words, message) => {
    const afterGood = Int32Array.from([1, 2, 3, 4, 0, ...words]);
    expect(() => checkReports(afterGood, afterGood.length, BOUNDS)).toThrow(FrameError);
    expect(() => checkReports(Int32Array.from(words), words.length, BOUNDS)).toThrow(message);
  });
});
