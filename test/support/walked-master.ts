import { mix32 } from "../../dist/core/kernel/index.js";
import type { VisitedMaster } from "../../dist/actors/index.js";

/** What happened, in order: a heartbeat that changed something, or an own event. */
export type Happening = readonly [what: "heartbeat" | "event", atUs: number, node: number];

/**
 * A master without jobs, whose wishes change with all that happens, by a hash: nodes that are awaited or wanted, and
 * wanted ones that would only wait, of which so many may be passed over. To visit one that might have been passed over
 * comes to the same.
 */
export class WalkedMaster implements VisitedMaster {
  readonly happened: Happening[] = [];
  private readonly awaited: Int32Array;
  private readonly wanted: Int32Array;
  private readonly waiting: Int32Array;
  private eventsUs: number[];
  private patience = 5;
  private nowUs = 0;

  constructor(
    private readonly nodes: number,
    private readonly seed: number,
    eventsUs: readonly number[],
  ) {
    const words = (nodes + 31) >> 5;
    this.awaited = new Int32Array(words);
    this.wanted = new Int32Array(words);
    this.waiting = new Int32Array(words);
    this.eventsUs = [...eventsUs].sort((a, b) => a - b);
  }

  awaitedNodes(w: number): number {
    return this.awaited[w]!;
  }

  wantedTypes(): number {
    return 1;
  }

  wantedNodes(w: number): number {
    return this.wanted[w]!;
  }

  waitingNodes(w: number): number {
    return this.waiting[w]!;
  }

  skipHeartbeats(heartbeats: number): boolean {
    if (heartbeats > this.patience) return false;
    this.patience -= heartbeats;
    return true;
  }

  nextEventUs(): number {
    return this.eventsUs[0] ?? Infinity;
  }

  runEvent(): void {
    const atUs = this.eventsUs.shift()!;
    this.happen("event", atUs, -1);
  }

  beginHeartbeat(atUs: number): void {
    this.nowUs = atUs;
  }

  endHeartbeat(node: number): void {
    const w = node >> 5;
    const bit = 1 << (node & 31);
    const onlyWaits = (this.wanted[w]! & this.waiting[w]! & ~this.awaited[w]! & bit) !== 0;
    if (onlyWaits && this.patience > 0) {
      this.patience--;
      return;
    }
    this.awaited[w]! &= ~bit;
    this.happen("heartbeat", this.nowUs, node);
  }

  /** A heartbeat of a node nobody wants anything of would change nothing. */
  isRelevant(node: number): boolean {
    return (((this.awaited[node >> 5]! | this.wanted[node >> 5]!) >>> (node & 31)) & 1) !== 0;
  }

  /** Turns some bits, may make an own event for now or later, and may end the patience. */
  private happen(what: Happening[0], atUs: number, node: number): void {
    this.happened.push([what, atUs, node]);
    const draw = (purpose: number): number => mix32(this.seed ^ Math.imul(this.happened.length, 0x9e3779b1) ^ purpose);
    for (let turn = 0; turn < 3; turn++) {
      const target = draw(turn) % this.nodes;
      const bits = [this.awaited, this.wanted, this.wanted, this.waiting][draw(turn + 10) & 3]!;
      bits[target >> 5]! ^= 1 << (target & 31);
    }
    this.patience = draw(20) % 40;
    if (draw(21) % 7 === 0) {
      this.eventsUs.push(atUs + (draw(22) % 60));
      this.eventsUs.sort((a, b) => a - b);
    }
  }
}
