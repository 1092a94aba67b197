import { assert, EventSet, widenedTo, US_PER_SECOND } from "../kernel/index.js";

/**
 * Transfers that share disks and links: `Flows` is the face, `MaxMin` takes the rates, `FlowTable` says which flow uses
 * which resource. Knows nothing of racks, nodes or attempts.
 */

const NONE = -1;
/** Most resources that a flow can use. Each has a place of its own, known by the number of its first word. */
const PLACES = 4;
const PLACE_WORDS = 4;
/** 64 bytes: the words of a flow lie in one line of the cache. */
const FLOW_WORDS = PLACES * PLACE_WORDS;
/**
 * Words of a place: the resource, or `NONE` if the flow uses fewer; the next and the previous place in the list of
 * that resource.
 */
const RESOURCE = 0;
const NEXT = 1;
const PREVIOUS = 2;
/**
 * The fourth words of a flow's first three places: the resource that limits its rate; the number of resources that can
 * limit it; the first of these, its home.
 */
const LIMITED_BY = 3;
const FINITES = PLACE_WORDS + 3;
const HOME = 2 * PLACE_WORDS + 3;
/**
 * Numbers of a flow: its rate and its reserved rate (`NONE`: none), in bytes per second; its bytes left at an instant,
 * and that instant.
 */
const RATE = 0;
const RESERVED = 1;
const LEFT = 2;
const SINCE = 3;
const FLOW_NUMBERS = 4;

/** The flow that has the place. */
function flowAt(place: number): number {
  return (place / FLOW_WORDS) | 0;
}

/**
 * The flows and the resources that they use, both ways: a list of flows for every resource, threaded through the
 * records of the flows. Lists are in the order of the calls, latest first, so that sums along them are always the same
 * bits.
 */
export class FlowTable {
  words: Int32Array;
  numbers: Float64Array;
  /** By resource: bytes per second; the first place in its list; the number of flows that use it. */
  readonly capacity: Float64Array;
  readonly head: Int32Array;
  readonly users: Int32Array;
  /** By resource: the number of its flows that are reserved, or that another resource can limit as well. */
  private readonly mixed: Int32Array;
  /** By resource that can limit flows: the number of its reserved flows; the number of flows that it limits. */
  readonly reservations: Int32Array;
  readonly limits: Int32Array;

  constructor(
    capacity: Float64Array,
    /** Handles of flows are below this. */
    public room: number,
  ) {
    this.capacity = capacity.slice();
    this.head = new Int32Array(capacity.length).fill(NONE);
    this.users = new Int32Array(capacity.length);
    this.mixed = new Int32Array(capacity.length);
    this.reservations = new Int32Array(capacity.length);
    this.limits = new Int32Array(capacity.length);
    this.words = new Int32Array(room * FLOW_WORDS).fill(NONE);
    this.numbers = new Float64Array(room * FLOW_NUMBERS).fill(NONE);
  }

  /** Makes room for flows with handles below `flows`. */
  widen(flows: number): void {
    this.words = widenedTo(this.words, flows * FLOW_WORDS, NONE);
    this.numbers = widenedTo(this.numbers, flows * FLOW_NUMBERS, NONE);
    this.room = flows;
  }

  /** Enters a flow, with what is reserved for it, in the lists of resources r0 .. r3. */
  enter(flow: number, r0: number, r1: number, r2: number, r3: number): void {
    assert(r0 === NONE || (r0 !== r1 && r0 !== r2 && r0 !== r3), "a flow takes a resource once");
    assert((r1 === NONE || (r1 !== r2 && r1 !== r3)) && (r2 === NONE || r2 !== r3), "a flow takes a resource once");
    const place = flow * FLOW_WORDS;
    if (r0 !== NONE) this.link(place, r0);
    if (r1 !== NONE) this.link(place + PLACE_WORDS, r1);
    if (r2 !== NONE) this.link(place + 2 * PLACE_WORDS, r2);
    if (r3 !== NONE) this.link(place + 3 * PLACE_WORDS, r3);
    this.count(flow);
  }

