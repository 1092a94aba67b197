import { EventSet } from "../kernel/event-set.js";
import type { FlowTable } from "./flow-table.js";
import { MOST_RESOURCES, NONE, widenedTo } from "./flow-table.js";

/** A rate that moves by less is the old one: what remains is the rounding of sums taken in another order. */
const SAME = 1e-12;
/** After so many rounds all neighbours are taken in, so that a long chain does not cost a round for each link. */
const CAUTIOUS_ROUNDS = 4;

/** Of a flow. */
const OUTSIDE = 0;
const OPEN = 1;
const SETTLED = 2;
/** Of a resource: `EDGE`, some flows on it are members, the others keep their rates; `CORE`, all are members. */
const UNTOUCHED = 0;
const EDGE = 1;
const CORE = 2;

/**
 * Max-min fair rates by progressive filling (Bertsekas and Gallager, Data Networks, section 6.5.2), of as few flows as
 * a change can reach. It starts from the flows and resources that changed; the rest keep their rates as long as each still has
 * a resource that is full and on which nobody is faster. Where that breaks, the resource and all its flows are taken in and
 * the rates taken anew. What then holds for all is what defines the max-min fair rates, and those are unique.
 */
export class MaxMin {
  /** The flows whose rates were taken, and by flow their rate and the resource that limits it. */
  members: Int32Array;
  memberCount = 0;
  fresh: Float64Array;
  freshLimit: Int32Array;
  /** By flow: it takes no more than that. */
  private most: Float64Array;
  private modest: Int32Array;
  private modestCount = 0;
  private stateOf: Uint8Array;
  private readonly touched: Int32Array;
  private touchedCount = 0;
  private readonly core: Int32Array;
  private coreCount = 0;
  private readonly kindOf: Uint8Array;
  private readonly spare: Float64Array;
  private readonly openFlows: Int32Array;
  /** Resources by what they have for each open flow. */
  private readonly byShare: EventSet;

  constructor(private readonly table: FlowTable) {
    const flows = table.rate.length;
    const resources = table.capacity.length;
    this.members = new Int32Array(flows);
    this.fresh = new Float64Array(flows);
    this.freshLimit = new Int32Array(flows);
    this.most = new Float64Array(flows).fill(Infinity);
    this.modest = new Int32Array(flows);
    this.stateOf = new Uint8Array(flows);
    this.touched = new Int32Array(resources);
    this.core = new Int32Array(resources);
    this.kindOf = new Uint8Array(resources);
    this.spare = new Float64Array(resources);
    this.openFlows = new Int32Array(resources);
    this.byShare = new EventSet(resources);
  }

  /** Makes room for flows with handles below `flows`. */
  widen(flows: number): void {
    this.members = widenedTo(this.members, flows, 0);
    this.fresh = widenedTo(this.fresh, flows, 0);
    this.freshLimit = widenedTo(this.freshLimit, flows, 0);
    this.most = widenedTo(this.most, flows, Infinity);
    this.modest = widenedTo(this.modest, flows, 0);
    this.stateOf = widenedTo(this.stateOf, flows, 0);
  }

  /** Begins a question; then come its members and core resources, then `solve`. */
  begin(): void {
    for (let i = 0; i < this.memberCount; i++) this.stateOf[this.members[i]] = OUTSIDE;
    for (let i = 0; i < this.touchedCount; i++) this.kindOf[this.touched[i]] = UNTOUCHED;
    for (let i = 0; i < this.modestCount; i++) this.most[this.modest[i]] = Infinity;
    this.memberCount = 0;
    this.touchedCount = 0;
    this.coreCount = 0;
    this.modestCount = 0;
  }

  /** A flow whose rate is to be taken; it must have no reservation. */
  addMember(flow: number): void {
    if (this.stateOf[flow] !== OUTSIDE) return;
    this.stateOf[flow] = OPEN;
    this.members[this.memberCount++] = flow;
    const { table } = this;
    const end = (flow + 1) * MOST_RESOURCES;
    for (let place = flow * MOST_RESOURCES; place < end; place++) {
      const r = table.finite(place);
      if (r !== NONE && this.kindOf[r] === UNTOUCHED) this.touch(r, EDGE);
    }
  }

  /** For this question a member takes no more than that. */
  limit(member: number, bytesPerSecond: number): void {
    this.most[member] = bytesPerSecond;
    this.modest[this.modestCount++] = member;
  }

  /** A resource that limits other flows than before, or has changed itself. */
  addCore(resource: number): void {
    if (this.kindOf[resource] === CORE) return;
    if (this.kindOf[resource] === UNTOUCHED) this.touch(resource, CORE);
    else this.kindOf[resource] = CORE;
    this.core[this.coreCount++] = resource;
  }

  /** Takes the rates; they are in `members`, `fresh` and `freshLimit` until the next question. */
  solve(): void {
    let known = 0;
    for (let round = 1; ; round++) {
      for (; known < this.coreCount; known++) this.takeIn(this.core[known]);
      for (let i = 0; i < this.touchedCount; i++) this.prepare(this.touched[i]);
      this.fill();
      if (!this.grow(round > CAUTIOUS_ROUNDS)) return;
      for (let i = 0; i < this.memberCount; i++) this.stateOf[this.members[i]] = OPEN;
    }
  }

