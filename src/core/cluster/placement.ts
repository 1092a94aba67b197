import { counterHash } from "../kernel/hash.js";
import type { Topology } from "./topology.js";

/**
 * Chooses the nodes that hold a new block. A pure function of (seed, block): blocks may be placed in any order,
 * or only when first read. `out` receives `replication` distinct nodes (fewer when the cluster is smaller).
 * Returns how many.
 */
export type PlaceBlock = (block: number, out: Int32Array) => number;

/** Any distinct nodes, all equally likely. */
export function uniformPlacement(topology: Topology, replication: number, seed: number): PlaceBlock {
  const wanted = Math.min(replication, topology.nodes);
  return (block, out) => {
    let found = 0;
    for (let draw = 0; found < wanted; draw++) {
      const node = below(counterHash(seed, block, draw), topology.nodes);
      if (!holds(out, found, node)) out[found++] = node;
    }
    return found;
  };
}

/**
 * HDFS's rule for a writer outside the cluster: the first replica anywhere, the second on another rack, the third on
 * the second's rack, any further ones anywhere. Falls back to any free node where racks are too few or too small.
 */
export function hdfsPlacement(topology: Topology, replication: number, seed: number): PlaceBlock {
  const { rackOf, rackNodes, rackStart, nodes, racks } = topology;
  const wanted = Math.min(replication, nodes);
  const pickInRack = (rack: number, word: number): number => {
    const start = rackStart[rack];
    return rackNodes[start + below(word, rackStart[rack + 1] - start)];
  };
  const otherRack = (rack: number, word: number): number => {
    const r = below(word, racks - 1);
    return r >= rack ? r + 1 : r;
  };
  return (block, out) => {
    let draw = 0;
    const next = (): number => counterHash(seed, block, draw++);
    out[0] = below(next(), nodes);
    let found = 1;
    if (wanted > 1 && racks > 1) {
      out[found++] = pickInRack(otherRack(rackOf[out[0]], next()), next());
    }
    if (wanted > 2 && racks > 1) {
      const rack = rackOf[out[1]];
      if (rackStart[rack + 1] - rackStart[rack] > 1) {
        let node = out[1];
        while (node === out[1]) node = pickInRack(rack, next());
        out[found++] = node;
      }
    }
    while (found < wanted) {
      const node = below(next(), nodes);
      if (!holds(out, found, node)) out[found++] = node;
    }
    return found;
  };
}

/** A 32-bit word scaled to an integer in [0, bound). */
function below(word: number, bound: number): number {
  return Math.floor((word / 4294967296) * bound);
}

function holds(list: Int32Array, length: number, node: number): boolean {
  for (let i = 0; i < length; i++) if (list[i] === node) return true;
  return false;
}
