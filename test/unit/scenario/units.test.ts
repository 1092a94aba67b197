import fc from "fast-check";
import { expect, it } from "vitest";
import { editDistance } from "../../../dist/core/kernel/index.js";
import {
  BANDWIDTH_PATTERN,
  DURATION_PATTERN,
  formatDuration,
  formatSize,
  nearest,
  parseBandwidth,
  parseDuration,
  parseRate,
  parseSize,
  quote,
  SIZE_PATTERN,
} from "../../../dist/io/index.js";

const LONG = "9".repeat(80);
/** What reads a text, what it reads, and texts that it refuses. */
const UNITS: readonly (readonly [(text: string) => number | undefined, string, Record<string, number>, string[]])[] = [
  [
    parseDuration,
    DURATION_PATTERN,
    {
      "0s": 0,
      "1us": 1,
      "500ms": 5e5,
      "2.5s": 2.5e6,
      "4h": 144e8,
      "1h 30m": 54e8,
      "10 s": 1e7,
      "1d": 864e8,
      "1m1ms": 60_001_000,
    },
    ["", " ", "10", "s", "-1s", "+1s", "1e3s", "30m1h", "1s1s", "1.s", ".5s", "1sec", "0.1us", "1h,30m", "1S", LONG],
  ],
  [
    parseSize,
    SIZE_PATTERN,
    {
      "0B": 0,
      "512B": 512,
      "64KB": 2 ** 16,
      "128 MiB": 2 ** 27,
      "1.5GB": 1.5 * 2 ** 30,
      "1TB": 2 ** 40,
      "64mb": 2 ** 26,
      "4g": 2 ** 32,
    },
    ["", "128", "MB", "-1MB", "128Mb", "128mB", "1e3MB", "128MB/s", "1EB"],
  ],
  [
    parseBandwidth,
    BANDWIDTH_PATTERN,
    {
      "240MB/s": 240 * 2 ** 20,
      "119MB": 119 * 2 ** 20,
      "1 Gbit/s": 125e6,
      "56Kbps": 7_000,
      "56kbps": 7_000,
      "0.1Tbps": 125e8,
      "8bps": 1,
    },
    ["1Gb/s", "1gbps", "1Gb", "1GBps", "1Gibps", "-1Gbps", "1e3Gbps", "Gbps", "1", "1Gbps/s", "", LONG],
  ],
  [parseRate, ".", { "16MB/s": 2 ** 24, "16MB": 2 ** 24 }, []],
];

it.each(UNITS)("%s reads what its pattern matches, and refuses the rest", (read, pattern, values, refused) => {
  for (const [text, value] of Object.entries(values)) {
    expect(read(text), text).toBe(value);
    expect(text).toMatch(new RegExp(pattern));
  }
  expect(refused.map(read)).toEqual(refused.map(() => undefined));
});

it("what is formatted reads back as the same number", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (value) => parseSize(formatSize(value)) === value));
  fc.assert(fc.property(fc.integer({ min: 0, max: 3e15 }), (value) => parseDuration(formatDuration(value)) === value));
});

it("near misses are counted in insertions, deletions, replacements and swaps, and only close names are suggested", () => {
  expect([editDistance("hfs", "hsf"), editDistance("kitten", "sitting"), editDistance("", "abc")]).toEqual([1, 3, 3]);
  const near = (name: string): string | undefined => nearest(name, ["racks", "nodesPerRack", "mapSlots"]);
  expect(["nodes_per_rack", "rack", "slots", "x".repeat(100_000)].map(near)).toEqual([
    ...["nodesPerRack", "racks", undefined, undefined],
  ]);
});

it("a quoted text is short and cannot move the cursor of a terminal", () => {
  expect(quote("a\u001b[31m\n\u009b\u202e")).toBe('"a\\u001b[31m\\u000a\\u009b\\u202e"');
  expect(quote("x".repeat(1000)).length).toBeLessThan(70);
});
