import { US_PER_MINUTE } from "../../kernel/time.js";
import { type Agenda, SETTLE } from "./agenda.js";
import type { RackIo } from "./rack-io.js";

const KIB = 1024;
/** Two terabytes a second: no limit. */
const MOST_KIB = 2 ** 31 - 1;
/** An end is told of a better rate when it is better by an eighth, of a worse one always. */
const WORTH_TELLING = 1.125;
/** The other end's next proposal is expected to be at most twice its last. */
const GROWTH = 2;
const LEAST_DEMAND = 64 * KIB;
/** A read that has stood still so long behind a lost switch breaks off (dfs.socket.timeout). */
const READ_TIMEOUT_US = US_PER_MINUTE;

/** One end of a read between racks, in the rack of that end. */
interface ReadEnd {
  /** The reader's slot in the cluster: both ends know the read by it. */
  readonly place: number;
  readonly isReader: boolean;
  readonly node: number;
  readonly peer: number;
  readonly bytes: number;
  readonly handle: number;
  readonly orderedUs: number;
  /** No byte moves before this. */
  readonly startUs: number;
  /** What this end has proposed, in KiB/s, and when; the last that is old enough counts. */
  readonly proposed: { atUs: number; kib: number }[];
  /** What the other end proposed last, -1: nothing yet. */
  peerKib: number;
  /** The settle instant from which on it stands behind a lost switch; Infinity: it does not. */
  cutUs: number;
}

export interface CrossReadsParts {
  readonly io: RackIo;
  /** The next settle instant that matters stands there. */
  readonly agenda: Agenda;
  readonly settleUs: number;
  readonly lookaheadUs: number;
  readonly taskStartUs: number;
  /** The rack of either end has lost its switch. */
  readonly isCut: (node: number, peer: number) => boolean;
  /** A proposal is to go to the other end. */
  readonly tell: (peer: number, atUs: number, place: number, kib: number) => void;
  /** The reader in that slot of this rack has waited too long for its source. */
  readonly brokenOff: (place: number, atUs: number) => void;
}

/**
 * Reads between racks. At every settle instant each end works out what it could give to each of its reads (a max-min share of
 * its disk, links and uplink, with what the other end asked for) and tells the other end. One lookahead later both
 * know both proposals, and from the settle instant then until the next the read goes at the smaller of the two, on both sides alike:
 * what leaves one rack reaches the other. Proposals of one instant fit together into what there is, so nothing is ever
 * promised twice. Rates between settle instants are constant.
 */
export class CrossReads {
  /** By the reader's slot, in the order in which they were opened; and by handle. */
  private readonly ends = new Map<number, ReadEnd>();
  private readonly ofHandle = new Map<number, ReadEnd>();
  private handles = new Int32Array(16);
  private rates = new Float64Array(16);
  private most = new Float64Array(16);

  constructor(private readonly parts: CrossReadsParts) {}

  /**
   * Both ends learn of a read that was ordered at `orderedUs`.
   * @param handle of the reader's flow; -1: this is the far end.
   */
  open(node: number, peer: number, place: number, bytes: number, orderedUs: number, handle: number): void {
    const { taskStartUs, lookaheadUs, agenda } = this.parts;
    const knownUs = this.tickFrom(orderedUs + lookaheadUs);
    const end: ReadEnd = {
      ...{ place, isReader: handle >= 0, node, peer, bytes, orderedUs },
      handle: handle >= 0 ? handle : this.parts.io.takeHandle(),
      startUs: Math.max(this.tickFrom(orderedUs + taskStartUs), this.tickFrom(knownUs + lookaheadUs)),
      proposed: [],
      peerKib: -1,
      cutUs: Infinity,
    };
    this.ends.set(place, end);
    this.ofHandle.set(end.handle, end);
    agenda.set(SETTLE, Math.min(agenda.at(SETTLE), knownUs));
    this.parts.io.flows.reserve(end.handle, orderedUs + lookaheadUs, 0);
    if (end.isReader) this.parts.io.readFromAfar(end.handle, orderedUs + lookaheadUs, node, peer, bytes);
    else this.parts.io.serveAfar(end.handle, orderedUs + lookaheadUs, node, peer, bytes);
  }

  /** What the other end proposed one lookahead ago. */
  peerProposes(place: number, kib: number): void {
    const end = this.ends.get(place);
    if (end !== undefined) end.peerKib = kib;
  }

  /** The flow of that handle is through. Its end is forgotten; returns whether it was one of these. */
  done(handle: number): boolean {
    const end = this.ofHandle.size > 0 ? this.ofHandle.get(handle) : undefined;
    if (end === undefined) return false;
    this.forget(end);
    return true;
  }

  /** The read is given up. */
  close(place: number, atUs: number): void {
    const end = this.ends.get(place);
    if (end === undefined) return;
    this.parts.io.flows.stop(end.handle, atUs);
    this.forget(end);
  }

