import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  binomialCumulative,
  estimate,
  centralProbability,
  fractionalStudentT,
  incompleteBeta,
  studentT,
  twoSidedP,
  compareSamples,
  pairedTest,
  sampleEstimate,
} from "../../../dist/experiments/index.js";
import { jStat } from "../../support/jstat.js";

const runs = { seed: 20260101, numRuns: 400 };
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const sample = (least: number) => fc.array(number(-1000, 1000), { minLength: least, maxLength: 30 });

/** Spread enough that neither side loses its digits to cancellation. */
const isSpread = (values: number[]) => jStat.stdev(values, true) > 1e-3;

describe("beside the statistics package jstat", () => {
  it("gives the same incomplete beta function", () => {
    fc.assert(
      fc.property(number(0, 1), number(0.5, 200), number(0.5, 200), (x, a, b) => {
        expect(Math.abs(incompleteBeta(x, 1 - x, a, b) - jStat.beta.cdf(x, a, b))).toBeLessThan(1e-6);
      }),
      runs,
    );
  });

  it("gives the same p-values of t, and t of p, for whole and other degrees of freedom", () => {
    fc.assert(
      fc.property(number(0, 40), fc.oneof(fc.integer({ min: 1, max: 300 }), number(1, 300)), (t, degrees) => {
        expect(Math.abs(twoSidedP(t, degrees) - 2 * jStat.studentt.cdf(-t, degrees))).toBeLessThan(1e-6);
      }),
      runs,
    );
    fc.assert(
      fc.property(number(0.5, 0.999), number(1, 300), (confidence, degrees) => {
        const theirs = jStat.studentt.inv(0.5 + confidence / 2, degrees);
        expect(Math.abs(fractionalStudentT(confidence, degrees) / theirs - 1)).toBeLessThan(1e-5);
        const whole = Math.round(degrees);
        expect(studentT(confidence, whole) / fractionalStudentT(confidence, whole)).toBeCloseTo(1, 10);
      }),
      runs,
    );
  });

  it("gives the p-values of t that the finite sums for whole degrees of freedom give", () => {
    fc.assert(
      fc.property(number(0, 60), fc.integer({ min: 1, max: 2000 }), (t, degrees) => {
        expect(Math.abs(1 - centralProbability(t, degrees) - twoSidedP(t, degrees))).toBeLessThan(1e-12);
      }),
      runs,
    );
  });

  it("gives the same mean, deviation, median and interval", () => {
    fc.assert(
      fc.property(sample(2).filter(isSpread), (values) => {
        const own = sampleEstimate(values);
        const mean = own.mean as number;
        expect(mean).toBeCloseTo(jStat.mean(values), 9);
        expect(own.deviation).toBeCloseTo(jStat.stdev(values, true), 9);
        expect(own.median.value).toBeCloseTo(jStat.median(values), 9);
        const [low, high] = jStat.tci(mean, 0.05, values);
        const width = high - low;
        expect(Math.abs(mean - (own.halfWidth as number) - low) / width).toBeLessThan(1e-5);
        expect(Math.abs(mean + (own.halfWidth as number) - high) / width).toBeLessThan(1e-5);
      }),
      runs,
    );
  });

  it("gives the same paired t test", () => {
    const pairs = fc.array(fc.tuple(number(-1000, 1000), number(-1000, 1000)), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(pairs, (both) => {
        const [a, b] = [both.map(([x]) => x), both.map(([, y]) => y)];
        const differences = a.map((x, i) => x - b[i]);
        fc.pre(isSpread(differences));
        const own = pairedTest(a, b);
        expect(Math.abs((own.pValue as number) - jStat.ttest(0, differences, 2))).toBeLessThan(1e-6);
        expect(own.difference).toEqual(estimate(differences));
        const apart = jStat.variance(a, true) + jStat.variance(b, true);
        expect((own.varianceReduction as number) / (apart / jStat.variance(differences, true))).toBeCloseTo(1, 9);
      }),
      runs,
    );
  });

  it("gives the same test of samples with seeds of their own (Welch, from its definition)", () => {
    fc.assert(
      fc.property(sample(2).filter(isSpread), sample(2).filter(isSpread), (stored, fresh) => {
        const seeded = (name: string, values: number[]) => ({ seeds: values.map((_, i) => `${name}${i}`), values });
        const own = compareSamples(seeded("a", stored), seeded("b", fresh));
        const [ofA, ofB] = [stored, fresh].map((values) => jStat.variance(values, true) / values.length);
        const degrees = (ofA + ofB) ** 2 / (ofA ** 2 / (stored.length - 1) + ofB ** 2 / (fresh.length - 1));
        const difference = jStat.mean(fresh) - jStat.mean(stored);
        const error = Math.sqrt(ofA + ofB);
        expect(own.method).toBe("welch");
        expect(own.difference).toBeCloseTo(difference, 9);
        expect((own.halfWidth as number) / (error * jStat.studentt.inv(0.975, degrees))).toBeCloseTo(1, 4);
        const p = 2 * jStat.studentt.cdf(-Math.abs(difference / error), degrees);
        expect(Math.abs((own.pValue as number) - p)).toBeLessThan(1e-6);
      }),
      runs,
    );
  });

  it("gives the same binomial probabilities", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), number(0.001, 0.999), (n, share) => {
        const own = binomialCumulative(n, share);
        expect(own).toHaveLength(n + 1);
        for (let k = 0; k <= n; k += 1 + (n >> 3)) {
          expect(Math.abs(own[k] - jStat.binomial.cdf(k, n, share))).toBeLessThan(1e-6);
        }
      }),
      { ...runs, numRuns: 150 },
    );
  });
});
