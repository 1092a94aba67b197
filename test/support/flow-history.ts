import fc from "fast-check";
import { MinCostFlow } from "../../dist/core/platforms/hadoop/index.js";
import type { PlainArc, PlainNetwork } from "./naive-min-cost-flow.js";

/** A change of a network; numbers are taken modulo what there is. */
export interface FlowChange {
  readonly what: "node" | "leaf" | "arc" | "remove" | "cost" | "bounds" | "supply";
  readonly a: number;
  readonly b: number;
  readonly cost: number;
  readonly low: number;
  readonly width: number;
}

const small = fc.nat(30);

/** Few distinct numbers, so that costs tie; sometimes large ones. */
const costs = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -3, max: 6 }) }, fc.integer({ min: -1e9, max: 1e9 }));

const changes: fc.Arbitrary<FlowChange> = fc.record({
  what: fc.constantFrom(
    "node",
    "node",
    "leaf",
    "leaf",
    "leaf",
    "arc",
    "arc",
    "arc",
    "remove",
    "cost",
    "cost",
    "bounds",
    "supply",
  ),
  a: small,
  b: small,
  cost: costs,
  low: fc.constantFrom(0, 0, 0, 0, 1, 2),
  width: fc.constantFrom(0, 1, 1, 2, 5, 20),
});

/** Rounds of changes, each followed by a solve. */
export const flowHistories = fc.array(fc.array(changes, { minLength: 1, maxLength: 25 }), {
  minLength: 1,
  maxLength: 8,
});

/** A network that is changed step by step, in the solver and in plain form. */
export class ChangingFlow {
  readonly flow: MinCostFlow;
  private readonly supplies = new Map<number, number>();
  private readonly arcs = new Map<number, PlainArc>();

  constructor(patience?: number) {
    this.flow = new MinCostFlow(patience);
  }

  get plain(): PlainNetwork {
    return { supplies: this.supplies, arcs: [...this.arcs.values()] };
  }

  /** Arcs with their numbers. */
  get numbered(): readonly (readonly [number, PlainArc])[] {
    return [...this.arcs];
  }

  supplyOf(node: number): number {
    return this.supplies.get(node) ?? 0;
  }

  get nodes(): readonly number[] {
    return [...this.supplies.keys()];
  }

  apply(change: FlowChange): void {
    const { flow } = this;
    const node = this.pick([0, ...this.supplies.keys()], change.a);
    const other = this.pick([0, ...this.supplies.keys()], change.b);
    const arc = this.pick([...this.arcs.keys()], change.a);
    switch (change.what) {
      case "node":
        return this.addNode((change.low + change.a) % 4 === 3 ? -1 : change.low, null);
      case "leaf":
        return this.addNode(1, change, node, other);
      case "arc":
        return node === other ? undefined : void this.addArc(node, other, change);
      case "remove":
        return this.remove(change.a);
      case "cost":
        if (arc === undefined) return;
        this.arcs.get(arc)!.cost = change.cost;
        flow.cost[arc] = change.cost;
        return;
      case "bounds":
        if (arc === undefined) return;
        Object.assign(this.arcs.get(arc)!, { low: change.low, up: change.low + change.width });
        return flow.setBounds(arc, change.low, change.low + change.width);
      case "supply":
        if (node === 0) return;
        this.supplies.set(node, change.low - 1);
        flow.tree.supply[node] = change.low - 1;
    }
  }

  private addNode(supply: number, way: FlowChange | null, near = 0, far = 0): void {
    const node = this.flow.addNode(supply);
    this.supplies.set(node, supply);
    if (way === null) return;
    const arc = this.addArc(node, near, way);
    if (way.width % 2 === 1) this.flow.startWith(arc);
    this.addArc(node, far, { ...way, cost: way.cost + 1, width: 3 });
  }

  private addArc(from: number, to: number, { cost, low, width }: FlowChange): number {
    const up = low + width;
    const arc = this.flow.addArc(from, to, cost, low, up);
    this.arcs.set(arc, { from, to, cost, low, up });
    return arc;
  }

  /** A node that no arc leads to goes, with its arcs. */
  private remove(number: number): void {
    const all = [...this.arcs.values()];
    const free = this.nodes.filter((node) => all.every(({ to }) => to !== node));
    const node = this.pick(free, number);
    if (node === undefined) return;
    this.flow.removeNode(node);
    this.supplies.delete(node);
    for (const [arc, { from }] of this.arcs) if (from === node) this.arcs.delete(arc);
  }

  private pick(list: readonly number[], number: number): number {
    return list[number % list.length]!;
  }
}
