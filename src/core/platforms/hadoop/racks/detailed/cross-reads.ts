import { US_PER_MINUTE } from "../../../../kernel/index.js";
import { MOST_ENDS, READER, type ReadEnds, SOURCE } from "../../../../cluster/index.js";
import { type Agenda, SETTLE } from "./agenda.js";
import { offeredRate, offeringEnd, OFFER_STEP, Offers, offerWord } from "./offers.js";
import type { RackIo } from "./rack-io.js";

/** Two terabytes a second: what a read gets that nothing limits. */
const MOST_RATE = 2 ** 41;
/** A read that has stood still so long behind a lost switch breaks off (dfs.socket.timeout). */
const READ_TIMEOUT_US = US_PER_MINUTE;

/** One end of a read between racks, in the rack of that end. */
interface ReadEnd {
  /** The reader's slot in the cluster: all ends know the read by it. */
  readonly place: number;
  /** The number of this end, and by end the node that is notified; -1: there is no such end. */
  readonly end: number;
  readonly nodes: readonly number[];
  readonly handle: number;
  readonly orderedUs: number;
  /** No byte moves before this. */
  readonly startUs: number;
  /** By end, of those that there are. */
  readonly offers: readonly (Offers | null)[];
  /** Offers made before this do not count. */
  freshUs: number;
  /** The settle instant from which on it stands behind a lost switch; Infinity: it does not. */
  cutUs: number;
}

interface CrossReadsParts {
  readonly io: RackIo;
  /** The next settle instant that matters stands there. */
  readonly agenda: Agenda;
  readonly ends: ReadEnds;
  readonly settleUs: number;
  readonly lookaheadUs: number;
  readonly taskStartUs: number;
  readonly rackOf: Int32Array;
  /** The rack of either node has lost its switch. */
  readonly isCut: (reader: number, source: number) => boolean;
  /** An offer is to go to another end. */
  readonly tell: (peer: number, atUs: number, place: number, offer: number) => void;
  /** The reader in that slot of this rack has waited too long for its source. */
  readonly brokenOff: (place: number, atUs: number) => void;
}

/**
 * Reads between racks. At every settle instant each end works out the max-min rates of all transfers over its disks and
 * links, in which a read takes no more than its other ends offered last. A read that these disks and links limit is
 * offered its rate, any other whatever it wants; the other ends are notified. Resources with the lowest rates are right
 * at the first exchange, and what the others know of their reads then makes the next ones right: docs/cluster-model.md
 * has the bound.
 *
 * A read goes at the least of what all its ends offered one exchange ago and the exchange before, on all sides alike:
 * what leaves one rack reaches the other. Each end knew the older offers when it worked out its newer ones, so the
 * rates fit into what there is. They are constant between settle instants.
 */
export class CrossReads {
  /** By the reader's slot, in the order in which they were opened; and by handle. */
  private readonly ends = new Map<number, ReadEnd>();
  private readonly ofHandle = new Map<number, ReadEnd>();
  private handles = new Int32Array(16);
  private rates = new Float64Array(16);
  private limits = new Float64Array(16);

  constructor(private readonly parts: CrossReadsParts) {}

  /**
   * All ends learn of a read that was ordered at `orderedUs`.
   * @param flow of the reader, at its own end.
   */
  open(reader: number, source: number, place: number, bytes: number, orderedUs: number, flow?: number): void {
    const { io, agenda, taskStartUs, lookaheadUs, rackOf } = this.parts;
    const atUs = orderedUs + lookaheadUs;
    const exchangeUs = this.tickFrom(lookaheadUs);
    const startUs = Math.max(this.tickFrom(orderedUs + taskStartUs), this.tickFrom(atUs) + exchangeUs);
    const nodes = this.parts.ends.nodesOf(reader, source);
    const end: ReadEnd = {
      place,
      nodes,
      orderedUs,
      startUs,
      handle: flow ?? io.takeHandle(),
      end: nodes.findIndex((node) => node >= 0 && rackOf[node] === io.rack),
      offers: nodes.map((node) => (node >= 0 ? new Offers() : null)),
      freshUs: startUs - exchangeUs,
      cutUs: Infinity,
    };
    this.ends.set(place, end);
    this.ofHandle.set(end.handle, end);
    agenda.set(SETTLE, Math.min(agenda.dueUs(SETTLE), end.freshUs));
    io.flows.reserve(end.handle, atUs, 0);
    if (end.end === READER) io.readFromAfar(end.handle, atUs, reader, source, bytes);
    else if (end.end === SOURCE) io.serveAfar(end.handle, atUs, source, reader, bytes);
    else io.passRow(end.handle, atUs, source, bytes);
  }

