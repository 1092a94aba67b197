import type { NetworkSpec } from "../scenario/index.js";
import type { Topology } from "./topology.js";

/**
 * The ends that decide the rate of a read between racks: the rack of the reader, that of the source, and, between rows
 * whose uplinks are limited, the racks that keep the uplinks of the two rows.
 */
export const READER = 0;
export const SOURCE = 1;
/** The last two are the uplinks of the source's row and of the reader's row, where another rack keeps them. */
export const MOST_ENDS = 4;

const NONE = -1;

/** The ends of reads between racks. The uplink of a row is kept by the row's first rack, and is whole there. */
export class ReadEnds {
  /** By row. */
  private readonly keepers: readonly number[];

  constructor(
    private readonly topology: Pick<Topology, "rackOf" | "rowOfRack" | "rackStart" | "rackNodes">,
    private readonly network: NetworkSpec,
  ) {
    const { rowOfRack } = topology;
    this.keepers = [...new Set(rowOfRack)].sort((a, b) => a - b).map((row) => rowOfRack.indexOf(row));
  }

  /** Returns the rack's part of its row's uplink: all, or Infinity if it has no say in it. */
  rowUplinkOf(rack: number): number {
    return this.keepers.includes(rack) ? this.network.rowUplinkBytesPerSecond : Infinity;
  }

  /** Returns by end the node that receives its commands; -1: the read has no such end. */
  nodesOf(reader: number, source: number): number[] {
    return [reader, source, this.keeper(source, reader, source), this.keeper(reader, reader, source)];
  }

  private keeper(flow: number, reader: number, source: number): number {
    const { rackOf, rowOfRack, rackStart, rackNodes } = this.topology;
    if (this.network.rowUplinkBytesPerSecond === Infinity) return NONE;
    if (rowOfRack[rackOf[reader]] === rowOfRack[rackOf[source]]) return NONE;
    const rack = this.keepers[rowOfRack[rackOf[flow]]];
    return rack === rackOf[flow] ? NONE : rackNodes[rackStart[rack]];
  }
}
