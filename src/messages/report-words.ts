import { LARGEST_VALUE, type ReportSink } from "../core/platforms/hadoop/index.js";
import { DOUBLE_ZERO } from "../core/kernel/index.js";
import { WordWriter } from "./frame.js";

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
    // An end longer ago than 35 minutes counts as that: only a node that was cut off reports so late.
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
