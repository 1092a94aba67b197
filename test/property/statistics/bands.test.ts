import fc from "fast-check";
import { expect, it } from "vitest";
import { bandedDifference, ENOUGH_DRAWS } from "../../../dist/experiments/index.js";

const seconds = fc.double({ min: 0.001, max: 1e5, noNaN: true });
const shares = fc.integer({ min: 0, max: 100 }).map((percent) => [percent / 100, 1 - percent / 100]);
const draw = fc.record({ value: seconds, other: seconds, levels: shares, otherLevels: shares });
const draws = fc.array(draw, { minLength: 2, maxLength: 90 });
const error = fc.double({ min: 0, max: 1, noNaN: true });

type Draws = (typeof draws extends fc.Arbitrary<infer T> ? T : never)[number];

const variant = (all: readonly Draws[]) => ({
  values: all.map(({ value }) => value),
  levels: all.map(({ levels }) => levels),
});
const baseline = (all: readonly Draws[]) => ({
  values: all.map(({ other }) => other),
  levels: all.map(({ otherLevels }) => otherLevels),
});

it("a band of two variants that are the same has no width, whatever the model's error", () => {
  fc.assert(
    fc.property(draws, error, (all, relative) => {
      const { mean, band } = bandedDifference(variant(all), variant(all), relative);
      expect(mean).toBe(0);
      expect(band).toEqual({ low: 0, high: 0, verdict: "same" });
    }),
    { seed: 5, numRuns: 200 },
  );
});

it("a band is mirrored when variant and baseline change places, and holds nine of ten draws and the mean", () => {
  fc.assert(
    fc.property(draws, error, (all, relative) => {
      const [there, back] = [variant(all), baseline(all)];
      const { band, mean, values } = bandedDifference(there, back, relative);
      const mirrored = bandedDifference(back, there, relative);
      // 0 of either sign is one number.
      const mirror = (value: number | null | undefined) => 0 - (value ?? NaN);
      const numbers = [mirrored.mean, mirrored.band?.low, mirrored.band?.high].map((value) => 0 + (value ?? NaN));
      expect(numbers).toEqual([mirror(mean), mirror(band?.high), mirror(band?.low)]);
      expect(mirrored.band?.verdict).toBe(band?.verdict);
      const { low, high } = band ?? { low: NaN, high: NaN };
      expect(low <= (mean ?? NaN) && (mean ?? NaN) <= high).toBe(true);
      // Sums round.
      const slack = 1e-9 * Math.max(...values.map((value) => Math.abs(value ?? 0)));
      const held = values.filter((value) => value !== null && value >= low - slack && value <= high + slack);
      expect(held.length).toBeGreaterThanOrEqual(0.9 * values.length);
    }),
    { seed: 6, numRuns: 300 },
  );
});

it("without an error of the model, the ends of as many draws as are enough are the lowest and the highest", () => {
  const all = fc.array(draw, { minLength: ENOUGH_DRAWS, maxLength: ENOUGH_DRAWS });
  fc.assert(
    fc.property(all, (some) => {
      const { band, values } = bandedDifference(variant(some), baseline(some), 0);
      const known = values.map((value) => value ?? NaN);
      expect(band?.low).toBeCloseTo(Math.min(...known), 6);
      expect(band?.high).toBeCloseTo(Math.max(...known), 6);
    }),
    { seed: 7, numRuns: 100 },
  );
});

it("the model's error widens a band by a share of the time that changes, or whose tasks run at another level", () => {
  const sample = (value: number, near: number) => ({
    values: Array.from({ length: 3 }, () => value),
    levels: Array.from({ length: 3 }, () => [near, 1 - near]),
  });
  const width = (own: number, near: number) => {
    const { band } = bandedDifference(sample(own, near), sample(100, 1), 0.1);
    return ((band?.high ?? NaN) - (band?.low ?? NaN)) / 2;
  };
  expect(width(120, 1)).toBeCloseTo(1.96 * 0.1 * 20, 9);
  // 30 % of the tasks have moved, and the mean of both times is 100.
  expect(width(100, 0.7)).toBeCloseTo(1.96 * 0.1 * 30, 9);
});

it("what the log recorded takes from a band what its own settings explain, and a mirrored band is mirrored", () => {
  const many = fc.array(fc.record({ own: seconds, rest: seconds }), { minLength: 12, maxLength: 40 });
  fc.assert(
    fc.property(many, fc.nat(11), (all, which) => {
      const levels = all.map(() => [1]);
      const other = { values: all.map(() => 1000), levels };
      const baseline = { values: all.map(({ own }) => own), levels };
      const held = { simulated: baseline.values, recorded: all[which]!.own };
      // The variant takes as long whatever the baseline does: the difference at what was recorded is known.
      const { mean, band } = bandedDifference(other, baseline, 0, held);
      const known = 1000 - held.recorded;
      const slack = 1e-6 * Math.max(1000, ...held.simulated);
      for (const value of [mean, band?.low, band?.high]) expect(Math.abs((value ?? NaN) - known)).toBeLessThan(slack);
      const noisy = { values: all.map(({ rest }) => rest), levels };
      const there = bandedDifference(noisy, baseline, 0, held);
      const back = bandedDifference(baseline, noisy, 0, held);
      expect(Math.abs((there.band?.low ?? NaN) + (back.band?.high ?? NaN))).toBeLessThan(
        1e-9 * Math.max(...noisy.values, ...baseline.values, Math.abs(there.band?.low ?? 0)),
      );
    }),
    { seed: 9, numRuns: 100 },
  );
});
