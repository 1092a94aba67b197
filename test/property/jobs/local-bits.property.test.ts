import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LocalBits } from "../../../dist/core/platforms/hadoop/index.js";

const steps = fc.array(
  fc.record({
    what: fc.constantFrom("set", "set", "clear"),
    node: fc.oneof(fc.nat(2), fc.nat(69)),
    job: fc.nat(300),
  }),
  {
    maxLength: 150,
  },
);

describe("local bits", () => {
  it("never differ from a set of pairs, also when columns are added; the summary says which nodes are in some pair", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), steps, (jobs, history) => {
        const bits = new LocalBits(70, jobs);
        const naive = new Set<string>();
        const columns = new Set<number>();
        const name = (node: number, job: number): string => `${node}/${job}`;
        const some = (node: number): boolean => [...columns].some((job) => naive.has(name(node, job)));
        for (const { what, node, job } of history) {
          bits.makeRoom(job);
          columns.add(job);
          if (what === "set") {
            bits.set(node, job);
            naive.add(name(node, job));
          } else {
            bits.clear(node, job);
            naive.delete(name(node, job));
          }
          expect(bits.hasAny(node)).toBe(some(node));
          for (const column of columns) expect(bits.has(node, column)).toBe(naive.has(name(node, column)));
          expect(((bits.any[node >> 5]! >>> (node & 31)) & 1) === 1).toBe(bits.hasAny(node));
        }
        for (let node = 0; node < 70; node++) {
          for (const column of columns) expect(bits.has(node, column)).toBe(naive.has(name(node, column)));
          expect(bits.hasAny(node)).toBe(some(node));
        }
      }),
      { numRuns: 150 },
    );
  });
});
