import type { BlockStore } from "../../cluster/block-store.js";
import type { Topology } from "../../cluster/topology.js";

/** Costs are whole numbers of these: a thousandth of what reading a gigabyte across one switch costs with weight 1. */
export const UNITS = 1000;

const GIBIBYTE = 2 ** 30;

/** Where a map would best run and what it costs there; elsewhere in the cluster it costs `anywhere`. */
export interface Preferences {
  readonly machines: readonly number[];
  readonly racks: readonly number[];
  /** By rack in `racks`: the dearest machine there. */
  readonly rackCosts: readonly number[];
  /** The dearest machine of the cluster. */
  readonly anywhere: number;
}

const NOWHERE: Preferences = { machines: [], racks: [], rackCosts: [], anywhere: 0 };

export interface TaskCostParts {
  readonly topology: Topology;
  readonly store: BlockStore;
  readonly blockBytes: number;
  /** Per gigabyte. */
  readonly rackCost: number;
  readonly coreCost: number;
}

/** What it costs to move the input of maps: bytes across rack switches and across the core, each with its weight (Quincy section 4.1). */
export class TaskCosts {
  private readonly inRack: number;
  private readonly offRack: number;

  constructor(private readonly parts: TaskCostParts) {
    const gigabytes = parts.blockBytes / GIBIBYTE;
    this.inRack = Math.round(UNITS * gigabytes * parts.rackCost);
    this.offRack = this.inRack + Math.round(UNITS * gigabytes * parts.coreCost);
  }

  /** Of the map that reads the block, -1: it reads none. */
  preferences(block: number): Preferences {
    if (block < 0) return NOWHERE;
    const { store, topology } = this.parts;
    const machines: number[] = [];
    for (let cell = store.first(block); cell >= 0; cell = store.next(cell)) machines.push(store.node(cell));
    machines.sort(ascending);
    const racks = [...new Set(machines.map((machine) => topology.rackOf[machine]))].sort(ascending);
    const rackCosts = racks.map((rack) => {
      const holders = machines.filter((machine) => topology.rackOf[machine] === rack).length;
      return holders === topology.rackStart[rack + 1] - topology.rackStart[rack] ? 0 : this.inRack;
    });
    const anywhere = racks.length < topology.racks ? this.offRack : Math.max(0, ...rackCosts);
    return { machines, racks, rackCosts, anywhere };
  }

  /** Of the map that reads the block, on that machine. */
  on(block: number, machine: number): number {
    const { store, topology } = this.parts;
    if (block < 0 || store.holdsOn(block, machine)) return 0;
    return store.holdsInRack(block, topology.rackOf[machine]) ? this.inRack : this.offRack;
  }
}

function ascending(a: number, b: number): number {
  return a - b;
}
