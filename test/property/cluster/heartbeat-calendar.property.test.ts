import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeartbeatCalendar } from "../../../dist/core/platforms/hadoop/index.js";
import { EventSet } from "../../../dist/core/kernel/index.js";

/** Nodes of one to four slots each; more nodes than fit into a word of bits. */
const clusters = fc.record({
  slotsOfNode: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 70 }),
  gapUs: fc.integer({ min: 1, max: 1_000_000 }),
});

/** Rounds ahead: mostly few, but also more than the ring has, and exactly as many. */
const ahead = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
  fc.integer({ min: 0, max: 5000 }),
  fc.constantFrom(1023, 1024, 1025, 2048, 2 ** 31),
);

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constant("add" as const),
        slot: fc.nat(),
        ahead,
        endUs: fc.integer({ min: 1, max: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant("remove" as const), slot: fc.nat() }) },
    {
      weight: 3,
      arbitrary: fc.record({ what: fc.constant("take" as const), rounds: fc.double({ min: 0, max: 3, noNaN: true }) }),
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant("leap" as const) }) },
  ),
  { minLength: 1, maxLength: 120 },
);

/** The calendar beside an event set, which knows neither nodes nor rounds. */
class Pair {
  nowUs = 0;
  private readonly nodeOf: number[];
  private readonly phaseUs: Float64Array;
  private readonly heartbeatUs: number;
  private readonly calendar: HeartbeatCalendar;
  private readonly naive: EventSet;
  private readonly heartbeatAtUs = new Map<number, number>();

  constructor(slotsOfNode: readonly number[], gapUs: number) {
    this.nodeOf = slotsOfNode.flatMap((slots, node) => new Array<number>(slots).fill(node));
    this.phaseUs = Float64Array.from(slotsOfNode, (_, node) => node * gapUs);
    this.heartbeatUs = slotsOfNode.length * gapUs + 7;
    this.calendar = new HeartbeatCalendar(Int32Array.from(this.nodeOf), this.phaseUs, this.heartbeatUs);
    this.naive = new EventSet(this.nodeOf.length);
  }

  /** News of a slot that has none, on the first heartbeat of its node from now on, or so many rounds later. */
  add(any: number, rounds: number, endUs: number): void {
    const slot = any % this.nodeOf.length;
    if (this.heartbeatAtUs.has(slot)) return;
    const phaseUs = this.phaseUs[this.nodeOf[slot]!]!;
    const round = Math.max(0, Math.ceil((this.nowUs - phaseUs) / this.heartbeatUs)) + rounds;
    this.heartbeatAtUs.set(slot, phaseUs + round * this.heartbeatUs);
    this.calendar.setEnd(slot, endUs);
    this.calendar.add(slot, round);
    this.naive.add(slot, this.heartbeatAtUs.get(slot)!, endUs);
  }

  remove(any: number): void {
    const slot = any % this.nodeOf.length;
    this.heartbeatAtUs.delete(slot);
    this.calendar.remove(slot);
    this.naive.remove(slot);
  }

  /** Goes on by so many rounds. */
  take(rounds: number): void {
    this.nowUs += Math.floor(rounds * this.heartbeatUs);
    while (this.calendar.firstUs < this.nowUs) {
      const roundUs = this.calendar.firstRound * this.heartbeatUs;
      const count = this.calendar.takeRound(this.nowUs);
      expect(count).toBeGreaterThan(0);
      for (const slot of this.calendar.takenSlots.subarray(0, count)) {
        expect(roundUs + this.phaseUs[this.nodeOf[slot]!]!).toBe(this.naive.peekAtUs());
        expect(slot).toBe(this.naive.pop());
        this.heartbeatAtUs.delete(slot);
      }
    }
    this.check();
  }

  /** Goes on to the first news that there are, however far ahead. */
  leap(): void {
    if (this.naive.size > 0) this.nowUs = this.naive.peekAtUs();
    this.take(0.5);
  }

  check(): void {
    expect(this.calendar.firstUs).toBe(this.naive.peekAtUs());
  }
}

describe("the calendar of heartbeats with news", () => {
  it("gives what an event set gives, in the same order", () => {
    fc.assert(
      fc.property(clusters, steps, ({ slotsOfNode, gapUs }, history) => {
        const pair = new Pair(slotsOfNode, gapUs);
        for (const step of history) {
          if (step.what === "add") pair.add(step.slot, step.ahead, step.endUs);
          else if (step.what === "remove") pair.remove(step.slot);
          else if (step.what === "take") pair.take(step.rounds);
          else pair.leap();
          pair.check();
        }
        for (let i = 0; i < 300; i++) pair.leap();
        expect(pair.nowUs).toBeLessThan(Infinity);
      }),
      { numRuns: 400 },
    );
  });
});
