import type { Draws } from "./monte-carlo.js";

/** The nodes holding each block, as HDFS's uniform placement has it: each block on `replication` different nodes. */
export function placeBlocks(draws: Draws, blocks: number, nodes: number, replication: number): number[][] {
  return Array.from({ length: blocks }, () => draws.distinct(replication, nodes));
}

/** The paper's placement: each copy of the whole input striped over as many different nodes as it has blocks. */
export function placeStriped(draws: Draws, blocks: number, nodes: number, replication: number): number[][] {
  const copies = Array.from({ length: replication }, () => draws.distinct(blocks, nodes));
  return Array.from({ length: blocks }, (_, block) => copies.map((copy) => copy[block]));
}

/** The nodes with at least one block. */
export function preferredNodes(placement: readonly (readonly number[])[]): Set<number> {
  return new Set(placement.flat());
}