  /** A resource gets another capacity. */
  setCapacity(resource: number, bytesPerSecond: number): void {
    const { head, words, capacity } = this;
    const wasFinite = capacity[resource] < Infinity;
    if (wasFinite === bytesPerSecond < Infinity) {
      capacity[resource] = bytesPerSecond;
      return;
    }
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) this.uncount(flowAt(place));
    capacity[resource] = bytesPerSecond;
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) this.count(flowAt(place));
  }

  /** Reserves a rate for a flow that is in its lists; `NONE` takes it back. */
  reserve(flow: number, bytesPerSecond: number): void {
    this.uncount(flow);
    this.numbers[flow * FLOW_NUMBERS + RESERVED] = bytesPerSecond;
    this.count(flow);
  }

  /** Takes a place out of its list; the flow must not be counted. */
  unlink(place: number): void {
    const { head, words, users } = this;
    const resource = words[place + RESOURCE];
    const after = words[place + NEXT];
    const before = words[place + PREVIOUS];
    if (before === NONE) head[resource] = after;
    else words[before + NEXT] = after;
    if (after !== NONE) words[after + PREVIOUS] = before;
    words[place + RESOURCE] = NONE;
    users[resource]--;
  }

  /** Takes the flow out of the counts of its resources. */
  uncount(flow: number): void {
    if (this.isMixed(flow)) this.countMixed(flow, -1);
  }

  rate(flow: number): number {
    return this.numbers[flow * FLOW_NUMBERS + RATE];
  }

  reserved(flow: number): number {
    return this.numbers[flow * FLOW_NUMBERS + RESERVED];
  }

  limitedBy(flow: number): number {
    return this.words[flow * FLOW_WORDS + LIMITED_BY];
  }

  /** From now on the resource limits the rate of the flow; `NONE`: none does. */
  limit(flow: number, resource: number): void {
    const { words, limits } = this;
    const word = flow * FLOW_WORDS + LIMITED_BY;
    const before = words[word];
    if (before === resource) return;
    if (before !== NONE) limits[before]--;
    if (resource !== NONE) limits[resource]++;
    words[word] = resource;
  }

  /** Whether one of its places is at that resource. */
  uses(flow: number, resource: number): boolean {
    const { words } = this;
    const word = flow * FLOW_WORDS;
    return (
      words[word] === resource ||
      words[word + PLACE_WORDS] === resource ||
      words[word + 2 * PLACE_WORDS] === resource ||
      words[word + 3 * PLACE_WORDS] === resource
    );
  }

  /** Returns the number of resources that can limit the flow. */
  finites(flow: number): number {
    return this.words[flow * FLOW_WORDS + FINITES];
  }

  /** The first resource that can limit the flow; `NONE` for none. */
  home(flow: number): number {
    return this.words[flow * FLOW_WORDS + HOME];
  }

  /** The resource at a place if it can limit anything, otherwise `NONE`. */
  finite(place: number): number {
    const r = this.words[place + RESOURCE];
    return r !== NONE && this.capacity[r] < Infinity ? r : NONE;
  }

  /**
   * Whether all flows on the resource, which is finite, can be limited by nothing else, and none is reserved: they have
   * the same rate.
   */
  isPlain(resource: number): boolean {
    return this.mixed[resource] === 0;
  }

  /** Whether some flow would be faster with more of the resource, or reservations on it exceed its capacity. */
  isFull(resource: number): boolean {
    if (this.limits[resource] > 0) return true;
    if (this.reservations[resource] === 0) return false;
    const { head, words } = this;
    let load = 0;
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) load += this.rate(flowAt(place));
    return load > this.capacity[resource];
  }

  private link(place: number, resource: number): void {
    const { head, words, users } = this;
    const first = head[resource];
    words[place + RESOURCE] = resource;
    words[place + NEXT] = first;
    words[place + PREVIOUS] = NONE;
    if (first !== NONE) words[first + PREVIOUS] = place;
    head[resource] = place;
    users[resource]++;
  }

  /** Notes what can limit the flow, in its record and at its resources. */
  private count(flow: number): void {
    const { words } = this;
    const word = flow * FLOW_WORDS;
    let finites = 0;
    let home = NONE;
    for (let place = word; place < word + FLOW_WORDS; place += PLACE_WORDS) {
      const r = this.finite(place);
      if (r !== NONE && finites++ === 0) home = r;
    }
    words[word + FINITES] = finites;
    words[word + HOME] = home;
    if (this.isMixed(flow)) this.countMixed(flow, 1);
  }

  private isMixed(flow: number): boolean {
    return this.finites(flow) > 1 || this.reserved(flow) !== NONE;
  }

  private countMixed(flow: number, by: number): void {
    const word = flow * FLOW_WORDS;
    const isReserved = this.reserved(flow) !== NONE;
    for (let place = word; place < word + FLOW_WORDS; place += PLACE_WORDS) {
      const r = this.finite(place);
      if (r === NONE) continue;
      this.mixed[r] += by;
      if (isReserved) this.reservations[r] += by;
    }
  }
}

