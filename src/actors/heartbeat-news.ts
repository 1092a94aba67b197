import {
  AT_GATE,
  type DueEnds,
  HAS_COPIED,
  HAS_FAILED,
  HAS_NOT_COPIED,
  HAS_PROGRESSED,
  HAS_RETURNED,
  IS_LOADED,
  type Master,
  SOURCE_LOST,
  SUCCEEDED,
  WANTS_COMMIT,
  WAS_KILLED,
} from "../core/platforms/hadoop/index.js";
import { REPORT_KIND, REPORT_PLACE, REPORT_VALUE } from "../messages/index.js";
import type { SliceReports } from "./slice-reports.js";

/** The heartbeats with news of a slice, in order of time, then node. */
export interface News {
  /** Time of the next one before the end of the slice, `endUs`, Infinity for none; and its node, if there is one. */
  nextUs(endUs: number): number;
  nextNode(): number;
  /** Hands all that it reports to the master, whose heartbeat of that node has begun. */
  deliver(node: number, atUs: number): void;
}

/**
 * Returns the news for the master from all sources.
 * @param dueEnds of racks on this thread that are polled for their ends as they fall due; undefined: there are none.
 * @param hosts of other racks.
 */
export function newsOf(reports: SliceReports, dueEnds: DueEnds | undefined, hosts: number, master: Master): News {
  const reported = new ReportedNews(reports, master);
  if (dueEnds === undefined) return reported;
  const due = new DueNews(dueEnds, master);
  return hosts === 0 ? due : new MergedNews(due, reported);
}

/** As reports tell them. */
class ReportedNews implements News {
  constructor(
    private readonly reports: SliceReports,
    private readonly master: Master,
  ) {}

  nextUs(): number {
    return this.reports.nextUs();
  }

  nextNode(): number {
    return this.reports.nextNode();
  }

  deliver(node: number, atUs: number): void {
    const { reports, master } = this;
    do {
      const i = reports.take();
      deliverReport(master, node, atUs, reports.words, i);
    } while (reports.nextUs() === atUs && reports.nextNode() === node);
  }
}

/** As racks on this thread have them due. */
class DueNews implements News {
  constructor(
    private readonly due: DueEnds,
    private readonly master: Master,
  ) {}

  nextUs(endUs: number): number {
    return this.due.nextUs(endUs);
  }

  nextNode(): number {
    return this.due.nextNode();
  }

  deliver(node: number): void {
    this.due.deliver(node, this.master.reports);
  }
}

/** The news of racks on this thread and of others. */
class MergedNews implements News {
  private isDue = false;

  constructor(
    private readonly due: DueNews,
    private readonly reported: ReportedNews,
  ) {}

  nextUs(endUs: number): number {
    const dueUs = this.due.nextUs(endUs);
    const reportedUs = this.reported.nextUs();
    const isTie = dueUs === reportedUs && dueUs < Infinity;
    this.isDue = isTie ? this.due.nextNode() < this.reported.nextNode() : dueUs < reportedUs;
    return this.isDue ? dueUs : reportedUs;
  }

  nextNode(): number {
    return (this.isDue ? this.due : this.reported).nextNode();
  }

  deliver(node: number, atUs: number): void {
    if (this.isDue) this.due.deliver(node);
    else this.reported.deliver(node, atUs);
  }
}

/** Hands the report at `i` to the master, whose heartbeat of that node it is. */
function deliverReport(master: Master, node: number, atUs: number, words: Int32Array, i: number): void {
  const place = words[i + REPORT_PLACE];
  const value = words[i + REPORT_VALUE];
  const kind = words[i + REPORT_KIND];
  const { losses } = master;
  if (losses !== null && kind <= WANTS_COMMIT && losses.zombieEnded(node, place, kind === WANTS_COMMIT)) return;
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
      return losses?.restarted(node, atUs);
    case HAS_COPIED:
      return master.traffic?.copies.copied(node, place);
    case HAS_NOT_COPIED:
      return master.traffic?.copies.notCopied(node, place);
  }
}
