import { counterHash, fractionOf, seedWord } from "../../kernel/hash.js";
import type { SchedulerSurroundings } from "../built-scheduler.js";
import type { HookCalls } from "./hook-calls.js";
import type { PluginCluster, SlotName } from "./plugin-face.js";

/** The cluster as plugins see it, and the chance they may use. */
export class ClusterView implements PluginCluster {
  readonly nodes: number;
  readonly racks: number;
  readonly heartbeatUs: number;
  readonly #around: SchedulerSurroundings;
  readonly #seed: string;
  readonly #calls: HookCalls;
  readonly #drawn = new Map<string, { readonly seed: number; count: number }>();
  #slots: { readonly map: number; readonly reduce: number };

  constructor(around: SchedulerSurroundings, seed: string, calls: HookCalls) {
    this.nodes = around.nodes;
    this.racks = around.topology.racks;
    this.heartbeatUs = around.heartbeatUs;
    this.#around = around;
    this.#seed = seed;
    this.#calls = calls;
    this.#slots = Object.freeze({ map: around.slots[0], reduce: around.slots[1] });
    Object.freeze(this);
  }

  get slots(): { readonly map: number; readonly reduce: number } {
    return this.#slots;
  }

  slotsChanged(map: number, reduce: number): void {
    this.#slots = Object.freeze({ map, reduce });
  }

  rackOf(node: number): number {
    return this.#around.topology.rackOf[this.#checked("rackOf", node)];
  }

  slotsOf(node: number, slotType: SlotName): number {
    const { mapSlots, reduceSlots } = this.#around.topology;
    return (slotType === "map" ? mapSlots : reduceSlots)[this.#checked("slotsOf", node)];
  }

  random(stream: string): number {
    let drawn = this.#drawn.get(stream);
    if (drawn === undefined) {
      drawn = { seed: seedWord(this.#seed, `plugin/${this.#calls.plugin}/${stream}`), count: 0 };
      this.#drawn.set(stream, drawn);
    }
    return fractionOf(counterHash(drawn.seed, 0, drawn.count++));
  }

  #checked(what: string, node: number): number {
    if (Number.isInteger(node) && node >= 0 && node < this.nodes) return node;
    throw new RangeError(`cluster.${what}: found node ${String(node)}, allowed 0 to ${String(this.nodes - 1)}`);
  }
}
