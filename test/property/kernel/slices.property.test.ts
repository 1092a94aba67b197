import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SliceGrid, MAX_TIME_US } from "../../../dist/core/kernel/index.js";

/** A lookahead in microseconds and at most as many slices: a slice is never empty. */
const grids = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 3_600_000_000 })),
    fc.integer({ min: 1, max: 64 }),
  )
  .map(([lookaheadUs, slices]) => new SliceGrid(lookaheadUs, Math.min(slices, lookaheadUs)));
const instants = fc.oneof(
  fc.integer({ min: 0, max: 1000 }),
  fc.integer({ min: 0, max: 2 ** 40 }),
  fc.double({ min: 0, max: MAX_TIME_US, noNaN: true }).map(Math.floor),
);

describe("slices", () => {
  it("never lose an instant next to a boundary, however late", () => {
    fc.assert(
      fc.property(grids, instants, (grid, us) => {
        const slice = grid.sliceAt(us);
        const startUs = grid.startUs(slice);
        expect(Number.isSafeInteger(startUs)).toBe(true);
        expect(grid.sliceAt(startUs)).toBe(slice);
        if (slice > 0) expect(grid.sliceAt(startUs - 1)).toBe(slice - 1);
      }),
      { numRuns: 3000 },
    );
  });

  it("never let a lookahead be anything but perLookahead slices: a round later is that many slices later", () => {
    fc.assert(
      fc.property(grids, instants, (grid, us) => {
        expect(grid.sliceAt(us + grid.lookaheadUs)).toBe(grid.sliceAt(us) + grid.perLookahead);
        const slice = grid.sliceAt(us);
        expect(grid.startUs(slice + grid.perLookahead)).toBe(grid.startUs(slice) + grid.lookaheadUs);
      }),
      { numRuns: 3000 },
    );
  });
});
