import { describe, expect, it } from "vitest";
import { PAPER_CASE } from "../../../dist/lab/bench/decision-case.js";
import { runDecisions } from "../../../dist/lab/bench/decision-run.js";
import { FORMULAS } from "../../../dist/lab/formulas.js";
import {
  isInSpread,
  judge,
  type PublishedRow,
  scores,
  spreadOf,
  verdictOf,
} from "../../../dist/experiments/reproduce/scorecard.js";
import { estimate } from "../../../dist/experiments/statistics/estimates.js";
import { scorecardMarkdown, scorecardText } from "../../../dist/report/scorecard-report.js";
import { NO_PAINT } from "../../../dist/report/tables.js";

const ROW: PublishedRow = {
  ...{
    id: "a.b",
    kind: "hard",
    what: "skips",
    source: "a paper",
    confidence: 5,
    unit: "ratio",
    isQuick: true,
    why: "",
  },
  ...{ published: { value: 0.231 }, tolerance: { absolute: 0.001 } },
  measurement: { formula: "skipsPerNode", with: { tasks: 20, nodes: 1000, replication: 3, locality: 0.95 } },
};

describe("the verdict on a row", () => {
  it.each([
    [0.96, "within"],
    [0.959, "missed"],
    [1.04, "within"],
    [1.041, "missed"],
  ])("counts the ends of an absolute tolerance as within: %d of 1 by 0.04 is %s", (mean, verdict) => {
    expect(verdictOf(mean, { value: 1 }, { absolute: 0.04 })).toBe(verdict);
  });

  it("counts ends that binary numbers cannot say", () => {
    expect(verdictOf(0.1 + 0.2, { value: 0.2 }, { absolute: 0.1 })).toBe("within");
  });

  it("takes a relative tolerance of the published value, not of the measured one", () => {
    expect(verdictOf(115, { value: 100 }, { relative: 0.15 })).toBe("within");
    expect(verdictOf(116, { value: 100 }, { relative: 0.15 })).toBe("missed");
    expect(verdictOf(-85, { value: -100 }, { relative: 0.15 })).toBe("within");
  });

  it("takes bounds without a tolerance", () => {
    expect(verdictOf(2, { atLeast: 2, atMost: 10 }, {})).toBe("within");
    expect(verdictOf(1.99, { atLeast: 2, atMost: 10 }, {})).toBe("missed");
    expect(verdictOf(10.01, { atLeast: 2, atMost: 10 }, {})).toBe("missed");
  });

  it("is missed without a value: a run that fails makes no row better", () => {
    expect(verdictOf(null, { atLeast: 0 }, {})).toBe("missed");
    expect(verdictOf(NaN, { value: 1 }, { absolute: 1e9 })).toBe("missed");
    expect(verdictOf(Infinity, { atLeast: 1 }, {})).toBe("missed");
  });
});

describe("the spread of single runs", () => {
  const measured = estimate([4, 6, 5, 9, 6, null]);

  it.each([
    [{ value: 9 }, true],
    [{ value: 9.1 }, false],
    [{ value: 3.9 }, false],
    [{ atLeast: 8.5 }, true],
    [{ atLeast: 9.5 }, false],
    [{ atMost: 4 }, true],
    [{ atMost: 3 }, false],
  ])("from the least to the most holds %o: %s", (published, isIn) => {
    expect(isInSpread(measured, published)).toBe(isIn);
  });

  it("is not known of four runs, or of none", () => {
    expect(spreadOf(estimate([4, 5, 6, 7]))).toBeNull();
    expect(isInSpread(estimate([4, 5, 6, 7]), { value: 5 })).toBe(false);
    expect(isInSpread(null, { value: 5 })).toBe(false);
  });

  it("is told beside the verdict, and does not change it", () => {
    const row = { ...ROW, kind: "shape" as const, published: { value: 8 } };
    const rows = [{ row, measured, verdict: "missed" as const }];
    const text = scorecardText(rows, NO_PAINT, 200);
    expect(text).toContain("missed, in spread");
    expect(text).toContain("0 of 1 rows within tolerance (shape 0 of 1). Of the missed rows 1 ");
    expect(scorecardMarkdown(rows, "bide reproduce")).toContain("| missed, in spread | 4.00 to 9.00 |");
    expect(scorecardText([{ ...rows[0], verdict: "within" }], NO_PAINT, 200)).not.toContain("spread");
  });
});