/** A rate that moves by less is the old one: what remains is the rounding of sums taken in another order. */
const SAME = 1e-12;
function isAnother(rate: number, before: number): boolean {
  return !(Math.abs(rate - before) <= SAME * Math.min(rate, before));
}

/** After so many rounds all neighbours are taken in, so that a long chain does not cost a round for each link. */
const CAUTIOUS_ROUNDS = 4;
/** States of a flow. */
const OUTSIDE = 0;
const OPEN = 1;
const SETTLED = 2;
/** States of a resource: `EDGE`, some flows on it are members, the others keep their rates; `CORE`, all are members. */
const UNTOUCHED = 0;
const EDGE = 1;
const CORE = 2;

/**
 * Max-min fair rates by progressive filling (Bertsekas and Gallager, Data Networks, section 6.5.2), of as few flows as
 * a change can reach. It starts from the flows and resources that changed; the rest keep their rates as long as each
 * still has a resource that is full and on which no flow is faster. Where that breaks, the resource and all its flows
 * are taken in and the rates taken anew. What then holds for all is what defines the max-min fair rates, and those are
 * unique.
 */
class MaxMin {
  /** The flows whose rates were taken, and by flow their rate and the resource that limits it. */
  members: Int32Array;
  memberCount = 0;
  fresh: Float64Array;
  freshLimit: Int32Array;
  /** By flow: it takes no more than that. */
  private maxRate: Float64Array;
  /** Flows for which that is finite; while rates are taken, by it, and the first that has not been looked at. */
  private modest: Int32Array;
  private modestCount = 0;
  private nextModest = 0;
  private stateOf: Uint8Array;
  private readonly touched: Int32Array;
  private touchedCount = 0;
  private readonly core: Int32Array;
  private coreCount = 0;
  private readonly kindOf: Uint8Array;
  private readonly spare: Float64Array;
  private readonly openFlows: Int32Array;
  /** By touched resource: how many of its flows are members. */
  private readonly joined: Int32Array;
  /** Resources by what they have for each open flow. */
  private readonly byShare: EventSet;

  constructor(private readonly table: FlowTable) {
    const flows = table.room;
    const resources = table.capacity.length;
    this.members = new Int32Array(flows);
    this.fresh = new Float64Array(flows);
    this.freshLimit = new Int32Array(flows);
    this.maxRate = new Float64Array(flows).fill(Infinity);
    this.modest = new Int32Array(flows);
    this.stateOf = new Uint8Array(flows);
    this.touched = new Int32Array(resources);
    this.core = new Int32Array(resources);
    this.kindOf = new Uint8Array(resources);
    this.spare = new Float64Array(resources);
    this.openFlows = new Int32Array(resources);
    this.joined = new Int32Array(resources);
    this.byShare = new EventSet(resources);
  }

  /** Makes room for flows with handles below `flows`. */
  widen(flows: number): void {
    this.members = widenedTo(this.members, flows, 0);
    this.fresh = widenedTo(this.fresh, flows, 0);
    this.freshLimit = widenedTo(this.freshLimit, flows, 0);
    this.maxRate = widenedTo(this.maxRate, flows, Infinity);
    this.modest = widenedTo(this.modest, flows, 0);
    this.stateOf = widenedTo(this.stateOf, flows, 0);
  }

  /** Begins a question; then come its members and core resources, then `solve`. */
  begin(): void {
    for (let i = 0; i < this.memberCount; i++) this.stateOf[this.members[i]] = OUTSIDE;
    for (let i = 0; i < this.touchedCount; i++) this.kindOf[this.touched[i]] = UNTOUCHED;
    for (let i = 0; i < this.modestCount; i++) this.maxRate[this.modest[i]] = Infinity;
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
    const { table, joined } = this;
    const word = flow * FLOW_WORDS;
    let finitesLeft = table.finites(flow);
    for (let place = word; finitesLeft > 0; place += PLACE_WORDS) {
      const r = table.finite(place);
      if (r === NONE) continue;
      finitesLeft--;
      if (this.kindOf[r] === UNTOUCHED) this.touch(r, EDGE);
      joined[r]++;
    }
  }

  /** For this question a member takes no more than that. */
  limit(member: number, bytesPerSecond: number): void {
    this.maxRate[member] = bytesPerSecond;
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
    const { modest, modestCount, maxRate } = this;
    if (modestCount > 1) modest.subarray(0, modestCount).sort((a, b) => maxRate[a] - maxRate[b] || a - b);
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
    return isAnother(this.fresh[member], this.table.rate(member));
  }

