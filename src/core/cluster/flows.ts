import { assert } from "../kernel/assert.js";
import { EventSet } from "../kernel/event-set.js";
import { US_PER_SECOND } from "../kernel/time.js";
import { FlowTable, MOST_RESOURCES, NONE, widenedTo } from "./flow-table.js";
import { MaxMin } from "./max-min.js";

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
   * lifted together, into `offers`; all other reservations stay. Flow `flows[i]` takes at most `most[i]`. A query: nothing changes.
   * Together the offers fit into the resources, so any rates up to them can be reserved.
   */
  offer(flows: Int32Array, count: number, most: Float64Array, offers: Float64Array): void {
    const { maxMin, table } = this;
    maxMin.begin();
    for (let i = 0; i < count; i++) {
      const f = flows[i];
      offers[i] = table.reserved[f];
      table.reserved[f] = NONE;
      maxMin.addMember(f);
      if (most[i] < Infinity) maxMin.limit(f, most[i]);
    }
    maxMin.solve();
    for (let i = 0; i < count; i++) {
      const f = flows[i];
      table.reserved[f] = offers[i];
      offers[i] = maxMin.fresh[f];
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
