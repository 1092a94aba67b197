import { assert } from "./assert.js";
import { widenedTo } from "./growing-arrays.js";

const ABSENT = -1;

/** Keys of an event at its place in the heap: time and tie. */
const KEYS = 2;
/**
 * Children of a place; their keys fill one line of the cache, for the root stands where those below it begin at a
 * multiple.
 */
const ARITY = 4;
const ROOT = ARITY - 1;

function parentOf(index: number): number {
  return (index >> 2) + 2;
}

/**
 * The pending events of one actor, a heap on typed arrays. An event is a small integer (a slot, a job), at most once in
 * the set, ordered by (atUs, tie, event): a total order, so that no two ways of filling the set drain differently.
 * O(log n) each; `peek` O(1); nothing is allocated per event. Keys lie in the order of the heap, so that those which
 * are compared lie side by side.
 */
export class EventSet {
  size = 0;
  private heap: Int32Array;
  private keys: Float64Array;
  /** The position of each event in the heap. */
  private place: Int32Array;

  /**
   * For events 0 .. capacity - 1; grows when a larger one comes.
   * @param firstUs where the time of the earliest event is kept, at `index`: sets side by side are searched for the
   *   first of all at once.
   * @param floor where that time is kept in `firstUs` too if it is the earliest so far: sets may share it, and their
   *   owner resets it.
   */
  constructor(
    capacity: number,
    private readonly firstUs = new Float64Array(2),
    private readonly index = 0,
    private readonly floor = 1,
  ) {
    const n = Math.max(4, capacity);
    this.heap = new Int32Array(ROOT + n);
    this.keys = new Float64Array(KEYS * (ROOT + n));
    this.place = new Int32Array(n).fill(ABSENT);
    firstUs[index] = Infinity;
  }

  /** Time of the earliest event, Infinity when there is none. */
  peekAtUs(): number {
    return this.firstUs[this.index];
  }

  /** The earliest event; the set must not be empty. */
  peek(): number {
    return this.heap[ROOT];
  }

  peekTie(): number {
    return this.keys[KEYS * ROOT + 1];
  }

  has(event: number): boolean {
    return event < this.place.length && this.place[event] !== ABSENT;
  }

  add(event: number, atUs: number, tie = 0): void {
    if (event >= this.place.length) this.grow(event + 1);
    assert(this.place[event] === ABSENT, "the event is pending already");
    this.rise(ROOT + this.size++, event, atUs, tie);
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
    const top = heap[ROOT];
    place[top] = ABSENT;
    const last = ROOT + --this.size;
    // The last event usually belongs near the bottom: a gap sinks to the bottom, and the event rises from there.
    if (last > ROOT) this.rise(this.clearWay(), heap[last], keys[KEYS * last], keys[KEYS * last + 1]);
    this.noteFirst();
    return top;
  }

  /** Removes an event if it is pending. */
  remove(event: number): void {
    if (!this.has(event)) return;
    const { heap, keys, place } = this;
    const index = place[event];
    place[event] = ABSENT;
    const last = ROOT + --this.size;
    if (index !== last) this.put(index, heap[last], keys[KEYS * last], keys[KEYS * last + 1]);
    this.noteFirst();
  }

  private noteFirst(): void {
    const { firstUs, floor } = this;
    const us = this.size > 0 ? this.keys[KEYS * ROOT] : Infinity;
    firstUs[this.index] = us;
    if (us < firstUs[floor]) firstUs[floor] = us;
  }

  /** Puts an event where another was, or had other keys. */
  private put(index: number, event: number, atUs: number, tie: number): void {
    if (index > ROOT && this.comesBefore(event, atUs, tie, parentOf(index))) this.rise(index, event, atUs, tie);
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
    while (index > ROOT) {
      const parent = parentOf(index);
      if (!this.comesBefore(event, atUs, tie, parent)) break;
      this.shift(parent, index);
      index = parent;
    }
    this.set(index, event, atUs, tie);
  }

  private sink(from: number, event: number, atUs: number, tie: number): void {
    let index = from;
    for (;;) {
      const child = this.firstChild(index);
      if (child < 0 || this.comesBefore(event, atUs, tie, child)) break;
      this.shift(child, index);
      index = child;
    }
    this.set(index, event, atUs, tie);
  }

  /** Moves up what comes first below the top, and below that; the place at the bottom that is free then. */
  private clearWay(): number {
    let index = ROOT;
    for (;;) {
      const child = this.firstChild(index);
      if (child < 0) return index;
      this.shift(child, index);
      index = child;
    }
  }

  /** Returns the child of a place that comes first; -1 for none. */
  private firstChild(index: number): number {
    const { keys, heap } = this;
    const from = ARITY * index - 2 * ARITY;
    const to = Math.min(from + ARITY, ROOT + this.size);
    if (from >= to) return -1;
    let first = from;
    let firstUs = keys[KEYS * from];
    for (let child = from + 1; child < to; child++) {
      const us = keys[KEYS * child];
      if (us > firstUs) continue;
      if (us === firstUs && !this.comesBefore(heap[child], us, keys[KEYS * child + 1], first)) continue;
      first = child;
      firstUs = us;
    }
    return first;
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
    this.heap = widenedTo(this.heap, ROOT + n, 0);
    this.keys = widenedTo(this.keys, KEYS * (ROOT + n), 0);
    this.place = widenedTo(this.place, n, ABSENT);
  }
}
