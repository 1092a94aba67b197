import { widenedTo } from "../../kernel/index.js";
import { NOWHERE } from "./executors.js";

const EMPTY = new Int32Array(0);

/**
 * Stacks of small integers by key: lists of tasks by host, executor or rack. They lie one after the other in one array,
 * as most are filled once; one that outgrows its room moves to the end. A stack is known by its slot; slots are in the
 * order in which their keys came.
 */
export class Stacks {
  private readonly slots = new Map<number, number>();
  private readonly keys: number[] = [];
  /** The first whose key is still there. */
  private firstSlot = 0;
  private words = EMPTY;
  private used = 0;
  private starts = EMPTY;
  private lengths = EMPTY;
  private rooms = EMPTY;

  /** Returns the slot of a key; NOWHERE: it has none. */
  slotOf(key: number): number {
    return this.slots.size === 0 ? NOWHERE : (this.slots.get(key) ?? NOWHERE);
  }

  lengthOf(slot: number): number {
    return this.lengths[slot];
  }

  isEmptyFor(key: number): boolean {
    const slot = this.slotOf(key);
    return slot === NOWHERE || this.lengths[slot] === 0;
  }

  /** @param place from the bottom, from 0 on. */
  valueAt(slot: number, place: number): number {
    return this.words[this.starts[slot] + place];
  }

  /** Removes an entry; those above it move down. */
  removeAt(slot: number, place: number): void {
    const index = this.starts[slot] + place;
    const last = this.starts[slot] + --this.lengths[slot];
    if (index < last) this.words.copyWithin(index, index + 1, last + 1);
  }

  push(key: number, value: number): void {
    let slot = this.slotOf(key);
    if (slot === NOWHERE) slot = this.newSlot(key);
    if (this.lengths[slot] === this.rooms[slot]) this.move(slot);
    this.words[this.starts[slot] + this.lengths[slot]++] = value;
  }

  /** Pushes many values at once, each on the stack of its key. No stack may exist yet. */
  fill(keys: readonly number[], values: readonly number[]): void {
    const slotOfPair = new Int32Array(keys.length);
    for (let pair = 0; pair < keys.length; pair++) {
      let slot = this.slotOf(keys[pair]);
      if (slot === NOWHERE) slot = this.newSlot(keys[pair]);
      slotOfPair[pair] = slot;
      this.rooms[slot]++;
    }
    for (let slot = 0; slot < this.keys.length; slot++) {
      this.starts[slot] = this.used;
      this.used += this.rooms[slot];
    }
    this.words = new Int32Array(this.used);
    for (let pair = 0; pair < keys.length; pair++) {
      const slot = slotOfPair[pair];
      this.words[this.starts[slot] + this.lengths[slot]++] = values[pair];
    }
  }

  /** Keys in the order in which they came. */
  allKeys(): number[] {
    return this.keys.slice(this.firstSlot);
  }

  someKey(holds: (key: number) => boolean): boolean {
    for (let slot = this.firstSlot; slot < this.keys.length; slot++) if (holds(this.keys[slot])) return true;
    return false;
  }

  /**
   * Whether a stack has an entry of which this holds, at its top. Others at tops go, and keys of which nothing is left.
   */
  anyHolds(holds: (value: number) => boolean): boolean {
    for (; this.firstSlot < this.keys.length; this.firstSlot++) {
      const slot = this.firstSlot;
      for (; this.lengths[slot] > 0; this.lengths[slot]--)
        if (holds(this.valueAt(slot, this.lengths[slot] - 1))) return true;
      this.slots.delete(this.keys[slot]);
    }
    return false;
  }

  private newSlot(key: number): number {
    const slot = this.keys.push(key) - 1;
    this.slots.set(key, slot);
    if (slot >= this.starts.length) {
      const room = 2 * slot + 4;
      this.starts = widenedTo(this.starts, room, 0);
      this.lengths = widenedTo(this.lengths, room, 0);
      this.rooms = widenedTo(this.rooms, room, 0);
    }
    return slot;
  }

  private move(slot: number): void {
    const [start, length] = [this.starts[slot], this.lengths[slot]];
    const room = 2 * length + 2;
    if (this.used + room > this.words.length) {
      this.words = widenedTo(this.words, 2 * (this.used + room), 0);
    }
    this.words.copyWithin(this.used, start, start + length);
    this.starts[slot] = this.used;
    this.rooms[slot] = room;
    this.used += room;
  }
}
