import { NOTHING, type Resources } from "./resources.js";

export const NODE_LOCAL = 0;
export const RACK_LOCAL = 1;
export const OFF_SWITCH = 2;
export type YarnLevel = typeof NODE_LOCAL | typeof RACK_LOCAL | typeof OFF_SWITCH;
export const YARN_LEVELS = ["NODE_LOCAL", "RACK_LOCAL", "OFF_SWITCH"] as const;

/** A place that is asked for: a node by its number, a rack, or any. */
export type AskPlace = number;
export const ANYWHERE: AskPlace = -1;
export function placeOfRack(rack: number): AskPlace {
  return -2 - rack;
}

interface PlaceAsk {
  count: number;
  /** Whether what is asked here may be found farther away. */
  relax: boolean;
}

/**
 * What an application asks for at one priority, all of one size. That of anywhere is the number of containers wanted; those of nodes and
 * racks only say where they are welcome, and may add up to more.
 */
export class Ask {
  wanted = 0;
  size: Readonly<Resources> = NOTHING;
  /** Offers of a node at which the ask could be served: counted on, and started anew, as a scheduler's rules say. */
  opportunities = 0;
  /** The farthest level that the Fair Scheduler allows, and since when; null: nobody has asked. */
  level: YarnLevel | null = null;
  levelSinceUs = 0;
  /** How often a reserved node could not be used (Capacity Scheduler), and how many are reserved. */
  reReservations = 0;
  reserved = 0;
  private readonly nodes = new Map<number, PlaceAsk>();
  private readonly racks = new Map<number, PlaceAsk>();
  private relaxesAnywhere = true;
  private asksAnywhere = false;

  constructor(readonly priority: number) {}

  /** Replaces what is asked at a place. @returns by how many containers more are wanted */
  set(place: AskPlace, count: number, relax: boolean): number {
    if (place !== ANYWHERE) {
      const places = place >= 0 ? this.nodes : this.racks;
      const key = place >= 0 ? place : -2 - place;
      const asked = places.get(key);
      if (count === 0) places.delete(key);
      else if (asked === undefined) places.set(key, { count, relax });
      else {
        asked.count = count;
        asked.relax = relax;
      }
      return 0;
    }
    const change = count - this.wanted;
    this.wanted = count;
    this.relaxesAnywhere = relax;
    this.asksAnywhere = true;
    return change;
  }

  /** How many are asked for on a node, and on a rack. */
  onNode(node: number): number {
    return this.nodes.get(node)?.count ?? 0;
  }

  onRack(rack: number): number {
    return this.racks.get(rack)?.count ?? 0;
  }

  relaxesRack(rack: number): boolean {
    return this.racks.get(rack)?.relax ?? true;
  }

  get relaxesAny(): boolean {
    return this.relaxesAnywhere;
  }

  /** How many places it names, anywhere being one. */
  get places(): number {
    return this.nodes.size + this.racks.size + (this.asksAnywhere ? 1 : 0);
  }

  /** Nodes and racks it names, in the order in which they were asked for. */
  nodesAsked(): Iterable<number> {
    return this.nodes.keys();
  }

  racksAsked(): Iterable<number> {
    return this.racks.keys();
  }

  /** One container was found: the nearer it is, the more entries it serves. */
  serve(level: YarnLevel, node: number, rack: number): void {
    if (level === NODE_LOCAL) takeOne(this.nodes, node);
    if (level <= RACK_LOCAL) takeOne(this.racks, rack);
    this.wanted--;
  }
}

function takeOne(places: Map<number, PlaceAsk>, key: number): void {
  const ask = places.get(key);
  if (ask === undefined) return;
  if (--ask.count <= 0) places.delete(key);
}
