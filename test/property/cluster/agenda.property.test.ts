import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Agenda, COPY_REPORT, FAULT, FLOW, SETTLE } from "../../../dist/core/platforms/hadoop/index.js";
import type { EventSet } from "../../../dist/core/kernel/index.js";

const EVENTS = 6;

/** Few distinct times, so that events of several kinds fall into one instant. */
const steps = fc.array(
  fc.record({
    what: fc.constantFrom("move", "move", "move", "pop", "run", "run"),
    kind: fc.integer({ min: FLOW, max: COPY_REPORT }),
    event: fc.nat(EVENTS - 1),
    atUs: fc.oneof({ weight: 6, arbitrary: fc.nat(9) }, { weight: 1, arbitrary: fc.constant(Infinity) }),
  }),
  { maxLength: 120 },
);

describe("an agenda", () => {
  it("always names the first of all events, of one instant that of the lowest kind, as asking every calendar does", () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (history, asksOften) => {
        const agenda = new Agenda();
        const calendars: (EventSet | null)[] = [];
        /** By kind: when its events come. Faults and settle instants have no calendar, and one time. */
        const pending: Map<number, number>[] = [];
        for (let kind = FLOW; kind <= COPY_REPORT; kind++) {
          calendars[kind] = kind === FAULT || kind === SETTLE ? null : agenda.calendar(kind, 2);
          pending[kind] = new Map();
        }
        const move = (kind: number, event: number, atUs: number): void => {
          const calendar = calendars[kind] ?? null;
          if (calendar === null) agenda.set(kind, atUs);
          else calendar.move(event, atUs, 0);
          pending[kind]!.set(calendar === null ? 0 : event, atUs);
        };
        const pop = (kind: number): void => {
          const calendar = calendars[kind] ?? null;
          if (calendar === null) return move(kind, 0, Infinity);
          if (calendar.size > 0) pending[kind]!.set(calendar.pop(), Infinity);
        };
        const check = (): void => {
          const firstUs = pending.map((events) => Math.min(Infinity, ...events.values()));
          const soonestUs = Math.min(...firstUs);
          expect(agenda.soonestUs()).toBe(soonestUs);
          if (soonestUs < Infinity) expect(agenda.kind).toBe(firstUs.indexOf(soonestUs));
          firstUs.forEach((us, kind) => expect(agenda.dueUs(kind)).toBe(us));
        };
        for (const { what, kind, event, atUs } of history) {
          if (what === "move") move(kind, event, atUs);
          else if (what === "pop") pop(kind);
          else if (agenda.soonestUs() < Infinity) pop(agenda.kind);
          if (asksOften) check();
        }
        check();
        while (agenda.soonestUs() < Infinity) {
          pop(agenda.kind);
          check();
        }
      }),
      { numRuns: 300 },
    );
  });
});
