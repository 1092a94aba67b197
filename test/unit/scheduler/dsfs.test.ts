import { describe, expect, it } from "vitest";
import { NODE_LOCAL, NO_INPUT, OFF_RACK, RACK_LOCAL, DsfsLevels } from "../../../dist/core/platforms/hadoop/index.js";
import { type DsfsSpec, fullWaitUs } from "../../../dist/core/scenario/index.js";
import { schedulerOf } from "../../support/small-scenarios.mjs";

const USUAL = schedulerOf("dsfs").dsfs as DsfsSpec;

const READS = 0;
const COMPUTES = 1;
const NO_BLOCKS = 2;

/** T1 2, T2 4. */
function levelsOf(spec: Partial<DsfsSpec>): DsfsLevels {
  const levels = new DsfsLevels({ ...USUAL, t1Us: 2, t2Us: 4, ...spec }, (job) => job === COMPUTES);
  for (const job of [READS, COMPUTES, NO_BLOCKS]) {
    levels.add(job, job === NO_BLOCKS);
    levels.enter(job);
  }
  return levels;
}

/** The levels allowed after 0, 1, 2, ... microseconds. */
function levelsAfter(spec: Partial<DsfsSpec>, job = READS): number[] {
  const levels = levelsOf(spec);
  return Array.from({ length: 8 }, (_, i) => {
    if (i > 0) levels.common++;
    return levels.allowedLevel(job);
  });
}

describe("how far a job may go by DSFS", () => {
  it.each<[Partial<DsfsSpec>, number[]]>([
    [{}, [0, 0, 1, 1, 2, 2, 2, 2]],
    [{ t2Is: "additional" }, [0, 0, 1, 1, 1, 1, 2, 2]],
    [{ at: "waits" }, [0, 0, 0, 1, 1, 2, 2, 2]],
    // At exactly T1 no case of the print holds, and none at exactly T2.
    [{ at: "asPrinted" }, [0, 0, 0, 1, 0, 2, 2, 2]],
    [{ at: "asPrinted", t2Is: "additional" }, [0, 0, 0, 1, 1, 1, 0, 2]],
    [{ t1Us: 4 }, [0, 0, 0, 0, 2, 2, 2, 2]],
    [{ t1Us: 0, t2Us: 0 }, [2, 2, 2, 2, 2, 2, 2, 2]],
    [{ t1Us: 0, t2Us: 0, at: "asPrinted" }, [0, 2, 2, 2, 2, 2, 2, 2]],
  ])("%j: its node until T1, its rack until T2, then anywhere", (spec, expected) => {
    expect(levelsAfter(spec)).toEqual(expected);
  });

  it.each<[Partial<DsfsSpec>, number[]]>([
    [{}, [1, 1, 1, 1, 2, 2, 2, 2]],
    [{ at: "asPrinted" }, [1, 1, 1, 1, 0, 2, 2, 2]],
    [{ jobTypes: false }, [0, 0, 1, 1, 2, 2, 2, 2]],
  ])("%j: its rack at once if it computes more than it reads", (spec, expected) => {
    expect(levelsAfter(spec, COMPUTES)).toEqual(expected);
  });

  it("anywhere without input", () => {
    expect(levelsAfter({ at: "asPrinted" }, NO_BLOCKS)).toEqual([2, 2, 2, 2, 2, 2, 2, 2]);
  });
});

describe("a launch", () => {
  const after = (reset: DsfsSpec["reset"], level: number): [number, number] => {
    const levels = levelsOf({ reset });
    levels.common = 4;
    levels.launched(READS, level);
    return [levels.waited(READS), levels.allowedLevel(READS)];
  };

  it("takes the wait back to 0: any, a node-local one, or none", () => {
    expect([NODE_LOCAL, RACK_LOCAL, OFF_RACK].map((level) => after("launch", level)[0])).toEqual([0, 0, 0]);
    expect([NODE_LOCAL, RACK_LOCAL, OFF_RACK].map((level) => after("nodeLocal", level)[0])).toEqual([0, 4, 4]);
    expect([NODE_LOCAL, RACK_LOCAL, OFF_RACK].map((level) => after("never", level)[0])).toEqual([4, 4, 4]);
  });

  it("somewhere far away does not spare a job its next wait, as Algorithm 3 would", () => {
    expect(after("launch", OFF_RACK)).toEqual([0, NODE_LOCAL]);
    expect(after("nodeLocal", OFF_RACK)).toEqual([4, OFF_RACK]);
  });

  it("leaves word of where it went, and never says that nobody may leave while somebody may", () => {
    const levels = levelsOf({ reset: "nodeLocal" });
    levels.common = 2;
    levels.safeBelow = Infinity;
    levels.launched(READS, RACK_LOCAL);
    expect([levels.lastLevel(READS), levels.safeBelow]).toEqual([RACK_LOCAL, 2]);
    levels.launched(NO_BLOCKS, NO_INPUT);
    expect(levels.lastLevel(NO_BLOCKS)).toBe(OFF_RACK);
  });
});

it("T2 counts from the start, or from T1 on", () => {
  expect(fullWaitUs({ ...USUAL, t1Us: 3, t2Us: 5 })).toBe(5);
  expect(fullWaitUs({ ...USUAL, t1Us: 3, t2Us: 5, t2Is: "additional" })).toBe(8);
});
