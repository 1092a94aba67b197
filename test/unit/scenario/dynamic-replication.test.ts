import { describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import { refusal } from "./refused.js";

const load = (settings: string) =>
  parseScenario(`workload: {kind: benchmark}\nstorage: {dynamicReplication: ${settings}}`, "t.yaml").scenario.storage
    .dynamicReplication;

describe("storage.dynamicReplication", () => {
  it("is off unless asked for, and a name stands for its defaults", () => {
    expect(parseScenario("workload: {kind: benchmark}", "t.yaml").scenario.storage.dynamicReplication).toBeUndefined();
    expect(load("off")).toBeUndefined();
    expect(load("hotSpots")).toEqual({
      rule: "hotSpots",
      everyUs: 10_000_000,
      maxReplicas: Infinity,
      readersPerReplica: 2,
      coolUs: 60_000_000,
    });
  });

  it("is DSBRA by default as shipped, or with settings of its own", () => {
    const usual = { rule: "dsbra", everyUs: 60_000_000, maxReplicas: Infinity, alpha: 0.5, delayUs: null, step: 0.2 };
    expect(load("dsbra")).toEqual(usual);
    expect(load("{rule: dsbra, delay: 3s, maxReplicas: 4}")).toEqual({ ...usual, delayUs: 3_000_000, maxReplicas: 4 });
  });
});

describe("what is wrong with it is said with its place", () => {
  it.each([
    ["an unknown rule", "{rule: dsbr}", "storage.dynamicReplication"],
    ["no rule", "{every: 1m}", "storage.dynamicReplication"],
    ["a word", "sometimes", "storage.dynamicReplication"],
    ["a look at every moment", "{rule: dsbra, every: 0}", "storage.dynamicReplication"],
    ["a look without a unit", "{rule: hotSpots, every: 10}", "storage.dynamicReplication"],
    ["a step of nothing", "{rule: dsbra, step: 0}", "storage.dynamicReplication"],
    ["an alpha above 1", "{rule: dsbra, alpha: 1.5}", "storage.dynamicReplication"],
    ["NaN", "{rule: dsbra, alpha: .nan}", "storage.dynamicReplication"],
    ["a wait of nothing", "{rule: dsbra, delay: 0}", "storage.dynamicReplication"],
    ["half a reader", "{rule: hotSpots, readersPerReplica: 0.5}", "storage.dynamicReplication"],
    ["no replica", "{rule: hotSpots, maxReplicas: 0}", "storage.dynamicReplication"],
    ["a retired switch", "{rule: dsbra, variant: asPrinted}", "storage.dynamicReplication"],
    ["another rule's setting", "{rule: hotSpots, alpha: 0.5}", "storage.dynamicReplication"],
    ["a list", "[dsbra]", "storage.dynamicReplication"],
  ])("%s", (_, settings, place) => {
    const message = refusal(`workload: {kind: benchmark}\nstorage: {dynamicReplication: ${settings}}`);
    expect(message).toContain(place);
    expect(message).toMatch(/^x\.yaml:2:\d+: found/);
  });

  it.each([
    ["no size", "{}"],
    ["nothing", "{size: 0}"],
    ["more than all of it is hot", "{size: 1GB, hotShare: 1.1}"],
    ["a redraw at once", "{size: 1GB, redraw: 0}"],
    ["a word", "all"],
  ])("a data set of %s", (_, settings) => {
    expect(refusal(`workload: {kind: benchmark}\nstorage: {dataSet: ${settings}}`)).toContain("storage.dataSet");
  });

  it("DSBRA without anybody who waits is noted, and so is a time beside opportunities", () => {
    const notes = (scheduler: string, rule: string): readonly string[] =>
      parseScenario(
        `workload: {kind: benchmark}\nscheduler: ${scheduler}\nstorage: {dynamicReplication: ${rule}}`,
        "t.yaml",
      ).notes;
    expect(notes("fair", "dsbra")).toEqual([
      "storage.dynamicReplication has no effect: dsbra goes by what jobs wait for locality, and none waits",
    ]);
    expect(notes("delay", "{rule: dsbra, delay: 5s}")).toEqual([
      "storage.dynamicReplication.delay has no effect: waits that count opportunities are no shares of a time",
    ]);
    expect([notes("fair", "hotSpots"), notes("delay", "dsbra"), notes("hfs", "{rule: dsbra, delay: 5s}")]).toEqual([
      ...[[], [], []],
    ]);
  });

  it("a data set that nobody reads is noted, and no map can be cut away", () => {
    const { notes } = parseScenario(
      "workload: {kind: jobs, jobs: [{maps: 1}]}\nstorage: {dataSet: {size: 1GB}}",
      "t.yaml",
    );
    expect(notes).toEqual(["storage.dataSet has no effect: a workload of kind jobs says itself what its jobs read"]);
    expect(refusal("workload: {kind: benchmark, maxMaps: 0}")).toContain("workload.maxMaps");
  });
});
