import type { ReportSink } from "../core/cluster/commands.js";
import { DOUBLE_ZERO } from "../core/kernel/time.js";
import { FrameError } from "./frame.js";
import { WordWriter } from "./words.js";

/** Words of one report: node, heartbeat time since the slice began, slot, time from the end to the heartbeat, outcome. */
export const REPORT_WORDS = 5;

/** Outcomes. */
export const SUCCEEDED = 0;
export const WAS_KILLED = 1;

/** Collects the reports of one slice as packed words. */
export class ReportWriter extends WordWriter implements ReportSink {
  private sliceStartUs = DOUBLE_ZERO;

  open(sliceStartUs: number): void {
    this.sliceStartUs = sliceStartUs;
    this.length = 0;
  }

  finished(node: number, atUs: number, slot: number, finishUs: number): void {
    this.report(node, atUs, slot, finishUs, SUCCEEDED);
  }

  killed(node: number, atUs: number, slot: number, endUs: number): void {
    this.report(node, atUs, slot, endUs, WAS_KILLED);
  }

  private report(node: number, atUs: number, slot: number, endUs: number, outcome: number): void {
    this.reserve(REPORT_WORDS);
    const { words } = this;
    words[this.length++] = node;
    words[this.length++] = atUs - this.sliceStartUs;
    words[this.length++] = slot;
    words[this.length++] = atUs - endUs;
    words[this.length++] = outcome;
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
  if (length % REPORT_WORDS !== 0) throw new FrameError(`found ${length} words of reports, not a multiple of 5`);
  for (let i = 0; i < length; i += REPORT_WORDS) {
    if (!within(words[i], bounds.nodes)) throw new FrameError(`found a report of node ${words[i]}`);
    if (!within(words[i + 1], bounds.sliceUs))
      throw new FrameError(`found a heartbeat ${words[i + 1]} us into a slice`);
    if (!within(words[i + 2], bounds.slots)) throw new FrameError(`found a report of slot ${words[i + 2]}`);
    const outcome = words[i + 4];
    if (outcome !== SUCCEEDED && outcome !== WAS_KILLED) throw new FrameError(`found outcome ${outcome}`);
    // A killed attempt ended by the reply to the heartbeat before; what finished did so after that.
    if (!within(words[i + 3], bounds.heartbeatUs + outcome))
      throw new FrameError(`found an end ${words[i + 3]} us ago`);
  }
}

function within(value: number, bound: number): boolean {
  return value >= 0 && value < bound;
}
