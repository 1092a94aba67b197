import type { CommandsOf } from "../cluster/commands.js";
import type { Topology } from "../cluster/topology.js";
import { DOUBLE_ZERO } from "../kernel/time.js";

const NONE = -1;

/** The blocks that maps read now, as far as the master knows: a read lasts from the launch to the reported end. */
export class OpenReads {
  /** Read from other nodes by all attempts launched so far, whether they got to the end of it or not; of that between racks. */
  movedBytes = DOUBLE_ZERO;
  acrossRacksBytes = DOUBLE_ZERO;
  /** Reads from the disk of each node. */
  private readonly countOn: Int32Array;
  /** By place: the node that its attempt reads from. */
  private readonly sourceOf: Int32Array;

  constructor(
    private readonly topology: Topology,
    private readonly commandsOf: CommandsOf,
  ) {
    this.countOn = new Int32Array(topology.nodes);
    this.sourceOf = new Int32Array(2 * topology.rackSlotStart[topology.racks]).fill(NONE);
  }

  /** How many attempts read from the node's disk. */
  on(node: number): number {
    return this.countOn[node];
  }

  /** The attempt in the slot of `node` will read from `source`; told to the source's rack if that is another one. */
  begin(node: number, slot: number, source: number, bytes: number, nowUs: number): void {
    this.sourceOf[slot] = source;
    this.countOn[source]++;
    if (source === node) return;
    this.movedBytes += bytes;
    if (!this.isCross(node, source)) return;
    this.acrossRacksBytes += bytes;
    this.commandsOf(source).openRead(source, nowUs, slot, node, bytes);
  }

  /** The attempt in the slot has ended, one way or another. */
  end(slot: number): void {
    const source = this.sourceOf[slot];
    if (source === NONE) return;
    this.sourceOf[slot] = NONE;
    this.countOn[source]--;
  }

  /** The attempt at the place is being killed: a source in another rack would send on. Who holds no slot reads nothing. */
  killed(node: number, place: number, nowUs: number): void {
    const source = place < this.sourceOf.length ? this.sourceOf[place] : NONE;
    if (source !== NONE && this.isCross(node, source)) this.commandsOf(source).closeRead(source, nowUs, place);
  }

  private isCross(node: number, source: number): boolean {
    const { rackOf } = this.topology;
    return rackOf[node] !== rackOf[source];
  }
}
