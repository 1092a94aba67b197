import { describe, expect, it } from "vitest";
import { ReloadTimes } from "../../../dist/core/platforms/hadoop/index.js";
import { allocationsOf, schedulerOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;

/** What is left of the reloads: when each takes effect, and its mark. */
function reloadsAt(times: readonly number[], updateIntervalUs: number): number[][] {
  const reloads = times.map((atUs, i) => ({ atUs, allocations: allocationsOf({ poolMaxJobs: i }) }));
  const left = new ReloadTimes(schedulerOf("hfs", { reloads, updateIntervalUs }));
  const taken: number[][] = [];
  while (left.nextUs !== Infinity) {
    const atUs = left.nextUs;
    taken.push([atUs, left.take().poolMaxJobs]);
  }
  return taken;
}

describe("reloads", () => {
  it("are none where none are listed", () => {
    expect(new ReloadTimes(schedulerOf("hfs")).nextUs).toBe(Infinity);
  });

  it("take effect at the first update at or after their time, the last of those that it would meet", () => {
    expect(reloadsAt([0, 1, 500_000, 500_001, 7 * SECOND], 500_000)).toEqual([
      [0, 0],
      [500_000, 2],
      [SECOND, 3],
      [7 * SECOND, 4],
    ]);
  });

  it("take effect at once where demands are always fresh", () => {
    expect(reloadsAt([1, 3 * SECOND + 1], 0)).toEqual([
      [1, 0],
      [3 * SECOND + 1, 1],
    ]);
  });

  it("fall on the update exactly, decades into a run", () => {
    const late = 500_000 * 2_000_000_000;
    expect(reloadsAt([late, late + 1], 500_000)).toEqual([
      [late, 0],
      [late + 500_000, 1],
    ]);
  });
});
