import { expect, it } from "vitest";
import { build, change, price } from "../../bench/quincy-network.mjs";
import type { TaskGraph } from "../../dist/core/platforms/hadoop/index.js";

/** Potentials prove that nothing costs less: complementary slackness. */
function expectCheapest({ flow }: TaskGraph): void {
  const { nodes, nextOut, to, cost, low, up } = flow;
  const { supply, firstOut, potential } = flow.tree;
  const left = Array.from({ length: nodes }, (_, node) => supply[node]!);
  let wrong = 0;
  for (let node = 0; node < nodes; node++) {
    for (let arc = firstOut[node]!; arc >= 0; arc = nextOut[arc]!) {
      const amount = flow.flow[arc]!;
      const reduced = cost[arc]! + potential[node]! - potential[to[arc]!]!;
      const isWithin = amount >= low[arc]! && amount <= up[arc]!;
      if (!isWithin || (amount < up[arc]! && reduced < 0) || (amount > low[arc]! && reduced > 0)) wrong++;
      left[node]! -= amount;
      left[to[arc]!]! += amount;
    }
  }
  // Node 0 takes what the others have.
  expect([wrong, left.slice(1).filter((rest) => rest !== 0)]).toEqual([0, []]);
}

it.each([
  [1, 5000, 700_000, 250, 120_000],
  [5, 2000, 350_000, 40, 90_000],
])("620 nodes of %i slots and 1000 maps: as cheap as can be, within so many operations", (slots, ...most) => {
  const [pivots, arcs, pivotsLater, arcsLater] = most;
  const state = build(slots);
  const { graph } = state;
  const { counts } = graph.flow;
  price(state, 20_000);
  expect(graph.flow.solve()).toBe(true);
  expectCheapest(graph);
  expect(counts.pivots).toBeLessThan(pivots!);
  expect(counts.arcsPriced).toBeLessThan(arcs!);
  const before = { ...counts };
  const rounds = 40;
  for (let round = 0; round < rounds; round++) {
    change(state, round);
    price(state, 20_100 + 100 * round);
    expect(graph.flow.solve()).toBe(true);
  }
  expectCheapest(graph);
  expect((counts.pivots - before.pivots) / rounds).toBeLessThan(pivotsLater!);
  expect((counts.arcsPriced - before.arcsPriced) / rounds).toBeLessThan(arcsLater!);
});
