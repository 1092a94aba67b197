import { bitsFor, clearBit, DOUBLE_ZERO, setBit } from "../../../kernel/index.js";
import { SUCCEEDED } from "./protocol.js";
import type { Topology } from "../../../cluster/index.js";

/** Buckets of the ring: a power of two. What is more rounds ahead shares a bucket with an earlier round. */
const ROUNDS = 1024;
const NONE = -1;
const ABSENT = -1;

/**
 * Words of a slot: the next slot of its list, its node, the outcome of its attempt, an unused word; in numbers of two
 * words: its round, its end.
 */
const WORDS = 8;
const NEXT = 0;
const NODE = 1;
const OUTCOME = 2;
const NUMBERS = WORDS / 2;
const ROUND = 2;
const END_US = 3;

/**
 * The ends that slots report, by heartbeat of their node, where each node sends one heartbeat a round: at its phase
 * plus a number of intervals. A ring of rounds, each a list of slots: a slot enters and leaves without a comparison,
 * and nothing is allocated. Nodes and slots are numbered from 0, nodes in order of their phases.
 */
export class HeartbeatCalendar {
  /** Slots taken by `takeRound`. */
  readonly takenSlots: Int32Array;
  /** The round of the first heartbeat with news, if there is any, and its time; Infinity for none. */
  firstRound = DOUBLE_ZERO;
  firstUs = Infinity;
  private readonly heads = new Int32Array(ROUNDS).fill(NONE);
  private readonly occupied = bitsFor(ROUNDS);
  /** By slot, records of `WORDS` words: what a launch or an end asks of a slot lies side by side. */
  private readonly words: Int32Array;
  private readonly numbers: Float64Array;
  /** By node: the slots that are being taken; and the nodes with such slots. */
  private readonly due: Int32Array;
  private readonly dueNodes: Int32Array;
  private size = 0;

  /** @param nodeOf node of each slot. */
  constructor(
    nodeOf: Int32Array,
    private readonly phaseUs: Float64Array,
    private readonly heartbeatUs: Topology["heartbeatUs"],
  ) {
    this.words = new Int32Array(nodeOf.length * WORDS);
    this.numbers = new Float64Array(this.words.buffer);
    for (let slot = 0; slot < nodeOf.length; slot++) {
      this.words[slot * WORDS + NODE] = nodeOf[slot];
      this.numbers[slot * NUMBERS + ROUND] = ABSENT;
    }
    this.takenSlots = new Int32Array(nodeOf.length);
    this.due = new Int32Array(phaseUs.length).fill(NONE);
    this.dueNodes = bitsFor(phaseUs.length);
  }

  has(slot: number): boolean {
    return this.numbers[slot * NUMBERS + ROUND] !== ABSENT;
  }

  nodeOf(slot: number): number {
    return this.words[slot * WORDS + NODE];
  }

  /** Returns the end of the attempt in the slot, or of the last one, as `setEnd` set it. */
  endUs(slot: number): number {
    return this.numbers[slot * NUMBERS + END_US];
  }

  /** SUCCEEDED or WAS_KILLED. */
  outcome(slot: number): number {
    return this.words[slot * WORDS + OUTCOME];
  }

  /** Sets the end for a slot that is not in the calendar. */
  setEnd(slot: number, endUs: number): void {
    this.numbers[slot * NUMBERS + END_US] = endUs;
  }

  setOutcome(slot: number, outcome: number): void {
    this.words[slot * WORDS + OUTCOME] = outcome;
  }

  /** The slot, which is not in the calendar, has its end to report on that heartbeat of its node: a round from 0. */
  add(slot: number, round: number): void {
    const bucket = round & (ROUNDS - 1);
    this.numbers[slot * NUMBERS + ROUND] = round;
    this.words[slot * WORDS + NEXT] = this.heads[bucket];
    this.heads[bucket] = slot;
    setBit(this.occupied, bucket);
    this.size++;
    const heartbeatAtUs = this.heartbeatAtUs(slot);
    if (heartbeatAtUs >= this.firstUs) return;
    this.firstRound = round;
    this.firstUs = heartbeatAtUs;
  }

  /** Takes a slot out, if it is in. O(slots of its bucket). */
  remove(slot: number): void {
    const round = this.numbers[slot * NUMBERS + ROUND];
    if (round === ABSENT) return;
    const { words, heads } = this;
    const bucket = round & (ROUNDS - 1);
    const after = words[slot * WORDS + NEXT];
    if (heads[bucket] === slot) heads[bucket] = after;
    else {
      let before = heads[bucket];
      while (words[before * WORDS + NEXT] !== slot) before = words[before * WORDS + NEXT];
      words[before * WORDS + NEXT] = after;
    }
    this.leave(slot, bucket);
    this.findFirst();
  }

  /**
   * Takes out what has news on heartbeats before `untilUs` of the first round that has any: into `takenSlots`, in order
   * of heartbeat, then by end, then by slot. Returns how many.
   */
  takeRound(untilUs: number): number {
    const { words, numbers, heads, firstRound, phaseUs, due, dueNodes } = this;
    const bucket = firstRound & (ROUNDS - 1);
    const untilPhaseUs = untilUs - firstRound * this.heartbeatUs;
    let kept = NONE;
    for (let slot = heads[bucket]; slot !== NONE;) {
      const base = slot * WORDS;
      const after = words[base + NEXT];
      const node = words[base + NODE];
      if (numbers[slot * NUMBERS + ROUND] !== firstRound || phaseUs[node] >= untilPhaseUs) {
        words[base + NEXT] = kept;
        kept = slot;
      } else if (due[node] === NONE) {
        setBit(dueNodes, node);
        words[base + NEXT] = NONE;
        due[node] = slot;
      } else this.putDue(slot, node);
      slot = after;
    }
    heads[bucket] = kept;
    const count = this.takeDue();
    this.size -= count;
    if (kept === NONE) clearBit(this.occupied, bucket);
    this.findFirst();
    return count;
  }

