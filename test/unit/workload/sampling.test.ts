import { randomExponential, randomLogNormal, randomPareto } from "d3-random";
import { describe, expect, it } from "vitest";
import { counterHash, fractionOf } from "../../../dist/core/kernel/hash.js";
import {
  cumulativeShares,
  empirical,
  exponential,
  indexByShare,
  logNormal,
  logNormalTable,
  logUniform,
  logUniformInteger,
  pareto,
  quantileIndexOf,
} from "../../../dist/core/kernel/sampling.js";

const N = 200_000;
const fractions = Array.from({ length: N }, (_, i) => fractionOf(counterHash(1, 2, i)));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * values.length)];

describe("sampling by inverse CDF", () => {
  it("gives d3-random's exponential and Pareto values for the same uniforms", () => {
    for (const fraction of fractions.slice(0, 2000)) {
      expect(exponential(fraction, 14)).toBeCloseTo(randomExponential.source(() => fraction)(1 / 14)(), 9);
      const expected = 3 * randomPareto.source(() => fraction)(2.5)();
      expect(pareto(fraction, 3, 2.5) / expected).toBeCloseTo(1, 12);
    }
  });

  it("gives d3-random's log-normal quantiles", () => {
    let i = 0;
    const draw = randomLogNormal.source(() => fractionOf(counterHash(7, 7, i++)))(Math.log(19), 1.2);
    const theirs = Array.from({ length: N }, () => draw());
    const ours = fractions.map((fraction) => logNormal(fraction, 19, 1.2));
    for (const share of [0.05, 0.25, 0.5, 0.75, 0.95]) {
      expect(quantile(ours, share) / quantile(theirs, share)).toBeCloseTo(1, 1.5);
    }
  });

  it("has the closed-form means", () => {
    expect(mean(fractions.map((f) => exponential(f, 14))) / 14).toBeCloseTo(1, 1.5);
    expect(mean(fractions.map((f) => pareto(f, 2, 3))) / 3).toBeCloseTo(1, 1.5);
    expect(mean(fractions.map((f) => logNormal(f, 1, 1))) / Math.exp(0.5)).toBeCloseTo(1, 1.5);
    expect(mean(fractions.map((f) => logUniform(f, 2, 20))) / (18 / Math.log(10))).toBeCloseTo(1, 1.5);
  });

  it("gives a log-normal without spread its median exactly", () => {
    expect(logNormal(0.9, 19, 0)).toBe(19);
  });

  it("gives whole numbers from both ends of a log-uniform range, and none outside", () => {
    const seen = new Set(fractions.slice(0, 20_000).map((f) => logUniformInteger(f, 3, 20)));
    expect([...seen].sort((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, i) => i + 3));
    expect(logUniformInteger(1 - 2 ** -33, 5, 5)).toBe(5);
  });

  it("meets an empirical distribution at its knots and is log-linear between them", () => {
    const knots = [
      [0, 10],
      [0.5, 40],
      [1, 1000],
    ] as const;
    expect(empirical(0, knots)).toBe(10);
    expect(empirical(0.25, knots)).toBeCloseTo(20, 9);
    expect(empirical(0.5, knots)).toBe(40);
    expect(empirical(1, knots)).toBeCloseTo(1000, 9);
  });

  it("chooses indexes in proportion to their weights, and never one of weight 0", () => {
    const shares = cumulativeShares([3, 0, 1]);
    const counts = [0, 0, 0];
    for (const fraction of fractions) counts[indexByShare(fraction, shares)]++;
    expect(counts[0] / N).toBeCloseTo(0.75, 2);
    expect(counts[1]).toBe(0);
    expect(indexByShare(0, shares)).toBe(0);
    expect(indexByShare(1 - 2 ** -33, shares)).toBe(2);
  });

  it("tabulates the log-normal: rising, symmetric in its logarithm, with the closed-form moments", () => {
    for (const sigma of [0.5, 1.2, 1.9]) {
      const table = logNormalTable(sigma);
      expect(table.length).toBe(65_536);
      expect(table.every((value, i) => i === 0 || value >= table[i - 1])).toBe(true);
      expect(table[100] * table[65_535 - 100]).toBeCloseTo(1, 9);
      const tableMean = mean([...table]) / Math.exp(sigma ** 2 / 2);
      expect(tableMean).toBeLessThan(1);
      expect(tableMean).toBeGreaterThan(0.99);
    }
    expect(new Set(logNormalTable(0))).toEqual(new Set([1]));
  });

  it("selects quantiles by the top bits of a word", () => {
    expect(quantileIndexOf(0)).toBe(0);
    expect(quantileIndexOf(0xffffffff)).toBe(65_535);
    expect(quantileIndexOf(-1)).toBe(65_535);
  });
});
