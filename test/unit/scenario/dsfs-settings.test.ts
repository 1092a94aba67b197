import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";

const textOf = (scheduler: string): string => `workload: {kind: facebook}\nscheduler: ${scheduler}`;
const load = (scheduler: string, ...set: string[]) => parseScenario(textOf(scheduler), "x.yaml", { set });
const spec = (scheduler: string, ...set: string[]) => load(scheduler, ...set).scenario.scheduler;
const W = (node: number, rack: number) => ({ kind: "time", nodeUs: node * 1e6, rackUs: rack * 1e6 });

/** The print names no times: W1 of the delay scheduling paper's own runs, and twice that. */
const USUAL = {
  t1Us: 5_000_000,
  t2Us: 10_000_000,
  t2Is: "absolute",
  at: "goes",
  reset: "launch",
  jobTypes: true,
  ioBoundFrom: 0.5,
};

describe("scheduler.dsfs", () => {
  it("has defaults for all of it, and none for other kinds", () => {
    expect(spec("dsfs")).toMatchObject({ kind: "dsfs", wait: W(5, 5), updateIntervalUs: 0, dsfs: USUAL });
    expect(spec("{kind: dsfs, dsfs: {}}").dsfs).toEqual(USUAL);
    expect(spec("fair").dsfs).toBeUndefined();
  });

  it("tells its times as W1 and W2, too", () => {
    expect(spec("{kind: dsfs, dsfs: {t1: 2s, t2: 9s}}").wait).toEqual(W(2, 7));
    expect(spec("{kind: dsfs, dsfs: {t1: 2s, t2: 9s, t2Is: additional}}").wait).toEqual(W(2, 9));
    expect(spec("{kind: dsfs, dsfs: {t1: 7s, t2Is: additional}}")).toMatchObject({ wait: W(7, 5) });
    expect(spec("dsfs", "scheduler.dsfs.t1=0").wait).toEqual(W(0, 10));
  });

  it("takes every switch", () => {
    const all = "{t1: 1s, t2: 1s, at: asPrinted, reset: never, jobTypes: off, ioBoundFrom: 0.25}";
    expect(spec(`{kind: dsfs, dsfs: ${all}}`).dsfs).toEqual({
      t1Us: 1e6,
      t2Us: 1e6,
      t2Is: "absolute",
      at: "asPrinted",
      reset: "never",
      jobTypes: false,
      ioBoundFrom: 0.25,
    });
  });

  it("has no effect on other kinds, of which a note tells", () => {
    expect(load("{kind: fair, dsfs: {t1: 1s}}").notes).toEqual(["scheduler.dsfs has no effect on how fair decides"]);
    expect(load("{kind: dsfs, dsfs: {t1: 1s}}").notes).toEqual([]);
    expect(load("{kind: dsfs, pools: {a: {}}}").notes).toHaveLength(1);
  });

  it.each([
    ["{kind: dsfs, dsfs: {t1: 11s}}", "found a T2 of 10s in scheduler.dsfs, allowed T1, which is 11s, or more"],
    ["{kind: dsfs, dsfs: {t1: 3s, t2: 2s}}", "found a T2 of 2s in scheduler.dsfs"],
    ["{kind: dsfs, wait: {node: 3s}}", "found a wait for dsfs, which has its own, allowed scheduler.dsfs with t1"],
    ["{kind: dsfs, wait: none}", "found a wait for dsfs"],
    ["{kind: dsfs, dsfs: {t1: -1s}}", "allowed a time from 0s to 365d"],
    ["{kind: dsfs, dsfs: {t1: 5}}", "write a unit: 5s"],
    ["{kind: dsfs, dsfs: {t3: 5s}}", 'did you mean "t1"?'],
    ["{kind: dsfs, dsfs: {t2Is: relative}}", "allowed absolute, additional"],
    ["{kind: dsfs, dsfs: {at: printed}}", 'did you mean "asPrinted"?'],
    ["{kind: dsfs, dsfs: {reset: nodelocal}}", 'did you mean "nodeLocal"?'],
    ["{kind: dsfs, dsfs: {ioBoundFrom: 1.5}}", "allowed a number from 0 to 1"],
    ["{kind: dsfs, dsfs: off}", 'found "off" for scheduler.dsfs, allowed a mapping with the keys t1, t2'],
  ])("%s is refused", (scheduler, message) => {
    expect(refusal(textOf(scheduler))).toContain(message);
  });
});
