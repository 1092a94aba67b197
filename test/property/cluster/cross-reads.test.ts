import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildTopology, type Topology } from "../../../dist/core/cluster/index.js";
import { DEFAULT_NODE } from "../../../dist/io/index.js";
import { LinkedRacks, type Transfer } from "../../support/linked-racks.js";
const SECOND = 1_000_000;
const SETTLE_US = SECOND / 4;
const MB = 1e6;
const ENDLESS = 1e15;

/** Few distinct numbers, so that shares tie; others that do not. */
const bandwidth = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(10 * MB, 20 * MB, 50 * MB, 100 * MB) },
  { weight: 2, arbitrary: fc.double({ min: MB, max: 200 * MB, noNaN: true }) },
);
const link = fc.oneof({ weight: 4, arbitrary: bandwidth }, { weight: 1, arbitrary: fc.constant(Infinity) });

const racks = fc.array(
  fc.record({
    row: fc.constantFrom("a", "b", "c"),
    uplink: link,
    nodes: fc.array(fc.record({ disk: bandwidth, link }), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 2, maxLength: 6 },
);

function topologyOf(of: typeof racks extends fc.Arbitrary<infer T> ? T : never, hasRows: boolean): Topology {
  return buildTopology({
    racks: of.map(({ row, uplink, nodes }, rack) => ({
      name: `r${rack}`,
      row: hasRows ? row : "",
      uplinkBytesPerSecond: uplink,
      nodes: nodes.map(({ disk, link: linkBytesPerSecond }) => ({
        ...DEFAULT_NODE,
        count: 1,
        mapSlots: 1,
        reduceSlots: 0,
        speed: 1,
        diskBytesPerSecond: disk,
        linkBytesPerSecond,
      })),
    })),
    heartbeat: { rule: "fixed", intervalUs: SECOND },
  });
}

/** Who reads from whom, by numbers that are taken modulo the nodes; and whether it ends when others begin. */
const wishes = (maxLength: number): fc.Arbitrary<{ reader: number; source: number; ends: boolean }[]> =>
  fc.array(fc.record({ reader: fc.nat(99), source: fc.nat(99), ends: fc.boolean() }), { maxLength });

/** How many different rates there are. */
function levelsOf(rates: ReadonlyMap<number, number>): number {
  const sorted = [...rates.values()].sort((a, b) => a - b);
  return sorted.filter((rate, i) => i === 0 || rate > sorted[i - 1]! * (1 + 1e-9)).length;
}

const clusters = fc.record({
  racks,
  rowUplink: fc.option(link, { nil: Infinity }),
  first: wishes(20),
  later: wishes(5),
  settlesPerExchange: fc.constantFrom(1, 1, 3),
});

type Cluster = typeof clusters extends fc.Arbitrary<infer T> ? T : never;

/** The first reads of a cluster, from the instant on from which offers are made. */
class Reads {
  readonly linked: LinkedRacks;
  readonly exchangeUs: number;
  private readonly nodes: number;

  constructor({ racks: of, rowUplink, first, later, settlesPerExchange }: Cluster) {
    const topology = topologyOf(of, rowUplink < Infinity);
    this.nodes = topology.nodes;
    this.exchangeUs = settlesPerExchange * SETTLE_US;
    this.linked = new LinkedRacks({
      topology,
      rowUplink,
      transfers: first.length + later.length,
      settleUs: SETTLE_US,
      lookaheadUs: this.exchangeUs,
      taskStartUs: 2 * this.exchangeUs,
    });
    this.start(first, 0, this.exchangeUs);
  }

  /** Starts reads with numbers from `number` on, all of which make their first offers at `fromUs`. */
  start(wanted: Cluster["first"], number: number, fromUs: number): void {
    wanted.forEach(({ reader, source }, i) => {
      const transfer: Transfer = { reader: reader % this.nodes, source: source % this.nodes };
      this.linked.start(number + i, transfer, fromUs - this.exchangeUs, ENDLESS);
    });
  }

  /** How far the worst rate is from its fair one after so many exchanges. */
  errorAfter(exchanges: number, fromUs: number, fair: ReadonlyMap<number, number>): number {
    this.linked.runUntil(fromUs + exchanges * this.exchangeUs + 1);
    const rates = this.linked.rates();
    return Math.max(0, ...[...fair].map(([transfer, rate]) => Math.abs(rates.get(transfer)! - rate) / rate));
  }
}

describe("reads between racks", () => {
  it("have the max-min rates of the whole cluster within two exchanges a level, one less from the start, and never overload anything", () => {
    fc.assert(
      fc.property(clusters, (of) => {
        const reads = new Reads(of);
        const { linked, exchangeUs } = reads;
        const settleWithin = (fromUs: number, exchangesOf: (levels: number) => number): number => {
          const fair = linked.fairRates();
          const bound = exchangesOf(levelsOf(fair));
          for (let exchanges = 1; exchanges <= bound + 2; exchanges++) {
            const error = reads.errorAfter(exchanges, fromUs, fair);
            expect(linked.overload()).toBeLessThanOrEqual(1e-9);
            if (exchanges >= bound) expect(error).toBeLessThanOrEqual(1e-5);
          }
          // All has been said.
          const { letters } = linked;
          const untilUs = fromUs + (bound + 40) * exchangeUs;
          linked.runUntil(untilUs);
          expect(linked.letters).toBe(letters);
          return untilUs;
        };
        const thenUs = settleWithin(exchangeUs, (levels) => 2 * levels - 1);
        of.first.forEach(({ ends }, i) => ends && linked.stop(i, thenUs));
        reads.start(of.later, of.first.length, thenUs);
        settleWithin(thenUs, (levels) => 2 * levels);
      }),
      { numRuns: 150 },
    );
  });

  it("are within 2 % of that after three exchanges: always with one or two levels, and nearly always with more", () => {
    const within = { few: 0, ofFew: 0, many: 0, ofMany: 0 };
    for (const of of fc.sample(clusters, { numRuns: 1000, seed: 1 })) {
      const reads = new Reads(of);
      const fair = reads.linked.fairRates();
      const isWithin = reads.errorAfter(3, reads.exchangeUs, fair) <= 0.02 ? 1 : 0;
      const few = levelsOf(fair) <= 2;
      within[few ? "few" : "many"] += isWithin;
      within[few ? "ofFew" : "ofMany"]++;
    }
    expect(within.ofFew).toBeGreaterThan(100);
    expect(within.few).toBe(within.ofFew);
    expect(within.many / within.ofMany).toBeGreaterThan(0.95);
  });
});
