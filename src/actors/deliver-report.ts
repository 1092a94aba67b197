import type { Master } from "../core/master/master.js";
import { FrameError } from "../messages/frame.js";
import { HAS_FAILED, IS_LOADED, SOURCE_LOST, SUCCEEDED, WANTS_COMMIT, WAS_KILLED } from "../messages/report-words.js";

/** Hands the report at `i` to the master, whose heartbeat of that node it is. */
export function deliverReport(master: Master, node: number, atUs: number, words: Int32Array, i: number): void {
  const place = words[i + 2];
  const value = words[i + 3];
  switch (words[i + 4]) {
    case SUCCEEDED:
      return master.reports.finished(node, place, atUs - value);
    case WAS_KILLED:
      return master.reports.killed(node, place, atUs - value);
    case HAS_FAILED:
      return master.reports.failed(node, place, atUs - value);
    case SOURCE_LOST:
      return master.reports.sourceLost(node, place, atUs - value);
    case WANTS_COMMIT:
      return master.reports.commitPending(node, place);
    case IS_LOADED:
      return master.slots.loaded(node, value);
    default:
      throw new FrameError(`found a report of kind ${words[i + 4]}, which nobody expects`);
  }
}
