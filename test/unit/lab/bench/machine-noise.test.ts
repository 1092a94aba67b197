import { expect, it } from "vitest";
import { constantWork } from "../../../../dist/lab/index.js";

it("what the machine adds is seen on calls of about five microseconds, by the clock that is given", () => {
  // Of this clock no time passes but one microsecond per reading.
  let readings = 0;
  const calls = constantWork(() => readings++ / 1_000, 500);
  expect(calls.count).toBe(500);
  expect(calls.percentileUs(50)).toBeCloseTo(1, 2);
  expect(calls.maxUs).toBeCloseTo(1, 2);
});
