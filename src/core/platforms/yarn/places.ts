import { widenedTo } from "../../kernel/index.js";

/** A place that is asked for: a node by its number, a rack, or any. */
export type AskPlace = number;
export const ANYWHERE: AskPlace = -1;
export function placeOfRack(rack: number): AskPlace {
  return -2 - rack;
}

const UNUSED = -1;
/** Hashed by the golden ratio: numbers in a row lie far apart. */
const MULTIPLIER = 0x9e3779b1;

/**
 * Numbers of the nodes and racks that are named, from 0 on in the order in which they are named first. Their properties
 * are in columns, by number.
 */
export class NamedPlaces {
  size = 0;
  private places = new Int32Array(4);
  /** The number of a place, where its hash has it or the next free slot behind that. */
  private slots = new Int32Array(8).fill(UNUSED);
  private shift = 29;

  /** -1: nobody has named it. */
  numberOf(place: AskPlace): number {
    const { slots, places } = this;
    const mask = slots.length - 1;
    for (let cell = Math.imul(place, MULTIPLIER) >>> this.shift; ; cell = (cell + 1) & mask) {
      const number = slots[cell];
      if (number === UNUSED || places[number] === place) return number;
    }
  }

  placeAt(number: number): AskPlace {
    return this.places[number];
  }

  /** @returns its number. */
  name(place: AskPlace): number {
    const known = this.numberOf(place);
    if (known !== UNUSED) return known;
    if (this.size === this.places.length) this.grow();
    this.places[this.size] = place;
    this.enter(this.size);
    return this.size++;
  }

  /** Half of the slots are free at least. */
  private grow(): void {
    this.places = widenedTo(this.places, 2 * this.places.length, 0);
    this.slots = new Int32Array(2 * this.slots.length).fill(UNUSED);
    this.shift--;
    for (let number = 0; number < this.size; number++) this.enter(number);
  }

  private enter(number: number): void {
    const { slots } = this;
    const mask = slots.length - 1;
    let cell = Math.imul(this.places[number], MULTIPLIER) >>> this.shift;
    while (slots[cell] !== UNUSED) cell = (cell + 1) & mask;
    slots[cell] = number;
  }
}
