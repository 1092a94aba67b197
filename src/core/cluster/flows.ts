import { assert } from "../kernel/assert.js";
import { EventSet } from "../kernel/event-set.js";
import { widenedTo } from "../kernel/growing-arrays.js";
import { US_PER_SECOND } from "../kernel/time.js";

/**
 * Transfers that share disks and links: `Flows` is the face, `MaxMin` takes the rates, `FlowTable` says which flow uses which resource.
 * Knows nothing of racks, nodes or attempts.
 */

const NONE = -1;
/** A flow takes at most so many resources. */
const MOST_RESOURCES = 4;

/**
 * Which flows use which resources, both ways: a list of flows for every resource, threaded through arrays. A place is
 * `flow * MOST_RESOURCES + i`. Lists are in the order of the calls, latest first, so that sums along them are always the
 * same bits.
 */
export class FlowTable {
  /** By place; `NONE` where the flow has fewer. */
  resource: Int32Array;
  /** First place in the list of a resource, and the next of a place. */
  readonly head: Int32Array;
  next: Int32Array;
  private previous: Int32Array;
  /** Bytes per second, by resource and by flow. */
  readonly capacity: Float64Array;
  rate: Float64Array;
  /** By flow; `NONE` where nothing is reserved. */
  reserved: Float64Array;
  /** The resource that keeps the flow from being faster; `NONE` for none. */
  limitedBy: Int32Array;

  constructor(capacity: Float64Array, maxFlows: number) {
    const places = maxFlows * MOST_RESOURCES;
    this.capacity = capacity.slice();
    this.head = new Int32Array(capacity.length).fill(NONE);
    this.resource = new Int32Array(places).fill(NONE);
    this.next = new Int32Array(places).fill(NONE);
    this.previous = new Int32Array(places).fill(NONE);
    this.rate = new Float64Array(maxFlows);
    this.reserved = new Float64Array(maxFlows).fill(NONE);
    this.limitedBy = new Int32Array(maxFlows).fill(NONE);
  }

  /** Makes room for flows with handles below `flows`. */
  widen(flows: number): void {
    const places = flows * MOST_RESOURCES;
    this.resource = widenedTo(this.resource, places, NONE);
    this.next = widenedTo(this.next, places, NONE);
    this.previous = widenedTo(this.previous, places, NONE);
    this.rate = widenedTo(this.rate, flows, 0);
    this.reserved = widenedTo(this.reserved, flows, NONE);
    this.limitedBy = widenedTo(this.limitedBy, flows, NONE);
  }

  link(place: number, resource: number): void {
    const { head, next, previous } = this;
    const first = head[resource];
    this.resource[place] = resource;
    next[place] = first;
    previous[place] = NONE;
    if (first !== NONE) previous[first] = place;
    head[resource] = place;
  }

  unlink(place: number): void {
    const { head, next, previous } = this;
    const after = next[place];
    const before = previous[place];
    if (before === NONE) head[this.resource[place]] = after;
    else next[before] = after;
    if (after !== NONE) previous[after] = before;
    this.resource[place] = NONE;
  }

  /** The resource at a place if it can limit anything, otherwise `NONE`. */
  finite(place: number): number {
    const r = this.resource[place];
    return r !== NONE && this.capacity[r] < Infinity ? r : NONE;
  }

  /** The one resource that can limit the flow; `NONE` if there is none, or more than one. */
  onlyResource(flow: number): number {
    let only = NONE;
    const end = (flow + 1) * MOST_RESOURCES;
    for (let place = flow * MOST_RESOURCES; place < end; place++) {
      const r = this.finite(place);
      if (r === NONE) continue;
      if (only !== NONE) return NONE;
      only = r;
    }
    return only;
  }

  /** Whether somebody would be faster if there were more of the resource. */
  limitsSomebody(resource: number): boolean {
    const { head, next, limitedBy } = this;
    for (let place = head[resource]; place !== NONE; place = next[place])
      if (limitedBy[(place / MOST_RESOURCES) | 0] === resource) return true;
    return false;
  }