  /** The reader was killed by a reply at `killedUs`; a read that was ordered since is another attempt's. */
  closeKilled(place: number, atUs: number, killedUs: number): void {
    const end = this.ends.get(place);
    if (end !== undefined && end.orderedUs < killedUs) this.close(place, atUs);
  }

  /** A node has crashed: reads from it and by it are given up. Returns the slots of readers here that lost their source. */
  nodeLost(node: number, atUs: number): number[] {
    const lost = [...this.ends.values()].filter((end) => end.node === node || end.peer === node);
    for (const { place } of lost) this.close(place, atUs);
    return lost.filter((end) => end.isReader && end.peer === node).map(({ place }) => place);
  }

  /** A switch was lost: the reads through it stand still. */
  cutOff(atUs: number): void {
    const cut = [...this.ends.values()].filter(({ node, peer }) => this.parts.isCut(node, peer));
    this.makeRoom(cut.length);
    cut.forEach(({ handle }, i) => {
      this.handles[i] = handle;
      this.rates[i] = 0;
    });
    this.parts.io.flows.reserveAll(this.handles, cut.length, atUs, this.rates);
  }

  /** A settle instant: the agreed rates take effect, and new rates are proposed. */
  settle(): void {
    const { settleUs, agenda } = this.parts;
    const atUs = agenda.at(SETTLE);
    this.breakOff(atUs);
    const ends = [...this.ends.values()];
    this.makeRoom(ends.length);
    this.setRates(ends, atUs);
    this.proposeRates(ends, atUs);
    agenda.set(SETTLE, ends.length === 0 ? Infinity : atUs + settleUs);
  }

  /** Reads that have stood still for too long are given up. Both ends see the same switches at the same instants, so both do it. */
  private breakOff(atUs: number): void {
    const { isCut, brokenOff } = this.parts;
    for (const end of [...this.ends.values()]) {
      if (!isCut(end.node, end.peer)) end.cutUs = Infinity;
      else if (end.cutUs === Infinity) end.cutUs = atUs;
      if (atUs - end.cutUs < READ_TIMEOUT_US) continue;
      this.close(end.place, atUs);
      if (end.isReader) brokenOff(end.place, atUs);
    }
  }

  private setRates(ends: readonly ReadEnd[], atUs: number): void {
    const { io, isCut, lookaheadUs } = this.parts;
    ends.forEach((end, i) => {
      const { node, peer, startUs, peerKib, handle } = end;
      const own = lastProposalBy(end, atUs - lookaheadUs);
      const stands = atUs < startUs || own < 0 || peerKib < 0 || isCut(node, peer);
      this.handles[i] = handle;
      this.rates[i] = stands ? 0 : Math.min(own, peerKib) * KIB;
    });
    io.flows.reserveAll(this.handles, ends.length, atUs, this.rates);
  }

  private proposeRates(ends: readonly ReadEnd[], atUs: number): void {
    const { io, tell } = this.parts;
    ends.forEach(({ peerKib }, i) => {
      this.most[i] = peerKib < 0 || peerKib === MOST_KIB ? Infinity : Math.max(LEAST_DEMAND, GROWTH * peerKib * KIB);
    });
    io.flows.propose(this.handles, ends.length, this.most, this.rates);
    ends.forEach(({ proposed, peer, place }, i) => {
      const kib = Math.min(MOST_KIB, Math.floor(this.rates[i] / KIB));
      const last = proposed.at(-1)?.kib ?? -1;
      if (last >= 0 && kib >= last && kib <= last * WORTH_TELLING) return;
      proposed.push({ atUs, kib });
      tell(peer, atUs, place, kib);
    });
  }

  private makeRoom(count: number): void {
    if (count <= this.handles.length) return;
    this.handles = new Int32Array(2 * count);
    this.rates = new Float64Array(2 * count);
    this.most = new Float64Array(2 * count);
  }

  private forget(end: ReadEnd): void {
    this.ends.delete(end.place);
    this.ofHandle.delete(end.handle);
    if (!end.isReader) this.parts.io.giveHandle(end.handle);
    if (this.ends.size === 0) this.parts.agenda.set(SETTLE, Infinity);
  }

  /** The first settle instant at or after a time. */
  private tickFrom(us: number): number {
    const { settleUs } = this.parts;
    return Math.ceil(us / settleUs) * settleUs;
  }
}

/** The last proposal made at `us` or before, -1 if there is none. Older ones are dropped. */
function lastProposalBy({ proposed }: ReadEnd, us: number): number {
  while (proposed.length > 1 && proposed[1].atUs <= us) proposed.shift();
  return proposed.length > 0 && proposed[0].atUs <= us ? proposed[0].kib : -1;
}