  private touch(resource: number, kind: number): void {
    this.kindOf[resource] = kind;
    this.joined[resource] = 0;
    this.touched[this.touchedCount++] = resource;
  }

  private takeIn(resource: number): void {
    const { table } = this;
    const { head, words } = table;
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) {
      const flow = flowAt(place);
      if (table.reserved(flow) === NONE) this.addMember(flow);
    }
  }

  /** Returns what a resource has left for its members. */
  private spareOf(resource: number): number {
    const { table, joined } = this;
    const { head, words, users, capacity } = table;
    if (joined[resource] === users[resource]) return capacity[resource];
    let takenRate = 0;
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) {
      const flow = flowAt(place);
      if (this.stateOf[flow] === OUTSIDE) takenRate += table.rate(flow);
    }
    return Math.max(0, capacity[resource] - takenRate);
  }

  private prepare(resource: number): void {
    this.spare[resource] = this.spareOf(resource);
    this.openFlows[resource] = this.joined[resource];
  }

  /**
   * Raises all open flows alike until a resource is full; those on it stay at that, the others go on. What a resource
   * has for each of its flows only grows meanwhile, so `byShare` may hold an old value: the first entry is checked
   * again.
   */
  private fill(): void {
    const { byShare, openFlows, spare, touched } = this;
    this.nextModest = 0;
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
      this.fresh[flow] = this.maxRate[flow];
      this.freshLimit[flow] = NONE;
    }
  }

  private settleAll(resource: number, level: number): void {
    const { head, words } = this.table;
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) {
      const flow = flowAt(place);
      if (this.stateOf[flow] === OPEN) this.settle(flow, level, resource);
    }
  }

  /** Settles flows that want no more than `level`; whether there were any. */
  private settleModest(level: number): boolean {
    const { modest, maxRate } = this;
    let any = false;
    for (; this.nextModest < this.modestCount && maxRate[modest[this.nextModest]] <= level; this.nextModest++) {
      const flow = modest[this.nextModest];
      if (this.stateOf[flow] !== OPEN) continue;
      this.settle(flow, maxRate[flow], NONE);
      any = true;
    }
    return any;
  }

  private settle(flow: number, level: number, limit: number): void {
    const { table, spare, openFlows } = this;
    this.stateOf[flow] = SETTLED;
    this.fresh[flow] = level;
    this.freshLimit[flow] = limit;
    const word = flow * FLOW_WORDS;
    let finitesLeft = table.finites(flow);
    for (let place = word; finitesLeft > 0; place += PLACE_WORDS) {
      const r = table.finite(place);
      if (r === NONE) continue;
      finitesLeft--;
      spare[r] = Math.max(0, spare[r] - level);
      openFlows[r]--;
    }
  }

  /** Adds the edges at which the rates of flows outside can no longer stay; returns whether there were any. */
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
   * Whether the rate of a flow outside must change: the resource limited it and now has another load or a faster
   * member (after a lifted reservation, say), or it is faster than the flows that the resource limits now.
   */
  private breaks(resource: number): boolean {
    const { table } = this;
    const { head, words, users } = table;
    if (this.joined[resource] === users[resource]) return false;
    let moved = false;
    let slowestAnchored = Infinity;
    let fastestMember = 0;
    let fastestOutside = 0;
    let level = Infinity;
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) {
      const flow = flowAt(place);
      if (this.stateOf[flow] !== OUTSIDE) {
        moved ||= this.hasMoved(flow);
        if (this.freshLimit[flow] === resource) level = this.fresh[flow];
        fastestMember = Math.max(fastestMember, this.fresh[flow]);
      } else if (table.reserved(flow) === NONE) {
        const rate = table.rate(flow);
        if (table.limitedBy(flow) === resource) slowestAnchored = Math.min(slowestAnchored, rate);
        fastestOutside = Math.max(fastestOutside, rate);
      }
    }
    if (fastestOutside > level * (1 + SAME)) return true;
    return slowestAnchored < Infinity && (moved || fastestMember > slowestAnchored * (1 + SAME));
  }
}

/** With more of them it is cheaper to ask `MaxMin`. */
const MOST_PARTNERS = 16;

/** Time whose transfer by a flow is rounding, not bytes. */
const RESIDUE_US = 1e-4;