  /** Bytes per second over a resource. */
  load(resource: number): number {
    const { head, next, rate } = this;
    let sum = 0;
    for (let place = head[resource]; place !== NONE; place = next[place]) sum += rate[(place / MOST_RESOURCES) | 0];
    return sum;
  }
}

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
class MaxMin {
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

/** What a flow moves in so short a time is rounding, not bytes. */
const RESIDUE_US = 1e-4;

/**
 * Transfers over shared resources (disks, links), as fluids: at every instant their rates are max-min fair. Handles of flows are
 * the caller's, 0 .. maxFlows - 1. Times are whole microseconds and never go back; `start`, `stop`, `extend`, `setCapacity` and
 * `reserve` must not come later than `nextDoneUs`, so whatever is done is taken first.
 *
 * A flow with no resource of finite capacity is done the instant it starts; one on a resource of capacity 0 stands still. What changes
 * costs as much as there are flows whose rates can change with it; on a resource used by no flow that uses another, those on it.
 * Queries change nothing: the same calls give the same bits, whatever was asked in between.
 */
export class Flows {
  private readonly table: FlowTable;
  private readonly maxMin: MaxMin;
  private running: Uint8Array;
  /** Bytes that were left at `sinceUs`, when the rate was last set. */
  private bytesLeft: Float64Array;
  private sinceUs: Float64Array;
  private readonly calendar: EventSet;

  /** @param capacity bytes per second by resource; Infinity: it never limits. */
  constructor(capacity: Float64Array, maxFlows: number) {
    this.table = new FlowTable(capacity, maxFlows);
    this.maxMin = new MaxMin(this.table);
    this.running = new Uint8Array(maxFlows);
    this.bytesLeft = new Float64Array(maxFlows);
    this.sinceUs = new Float64Array(maxFlows);
    this.calendar = new EventSet(maxFlows);
  }

  /** Makes room for flows with handles below `flows`. */
  makeRoom(flows: number): void {
    const room = this.running.length;
    if (flows <= room) return;
    const wider = Math.max(flows, 2 * room);
    this.table.widen(wider);
    this.maxMin.widen(wider);
    this.running = widenedTo(this.running, wider, 0);
    this.bytesLeft = widenedTo(this.bytesLeft, wider, 0);
    this.sinceUs = widenedTo(this.sinceUs, wider, 0);
  }

  /** Starts flow `f` with so many bytes to go over resources r0 .. r3, all different (-1: none). */
  start(f: number, atUs: number, bytes: number, r0: number, r1 = NONE, r2 = NONE, r3 = NONE): void {
    this.checkTime(atUs);
    assert(this.running[f] === 0, "a flow was started that runs");
    assert(bytes >= 0 && bytes < Infinity, "a flow must have bytes to move");
    this.running[f] = 1;
    this.bytesLeft[f] = bytes;
    this.sinceUs[f] = atUs;
    this.link(f, r0, r1, r2, r3);
    const { table } = this;
    const reserved = table.reserved[f];
    table.rate[f] = reserved === NONE ? 0 : reserved;
    table.limitedBy[f] = NONE;
    this.reschedule(f);
    const only = reserved === NONE ? table.onlyResource(f) : NONE;
    if (only !== NONE && this.isPlain(only)) {
      this.shareEqually(only, atUs);
      return;
    }
    this.maxMin.begin();
    if (reserved === NONE) this.maxMin.addMember(f);
    else this.disturbAll(f);
    this.solve(atUs);
  }

  /** Ends a flow early; the bytes that it had left. */
  stop(f: number, atUs: number): number {
    this.checkTime(atUs);
    assert(this.running[f] === 1, "a flow was stopped that does not run");
    const left = this.left(f, atUs);
    this.calendar.remove(f);
    this.leave(f, atUs);
    return left;
  }

  /** Gives a running flow more bytes to go. Its rate stays, so nobody else is concerned. */
  extend(f: number, atUs: number, bytes: number): void {
    this.checkTime(atUs);
    assert(this.running[f] === 1, "a flow was extended that does not run");
    this.bytesLeft[f] = this.left(f, atUs) + bytes;
    this.sinceUs[f] = atUs;
    this.reschedule(f);
  }

