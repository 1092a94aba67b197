import { widenedTo } from "../../kernel/index.js";
import { ANYWHERE, type AskPlace, NamedPlaces, placeOfRack } from "./places.js";
import { NOTHING, type Resources } from "./resources.js";

export const NODE_LOCAL = 0;
export const RACK_LOCAL = 1;
export const OFF_SWITCH = 2;
export type YarnLevel = typeof NODE_LOCAL | typeof RACK_LOCAL | typeof OFF_SWITCH;
export const YARN_LEVELS = ["NODE_LOCAL", "RACK_LOCAL", "OFF_SWITCH"] as const;

/** Nodes and racks up to this number have a bit in each ask that names them; of the others the counts are looked up. */
const MOST_BITS = 1 << 16;

/**
 * The request of an application at one priority, for containers of one size. The count of anywhere is the number of
 * containers wanted; counts of nodes and racks only say where they are welcome, and may add up to more.
 */
export class Ask {
  wanted = 0;
  size: Readonly<Resources> = NOTHING;
  /** Offers of a node at which the ask could be served: counted on, and started anew, as a scheduler's rules say. */
  opportunities = 0;
  /** The farthest level that the Fair Scheduler allows, and since when; null: it has not been set yet. */
  level: YarnLevel | null = null;
  levelSinceUs = 0;
  /** Offers at which a reserved node could not be used (Capacity Scheduler), and the number of reserved nodes. */
  reReservations = 0;
  reserved = 0;
  /** The number of places that it names, including anywhere. */
  places = 0;
  relaxesAny = true;
  private named = new NamedPlaces();
  /** By number of the place: the containers requested there, and the order in which places were first requested. */
  private counts = new Int32Array(0);
  private begun = new Int32Array(0);
  private begunSoFar = 0;
  /** Places where containers are requested. Most offers are of other nodes, and need no further check. */
  private readonly nodes = new Bits();
  private readonly racks = new Bits();
  /** Racks that may not be left. */
  private strictRacks: Set<AskPlace> | null = null;
  private asksAnywhere = false;

  constructor(readonly priority: number) {}

  /**
   * Replaces what is asked at a place. @param relax whether that may be found farther away. @returns by how many
   * containers more are wanted
   */
  set(place: AskPlace, count: number, relax: boolean): number {
    if (place !== ANYWHERE) {
      this.setAt(this.named.name(place), count);
      if (place < ANYWHERE && !relax && count > 0) (this.strictRacks ??= new Set()).add(place);
      else this.strictRacks?.delete(place);
      return 0;
    }
    const change = count - this.wanted;
    this.wanted = count;
    this.relaxesAny = relax;
    if (!this.asksAnywhere) this.places++;
    this.asksAnywhere = true;
    return change;
  }

  /**
   * From now on places go by the numbers that they have there. It must name none yet, or be told of the same before.
   */
  goBy(named: NamedPlaces): void {
    this.named = named;
  }

  /** Replaces what is asked at a place, by its number; it may be found farther away. */
  setAt(number: number, count: number): void {
    if (number >= this.counts.length) this.widen();
    const before = this.counts[number];
    if (count === before) return;
    this.counts[number] = count;
    if (before === 0) {
      this.begun[number] = this.begunSoFar++;
      this.places++;
      this.mark(this.named.placeAt(number), true);
    } else if (count === 0) {
      this.places--;
      this.mark(this.named.placeAt(number), false);
    }
  }

  asksOnNode(node: number): boolean {
    return node < MOST_BITS ? this.nodes.has(node) : this.onNode(node) > 0;
  }

  asksOnRack(rack: number): boolean {
    return rack < MOST_BITS ? this.racks.has(rack) : this.onRack(rack) > 0;
  }

  /** Racks that may not be left, or that the whole ask stays with. */
  get isStrict(): boolean {
    return !this.relaxesAny || this.strictRacks !== null;
  }

  /** Containers requested on a node, and on a rack. */
  onNode(node: number): number {
    return this.cellOf(node);
  }

  onRack(rack: number): number {
    return this.cellOf(placeOfRack(rack));
  }

  relaxesRack(rack: number): boolean {
    return this.strictRacks === null || !this.strictRacks.has(placeOfRack(rack));
  }

  /** Nodes and racks it names, in the order in which they were asked for. */
  nodesAsked(): number[] {
    return this.placesAsked().filter((place) => place > ANYWHERE);
  }

  racksAsked(): number[] {
    return this.placesAsked().flatMap((place) => (place < ANYWHERE ? [-2 - place] : []));
  }

  /** One container was allocated: the nearer its node, the more entries it serves. */
  serve(level: YarnLevel, node: number, rack: number): void {
    if (level === NODE_LOCAL) this.takeOne(node);
    if (level <= RACK_LOCAL) this.takeOne(placeOfRack(rack));
    this.wanted--;
  }

  private mark(place: AskPlace, isAsked: boolean): void {
    if (place > ANYWHERE) this.nodes.set(place, isAsked);
    else this.racks.set(-2 - place, isAsked);
  }

  private cellOf(place: AskPlace): number {
    const number = this.named.numberOf(place);
    // Numbers of places are shared with other requests: this one may not have that place yet.
    return number < 0 || number >= this.counts.length ? 0 : this.counts[number];
  }

  private takeOne(place: AskPlace): void {
    const number = this.named.numberOf(place);
    if (number < 0 || number >= this.counts.length || this.counts[number] === 0) return;
    if (--this.counts[number] > 0) return;
    this.places--;
    this.mark(place, false);
    this.strictRacks?.delete(place);
  }

  private placesAsked(): AskPlace[] {
    const { counts, begun, named } = this;
    const numbers = [...counts.keys()].filter((number) => counts[number] > 0);
    return numbers.sort((a, b) => begun[a] - begun[b]).map((number) => named.placeAt(number));
  }

  private widen(): void {
    const room = Math.max(this.named.size, 2 * this.counts.length);
    this.counts = widenedTo(this.counts, room, 0);
    this.begun = widenedTo(this.begun, room, 0);
  }
}

/** A set of small numbers. */
class Bits {
  private words = new Uint32Array(0);

  has(number: number): boolean {
    const word = number >>> 5;
    return word < this.words.length && ((this.words[word] >>> (number & 31)) & 1) === 1;
  }

  set(number: number, isIn: boolean): void {
    if (number >= MOST_BITS) return;
    const word = number >>> 5;
    if (word >= this.words.length) {
      if (!isIn) return;
      const words = new Uint32Array(Math.max(word + 1, 2 * this.words.length));
      words.set(this.words);
      this.words = words;
    }
    const bit = 1 << (number & 31);
    if (isIn) this.words[word] |= bit;
    else this.words[word] &= ~bit;
  }
}
