import { EventSet } from "../../../../kernel/index.js";

/** Kinds of events of a rack. Those of one instant happen in this order. */
export const FLOW = 0;
export const FAULT = 1;
export const COMMAND = 2;
export const LATE_COMMAND = 3;
export const SETTLE = 4;
export const TIMER = 5;
export const COPY = 6;
export const END_REPORT = 7;
export const RETURN = 8;
export const PROGRESS = 9;
export const GATE = 10;
export const LOAD = 11;
export const COPY_REPORT = 12;
export const SERVE = 13;
const KINDS = 14;
/** Place of a time, after those of the kinds: no event of a rare kind comes before it. */
const RARE = KINDS;
/** Place that no search reads. */
const NOWHERE = KINDS + 1;

/** Times of the next event of each kind, side by side: the calendars of a rack keep their first times here. */
export class Agenda {
  /** The kind of the event that `soonestUs` found. */
  kind = FLOW;
  private readonly nextUs = new Float64Array(KINDS + 2).fill(Infinity).fill(-Infinity, NOWHERE);

  /** The calendar of the events of that kind. */
  calendar(kind: number, capacity: number): EventSet {
    return new EventSet(capacity, this.nextUs, kind, isRare(kind) ? RARE : NOWHERE);
  }

  /** Sets the time of the next event of a kind without a calendar. */
  set(kind: number, us: number): void {
    this.nextUs[kind] = us;
    if (us < this.nextUs[RARE]) this.nextUs[RARE] = us;
  }

  dueUs(kind: number): number {
    return this.nextUs[kind];
  }

  /** Finds the next event. Returns its time, and leaves its kind in `kind`. */
  soonestUs(): number {
    const { nextUs } = this;
    let kind = FLOW;
    let soonestUs = nextUs[FLOW];
    if (nextUs[COMMAND] < soonestUs) soonestUs = nextUs[(kind = COMMAND)];
    if (nextUs[TIMER] < soonestUs) soonestUs = nextUs[(kind = TIMER)];
    if (nextUs[END_REPORT] < soonestUs) soonestUs = nextUs[(kind = END_REPORT)];
    this.kind = kind;
    return nextUs[RARE] <= soonestUs ? this.soonestOfAllUs() : soonestUs;
  }

  private soonestOfAllUs(): number {
    const { nextUs } = this;
    let soonestUs = Infinity;
    let rareUs = Infinity;
    for (let kind = 0; kind < KINDS; kind++) {
      const us = nextUs[kind];
      if (isRare(kind) && us < rareUs) rareUs = us;
      if (us >= soonestUs) continue;
      soonestUs = us;
      this.kind = kind;
    }
    nextUs[RARE] = rareUs;
    return soonestUs;
  }
}

function isRare(kind: number): boolean {
  return kind !== FLOW && kind !== COMMAND && kind !== TIMER && kind !== END_REPORT;
}

/** Effects that are still to come, in the order (time, arrival); they arrive in the one order of the run. */
export class DelayedEffects {
  private readonly due: EventSet;
  private readonly effects: ((atUs: number) => void)[] = [];
  private readonly free: number[] = [];
  private arrivals = 0;

  /** @param kind of the events in the agenda. */
  constructor(agenda: Agenda, kind: number) {
    this.due = agenda.calendar(kind, 16);
  }

  add(atUs: number, effect: (atUs: number) => void): void {
    const cell = this.free.pop() ?? this.effects.length;
    this.effects[cell] = effect;
    this.due.add(cell, atUs, this.arrivals++);
  }

  /** Runs the next event. */
  run(): void {
    const atUs = this.due.peekAtUs();
    const cell = this.due.pop();
    this.free.push(cell);
    this.effects[cell](atUs);
  }
}
