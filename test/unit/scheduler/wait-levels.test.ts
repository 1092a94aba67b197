import { describe, expect, it } from "vitest";
import {
  distanceOf,
  NO_INPUT,
  NODE_LOCAL,
  OFF_RACK,
  RACK_LOCAL,
  ROW_LOCAL,
  SkipWait,
  TimeWait,
  WaitLevels,
} from "../../../dist/core/platforms/hadoop/index.js";

const JOB = 0;

/** The levels allowed after 0, 1, 2, ... units of waiting since a launch as of `last` (null: none yet). */
function levelsAfter(levels: WaitLevels, last: number | null, units: number): number[] {
  levels.add(JOB, false);
  levels.enter(JOB);
  if (last !== null) levels.launched(JOB, last);
  return Array.from({ length: units }, (_, i) => {
    if (i > 0) levels.common++;
    return levels.allowedLevel(JOB);
  });
}

describe("how far a job may go after having waited", () => {
  // 2 for its node, 1 more for its rack, 3 more for its row.
  it.each([
    ["no launch", null, [0, 0, 1, 4, 4, 4, 2, 2]],
    ["a node-local launch", NODE_LOCAL, [0, 0, 1, 4, 4, 4, 2, 2]],
    ["a rack-local launch", RACK_LOCAL, [1, 4, 4, 4, 2, 2, 2, 2]],
    ["a launch in its row", ROW_LOCAL, [4, 4, 4, 2, 2, 2, 2, 2]],
    ["a launch elsewhere", OFF_RACK, [2, 2, 2, 2, 2, 2, 2, 2]],
    ["a launch without input", NO_INPUT, [2, 2, 2, 2, 2, 2, 2, 2]],
  ])("since %s: its node, its rack, its row, anywhere", (_, last, expected) => {
    expect(levelsAfter(new WaitLevels({ node: 2, rack: 1, row: 3 }), last, 8)).toEqual(expected);
  });

  it("passes the row over where there are no rows", () => {
    expect(levelsAfter(new WaitLevels({ node: 2, rack: 1, row: 0 }), null, 5)).toEqual([0, 0, 1, 2, 2]);
    expect(levelsAfter(new WaitLevels({ node: 2, rack: 1, row: 0 }), RACK_LOCAL, 3)).toEqual([1, 2, 2]);
  });

  it("tightens with a launch that was nearer than it might have been", () => {
    const levels = new WaitLevels({ node: 2, rack: 1, row: 3 });
    levelsAfter(levels, OFF_RACK, 1);
    levels.launched(JOB, ROW_LOCAL);
    expect([levels.allowedLevel(JOB), levels.lastLevel(JOB)]).toEqual([ROW_LOCAL, ROW_LOCAL]);
    levels.launched(JOB, NODE_LOCAL);
    expect([levels.allowedLevel(JOB), levels.lastLevel(JOB)]).toEqual([NODE_LOCAL, NODE_LOCAL]);
  });

  it("goes by skipped opportunities, one for every fruitless search", () => {
    const wait = new SkipWait({ node: 1, rack: 1, row: 2 });
    wait.add(JOB, false);
    wait.enter(JOB);
    const allowed = Array.from({ length: 5 }, () => {
      const level = wait.levels.allowedLevel(JOB);
      wait.allPassedOver(wait.levels.leavesNodeAt(JOB));
      return level;
    });
    expect(allowed).toEqual([NODE_LOCAL, RACK_LOCAL, ROW_LOCAL, ROW_LOCAL, OFF_RACK]);
  });

  it("goes by the time from one heartbeat that skipped it to the next", () => {
    const wait = new TimeWait(new WaitLevels({ node: 5, rack: 5, row: 10 }), false, false);
    wait.add(JOB, false);
    wait.enter(JOB);
    const allowed = [0, 4, 5, 10, 19, 20].map((nowUs) => {
      wait.begin(nowUs);
      const level = wait.levels.allowedLevel(JOB);
      wait.allPassedOver(wait.levels.leavesNodeAt(JOB));
      return level;
    });
    expect(allowed).toEqual([NODE_LOCAL, NODE_LOCAL, RACK_LOCAL, ROW_LOCAL, ROW_LOCAL, OFF_RACK]);
  });
});

describe("a job that no search visits", () => {
  it("keeps what it has waited, and waits no more", () => {
    const levels = new WaitLevels({ node: 5, rack: 5, row: 0 });
    levels.add(JOB, false);
    levels.enter(JOB);
    levels.common += 3;
    levels.leave(JOB);
    levels.common += 3;
    expect(levels.waited(JOB)).toBe(3);
    levels.enter(JOB);
    levels.common += 3;
    expect([levels.waited(JOB), levels.allowedLevel(JOB), levels.nobodyMayLeave()]).toEqual([6, RACK_LOCAL, false]);
  });

  it("neither leaves nor comes twice", () => {
    const levels = new WaitLevels({ node: 5, rack: 5, row: 0 });
    levels.add(JOB, false);
    expect(() => levels.leave(JOB)).toThrow("a job leaves that nobody visits");
    levels.enter(JOB);
    expect(() => levels.enter(JOB)).toThrow("a job is visited twice");
  });
});

describe("labels of nearness", () => {
  it("are not in the order of distance", () => {
    const byDistance = [OFF_RACK, ROW_LOCAL, RACK_LOCAL, NODE_LOCAL].sort((a, b) => distanceOf(a) - distanceOf(b));
    expect(byDistance).toEqual([NODE_LOCAL, RACK_LOCAL, ROW_LOCAL, OFF_RACK]);
    expect(distanceOf(NO_INPUT)).toBe(distanceOf(OFF_RACK));
  });
});
