import { REPORT_KINDS, type ReportKind, type ReportSink, WAS_KILLED } from "../core/platforms/hadoop/index.js";
import { DOUBLE_ZERO } from "../core/kernel/index.js";
import { FrameError, WordWriter } from "./frame.js";

/** The words of one report, from its first on; the time of its heartbeat counts from the start of the slice. */
export const REPORT_NODE = 0;
export const REPORT_AT_US = 1;
export const REPORT_PLACE = 2;
export const REPORT_VALUE = 3;
export const REPORT_KIND = 4;
export const REPORT_WORDS = 5;
/** Light racks tell so far ahead what their nodes will report: as far as a word reaches, or nearly. */
export const PREDICTED_US = 2 ** 30;

/** Collects the reports of one slice as packed words. */
export class ReportWriter extends WordWriter implements ReportSink {
  private sliceStartUs = DOUBLE_ZERO;

  open(sliceStartUs: number): void {
    this.sliceStartUs = sliceStartUs;
    this.length = 0;
  }

  report(kind: number, node: number, atUs: number, place: number, value: number): void {
    this.reserve(REPORT_WORDS);
    const { words, length: i } = this;
    words[i + REPORT_NODE] = node;
    words[i + REPORT_AT_US] = atUs - this.sliceStartUs;
    words[i + REPORT_PLACE] = place;
    words[i + REPORT_VALUE] = Math.min(value, LARGEST_VALUE);
    words[i + REPORT_KIND] = kind;
    this.length += REPORT_WORDS;
  }

  /** Time of the first heartbeat of which something is reported. */
  firstUs(): number {
    let first = Infinity;
    for (let i = REPORT_AT_US; i < this.length; i += REPORT_WORDS)
      if (this.words[i + REPORT_NODE] < first) first = this.words[i + REPORT_NODE];
    return this.sliceStartUs + first;
  }

  /** Lets the times of all reports count from the start of a later slice. */
  countFrom(sliceStartUs: number): void {
    const laterUs = sliceStartUs - this.sliceStartUs;
    for (let i = REPORT_AT_US; i < this.length; i += REPORT_WORDS) this.words[i + REPORT_NODE] -= laterUs;
    this.sliceStartUs = sliceStartUs;
  }
}

/** An end longer ago than 35 minutes counts as that: only a node that was cut off reports so late. */
const LARGEST_VALUE = 2 ** 31 - 1;

/** Bounds that every report must keep. */
export interface ReportBounds {
  readonly nodes: number;
  readonly slots: number;
  readonly sliceUs: number;
  /** Most time from the end of an attempt to the heartbeat that reports it. */
  readonly longestReportDelayUs: number;
}

/** Throws FrameError unless the words are reports within the bounds. */
export function checkReports(words: Int32Array, length: number, bounds: ReportBounds): void {
  if (length % REPORT_WORDS !== 0)
    throw new FrameError(`found ${length} words of reports, not a multiple of ${REPORT_WORDS}`);
  for (let i = 0; i < length; i += REPORT_WORDS) {
    if (!within(words[i + REPORT_NODE], bounds.nodes))
      throw new FrameError(`found a report of node ${words[i + REPORT_NODE]}`);
    if (!within(words[i + REPORT_AT_US], bounds.sliceUs))
      throw new FrameError(`found a heartbeat ${words[i + REPORT_AT_US]} us into a slice`);
    const kind = words[i + REPORT_KIND];
    if (!within(kind, REPORT_KINDS.length)) throw new FrameError(`found outcome ${kind}`);
    const { of, most } = REPORT_KINDS[kind];
    if (!within(words[i + REPORT_PLACE], placesOf(of, bounds.slots)))
      throw new FrameError(`found a report of slot ${words[i + REPORT_PLACE]}`);
    // A killed attempt ended by the reply to the heartbeat before; what finished did so after that.
    const limit = most === null ? bounds.longestReportDelayUs + (kind === WAS_KILLED ? 1 : 0) : most + 1;
    if (!within(words[i + REPORT_VALUE], limit)) throw new FrameError(`found an end ${words[i + REPORT_VALUE]} us ago`);
  }
}

function placesOf(of: ReportKind["of"], slots: number): number {
  switch (of) {
    case "place":
      return 2 * slots;
    case "slot":
      return slots;
    case "copy":
      return 2;
    case "node":
      return 1;
  }
}

function within(value: number, bound: number): boolean {
  return value >= 0 && value < bound;
}