  /** From now on a resource carries so many bytes per second; 0: what uses it stands still. */
  setCapacity(resource: number, atUs: number, bytesPerSecond: number): void {
    this.checkTime(atUs);
    const { table, maxMin } = this;
    if (table.capacity[resource] === bytesPerSecond) return;
    table.capacity[resource] = bytesPerSecond;
    if (bytesPerSecond < Infinity && this.isPlain(resource)) {
      this.shareEqually(resource, atUs);
      return;
    }
    maxMin.begin();
    if (bytesPerSecond < Infinity) maxMin.addCore(resource);
    for (let place = table.head[resource]; place !== NONE; place = table.next[place]) {
      const f = (place / MOST_RESOURCES) | 0;
      if (table.reserved[f] === NONE) maxMin.addMember(f);
    }
    this.solve(atUs);
  }

  /**
   * Gives a flow a fixed rate, agreed elsewhere; -1 takes it back. It goes at that rate whatever is fair, even where the
   * resources do not have it: the others share what is left, which is 0 at worst. May come before the start; ends with the flow.
   */
  reserve(f: number, atUs: number, bytesPerSecond: number): void {
    this.checkTime(atUs);
    this.maxMin.begin();
    this.changeReservation(f, atUs, bytesPerSecond);
    this.solve(atUs);
  }

  /** `reserve` for the first `count` of `flows`, all different, with the rates beside them, at the cost of one change. */
  reserveAll(flows: Int32Array, count: number, atUs: number, bytesPerSecond: Float64Array): void {
    this.checkTime(atUs);
    this.maxMin.begin();
    for (let i = 0; i < count; i++) this.changeReservation(flows[i], atUs, bytesPerSecond[i]);
    this.solve(atUs);
  }

  /**
   * The max-min rates that the first `count` of `flows`, all different and running, would have if their reservations were
   * lifted together, into `proposed`; all other reservations stay. Flow `flows[i]` takes at most `most[i]`. A query: nothing changes.
   * Together the proposed rates fit into the resources, so any rates up to them can be reserved.
   */
  propose(flows: Int32Array, count: number, most: Float64Array, proposed: Float64Array): void {
    const { maxMin, table } = this;
    maxMin.begin();
    for (let i = 0; i < count; i++) {
      const f = flows[i];
      proposed[i] = table.reserved[f];
      table.reserved[f] = NONE;
      maxMin.addMember(f);
      if (most[i] < Infinity) maxMin.limit(f, most[i]);
    }
    maxMin.solve();
    for (let i = 0; i < count; i++) {
      const f = flows[i];
      table.reserved[f] = proposed[i];
      proposed[i] = maxMin.fresh[f];
    }
  }

  /** The first whole microsecond at which some flow's bytes are all through; Infinity for none. */
  nextDoneUs(): number {
    return this.calendar.peekAtUs();
  }

  /** Removes and returns the flow that is done first, ties by handle; there must be one. */
  popDone(): number {
    const atUs = this.calendar.peekAtUs();
    assert(atUs < Infinity, "no flow is done");
    const f = this.calendar.pop();
    this.leave(f, atUs);
    return f;
  }

  /** Bytes that a running flow has to go, at or after the last change. */
  left(f: number, atUs: number): number {
    const rate = this.table.rate[f];
    if (rate === Infinity) return 0;
    const left = this.bytesLeft[f] - (rate * (atUs - this.sinceUs[f])) / US_PER_SECOND;
    return left <= (rate * RESIDUE_US) / US_PER_SECOND ? 0 : left;
  }

  /** Bytes per second of a running flow. */
  rate(f: number): number {
    return this.table.rate[f];
  }

  private checkTime(atUs: number): void {
    assert(atUs <= this.calendar.peekAtUs(), "flows that are done must be taken before anything changes");
  }

  private link(f: number, r0: number, r1: number, r2: number, r3: number): void {
    assert(r0 === NONE || (r0 !== r1 && r0 !== r2 && r0 !== r3), "a flow takes a resource once");
    assert((r1 === NONE || (r1 !== r2 && r1 !== r3)) && (r2 === NONE || r2 !== r3), "a flow takes a resource once");
    const place = f * MOST_RESOURCES;
    if (r0 !== NONE) this.table.link(place, r0);
    if (r1 !== NONE) this.table.link(place + 1, r1);
    if (r2 !== NONE) this.table.link(place + 2, r2);
    if (r3 !== NONE) this.table.link(place + 3, r3);
  }

