import { assert } from "./assert.js";
import { widenedTo } from "./growing-arrays.js";

const ABSENT = -1;

/** Keys of an event at its place in the heap: time and tie. */
const KEYS = 2;

/**
 * The pending events of one actor, a binary heap on typed arrays. An event is a small integer (a slot, a job), at most
 * once in the set, ordered by (atUs, tie, event): a total order, so that no two ways of filling the set drain
 * differently. O(log n) each; `peek` O(1); nothing is allocated per event. Keys lie in the order of the heap, so that those which
 * are compared lie side by side.
 */
export class EventSet {
  size = 0;
  private heap: Int32Array;
  private keys: Float64Array;
  /** Where an event stands in the heap. */
  private place: Int32Array;

  /**
   * For events 0 .. capacity - 1; grows when a larger one comes.
   * @param firstUs where the time of the earliest event is kept, at `index`: sets side by side are asked for the first of all at once.
   * @param floor where that time is kept in `firstUs` too if it is the earliest so far: sets may share it, and somebody sets it anew.
   */
  constructor(
    capacity: number,
    private readonly firstUs = new Float64Array(2),
    private readonly index = 0,
    private readonly floor = 1,
  ) {
    const n = Math.max(4, capacity);
    this.heap = new Int32Array(n);
    this.keys = new Float64Array(KEYS * n);
    this.place = new Int32Array(n).fill(ABSENT);
    firstUs[index] = Infinity;
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
    return this.keys[1];
  }

  has(event: number): boolean {
    return event < this.place.length && this.place[event] !== ABSENT;
  }

  add(event: number, atUs: number, tie = 0): void {
    if (event >= this.place.length) this.grow(event + 1);
    assert(this.place[event] === ABSENT, "the event is pending already");
    this.rise(this.size++, event, atUs, tie);
    this.noteFirst();
  }

  /** Gives an event another time and tie, whether it is pending or not; Infinity: it is not to come. */
  move(event: number, atUs: number, tie: number): void {
    if (atUs === Infinity) return this.remove(event);
    if (!this.has(event)) return this.add(event, atUs, tie);
    this.put(this.place[event], event, atUs, tie);
    this.noteFirst();
  }

  /** Removes and returns the earliest event; the set must not be empty. */
  pop(): number {
    const { heap, keys, place } = this;
    const top = heap[0];
    place[top] = ABSENT;
    const last = --this.size;
    // The last one goes far down again: the way is cleared for it to the bottom, then it rises where it must.
    if (last > 0) this.rise(this.clearWay(), heap[last], keys[KEYS * last], keys[KEYS * last + 1]);
    this.noteFirst();
    return top;
  }

  /** Removes an event if it is pending. */
  remove(event: number): void {
    if (!this.has(event)) return;
    const { heap, keys, place } = this;
    const index = place[event];
    place[event] = ABSENT;
    const last = --this.size;
    if (index !== last) this.put(index, heap[last], keys[KEYS * last], keys[KEYS * last + 1]);
    this.noteFirst();
  }

  private noteFirst(): void {
    const { firstUs, floor } = this;
    const us = this.size > 0 ? this.keys[0] : Infinity;
    firstUs[this.index] = us;
    if (us < firstUs[floor]) firstUs[floor] = us;
  }

  /** Puts an event where another was, or had other keys. */
  private put(index: number, event: number, atUs: number, tie: number): void {
    if (index > 0 && this.comesBefore(event, atUs, tie, (index - 1) >> 1)) this.rise(index, event, atUs, tie);
    else this.sink(index, event, atUs, tie);
  }

  /** Whether an event with these keys comes before the one at `index`. */
  private comesBefore(event: number, atUs: number, tie: number, index: number): boolean {
    const otherUs = this.keys[KEYS * index];
    if (atUs !== otherUs) return atUs < otherUs;
    const otherTie = this.keys[KEYS * index + 1];
    return tie < otherTie || (tie === otherTie && event < this.heap[index]);
  }

  private rise(from: number, event: number, atUs: number, tie: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.comesBefore(event, atUs, tie, parent)) break;
      this.shift(parent, index);
      index = parent;
    }
    this.set(index, event, atUs, tie);
  }

  /** Moves up what comes first below the top, and below that; the place at the bottom that is free then. */
  private clearWay(): number {
    const { keys, heap, size } = this;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) return index;
      const right = child + 1;
      if (right < size && this.comesBefore(heap[right], keys[KEYS * right], keys[KEYS * right + 1], child))
        child = right;
      this.shift(child, index);
      index = child;
    }
  }

  private sink(from: number, event: number, atUs: number, tie: number): void {
    const { keys, heap, size } = this;
    let index = from;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && this.comesBefore(heap[right], keys[KEYS * right], keys[KEYS * right + 1], child))
        child = right;
      if (this.comesBefore(event, atUs, tie, child)) break;
      this.shift(child, index);
      index = child;
    }
    this.set(index, event, atUs, tie);
  }

  private shift(from: number, to: number): void {
    const { heap, keys } = this;
    this.set(to, heap[from], keys[KEYS * from], keys[KEYS * from + 1]);
  }

  private set(index: number, event: number, atUs: number, tie: number): void {
    this.heap[index] = event;
    this.keys[KEYS * index] = atUs;
    this.keys[KEYS * index + 1] = tie;
    this.place[event] = index;
  }

  private grow(needed: number): void {
    const n = Math.max(needed, this.place.length * 2);
    this.heap = widenedTo(this.heap, n, 0);
    this.keys = widenedTo(this.keys, KEYS * n, 0);
    this.place = widenedTo(this.place, n, ABSENT);
  }
}
