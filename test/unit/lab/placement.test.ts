import { describe, expect, it } from "vitest";
import { loadScenario, runScenario } from "../../../dist/lab/public.js";
import { choosePlacement, msOfSecondHalf, placeOn, slicesFor } from "../../../dist/lab/index.js";
import { builderWith } from "../../../dist/core/platforms/hadoop/index.js";
import { loadWorkload } from "../../../dist/io/index.js";

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

  it("is finite where the probe saw nothing", () => {
    expect(msOfSecondHalf({ marks: [] }, 100)).toBe(1);
  });
});

describe("a placement is chosen", () => {
  const chosen = async (placement: number | "rack" | "auto", ...set: string[]) => {
    const { scenario, directory } = loadScenario("scenarios/tiny.yaml", { set });
    const build = builderWith([], scenario.run.seed);
    return choosePlacement(placement, scenario, await loadWorkload(scenario, directory), build, undefined);
  };

  it("as it was asked for, as far as there are racks", async () => {
    const racks = scenarioOf("scenarios/tiny.yaml").cluster.racks.length;
    expect(await chosen(2)).toMatchObject({ rackThreads: 1, reason: expect.stringMatching(/^as --threads says/) });
    expect(await chosen("rack")).toMatchObject({ rackThreads: racks, ownRacks: 0 });
    const reason = `99 were asked for; there are ${String(racks)} racks`;
    expect(await chosen(99)).toEqual({ rackThreads: racks, ownRacks: 0, reason });
  });

  it("by auto: inline for light racks, and for a run that is over before threads have started", async () => {
    const inline = { rackThreads: 0, ownRacks: 0 };
    expect(await chosen("auto")).toEqual({ ...inline, reason: "auto: light racks are fastest inline" });
    expect(await chosen("auto", DETAILED)).toMatchObject({ ...inline, reason: expect.stringMatching(/^auto: /) });
  });

  it("and told in the summary: all threads, and where the racks are", async () => {
    const { scenario, directory } = loadScenario("scenarios/tiny.yaml", { set: ["cluster.racks=3"] });
    const costs = new Map<unknown, unknown>();
    const fingerprints = new Set<string>();
    for (const placement of [0, 2, 3, "rack"] as const) {
      const { summary } = await runScenario(scenario, directory, { placement });
      costs.set(placement, [summary.cost.threads, summary.cost.placement]);
      fingerprints.add(summary.fingerprint);
    }
    expect(Object.fromEntries(costs)).toEqual({
      0: [1, "inline"],
      2: [2, "2 threads (2 of 3 racks on the master's)"],
      3: [3, "3 threads (1 of 3 racks on the master's)"],
      rack: [4, "4 threads (one per rack, and the master's)"],
    });
    expect(fingerprints.size).toBe(1);
  });
});
