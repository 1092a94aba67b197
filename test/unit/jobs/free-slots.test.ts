import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import { MAP, REDUCE, FreeSlots } from "../../../dist/core/platforms/hadoop/index.js";
import { clusterOf } from "../../support/small-scenarios.mjs";

const topology = buildTopology(
  clusterOf({
    groups: [
      [
        { count: 20, mapSlots: 2, reduceSlots: 1, speed: 1 },
        { count: 20, mapSlots: 0, reduceSlots: 2, speed: 1 },
      ],
      [{ count: 1, mapSlots: 3, reduceSlots: 0, speed: 1 }],
    ],
  }),
);

describe("free slots", () => {
  it("of a closed node are none, and when it is opened those that hold nothing", () => {
    const slots = new FreeSlots(topology);
    const node = topology.rackNodes[0]!;
    const other = topology.rackNodes[1]!;
    const map = slots.take(node, MAP);
    const reduce = slots.take(node, REDUCE);
    slots.close(node);
    expect([slots.free[MAP][node], slots.free[REDUCE][node], slots.free[MAP][other]]).toEqual([0, 0, 2]);
    expect((slots.nodeBits[MAP][node >> 5]! >>> (node & 31)) & 1).toBe(0);
    slots.vacate(node, map);
    expect([slots.free[MAP][node], ...slots.takenSlots]).toEqual([0, 0, 1]);
    slots.open(node);
    expect([slots.free[MAP][node], slots.free[REDUCE][node]]).toEqual([2, 0]);
    expect((slots.nodeBits[MAP][node >> 5]! >>> (node & 31)) & 1).toBe(1);
    slots.release(node, reduce);
    expect([slots.free[REDUCE][node], slots.takenSlots[REDUCE]]).toEqual([1, 0]);
    expect(() => {
      slots.vacate(node, map);
    }).toThrow("free already");
  });

  it("never differ from a set of held slots, and neither do the bits over the nodes", () => {
    const steps = fc.array(
      fc.record({ node: fc.nat(40), type: fc.constantFrom(MAP, REDUCE), take: fc.boolean(), pick: fc.nat() }),
      {
        maxLength: 200,
      },
    );
    fc.assert(
      fc.property(steps, (history) => {
        const slots = new FreeSlots(topology);
        const held = new Set<number>();
        const own = (node: number, type: 0 | 1): number[] => {
          const start = topology.slotStart[node]! + (type === REDUCE ? topology.mapSlots[node]! : 0);
          const count = type === REDUCE ? topology.reduceSlots[node]! : topology.mapSlots[node]!;
          return Array.from({ length: count }, (_, i) => start + i);
        };
        for (const { node, type, take, pick } of history) {
          const free = own(node, type).filter((slot) => !held.has(slot));
          const busy = own(node, type).filter((slot) => held.has(slot));
          if (take && free.length > 0) {
            expect(slots.take(node, type)).toBe(free[0]);
            held.add(free[0]!);
          } else if (!take && busy.length > 0) {
            const slot = busy[pick % busy.length]!;
            expect(slots.release(node, slot)).toBe(type);
            held.delete(slot);
          }
          for (const kind of [MAP, REDUCE] as const) {
            const left = own(node, kind).filter((slot) => !held.has(slot)).length;
            expect(slots.free[kind][node]).toBe(left);
            expect((slots.nodeBits[kind][node >> 5]! >>> (node & 31)) & 1).toBe(left > 0 ? 1 : 0);
            for (const slot of own(node, kind)) expect(slots.isHeldOn(node, slot)).toBe(held.has(slot));
          }
        }
        expect(slots.takenSlots[MAP]! + slots.takenSlots[REDUCE]!).toBe(held.size);
      }),
      { numRuns: 100 },
    );
  });
});
