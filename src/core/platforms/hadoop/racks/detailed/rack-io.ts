import { Flows, type Topology } from "../../../../cluster/index.js";
import { type Agenda, FLOW } from "./agenda.js";

const NONE = -1;

/**
 * The disks, links and uplink of one rack, and the transfers over them. An attempt has two flows, known by its slot:
 * one for reads, writes and fetches inside the rack, one for fetches from other racks. Block copies, and the far ends
 * of reads by other racks, have handles of their own.
 */
export class RackIo {
  readonly flows: Flows;
  /** First handle of the copies of blocks, two for every node, and of the far ends of reads by other racks. */
  readonly firstCopy: number;
  readonly firstForeign: number;
  private usedHandles: number;
  private readonly freeHandles: number[] = [];
  private readonly firstNode: number;
  private readonly upIn: number;
  private readonly upOut: number;
  /** The uplink of the rack's row, if this rack keeps it: see read-ends.ts. */
  private readonly rowIn: number;
  private readonly rowOut: number;

  constructor(
    private readonly topology: Topology,
    readonly rack: number,
    slots: number,
    /** Infinity: this rack does not limit the uplink of its row. */
    rowUplinkBytesPerSecond: number,
    agenda: Agenda,
  ) {
    const { rackStart, rackNodes, diskBytesPerSecond, linkBytesPerSecond, uplinkBytesPerSecond } = topology;
    this.firstNode = rackStart[rack];
    const nodes = rackStart[rack + 1] - this.firstNode;
    this.upIn = 3 * nodes;
    this.upOut = 3 * nodes + 1;
    this.rowIn = 3 * nodes + 2;
    this.rowOut = 3 * nodes + 3;
    const capacity = new Float64Array(3 * nodes + 4).fill(uplinkBytesPerSecond[rack]);
    capacity.fill(rowUplinkBytesPerSecond, this.rowIn);
    for (let i = 0; i < nodes; i++) {
      const node = rackNodes[this.firstNode + i];
      capacity[3 * i] = diskBytesPerSecond[node];
      capacity[3 * i + 1] = linkBytesPerSecond[node];
      capacity[3 * i + 2] = linkBytesPerSecond[node];
    }
    this.firstCopy = 2 * slots;
    this.firstForeign = this.firstCopy + 2 * nodes;
    this.usedHandles = this.firstForeign;
    this.flows = new Flows(capacity, this.firstForeign, agenda.calendar(FLOW, capacity.length));
  }

  /** A handle for a flow of other racks, with room for it. */
  takeHandle(): number {
    const handle = this.freeHandles.pop() ?? this.usedHandles++;
    this.flows.makeRoom(handle + 1);
    return handle;
  }

  /** The handle is free again. */
  giveHandle(handle: number): void {
    this.freeHandles.push(handle);
  }

  /** `reader` reads from the disk of `source`, a node of this rack or the reader itself. */
  read(handle: number, atUs: number, reader: number, source: number, bytes: number): void {
    if (reader === source) this.flows.start(handle, atUs, bytes, this.disk(reader));
    else this.flows.start(handle, atUs, bytes, this.disk(source), this.out(source), this.into(reader));
  }

  /** The near end of a read from another rack. */
  readFromAfar(handle: number, atUs: number, reader: number, source: number, bytes: number): void {
    this.flows.start(handle, atUs, bytes, this.into(reader), this.upIn, this.isInRow(source) ? NONE : this.rowIn);
  }

  /** The far end of a read by another rack. */
  serveAfar(handle: number, atUs: number, source: number, reader: number, bytes: number): void {
    const row = this.isInRow(reader) ? NONE : this.rowOut;
    this.flows.start(handle, atUs, bytes, this.disk(source), this.out(source), this.upOut, row);
  }

  /** A read between other racks that passes the uplink of this rack's row. */
  passRow(handle: number, atUs: number, source: number, bytes: number): void {
    this.flows.start(handle, atUs, bytes, this.isInRow(source) ? this.rowOut : this.rowIn);
  }

  /** Starts the transfer of `node`'s map output to `reader`; from its disk alone if they are the same. */
  sendOutput(handle: number, atUs: number, node: number, reader: number, bytes: number): void {
    const up = this.topology.rackOf[reader] === this.rack ? NONE : this.upOut;
    if (reader === node) this.flows.start(handle, atUs, bytes, this.disk(node));
    else this.flows.start(handle, atUs, bytes, this.disk(node), this.out(node), up);
  }

  /** Starts the transfer of a replica to `node`, which passes it on if there is another one. */
  takeReplica(handle: number, atUs: number, node: number, isFromAfar: boolean, passesOn: boolean, bytes: number): void {
    const out = passesOn ? this.out(node) : NONE;
    this.flows.start(handle, atUs, bytes, this.disk(node), this.into(node), out, isFromAfar ? this.upIn : NONE);
  }

  /**
   * Map output from many nodes, of this rack or of others, at the node that fetches it: see far-sides.ts for the
   * others.
   */
  fetch(handle: number, atUs: number, node: number, bytes: number, isFromAfar: boolean): void {
    this.flows.start(handle, atUs, bytes, this.into(node), isFromAfar ? this.upIn : NONE);
  }

  /**
   * Starts a write to the node's own disk. If other nodes take replicas, it also uses the node's link and, if there are
   * other racks, the uplink.
   */
  write(handle: number, atUs: number, node: number, bytes: number, sendsReplicas: boolean): void {
    if (!sendsReplicas) this.flows.start(handle, atUs, bytes, this.disk(node));
    else {
      const up = this.topology.racks > 1 ? this.upOut : NONE;
      this.flows.start(handle, atUs, bytes, this.disk(node), this.out(node), up);
    }
  }

  /** Starts the copy of a block from `source` to `node`. `isNear`: `source` is in this rack. */
  copy(handle: number, atUs: number, node: number, source: number, bytes: number, isNear: boolean): void {
    if (isNear)
      this.flows.start(handle, atUs, bytes, this.disk(source), this.out(source), this.into(node), this.disk(node));
    else this.flows.start(handle, atUs, bytes, this.upIn, this.into(node), this.disk(node));
  }

  /** Divides the bandwidth of the node's disks by `factor`. */
  slowDisk(node: number, atUs: number, factor: number): void {
    this.flows.setCapacity(this.disk(node), atUs, this.topology.diskBytesPerSecond[node] / factor);
  }

  /** Without rows, all racks stand in one. */
  private isInRow(node: number): boolean {
    const { rowOfRack, rackOf } = this.topology;
    return rowOfRack[rackOf[node]] === rowOfRack[this.rack];
  }

  private disk(node: number): number {
    return 3 * this.indexOf(node);
  }

  private into(node: number): number {
    return 3 * this.indexOf(node) + 1;
  }

  private out(node: number): number {
    return 3 * this.indexOf(node) + 2;
  }

  private indexOf(node: number): number {
    return this.topology.indexInRack[node];
  }
}
