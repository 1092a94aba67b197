import type { Beats } from "../core/cluster/beats.js";
import type { Topology } from "../core/cluster/topology.js";
import { MAP } from "../core/jobs/job-table.js";
import type { Master } from "../core/master/master.js";
import { FrameError, type WordWriter } from "../messages/frame.js";
import {
  AT_GATE,
  HAS_COPIED,
  HAS_NOT_COPIED,
  HAS_PROGRESSED,
  HAS_RETURNED,
  IS_LOADED,
  OFFERS,
  REPORT_WORDS,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../messages/report-words.js";

export interface ReportCheckParts {
  readonly master: Master;
  readonly topology: Topology;
  readonly beats: Beats;
  readonly hostOfRack: Int32Array;
  /** Reports may come off the regular beats of their nodes. */
  readonly hearsOutOfBand: boolean;
  /** What has been ordered to be killed may yet be reported as ended by itself. */
  readonly mayBeLate: boolean;
}

/** Holds the reports of a frame, each within its bounds, against what the master knows. */
export class ReportCheck {
  constructor(private readonly parts: ReportCheckParts) {}

  /** Throws FrameError unless each of the reports of a host belongs to it, heartbeat and attempt. */
  reports({ words, length }: Pick<WordWriter, "words" | "length">, host: number, sliceStartUs: number): void {
    const { master, beats, topology, hostOfRack, hearsOutOfBand, mayBeLate } = this.parts;
    for (let i = 0; i < length; i += REPORT_WORDS) {
      const node = words[i];
      if (words[i + 4] === OFFERS) continue;
      if (hostOfRack[topology.rackOf[node]] !== host)
        throw new FrameError(`found node ${node} in a frame of host ${host}`);
      const offBeatUs = hearsOutOfBand ? 0 : beats.sinceBeatUs(node, sliceStartUs + words[i + 1]);
      if (offBeatUs !== 0) throw new FrameError(`found a heartbeat of node ${node} ${offBeatUs} us off its beat`);
      if (words[i + 4] === IS_LOADED) continue;
      if (this.isNewsOfNode(node, words[i + 2], words[i + 4])) continue;
      if (!master.reports.isAt(node, words[i + 2])) {
        throw new FrameError(`found a report of slot ${words[i + 2]}, which no attempt holds on node ${node}`);
      }
      if (words[i + 4] === HAS_PROGRESSED || this.isAtGate(node, words[i + 2], words[i + 4])) continue;
      const wasKilled = master.reports.wasKilled(words[i + 2]);
      // An attempt may have ended by the time the order takes effect, or have been foretold to end before the order was given.
      if ((words[i + 4] === WAS_KILLED) !== wasKilled && !(wasKilled && mayBeLate)) {
        throw new FrameError(`found outcome ${words[i + 4]} of slot ${words[i + 2]}, which does not fit its orders`);
      }
      const isForsaken = master.losses?.isForsaken(words[i + 2]) === true;
      if (words[i + 4] === WANTS_COMMIT && !isForsaken && !master.reports.mayAskToCommit(node, words[i + 2])) {
        throw new FrameError(`found outcome ${words[i + 4]} of slot ${words[i + 2]}, which has nothing to commit`);
      }
    }
  }

  /** The report is about no attempt, but a return or a copy: one that may be. */
  private isNewsOfNode(node: number, place: number, kind: number): boolean {
    const { losses, traffic } = this.parts.master;
    if (kind !== HAS_RETURNED && kind !== HAS_COPIED && kind !== HAS_NOT_COPIED) return false;
    if (kind === HAS_RETURNED) {
      if (losses === null) throw new FrameError("found a report of a return where no node can be lost");
      return true;
    }
    if (traffic === null) throw new FrameError(`found a report of kind ${kind} where no block is copied`);
    if (!traffic.copies.isReceiving(node, place)) {
      throw new FrameError(`found an end of copy ${place} on node ${node}, which was not told to make it`);
    }
    return true;
  }

  /** The report is of a reduce at a gate, where there are gates. */
  private isAtGate(node: number, slot: number, kind: number): boolean {
    if (kind !== AT_GATE) return false;
    const { copying, slots } = this.parts.master;
    if (copying === null || slots.typeOf(node, slot) === MAP) {
      throw new FrameError(`found a report of slot ${slot} at a gate, of which there is none`);
    }
    return true;
  }
}
