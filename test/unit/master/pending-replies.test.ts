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
