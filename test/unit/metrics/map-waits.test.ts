import { describe, expect, it } from "vitest";
import { MapWaits } from "../../../dist/core/platforms/hadoop/index.js";

const SECOND = 1_000_000;
const at = (seconds: number): number => seconds * SECOND;

describe("what maps wait from being pending to launch", () => {
  it("is summed over the maps of a job: three from 12 s on, launched at 12, 15 and 20 s", () => {
    const waits = new MapWaits(2);
    waits.submittedUs[1] = at(10);
    waits.began(1, 3, at(12));
    for (const seconds of [12, 15, 20]) waits.launched(1, 0, -1, true, at(seconds));
    waits.close(at(99));
    expect([...waits.pendingUs]).toEqual([0, at(3 + 8)]);
  });

  it("begins anew for a map that must run again", () => {
    const waits = new MapWaits(1);
    waits.began(0, 1, at(1));
    waits.launched(0, 0, -1, true, at(2));
    waits.began(0, 1, at(30));
    waits.launched(0, 0, -1, true, at(34));
    expect(waits.pendingUs[0]).toBe(at(1 + 4));
  });

  it("lasts until the end for a map that is never launched, and until the failure of a job that fails", () => {
    const waits = new MapWaits(2);
    waits.began(0, 5, at(1));
    waits.launched(0, 0, -1, true, at(2));
    waits.began(1, 2, at(4));
    waits.ended(1, at(5));
    waits.close(at(11));
    expect([...waits.pendingUs]).toEqual([at(1 + 4 * 10), at(2)]);
  });

  it("does not count second attempts, which are wanted while the first runs; what they waited for locality counts", () => {
    const waits = new MapWaits(1);
    waits.began(0, 1, 0);
    waits.launched(0, 7, 0, true, at(1));
    waits.launched(0, 5, at(20), false, at(50));
    waits.launched(0, 5, at(60), false, at(60));
    waits.close(at(60));
    expect([waits.pendingUs[0], waits.clock[0]]).toEqual([at(1), 17]);
    expect([waits.localityUs[0], waits.longestLocalityUs[0]]).toEqual([at(1 + 30), at(30)]);
  });
});
