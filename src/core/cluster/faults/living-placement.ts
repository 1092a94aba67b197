import { counterHash, scaled } from "../../kernel/hash.js";
import type { PlaceBlock } from "../placement.js";
import type { Topology } from "../topology.js";

/** Which nodes have not been given up. */
export interface LivingNodes {
  /** How many there are. */
  readonly living: number;
  isLiving(node: number): boolean;
  /** Some node of another rack lives. */
  livesOutside(rack: number): boolean;
}

/** Where no node is ever given up. */
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
 * The same placement, for blocks that are first asked for when nodes have been given up: the block was there before, and
 * what those nodes held of it has been copied to others already. Each lost replica is found on a living node that holds
 * none, any of them equally likely but those that follow a gap. Where no node lives, the block is placed nowhere, and
 * `lost` is told where its replicas are.
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
    let found = 0;
    for (let i = 0; i < count; i++) {
      if (nodes.isLiving(out[i])) out[found++] = out[i];
      else if (nodes.living === 0) lost(block, out[i]);
    }
    const wanted = Math.min(count, nodes.living);
    while (found < wanted) {
      let node = scaled(counterHash(seed, block, found), topology.nodes);
      while (!nodes.isLiving(node) || out.subarray(0, found).includes(node)) node = (node + 1) % topology.nodes;
      out[found++] = node;
    }
    return found;
  };
}