  private leave(f: number, atUs: number): void {
    const { table, maxMin } = this;
    const only = table.onlyResource(f);
    const plain = only !== NONE && this.isPlain(only);
    this.running[f] = 0;
    table.reserved[f] = NONE;
    maxMin.begin();
    const end = (f + 1) * MOST_RESOURCES;
    for (let place = f * MOST_RESOURCES; place < end; place++) {
      const r = table.resource[place];
      if (r === NONE) continue;
      table.unlink(place);
      if (!plain && table.capacity[r] < Infinity) this.disturb(r);
    }
    if (plain) this.shareEqually(only, atUs);
    else this.solve(atUs);
  }

  private changeReservation(f: number, atUs: number, bytesPerSecond: number): void {
    const { table } = this;
    const reserved = bytesPerSecond >= 0 ? bytesPerSecond : NONE;
    assert(reserved < Infinity, "a reserved rate is finite");
    if (table.reserved[f] === reserved) return;
    table.reserved[f] = reserved;
    if (this.running[f] === 0) return;
    if (reserved === NONE) {
      this.maxMin.addMember(f);
      return;
    }
    this.setRate(f, atUs, reserved);
    table.limitedBy[f] = NONE;
    this.disturbAll(f);
  }

  private disturbAll(f: number): void {
    const end = (f + 1) * MOST_RESOURCES;
    for (let place = f * MOST_RESOURCES; place < end; place++) {
      const r = this.table.finite(place);
      if (r !== NONE) this.disturb(r);
    }
  }

  /** The load of a resource is another: its flows are taken in if it limited some, or is too small now. */
  private disturb(resource: number): void {
    if (this.table.limitsSomebody(resource) || this.table.load(resource) > this.table.capacity[resource])
      this.maxMin.addCore(resource);
  }

  private solve(atUs: number): void {
    const { maxMin, table } = this;
    maxMin.solve();
    for (let i = 0; i < maxMin.memberCount; i++) {
      const f = maxMin.members[i];
      if (maxMin.hasMoved(f)) this.setRate(f, atUs, maxMin.fresh[f]);
      table.limitedBy[f] = maxMin.freshLimit[f];
    }
  }

  /** Whether no flow on the resource is reserved or uses another, so that all have the same rate. */
  private isPlain(resource: number): boolean {
    const { head, next, reserved } = this.table;
    for (let place = head[resource]; place !== NONE; place = next[place]) {
      const f = (place / MOST_RESOURCES) | 0;
      if (reserved[f] !== NONE || this.table.onlyResource(f) !== resource) return false;
    }
    return true;
  }

  private shareEqually(resource: number, atUs: number): void {
    const { head, next, limitedBy, capacity } = this.table;
    let flows = 0;
    for (let place = head[resource]; place !== NONE; place = next[place]) flows++;
    const rate = capacity[resource] / flows;
    for (let place = head[resource]; place !== NONE; place = next[place]) {
      const f = (place / MOST_RESOURCES) | 0;
      limitedBy[f] = resource;
      if (this.table.rate[f] !== rate) this.setRate(f, atUs, rate);
    }
  }

  private setRate(f: number, atUs: number, rate: number): void {
    this.bytesLeft[f] = this.left(f, atUs);
    this.sinceUs[f] = atUs;
    this.table.rate[f] = rate;
    this.reschedule(f);
  }

  private reschedule(f: number): void {
    this.calendar.remove(f);
    const left = this.bytesLeft[f];
    const rate = this.table.rate[f];
    if (left === 0 || rate === Infinity) this.calendar.add(f, this.sinceUs[f]);
    else if (rate > 0) {
      const doneUs = this.sinceUs[f] + Math.max(0, Math.ceil((left / rate) * US_PER_SECOND - RESIDUE_US));
      if (doneUs <= Number.MAX_SAFE_INTEGER) this.calendar.add(f, doneUs);
    }
  }
}