/**
 * Transfers over shared resources (disks, links), as fluids: at every instant their rates are max-min fair. The caller
 * chooses the handles of flows, from 0 to maxFlows - 1. Times are whole microseconds and never go back. `start`,
 * `stop`, `extend`, `setCapacity` and `reserve` must not come later than `nextDoneUs`, so that finished flows are taken
 * first.
 *
 * A flow without a resource of finite capacity is done the instant it starts; a flow on a resource of capacity 0 stands
 * still. The cost of a change grows with the number of flows whose rates it can change. On a resource whose flows use
 * no other resource, these are only its own flows. Queries change nothing: the same calls give the same bits, whatever
 * queries come in between.
 */
export class Flows {
  private readonly table: FlowTable;
  private readonly maxMin: MaxMin;
  private running: Uint8Array;
  /**
   * An event for each resource: the flow that is done first of those at home there, which is the tie; and one for each
   * flow without a home. All flows on a resource change together, and only the first of them matters.
   */
  private readonly calendar: EventSet;
  /** Homes of flows whose ends have moved. */
  private readonly stale: Int32Array;
  private staleCount = 0;
  private readonly isStale: Uint8Array;
  /** Full resources that a flow has left. */
  private readonly disturbed = new Int32Array(PLACES);
  /** For `limitsAll`: other resources that the flows on the resource use, and the number of flows that use them. */
  private readonly partners = new Int32Array(MOST_PARTNERS);
  private readonly shared = new Int32Array(MOST_PARTNERS);

  /** @param capacity bytes per second by resource; Infinity: it never limits. */
  constructor(capacity: Float64Array, maxFlows: number, calendar = new EventSet(capacity.length)) {
    this.table = new FlowTable(capacity, maxFlows);
    this.maxMin = new MaxMin(this.table);
    this.running = new Uint8Array(maxFlows);
    this.calendar = calendar;
    this.stale = new Int32Array(capacity.length);
    this.isStale = new Uint8Array(capacity.length);
  }

  /** Makes room for flows with handles below `flows`. */
  makeRoom(flows: number): void {
    const room = this.running.length;
    if (flows <= room) return;
    const wider = Math.max(flows, 2 * room);
    this.table.widen(wider);
    this.maxMin.widen(wider);
    this.running = widenedTo(this.running, wider, 0);
  }

  /** Starts flow `f` with so many bytes to go over resources r0 .. r3, all different (-1: none). */
  start(f: number, atUs: number, bytes: number, r0: number, r1 = NONE, r2 = NONE, r3 = NONE): void {
    this.checkTime(atUs);
    assert(this.running[f] === 0, "a flow was started that runs");
    assert(bytes >= 0 && bytes < Infinity, "a flow must have bytes to move");
    const { table } = this;
    const { numbers } = table;
    const cell = f * FLOW_NUMBERS;
    const reserved = numbers[cell + RESERVED];
    this.running[f] = 1;
    numbers[cell + RATE] = reserved === NONE ? 0 : reserved;
    numbers[cell + LEFT] = bytes;
    numbers[cell + SINCE] = atUs;
    table.enter(f, r0, r1, r2, r3);
    const home = table.home(f);
    if (home !== NONE && table.isPlain(home)) return this.shareEqually(home, atUs);
    if (reserved === NONE && this.joinsOthers(f, atUs)) return;
    this.endMoved(f);
    this.maxMin.begin();
    if (reserved === NONE) this.maxMin.addMember(f);
    else this.disturbAll(f);
    this.solve(atUs);
  }

  /** Ends a flow early; the bytes that it had left. */
  stop(f: number, atUs: number): number {
    this.checkTime(atUs);
    assert(this.running[f] === 1, "a flow was stopped that does not run");
    const bytesLeft = this.bytesLeft(f, atUs);
    this.leave(f, atUs);
    return bytesLeft;
  }

  /** Gives a running flow more bytes to go. Its rate stays, so no other flow is affected. */
  extend(f: number, atUs: number, bytes: number): void {
    this.checkTime(atUs);
    assert(this.running[f] === 1, "a flow was extended that does not run");
    const { numbers } = this.table;
    const cell = f * FLOW_NUMBERS;
    numbers[cell + LEFT] = this.bytesLeft(f, atUs) + bytes;
    numbers[cell + SINCE] = atUs;
    this.endMoved(f);
    this.refreshStale();
  }

  /** From now on a resource carries so many bytes per second; 0: what uses it stands still. */
  setCapacity(resource: number, atUs: number, bytesPerSecond: number): void {
    this.checkTime(atUs);
    const { table, maxMin } = this;
    if (table.capacity[resource] === bytesPerSecond) return;
    this.forEachOn(resource, (f) => this.leaveHome(f));
    table.setCapacity(resource, bytesPerSecond);
    this.forEachOn(resource, (f) => this.endMoved(f));
    if (bytesPerSecond < Infinity && table.isPlain(resource)) {
      this.shareEqually(resource, atUs);
      return this.refreshStale();
    }
    maxMin.begin();
    if (bytesPerSecond < Infinity) maxMin.addCore(resource);
    this.forEachOn(resource, (f) => {
      if (table.reserved(f) === NONE) maxMin.addMember(f);
    });
    this.solve(atUs);
  }

