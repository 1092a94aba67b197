import type { Topology } from "../../cluster/topology.js";

type Dealt = Pick<Topology, "nodes" | "rackNodes" | "mapSlots" | "reduceSlots">;

/** The nodes with every kind of slot that the cluster has, in the order of racks and of places in them. */
export function wholeNodes({ rackNodes, mapSlots, reduceSlots }: Dealt): number[] {
  const hasMaps = mapSlots.some((slots) => slots > 0);
  const hasReduces = reduceSlots.some((slots) => slots > 0);
  return [...rackNodes].filter((node) => (mapSlots[node] > 0 || !hasMaps) && (reduceSlots[node] > 0 || !hasReduces));
}

/**
 * Who gets the first node, the second and so on: everybody one, then each time whoever has the most weight for twice its
 * nodes and one more (Sainte-Lague), the first of equals. With equal weights they take turns.
 */
export function turnsByWeight(weights: readonly number[], nodes: number): Int32Array {
  const got = new Int32Array(weights.length);
  const turns = new Int32Array(nodes);
  for (let turn = 0; turn < nodes; turn++) {
    const next = turn < weights.length ? turn : mostOwed(weights, got);
    turns[turn] = next;
    got[next]++;
  }
  return turns;
}

function mostOwed(weights: readonly number[], got: Int32Array): number {
  let next = 0;
  for (let k = 1; k < weights.length; k++) {
    if (weights[k] * (2 * got[next] + 1) > weights[next] * (2 * got[k] + 1)) next = k;
  }
  return next;
}

/**
 * The private cluster of every node. Whole nodes are dealt first, so that each cluster can run whatever comes. `striped`: like
 * cards, rack after rack; `contiguous`: as many for each, side by side.
 * @param weights of the private clusters: no more of them than whole nodes, or one.
 */
export function dealNodes(topology: Dealt, weights: readonly number[], deal: "striped" | "contiguous"): Int32Array {
  const whole = wholeNodes(topology);
  const isWhole = new Set(whole);
  const others = [...topology.rackNodes].filter((node) => !isWhole.has(node));
  const clusterOf = new Int32Array(topology.nodes);
  for (const nodes of [whole, others]) {
    const turns = turnsByWeight(weights, nodes.length);
    if (deal === "contiguous") turns.sort((a, b) => a - b);
    nodes.forEach((node, turn) => {
      clusterOf[node] = turns[turn];
    });
  }
  return clusterOf;
}
