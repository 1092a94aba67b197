import type { ReportSink } from "../commands.js";
import { HAS_FAILED, SOURCE_LOST, SUCCEEDED, WANTS_COMMIT, WAS_KILLED } from "../outcomes.js";
import { ENDED, FREE, type AttemptTable } from "./attempt-table.js";
import type { AttemptRuns } from "./attempt-runs.js";
import type { BeatNews } from "./beat-news.js";
import type { ReportCalendar } from "./report-calendar.js";

export interface EndReportsParts {
  readonly table: AttemptTable;
  readonly runs: AttemptRuns;
  readonly calendar: ReportCalendar;
  readonly news: BeatNews;
  readonly hasOutOfBand: boolean;
  readonly lookaheadUs: number;
  readonly isSilent: (node: number) => boolean;
  readonly placesOf: (node: number) => readonly [number, number];
  readonly placeInCluster: (place: number) => number;
}

/** Tells the ends of attempts, in order of heartbeat, then end, then place. */
export class EndReports {
  /** Reports whose heartbeat did not come because the rack was cut off. */
  private readonly withheld: number[] = [];
  private lastNode = -1;
  private lastBeatUs = -1;

  constructor(private readonly parts: EndReportsParts) {}

  nextUs(): number {
    return this.parts.calendar.nextUs();
  }

  tell(sink: ReportSink): void {
    const { calendar, runs, table, isSilent, hasOutOfBand } = this.parts;
    const atUs = calendar.nextUs();
    const place = calendar.take();
    const node = runs.nodeOf(place);
    if (isSilent(node)) {
      this.withheld.push(place);
      return;
    }
    if (hasOutOfBand && (node !== this.lastNode || atUs !== this.lastBeatUs)) {
      this.lastNode = node;
      this.lastBeatUs = atUs;
      calendar.move(place, atUs, table.endUs[place]);
      return this.gather(node, atUs);
    }
    this.report(place, node, atUs, sink);
  }

  /** The attempt's report will not come: its node has crashed. */
  forget(place: number): void {
    const at = this.withheld.indexOf(place);
    if (at >= 0) this.withheld.splice(at, 1);
  }

  /** The rack is heard again: what it could not tell goes with the next heartbeats. */
  resume(atUs: number): void {
    const { calendar, runs, table } = this.parts;
    for (const place of this.withheld.splice(0)) calendar.add(place, runs.nodeOf(place), table.endUs[place], atUs);
  }

  /** Whatever has ended on the node by now is told on this heartbeat, though it had one of its own to come. */
  private gather(node: number, atUs: number): void {
    const { calendar, table, placesOf } = this.parts;
    const [first, last] = placesOf(node);
    for (let slot = first; slot < last; slot++) {
      for (const place of [slot, slot + table.slots]) {
        const isDue = table.stage[place] === ENDED && table.endUs[place] <= atUs && !this.isDying(place, atUs);
        if (isDue) calendar.move(place, atUs, table.endUs[place]);
      }
    }
  }

  /** It has been killed, and its process is not dead yet. */
  private isDying(place: number, atUs: number): boolean {
    const { table, lookaheadUs } = this.parts;
    return table.outcome[place] === WAS_KILLED && table.endUs[place] + lookaheadUs > atUs;
  }

  private report(place: number, node: number, atUs: number, sink: ReportSink): void {
    const { table, news, placeInCluster } = this.parts;
    const endUs = table.endUs[place];
    const known = placeInCluster(place);
    news.forget(place);
    switch (table.outcome[place]) {
      case SUCCEEDED:
        sink.finished(node, atUs, known, endUs);
        break;
      case WAS_KILLED:
        sink.killed(node, atUs, known, endUs);
        break;
      case HAS_FAILED:
        sink.failed(node, atUs, known, endUs);
        break;
      case SOURCE_LOST:
        sink.sourceLost(node, atUs, known, endUs);
        break;
      case WANTS_COMMIT:
        sink.commitPending(node, atUs, known, endUs);
        table.stepAside(place, atUs);
        return;
    }
    table.stage[place] = FREE;
  }
}
