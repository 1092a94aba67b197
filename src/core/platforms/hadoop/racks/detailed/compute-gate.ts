import { Lists } from "../../../../kernel/index.js";
import type { CopyComputeSpec } from "../../../../scenario/index.js";
import type { Topology } from "../../../../cluster/index.js";

interface ComputeGateParts {
  readonly spec: CopyComputeSpec;
  readonly topology: Topology;
  readonly nodeOfSlot: Int32Array;
  readonly lookaheadUs: number;
  /** A reduce that was parked may compute. */
  readonly admit: (place: number, atUs: number) => void;
  /** A reduce was parked, or has passed. */
  readonly tell: (place: number, atUs: number, isPast: boolean) => void;
}

/**
 * The gates of a rack's nodes (EECS-2009-55): a reduce that has copied everything computes only when a place for that
 * is free on its node, and is parked until then. Places are the slots of the rack, from 0. Calls must come in order of
 * time.
 */
export class ComputeGate {
  private readonly isPast: Uint8Array;
  /** By place: what says whose reduce it is, least first by priority and submission. */
  private readonly rank: Int32Array;
  /** By place: when the last reply came that its reduce may go on by. */
  private readonly orderedUs: Float64Array;
  /** By node, in the order in which they requested to pass. */
  private readonly parked = new Lists<number>();
  /** By node: places of those that are past its gate. */
  private readonly past = new Lists<number>();

  constructor(private readonly parts: ComputeGateParts) {
    const slots = parts.nodeOfSlot.length;
    this.isPast = new Uint8Array(slots);
    this.rank = new Int32Array(slots);
    this.orderedUs = new Float64Array(slots);
  }

  launched(place: number, rank: number, atUs: number): void {
    this.rank[place] = rank;
    this.ordered(place, atUs);
  }

  /** The reply to a heartbeat at that instant notified the reduce of the share of its maps that is done. */
  ordered(place: number, atUs: number): void {
    this.orderedUs[place] = atUs;
  }

  /**
   * Returns the earliest time at which a reduce may request to pass: where others may have to wait for it, one
   * lookahead after the reply that it goes on by, for what they do until then may have happened when the reply comes.
   */
  opensUs(place: number): number {
    return this.isNarrow(this.parts.nodeOfSlot[place]) ? this.orderedUs[place] + this.parts.lookaheadUs : 0;
  }

  /** The reduce has copied everything. True: it may compute; false: it is parked, and `admit` follows. */
  mayPass(place: number, atUs: number): boolean {
    const node = this.parts.nodeOfSlot[place];
    if (this.isNarrow(node) && this.past.of(node).length >= this.parts.spec.computing) {
      this.parked.add(node, place);
      this.tell(place, node, atUs, false);
      return false;
    }
    this.pass(place, node, atUs);
    return true;
  }

  /** The attempt at the place is gone: if it was past the gate, another may pass. */
  attemptLeft(place: number, atUs: number): void {
    if (place >= this.isPast.length) return;
    const node = this.parts.nodeOfSlot[place];
    if (this.isPast[place] === 0) {
      this.parked.remove(node, place);
      return;
    }
    this.isPast[place] = 0;
    this.past.remove(node, place);
    if (!this.parked.has(node)) return;
    const next = this.first(node);
    this.parked.remove(node, next);
    this.pass(next, node, atUs);
    this.parts.admit(next, atUs);
  }

  /** All that the node runs is gone. */
  emptied(node: number): void {
    for (const place of this.past.of(node)) this.isPast[place] = 0;
    this.past.delete(node);
    this.parked.delete(node);
  }

  private pass(place: number, node: number, atUs: number): void {
    if (this.isNarrow(node)) {
      this.isPast[place] = 1;
      this.past.add(node, place);
    }
    this.tell(place, node, atUs, true);
  }

  /**
   * Reports the state of the reduce where something depends on it. An effect of a reply is reported a lookahead later,
   * as everywhere.
   */
  private tell(place: number, node: number, atUs: number, isPast: boolean): void {
    const { spec, topology, lookaheadUs } = this.parts;
    if (!this.isNarrow(node) && spec.perJob >= topology.reduceSlots[node]) return;
    this.parts.tell(place, Math.max(atUs, this.orderedUs[place] + lookaheadUs), isPast);
  }

  /** Some reduce may have to wait there. */
  private isNarrow(node: number): boolean {
    return this.parts.spec.computing < this.parts.topology.reduceSlots[node];
  }

  private first(node: number): number {
    const key = this.keyIn(node);
    const parked = this.parked.of(node);
    let best = parked[0];
    for (const place of parked) if (key(place) < key(best)) best = place;
    return best;
  }

  /** The least goes first; of equals, the one that requested first. */
  private keyIn(node: number): (place: number) => number {
    const { rank } = this;
    switch (this.parts.spec.order) {
      case "waiting":
        return () => 0;
      case "submission":
        return (place) => rank[place];
      case "fair": {
        const past = this.past.of(node);
        return (place) => past.filter((competitor) => rank[competitor] === rank[place]).length;
      }
    }
  }
}
