import { describe, expect, it } from "vitest";
import {
  OFFER_STEP,
  offeredRate,
  offeringEnd,
  Offers,
  offerWord,
} from "../../../../dist/core/platforms/hadoop/index.js";

/** Infinity, by the last end. */
const LARGEST_OFFER = 0x7f800003;

describe("an offer of a rate", () => {
  it.each([0, 1, 1023, 1 / 3, 25e6, 100e6 / 3, 2 ** 40 + 1, 1e30])(
    "of %d B/s comes through in one word, less by less than a step, with its end",
    (rate) => {
      for (const end of [0, 1, 2, 3]) {
        const word = offerWord(rate, end);
        expect(word).toBeGreaterThanOrEqual(0);
        expect(word).toBeLessThanOrEqual(LARGEST_OFFER);
        expect(offeringEnd(word)).toBe(end);
        expect(offeredRate(word)).toBeLessThanOrEqual(rate);
        expect(offeredRate(word) * (1 + OFFER_STEP)).toBeGreaterThanOrEqual(rate);
        // What came through comes through unchanged.
        expect(offerWord(offeredRate(word), end)).toBe(word);
      }
    },
  );

  it("may be Infinity, which is the largest one", () => {
    expect(offeredRate(offerWord(Infinity, 3))).toBe(Infinity);
    expect(offerWord(Infinity, 3)).toBe(LARGEST_OFFER);
  });
});

describe("the offers of one end", () => {
  it("are asked for by time, and forgotten when nobody can ask for them", () => {
    const offers = new Offers();
    expect([offers.last(), offers.lastBy(99)]).toEqual([-1, -1]);
    offers.add(10, 5);
    offers.add(20, 7);
    offers.add(30, 6);
    expect([9, 10, 29, 30, 99].map((us) => offers.lastBy(us))).toEqual([-1, 5, 7, 6, 6]);
    offers.forgetBefore(25);
    expect([19, 25, 30].map((us) => offers.lastBy(us))).toEqual([-1, 7, 6]);
    expect(offers.last()).toBe(6);
    offers.clear();
    expect(offers.last()).toBe(-1);
  });
});
