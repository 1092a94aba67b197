import { assert, Columns, floats, ints } from "../../../../kernel/index.js";

/** Counts of the solver's work, for tests of cost and for reports. */
interface FlowCounts extends PivotCounts {
  solves: number;
  /** Nodes whose flow up the tree was out of bounds, or was lost with a node, when a solve began. */
  repairs: number;
}

/** As an upper bound: none. */
export const UNBOUNDED = 0x3fffffff;
/** The node that takes whatever all others supply. */
export const ROOT = 0;
/** States of an arc: at its lower bound, at its upper bound, or neither: in the tree, artificial or not in use. */
const AT_LOW = 1;
const AT_UP = -1;
const APART = 0;
const NONE = -1;

/**
 * A directed network with supplies, bounds, integer costs and a flow, and a minimum-cost flow that is kept while the
 * network changes: the primal network simplex method (Dantzig 1951; Cunningham 1976 against cycling) which begins every
 * solve from the tree that the last one ended with. What the changes made impossible is led over artificial arcs,
 * dearer than any way through the network, and is led off them again. All costs and flows are integers; ties go by
 * numbers. Costs times nodes must stay below 2^50. An arc without upper bound must not be part of a circle of negative
 * cost. Naive twin: test/support/naive-min-cost-flow.ts.
 *
 * Node 0 is added first and balances the rest. Nodes and arcs come and go; their numbers are small and used again, the
 * one freed last first. Every node has an artificial arc to or from node 0, which is in none of the lists: flow that
 * has no other way goes there.
 */
export class MinCostFlow extends Columns {
  readonly counts: FlowCounts = { solves: 0, repairs: 0, pivots: 0, idlePivots: 0, arcsPriced: 0, nodesPriced: 0 };
  /** One more than the largest number of a node, and of an arc, ever given out. */
  nodes = 0;
  arcs = 0;
  readonly tree = new SpanningTree();
  /** By arc. */
  readonly from = ints();
  readonly to = ints();
  readonly nextOut = ints();
  readonly cost = floats();
  readonly low = ints();
  readonly up = ints();
  readonly flow = ints();
  readonly state = ints();
  private readonly freeNodes: number[] = [];
  private readonly freeArcs: number[] = [];
  private readonly pivots: Pivots;

  /** @param patience pivots in a row that move no flow, after which the lowest numbers decide until one does. */
  constructor(patience = 2000) {
    super();
    this.pivots = new Pivots(this, patience);
    this.addNode(0);
  }

  /** @param supply units that enter there; they leave at node 0, negative ones the other way round. */
  addNode(supply: number): number {
    const { tree } = this;
    const node = this.freeNodes.pop() ?? this.nodes++;
    const arc = this.newArc(node, ROOT);
    this.state[arc] = APART;
    tree.add(node, supply, arc);
    if (node !== ROOT) tree.link(node, ROOT, arc);
    return node;
  }

  /** An arc at its lower bound. */
  addArc(from: number, to: number, cost: number, low = 0, up = UNBOUNDED): number {
    const { firstOut, inDegree } = this.tree;
    const arc = this.newArc(from, to);
    this.nextOut[arc] = firstOut[from];
    firstOut[from] = arc;
    inDegree[to]++;
    this.cost[arc] = cost;
    this.low[arc] = low;
    this.up[arc] = up;
    this.flow[arc] = low;
    this.state[arc] = AT_LOW;
    return arc;
  }

  /** A node that was added since the last solve sends what it has over that arc of its own, for a start. */
  startWith(arc: number): void {
    const { from, to, state, tree } = this;
    tree.unlink(from[arc]);
    tree.link(from[arc], to[arc], arc);
    state[arc] = APART;
  }

