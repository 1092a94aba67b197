import type { ReportSink } from "../core/cluster/protocol.js";
import { DOUBLE_ZERO } from "../core/kernel/time.js";
import { FrameError, WordWriter } from "./frame.js";

/** Words of one report: node, heartbeat time since the slice began, place, value, kind. */
export const REPORT_WORDS = 5;

/** Light racks tell so far ahead what their nodes will report: as far as a word reaches, or nearly. */
export const FORETOLD_US = 2 ** 30;

/** Kinds of report. The value of the first five is the time from the end to the heartbeat. */
export const SUCCEEDED = 0;
export const WAS_KILLED = 1;
export const HAS_FAILED = 2;
export const SOURCE_LOST = 3;
export const WANTS_COMMIT = 4;
/** Millionths. */
export const HAS_PROGRESSED = 5;
/** No place, no value. */
export const HAS_RETURNED = 6;
/** No place; the value is the number of computing tasks. */
export const IS_LOADED = 7;
/** The place is the number of the transfer. */
export const HAS_COPIED = 8;
export const HAS_NOT_COPIED = 9;
/** The node is the one that is to be told; the value is KiB/s. */
export const OFFERS = 10;
/** Of a reduce in its slot; the value is 1 if it is past the gate, 0 if it is parked. */
export const AT_GATE = 11;

/** Collects the reports of one slice as packed words. */
export class ReportWriter extends WordWriter implements ReportSink {
  private sliceStartUs = DOUBLE_ZERO;

  open(sliceStartUs: number): void {
    this.sliceStartUs = sliceStartUs;
    this.length = 0;
  }

  finished(node: number, atUs: number, place: number, finishUs: number): void {
    this.report(node, atUs, place, atUs - finishUs, SUCCEEDED);
  }

  killed(node: number, atUs: number, place: number, endUs: number): void {
    this.report(node, atUs, place, atUs - endUs, WAS_KILLED);
  }

  failed(node: number, atUs: number, place: number, endUs: number): void {
    this.report(node, atUs, place, atUs - endUs, HAS_FAILED);
  }

  sourceLost(node: number, atUs: number, place: number, endUs: number): void {
    this.report(node, atUs, place, atUs - endUs, SOURCE_LOST);
  }

  commitPending(node: number, atUs: number, slot: number, endUs: number): void {
    this.report(node, atUs, slot, atUs - endUs, WANTS_COMMIT);
  }

  progressed(node: number, atUs: number, place: number, progress: number): void {
    this.report(node, atUs, place, progress, HAS_PROGRESSED);
  }

  returned(node: number, atUs: number): void {
    this.report(node, atUs, 0, 0, HAS_RETURNED);
  }

  atGate(node: number, atUs: number, slot: number, isPast: boolean): void {
    this.report(node, atUs, slot, isPast ? 1 : 0, AT_GATE);
  }

  loaded(node: number, atUs: number, computing: number): void {
    this.report(node, atUs, 0, computing, IS_LOADED);
  }

  copied(node: number, atUs: number, transfer: number, endUs: number): void {
    this.report(node, atUs, transfer, atUs - endUs, HAS_COPIED);
  }

  notCopied(node: number, atUs: number, transfer: number, endUs: number): void {
    this.report(node, atUs, transfer, atUs - endUs, HAS_NOT_COPIED);
  }

  offers(peer: number, atUs: number, place: number, kibPerSecond: number): void {
    this.report(peer, atUs, place, kibPerSecond, OFFERS);
  }

  private report(node: number, atUs: number, place: number, value: number, kind: number): void {
    this.reserve(REPORT_WORDS);
    const { words } = this;
    words[this.length++] = node;
    words[this.length++] = atUs - this.sliceStartUs;
    words[this.length++] = place;
    words[this.length++] = Math.min(value, LARGEST_VALUE);
    words[this.length++] = kind;
  }
}

/** An end longer ago than 35 minutes counts as that: only a node that was cut off reports so late. */
const LARGEST_VALUE = 2 ** 31 - 1;
const MILLION = 1_000_000;

/** Bounds that every report must keep. */
export interface ReportBounds {
  readonly nodes: number;
  readonly slots: number;
  readonly sliceUs: number;
  /** Most time from the end of an attempt to the heartbeat that reports it. */
  readonly longestSilenceUs: number;
}

/** Throws FrameError unless the words are reports within the bounds. */
export function checkReports(words: Int32Array, length: number, bounds: ReportBounds): void {
  if (length % REPORT_WORDS !== 0) throw new FrameError(`found ${length} words of reports, not a multiple of 5`);
  for (let i = 0; i < length; i += REPORT_WORDS) {
    if (!within(words[i], bounds.nodes)) throw new FrameError(`found a report of node ${words[i]}`);
    if (!within(words[i + 1], bounds.sliceUs))
      throw new FrameError(`found a heartbeat ${words[i + 1]} us into a slice`);
    const kind = words[i + 4];
    if (!within(kind, AT_GATE + 1)) throw new FrameError(`found outcome ${kind}`);
    if (!within(words[i + 2], placesOf(kind, bounds.slots)))
      throw new FrameError(`found a report of slot ${words[i + 2]}`);
    // A killed attempt ended by the reply to the heartbeat before; what finished did so after that.
    const limit = kind <= WANTS_COMMIT ? bounds.longestSilenceUs + (kind === WAS_KILLED ? 1 : 0) : MOST[kind];
    if (!within(words[i + 3], limit)) throw new FrameError(`found an end ${words[i + 3]} us ago`);
  }
}

/** By kind: the values that may be. */
const MOST = [0, 0, 0, 0, 0, MILLION + 1, 1, 2 ** 16, 2 ** 31, 2 ** 31, 2 ** 31, 2];

function placesOf(kind: number, slots: number): number {
  if (kind === WANTS_COMMIT || kind === AT_GATE) return slots;
  if (kind === HAS_RETURNED || kind === IS_LOADED) return 1;
  if (kind === HAS_COPIED || kind === HAS_NOT_COPIED) return 2;
  return 2 * slots;
}

function within(value: number, bound: number): boolean {
  return value >= 0 && value < bound;
}