  /**
   * Gives a flow a fixed rate, agreed elsewhere; -1 takes it back. It has that rate whatever is fair, even above
   * the capacity of its resources; other flows share the rest, which may be 0. May be called before the start; holds
   * until the flow ends.
   */
  reserve(f: number, atUs: number, bytesPerSecond: number): void {
    this.checkTime(atUs);
    this.maxMin.begin();
    this.changeReservation(f, atUs, bytesPerSecond);
    this.solve(atUs);
  }

  /**
   * `reserve` for the first `count` of `flows`, all different, with the rates beside them, at the cost of one change.
   */
  reserveAll(flows: Int32Array, count: number, atUs: number, bytesPerSecond: Float64Array): void {
    this.checkTime(atUs);
    this.maxMin.begin();
    for (let i = 0; i < count; i++) this.changeReservation(flows[i], atUs, bytesPerSecond[i]);
    this.solve(atUs);
  }

  /**
   * Proposes rates for the first `count` of `flows`, all different and running, as if their reservations were lifted
   * together, and writes them into `proposed`; all other reservations stay. Flow `flows[i]` takes at most `maxRate[i]`:
   * if it gets that, nothing here limits it, and its proposal is Infinity; else the proposal is its max-min rate. A
   * query: nothing changes. For all flows together, the lesser of `maxRate` and the proposal fits into the resources,
   * so any rates up to that can be reserved.
   */
  propose(flows: Int32Array, count: number, maxRate: Float64Array, proposed: Float64Array): void {
    const { maxMin } = this;
    const { numbers } = this.table;
    maxMin.begin();
    for (let i = 0; i < count; i++) {
      const f = flows[i];
      proposed[i] = numbers[f * FLOW_NUMBERS + RESERVED];
      numbers[f * FLOW_NUMBERS + RESERVED] = NONE;
      maxMin.addMember(f);
      if (maxRate[i] < Infinity) maxMin.limit(f, maxRate[i]);
    }
    maxMin.solve();
    for (let i = 0; i < count; i++) {
      const f = flows[i];
      numbers[f * FLOW_NUMBERS + RESERVED] = proposed[i];
      proposed[i] = maxMin.freshLimit[f] === NONE ? Infinity : maxMin.fresh[f];
    }
  }

  /** The first whole microsecond at which some flow's bytes are all through; Infinity for none. */
  nextDoneUs(): number {
    return this.calendar.peekAtUs();
  }

  /** Removes and returns the flow that is done first, ties by handle; there must be one. */
  popDone(): number {
    const { calendar } = this;
    assert(calendar.size > 0, "no flow is done");
    const f = calendar.peekTie();
    this.leave(f, calendar.peekAtUs());
    return f;
  }

  /** Bytes that a running flow has to go, at or after the last change. */
  bytesLeft(f: number, atUs: number): number {
    const { numbers } = this.table;
    const cell = f * FLOW_NUMBERS;
    const rate = numbers[cell + RATE];
    if (rate === Infinity) return 0;
    const bytes = numbers[cell + LEFT] - (rate * (atUs - numbers[cell + SINCE])) / US_PER_SECOND;
    return bytes <= (rate * RESIDUE_US) / US_PER_SECOND ? 0 : bytes;
  }

  /** Bytes per second of a running flow. */
  rate(f: number): number {
    return this.table.rate(f);
  }

  private checkTime(atUs: number): void {
    assert(atUs <= this.calendar.peekAtUs(), "flows that are done must be taken before anything changes");
  }

  private leave(f: number, atUs: number): void {
    const { table, maxMin, disturbed } = this;
    const { words } = table;
    const home = table.home(f);
    this.running[f] = 0;
    if (home === NONE) this.calendar.remove(this.isStale.length + f);
    table.uncount(f);
    table.numbers[f * FLOW_NUMBERS + RESERVED] = NONE;
    table.limit(f, NONE);
    let count = 0;
    const word = f * FLOW_WORDS;
    for (let place = word; place < word + FLOW_WORDS; place += PLACE_WORDS) {
      const r = words[place + RESOURCE];
      if (r === NONE) continue;
      table.unlink(place);
      if (table.capacity[r] < Infinity && table.isFull(r)) disturbed[count++] = r;
    }
    const isAlone = count === 1 && this.limitsAll(disturbed[0]);
    if (home !== NONE && !(isAlone && disturbed[0] === home)) this.homeMoved(home);
    if (isAlone) {
      this.shareEqually(disturbed[0], atUs);
      return this.refreshStale();
    }
    maxMin.begin();
    for (let i = 0; i < count; i++) maxMin.addCore(disturbed[i]);
    this.solve(atUs);
  }

