import { assert } from "./assert.js";

const ABSENT = -1;

/**
 * The pending events of one actor, a binary heap on typed arrays. An event is a small integer (a slot, a job), at most
 * once in the set, ordered by (atUs, tie, event): a total order, so that no two ways of filling the set drain
 * differently. O(log n) each; `peek` O(1); nothing is allocated per event.
 */
export class EventSet {
  size = 0;
  private heap: Int32Array;
  private place: Int32Array;
  private at: Float64Array;
  private tie: Float64Array;

  /**
   * For events 0 .. capacity - 1; grows when a larger one comes.
   * @param firstUs where the time of the earliest event is kept, at `index`: sets side by side are asked for the first of all at once.
   */
  constructor(
    capacity: number,
    private readonly firstUs = new Float64Array(1),
    private readonly index = 0,
  ) {
    firstUs[index] = Infinity;
    const n = Math.max(4, capacity);
    this.heap = new Int32Array(n);
    this.place = new Int32Array(n).fill(ABSENT);
    this.at = new Float64Array(n);
    this.tie = new Float64Array(n);
  }

  /** Time of the earliest event, Infinity when there is none. */
  peekAtUs(): number {
    return this.firstUs[this.index];
  }

  /** The earliest event; the set must not be empty. */
  peek(): number {
    return this.heap[0];
  }

  peekTie(): number {
    return this.tie[this.heap[0]];
  }

  has(event: number): boolean {
    return event < this.place.length && this.place[event] !== ABSENT;
  }

  add(event: number, atUs: number, tie = 0): void {
    if (event >= this.place.length) this.grow(event + 1);
    assert(this.place[event] === ABSENT, "the event is pending already");
    this.at[event] = atUs;
    this.tie[event] = tie;
    this.siftUp(this.size++, event);
    this.publish();
  }

  /** Gives an event another time and tie, whether it is pending or not; Infinity: it is not to come. */
  move(event: number, atUs: number, tie: number): void {
    if (atUs === Infinity) return this.remove(event);
    if (!this.has(event)) return this.add(event, atUs, tie);
    this.at[event] = atUs;
    this.tie[event] = tie;
    const index = this.place[event];
    if (index > 0 && this.before(event, this.heap[(index - 1) >> 1])) this.siftUp(index, event);
    else this.siftDown(index, event);
    this.publish();
  }

  /** Removes and returns the earliest event; the set must not be empty. */
  pop(): number {
    const top = this.heap[0];
    this.place[top] = ABSENT;
    const last = this.heap[--this.size];
    if (this.size > 0) this.siftDown(0, last);
    this.publish();
    return top;
  }

  /** Removes an event if it is pending. */
  remove(event: number): void {
    if (!this.has(event)) return;
    const index = this.place[event];
    this.place[event] = ABSENT;
    const last = this.heap[--this.size];
    if (last !== event) {
      if (index > 0 && this.before(last, this.heap[(index - 1) >> 1])) this.siftUp(index, last);
      else this.siftDown(index, last);
    }
    this.publish();
  }

  private publish(): void {
    this.firstUs[this.index] = this.size > 0 ? this.at[this.heap[0]] : Infinity;
  }

  private before(a: number, b: number): boolean {
    const difference = this.at[a] - this.at[b] || this.tie[a] - this.tie[b];
    return difference < 0 || (difference === 0 && a < b);
  }

  private siftUp(from: number, event: number): void {
    const { heap, place } = this;
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const other = heap[parent];
      if (!this.before(event, other)) break;
      heap[index] = other;
      place[other] = index;
      index = parent;
    }
    heap[index] = event;
    place[event] = index;
  }

  private siftDown(from: number, event: number): void {
    const { heap, place, size } = this;
    let index = from;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      if (child + 1 < size && this.before(heap[child + 1], heap[child])) child++;
      const other = heap[child];
      if (!this.before(other, event)) break;
      heap[index] = other;
      place[other] = index;
      index = child;
    }
    heap[index] = event;
    place[event] = index;
  }

  private grow(needed: number): void {
    const n = Math.max(needed, this.place.length * 2);
    const heap = new Int32Array(n);
    heap.set(this.heap);
    this.heap = heap;
    const place = new Int32Array(n).fill(ABSENT);
    place.set(this.place);
    this.place = place;
    const at = new Float64Array(n);
    at.set(this.at);
    this.at = at;
    const tie = new Float64Array(n);
    tie.set(this.tie);
    this.tie = tie;
  }
}
