import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NodeNotes } from "../../../dist/core/master/attempts.js";

const NODES = 70;

/** The nodes whose bit is set. */
function nodesOf(notes: NodeNotes): number[] {
  return Array.from({ length: NODES }, (_, node) => node).filter(
    (node) => ((notes.nodeBits[node >> 5]! >>> (node & 31)) & 1) !== 0,
  );
}

describe("notes for nodes", () => {
  it("are taken once, in the order in which they were added", () => {
    const notes = new NodeNotes(NODES);
    for (const slot of [9, 3, 7]) notes.add(64, slot);
    notes.add(31, 5);
    expect(nodesOf(notes)).toEqual([31, 64]);
    expect(notes.take(64)).toEqual([9, 3, 7]);
    expect(notes.take(64)).toEqual([]);
    expect([nodesOf(notes), notes.isEmpty]).toEqual([[31], false]);
    expect(notes.take(31)).toEqual([5]);
    expect([nodesOf(notes), notes.isEmpty]).toEqual([[], true]);
  });

  it("for nodes that nobody wrote to are none", () => {
    const notes = new NodeNotes(NODES);
    expect([notes.take(0), notes.take(69), notes.isEmpty]).toEqual([[], [], true]);
  });

  it("are cancelled one by one; the others keep their order", () => {
    const notes = new NodeNotes(NODES);
    for (const slot of [4, 2, 8]) notes.add(1, slot);
    notes.cancel(1, 2);
    expect([nodesOf(notes), notes.isEmpty]).toEqual([[1], false]);
    expect(notes.take(1)).toEqual([4, 8]);
  });

  it("leave no bit behind when the last is cancelled", () => {
    const notes = new NodeNotes(NODES);
    notes.add(69, 4);
    notes.cancel(69, 4);
    expect([nodesOf(notes), notes.isEmpty, notes.take(69)]).toEqual([[], true, []]);
  });

  it("are not touched by a cancellation that means none of them", () => {
    const notes = new NodeNotes(NODES);
    notes.add(3, 4);
    notes.cancel(3, 5);
    notes.cancel(4, 4);
    expect([nodesOf(notes), notes.take(3)]).toEqual([[3], [4]]);
    notes.cancel(3, 4);
    expect(notes.isEmpty).toBe(true);
  });

  it("never differ from plain lists", () => {
    const step = fc.record({
      does: fc.constantFrom("add", "add", "cancel", "take"),
      node: fc.constantFrom(0, 31, 32, 69),
      slot: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const notes = new NodeNotes(NODES);
        const lists = new Map<number, number[]>();
        for (const { does, node, slot } of steps) {
          const list = lists.get(node) ?? [];
          if (does === "add" && !list.includes(slot)) {
            notes.add(node, slot);
            lists.set(node, [...list, slot]);
          } else if (does === "cancel") {
            notes.cancel(node, slot);
            lists.set(
              node,
              list.filter((other) => other !== slot),
            );
          } else if (does === "take") {
            expect(notes.take(node)).toEqual(list);
            lists.delete(node);
          }
          const written = [...lists].filter(([, slots]) => slots.length > 0).map(([of]) => of);
          expect(nodesOf(notes)).toEqual(written.sort((a, b) => a - b));
          expect(notes.isEmpty).toBe(written.length === 0);
        }
      }),
    );
  });
});
