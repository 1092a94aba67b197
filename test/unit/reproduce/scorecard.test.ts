import { describe, expect, it } from "vitest";
import { FORMULAS } from "../../../dist/lab/index.js";
import {
  allowedRange,
  judge,
  type Judged,
  type PublishedRow,
  risingShare,
  scores,
  singleRunOf,
  verdictOf,
  estimate,
} from "../../../dist/experiments/index.js";
import { scorecardMarkdown } from "../../../dist/report/index.js";

const ROW: PublishedRow = {
  id: "a.b",
  kind: "hard",
  what: "skips",
  source: "a paper",
  confidence: 5,
  unit: "ratio",
  isQuick: true,
  why: "",
  published: { value: 0.231 },
  tolerance: { absolute: 0.001 },
  measurement: { formula: "skipsPerNode", with: { tasks: 20, nodes: 1000, replication: 3, locality: 0.95 } },
};

/** Of a mean that is known exactly. */
function verdictAt(mean: number | null, published: Judged["published"], tolerance: Judged["tolerance"]) {
  return verdictOf({ mean, halfWidth: null }, allowedRange({ published, ourBound: undefined, tolerance }));
}

describe("the verdict on a row", () => {
  it.each([
    [0.96, "within"],
    [0.959, "missed"],
    [1.04, "within"],
    [1.041, "missed"],
  ])("counts the ends of an absolute tolerance as within: %d of 1 by 0.04 is %s", (mean, verdict) => {
    expect(verdictAt(mean, { value: 1 }, { absolute: 0.04 })).toBe(verdict);
  });

  it("takes a relative tolerance of the published value, not of the measured one", () => {
    expect(verdictAt(115, { value: 100 }, { relative: 0.15 })).toBe("within");
    expect(verdictAt(116, { value: 100 }, { relative: 0.15 })).toBe("missed");
    expect(verdictAt(-85, { value: -100 }, { relative: 0.15 })).toBe("within");
  });

  it("takes bounds without a tolerance", () => {
    expect(verdictAt(2, { atLeast: 2, atMost: 10 }, {})).toBe("within");
    expect(verdictAt(1.99, { atLeast: 2, atMost: 10 }, {})).toBe("missed");
    expect(verdictAt(10.01, { atLeast: 2, atMost: 10 }, {})).toBe("missed");
  });

  it("goes by a bound of our own where there is one, whatever value is published", () => {
    const range = allowedRange({ published: { value: 2.25 }, ourBound: { atLeast: 1 }, tolerance: {} });
    expect(range).toEqual([1, Infinity]);
    expect(allowedRange({ published: { upTo: 3.9 }, ourBound: { atLeast: 2 }, tolerance: {} })[0]).toBe(2);
  });

  it("is missed without a value: a run that fails makes no row better", () => {
    expect(verdictAt(null, { atLeast: 0 }, {})).toBe("missed");
    expect(verdictAt(NaN, { value: 1 }, { absolute: 1e9 })).toBe("missed");
    expect(verdictAt(Infinity, { atLeast: 1 }, {})).toBe("missed");
  });

  it.each([
    [1, 0.1, "within"],
    [1, 0.2, "within"],
    [1, 0.21, "undecided"],
    [1.15, 0.1, "undecided"],
    [1.25, 0.1, "undecided"],
    [1.35, 0.1, "missed"],
    [0.65, 0.1, "missed"],
    [1, 5, "undecided"],
  ])("of %d ± %d, where 0.8 to 1.2 is allowed, is %s", (mean, halfWidth, verdict) => {
    expect(verdictOf({ mean, halfWidth }, [0.8, 1.2])).toBe(verdict);
  });
});

describe("single runs", () => {
  // Mean 6, standard deviation 2: 2 to 10.
  const measured = estimate([4, 4, 6, 8, 8, null]);
  const shape = { kind: "shape" as const };

  it.each([
    [{ value: 10 }, true],
    [{ value: 10.1 }, false],
    [{ value: 1.9 }, false],
    [{ value: 2 }, true],
    [{ atLeast: 8.5 }, null],
  ])("lie within two standard deviations of the mean: %o is inside: %s", (published, isInside) => {
    expect(singleRunOf({ ...shape, published }, measured)).toEqual({ low: 2, high: 10, isInside });
  });

  it("say nothing of a formula, a law, or a value that does not judge the row", () => {
    const published = { value: 6 };
    expect(singleRunOf({ kind: "hard", published }, measured)?.isInside).toBeNull();
    expect(singleRunOf({ kind: "physics", published }, measured)?.isInside).toBeNull();
    expect(singleRunOf({ ...shape, published, ourBound: { atLeast: 1 } }, measured)?.isInside).toBeNull();
  });

  it("are not known of four, or of none", () => {
    expect(singleRunOf({ ...shape, published: { value: 5 } }, estimate([4, 5, 6, 7]))).toBeNull();
    expect(singleRunOf({ ...shape, published: { value: 5 } }, estimate([]))).toBeNull();
  });

  it("of equal values on a grid still differ by half a step", () => {
    const { low, high } = singleRunOf({ ...shape, published: { value: 5 } }, estimate([5, 5, 5, 5, 5], 3))!;
    expect([low, high]).toEqual([2, 8]);
  });
});

describe("the null model", () => {
  const rows = judge(
    [
      { ...ROW, id: "a.both", kind: "shape", published: { value: 0.231 } },
      { ...ROW, id: "a.alone", kind: "shape", published: { value: 0.231 } },
      { ...ROW, id: "a.neither", kind: "shape", published: { value: 9 } },
      { ...ROW, id: "a.null", kind: "shape", published: {}, ourBound: { atLeast: 1 }, tolerance: {} },
      { ...ROW, id: "a.law", kind: "physics" },
    ],
    new Map(),
    FORMULAS,
    new Map([["a.both", 0.2305], ["a.alone", 1], ["a.neither", 1], ["a.null", 1]]), // prettier-ignore
  );

  it("has a verdict beside ours, and what is within beyond it is counted", () => {
    expect(rows.map(({ verdict, nullModel }) => [verdict, nullModel?.verdict])).toEqual([
      ["within", "within"],
      ["within", "missed"],
      ["missed", "missed"],
      ["missed", "within"],
      ["within", undefined],
    ]);
    const found = scores(rows);
    expect(found.shape).toEqual({ within: 2, undecided: 0, of: 4, nullWithin: 2, beyondNull: 1 });
    expect(found.by.value).toMatchObject({ within: 3, of: 4, beyondNull: 2 });
    expect(found.by.ourBound).toMatchObject({ within: 0, of: 1, nullWithin: 1 });
    const page = scorecardMarkdown(rows, "bide reproduce").replace(/\s+/g, " ");
    expect(page).toContain("simulates nothing passes 2 of the rows of kind shape; of the other 2, 1 are within.");
    expect(page).toContain("| [a](#a) | 5 | 3 | 0 | 2 | 2 | 2 | - | - | - |");
    expect(page).toContain("| bounds of our own | 1 | 0 | 0 | 1 | 1 | 0 |");
  });
});

describe("a trend", () => {
  it.each([
    [[1, 1.1, 1.2, 1.3], 1],
    [[1.3, 1.2, 1.1, 1], -1],
    [[1, 1, 1], 0],
    [[1.06, 1.19, 1.07, 1.02], -1 / 3],
    [[1, 2, null], null],
  ])("of %j is %s", (ratios, share) => {
    if (share === null) expect(risingShare(ratios)).toBeNull();
    else expect(risingShare(ratios)).toBeCloseTo(share, 12);
  });
});
