import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IntArena } from "../../../dist/core/kernel/index.js";

const sizes = fc.oneof(fc.nat(5), fc.nat(40), fc.constantFrom(64, 65, 127, 128, 129, 1000));

describe("an integer arena", () => {
  it("never gives the same word to two regions that are in use, and keeps their contents when it grows", () => {
    const steps = fc.array(fc.tuple(fc.boolean(), sizes, fc.nat()), { maxLength: 150 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), steps, (initialWords, history) => {
        const arena = new IntArena(initialWords);
        const regions: { at: number; size: number; stamp: number }[] = [];
        history.forEach(([allocates, size, pick], stamp) => {
          if (allocates || regions.length === 0) {
            const at = arena.allocate(size);
            expect(at + size).toBeLessThanOrEqual(arena.words.length);
            arena.words.fill(stamp, at, at + size);
            regions.push({ at, size, stamp });
          } else {
            const [gone] = regions.splice(pick % regions.length, 1);
            arena.release(gone!.at, gone!.size);
          }
          for (const region of regions) {
            const found = arena.words.subarray(region.at, region.at + region.size);
            expect(found.every((word) => word === region.stamp)).toBe(true);
          }
        });
      }),
      { numRuns: 150 },
    );
  });
});