  /** Whether a member's rate is another than before. */
  hasMoved(member: number): boolean {
    const fresh = this.fresh[member];
    const before = this.table.rate[member];
    return !(Math.abs(fresh - before) <= SAME * Math.min(fresh, before));
  }

  private touch(resource: number, kind: number): void {
    this.kindOf[resource] = kind;
    this.touched[this.touchedCount++] = resource;
  }

  private takeIn(resource: number): void {
    const { head, next, reserved } = this.table;
    for (let place = head[resource]; place !== NONE; place = next[place]) {
      const flow = (place / MOST_RESOURCES) | 0;
      if (reserved[flow] === NONE) this.addMember(flow);
    }
  }

  /** What a resource has for its members, and how many they are. */
  private prepare(resource: number): void {
    const { head, next, rate, capacity } = this.table;
    let taken = 0;
    let members = 0;
    for (let place = head[resource]; place !== NONE; place = next[place]) {
      const flow = (place / MOST_RESOURCES) | 0;
      if (this.stateOf[flow] === OUTSIDE) taken += rate[flow];
      else members++;
    }
    this.spare[resource] = Math.max(0, capacity[resource] - taken);
    this.openFlows[resource] = members;
  }

  /**
   * Raises all open flows alike until a resource is full; those on it stay at that, the others go on. What a resource has for
   * each of its flows only grows meanwhile, so `byShare` may hold what it once was: who comes first is asked again.
   */
  private fill(): void {
    const { byShare, openFlows, spare, touched } = this;
    this.fillUnlimited();
    for (let i = 0; i < this.touchedCount; i++) {
      const r = touched[i];
      if (openFlows[r] > 0) byShare.add(r, spare[r] / openFlows[r]);
    }
    while (byShare.size > 0) {
      const r = byShare.pop();
      if (openFlows[r] === 0) continue;
      const share = spare[r] / openFlows[r];
      if (share > byShare.peekAtUs()) byShare.add(r, share);
      else if (this.settleModest(share)) byShare.add(r, spare[r] / Math.max(1, openFlows[r]));
      else this.settleAll(r, share);
    }
  }

  /** Flows that no resource limits. */
  private fillUnlimited(): void {
    for (let i = 0; i < this.memberCount; i++) {
      const flow = this.members[i];
      this.fresh[flow] = this.most[flow];
      this.freshLimit[flow] = NONE;
    }
  }

  private settleAll(resource: number, level: number): void {
    const { head, next } = this.table;
    for (let place = head[resource]; place !== NONE; place = next[place]) {
      const flow = (place / MOST_RESOURCES) | 0;
      if (this.stateOf[flow] === OPEN) this.settle(flow, level, resource);
    }
  }

  /** Settles flows that want no more than `level`; whether there were any. */
  private settleModest(level: number): boolean {
    let any = false;
    for (let i = 0; i < this.modestCount; i++) {
      const flow = this.modest[i];
      if (this.stateOf[flow] !== OPEN || this.most[flow] > level) continue;
      this.settle(flow, this.most[flow], NONE);
      any = true;
    }
    return any;
  }

  private settle(flow: number, level: number, limit: number): void {
    const { table, spare, openFlows } = this;
    this.stateOf[flow] = SETTLED;
    this.fresh[flow] = level;
    this.freshLimit[flow] = limit;
    const end = (flow + 1) * MOST_RESOURCES;
    for (let place = flow * MOST_RESOURCES; place < end; place++) {
      const r = table.finite(place);
      if (r === NONE) continue;
      spare[r] = Math.max(0, spare[r] - level);
      openFlows[r]--;
    }
  }

  /** Takes in the edges that can no longer keep the flows outside as they are; whether there were any. */
  private grow(everywhere: boolean): boolean {
    const before = this.coreCount;
    for (let i = 0; i < this.touchedCount; i++) {
      const r = this.touched[i];
      if (this.kindOf[r] === EDGE && this.breaks(r)) this.addCore(r);
    }
    if (this.coreCount === before) return false;
    if (everywhere) for (let i = 0; i < this.touchedCount; i++) this.addCore(this.touched[i]);
    return true;
  }

  /**
   * Whether a flow outside was limited by the resource, which now has another load or a faster member (one whose reservation
   * was lifted may be), or is faster than those it limits now.
   */
  private breaks(resource: number): boolean {
    const { head, next, rate, reserved, limitedBy } = this.table;
    let moved = false;
    let slowestAnchored = Infinity;
    let fastestMember = 0;
    let fastestOutside = 0;
    let level = Infinity;
    for (let place = head[resource]; place !== NONE; place = next[place]) {
      const flow = (place / MOST_RESOURCES) | 0;
      if (this.stateOf[flow] !== OUTSIDE) {
        moved ||= this.hasMoved(flow);
        if (this.freshLimit[flow] === resource) level = this.fresh[flow];
        fastestMember = Math.max(fastestMember, this.fresh[flow]);
      } else if (reserved[flow] === NONE) {
        if (limitedBy[flow] === resource) slowestAnchored = Math.min(slowestAnchored, rate[flow]);
        fastestOutside = Math.max(fastestOutside, rate[flow]);
      }
    }
    if (fastestOutside > level * (1 + SAME)) return true;
    return slowestAnchored < Infinity && (moved || fastestMember > slowestAnchored * (1 + SAME));
  }
}
