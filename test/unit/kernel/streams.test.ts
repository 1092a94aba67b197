import { describe, expect, it } from "vitest";
import { streamFor } from "../../../dist/core/kernel/index.js";

function firstDraws(seed: string, name: string, count: number): number[] {
  const stream = streamFor(seed, name);
  return Array.from({ length: count }, () => stream.next());
}

describe("named streams", () => {
  it("give the same first draws on every machine", () => {
    expect(firstDraws("7", "arrivals", 3)).toEqual([0.4658380299617877, 0.24475756527261827, 0.768222720564302]);
    expect(firstDraws("7", "map lengths", 3)).toEqual([0.4395578425380354, 0.9865983483299449, 0.44977843766511627]);
  });

  it("do not notice what other streams exist or how far those have come", () => {
    const alone = firstDraws("7", "arrivals", 50);
    const other = streamFor("7", "a new purpose");
    const together = streamFor("7", "arrivals");
    const draws = Array.from({ length: 50 }, (_, i) => {
      for (let k = 0; k < i; k++) other.next();
      return together.next();
    });
    expect(draws).toEqual(alone);
  });

  it("differ by name and by seed", () => {
    const all = [firstDraws("7", "a", 4), firstDraws("7", "b", 4), firstDraws("8", "a", 4), firstDraws("7", "A", 4)];
    expect(new Set(all.map(String)).size).toBe(4);
  });

  it("draw integers below their bound, all of them about equally often", () => {
    const stream = streamFor("3", "dice");
    const counts = new Array<number>(6).fill(0);
    for (let i = 0; i < 60_000; i++) counts[stream.below(6)]!++;
    expect(counts.reduce((a, b) => a + b)).toBe(60_000);
    // Standard deviation 91; the seed is fixed, so this passes always or never.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });

  it("with successive names are not correlated", () => {
    const n = 4000;
    let products = 0;
    for (let i = 0; i < n; i++) {
      products +=
        (streamFor("1", `node${String(i)}`).next() - 0.5) * (streamFor("1", `node${String(i + 1)}`).next() - 0.5);
    }
    // Each product has standard deviation 1/12.
    expect(Math.abs(products) * 12).toBeLessThan(4 * Math.sqrt(n));
  });
});
