import { expect, it } from "vitest";
import { bytes, counted, fixed, grouped, percent, plain, significant } from "../../../dist/report/index.js";

it("Numbers for people are rounded, grouped and counted", () => {
  expect([null, 0, 999.94, 999.96, 86_400.4].map(plain)).toEqual(["-", "0.0", "999.9", "1,000", "86,400"]);
  expect([null, 0, 0.01234, 0.9996, 2.104, 9.996, 99.96, 1234.5].map(significant)).toEqual([
    ...["-", "0", "0.0123", "1.00", "2.10", "10.0", "100", "1,235"],
  ]);
  expect([fixed(1234.5, 2), fixed(-12_345.678, 1), fixed(999.996, 2), fixed(0.12345, 4), fixed(626.4, 0)]).toEqual([
    ...["1,234.50", "-12,345.7", "1,000.00", "0.1235", "626"],
  ]);
  expect([null, 0.98249, 1].map(percent)).toEqual(["-", "98.2", "100.0"]);
  expect([0, 999, 1000, 1_234_567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"]);
  expect([counted(1, "rack"), counted(31, "rack"), counted(0, "job")]).toEqual(["1 rack", "31 racks", "0 jobs"]);
  expect([0, 999, 999_600, 80_123_456].map(bytes)).toEqual(["0 B", "999 B", "1.00 MB", "80.1 MB"]);
});