  /** The node goes, with the arcs that leave it; no arc may lead to it. */
  removeNode(node: number): void {
    const { tree } = this;
    const { firstOut, inDegree } = tree;
    assert(node !== ROOT && inDegree[node] === 0, "an arc leads to the node that is to go");
    for (let child = tree.firstChild[node]; child >= 0; child = tree.firstChild[node]) this.hangOnRoot(child);
    tree.unlink(node);
    for (let arc = firstOut[node]; arc >= 0; arc = this.nextOut[arc]) {
      inDegree[this.to[arc]]--;
      this.release(arc);
    }
    this.release(tree.artificial[node]);
    tree.supply[node] = 0;
    firstOut[node] = NONE;
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
    this.makeRoom(arc + 1);
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

  /** Finds an optimal flow. False: supplies and bounds contradict each other, and the flow means nothing. */
  solve(): boolean {
    this.counts.solves++;
    this.findFlows();
    this.findPotentials();
    this.pivots.run();
    return this.isFeasible();
  }

  /**
   * The tree and what is decreed elsewhere decide all flows; where a tree arc would leave its bounds, the tree is cut.
   */
  private findFlows(): void {
    const { tree, from, low, up, flow, state } = this;
    const { artificial } = tree;
    tree.list();
    const excess = this.balances();
    for (let i = tree.listed - 1; i > 0; i--) {
      const node = tree.order[i];
      const arc = tree.arcUp[node];
      const sign = from[arc] === node ? 1 : -1;
      const wanted = sign * excess[node];
      if (arc === artificial[node]) {
        this.leadAside(node, excess[node]);
        continue;
      }
      const bound = wanted < low[arc] ? low[arc] : wanted > up[arc] ? up[arc] : wanted;
      flow[arc] = bound;
      excess[tree.parent[node]] += sign * bound;
      if (bound === wanted) continue;
      state[arc] = bound === low[arc] ? AT_LOW : AT_UP;
      this.hangOnRoot(node);
      this.leadAside(node, excess[node] - sign * bound);
    }
  }

  /** By node: what is to leave it over the tree. */
  private balances(): Int32Array {
    const { arcs, from, to, flow, state, tree } = this;
    const { excess } = tree;
    excess.set(tree.supply);
    for (let arc = 0; arc < arcs; arc++) {
      if (state[arc] === APART || flow[arc] === 0) continue;
      excess[from[arc]] -= flow[arc];
      excess[to[arc]] += flow[arc];
    }
    return excess;
  }

  /** Leads that amount of the node's flow, negative for flow into it, over its artificial arc. */
  private leadAside(node: number, amount: number): void {
    const { tree, from, to, flow } = this;
    const arc = tree.artificial[node];
    from[arc] = amount < 0 ? ROOT : node;
    to[arc] = amount < 0 ? node : ROOT;
    flow[arc] = Math.abs(amount);
  }

  private hangOnRoot(node: number): void {
    const { tree } = this;
    this.counts.repairs++;
    tree.unlink(node);
    tree.link(node, ROOT, tree.artificial[node]);
  }

  private findPotentials(): void {
    const { tree, cost, from } = this;
    const { potential, artificial } = tree;
    const penalty = this.penalty();
    tree.list();
    potential[ROOT] = 0;
    for (let i = 1; i < tree.listed; i++) {
      const node = tree.order[i];
      const arc = tree.arcUp[node];
      if (arc === artificial[node]) cost[arc] = penalty;
      const above = potential[tree.parent[node]];
      potential[node] = from[arc] === node ? above - cost[arc] : above + cost[arc];
    }
  }

  /** More than any way through the network costs. */
  private penalty(): number {
    const { nodes, arcs, cost, state, tree } = this;
    let largest = 0;
    for (let arc = 0; arc < arcs; arc++) {
      if (state[arc] !== APART && Math.abs(cost[arc]) > largest) largest = Math.abs(cost[arc]);
    }
    for (let i = 1; i < tree.listed; i++) {
      const arc = tree.arcUp[tree.order[i]];
      if (arc !== tree.artificial[tree.order[i]]) largest = Math.max(largest, Math.abs(cost[arc]));
    }
    return (largest + 1) * nodes;
  }

  private isFeasible(): boolean {
    const { tree, flow } = this;
    for (let i = 1; i < tree.listed; i++) if (flow[tree.artificial[tree.order[i]]] > 0) return false;
    return true;
  }
}

/**
 * The nodes, and the tree of arcs whose flow is not at a bound by decree: every node but node 0 hangs on its parent by
 * one arc.
 */
class SpanningTree extends Columns {
  readonly supply = ints();
  /** The first arc that leaves the node; the number of arcs that lead to it; its artificial arc. */
  readonly firstOut = ints();
  readonly inDegree = ints();
  readonly artificial = ints();
  readonly parent = ints();
  /** The arc between the node and its parent, in whichever direction. */
  readonly arcUp = ints();
  readonly depth = ints();
  readonly firstChild = ints();
  readonly nextSibling = ints();
  readonly previousSibling = ints();
  /** The amount that is to leave the node over the tree. */
  readonly excess = ints();
  /**
   * As of the last solve: an arc may carry more only if cost + potential of its start - potential of its end >= 0, less
   * only if <= 0.
   */
  readonly potential = floats();
  /** The nodes of the tree, parents before children, as `list` found them. */
  readonly order = ints();
  listed = 0;
  /** Nodes that a walk has yet to visit. */
  readonly stack = ints();

