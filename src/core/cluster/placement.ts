import { assert } from "../kernel/assert.js";
import { counterHash, drawOf, entityWord, scaled, seedWord } from "../kernel/hash.js";
import type { StorageSpec } from "../scenario/scenario.js";
import { fileOfBlock, fileStarts } from "./file-blocks.js";
import type { Topology } from "./topology.js";

/**
 * Chooses the nodes that hold a new block. A pure function of (seed, block): blocks may be placed in any order,
 * or only when first read. `out` receives `replication` distinct nodes (fewer when the cluster is smaller).
 * Returns how many.
 */
export type PlaceBlock = (block: number, out: Int32Array) => number;

/** The rule that the scenario asks for, over files of so many blocks each. */
export function placementOf(
  storage: StorageSpec,
  topology: Topology,
  fileBlocks: readonly number[],
  rootSeed: string,
): PlaceBlock {
  const { placement, replication, nodesPerFile } = storage;
  const seed = seedWord(rootSeed, "block placement");
  switch (placement) {
    case "hdfs":
      return hdfsPlacement(topology, replication, seed);
    case "uniform":
      return uniformPlacement(topology, replication, seed);
    case "correlated":
      return correlatedPlacement(
        topology,
        replication,
        nodesPerFile,
        fileBlocks,
        seed,
        seedWord(rootSeed, "nodes of files"),
      );
  }
}

/** Any distinct nodes, all equally likely. */
export function uniformPlacement(topology: Topology, replication: number, seed: number): PlaceBlock {
  const wanted = Math.min(replication, topology.nodes);
  return (block, out) => {
    let found = 0;
    for (let draw = 0; found < wanted; draw++) {
      const node = scaled(counterHash(seed, block, draw), topology.nodes);
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
  return (block, out) => {
    const draws = entityWord(seed, block);
    let draw = 0;
    const first = scaled(drawOf(draws, draw++), nodes);
    out[0] = first;
    let found = 1;
    if (wanted > 1 && racks > 1) {
      const other = scaled(drawOf(draws, draw++), racks - 1);
      const rack = other >= rackOf[first] ? other + 1 : other;
      const start = rackStart[rack];
      const size = rackStart[rack + 1] - start;
      const second = rackNodes[start + scaled(drawOf(draws, draw++), size)];
      out[found++] = second;
      if (wanted > 2 && size > 1) {
        let third = second;
        while (third === second) third = rackNodes[start + scaled(drawOf(draws, draw++), size)];
        out[found++] = third;
      }
    }
    while (found < wanted) {
      const node = scaled(drawOf(draws, draw++), nodes);
      if (!holds(out, found, node)) out[found++] = node;
    }
    return found;
  };
}

/**
 * All blocks of a file lie on the same `nodesPerFile` nodes: any such set is equally likely for a file, and any `replication`
 * of its nodes for a block. So a file that many read makes few nodes hot.
 * @param nodesPerFile at least `replication`; all nodes when there are fewer.
 * @param fileSeed for the draws of nodes by file, as `seed` is for those by block.
 */
export function correlatedPlacement(
  topology: Topology,
  replication: number,
  nodesPerFile: number,
  fileBlocks: readonly number[],
  seed: number,
  fileSeed: number,
): PlaceBlock {
  assert(nodesPerFile >= replication, "a file has fewer nodes than its blocks have replicas");
  const wanted = Math.min(replication, topology.nodes);
  const starts = fileStarts(fileBlocks);
  const ofFile = new Int32Array(Math.min(nodesPerFile, topology.nodes));
  let drawn = -1;
  return (block, out) => {
    const file = fileOfBlock(starts, block);
    if (file !== drawn) drawSubset(ofFile, topology.nodes, fileSeed, file);
    drawn = file;
    let found = 0;
    for (let draw = 0; found < wanted; draw++) {
      const node = ofFile[scaled(counterHash(seed, block, draw), ofFile.length)];
      if (!holds(out, found, node)) out[found++] = node;
    }
    return found;
  };
}

/** Fills `out` with distinct numbers below `bound` (>= its length), every set of them equally likely (Floyd's algorithm). */
function drawSubset(out: Int32Array, bound: number, seed: number, entity: number): void {
  for (let i = 0; i < out.length; i++) {
    const top = bound - out.length + i;
    const pick = scaled(counterHash(seed, entity, i), top + 1);
    out[i] = holds(out, i, pick) ? top : pick;
  }
}

function holds(list: Int32Array, length: number, node: number): boolean {
  for (let i = 0; i < length; i++) if (list[i] === node) return true;
  return false;
}
