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
});

describe("seedWord", () => {
  it("gives the same words on every machine", () => {
    expect([seedWord("7", "block placement"), seedWord("", "")]).toEqual([3349390844, 2395721590]);
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
