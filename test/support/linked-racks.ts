import { Agenda, SETTLE, CrossReads, RackIo } from "../../dist/core/platforms/hadoop/index.js";
import { ReadEnds, type Topology } from "../../dist/core/cluster/index.js";
import { NaiveFlows } from "./naive-flows.js";

/** A node reads from the disk of another, or from its own. */
export interface Transfer {
  readonly reader: number;
  readonly source: number;
}

export interface LinkedRacksOf {
  readonly topology: Topology;
  readonly rowUplink?: number;
  /** Transfers have numbers below this. */
  readonly transfers: number;
  readonly settleUs: number;
  readonly lookaheadUs: number;
  readonly taskStartUs: number;
}

interface Side {
  readonly agenda: Agenda;
  readonly io: RackIo;
  readonly cross: CrossReads;
}

/**
 * The disks, links and uplinks of racks with the reads over them, without attempts; offers are handed over at the
 * instant they are due.
 */
export class LinkedRacks {
  readonly sides: readonly Side[];
  readonly ends: ReadEnds;
  /** The last instant of those at which anything happened. */
  nowUs = 0;
  letters = 0;
  private readonly transfers = new Map<number, Transfer>();
  /** By rack and handle, of flows that other racks have there. */
  private readonly foreign = new Map<string, number>();
  private readonly mail: { dueUs: number; madeUs: number; peer: number; place: number; offer: number }[] = [];

  constructor(
    private readonly of: LinkedRacksOf,
    /** A transfer is through in the rack, which is one of its ends. */
    private readonly ended: (rack: number, transfer: number, atUs: number) => void = () => undefined,
  ) {
    const { topology, rowUplink = Infinity, transfers, settleUs, lookaheadUs, taskStartUs } = of;
    const ends = new ReadEnds(topology, { rowUplinkBytesPerSecond: rowUplink, settleUs });
    this.ends = ends;
    this.sides = Array.from({ length: topology.racks }, (_, rack) => {
      const agenda = new Agenda();
      const io = new RackIo(topology, rack, transfers, ends.rowUplinkOf(rack), agenda);
      const cross = new CrossReads({
        io,
        agenda,
        ends,
        settleUs,
        lookaheadUs,
        taskStartUs,
        rackOf: topology.rackOf,
        isCut: () => false,
        brokenOff: () => undefined,
        tell: (peer, madeUs, place, offer) => {
          this.letters++;
          this.mail.push({ dueUs: madeUs + lookaheadUs, madeUs, peer, place, offer });
        },
      });
      return { agenda, io, cross };
    });
  }

  /** Starts a transfer that was ordered a lookahead ago, at an instant up to which everything has been run. */
  start(transfer: number, { reader, source }: Transfer, orderedUs: number, bytes: number): void {
    const { rackOf } = this.of.topology;
    const atUs = orderedUs + this.of.lookaheadUs;
    const [near, far] = [rackOf[reader]!, rackOf[source]!];
    this.transfers.set(transfer, { reader, source });
    if (near === far) return this.sides[near]!.io.read(2 * transfer, atUs, reader, source, bytes);
    const told = this.ends.nodesOf(reader, source).filter((node) => node >= 0);
    for (const rack of told.map((node) => rackOf[node]!)) {
      const { io, cross } = this.sides[rack]!;
      if (rack !== near) {
        // The handle that `open` will take.
        const handle = io.takeHandle();
        io.giveHandle(handle);
        this.foreign.set(`${rack} ${handle}`, transfer);
      }
      cross.open(reader, source, transfer, bytes, orderedUs, rack === near ? 2 * transfer : undefined);
    }
  }

  /** Gives a transfer up. */
  stop(transfer: number, atUs: number): void {
    const { rackOf } = this.of.topology;
    const { reader, source } = this.transfers.get(transfer)!;
    this.transfers.delete(transfer);
    if (rackOf[reader] === rackOf[source]) this.sides[rackOf[reader]!]!.io.flows.stop(2 * transfer, atUs);
    else for (const { cross } of this.sides) cross.close(transfer, atUs);
  }

