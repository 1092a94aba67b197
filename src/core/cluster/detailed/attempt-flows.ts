import type { RuntimeSpec } from "../../scenario/runtime-spec.js";
import type { Topology } from "../topology.js";
import type { AttemptTable } from "./attempt-table.js";
import type { RackIo } from "./rack-io.js";

const MILLION = 1_000_000;
const NEAR = 1;
const FAR = 2;
/** The first flow is the near end of a read from another rack, which is not stopped here. */
const CROSS = 4;

/** What the attempts of a rack read, fetch and write: their flows, by place. */
export class AttemptFlows {
  /** Share of map output that lies in this rack: map outputs are spread like map slots. */
  private readonly nearShare: number;

  constructor(
    private readonly io: RackIo,
    private readonly table: AttemptTable,
    topology: Topology,
    private readonly runtime: RuntimeSpec,
  ) {
    let slots = 0;
    for (let i = topology.rackStart[io.rack]; i < topology.rackStart[io.rack + 1]; i++) {
      slots += topology.mapSlots[topology.rackNodes[i]];
    }
    this.nearShare = topology.racks === 1 ? 1 : slots / Math.max(1, topology.totalMapSlots);
  }

  /** A map's input from a node of this rack. */
  read(place: number, node: number, atUs: number): void {
    this.table.flowing[place] = NEAR;
    this.io.read(2 * place, atUs, node, this.table.source[place], this.table.inputBytes[place]);
  }

  /** Output of a map goes to its own disk, that of a reduce to the file system. */
  write(place: number, node: number, atUs: number): void {
    const { table, runtime } = this;
    table.flowing[place] = NEAR;
    const replicas = table.isMap[place] !== 0 ? 1 : runtime.io.outputReplication;
    this.io.write(2 * place, atUs, node, table.outputBytes[place], replicas);
  }

  /** Lets a reduce fetch what has become available. Returns whether it still fetches. */
  fetch(place: number, node: number, atUs: number): boolean {
    const { table } = this;
    const total = table.inputBytes[place];
    const there = table.mapsDone[place] !== 0 ? total : (total * table.available[place]) / MILLION;
    const more = there - table.givenBytes[place];
    if (more > 0) {
      table.givenBytes[place] = there;
      const near = more * this.nearShare;
      this.fetchMore(place, node, atUs, near, NEAR);
      this.fetchMore(place, node, atUs, more - near, FAR);
    }
    return (table.flowing[place] & (NEAR | FAR)) !== 0;
  }

  /** A flow is through; the place it belongs to. */
  done(handle: number): number {
    const place = handle >> 1;
    this.table.flowing[place] &= ~(1 << (handle & 1));
    return place;
  }

  /** A read from another rack has been opened for the attempt, or is over. */
  setCross(place: number, isOpen: boolean): void {
    if (isOpen) this.table.flowing[place] |= CROSS;
    else this.table.flowing[place] &= ~CROSS;
  }

  /** Whatever the attempt moves is given up, but for a read from another rack. */
  stop(place: number, atUs: number): void {
    const { table, io } = this;
    if ((table.flowing[place] & NEAR) !== 0) io.flows.stop(2 * place, atUs);
    if ((table.flowing[place] & FAR) !== 0) io.flows.stop(2 * place + 1, atUs);
    table.flowing[place] &= CROSS;
  }

  /** Share of `bytes` that has been moved; 0 while its read from another rack has not begun. */
  share(place: number, bytes: number, atUs: number): number {
    if (bytes === 0) return 1;
    const { table, io } = this;
    const runs = (table.flowing[place] & (NEAR | CROSS)) !== 0;
    return runs ? 1 - io.flows.left(2 * place, atUs) / bytes : 0;
  }

  fetchedShare(place: number, atUs: number): number {
    const { table, io } = this;
    const total = table.inputBytes[place];
    if (total === 0) return table.mapsDone[place];
    let fetched = table.givenBytes[place];
    if ((table.flowing[place] & NEAR) !== 0) fetched -= io.flows.left(2 * place, atUs);
    if ((table.flowing[place] & FAR) !== 0) fetched -= io.flows.left(2 * place + 1, atUs);
    return fetched / total;
  }

  private fetchMore(place: number, node: number, atUs: number, bytes: number, which: 1 | 2): void {
    if (bytes <= 0) return;
    const { table, io } = this;
    const handle = 2 * place + which - 1;
    if ((table.flowing[place] & which) !== 0) return io.flows.extend(handle, atUs, bytes);
    table.flowing[place] |= which;
    io.fetch(handle, atUs, node, bytes, which === FAR);
  }
}
