import { assert } from "../../kernel/assert.js";
import type { Topology } from "../topology.js";
import { CRASH, SLOW_DISK, SWITCH_LOSS, type FaultKind } from "./fault-source.js";
import type { FaultTransition } from "./fault-timeline.js";

/**
 * Which faults last, as of the last transition applied. Faults of one target may overlap: a node is down while any crash
 * of it lasts, and the factors of its slow-downs multiply.
 */
export class FaultState {
  private readonly crashes: Int32Array;
  private readonly switchLosses: Int32Array;
  /** Factors that hold, in the order in which they began, by node. */
  private readonly diskFactors = new Map<number, number[]>();
  private readonly nodeFactors = new Map<number, number[]>();

  constructor(private readonly topology: Topology) {
    this.crashes = new Int32Array(topology.nodes);
    this.switchLosses = new Int32Array(topology.racks);
  }

  /** True if the target is in another state now: it went, came back, or has another factor. */
  apply({ kind, target, starts, factor }: FaultTransition): boolean {
    if (kind === CRASH) return count(this.crashes, target, starts);
    if (kind === SWITCH_LOSS) return count(this.switchLosses, target, starts);
    const factors = this.factorsOf(kind);
    const before = productOf(factors.get(target));
    if (starts) add(factors, target, factor);
    else remove(factors, target, factor);
    return productOf(factors.get(target)) !== before;
  }

  isDown(node: number): boolean {
    return this.crashes[node] > 0;
  }

  isDark(rack: number): boolean {
    return this.switchLosses[rack] > 0;
  }

  /** The node sends no heartbeats: it is down, or its rack is dark. */
  isSilent(node: number): boolean {
    return this.isDown(node) || this.isDark(this.topology.rackOf[node]);
  }

  /** What the bandwidth of the node's disks is divided by; 1: it is as nominal. */
  diskFactor(node: number): number {
    return productOf(this.diskFactors.get(node));
  }

  /** What the node's speed is divided by. */
  speedFactor(node: number): number {
    return productOf(this.nodeFactors.get(node));
  }

  private factorsOf(kind: FaultKind): Map<number, number[]> {
    return kind === SLOW_DISK ? this.diskFactors : this.nodeFactors;
  }
}

function count(lasting: Int32Array, target: number, starts: boolean): boolean {
  lasting[target] += starts ? 1 : -1;
  assert(lasting[target] >= 0, "a fault ended that had not begun");
  return lasting[target] === (starts ? 1 : 0);
}

function add(factors: Map<number, number[]>, target: number, factor: number): void {
  const held = factors.get(target);
  if (held === undefined) factors.set(target, [factor]);
  else held.push(factor);
}

function remove(factors: Map<number, number[]>, target: number, factor: number): void {
  const held = factors.get(target) ?? [];
  const at = held.indexOf(factor);
  assert(at >= 0, "a slow-down ended that had not begun");
  if (held.length === 1) factors.delete(target);
  else held.splice(at, 1);
}

/** Always in the order of the list, so that equal lists give the same bits. */
function productOf(factors: readonly number[] | undefined): number {
  return factors === undefined ? 1 : factors.reduce((product, factor) => product * factor, 1);
}
