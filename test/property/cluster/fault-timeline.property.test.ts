import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  CRASH,
  type FaultFilter,
  FaultState,
  FaultTimeline,
  type FaultTransition,
  LOSES_HEARTBEATS,
  SWITCH_LOSS,
  buildTopology,
  type Topology,
} from "../../../dist/core/cluster/index.js";
import type { FaultsSpec } from "../../../dist/core/scenario/index.js";
import { faultAt, faultsOf, rateOf } from "../../support/fault-specs.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const SECOND = 1_000_000;
const RACKS = 3;
const PER_RACK = 2;
const TOPOLOGY = buildTopology(clusterOf({ racks: RACKS, nodesPerRack: PER_RACK }));

const event = fc
  .record({
    kind: fc.constantFrom("crash", "switch", "slow-disk", "slow-node"),
    rack: fc.nat(RACKS - 1),
    node: fc.nat(PER_RACK - 1),
    at: fc.nat(12),
    lasts: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(Infinity)),
    factor: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ kind, rack, node, at, lasts, factor }) =>
    faultAt(kind, rack, kind === "switch" ? 0 : node, at, lasts, factor),
  );
const rate = fc.option(
  fc.record({ every: fc.integer({ min: 1, max: 9 }), lasts: fc.integer({ min: 1, max: 9 }), until: fc.nat(30) }),
  { nil: undefined },
);
const faults: fc.Arbitrary<FaultsSpec> = fc
  .record({ events: fc.array(event, { maxLength: 12 }), crash: rate, slowNode: rate, switchLoss: rate })
  .map(({ events, crash, slowNode, switchLoss }) => {
    const of = (drawn: typeof crash) =>
      drawn === undefined ? {} : { rate: rateOf(drawn.every, drawn.lasts, drawn.until, 2) };
    const { rate: crashes } = of(crash);
    const { rate: slow } = of(slowNode);
    const { rate: losses } = of(switchLoss);
    const rates = {
      ...(crashes && { crash: crashes }),
      ...(slow && { slowNode: slow }),
      ...(losses && { switch: losses }),
    };
    return faultsOf(events, rates);
  });

function walk(spec: FaultsSpec, topology: Topology = TOPOLOGY, filter?: FaultFilter, seed = "s"): FaultTransition[] {
  const timeline = new FaultTimeline(spec, seed, topology, filter);
  const met: FaultTransition[] = [];
  while (timeline.nextUs() < Infinity) met.push(timeline.take());
  return met;
}

function rackOf(topology: Topology, { kind, target }: FaultTransition): number {
  return kind === SWITCH_LOSS ? target : topology.rackOf[target];
}

describe("a fault timeline", () => {
  it("never goes back in (time, kind, rack, node), and every fault that ends has begun", () => {
    fc.assert(
      fc.property(faults, (spec) => {
        const state = new FaultState(TOPOLOGY);
        let before = [-1, 0, 0, 0, 0];
        for (const transition of walk(spec)) {
          const { atUs, kind, target, starts } = transition;
          const index = kind === SWITCH_LOSS ? 0 : TOPOLOGY.indexInRack[target];
          const key = [atUs, kind, rackOf(TOPOLOGY, transition), index, starts ? 0 : 1];
          const differs = key.findIndex((part, i) => part !== before[i]);
          if (differs >= 0) expect(key[differs]).toBeGreaterThan(before[differs]);
          before = key;
          state.apply(transition);
        }
      }),
    );
  });

  it("never differs between a cursor over everything and one over a part", () => {
    fc.assert(
      fc.property(faults, fc.nat(RACKS - 1), (spec, rack) => {
        const all = walk(spec);
        const ofRack = (t: FaultTransition): boolean => rackOf(TOPOLOGY, t) === rack;
        expect(walk(spec, TOPOLOGY, (_, r) => r === rack)).toEqual(all.filter(ofRack));
        const losesHeartbeats = (t: FaultTransition): boolean => t.kind === CRASH || t.kind === SWITCH_LOSS;
        expect(walk(spec, TOPOLOGY, LOSES_HEARTBEATS)).toEqual(all.filter(losesHeartbeats));
      }),
    );
  });

  it("is not shifted when racks are added, nor when nodes are", () => {
    const spec = faultsOf([], { crash: rateOf(50, 20, 2000), switch: rateOf(200, 10, 2000) });
    const wider = buildTopology(clusterOf({ racks: RACKS + 2, nodesPerRack: PER_RACK + 3 }));
    const named = (topology: Topology) => (t: FaultTransition) => ({
      ...t,
      target: [rackOf(topology, t), t.kind === SWITCH_LOSS ? 0 : topology.indexInRack[t.target]],
    });
    const old = walk(spec).map(named(TOPOLOGY));
    const kept = walk(spec, wider)
      .map(named(wider))
      .filter(({ target: [rack, index] }) => rack < RACKS && index < PER_RACK);
    expect(old.length).toBeGreaterThan(100);
    expect(kept).toEqual(old);
  });

  it("has gaps and lengths with the means of its rates, and another history by another seed", () => {
    const topology = buildTopology(clusterOf({ racks: 10, nodesPerRack: 20 }));
    const spec = faultsOf([], { crash: rateOf(300, 60, 20_000) });
    const met = walk(spec, topology);
    const began = new Map<number, number>();
    const ended = new Map<number, number>();
    const gaps: number[] = [];
    const lengths: number[] = [];
    for (const { atUs, target, starts } of met) {
      if (starts) gaps.push(atUs - (ended.get(target) ?? 0));
      else lengths.push(atUs - (began.get(target) ?? NaN));
      (starts ? began : ended).set(target, atUs);
    }
    const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length / SECOND;
    // 200 nodes, 20,000 s, one fault in 360 s: 11,000 draws, whose mean strays by 1 %. The end cuts long gaps: 1.5 %.
    expect(lengths.length).toBeGreaterThan(10_000);
    expect(Math.abs(mean(gaps) - 300)).toBeLessThan(12);
    expect(Math.abs(mean(lengths) - 60)).toBeLessThan(2);
    expect(walk(spec, topology, undefined, "other")).not.toEqual(met);
  });
});