  private changeReservation(f: number, atUs: number, bytesPerSecond: number): void {
    const { table } = this;
    const reserved = bytesPerSecond >= 0 ? bytesPerSecond : NONE;
    assert(reserved < Infinity, "a reserved rate is finite");
    if (table.reserved(f) === reserved) return;
    if (this.running[f] === 0) {
      table.numbers[f * FLOW_NUMBERS + RESERVED] = reserved;
      return;
    }
    table.reserve(f, reserved);
    if (reserved === NONE) {
      this.maxMin.addMember(f);
      return;
    }
    this.setRate(f, atUs, reserved);
    this.endMoved(f);
    table.limit(f, NONE);
    this.disturbAll(f);
  }

  private disturbAll(f: number): void {
    const word = f * FLOW_WORDS;
    for (let place = word; place < word + FLOW_WORDS; place += PLACE_WORDS) {
      const r = this.table.finite(place);
      if (r !== NONE) this.disturb(r);
    }
  }

  /** The load of a resource is another: its flows are taken in if it limited some, or is too small now. */
  private disturb(resource: number): void {
    if (this.table.isFull(resource)) this.maxMin.addCore(resource);
  }

  private solve(atUs: number): void {
    const { maxMin, table } = this;
    maxMin.solve();
    for (let i = 0; i < maxMin.memberCount; i++) {
      const f = maxMin.members[i];
      if (maxMin.hasMoved(f)) {
        this.setRate(f, atUs, maxMin.fresh[f]);
        this.endMoved(f);
      }
      table.limit(f, maxMin.freshLimit[f]);
    }
    this.refreshStale();
  }

  /**
   * A newcomer that only one resource limits, with all that it limits by now: true if that is so, and they have their
   * rates.
   */
  private joinsOthers(f: number, atUs: number): boolean {
    const { table } = this;
    const word = f * FLOW_WORDS;
    let full = NONE;
    for (let place = word; place < word + FLOW_WORDS; place += PLACE_WORDS) {
      const r = table.finite(place);
      if (r === NONE || table.limits[r] === 0) continue;
      if (full !== NONE) return false;
      full = r;
    }
    if (full === NONE || !this.limitsAll(full)) return false;
    if (full !== table.home(f)) this.endMoved(f);
    this.shareEqually(full, atUs);
    this.refreshStale();
    return true;
  }

