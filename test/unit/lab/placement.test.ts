import { describe, expect, it } from "vitest";
import { loadScenario } from "../../../dist/lab/public.js";
import { msOfSecondHalf, placeOn, slicesFor } from "../../../dist/lab/index.js";

const FACEBOOK_DAY = "scenarios/facebook-day.yaml";
const DETAILED = "runtime.model=detailed";

const scenarioOf = (file: string, ...set: string[]) => loadScenario(file, { set }).scenario;

describe("racks are dealt to threads, the master's among them", () => {
  it.each([
    ["none: inline", 0, [], [0, 0]],
    ["one: inline", 1, [], [0, 0]],
    ["two, light: one rack on the other", 2, [], [1, 30]],
    ["four, light", 4, [], [3, 28]],
    ["as many as racks and the master: one each", 32, [], [31, 0]],
    ["more: one each", 40, [], [31, 0]],
    ["two, detailed: the master has a third of them", 2, [DETAILED], [1, 10]],
    ["three, detailed: the master has a ninth", 3, [DETAILED], [2, 3]],
    ["four, detailed: the master has none", 4, [DETAILED], [3, 0]],
    ["two, of light racks that fail: the master has none", 2, ["faults.mapFailure=0.01"], [1, 0]],
    ["two, of two racks", 2, [DETAILED, "cluster.racks=2"], [1, 1]],
    ["two, of one rack", 2, ["cluster.racks=1"], [1, 0]],
  ] as const)("%s", (_, threads, set, [rackThreads, ownRacks]) => {
    expect(placeOn(threads, scenarioOf(FACEBOOK_DAY, ...set))).toEqual({ rackThreads, ownRacks });
  });

  it("with slices that are worth a wake-up", () => {
    const [light, detailed] = [scenarioOf(FACEBOOK_DAY), scenarioOf(FACEBOOK_DAY, DETAILED)];
    const two = { rackThreads: 1, ownRacks: 1 };
    expect([slicesFor({ rackThreads: 0, ownRacks: 0 }, detailed), slicesFor(two, light)]).toEqual([1, 1]);
    // More threads than any machine has cores.
    expect(slicesFor({ rackThreads: 500, ownRacks: 0 }, detailed)).toBe(1);
  });
});

describe("the pace of a probe", () => {
  const marks = [
    { virtualUs: 100, wallMs: 500 },
    { virtualUs: 100, wallMs: 600 },
    { virtualUs: 300, wallMs: 700 },
    { virtualUs: 400, wallMs: 900 },
  ];

  it.each([
    ["from a mark to a mark", 400, 900 - 650],
    ["straight between marks", 350, 800 - 637.5],
    ["to a mark in the start-up", 100, 250],
    ["of nothing: as little as there may be", 0, 1],
  ])("is taken in its second half, %s", (_, endUs, wanted) => {
    expect(msOfSecondHalf({ marks }, endUs)).toBe(wanted);
  });
});
