import type { ReportSink } from "../core/cluster/commands.js";
import { DOUBLE_ZERO } from "../core/kernel/time.js";
import { FrameError } from "./frame.js";
import { WordWriter } from "./words.js";

/** Words of one report: node, heartbeat time since the slice began, slot, time from the finish to the heartbeat. */
export const REPORT_WORDS = 4;

/** Collects the reports of one slice as packed words. */
export class ReportWriter extends WordWriter implements ReportSink {
  private sliceStartUs = DOUBLE_ZERO;

  open(sliceStartUs: number): void {
    this.sliceStartUs = sliceStartUs;
    this.length = 0;
  }

  finished(node: number, atUs: number, slot: number, finishUs: number): void {
    this.reserve(REPORT_WORDS);
    const { words } = this;
    words[this.length++] = node;
    words[this.length++] = atUs - this.sliceStartUs;
    words[this.length++] = slot;
    words[this.length++] = atUs - finishUs;
  }
}

/** Bounds that every report must keep. */
export interface ReportBounds {
  readonly nodes: number;
  readonly slots: number;
  readonly sliceUs: number;
  readonly heartbeatUs: number;
}

/** Throws FrameError unless the words are reports within the bounds. */
export function checkReports(words: Int32Array, length: number, bounds: ReportBounds): void {
  if (length % REPORT_WORDS !== 0) throw new FrameError(`found ${length} words of reports, not a multiple of 4`);
  for (let i = 0; i < length; i += REPORT_WORDS) {
    if (!within(words[i], bounds.nodes)) throw new FrameError(`found a report of node ${words[i]}`);
    if (!within(words[i + 1], bounds.sliceUs))
      throw new FrameError(`found a heartbeat ${words[i + 1]} us into a slice`);
    if (!within(words[i + 2], bounds.slots)) throw new FrameError(`found a report of slot ${words[i + 2]}`);
    if (!within(words[i + 3], bounds.heartbeatUs)) throw new FrameError(`found a finish ${words[i + 3]} us ago`);
  }
}

function within(value: number, bound: number): boolean {
  return value >= 0 && value < bound;
}
