import { widened } from "../widened.js";
import { assert } from "../assert.js";

/** As an upper bound: none. */
export const UNBOUNDED = 0x3fffffff;

/** The node that takes whatever all others supply. */
export const ROOT = 0;

/** Where an arc stands: at its lower bound, at its upper bound, or neither: in the tree, artificial or not in use. */
export const AT_LOW = 1;
export const AT_UP = -1;
export const APART = 0;

const NONE = -1;

/**
 * A directed network with supplies, bounds, integer costs and a flow. Node 0 is there from the start and balances the rest.
 * Nodes and arcs come and go; their numbers are small and used again, the one freed last first. Every node has an
 * artificial arc to or from node 0, which is in none of the lists: what cannot flow otherwise flows there.
 */
export class FlowNetwork {
  /** One more than the largest numbers ever given out. */
  nodes = 0;
  arcs = 0;
  /** By node: what enters the network there; the first of the arcs that leave it; how many lead to it; its artificial arc. */
  supply = new Int32Array(64);
  firstOut = new Int32Array(64);
  inDegree = new Int32Array(64);
  artificial = new Int32Array(64);
  /** By arc. */
  from = new Int32Array(256);
  to = new Int32Array(256);
  nextOut = new Int32Array(256);
  cost = new Float64Array(256);
  low = new Int32Array(256);
  up = new Int32Array(256);
  flow = new Int32Array(256);
  state = new Int8Array(256);
  private readonly freeNodes: number[] = [];
  private readonly freeArcs: number[] = [];

  constructor() {
    this.addNode(0);
  }

  addNode(supply: number): number {
    const node = this.freeNodes.pop() ?? this.nodes++;
    if (node === this.supply.length) this.growNodes();
    this.supply[node] = supply;
    this.firstOut[node] = NONE;
    this.inDegree[node] = 0;
    const arc = this.newArc(node, ROOT);
    this.state[arc] = APART;
    this.artificial[node] = arc;
    return node;
  }

  /** An arc at its lower bound. */
  addArc(from: number, to: number, cost: number, low = 0, up = UNBOUNDED): number {
    const arc = this.newArc(from, to);
    this.nextOut[arc] = this.firstOut[from];
    this.firstOut[from] = arc;
    this.inDegree[to]++;
    this.cost[arc] = cost;
    this.low[arc] = low;
    this.up[arc] = up;
    this.flow[arc] = low;
    this.state[arc] = AT_LOW;
    return arc;
  }

  /** The node goes, with the arcs that leave it; no arc may lead to it. */
  removeNode(node: number): void {
    assert(node !== ROOT && this.inDegree[node] === 0, "an arc leads to the node that is to go");
    for (let arc = this.firstOut[node]; arc >= 0; arc = this.nextOut[arc]) {
      this.inDegree[this.to[arc]]--;
      this.release(arc);
    }
    this.release(this.artificial[node]);
    this.supply[node] = 0;
    this.firstOut[node] = NONE;
    this.freeNodes.push(node);
  }

  setBounds(arc: number, low: number, up: number): void {
    this.low[arc] = low;
    this.up[arc] = up;
    if (this.state[arc] === APART) return;
    if (up === UNBOUNDED) this.state[arc] = AT_LOW;
    this.flow[arc] = this.state[arc] === AT_LOW ? low : up;
  }

  private newArc(from: number, to: number): number {
    const arc = this.freeArcs.pop() ?? this.arcs++;
    if (arc === this.from.length) this.growArcs();
    this.from[arc] = from;
    this.to[arc] = to;
    this.cost[arc] = 0;
    this.low[arc] = 0;
    this.up[arc] = UNBOUNDED;
    this.flow[arc] = 0;
    return arc;
  }

  private release(arc: number): void {
    this.state[arc] = APART;
    this.flow[arc] = 0;
    this.freeArcs.push(arc);
  }

  private growNodes(): void {
    this.supply = widened(this.supply);
    this.firstOut = widened(this.firstOut);
    this.inDegree = widened(this.inDegree);
    this.artificial = widened(this.artificial);
  }

  private growArcs(): void {
    this.from = widened(this.from);
    this.to = widened(this.to);
    this.nextOut = widened(this.nextOut);
    this.cost = widened(this.cost);
    this.low = widened(this.low);
    this.up = widened(this.up);
    this.flow = widened(this.flow);
    this.state = widened(this.state);
  }
}
