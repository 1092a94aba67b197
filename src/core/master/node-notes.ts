/**
 * Word for running attempts that waits for the reply to the next heartbeat of their node, as everything does that the
 * master wants of a node.
 */
export class NodeNotes {
  /** A bit for every node that must be told something. */
  readonly nodeBits: Int32Array;
  private readonly slotsOf = new Map<number, number[]>();

  constructor(nodes: number) {
    this.nodeBits = new Int32Array((nodes + 31) >> 5);
  }

  get isEmpty(): boolean {
    return this.slotsOf.size === 0;
  }

  add(node: number, slot: number): void {
    const slots = this.slotsOf.get(node);
    if (slots === undefined) this.slotsOf.set(node, [slot]);
    else slots.push(slot);
    this.nodeBits[node >> 5] |= 1 << (node & 31);
  }

  /** The attempt in the slot has gone: the word for it, if there is one, has no meaning any more. */
  cancel(node: number, slot: number): void {
    const slots = this.slotsOf.get(node);
    if (slots === undefined || !slots.includes(slot)) return;
    const others = slots.filter((other) => other !== slot);
    if (others.length > 0) this.slotsOf.set(node, others);
    else this.clear(node);
  }

  /** The node's heartbeat is being answered: the slots it must be told of, in the order in which they were added. */
  take(node: number): readonly number[] {
    if (((this.nodeBits[node >> 5] >>> (node & 31)) & 1) === 0) return NONE;
    const slots = this.slotsOf.get(node) ?? NONE;
    this.clear(node);
    return slots;
  }

  private clear(node: number): void {
    this.slotsOf.delete(node);
    this.nodeBits[node >> 5] &= ~(1 << (node & 31));
  }
}

const NONE: readonly number[] = [];
