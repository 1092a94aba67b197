import type { Beats } from "../beats.js";
import { EventSet } from "../../kernel/event-set.js";

/**
 * On which heartbeat each ended attempt of a rack will be reported: the first regular one of its node, or the out-of-band
 * one that its own end causes. A heartbeat reports everything that has ended by then.
 */
export class ReportCalendar {
  /** No heartbeat before this can tell anything new. */
  floorUs = 0;
  private readonly due: EventSet;

  constructor(
    places: number,
    private readonly beats: Beats,
    private readonly outOfBandDelayUs: number,
  ) {
    this.due = new EventSet(places);
  }

  nextUs(): number {
    return this.due.peekAtUs();
  }

  /** An attempt that ended at `endUs`, to be reported on a heartbeat at `noSoonerUs` or later. */
  add(place: number, node: number, endUs: number, noSoonerUs: number): void {
    const fromUs = Math.max(noSoonerUs, this.floorUs);
    const regularUs = this.beats.firstAtOrAfter(node, fromUs);
    const delayUs = this.outOfBandDelayUs;
    this.due.add(place, delayUs > 0 ? Math.min(regularUs, Math.max(fromUs, endUs + delayUs)) : regularUs, endUs);
  }

  /** Moves a report to another heartbeat. */
  move(place: number, atUs: number, endUs: number): void {
    this.due.remove(place);
    this.due.add(place, atUs, endUs);
  }

  /** The place that is reported next. */
  take(): number {
    return this.due.pop();
  }

  remove(place: number): void {
    this.due.remove(place);
  }
}
