import { describe, expect, it } from "vitest";
import { autoWaitUs } from "../../../dist/core/platforms/hadoop/index.js";

describe("the automatic locality wait", () => {
  // min(15000, trunc(1.5 * interval)) ms.
  it.each([
    [300, 450],
    [301, 451],
    [3_000, 4_500],
    [3_010, 4_515],
    [7_000, 10_500],
    [9_999, 14_998],
    [10_000, 15_000],
    [60_000, 15_000],
  ])("for a heartbeat every %s ms is %s ms", (intervalMs, waitMs) => {
    expect(autoWaitUs(intervalMs * 1000)).toBe(waitMs * 1000);
  });

  it("is in whole milliseconds for any interval", () => {
    expect(autoWaitUs(1_000_001)).toBe(1_500_000);
    expect(autoWaitUs(999)).toBe(1_000);
    expect(autoWaitUs(600)).toBe(0);
  });
});
