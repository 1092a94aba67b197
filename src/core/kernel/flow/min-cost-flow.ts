import { AT_LOW, AT_UP, APART, FlowNetwork, ROOT, UNBOUNDED } from "./flow-network.js";
import { widened } from "../widened.js";
import { Pivots, type PivotCounts } from "./pivots.js";
import { SpanningTree } from "./spanning-tree.js";

/** What the solver did, for tests of cost and for reports. */
export interface FlowCounts extends PivotCounts {
  solves: number;
  /** Nodes whose flow up the tree was out of bounds, or was lost with a node, when a solve began. */
  repairs: number;
}

/**
 * A minimum-cost flow that is kept while its network changes: the primal network simplex method (Dantzig 1951; Cunningham
 * 1976 against cycling) which begins every solve from the tree that the last one ended with. What the changes made
 * impossible is led over artificial arcs, dearer than any way through the network, and is led off them again. All costs
 * and flows are integers; ties go by numbers. Costs times nodes must stay below 2^50. An arc without upper bound must not
 * be part of a circle of negative cost. Naive twin: test/support/naive-min-cost-flow.ts.
 */
export class MinCostFlow {
  readonly counts: FlowCounts = { solves: 0, repairs: 0, pivots: 0, idlePivots: 0, arcsPriced: 0, nodesPriced: 0 };
  readonly network = new FlowNetwork();
  private readonly tree = new SpanningTree();
  private readonly pivots: Pivots;
  private excess = new Int32Array(64);

  /** @param patience pivots in a row that move no flow, after which the lowest numbers decide until one does. */
  constructor(patience = 2000) {
    this.pivots = new Pivots(this.network, this.tree, this.counts, patience);
  }

  /** @param supply units that enter there; they leave at node 0, negative ones the other way round. */
  addNode(supply: number): number {
    const node = this.network.addNode(supply);
    this.tree.makeRoom(node + 1);
    this.tree.clear(node);
    this.tree.link(node, ROOT, this.network.artificial[node]);
    return node;
  }

  addArc(from: number, to: number, cost: number, low = 0, up = UNBOUNDED): number {
    return this.network.addArc(from, to, cost, low, up);
  }

  /** A node that was added since the last solve sends what it has over that arc of its own, for a start. */
  startWith(arc: number): void {
    const { network, tree } = this;
    const node = network.from[arc];
    tree.unlink(node);
    tree.link(node, network.to[arc], arc);
    network.state[arc] = APART;
  }

  /** The node goes, with the arcs that leave it; no arc may lead to it. */
  removeNode(node: number): void {
    const { network, tree } = this;
    for (let child = tree.firstChild[node]; child >= 0; child = tree.firstChild[node]) this.hangOnRoot(child);
    tree.unlink(node);
    network.removeNode(node);
  }

  setSupply(node: number, supply: number): void {
    this.network.supply[node] = supply;
  }

  setCost(arc: number, cost: number): void {
    this.network.cost[arc] = cost;
  }

  setBounds(arc: number, low: number, up: number): void {
    this.network.setBounds(arc, low, up);
  }

  /** Finds an optimal flow. False: supplies and bounds contradict each other, and the flow means nothing. */
  solve(): boolean {
    this.counts.solves++;
    this.findFlows();
    this.findPotentials();
    this.pivots.run();
    return this.isFeasible();
  }

  flowOn(arc: number): number {
    return this.network.flow[arc];
  }

  /** Of the last solve: an arc a may carry more only if cost + potential(from) - potential(to) >= 0, less only if <= 0. */
  potential(node: number): number {
    return this.pivots.potential[node];
  }

  totalCost(): number {
    const { arcs, cost, flow } = this.network;
    let total = 0;
    for (let arc = 0; arc < arcs; arc++) if (flow[arc] !== 0) total += cost[arc] * flow[arc];
    return total;
  }

  /** The tree and what is decreed elsewhere decide all flows; where a tree arc would leave its bounds, the tree is cut. */
  private findFlows(): void {
    const { network, tree } = this;
    const { from, low, up, flow, state, artificial } = network;
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
    const { nodes, arcs, supply, from, to, flow, state } = this.network;
    while (this.excess.length < nodes) this.excess = widened(this.excess);
    const { excess } = this;
    excess.set(supply.subarray(0, nodes));
    for (let arc = 0; arc < arcs; arc++) {
      if (state[arc] === APART || flow[arc] === 0) continue;
      excess[from[arc]] -= flow[arc];
      excess[to[arc]] += flow[arc];
    }
    return excess;
  }

  /** So much of the node's flow, less than nothing for flow into it, goes over its artificial arc. */
  private leadAside(node: number, amount: number): void {
    const { artificial, from, to, flow } = this.network;
    const arc = artificial[node];
    from[arc] = amount < 0 ? ROOT : node;
    to[arc] = amount < 0 ? node : ROOT;
    flow[arc] = Math.abs(amount);
  }

  private hangOnRoot(node: number): void {
    this.counts.repairs++;
    this.tree.unlink(node);
    this.tree.link(node, ROOT, this.network.artificial[node]);
  }

  private findPotentials(): void {
    const { network, tree } = this;
    const { cost, from, artificial } = network;
    const potential = this.pivots.potentialsFor(network.nodes);
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
    const { nodes, arcs, cost, state } = this.network;
    const { tree } = this;
    let largest = 0;
    for (let arc = 0; arc < arcs; arc++) {
      if (state[arc] !== APART && Math.abs(cost[arc]) > largest) largest = Math.abs(cost[arc]);
    }
    for (let i = 1; i < tree.listed; i++) {
      const arc = tree.arcUp[tree.order[i]];
      if (arc !== this.network.artificial[tree.order[i]]) largest = Math.max(largest, Math.abs(cost[arc]));
    }
    return (largest + 1) * nodes;
  }

  private isFeasible(): boolean {
    const { tree, network } = this;
    for (let i = 1; i < tree.listed; i++) {
      const arc = network.artificial[tree.order[i]];
      if (network.flow[arc] > 0) return false;
    }
    return true;
  }
}