  /** Everything before `untilUs`, in order of time: what is through, then offers that arrive, then settle instants. */
  runUntil(untilUs: number): void {
    for (;;) {
      const flowUs = this.sides.map(({ io }) => io.flows.nextDoneUs());
      const tickUs = this.sides.map(({ agenda }) => agenda.dueUs(SETTLE));
      const mailUs = this.mail[0]?.dueUs ?? Infinity;
      const [flowAt, tickAt] = [Math.min(...flowUs), Math.min(...tickUs)];
      this.nowUs = Math.min(flowAt, tickAt, mailUs);
      if (this.nowUs >= untilUs) return;
      if (flowAt === this.nowUs) {
        const rack = flowUs.indexOf(flowAt);
        const { io, cross } = this.sides[rack]!;
        const handle = io.flows.popDone();
        cross.done(handle);
        this.ended(rack, this.transferOf(rack, handle), flowAt);
      } else if (mailUs === this.nowUs) {
        const { peer, place, madeUs, offer } = this.mail.shift()!;
        this.sides[this.of.topology.rackOf[peer]!]!.cross.peerOffers(place, madeUs, offer);
      } else this.sides[tickUs.indexOf(tickAt)]!.cross.settle();
    }
  }

  private transferOf(rack: number, handle: number): number {
    return handle < 2 * this.of.transfers ? handle / 2 : this.foreign.get(`${rack} ${handle}`)!;
  }

  /** By transfer that runs, its rate at its reader. */
  rates(): Map<number, number> {
    const { rackOf } = this.of.topology;
    const rateOf = (transfer: number, reader: number): number =>
      this.sides[rackOf[reader]!]!.io.flows.rate(2 * transfer);
    return new Map([...this.transfers].map(([transfer, { reader }]) => [transfer, rateOf(transfer, reader)]));
  }

  /**
   * What max-min fairness over the whole cluster gives them: progressive filling of all its disks, links and uplinks at
   * once.
   */
  fairRates(): Map<number, number> {
    const { cluster, resources } = this.naive();
    for (const [transfer, of] of this.transfers) {
      cluster.flows.set(transfer, { left: 1, resources: resources(of), reserved: undefined });
    }
    return cluster.rates();
  }

  /** The largest part of what a resource has that transfers take of it beyond that; 0 or less: none is overloaded. */
  overload(): number {
    const { cluster, resources } = this.naive();
    for (const [transfer, of] of this.transfers) {
      cluster.flows.set(transfer, { left: 1, resources: resources(of), reserved: undefined });
    }
    const rates = this.rates();
    return Math.max(...cluster.capacity.map((capacity, r) => cluster.load(r, rates) / capacity - 1));
  }

  /** The cluster as one list of resources, and those that a transfer takes. */
  private naive(): { cluster: NaiveFlows; resources: (of: Transfer) => number[] } {
    const { topology, rowUplink = Infinity } = this.of;
    const { nodes, racks, rackOf, rowOfRack, diskBytesPerSecond, linkBytesPerSecond, uplinkBytesPerSecond } = topology;
    const cluster = new NaiveFlows([
      ...diskBytesPerSecond,
      ...linkBytesPerSecond,
      ...linkBytesPerSecond,
      ...uplinkBytesPerSecond,
      ...uplinkBytesPerSecond,
      ...Array<number>(2 * racks).fill(rowUplink),
    ]);
    const uplinks = 3 * nodes;
    const rows = uplinks + 2 * racks;
    const resources = ({ reader, source }: Transfer): number[] => {
      if (reader === source) return [source];
      const inRack = [source, nodes + source, 2 * nodes + reader];
      const [from, to] = [rackOf[source]!, rackOf[reader]!];
      if (from === to) return inRack;
      const acrossRacks = [...inRack, uplinks + from, uplinks + racks + to];
      const [rowFrom, rowTo] = [rowOfRack[from]!, rowOfRack[to]!];
      return rowFrom === rowTo ? acrossRacks : [...acrossRacks, rows + rowFrom, rows + racks + rowTo];
    };
    return { cluster, resources };
  }
}
