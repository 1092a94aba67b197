import { beforeAll, describe, expect, it } from "vitest";
import { type Comparison, excludesZero } from "../../dist/experiments/index.js";
import { blockedByLongTasksProbability, slotsHeldByLongTasks } from "../theory/closed-forms.js";
import { compared, meanOf, systemOf } from "../support/compared.js";

describe("slots per node (limit-slots.yaml): what a wait of 5 s is worth", () => {
  let found: Comparison;
  beforeAll(async () => {
    found = await compared("limit-slots.yaml", 1);
  }, 120_000);

  // One of R L slots must come free within W. Tasks are spread a little, waits end at heartbeats, and 250 maps are a
  // sample: 3 points each.
  it.each([1, 2, 4, 8])("with %i slots per node", (slots) => {
    const expected = 1 - (1 - 5 / 20) ** (3 * slots);
    const local = meanOf(found, `W1 5 s mapSlots=${slots}`, "nodeLocalSmall");
    expect(Math.abs(local - expected), `local ${local}, expected ${expected}`).toBeLessThan(0.09);
  });

  it("counted in opportunities the locality stays, and the wait shrinks as slots grow", () => {
    const of = (key: string) => [1, 2, 4, 8].map((slots) => meanOf(found, `D1 60 mapSlots=${slots}`, key));
    for (const local of of("nodeLocalSmall")) expect(local).toBeGreaterThan(0.94);
    const firstTask = of("firstTaskP95");
    expect(firstTask).toEqual([...firstTask].sort((a, b) => b - a));
    // Beside 10 s of set-up: a wait in inverse proportion to the slots.
    expect((firstTask[0]! - 10) / (firstTask[3]! - 10)).toBeGreaterThan(4);
  });
});

describe("long tasks (limit-long-tasks.yaml): where waiting is in vain", () => {
  it("misses as phi^(RL) says, and every miss has waited its 8 s", async () => {
    const found = await compared("limit-long-tasks.yaml", 1);
    for (const share of [0.001, 0.026, 0.057]) {
      const at = `share=${share}`;
      const phi = slotsHeldByLongTasks(share, 150);
      const expected = 1 - blockedByLongTasksProbability(phi, { replication: 3, slotsPerNode: 2 });
      expect(Math.abs(meanOf(found, `8 s ${at}`, "nodeLocalSmall") - expected)).toBeLessThan(0.12);
      expect(meanOf(found, `no wait ${at}`, "nodeLocalSmall")).toBeLessThan(0.2);
    }
    const slower = (share: string) =>
      meanOf(found, `8 s share=${share}`, "responseMean") - meanOf(found, `no wait share=${share}`, "responseMean");
    expect(slower("0.001")).toBeLessThan(1);
    expect(slower("0.026")).toBeGreaterThan(2.5);
    expect(slower("0.057")).toBeGreaterThan(slower("0.026") + 1.5);
  });
});

describe("the wait for the rack (limit-rack-wait.yaml)", () => {
  it("may be far shorter than that for the node: what is left goes off-rack as (3/5)^(D2 + 1)", async () => {
    const found = await compared("limit-rack-wait.yaml", 3);
    const offRack = (name: string) => meanOf(found, name, "elsewhereAll") / (1 - meanOf(found, name, "nodeLocalAll"));
    // The batch hardly ever misses: what is not node-local is the queries', some 150 maps a seed.
    expect(Math.abs(offRack("D2 0") - 0.6)).toBeLessThan(0.12);
    expect(Math.abs(offRack("D2 2") - 0.6 ** 3)).toBeLessThan(0.1);
    expect(Math.abs(offRack("D2 5") - 0.6 ** 6)).toBeLessThan(0.06);
    expect(offRack("D2 20")).toBeLessThan(0.01);
    expect(Math.abs(meanOf(found, "D2 20", "nodeLocalSmall") - meanOf(found, "D2 0", "nodeLocalSmall"))).toBeLessThan(
      0.1,
    );
    expect(excludesZero(systemOf(found, "D2 5").differences!.inputAcrossRacks!)).toBe(true);
  });
});
