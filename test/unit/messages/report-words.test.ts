import { describe, expect, it } from "vitest";
import { REPORT_WORDS, ReportWriter } from "../../../dist/messages/index.js";
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
  });

  it("of an end before the longest time that a word can say count as that", () => {
    const words = written((writer) => writer.report(SUCCEEDED, 1, START, 0, 2 ** 40));
    expect(words).toEqual([1, 0, 0, 2 ** 31 - 1, SUCCEEDED]);
  });
});
