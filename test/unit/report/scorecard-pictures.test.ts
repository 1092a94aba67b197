import { expect, it } from "vitest";
import { scorecardPicture } from "../../../dist/report/index.js";
import { type ScorecardRow, experimentOf } from "../../../dist/io/index.js";

function row(id: string, more: Partial<ScorecardRow> = {}): ScorecardRow {
  return {
    id,
    experiment: experimentOf(id),
    kind: "shape",
    what: "a row",
    unit: "ratio",
    source: "a paper",
    why: "",
    published: { value: 2 },
    judgedBy: "value",
    ourBound: null,
    tolerance: { relative: 0.1 },
    confidence: 5,
    verdict: "within",
    measured: 2.1,
    halfWidth: 0.1,
    values: [2, 2.2],
    singleRun: null,
    nullModel: null,
    ...more,
  };
}

const all = (...ids: string[]): ScorecardRow[] => ids.map((id) => row(id));
const singleRun = { low: 1, high: 2.6, isInside: true };
const long = `x.\u202E${"n".repeat(3000)}`;

it.each<[what: string, rows: ScorecardRow[]]>([
  ["numbers in ids are places of bars, other words are series", all("x.n10-a", "x.n5-a", "x.n5-b")],
  ["figure 3 is a curve over its numbers", all("fig3.n20", "fig3.n5")],
  [
    "quantiles are points of a curve by system, a picture for each part of the jobs",
    ["fifo-small-p50", "fifo-small-max", "fair-small-p95", "fifo-medium-p80", "fair-medium-p80"].map((id) =>
      row(`fig5.${id}`, { unit: "seconds" }),
    ),
  ],
  [
    "other rows are ratios; what was not measured is only in the table",
    [...all("x.n1", "x.n2", "x.other"), row("x.n3", { unit: "share" }), row("x.n4", { measured: null })],
  ],
  [
    "a mean is within from the value less its tolerance to the value plus it, or inside the bounds",
    [
      row("x.a", { tolerance: { absolute: 0.5 } }),
      row("x.b", { published: { atLeast: 1 }, tolerance: {} }),
      row("x.c", { published: { value: 2, atMost: 2.1 }, tolerance: { absolute: 0.5 } }),
      row("x.d", { judgedBy: "ourBound", ourBound: { atLeast: 1 }, tolerance: {} }),
    ],
  ],
  [
    "fitted rows and variants do not count, an undecided row stands by itself",
    [
      row("x.b", { kind: "fitted", verdict: "missed" }),
      row("x.c", { kind: "variant", verdict: "missed" }),
      row("x.d", { verdict: "undecided", singleRun, nullModel: { value: 1, verdict: "missed" } }),
      row("x.e", { verdict: "missed", singleRun: { ...singleRun, isInside: false } }),
      row("x.f", { nullModel: { value: 2, verdict: "within" } }),
    ],
  ],
  ["names are short and hold nothing that cannot be seen", [row(long, { what: long, why: long, source: long })]],
])("%s", (_, rows) => {
  expect(scorecardPicture(rows)).toMatchSnapshot();
});
