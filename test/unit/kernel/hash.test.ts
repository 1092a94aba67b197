import { describe, expect, it } from "vitest";
import { counterHash, fractionOf, mix32, seedWord } from "../../../dist/core/kernel/index.js";

const N = 65_536;

/** Chi-squared of words over 256 equal cells; 255 degrees of freedom, standard deviation 22.6. */
function chiSquared(words: readonly number[], shift: number): number {
  const counts = new Array<number>(256).fill(0);
  for (const word of words) counts[(word >>> shift) & 255]!++;
  const expected = words.length / 256;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

function correlation(xs: readonly number[], ys: readonly number[]): number {
  let sum = 0;
  xs.forEach((x, i) => (sum += (fractionOf(x) - 0.5) * (fractionOf(ys[i]!) - 0.5)));
  return (12 * sum) / xs.length;
}

const byCounter = Array.from({ length: N }, (_, i) => counterHash(1, 5, i));
const byEntity = Array.from({ length: N }, (_, i) => counterHash(1, i, 0));
const bySeed = Array.from({ length: N }, (_, i) => counterHash(i, 5, 0));

describe("counterHash", () => {
  it("gives the same words on every machine", () => {
    expect([mix32(0), mix32(1), mix32(-1)]).toEqual([0, 1753845952, 1734902346]);
    expect([counterHash(1, 2, 3), counterHash(0, 0, 0), counterHash(0xffffffff, 619, 1e6)]).toEqual([
      508190071, 2126711127, 1770266562,
    ]);
  });

  it.each([
    ["counters", byCounter],
    ["entities", byEntity],
    ["seeds", bySeed],
  ])("is uniform over %s, in its high and its low bits", (_, words) => {
    for (const shift of [24, 12, 0]) {
      const chi = chiSquared(words, shift);
      expect(chi).toBeGreaterThan(255 - 5 * 22.6);
      expect(chi).toBeLessThan(255 + 5 * 22.6);
    }
  });

  it.each([
    ["counters", byCounter],
    ["entities", byEntity],
    ["seeds", bySeed],
  ])("shows no correlation between %s that are near each other", (_, words) => {
    for (const lag of [1, 2, 3, 5, 31, 32, 620]) {
      expect(Math.abs(correlation(words.slice(0, -lag), words.slice(lag)))).toBeLessThan(5 / Math.sqrt(N));
    }
  });

  it("shows no correlation between neighbouring entities at the same counter", () => {
    const one = Array.from({ length: N }, (_, i) => counterHash(1, 7, i));
    const next = Array.from({ length: N }, (_, i) => counterHash(1, 8, i));
    expect(Math.abs(correlation(one, next))).toBeLessThan(5 / Math.sqrt(N));
  });

  it("changes about half of the bits when one bit of any argument changes", () => {
    for (const flip of [(b: number) => [1 ^ b, 5, 9], (b: number) => [1, 5 ^ b, 9], (b: number) => [1, 5, 9 ^ b]]) {
      for (let bit = 0; bit < 20; bit++) {
        const [seed, entity, counter] = flip(1 << bit) as [number, number, number];
        const changed = (counterHash(seed, entity, counter) ^ counterHash(1, 5, 9)) >>> 0;
        const ones = changed.toString(2).replaceAll("0", "").length;
        expect(ones).toBeGreaterThan(4);
        expect(ones).toBeLessThan(28);
      }
    }
  });
});

describe("seedWord", () => {
  it("gives the same words on every machine", () => {
    expect([seedWord("7", "block placement"), seedWord("", "")]).toEqual([3349390844, 2395721590]);
  });

  it("differs by seed and by name", () => {
    const words = new Set<number>();
    for (let seed = 0; seed < 100; seed++)
      for (const name of ["a", "b", "maps", "reduces"]) words.add(seedWord(String(seed), name));
    expect(words.size).toBe(400);
  });
});

describe("fractionOf", () => {
  it("never meets 0 or 1", () => {
    expect(fractionOf(0)).toBeGreaterThan(0);
    expect(fractionOf(0xffffffff)).toBeLessThan(1);
    expect(fractionOf(-1)).toBe(fractionOf(0xffffffff));
    expect(fractionOf(0x80000000)).toBeCloseTo(0.5, 9);
  });
});

describe("mix32", () => {
  it("is a bijection on a sample", () => {
    const seen = new Set<number>();
    for (let i = 0; i < 200_000; i++) seen.add(mix32(Math.imul(i, 0x9e3779b1)));
    expect(seen.size).toBe(200_000);
  });
});
