import { assert } from "../assert.js";
import { AT_LOW, AT_UP, APART, UNBOUNDED, type FlowNetwork } from "./flow-network.js";
import type { SpanningTree } from "./spanning-tree.js";
import { widened } from "../widened.js";

/** Operations of the simplex method. */
export interface PivotCounts {
  pivots: number;
  /** Of these, those that moved no flow. */
  idlePivots: number;
  /** Arcs whose reduced cost was looked at, and nodes that got a new potential. */
  arcsPriced: number;
  nodesPriced: number;
}

const NONE = -1;
const LEAST_BLOCK = 40;
/** No network that was met needs nearly as many pivots that move nothing: more of them are an error here, and would never end. */
const MOST_IDLE = 100_000;

/**
 * The pivots of the network simplex method. An arc that would lower the cost enters the tree, flow goes round the circle that
 * it closes, and the arc that stops it leaves: of several the last one round the circle from its highest node (Cunningham's
 * rule). Of the arcs that may enter, the best of a block of them does, block after block: the arcs that leave the nodes in the
 * order in which the tree was listed.
 */
export class Pivots {
  potential = new Float64Array(64);
  /** Where the search for the next arc goes on. */
  private next = 0;
  private idleInARow = 0;
  private stack = new Int32Array(64);
  /** What `findLeaving` found: the lower end of the arc that leaves (NONE: the entering one), on which side, how much flow. */
  private cutNode = NONE;
  private cutOnFirst = false;
  private amount = 0;
  private join = 0;

  constructor(
    private readonly network: FlowNetwork,
    private readonly tree: SpanningTree,
    private readonly counts: PivotCounts,
    private readonly patience: number,
  ) {}

  potentialsFor(nodes: number): Float64Array {
    while (this.potential.length < nodes) {
      this.potential = widened(this.potential);
      this.stack = widened(this.stack);
    }
    return this.potential;
  }

  /** From the flow, tree and potentials at hand to optimal ones. */
  run(): void {
    this.next = 0;
    this.idleInARow = 0;
    for (;;) {
      const isStuck = this.idleInARow >= this.patience;
      const arc = isStuck ? this.firstEntering() : this.bestOfBlock();
      if (arc < 0) return;
      assert(this.idleInARow < MOST_IDLE, "the simplex method goes round in circles");
      this.pivot(arc, isStuck);
    }
  }

  private bestOfBlock(): number {
    const { network, tree, potential, counts } = this;
    const { firstOut, nextOut, to, cost, state } = network;
    const { order, listed } = tree;
    const block = Math.max(LEAST_BLOCK, Math.floor(Math.sqrt(network.arcs)));
    let at = this.next < listed ? this.next : 0;
    let best = NONE;
    let least = 0;
    let seen = 0;
    let priced = 0;
    for (let left = listed; left > 0; left--) {
      const own = potential[order[at]];
      for (let arc = firstOut[order[at]]; arc >= 0; arc = nextOut[arc]) {
        const reduced = state[arc] * (cost[arc] + own - potential[to[arc]]);
        seen++;
        if (reduced >= least) continue;
        least = reduced;
        best = arc;
      }
      if (++at === listed) at = 0;
      if (seen < block) continue;
      priced += seen;
      seen = 0;
      if (best >= 0) break;
    }
    counts.arcsPriced += priced + seen;
    this.next = at;
    return best;
  }

  /** The arc of the lowest number that may enter: with the lowest one leaving, no tree ever comes twice (Bland's rule). */
  private firstEntering(): number {
    const { network, potential } = this;
    const { arcs, from, to, cost, state, low, up } = network;
    for (let arc = 0; arc < arcs; arc++) {
      this.counts.arcsPriced++;
      // An arc that must carry what it carries would only change sides, back and forth.
      if (low[arc] < up[arc] && state[arc] * (cost[arc] + potential[from[arc]] - potential[to[arc]]) < 0) return arc;
    }
    return NONE;
  }

  private pivot(entering: number, lowestLeaves: boolean): void {
    const { network, tree, counts } = this;
    const { from, to, low, flow, state, artificial } = network;
    const rises = state[entering] === AT_LOW;
    const first = rises ? from[entering] : to[entering];
    const second = rises ? to[entering] : from[entering];
    this.findLeaving(entering, first, second, lowestLeaves);
    const { cutNode, amount } = this;
    counts.pivots++;
    if (amount > 0) this.idleInARow = 0;
    else {
      this.idleInARow++;
      counts.idlePivots++;
    }
    this.push(entering, first, second, rises);
    if (cutNode < 0) {
      state[entering] = rises ? AT_UP : AT_LOW;
      return;
    }
    const leaving = tree.arcUp[cutNode];
    if (leaving === artificial[cutNode]) state[leaving] = APART;
    else state[leaving] = flow[leaving] === low[leaving] ? AT_LOW : AT_UP;
    state[entering] = APART;
    const node = this.cutOnFirst ? first : second;
    const parent = this.cutOnFirst ? second : first;
    tree.rehang(node, cutNode, parent, entering);
    this.reprice(node, entering);
  }

  /** How much flow the circle takes, and which of its arcs stops it. */
  private findLeaving(entering: number, first: number, second: number, lowestLeaves: boolean): void {
    const { parent, arcUp, depth } = this.tree;
    const { from, low, up, flow } = this.network;
    let amount = up[entering] - low[entering];
    let arcOut = entering;
    let cut = NONE;
    let onFirst = false;
    let a = first;
    let b = second;
    while (a !== b) {
      // Flow comes down to `first` and goes up from `second`.
      const isFirst = depth[a] >= depth[b];
      const node = isFirst ? a : b;
      const arc = arcUp[node];
      const rises = (from[arc] === node) !== isFirst;
      const room = rises ? up[arc] - flow[arc] : flow[arc] - low[arc];
      if (room < amount || (room === amount && (lowestLeaves ? arc < arcOut : !isFirst))) {
        amount = room;
        arcOut = arc;
        cut = node;
        onFirst = isFirst;
      }
      if (isFirst) a = parent[a];
      else b = parent[b];
    }
    assert(amount < UNBOUNDED / 2, "a circle of negative cost has no bound");
    this.join = a;
    this.amount = amount;
    this.cutNode = cut;
    this.cutOnFirst = onFirst;
  }

  private push(entering: number, first: number, second: number, rises: boolean): void {
    const { amount, join } = this;
    if (amount === 0) return;
    const { parent, arcUp } = this.tree;
    const { from, flow } = this.network;
    flow[entering] += rises ? amount : -amount;
    for (let node = first; node !== join; node = parent[node]) {
      flow[arcUp[node]] += from[arcUp[node]] === node ? -amount : amount;
    }
    for (let node = second; node !== join; node = parent[node]) {
      flow[arcUp[node]] += from[arcUp[node]] === node ? amount : -amount;
    }
  }

  /** All that hangs on the node gets potentials at which the arc above the node costs nothing, and depths. */
  private reprice(node: number, arc: number): void {
    const { tree, network, potential, stack } = this;
    const { parent, depth, firstChild, nextSibling } = tree;
    const reduced = network.cost[arc] + potential[network.from[arc]] - potential[network.to[arc]];
    const change = network.from[arc] === node ? -reduced : reduced;
    let height = 1;
    stack[0] = node;
    while (height > 0) {
      const at = stack[--height];
      this.counts.nodesPriced++;
      potential[at] += change;
      depth[at] = depth[parent[at]] + 1;
      for (let child = firstChild[at]; child >= 0; child = nextSibling[child]) stack[height++] = child;
    }
  }
}
