import { describe, expect, it } from "vitest";
import { bytes, counted, fixed, grouped, percent, plain, significant } from "../../../dist/report/index.js";

describe("numbers for people", () => {
  it.each([
    [null, "-"],
    [0, "0.0"],
    [999.94, "999.9"],
    [999.96, "1,000"],
    [86400.4, "86,400"],
  ])("plain(%s) is %s", (value, text) => {
    expect(plain(value)).toBe(text);
  });

  it.each([
    [null, "-"],
    [0, "0"],
    [0.01234, "0.0123"],
    [0.0996, "0.0996"],
    [0.9996, "1.00"],
    [2.104, "2.10"],
    [9.996, "10.0"],
    [27.14, "27.1"],
    [99.96, "100"],
    [1234.5, "1,235"],
  ])("significant(%s) is %s", (value, text) => {
    expect(significant(value)).toBe(text);
  });

  it.each([
    [1234.5, 2, "1,234.50"],
    [-12345.678, 1, "-12,345.7"],
    [999.996, 2, "1,000.00"],
    [0.12345, 4, "0.1235"],
    [626.4, 0, "626"],
  ])("fixed(%s, %s) is %s", (value, decimals, text) => {
    expect(fixed(value, decimals)).toBe(text);
  });

  it("writes shares, groups, plurals and bytes", () => {
    expect([percent(null), percent(0.98249), percent(1)]).toEqual(["-", "98.2", "100.0"]);
    expect([grouped(0), grouped(999), grouped(1000), grouped(1234567)]).toEqual(["0", "999", "1,000", "1,234,567"]);
    expect([counted(1, "rack"), counted(31, "rack"), counted(0, "job")]).toEqual(["1 rack", "31 racks", "0 jobs"]);
    expect([bytes(0), bytes(999), bytes(999_600), bytes(80_123_456)]).toEqual(["0 B", "999 B", "1.00 MB", "80.1 MB"]);
  });
});
