import { describe, expect, it } from "vitest";
import {
  compareRun,
  updatedBaseline,
  type RegressRun,
  type RunFigures,
  type SpeedFigures,
} from "../../../dist/experiments/index.js";

const MACHINE = { cpu: "abacus", cores: 1, memoryGiB: 1, node: "v20", platform: "linux x64", bide: "1" };
const RULES: RegressRun = {
  name: "a",
  seeds: ["1", "2", "3"],
  exact: [],
  statistics: { measures: [], tolerance: 0.1 },
  speed: null,
  memory: null,
};

/** A run whose measure `m` has these values; a null is a run without. */
function figures(values: readonly (number | null)[], more: Partial<RunFigures> = {}): RunFigures {
  const replications = values.map((value, i) => ({
    seed: String(i + 1),
    fingerprint: "0".repeat(32),
    virtualSeconds: 10,
    counts: { maps: 5, kills: 0 },
    values: { m: value },
  }));
  return {
    name: "a",
    replications,
    speed: null,
    peakMemoryMiB: null,
    machine: MACHINE,
    question: { scenario: "s" },
    ...more,
  };
}

const costing = (ratio: number, calibration = 1): SpeedFigures => ({
  ratio,
  cpuSeconds: ratio / 2,
  calibrationSeconds: 0.5,
  calibration,
});

describe("statistics", () => {
  const rules = { ...RULES, statistics: { measures: ["m"], tolerance: 0.1 } };
  const verdict = (before: (number | null)[], now: (number | null)[]): string =>
    compareRun(rules, figures(before), figures(now), true)[0].verdict;

  it.each([
    ["equal values", [100, 200, 300], [100, 200, 300], "same"],
    // Differences 50, 50, 50: no spread at all, 25 % of the mean.
    ["sure and large", [100, 200, 300], [150, 250, 350], "changed"],
    ["sure and large, downwards", [100, 200, 300], [50, 150, 250], "changed"],
    // Differences 5, 5, 5 are sure, and 2.5 % of the mean.
    ["sure and small", [100, 200, 300], [105, 205, 305], "within"],
    // Differences 150, -30, 0: mean 40 is 20 %, half-width 4.30 * 96.4 / sqrt(3) = 240.
    ["large and not sure", [100, 200, 300], [250, 170, 300], "within"],
    ["from 0", [0, 0, 0], [1, 1, 1], "changed"],
    ["no values on either side", [null, null, null], [null, null, null], "same"],
    ["no values any more", [1, 2, 3], [null, null, null], "changed"],
    ["values where there were none", [null, null, null], [1, 2, 3], "changed"],
    ["one value", [null, null, 3], [null, null, 30], "within"],
  ])("%s", (_, before, now, expected) => {
    expect(verdict(before, now)).toBe(expected);
  });

  it("more seeds than the baseline has: by Welch's test, and nothing else is compared", () => {
    const run = { ...rules, seeds: ["1", "2", "3", "4"] };
    const compared = compareRun(run, figures([10, 11, 12]), figures([20, 21, 22, 21]), false);
    expect(compared.map(({ what, verdict: found }) => [what, found])).toEqual([["m", "changed"]]);
    expect(compared[0].detail).toContain("other seeds, by Welch's test");
    const exact = compareRun(
      { ...run, exact: ["fingerprint"] },
      figures([10, 11, 12]),
      figures([10, 11, 12, 13]),
      false,
    );
    expect(exact.map(({ what, verdict: found }) => [what, found])).toEqual([
      ["seeds", "changed"],
      ["m", "within"],
    ]);
  });
});

describe("exact figures", () => {
  it("the first seed that differs is shown, and how many do", () => {
    const now = figures([1, 1, 1]);
    const replications = now.replications.map((one, i) => (i === 0 ? one : { ...one, virtualSeconds: 10 + i }));
    const rules: RegressRun = { ...RULES, exact: ["fingerprint", "virtualSeconds", "counts"] };
    expect(compareRun(rules, figures([1, 1, 1]), { ...now, replications }, false)).toMatchObject([
      { what: "fingerprint", verdict: "same" },
      { what: "virtualSeconds", verdict: "changed", baseline: 10, now: 11, detail: "2 of 3 seeds (shown: seed 2)" },
      { what: "counts", verdict: "same", baseline: "all 2", now: "all 2" },
    ]);
  });
});

describe("speed and memory", () => {
  const rules: RegressRun = { ...RULES, speed: { tolerance: 1.5, repeats: 1 }, memory: { tolerance: 1.25 } };
  const compared = (ratio: number, peakMemoryMiB: number, withSpeed = true): [string, string][] =>
    compareRun(
      rules,
      figures([1, 1, 1], { speed: costing(10), peakMemoryMiB: 100 }),
      figures([1, 1, 1], { speed: costing(ratio), peakMemoryMiB }),
      withSpeed,
    ).map(({ what, verdict }) => [what, verdict]);

  it.each([
    [15, 125, "within", "within"],
    [15.1, 126, "worse", "worse"],
    [6.7, 80, "within", "within"],
    [6.6, 79, "stale", "stale"],
  ])("ratio %d and %d MiB: %s, %s", (ratio, memory, speed, peak) => {
    expect(compared(ratio, memory)).toEqual([
      ["speed", speed],
      ["peak memory", peak],
    ]);
  });

  it("a baseline without speed, or of another calibration loop: new", () => {
    for (const speed of [null, costing(10, 2)]) {
      const now = figures([1, 1, 1], { speed: costing(10) });
      expect(compareRun(rules, figures([1, 1, 1], { speed }), now, true)).toMatchObject([
        { what: "speed", verdict: "new" },
      ]);
    }
  });
});

describe("an updated baseline", () => {
  const old = figures([1, 2, 3], { speed: costing(10), peakMemoryMiB: 100 });
  const named = (name: string, from = old): RunFigures => ({ ...from, name });

  it("has the runs of the plan in its order; those that were not measured stay", () => {
    const former = { runs: [named("c"), named("gone"), named("a")] };
    const fresh = [named("b", figures([7, 8, 9]))];
    const { baseline, dropped } = updatedBaseline(former, ["a", "b", "c", "d"], fresh);
    expect(baseline.runs).toEqual([named("a"), fresh[0], named("c")]);
    expect(dropped).toEqual(["gone"]);
  });

  it("keeps the speed of before where none was measured, and only of the same seeds", () => {
    const of = (fresh: RunFigures): RunFigures => updatedBaseline({ runs: [old] }, ["a"], [fresh]).baseline.runs[0];
    expect(of(figures([4, 5, 6]))).toEqual(figures([4, 5, 6], { speed: costing(10), peakMemoryMiB: 100 }));
    expect(of(figures([4, 5]))).toEqual(figures([4, 5]));
    const measured = figures([4, 5, 6], { speed: costing(20), peakMemoryMiB: 50 });
    expect(of(measured)).toEqual(measured);
  });
});
