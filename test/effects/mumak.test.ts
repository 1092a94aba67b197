import { describe, expect, it } from "vitest";
import { compare, compareLog, TRACES } from "../../tools/mumak.mjs";

/** Bide's run of the largest trace, on a busy machine. */
const TIMEOUT_MS = 60_000;
/** Points of per cent, per class. */
const LOCALITY = 3;

// docs/mumak.md.
describe("FIFO by Hadoop's rules beside Hadoop's own code", () => {
  it.each(Object.keys(TRACES))(
    "%s: as near the blocks, as soon, in the same order",
    async (trace) => {
      const { launches, locality, ratio, order } = await compare(trace);
      expect(launches[1]).toBe(launches[0]);
      locality.mumak.forEach((percent: number, level: number) => {
        expect(Math.abs(locality.bide[level]! - percent)).toBeLessThan(LOCALITY);
      });
      expect(ratio.p50).toBeGreaterThan(0.95);
      expect(ratio.p50).toBeLessThan(1.05);
      expect(ratio.p95).toBeLessThan(1.25);
      expect(order).toBeGreaterThan(0.99);
    },
    TIMEOUT_MS,
  );

  it(
    "is not so by the rules of the paper: they run fewer maps on their nodes",
    async () => {
      const { locality } = await compare("m600", ["scheduler.rules=paper"]);
      expect(locality.bide[0]).toBeLessThan(locality.mumak[0]! - LOCALITY);
    },
    TIMEOUT_MS,
  );
});

describe("two jobs of a log", () => {
  it("have map phases as long as recorded, within 5 %", async () => {
    const jobs = await compareLog();
    expect(jobs).toHaveLength(2);
    for (const { phase } of jobs) expect(Math.abs(phase[1]! / phase[0]! - 1)).toBeLessThan(0.05);
  });

  it("respond sooner than recorded, by no more than the log has outside the map phase", async () => {
    for (const { phase, response } of await compareLog()) {
      const outside = response[0]! - phase[0]!;
      expect(response[1]).toBeLessThan(response[0]!);
      expect(response[0]! - response[1]!).toBeLessThan(outside + 0.05 * phase[0]!);
    }
  });
});
