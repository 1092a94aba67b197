const NONE: readonly number[] = [];

/** Replicas that were ordered for certain nodes and are not yet on their way there. */
export class PlannedCopies {
  /** A bit for every node that is to get one. */
  readonly nodeBits: Int32Array;
  private readonly blocksOf = new Map<number, number[]>();
  private readonly nodesOf = new Map<number, number[]>();

  constructor(nodes: number) {
    this.nodeBits = new Int32Array((nodes + 31) >> 5);
  }

  /** Blocks for the node, in the order of the orders. */
  on(node: number): readonly number[] {
    return this.blocksOf.get(node) ?? NONE;
  }

  /** How many nodes are to get the block. */
  of(block: number): number {
    return this.nodesOf.get(block)?.length ?? 0;
  }

  add(block: number, node: number): void {
    push(this.blocksOf, node, block);
    push(this.nodesOf, block, node);
    this.nodeBits[node >> 5] |= 1 << (node & 31);
  }

  /** The node gets the block now, or never. */
  remove(block: number, node: number): void {
    take(this.nodesOf, block, node);
    if (take(this.blocksOf, node, block)) this.nodeBits[node >> 5] &= ~(1 << (node & 31));
  }

  /** The last order for the block is taken back, if there is one. */
  cancel(block: number): void {
    const nodes = this.nodesOf.get(block);
    if (nodes !== undefined) this.remove(block, nodes[nodes.length - 1]);
  }
}

function push(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** True: that was the last value of the key. */
function take(lists: Map<number, number[]>, key: number, value: number): boolean {
  const others = (lists.get(key) ?? []).filter((other) => other !== value);
  if (others.length > 0) lists.set(key, others);
  else lists.delete(key);
  return others.length === 0;
}
