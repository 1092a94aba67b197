import { mayLoseHeartbeats, type Topology } from "../core/cluster/index.js";
import {
  AT_GATE,
  HAS_COPIED,
  HAS_NOT_COPIED,
  HAS_PROGRESSED,
  HAS_RETURNED,
  type Heartbeats,
  IS_LOADED,
  isLetter,
  longestGapUs,
  lookaheadUs,
  MAP,
  type Master,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../core/platforms/hadoop/index.js";
import type { Scenario } from "../core/scenario/index.js";
import {
  checkReports,
  FrameError,
  PREDICTED_US,
  REPORT_AT_US,
  REPORT_KIND,
  REPORT_NODE,
  REPORT_PLACE,
  REPORT_WORDS,
  type WordWriter,
} from "../messages/index.js";

interface ReportCheckParts {
  readonly scenario: Scenario;
  readonly topology: Topology;
  readonly master: Master;
  readonly heartbeats: Heartbeats;
  /** Which host runs each rack. */
  readonly hostOfRack: Int32Array;
  /** Reports are told ahead of time. */
  readonly arePredicted: boolean;
}

/** Holds the reports of a frame against what may be, and against what the master knows. */
export class ReportCheck {
  /** Reports may come off the regular heartbeats of their nodes. */
  private readonly hearsOutOfBand: boolean;
  /** What has been ordered to be killed may yet be reported as ended by itself. */
  private readonly mayBeLate: boolean;
  /**
   * Most time between an end and its report: two heartbeats are no further apart, unless one was cut off; and where
   * orders are held back for a lookahead, what they end may miss a heartbeat.
   */
  private readonly longestReportDelayUs: number;

  constructor(private readonly parts: ReportCheckParts) {
    const { cluster, faults, runtime } = parts.scenario;
    const { topology, arePredicted } = parts;
    this.hearsOutOfBand = cluster.outOfBandDelayUs > 0;
    this.mayBeLate = this.hearsOutOfBand || arePredicted;
    const heldUs = this.hearsOutOfBand ? lookaheadUs(cluster, runtime, topology) : 0;
    this.longestReportDelayUs = mayLoseHeartbeats(faults) ? Infinity : longestGapUs(topology, cluster) + heldUs;
  }

  /**
   * Throws FrameError unless each report that a host makes of a slice is within its bounds and fits host, heartbeat and
   * attempt.
   */
  reports(
    { words, length }: Pick<WordWriter, "words" | "length">,
    host: number,
    startUs: number,
    sliceUs: number,
  ): void {
    const { topology, arePredicted } = this.parts;
    checkReports(words, length, {
      nodes: topology.nodes,
      slots: topology.rackSlotStart[topology.racks],
      sliceUs: arePredicted ? Math.max(sliceUs, PREDICTED_US) : sliceUs,
      longestReportDelayUs: this.longestReportDelayUs,
    });
    for (let i = 0; i < length; i += REPORT_WORDS) {
      const node = words[i + REPORT_NODE];
      const place = words[i + REPORT_PLACE];
      const kind = words[i + REPORT_KIND];
      if (isLetter(kind)) continue;
      this.checkHeartbeat(node, startUs + words[i + REPORT_AT_US], host);
      if (kind !== IS_LOADED && !this.isNewsOfNode(node, place, kind)) this.checkAttempt(node, place, kind);
    }
  }

  private checkHeartbeat(node: number, atUs: number, host: number): void {
    const { heartbeats, topology, hostOfRack } = this.parts;
    if (hostOfRack[topology.rackOf[node]] !== host)
      throw new FrameError(`found node ${node} in a frame of host ${host}`);
    const offHeartbeatUs = this.hearsOutOfBand ? 0 : heartbeats.sinceHeartbeatUs(node, atUs);
    if (offHeartbeatUs !== 0)
      throw new FrameError(`found a heartbeat of node ${node} ${offHeartbeatUs} us off its beat`);
  }

  private checkAttempt(node: number, place: number, kind: number): void {
    const { losses, reports } = this.parts.master;
    if (!reports.runsOn(node, place)) {
      throw new FrameError(`found a report of slot ${place}, which no attempt holds on node ${node}`);
    }
    if (kind === HAS_PROGRESSED || this.isAtGate(node, place, kind)) return;
    const wasKilled = reports.wasKilled(place);
    // An attempt may have ended by the time the order takes effect, or have been predicted to end before the order was
    // given.
    if ((kind === WAS_KILLED) !== wasKilled && !(wasKilled && this.mayBeLate)) {
      throw new FrameError(`found outcome ${kind} of slot ${place}, which does not fit its orders`);
    }
    const isZombie = losses?.isZombie(place) === true;
    if (kind === WANTS_COMMIT && !isZombie && !reports.mayAskToCommit(node, place)) {
      throw new FrameError(`found outcome ${kind} of slot ${place}, which has nothing to commit`);
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