  /** Takes an offer that another end made at `madeUs`, one lookahead ago. */
  peerOffers(place: number, madeUs: number, offer: number): void {
    const end = this.ends.get(place);
    if (end !== undefined && madeUs >= end.freshUs) end.offers[offeringEnd(offer)]?.add(madeUs, offeredRate(offer));
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

  /**
   * A node has crashed: reads from it and by it are given up. Returns the slots of readers here that lost their source.
   */
  nodeLost(node: number, atUs: number): number[] {
    const lost = [...this.ends.values()].filter(({ nodes }) => nodes[READER] === node || nodes[SOURCE] === node);
    for (const { place } of lost) this.close(place, atUs);
    return lost.filter(({ end, nodes }) => end === READER && nodes[SOURCE] === node).map(({ place }) => place);
  }

  /** A switch was lost: the reads through it stand still. */
  cutOff(atUs: number): void {
    const cut = [...this.ends.values()].filter((end) => this.isCut(end));
    this.makeRoom(cut.length);
    cut.forEach(({ handle }, i) => {
      this.handles[i] = handle;
      this.rates[i] = 0;
    });
    this.parts.io.flows.reserveAll(this.handles, cut.length, atUs, this.rates);
  }

  /** A settle instant: what was agreed takes effect, and new rates are offered. */
  settle(): void {
    const { settleUs, agenda } = this.parts;
    const atUs = agenda.dueUs(SETTLE);
    this.breakOff(atUs);
    const ends = [...this.ends.values()];
    this.makeRoom(ends.length);
    this.setRates(ends, atUs);
    this.offerRates(
      ends.filter((end) => atUs >= end.freshUs),
      atUs,
    );
    agenda.set(SETTLE, ends.length === 0 ? Infinity : atUs + settleUs);
  }

  /**
   * Reads that have stood still for too long are given up. All ends see the same switches at the same instants, so all
   * do it.
   */
  private breakOff(atUs: number): void {
    for (const end of [...this.ends.values()]) {
      // This end alone may have settle instants so soon, for other reads.
      if (atUs < end.freshUs) continue;
      if (!this.isCut(end)) {
        end.cutUs = Infinity;
        continue;
      }
      if (end.cutUs === Infinity) end.cutUs = atUs;
      // A suspended read takes nothing from others, so the agreed rates hold no more.
      end.freshUs = atUs + 1;
      for (const offers of end.offers) offers?.clear();
      if (atUs - end.cutUs < READ_TIMEOUT_US) continue;
      this.close(end.place, atUs);
      if (end.end === READER) this.parts.brokenOff(end.place, atUs);
    }
  }

  private setRates(ends: readonly ReadEnd[], atUs: number): void {
    ends.forEach((end, i) => {
      this.handles[i] = end.handle;
      this.rates[i] = this.agreedRate(end, atUs);
    });
    this.parts.io.flows.reserveAll(this.handles, ends.length, atUs, this.rates);
  }

  /**
   * The same at all ends: the least of the last offers that all of them know by now, and of those that were known when
   * they were made.
   */
  private agreedRate({ startUs, offers }: ReadEnd, atUs: number): number {
    const { settleUs, lookaheadUs } = this.parts;
    if (atUs < startUs) return 0;
    const madeUs = Math.floor((atUs - lookaheadUs) / settleUs) * settleUs;
    const knownUs = madeUs - lookaheadUs;
    let rate = MOST_RATE;
    for (const series of offers) {
      if (series === null) continue;
      const last = series.lastBy(madeUs);
      if (last < 0) return 0;
      const before = series.lastBy(knownUs);
      rate = Math.min(rate, last, before < 0 ? Infinity : before);
      series.forgetBefore(knownUs);
    }
    return rate;
  }

  private offerRates(ends: readonly ReadEnd[], atUs: number): void {
    ends.forEach((end, i) => {
      this.handles[i] = end.handle;
      this.limits[i] = offeredByOthers(end);
    });
    this.parts.io.flows.propose(this.handles, ends.length, this.limits, this.rates);
    ends.forEach((readEnd, i) => this.offer(readEnd, atUs, offerWord(this.rates[i], readEnd.end)));
  }

  private offer({ end, nodes, offers, place }: ReadEnd, atUs: number, word: number): void {
    const rate = offeredRate(word);
    if (offers[end]?.last() === rate) return;
    offers[end]?.add(atUs, rate);
    for (let otherEnd = 0; otherEnd < MOST_ENDS; otherEnd++) {
      if (otherEnd !== end && nodes[otherEnd] >= 0) this.parts.tell(nodes[otherEnd], atUs, place, word);
    }
  }

  private isCut({ nodes }: ReadEnd): boolean {
    return this.parts.isCut(nodes[READER], nodes[SOURCE]);
  }

  private makeRoom(count: number): void {
    if (count <= this.handles.length) return;
    this.handles = new Int32Array(2 * count);
    this.rates = new Float64Array(2 * count);
    this.limits = new Float64Array(2 * count);
  }

  private forget(end: ReadEnd): void {
    this.ends.delete(end.place);
    this.ofHandle.delete(end.handle);
    if (end.end !== READER) this.parts.io.giveHandle(end.handle);
    if (this.ends.size === 0) this.parts.agenda.set(SETTLE, Infinity);
  }

  /** The first settle instant at or after a time. */
  private tickFrom(us: number): number {
    const { settleUs } = this.parts;
    return Math.ceil(us / settleUs) * settleUs;
  }
}

/**
 * Returns the rate that the other ends allow the read, Infinity for no limit. It is a little higher, so that of two
 * ends with the same rate each still sees that it limits.
 */
function offeredByOthers({ end, offers }: ReadEnd): number {
  let limit = Infinity;
  offers.forEach((series, otherEnd) => {
    const last = otherEnd === end || series === null ? -1 : series.last();
    if (last >= 0) limit = Math.min(limit, last * (1 + OFFER_STEP));
  });
  return limit;
}
