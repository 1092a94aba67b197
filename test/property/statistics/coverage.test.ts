import { describe, expect, it } from "vitest";
import {
  estimate,
  quantileEstimate,
  compareSamples,
  pairedTest,
  enoughReplications,
} from "../../../dist/experiments/index.js";
import { drawsOf } from "../../support/drawn-series.js";

const SAMPLES = 4000;

/** How often something holds in so many samples; draws go on from one to the next. */
function count(holds: () => boolean): number {
  let times = 0;
  for (let i = 0; i < SAMPLES; i++) if (holds()) times++;
  return times;
}

/** Within four standard deviations of the number that a probability gives: once in 16,000 a right one is outside. */
function expectShare(times: number, probability: number): void {
  const deviation = Math.sqrt(SAMPLES * probability * (1 - probability));
  expect(Math.abs(times - SAMPLES * probability)).toBeLessThan(4 * deviation);
}

const several = (n: number, draw: () => number) => Array.from({ length: n }, draw);

describe("in thousands of samples", () => {
  it.each([2, 3, 5, 20])("of %s, 95 of 100 intervals of the mean hold it", (n) => {
    const { normal } = drawsOf(`mean of ${n}`);
    expectShare(
      count(() => {
        const { mean, halfWidth } = estimate(several(n, () => 50 + 10 * normal()));
        return Math.abs((mean as number) - 50) <= (halfWidth as number);
      }),
      0.95,
    );
  });

  it("of values on a grid that mostly agree, the interval of the mean holds it where Student's alone does not", () => {
    // Two of three runs give 27, one of six each 24 and 30, as quantiles of response times at heartbeats every 3 s do.
    const { uniform } = drawsOf("grid");
    const value = () => [27, 27, 27, 27, 24, 30][Math.floor(6 * uniform())] as number;
    const held = (n: number, step: number) =>
      count(() => {
        const { mean, halfWidth } = estimate(several(n, value), step);
        return Math.abs((mean as number) - 27) <= (halfWidth as number) + 1e-9;
      }) / SAMPLES;
    for (const n of [3, 5, 10, 20]) expect(held(n, 3)).toBeGreaterThan(0.95);
    // Skewed: 27 in nine of ten runs, else 30.
    const skewed = () => (uniform() < 0.9 ? 27 : 30);
    const heldSkewed = (n: number, step: number) =>
      count(() => {
        const { mean, halfWidth } = estimate(several(n, skewed), step);
        return Math.abs((mean as number) - 27.3) <= (halfWidth as number) + 1e-9;
      }) / SAMPLES;
    expect(heldSkewed(5, 0)).toBeLessThan(0.5);
    for (const n of [3, 5, 10, 20]) expect(heldSkewed(n, 3)).toBeGreaterThan(0.95);
  });

  it.each([
    [6, 0.5],
    [11, 0.5],
    [100, 0.9],
  ])("of %s skewed values, the interval of the quantile of %s holds it as often as it says", (n, share) => {
    const { exponential } = drawsOf(`quantile ${n}`);
    const quantile = -Math.log(1 - share);
    const covers = quantileEstimate(
      several(n, () => 1),
      share,
    ).interval?.covers as number;
    expectShare(
      count(() => {
        const { interval } = quantileEstimate(several(n, exponential), share);
        return interval !== null && interval.low <= quantile && quantile <= interval.high;
      }),
      covers,
    );
  });

  it("of no difference, 5 of 100 tests find one at 5 %, paired or not", () => {
    const { normal } = drawsOf("no difference");
    const seeded = (values: number[], name: string) => ({ seeds: values.map((_, i) => `${name}${i}`), values });
    const common = () => {
      const base = several(5, () => 10 * normal());
      return [base.map((x) => x + normal()), base.map((x) => x + normal())] as const;
    };
    expectShare(
      count(() => (pairedTest(...common()).pValue as number) <= 0.05),
      0.05,
    );
    // Welch's degrees of freedom are an approximation, good where both samples vary alike.
    expectShare(
      count(() => {
        const [a, b] = [several(8, normal), several(12, () => 1.5 * normal())];
        return (compareSamples(seeded(a, "a"), seeded(b, "b")).pValue as number) <= 0.05;
      }),
      0.05,
    );
  });

  it("of pairs that share nine tenths of their variance, common random numbers are worth ten", () => {
    const { normal } = drawsOf("worth");
    const base = several(SAMPLES, () => 3 * normal());
    const [a, b] = [base.map((x) => x + normal()), base.map((x) => x + normal())];
    // Variances 10 + 10 apart, 1 + 1 of the difference.
    expect(pairedTest(a, b).varianceReduction).toBeGreaterThan(9);
    expect(pairedTest(a, b).varianceReduction).toBeLessThan(11);
  });
});

describe("stopping when the interval is narrow", () => {
  it("makes it hold less often than 95 of 100 times, but not much", () => {
    const { normal } = drawsOf("stop");
    const rule = { measure: "responseMean", relativeHalfWidth: 0.05, most: 500 };
    let held = 0;
    for (let point = 0; point < 1000; point++) {
      const values: number[] = [];
      for (let enough: number | null = null; enough === null; enough = enoughReplications(values, rule, 5)) {
        values.push(1 + 0.1 * normal());
      }
      const { mean, halfWidth } = estimate(values);
      expect(halfWidth as number).toBeLessThanOrEqual(0.05 * (mean as number) * (1 + 1e-12));
      if (Math.abs((mean as number) - 1) <= (halfWidth as number)) held++;
    }
    expect(held).toBeGreaterThan(905);
    expect(held).toBeLessThan(950);
  });
});
