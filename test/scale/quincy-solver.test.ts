import { expect, it } from "vitest";
import { build, change, price } from "../../bench/quincy-network.mjs";
import type { TaskGraph } from "../../dist/core/platforms/hadoop/index.js";
import { lpMinCost } from "../support/lp-oracle.js";
import type { PlainNetwork } from "../support/naive-min-cost-flow.js";

function plainOf(graph: TaskGraph): PlainNetwork {
  const { nodes, supply, firstOut, nextOut, from, to, cost, low, up } = graph.flow.network;
  const supplies = new Map<number, number>();
  const arcs: PlainNetwork["arcs"][number][] = [];
  for (let node = 0; node < nodes; node++) {
    supplies.set(node, supply[node]!);
    for (let arc = firstOut[node]!; arc >= 0; arc = nextOut[arc]!) {
      arcs.push({ from: from[arc]!, to: to[arc]!, cost: cost[arc]!, low: low[arc]!, up: up[arc]! });
    }
  }
  return { supplies, arcs };
}

it.each([
  [1, 5000, 700_000, 250, 120_000],
  [5, 2000, 350_000, 40, 90_000],
])(
  "620 nodes of %i slots and 1000 maps: as cheap as the linear program, within so many operations",
  (slots, ...most) => {
    const [pivots, arcs, pivotsLater, arcsLater] = most;
    const state = build(slots);
    const { graph } = state;
    const { counts } = graph.flow;
    price(state, 20_000);
    expect(graph.flow.solve()).toBe(true);
    expect(graph.flow.totalCost()).toBe(lpMinCost(plainOf(graph)));
    expect(counts.pivots).toBeLessThan(pivots!);
    expect(counts.arcsPriced).toBeLessThan(arcs!);
    const before = { ...counts };
    const rounds = 40;
    for (let round = 0; round < rounds; round++) {
      change(state, round);
      price(state, 20_100 + 100 * round);
      expect(graph.flow.solve()).toBe(true);
    }
    expect(graph.flow.totalCost()).toBe(lpMinCost(plainOf(graph)));
    expect((counts.pivots - before.pivots) / rounds).toBeLessThan(pivotsLater!);
    expect((counts.arcsPriced - before.arcsPriced) / rounds).toBeLessThan(arcsLater!);
  },
);
