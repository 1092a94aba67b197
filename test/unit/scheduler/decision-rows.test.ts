import { describe, expect, it } from "vitest";
import { DecisionLog, DECISIONS } from "../../../dist/core/platforms/hadoop/index.js";

const SLOT = DECISIONS.indexOf("slot");
const LOCALITY = DECISIONS.indexOf("locality");

/**
 * Slots that job 0 waits for go to these jobs, one a second; -1: it is asked in vain. Jobs 1, 2, 3 are alone in pools
 * of their own, 4 and 5 share one.
 */
function rowsOf(takers: readonly number[]): (string | number)[][] {
  const log = new DecisionLog();
  const ids = Int32Array.of(0, 1, 2, 3, 4, 5);
  const rowsOfJobs = log.rowsOf({ id: ids, pool: Int32Array.of(1, 2, 3, 4, 5, 5), pending: [ids, ids] }, true);
  takers.forEach((taker, second) => {
    rowsOfJobs.missed(0, taker < 0 ? LOCALITY : SLOT, second, 1, -1, 7, taker);
  });
  const { rows, fromUs, toUs, decision, count, takenBy } = log.columns(takers.length);
  return Array.from({ length: rows }, (_, i) => [fromUs[i], toUs[i], DECISIONS[decision[i]], count[i], takenBy[i]]);
}

const times = (count: number, ...takers: number[]): number[] => Array.from({ length: count }, () => takers).flat();

describe("rows of the decision log", () => {
  it("are one for as long as one pool gets the slots, with its last job", () => {
    expect(rowsOf(times(500, 4, 5))).toEqual([[0, 1000, "slot", 1000, 5]]);
  });

  it("name the pool that got most, where several got slots, up to 16 of them", () => {
    expect(rowsOf([1, 2, 2, 3, 2])).toEqual([[0, 5, "slot", 5, 2]]);
    expect(rowsOf([2, 2, 2, 1, 3])).toEqual([[0, 5, "slot", 5, 2]]);
    const rows = rowsOf(times(100, 1, 2, 1));
    expect(rows.every(([, , , , by]) => by === 1)).toBe(true);
    // The row goes on for as long as its own pool gets slots.
    expect(Math.max(...rows.map(([, , , count]) => Number(count)))).toBeLessThanOrEqual(18);
    expect(rows.reduce((sum, [, , , count]) => sum + Number(count), 0)).toBe(300);
  });

  it("end when another pool comes after more than 16 of one, and when the reason changes", () => {
    expect(rowsOf([...times(20, 1), ...times(20, 2), -1, 3])).toEqual([
      [0, 20, "slot", 20, 1],
      [20, 40, "slot", 20, 2],
      [40, 41, "locality", 1, -1],
      [41, 42, "slot", 1, 3],
    ]);
  });
});
