import type { Master } from "../core/master/master.js";
import { FrameError } from "../messages/frame.js";
import {
  AT_GATE,
  HAS_COPIED,
  HAS_FAILED,
  HAS_NOT_COPIED,
  HAS_PROGRESSED,
  HAS_RETURNED,
  IS_LOADED,
  SOURCE_LOST,
  SUCCEEDED,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../messages/report-words.js";

/** Hands the report at `i` to the master, whose heartbeat of that node it is. */
export function deliverReport(master: Master, node: number, atUs: number, words: Int32Array, i: number): void {
  const place = words[i + 2];
  const value = words[i + 3];
  const kind = words[i + 4];
  const { losses } = master;
  if (losses !== null && kind <= WANTS_COMMIT && losses.dropped(node, place, kind === WANTS_COMMIT)) return;
  switch (kind) {
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
    case HAS_PROGRESSED:
      return master.speculation?.progressed(place, value);
    case IS_LOADED:
      return master.slots.loaded(node, value);
    case AT_GATE:
      return master.copying?.atGate(place, value === 1, atUs);
    case HAS_RETURNED:
      return losses?.returned(node, atUs);
    case HAS_COPIED:
      return master.traffic?.copies.copied(node, place);
    case HAS_NOT_COPIED:
      return master.traffic?.copies.notCopied(node, place);
    default:
      throw new FrameError(`found a report of kind ${kind}, which nobody expects`);
  }
}
