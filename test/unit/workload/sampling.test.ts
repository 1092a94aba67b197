import { randomExponential, randomLogNormal, randomPareto } from "d3-random";
import { describe, expect, it } from "vitest";
import {
  counterHash,
  fractionOf,
  cumulativeShares,
  empirical,
  exponential,
  indexByShare,
  logNormal,
  logNormalTable,
  logUniform,
  logUniformInteger,
  pareto,
  quantileOfWord,
} from "../../../dist/core/kernel/index.js";

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

  it("draws log-normals from a table with the closed-form mean and 99.9 % quantile", () => {
    const words = 1 << 20;
    for (const sigma of [0.5, 1.2, 1.9, 2.2]) {
      const table = logNormalTable(sigma);
      let sum = 0;
      for (let i = 0; i < words; i++) sum += quantileOfWord(i * 4096 + 2048, table);
      expect(Math.abs(sum / words / Math.exp(sigma ** 2 / 2) - 1)).toBeLessThan(0.002);
      // 3.0902 is the 99.9 % quantile of the standard normal.
      expect(Math.abs(quantileOfWord(0.999 * 2 ** 32, table) / Math.exp(sigma * 3.0902323) - 1)).toBeLessThan(0.0005);
      expect(Math.abs(quantileOfWord(0.001 * 2 ** 32, table) * Math.exp(sigma * 3.0902323) - 1)).toBeLessThan(0.0005);
    }
  });

  it.each([
    ["0.1 % but for the outermost 2^-20", 2 ** -20, 0.001],
    ["5 % but for the outermost 2^-25", 2 ** -25, 0.05],
  ])("draws from the table the exact quantile within %s", (_, outermost, tolerance) => {
    const table = logNormalTable(2.2);
    let worst = 0;
    for (let i = 0; i < 50_000; i++) {
      // Words of every magnitude, so that the tails are met as often as the centre.
      const distance = counterHash(3, 1, i) >>> (1 + (i % 24));
      if (distance < outermost * 2 ** 32) continue;
      for (const word of [distance, ~distance >>> 0]) {
        worst = Math.max(worst, Math.abs(quantileOfWord(word, table) / logNormal(fractionOf(word), 1, 2.2) - 1));
      }
    }
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(tolerance);
  });

  it("never draws less for a larger word, and reads a word as unsigned", () => {
    const table = logNormalTable(1.2);
    const words = Array.from({ length: 50_000 }, (_, i) => counterHash(5, 1, i) >>> (i % 32));
    // The seams: between the finest cells and the first octave, between octaves, at the median, at both ends.
    for (let bit = 0; bit < 32; bit++) words.push(2 ** bit - 1, 2 ** bit, 2 ** 32 - 2 ** bit - 1, 2 ** 32 - 2 ** bit);
    const drawn = words.sort((a, b) => a - b).map((word) => quantileOfWord(word, table));
    expect(drawn.every((value, i) => value > 0 && Number.isFinite(value) && (i === 0 || value >= drawn[i - 1]))).toBe(
      true,
    );
    expect(quantileOfWord(-1, table)).toBe(quantileOfWord(0xffffffff, table));
    expect(quantileOfWord(2 ** 31, table)).toBeCloseTo(1, 6);
  });

  it("draws the median alone when there is no spread, from a table that fits the nearest cache", () => {
    const table = logNormalTable(0);
    expect(table.byteLength).toBeLessThan(8192);
    expect(new Set(fractions.slice(0, 1000).map((f) => quantileOfWord(f * 2 ** 32, table)))).toEqual(new Set([1]));
  });
});
