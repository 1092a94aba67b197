import { describe, expect, it } from "vitest";
import { counterHash, fractionOf, exp, ln, normalQuantile, power } from "../../../dist/core/kernel/index.js";

/** The 64 bits of a double, as hex. */
function bitsOf(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

function relativeError(found: number, expected: number): number {
  return expected === 0 ? Math.abs(found) : Math.abs(found / expected - 1);
}

const draws = Array.from({ length: 20_000 }, (_, i) => fractionOf(counterHash(9, i, 0)));

describe("ln", () => {
  it("is within 1e-15 of Math.log over the whole range of doubles", () => {
    for (const u of draws) {
      const x = Math.exp((u - 0.5) * 1400);
      expect(relativeError(ln(x), Math.log(x))).toBeLessThan(1e-15);
    }
  });

  it("is within 1e-15 of Math.log near 1, where the logarithm vanishes", () => {
    for (const u of draws) {
      const x = 1 + (u - 0.5) * 1e-3;
      expect(relativeError(ln(x), Math.log(x))).toBeLessThan(1e-15);
    }
  });

  it.each([0, -0, -1, NaN, Infinity, -Infinity])("refuses %s", (x) => {
    expect(() => ln(x)).toThrow(RangeError);
  });
});

describe("exp", () => {
  it("is within 1e-15 of Math.exp where that is a normal number", () => {
    for (const u of draws) {
      const x = (u - 0.5) * 1400;
      expect(relativeError(exp(x), Math.exp(x))).toBeLessThan(1e-15);
    }
  });

  it("never falls as its argument rises", () => {
    let before = 0;
    for (let i = -7450; i <= 7097; i++) {
      const now = exp(i / 10);
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
  });
});

describe("power", () => {
  it("agrees with exact powers", () => {
    for (const [x, y, expected] of [
      [2, 10, 1024],
      [10, 3, 1000],
      [9, 0.5, 3],
      [0.5, 3, 0.125],
      [7, 0, 1],
      [1, 1e6, 1],
    ]) {
      expect(relativeError(power(x!, y!), expected!)).toBeLessThan(1e-14);
    }
  });
});

describe("normalQuantile", () => {
  // Any statistics table with enough digits.
  it.each([
    [0.5, 0],
    [0.75, 0.6744897501960817],
    [0.9, 1.2815515655446004],
    [0.975, 1.959963984540054],
    [0.99, 2.3263478740408408],
    [0.9999, 3.719016485455709],
    [1e-9, -5.997807015007686],
  ])("of %s is %s within 2e-9", (p, z) => {
    expect(relativeError(normalQuantile(p), z)).toBeLessThan(2e-9);
  });

  it.each([0, 1, -0.1, 1.1, NaN])("refuses %s", (p) => {
    expect(() => normalQuantile(p)).toThrow(RangeError);
  });
});

/** The point of these functions is that every machine gives these bits, the last one included. */
describe("bits", () => {
  it.each([
    [ln, [2], "3fe62e42fefa39ef"],
    [ln, [0.1], "c0026bb1bbb55515"],
    [ln, [1e-300], "c085963447f87fb5"],
    [ln, [5e-324], "c0874385446d71c3"],
    [ln, [1.7976931348623157e308], "40862e42fefa39ef"],
    [ln, [0.9999999999999999], "bca0000000000000"],
    [ln, [3.7], "3ff4eeee650ae550"],
    [exp, [1], "4005bf0a8b14576a"],
    [exp, [-20], "3e21b48655f37267"],
    [exp, [709], "7fdd422d2be5dc9b"],
    [exp, [-700], "00d14f2b0fb9307f"],
    [exp, [-744], "0000000000000002"],
    [power, [2, 0.5], "3ff6a09e667f3bcc"],
    [power, [0.3, 1.7], "3fc08819f76d9f8d"],
    [power, [1.5, 40], "416517168a452408"],
    [normalQuantile, [1e-9], "c017fdc11f49a6b6"],
    [normalQuantile, [0.02425], "bfff913f9ae19f39"],
    [normalQuantile, [0.3], "bfe0c7e395d14936"],
    [normalQuantile, [0.975], "3fff5c03325b95a6"],
  ] as [(...x: number[]) => number, number[], string][])("of %o at %j are %s", (f, x, bits) => {
    expect(bitsOf(f(...x))).toBe(bits);
  });
});
