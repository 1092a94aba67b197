import { randomExponential } from "d3-random";
import { expect, it } from "vitest";
import {
  counterHash,
  cumulativeShares,
  empirical,
  exponential,
  fractionOf,
  indexByShare,
  logNormal,
  logNormalTable,
  logUniform,
  logUniformInteger,
  quantileOfWord,
} from "../../../dist/core/kernel/index.js";

const N = 200_000;
const fractions = Array.from({ length: N }, (_, i) => fractionOf(counterHash(1, 2, i)));
const mean = (sample: (fraction: number) => number): number =>
  fractions.reduce((sum, fraction) => sum + sample(fraction), 0) / N;

it("exponential values are d3-random's of the same uniforms", () => {
  for (const fraction of fractions.slice(0, 2000)) {
    expect(exponential(fraction, 14)).toBeCloseTo(randomExponential.source(() => fraction)(1 / 14)(), 9);
  }
});

it("means are those of the closed forms", () => {
  expect(mean((f) => logNormal(f, 1, 1)) / Math.exp(0.5)).toBeCloseTo(1, 1.5);
  expect(mean((f) => logUniform(f, 2, 20)) / (18 / Math.log(10))).toBeCloseTo(1, 1.5);
  expect(logNormal(0.9, 19, 0)).toBe(19);
});

it("whole numbers come from both ends of a log-uniform range, and none outside", () => {
  const drawn = new Set(fractions.slice(0, 20_000).map((f) => logUniformInteger(f, 3, 20)));
  expect([...drawn].sort((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, i) => i + 3));
});

it("an empirical distribution is met at its knots and is log-linear between them", () => {
  const knots = [
    [0, 10],
    [0.5, 40],
    [1, 1000],
  ] as const;
  const at = [0, 0.25, 0.5, 1].map((fraction) => empirical(fraction, knots));
  [10, 20, 40, 1000].forEach((value, i) => {
    expect(at[i]).toBeCloseTo(value, 9);
  });
});

it("indexes are chosen in proportion to their weights, and never one of weight 0", () => {
  const shares = cumulativeShares([3, 0, 1]);
  const counts = [0, 0, 0];
  for (const fraction of [...fractions, 0, 1 - 2 ** -33]) counts[indexByShare(fraction, shares)]!++;
  expect(counts[0]! / N).toBeCloseTo(0.75, 2);
  expect(counts[1]).toBe(0);
});

it("the table of a log-normal draws what the function draws but for the outermost 2^-20, and never less for a larger word", () => {
  const table = logNormalTable(2.2);
  let before = 0;
  // Words of every magnitude, so that the tails are met as often as the centre; the seams between octaves among them.
  const words = Array.from({ length: 40_000 }, (_, i) => counterHash(5, 1, i) >>> (i % 32));
  for (let bit = 0; bit < 32; bit++) words.push(2 ** bit - 1, 2 ** bit, 2 ** 32 - 2 ** bit - 1, 2 ** 32 - 2 ** bit);
  for (const word of words.sort((a, b) => a - b)) {
    const drawn = quantileOfWord(word, table);
    expect(drawn >= before && drawn > 0).toBe(true);
    before = drawn;
    if (Math.min(word, 2 ** 32 - word) < 2 ** 12) continue;
    expect(Math.abs(drawn / logNormal(fractionOf(word), 1, 2.2) - 1)).toBeLessThan(0.001);
  }
  expect(quantileOfWord(-1, table)).toBe(quantileOfWord(0xffffffff, table));
  expect(new Set(fractions.slice(0, 1000).map((f) => quantileOfWord(f * 2 ** 32, logNormalTable(0))))).toEqual(
    new Set([1]),
  );
});
