import { NOWHERE } from "./executors.js";

/** The bits of a word. */
const BITS = 32;

/**
 * Which task sets an offer need be shown to. A set is passed over where it would start nothing and change nothing: it
 * has been asked in vain, nothing of it waits on the host, and its wait has not run out since. Sets are bits: their
 * numbers are given anew when they go.
 */
export class AskedSets {
  /**
   * Asked wherever there is room; on hosts that have tasks of theirs; on racks, while they are at the level of racks.
   */
  private open = new Int32Array(1);
  private readonly onHost: Int32Array[] = [];
  private readonly onRack: Int32Array[] = [];
  private atRacks = new Int32Array(1);
  /** By set that is not open: until when. */
  private readonly untilUs: number[] = [];
  private firstUntilUs = Infinity;
  private readonly free: number[] = [];
  private mask = new Int32Array(1);

  /** @returns its number. */
  add(): number {
    const set = this.free.pop() ?? this.untilUs.push(Infinity) - 1;
    if (set >= this.open.length * BITS) {
      this.open = doubled(this.open);
      this.atRacks = doubled(this.atRacks);
      this.mask = doubled(this.mask);
    }
    this.reopen(set);
    return set;
  }

  remove(set: number): void {
    clear(this.open, set);
    clear(this.atRacks, set);
    this.untilUs[set] = Infinity;
    for (const places of [this.onHost, this.onRack])
      for (const words of places) if (words !== undefined) clear(words, set);
    this.free.push(set);
  }

  /** Shows all that is free to it again. */
  reopen(set: number): void {
    this.open[set >> 5] |= 1 << (set & 31);
    this.untilUs[set] = Infinity;
  }

  /** @param isAtRacks what waits on a rack may start there. */
  close(set: number, untilUs: number, isAtRacks: boolean): void {
    clear(this.open, set);
    if (isAtRacks) this.atRacks[set >> 5] |= 1 << (set & 31);
    else clear(this.atRacks, set);
    this.untilUs[set] = untilUs;
    if (untilUs < this.firstUntilUs) this.firstUntilUs = untilUs;
  }

  /** A task of the set waits on a host of a rack. */
  waits(set: number, host: number, rack: number): void {
    this.onHost[host] = marked(this.onHost[host], set);
    if (rack !== NOWHERE) this.onRack[rack] = marked(this.onRack[rack], set);
  }

  noneWaitOnHost(set: number, host: number): void {
    clear(this.onHost[host], set);
  }

  waitsOnHost(set: number, host: number): boolean {
    return has(this.onHost[host], set);
  }

  /** A round begins: nothing is offered so far. */
  begin(nowUs: number): void {
    if (nowUs >= this.firstUntilUs) this.reopenDue(nowUs);
    this.mask.set(this.open);
  }

  /** An executor of this host is offered. */
  offer(host: number, rack: number): void {
    const { mask, atRacks } = this;
    const hosts = this.onHost[host];
    if (hosts !== undefined) for (let i = 0; i < hosts.length; i++) mask[i] |= hosts[i];
    const racks = rack === NOWHERE ? undefined : this.onRack[rack];
    if (racks !== undefined) for (let i = 0; i < racks.length; i++) mask[i] |= racks[i] & atRacks[i];
  }

  /** Whether this round's offers must be shown to anybody, and to one set. */
  get isAnyAsked(): boolean {
    const { mask } = this;
    for (let i = 0; i < mask.length; i++) if (mask[i] !== 0) return true;
    return false;
  }

  isAsked(set: number): boolean {
    return has(this.mask, set);
  }

  private reopenDue(nowUs: number): void {
    this.firstUntilUs = Infinity;
    for (let set = 0; set < this.untilUs.length; set++) {
      const untilUs = this.untilUs[set];
      if (untilUs <= nowUs) this.reopen(set);
      else if (untilUs < this.firstUntilUs) this.firstUntilUs = untilUs;
    }
  }
}

function has(words: Int32Array | undefined, set: number): boolean {
  return words !== undefined && ((words[set >> 5] >>> (set & 31)) & 1) !== 0;
}

function clear(words: Int32Array | undefined, set: number): void {
  if (words !== undefined && set >> 5 < words.length) words[set >> 5] &= ~(1 << (set & 31));
}

function marked(words: Int32Array | undefined, set: number): Int32Array {
  let wide = words ?? new Int32Array(1);
  while (set >> 5 >= wide.length) wide = doubled(wide);
  wide[set >> 5] |= 1 << (set & 31);
  return wide;
}

function doubled(words: Int32Array): Int32Array<ArrayBuffer> {
  const wide = new Int32Array(2 * words.length);
  wide.set(words);
  return wide;
}