  /** A node that is in no tree, and has no children. */
  add(node: number, supply: number, artificial: number): void {
    this.makeRoom(node + 1);
    this.supply[node] = supply;
    this.artificial[node] = artificial;
    this.inDegree[node] = 0;
    this.firstOut[node] = this.parent[node] = this.arcUp[node] = this.firstChild[node] = NONE;
  }

  link(node: number, parent: number, arc: number): void {
    this.parent[node] = parent;
    this.arcUp[node] = arc;
    const first = this.firstChild[parent];
    this.nextSibling[node] = first;
    this.previousSibling[node] = NONE;
    if (first >= 0) this.previousSibling[first] = node;
    this.firstChild[parent] = node;
  }

  unlink(node: number): void {
    const before = this.previousSibling[node];
    const after = this.nextSibling[node];
    if (before >= 0) this.nextSibling[before] = after;
    else this.firstChild[this.parent[node]] = after;
    if (after >= 0) this.previousSibling[after] = before;
  }

  /** Lists the nodes, and tells how deep each of them is. */
  list(): void {
    const { order, firstChild, nextSibling, depth } = this;
    order[0] = ROOT;
    depth[ROOT] = 0;
    let listed = 1;
    for (let i = 0; i < listed; i++) {
      const deeper = depth[order[i]] + 1;
      for (let child = firstChild[order[i]]; child >= 0; child = nextSibling[child]) {
        depth[child] = deeper;
        order[listed++] = child;
      }
    }
    this.listed = listed;
  }

  /**
   * Cuts the tree above `top` and hangs that part, by its node `node`, on `parent` by `arc`: the way from `node` up to
   * `top` is turned round. Depths are left as they were.
   */
  rehang(node: number, top: number, parent: number, arc: number): void {
    let moved = node;
    let newParent = parent;
    let newArc = arc;
    for (;;) {
      const oldParent = this.parent[moved];
      const oldArc = this.arcUp[moved];
      this.unlink(moved);
      this.link(moved, newParent, newArc);
      if (moved === top) return;
      newParent = moved;
      newArc = oldArc;
      moved = oldParent;
    }
  }
}

/** Operations of the simplex method. */
interface PivotCounts {
  pivots: number;
  /** Pivots that moved no flow. */
  idlePivots: number;
  /** Arcs whose reduced cost was looked at, and nodes that got a new potential. */
  arcsPriced: number;
  nodesPriced: number;
}

const LEAST_BLOCK = 40;
/**
 * No network that was met needs nearly as many pivots that move nothing: more of them are an error here, and would
 * never end.
 */
const MOST_IDLE = 100_000;

/**
 * The pivots of the network simplex method. An arc that would lower the cost enters the tree, flow goes round the
 * circle that it closes, and the arc that stops it leaves: of several the last one round the circle from its highest
 * node (Cunningham's rule). Of the arcs that may enter, the best of a block of them does, block after block: the arcs
 * that leave the nodes in the order in which the tree was listed.
 */
class Pivots {
  /** Position at which the search for the next arc goes on. */
  private next = 0;
  private idleInARow = 0;
  /**
   * The result of `findLeaving`: the lower end of the arc that leaves (NONE: the entering one), its side, and the
   * amount of flow.
   */
  private cutNode = NONE;
  private cutOnFirst = false;
  private amount = 0;
  private join = 0;

