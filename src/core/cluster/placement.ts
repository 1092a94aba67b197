import { assert, counterHash, drawOf, entityWord, scaled, seedWord } from "../kernel/index.js";
import type { StorageSpec } from "../scenario/index.js";
import type { FileSpec } from "../workload/index.js";
import { nodesByPlace, type Topology } from "./topology.js";

/** Blocks are numbered through all files: block 0 of file f is element f, the last element is the number of blocks. */
export function fileStarts(fileBlocks: readonly number[]): Float64Array {
  const starts = new Float64Array(fileBlocks.length + 1);
  fileBlocks.forEach((blocks, f) => (starts[f + 1] = starts[f] + blocks));
  return starts;
}

/** The file that `block` belongs to. Logarithmic time. */
export function fileOfBlock(starts: Float64Array, block: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= block) low = middle;
    else high = middle - 1;
  }
  return low;
}

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

/**
 * Blocks of which the workload says where they lie are there, all others where `place` puts them; null: it says
 * nothing.
 */
export function listedPlacement(
  place: PlaceBlock,
  topology: Topology,
  files: readonly FileSpec[],
): { readonly place: PlaceBlock; readonly mostReplicas: number } | null {
  if (files.every(({ hosts }) => hosts === undefined)) return null;
  const starts = fileStarts(files.map(({ blocks }) => blocks));
  const byPlace = nodesByPlace(topology);
  let mostReplicas = 0;
  for (const { hosts } of files) {
    for (const nodes of hosts?.values() ?? []) mostReplicas = Math.max(mostReplicas, nodes.length);
  }
  const placeListed: PlaceBlock = (block, out) => {
    const file = fileOfBlock(starts, block);
    const hosts = files[file].hosts?.get(block - starts[file]);
    if (hosts === undefined) return place(block, out);
    hosts.forEach(({ rack, node }, i) => (out[i] = byPlace[rack][node]));
    return hosts.length;
  };
  return { place: placeListed, mostReplicas };
}

/** Any distinct nodes, all equally likely. */
export function uniformPlacement(topology: Topology, replication: number, seed: number): PlaceBlock {
  const wanted = Math.min(replication, topology.nodes);
  return (block, out) => {
    let count = 0;
    for (let draw = 0; count < wanted; draw++) {
      const node = scaled(counterHash(seed, block, draw), topology.nodes);
      if (!holds(out, count, node)) out[count++] = node;
    }
    return count;
  };
}

/**
 * HDFS's rule for a writer outside the cluster: the first replica anywhere; the second on any node of the other racks,
 * all of them equally likely, so that a large rack gets more than a small one; the third on another node of the
 * second's rack or, if there is none, of the first's; any further ones anywhere. Where racks are too few or too small,
 * any node takes what is left.
 */
export function hdfsPlacement(topology: Topology, replication: number, seed: number): PlaceBlock {
  const { rackOf, rackNodes, rackStart, nodes } = topology;
  const wanted = Math.min(replication, nodes);
  const sizeOf = (rack: number) => rackStart[rack + 1] - rackStart[rack];
  // Given its draw, and so made once: a function that draws by itself would be made for each block.
  const nodeOf = (rack: number, word: number) => rackNodes[rackStart[rack] + scaled(word, sizeOf(rack))];
  return (block, out) => {
    const draws = entityWord(seed, block);
    let draw = 0;
    const first = scaled(drawOf(draws, draw++), nodes);
    const home = rackOf[first];
    const outside = nodes - sizeOf(home);
    out[0] = first;
    let count = 1;
    if (wanted > 1 && outside > 0) {
      // One draw for the rack, as likely as it is large, and one for the node.
      const place = scaled(drawOf(draws, draw++), outside);
      const rack = rackOf[rackNodes[place < rackStart[home] ? place : place + sizeOf(home)]];
      out[count++] = nodeOf(rack, drawOf(draws, draw++));
      const near = sizeOf(rack) > 1 ? rack : home;
      while (count < Math.min(wanted, 3) && sizeOf(near) > 1) {
        const third = nodeOf(near, drawOf(draws, draw++));
        if (!holds(out, count, third)) out[count++] = third;
      }
    }
    while (count < wanted) {
      const node = scaled(drawOf(draws, draw++), nodes);
      if (!holds(out, count, node)) out[count++] = node;
    }
    return count;
  };
}

/**
 * All blocks of a file lie on the same `nodesPerFile` nodes: any such set is equally likely for a file, and any
 * `replication` of its nodes for a block. So a file that many read makes few nodes hot.
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
    let count = 0;
    for (let draw = 0; count < wanted; draw++) {
      const node = ofFile[scaled(counterHash(seed, block, draw), ofFile.length)];
      if (!holds(out, count, node)) out[count++] = node;
    }
    return count;
  };
}

/**
 * Fills `out` with distinct numbers below `bound` (>= its length), every set of them equally likely (Floyd's
 * algorithm).
 */
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

/** The nodes that have not been given up. */
export interface LivingNodes {
  /** Number of living nodes. */
  readonly living: number;
  isLiving(node: number): boolean;
  /** Some node of another rack lives. */
  livesOutside(rack: number): boolean;
}

/** The liveness of a cluster in which no node is ever given up. */
export class AllLiving implements LivingNodes {
  readonly living: number;
  private readonly racks: number;

  constructor({ nodes, racks }: Topology) {
    this.living = nodes;
    this.racks = racks;
  }

  isLiving(): boolean {
    return true;
  }

  livesOutside(): boolean {
    return this.racks > 1;
  }
}

/**
 * The same placement, for blocks that are first used when nodes have been given up: the block was there before, and
 * what those nodes held of it has been copied to others already. Each lost replica is found on a living node that holds
 * none, any of them equally likely but those that follow a gap. Where no node lives, the block is placed nowhere, and
 * `lost` is called with the nodes of its replicas.
 */
export function livingPlacement(
  place: PlaceBlock,
  topology: Topology,
  seed: number,
  nodes: LivingNodes,
  lost: (block: number, node: number) => void,
): PlaceBlock {
  return (block, out) => {
    const count = place(block, out);
    let placed = 0;
    for (let i = 0; i < count; i++) {
      if (nodes.isLiving(out[i])) out[placed++] = out[i];
      else if (nodes.living === 0) lost(block, out[i]);
    }
    const wanted = Math.min(count, nodes.living);
    while (placed < wanted) {
      let node = scaled(counterHash(seed, block, placed), topology.nodes);
      while (!nodes.isLiving(node) || out.subarray(0, placed).includes(node)) node = (node + 1) % topology.nodes;
      out[placed++] = node;
    }
    return placed;
  };
}