  /**
   * Whether the usual case holds, at the cost of one look at each flow: the resource limits all its flows alike, and
   * their other resources have more for them and limit no other flow. Then an equal share for each is what `MaxMin`
   * would give them, the same bits.
   */
  private limitsAll(resource: number): boolean {
    const { table, partners, shared } = this;
    const { head, words, users, capacity } = table;
    if (table.isPlain(resource)) return true;
    if (table.reservations[resource] > 0) return false;
    let count = 0;
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) {
      const word = flowAt(place) * FLOW_WORDS;
      let finitesLeft = words[word + FINITES] - 1;
      for (let otherWord = word; finitesLeft > 0; otherWord += PLACE_WORDS) {
        const r = words[otherWord];
        if (r === resource || r === NONE || capacity[r] === Infinity) continue;
        finitesLeft--;
        let i = 0;
        while (i < count && partners[i] !== r) i++;
        if (i === count) {
          if (count === partners.length) return false;
          partners[count] = r;
          shared[count++] = 0;
        }
        shared[i]++;
      }
    }
    const level = capacity[resource] / users[resource];
    for (let i = 0; i < count; i++) if (!this.lets(partners[i], shared[i], resource, level)) return false;
    return true;
  }

  /**
   * Whether a resource that `count` flows on `limit` use fills later than `limit` does at that level, and limits
   * no other flow whose rate would change.
   */
  private lets(resource: number, count: number, limit: number, level: number): boolean {
    const { table } = this;
    const { head, words, users, capacity } = table;
    let takenRate = 0;
    if (count < users[resource]) {
      let moved = false;
      let slowestAnchored = Infinity;
      for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) {
        const flow = flowAt(place);
        const rate = table.rate(flow);
        if (table.uses(flow, limit)) moved ||= isAnother(level, rate);
        else {
          takenRate += rate;
          if (table.limitedBy(flow) === resource) slowestAnchored = Math.min(slowestAnchored, rate);
        }
      }
      if (slowestAnchored < Infinity && (moved || level > slowestAnchored * (1 + SAME))) return false;
    }
    const share = Math.max(0, capacity[resource] - takenRate) / count;
    return share > level || (share === level && resource > limit);
  }

  /** The rates of a resource that limits all flows on it. Then comes `refreshStale`, unless all are at home there. */
  private shareEqually(resource: number, atUs: number): void {
    const { table } = this;
    const { head, users, words, numbers, capacity } = table;
    const rate = capacity[resource] / users[resource];
    let first = NONE;
    let firstUs = Infinity;
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) {
      const f = flowAt(place);
      table.limit(f, resource);
      const hasMoved = isAnother(rate, numbers[f * FLOW_NUMBERS + RATE]);
      if (hasMoved) this.setRate(f, atUs, rate);
      const home = words[f * FLOW_WORDS + HOME];
      if (home !== resource) {
        if (hasMoved) this.homeMoved(home);
        continue;
      }
      if (this.isDoneAfter(f, firstUs)) continue;
      const doneUs = this.doneUs(f);
      if (doneUs > firstUs || (doneUs === firstUs && f > first)) continue;
      first = f;
      firstUs = doneUs;
    }
    this.calendar.move(resource, firstUs, first);
  }

  private setRate(f: number, atUs: number, rate: number): void {
    const { numbers } = this.table;
    const cell = f * FLOW_NUMBERS;
    numbers[cell + LEFT] = this.bytesLeft(f, atUs);
    numbers[cell + SINCE] = atUs;
    numbers[cell + RATE] = rate;
  }

  /** Returns the time at which the flow is done at its present rate; Infinity: never. */
  private doneUs(f: number): number {
    const { numbers } = this.table;
    const cell = f * FLOW_NUMBERS;
    const rate = numbers[cell + RATE];
    const bytes = numbers[cell + LEFT];
    const sinceUs = numbers[cell + SINCE];
    if (bytes === 0 || rate === Infinity) return sinceUs;
    if (!(rate > 0)) return Infinity;
    const doneUs = sinceUs + Math.max(0, Math.ceil((bytes / rate) * US_PER_SECOND - RESIDUE_US));
    return doneUs <= Number.MAX_SAFE_INTEGER ? doneUs : Infinity;
  }

  /**
   * True: at its present rate the flow is surely not done by the instant. A cheap test without a division, because most
   * flows are not the first to be done.
   */
  private isDoneAfter(f: number, us: number): boolean {
    const { numbers } = this.table;
    const cell = f * FLOW_NUMBERS;
    return numbers[cell + LEFT] * US_PER_SECOND > (us - numbers[cell + SINCE] + 2) * numbers[cell + RATE];
  }

  /** The end of the flow has moved; `refreshStale` must follow. */
  private endMoved(f: number): void {
    const home = this.table.home(f);
    if (home === NONE) this.calendar.move(this.isStale.length + f, this.doneUs(f), f);
    else this.homeMoved(home);
  }

  /** Marks the home as stale: another of its flows may be done first. */
  private homeMoved(home: number): void {
    if (this.isStale[home] !== 0) return;
    this.isStale[home] = 1;
    this.stale[this.staleCount++] = home;
  }

  private leaveHome(f: number): void {
    if (this.table.home(f) === NONE) this.calendar.remove(this.isStale.length + f);
    else this.endMoved(f);
  }

  private refreshStale(): void {
    const { head, words } = this.table;
    for (let i = 0; i < this.staleCount; i++) {
      const home = this.stale[i];
      this.isStale[home] = 0;
      let first = NONE;
      let firstUs = Infinity;
      for (let place = head[home]; place !== NONE; place = words[place + NEXT]) {
        const f = flowAt(place);
        if (words[f * FLOW_WORDS + HOME] !== home || this.isDoneAfter(f, firstUs)) continue;
        const doneUs = this.doneUs(f);
        if (doneUs > firstUs || (doneUs === firstUs && f > first)) continue;
        first = f;
        firstUs = doneUs;
      }
      this.calendar.move(home, firstUs, first);
    }
    this.staleCount = 0;
  }

  private forEachOn(resource: number, visit: (f: number) => void): void {
    const { head, words } = this.table;
    for (let place = head[resource]; place !== NONE; place = words[place + NEXT]) visit(flowAt(place));
  }
}