  constructor(
    private readonly network: MinCostFlow,
    private readonly patience: number,
  ) {}

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
    const { network } = this;
    const { nextOut, to, cost, state, counts } = network;
    const { firstOut, potential, order, listed } = network.tree;
    const block = Math.max(LEAST_BLOCK, Math.floor(Math.sqrt(network.arcs)));
    let cursor = this.next < listed ? this.next : 0;
    let best = NONE;
    let least = 0;
    let seen = 0;
    let priced = 0;
    for (let remaining = listed; remaining > 0; remaining--) {
      const nodePotential = potential[order[cursor]];
      for (let arc = firstOut[order[cursor]]; arc >= 0; arc = nextOut[arc]) {
        const reduced = state[arc] * (cost[arc] + nodePotential - potential[to[arc]]);
        seen++;
        if (reduced >= least) continue;
        least = reduced;
        best = arc;
      }
      if (++cursor === listed) cursor = 0;
      if (seen < block) continue;
      priced += seen;
      seen = 0;
      if (best >= 0) break;
    }
    counts.arcsPriced += priced + seen;
    this.next = cursor;
    return best;
  }

  /**
   * The arc of the lowest number that may enter: with the lowest one leaving, no tree ever comes twice (Bland's rule).
   */
  private firstEntering(): number {
    const { arcs, from, to, cost, state, low, up, counts, tree } = this.network;
    const { potential } = tree;
    for (let arc = 0; arc < arcs; arc++) {
      counts.arcsPriced++;
      // An arc that must carry what it carries would only change sides, back and forth.
      if (low[arc] < up[arc] && state[arc] * (cost[arc] + potential[from[arc]] - potential[to[arc]]) < 0) return arc;
    }
    return NONE;
  }

  private pivot(entering: number, lowestLeaves: boolean): void {
    const { from, to, low, flow, state, tree, counts } = this.network;
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
    if (leaving === tree.artificial[cutNode]) state[leaving] = APART;
    else state[leaving] = flow[leaving] === low[leaving] ? AT_LOW : AT_UP;
    state[entering] = APART;
    const node = this.cutOnFirst ? first : second;
    const parent = this.cutOnFirst ? second : first;
    tree.rehang(node, cutNode, parent, entering);
    this.reprice(node, entering);
  }

  /** Finds the flow that the circle takes, and the arc that limits it. */
  private findLeaving(entering: number, first: number, second: number, lowestLeaves: boolean): void {
    const { from, low, up, flow, tree } = this.network;
    const { parent, arcUp, depth } = tree;
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
    const { from, flow, tree } = this.network;
    const { parent, arcUp } = tree;
    flow[entering] += rises ? amount : -amount;
    for (let node = first; node !== join; node = parent[node]) {
      flow[arcUp[node]] += from[arcUp[node]] === node ? -amount : amount;
    }
    for (let node = second; node !== join; node = parent[node]) {
      flow[arcUp[node]] += from[arcUp[node]] === node ? amount : -amount;
    }
  }

  /**
   * Sets the depths of the node and of all nodes below it in the tree, and shifts their potentials so that the reduced
   * cost of the arc above the node is 0.
   */
  private reprice(node: number, arc: number): void {
    const { cost, from, to, counts, tree } = this.network;
    const { parent, depth, firstChild, nextSibling, potential, stack } = tree;
    const reduced = cost[arc] + potential[from[arc]] - potential[to[arc]];
    const change = from[arc] === node ? -reduced : reduced;
    let height = 1;
    stack[0] = node;
    while (height > 0) {
      const current = stack[--height];
      counts.nodesPriced++;
      potential[current] += change;
      depth[current] = depth[parent[current]] + 1;
      for (let child = firstChild[current]; child >= 0; child = nextSibling[child]) stack[height++] = child;
    }
  }
}
