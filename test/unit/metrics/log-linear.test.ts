import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogLinearCounts } from "../../../dist/core/record/index.js";

const values = fc.oneof(
  fc.nat(300),
  fc.nat(2 ** 30),
  fc.maxSafeInteger().map(Math.abs),
  fc.constantFrom(0, 255, 256, 257, 2 ** 53),
);

describe("log-linear counts", () => {
  it("never puts a value further than 1/256 of it from its bucket's middle", () => {
    fc.assert(
      fc.property(values, (value) => {
        const counts = new LogLinearCounts();
        counts.add(value);
        const [entry] = counts.entries();
        expect(entry!.count).toBe(1);
        expect(Math.abs(entry!.value - value)).toBeLessThanOrEqual(value / 256);
        expect(counts.max).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });

  it("never gives a quantile further than 1/256 from the true order statistic", () => {
    fc.assert(
      fc.property(
        fc.array(values, { minLength: 1, maxLength: 60 }),
        fc.constantFrom(0, 0.25, 0.5, 0.75, 0.95, 0.99, 1),
        (list, share) => {
          const counts = new LogLinearCounts();
          for (const value of list) counts.add(value);
          const sorted = [...list].sort((a, b) => a - b);
          const exact = sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1]!;
          expect(Math.abs(counts.quantile(share)! - exact)).toBeLessThanOrEqual(exact / 256);
          expect(counts.quantile(share)).toBeLessThanOrEqual(counts.max);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("never loses a value, and lists buckets in rising order", () => {
    fc.assert(
      fc.property(fc.array(values, { maxLength: 60 }), (list) => {
        const counts = new LogLinearCounts();
        for (const value of list) counts.add(value);
        const entries = counts.entries();
        expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(list.length);
        for (let i = 1; i < entries.length; i++) expect(entries[i]!.value).toBeGreaterThan(entries[i - 1]!.value);
      }),
    );
  });
});
