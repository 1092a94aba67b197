import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PendingReplies } from "../../../dist/core/platforms/hadoop/index.js";

const NODES = 70;

/** The nodes whose bit is set. */
function nodesOf(replies: PendingReplies): number[] {
  return Array.from({ length: NODES }, (_, node) => node).filter(
    (node) => ((replies.nodeBits[node >> 5]! >>> (node & 31)) & 1) !== 0,
  );
}

describe("replies for nodes", () => {
  it("are taken once, in the order in which they were added", () => {
    const replies = new PendingReplies(NODES);
    for (const slot of [9, 3, 7]) replies.add(64, slot);
    replies.add(31, 5);
    expect(nodesOf(replies)).toEqual([31, 64]);
    expect(replies.take(64)).toEqual([9, 3, 7]);
    expect(replies.take(64)).toEqual([]);
    expect([nodesOf(replies), replies.isEmpty]).toEqual([[31], false]);
    expect(replies.take(31)).toEqual([5]);
    expect([nodesOf(replies), replies.isEmpty]).toEqual([[], true]);
  });

  it("for nodes that nobody wrote to are none", () => {
    const replies = new PendingReplies(NODES);
    expect([replies.take(0), replies.take(69), replies.isEmpty]).toEqual([[], [], true]);
  });

  it("are cancelled one by one; the others keep their order", () => {
    const replies = new PendingReplies(NODES);
    for (const slot of [4, 2, 8]) replies.add(1, slot);
    replies.cancel(1, 2);
    expect([nodesOf(replies), replies.isEmpty]).toEqual([[1], false]);
    expect(replies.take(1)).toEqual([4, 8]);
  });

  it("leave no bit behind when the last is cancelled", () => {
    const replies = new PendingReplies(NODES);
    replies.add(69, 4);
    replies.cancel(69, 4);
    expect([nodesOf(replies), replies.isEmpty, replies.take(69)]).toEqual([[], true, []]);
  });

  it("are not touched by a cancellation that means none of them", () => {
    const replies = new PendingReplies(NODES);
    replies.add(3, 4);
    replies.cancel(3, 5);
    replies.cancel(4, 4);
    expect([nodesOf(replies), replies.take(3)]).toEqual([[3], [4]]);
    replies.cancel(3, 4);
    expect(replies.isEmpty).toBe(true);
  });

  it("never differ from plain lists", () => {
    const step = fc.record({
      does: fc.constantFrom("add", "add", "cancel", "take"),
      node: fc.constantFrom(0, 31, 32, 69),
      slot: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const replies = new PendingReplies(NODES);
        const lists = new Map<number, number[]>();
        for (const { does, node, slot } of steps) {
          const list = lists.get(node) ?? [];
          if (does === "add" && !list.includes(slot)) {
            replies.add(node, slot);
            lists.set(node, [...list, slot]);
          } else if (does === "cancel") {
            replies.cancel(node, slot);
            lists.set(
              node,
              list.filter((other) => other !== slot),
            );
          } else if (does === "take") {
            expect(replies.take(node)).toEqual(list);
            lists.delete(node);
          }
          const written = [...lists].filter(([, slots]) => slots.length > 0).map(([of]) => of);
          expect(nodesOf(replies)).toEqual(written.sort((a, b) => a - b));
          expect(replies.isEmpty).toBe(written.length === 0);
        }
      }),
    );
  });
});
