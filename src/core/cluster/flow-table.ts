export const NONE = -1;

/** A flow takes at most so many resources. */
export const MOST_RESOURCES = 4;

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

/** The same numbers in a longer array, the rest filled. */
export function widenedTo<A extends Int32Array | Float64Array | Uint8Array>(array: A, length: number, fill: number): A {
  const wider = new (array.constructor as new (n: number) => A)(length);
  wider.fill(fill);
  wider.set(array);
  return wider;
}