describe("the count of jobs that the scheduler looks at", () => {
  const small = { nodes: 40, jobs: 12, pools: 3, tasksPerJob: 30 };

  it("is that of the bench, without its clock", async () => {
    const { counts, tasks } = await runDecisions(
      { ...PAPER_CASE, nodes: 40, jobs: 12, pools: 3, maps: 30, reduces: 30 },
      "1",
    );
    expect(tasks).toBe(720);
    expect(FORMULAS.jobsVisitedPerTask(small)).toBe(counts.jobsVisited / tasks);
    expect(counts.jobsVisited).toBeGreaterThan(0);
  });

  it.each([{ nodes: 0 }, { jobs: 1.5 }, { nodes: 1e12 }, { jobs: 1e5, tasksPerJob: 1e5 }])(
    "has no value, and takes no time, for %o",
    (wrong) => {
      expect(FORMULAS.jobsVisitedPerTask({ ...small, ...wrong })).toBeNaN();
    },
  );
});

describe("judging rows", () => {
  it("measures formulas, and misses another value", () => {
    expect(judge([ROW], new Map(), FORMULAS)[0].verdict).toBe("within");
    expect(judge([{ ...ROW, published: { value: 0.25 } }], new Map(), FORMULAS)[0].verdict).toBe("missed");
  });

  it("misses a row whose sweep has no record", () => {
    const measurement = { sweep: "gone", measure: "nodeLocalAll", at: {} };
    const [{ verdict, measured }] = judge([{ ...ROW, measurement }], new Map(), FORMULAS);
    expect([verdict, measured?.mean]).toEqual(["missed", null]);
  });

  it("prints a reason once for all of its rows, and a row of counts for each experiment", () => {
    const why = "the same cause";
    const missed = { ...ROW, published: { value: 1 }, why };
    const rows = judge([missed, { ...ROW, id: "a.c" }, { ...missed, id: "a.d" }], new Map(), FORMULAS);
    expect(scorecardText(rows, NO_PAINT, 100)).toContain("\na.b, a.d: the same cause\n");
    const page = scorecardMarkdown(rows, "bide reproduce");
    expect(page).toContain("\n- **a.b, a.d**: the same cause\n");
    expect(page.split(why)).toHaveLength(2);
    expect(page).toContain("| [a](#a) | 1 of 3 | - | - | - |");
  });

  it("counts neither fitted rows, nor variants, nor missing ones", () => {
    const rows = judge(
      [
        ROW,
        { ...ROW, id: "a.c", published: { value: 1 } },
        { ...ROW, id: "a.d", kind: "fitted" },
        { ...ROW, id: "a.f", kind: "variant", published: { value: 1 }, why: "one map per heartbeat" },
        { ...ROW, id: "a.e", kind: "missing", measurement: null, why: "no users" },
      ],
      new Map(),
      FORMULAS,
    );
    const found = scores(rows);
    expect(found.all).toEqual({ within: 1, of: 2 });
    expect(found.fitted).toEqual({ within: 1, of: 1 });
    expect(found.variant).toEqual({ within: 0, of: 1 });
    expect(scorecardText(rows, NO_PAINT, 200).replace(/\s+/g, " ")).toContain(
      "1 of 2 rows within tolerance (hard 1 of 2). Not counted: 1 fitted, 1 of a variant, 1 missing.",
    );
    const page = scorecardMarkdown(rows, "npx bide reproduce");
    expect(page).toContain("| a.d | skips | 0.23 | 0.23 | 0.0010 | fitted, within | - | a paper (5/5) |");
    expect(page).toContain("variant, missed");
    expect(page).toContain("| [a](#a) | 1 of 2 | 1 | 1 | 1 |");
    expect(page).toContain("- **a.e**: no users");
  });
});
