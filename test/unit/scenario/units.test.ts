import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../../../dist/core/kernel/index.js";
import {
  nearest,
  quote,
  BANDWIDTH_PATTERN,
  DURATION_PATTERN,
  SIZE_PATTERN,
  formatDuration,
  formatSize,
  parseBandwidth,
  parseDuration,
  parseRate,
  parseSize,
} from "../../../dist/io/index.js";

describe("durations", () => {
  it.each([
    ["0s", 0],
    ["1us", 1],
    ["500ms", 500_000],
    ["10s", 10_000_000],
    ["2.5s", 2_500_000],
    ["0.1s", 100_000],
    ["4h", 14_400_000_000],
    ["1h30m", 5_400_000_000],
    ["1h 30m", 5_400_000_000],
    ["10 s", 10_000_000],
    ["1d", 86_400_000_000],
    ["1m1ms", 60_001_000],
  ])("%s", (text, us) => {
    expect(parseDuration(text)).toBe(us);
    expect(text).toMatch(new RegExp(DURATION_PATTERN));
  });

  it.each([
    "",
    " ",
    "10",
    "s",
    "-1s",
    "+1s",
    "1e3s",
    "30m1h",
    "1s1s",
    "1.s",
    ".5s",
    "1sec",
    "0.1us",
    "1h,30m",
    "1S",
    "9".repeat(80),
  ])("refuses %j", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it("what is formatted reads back as the same number", () => {
    const us = fc.integer({ min: 0, max: 100 * 365 * 86_400 * 1_000_000 });
    fc.assert(fc.property(us, (value) => parseDuration(formatDuration(value)) === value));
  });
});

describe("sizes", () => {
  it.each([
    ["0B", 0],
    ["512B", 512],
    ["64KB", 65_536],
    ["128MB", 134_217_728],
    ["128 MiB", 134_217_728],
    ["1.5GB", 1_610_612_736],
    ["1TB", 2 ** 40],
    ["128M", 134_217_728],
    ["64mb", 67_108_864],
    ["4 GiB", 2 ** 32],
    ["4g", 2 ** 32],
  ])("%s", (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
    expect(text).toMatch(new RegExp(SIZE_PATTERN));
  });

  it.each(["", "128", "MB", "-1MB", "128Mb", "128mB", "1e3MB", "128MB/s", "1EB"])("refuses %j", (text) => {
    expect(parseSize(text)).toBeUndefined();
  });

  it.each([
    ["240MB/s", 240 * 2 ** 20],
    ["119MB", 119 * 2 ** 20],
    ["1Gbps", 125_000_000],
    ["1 Gbit/s", 125_000_000],
    ["100Mbps", 12_500_000],
    ["56kbps", 7_000],
    ["56Kbps", 7_000],
    ["2.5Gbps", 312_500_000],
    ["0.1Tbps", 12_500_000_000],
    ["8bps", 1],
  ])("the bandwidth %s is in bytes, or in bits by powers of 1000", (text, bytesPerSecond) => {
    expect(parseBandwidth(text)).toBe(bytesPerSecond);
    expect(text).toMatch(new RegExp(BANDWIDTH_PATTERN));
  });

  it.each([
    "1Gb/s",
    "1gbps",
    "1Gb",
    "1GBps",
    "1Gibps",
    "-1Gbps",
    "1e3Gbps",
    "Gbps",
    "1",
    "1Gbps/s",
    "",
    "9".repeat(80),
  ])("refuses the bandwidth %j", (text) => {
    expect(parseBandwidth(text)).toBeUndefined();
    expect(text).not.toMatch(new RegExp(BANDWIDTH_PATTERN));
  });

  it("rates may say per second", () => {
    expect(parseRate("16MB/s")).toBe(2 ** 24);
    expect(parseRate("16MB")).toBe(2 ** 24);
  });

  it("what is formatted reads back as the same number", () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (value) => parseSize(formatSize(value)) === value));
  });
});

describe("near misses", () => {
  it("counts insertions, deletions, replacements and swaps", () => {
    expect(editDistance("hfs", "hsf")).toBe(1);
    expect(editDistance("kitten", "sitting")).toBe(3);
    expect(editDistance("", "abc")).toBe(3);
  });

  it("suggests what is close and nothing else", () => {
    const names = ["racks", "nodesPerRack", "mapSlots"];
    expect(nearest("nodes_per_rack", names)).toBe("nodesPerRack");
    expect(nearest("rack", names)).toBe("racks");
    expect(nearest("slots", names)).toBeUndefined();
    expect(nearest("x".repeat(100_000), names)).toBeUndefined();
  });
});

it("a quoted text is short and cannot move the cursor of a terminal", () => {
  expect(quote("a\u001b[31m\n\u009b\u202e")).toBe('"a\\u001b[31m\\u000a\\u009b\\u202e"');
  expect(quote("x".repeat(1000)).length).toBeLessThan(70);
});