  private heartbeatAtUs(slot: number): number {
    return this.phaseUs[this.nodeOf(slot)] + this.numbers[slot * NUMBERS + ROUND] * this.heartbeatUs;
  }

  /** Puts the slot among the others of its node that are due, in order. There are few. */
  private putDue(slot: number, node: number): void {
    const { words, numbers, due } = this;
    const endUs = numbers[slot * NUMBERS + END_US];
    let before = NONE;
    let after = due[node];
    while (after !== NONE && (numbers[after * NUMBERS + END_US] - endUs || after - slot) < 0) {
      before = after;
      after = words[after * WORDS + NEXT];
    }
    words[slot * WORDS + NEXT] = after;
    if (before === NONE) due[node] = slot;
    else words[before * WORDS + NEXT] = slot;
  }

  private takeDue(): number {
    const { words, numbers, due, dueNodes, takenSlots } = this;
    let count = 0;
    for (let w = 0; w < dueNodes.length; w++) {
      for (let bits = dueNodes[w]; bits !== 0; bits &= bits - 1) {
        const node = (w << 5) + 31 - Math.clz32(bits & -bits);
        for (let slot = due[node]; slot !== NONE; slot = words[slot * WORDS + NEXT]) {
          takenSlots[count++] = slot;
          numbers[slot * NUMBERS + ROUND] = ABSENT;
        }
        due[node] = NONE;
      }
      dueNodes[w] = 0;
    }
    return count;
  }

  private leave(slot: number, bucket: number): void {
    this.numbers[slot * NUMBERS + ROUND] = ABSENT;
    this.size--;
    if (this.heads[bucket] === NONE) clearBit(this.occupied, bucket);
  }

  /** Looks for the first heartbeat with news, from the round on that had it before. */
  private findFirst(): void {
    const { firstRound, occupied } = this;
    this.firstUs = Infinity;
    if (this.size === 0) return;
    for (let ahead = 0; ahead < ROUNDS; ahead++) {
      const bucket = (firstRound + ahead) & (ROUNDS - 1);
      const bits = occupied[bucket >> 5] >>> (bucket & 31);
      ahead += bits === 0 ? 31 - (bucket & 31) : 31 - Math.clz32(bits & -bits);
      if (bits !== 0 && this.findIn(firstRound + ahead)) return;
    }
    this.findFarther();
  }

  /** Looks among the slots of one round; false: there are none. */
  private findIn(round: number): boolean {
    const { words, numbers } = this;
    let node = this.phaseUs.length;
    for (let slot = this.heads[round & (ROUNDS - 1)]; slot !== NONE; slot = words[slot * WORDS + NEXT]) {
      if (numbers[slot * NUMBERS + ROUND] === round && words[slot * WORDS + NODE] < node)
        node = words[slot * WORDS + NODE];
    }
    if (node === this.phaseUs.length) return false;
    this.firstRound = round;
    this.firstUs = this.phaseUs[node] + round * this.heartbeatUs;
    return true;
  }

  /** All news are more than a whole ring ahead. */
  private findFarther(): void {
    let least = Infinity;
    for (let cell = ROUND; cell < this.numbers.length; cell += NUMBERS) {
      const round = this.numbers[cell];
      if (round !== ABSENT && round < least) least = round;
    }
    this.findIn(least);
  }
}

/**
 * The ends that light racks have due, heartbeat by heartbeat, for a master on the same thread: it takes them where they
 * stand, without frames and without report words. What a reply changes shows one round later: less than a round is
 * taken at a time.
 */
export class DueEnds {
  private next = 0;
  private count = 0;
  private roundUs = DOUBLE_ZERO;

  constructor(
    private readonly calendar: HeartbeatCalendar,
    private readonly heartbeatUs: number,
    private readonly phaseUs: Float64Array,
    private readonly nodes: Int32Array,
    private readonly shift: Int32Array,
  ) {}

  /** Time of the next heartbeat with an end before `untilUs`, which is less than a round ahead; Infinity for none. */
  nextUs(untilUs: number): number {
    if (this.next === this.count && !this.take(untilUs)) return Infinity;
    return this.phaseUs[this.calendar.nodeOf(this.calendar.takenSlots[this.next])] + this.roundUs;
  }

  /** Node of that heartbeat; there must be one. */
  nextNode(): number {
    return this.nodes[this.calendar.nodeOf(this.calendar.takenSlots[this.next])];
  }

  /** Hands the ends of that heartbeat of the node over, in order of end, then slot. */
  deliver(node: number, sink: EndSink): void {
    const { calendar, nodes } = this;
    const { takenSlots } = calendar;
    const shift = this.shift[node];
    do {
      const local = takenSlots[this.next++];
      if (calendar.outcome(local) === SUCCEEDED) sink.finished(node, local + shift, calendar.endUs(local));
      else sink.cutOff("killed", node, local + shift, calendar.endUs(local));
    } while (this.next < this.count && nodes[calendar.nodeOf(takenSlots[this.next])] === node);
  }

  private take(untilUs: number): boolean {
    const { calendar } = this;
    if (calendar.firstUs >= untilUs) return false;
    this.roundUs = calendar.firstRound * this.heartbeatUs;
    this.next = 0;
    this.count = calendar.takeRound(untilUs);
    return true;
  }
}

/** The receiver of ends. */
interface EndSink {
  finished(node: number, slot: number, endUs: number): void;
  cutOff(how: "killed", node: number, slot: number, endUs: number): void;
}
