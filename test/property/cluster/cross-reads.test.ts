import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Agenda, SETTLE } from "../../../dist/core/cluster/detailed/agenda.js";
import { CrossReads } from "../../../dist/core/cluster/detailed/cross-reads.js";
import { RackIo } from "../../../dist/core/cluster/detailed/rack-io.js";
import type { Topology } from "../../../dist/core/cluster/topology.js";
import { DetailedRacks, MIB, SECOND } from "../../support/detailed-racks.js";

const LOOKAHEAD_US = SECOND;
const SETTLE_US = SECOND / 4;

/** The I/O of one rack with the ends of its reads; proposals are handed over by the test. */
class Side {
  readonly agenda = new Agenda();
  readonly io: RackIo;
  readonly cross: CrossReads;
  readonly proposals: { peer: number; atUs: number; place: number; kib: number }[] = [];

  constructor(topology: Topology, rack: number) {
    this.io = new RackIo(topology, rack, topology.rackSlotStart[1]!, Infinity, this.agenda);
    this.cross = new CrossReads({
      ...{ io: this.io, agenda: this.agenda, settleUs: SETTLE_US, lookaheadUs: LOOKAHEAD_US, taskStartUs: 2 * SECOND },
      isCut: () => false,
      brokenOff: () => undefined,
      tell: (peer, atUs, place, kib) => this.proposals.push({ peer, atUs, place, kib }),
    });
  }

  /** Everything before `untilUs`, in time order; what ended when. */
  runUntil(untilUs: number, ended: (handle: number, atUs: number) => void): void {
    for (;;) {
      const [flowUs, tickUs] = [this.io.flows.nextDoneUs(), this.agenda.at(SETTLE)];
      if (Math.min(flowUs, tickUs) >= untilUs) return;
      if (flowUs <= tickUs) {
        const handle = this.io.flows.popDone();
        this.cross.done(handle);
        ended(handle, flowUs);
      } else this.cross.settle();
    }
  }
}

describe("reads between racks", () => {
  it("never end at another time where they leave than where they arrive", () => {
    const read = fc.record({
      orderedUs: fc.integer({ min: 0, max: 40 }).map((k) => k * SETTLE_US + 1000 * k),
      reader: fc.nat(1),
      source: fc.nat(1),
      bytes: fc.integer({ min: 1, max: 200 * MIB }),
      local: fc.integer({ min: 0, max: 300 * MIB }),
    });
    fc.assert(
      fc.property(
        fc.array(read, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(Infinity, 70, 9),
        (reads, uplinkMiB) => {
          const { topology } = new DetailedRacks({ racks: 2, uplinkMiB });
          const node = (rack: number, index: number): number => topology.rackNodes[topology.rackStart[rack]! + index]!;
          const [near, far] = [new Side(topology, 0), new Side(topology, 1)];
          const ends: [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
          for (let quarter = 0; quarter < 4000; quarter++) {
            const fromUs = quarter * SETTLE_US;
            reads.forEach(({ orderedUs, reader, source, bytes, local }, i) => {
              if (orderedUs + LOOKAHEAD_US < fromUs || orderedUs + LOOKAHEAD_US >= fromUs + SETTLE_US) return;
              for (const side of [near, far]) side.runUntil(orderedUs + LOOKAHEAD_US, noteIn(side === near ? 0 : 1));
              near.cross.open(node(0, reader), node(1, source), i, bytes, orderedUs, 2 * i);
              far.cross.open(node(1, source), node(0, reader), i, bytes, orderedUs, -1);
              if (local > 0) far.io.read(2 * i, orderedUs + LOOKAHEAD_US, node(1, source), node(1, source), local);
            });
            near.runUntil(fromUs + SETTLE_US, noteIn(0));
            far.runUntil(fromUs + SETTLE_US, noteIn(1));
            for (const [from, to] of [
              [near, far],
              [far, near],
            ] as const) {
              while (from.proposals.length > 0 && from.proposals[0]!.atUs + LOOKAHEAD_US <= fromUs + SETTLE_US) {
                const { place, kib } = from.proposals.shift()!;
                to.cross.peerProposes(place, kib);
              }
            }
          }
          function noteIn(side: 0 | 1): (handle: number, atUs: number) => void {
            return (handle, atUs) => {
              const isRead = side === 0 || handle >= far.io.firstForeign;
              if (isRead) ends[side].set(ends[side].size, atUs);
            };
          }
          expect(ends[0].size).toBe(reads.length);
          expect([...ends[0].values()]).toEqual([...ends[1].values()]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
