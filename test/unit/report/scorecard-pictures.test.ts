import { expect, it } from "vitest";
import { scorecardPicture } from "../../../dist/report/index.js";
import { type ScorecardRow, readPublished, PUBLISHED, experimentOf } from "../../../dist/io/index.js";

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

const shapes = (rows: ScorecardRow[]) =>
  scorecardPicture(rows).figures.map(({ shape, series, places }) => ({
    shape,
    places,
    series: Object.fromEntries(series.map(({ name, points }) => [name, points.map(({ at, row: of }) => [at, of])])),
  }));

it("numbers in ids are places of bars, other words are series", () => {
  expect(shapes([row("x.n10-a"), row("x.n5-a"), row("x.n5-b")])).toEqual([
    { shape: "bars", places: ["5", "10"], series: { a: [[0, 1], [1, 0]], b: [[0, 2]] } }, // prettier-ignore
  ]);
});

it("figure 3 is a curve over its numbers", () => {
  expect(shapes([row("fig3.n20"), row("fig3.n5")])).toEqual([
    { shape: "curve", places: [], series: { "": [[5, 1], [20, 0]] } }, // prettier-ignore
  ]);
});

it("quantiles are points of a curve by system, a picture for each part of the jobs", () => {
  const ids = ["fifo-small-p50", "fifo-small-max", "fair-small-p95", "fifo-medium-p80", "fair-medium-p80"];
  expect(shapes(ids.map((id) => row(`fig5.${id}`, { unit: "seconds" })))).toEqual([
    { shape: "quantiles", places: [], series: { FIFO: [[0.5, 0], [1, 1]], "naive fair": [[0.95, 2]] } }, // prettier-ignore
    { shape: "quantiles", places: [], series: { FIFO: [[0.8, 3]], "naive fair": [[0.8, 4]] } }, // prettier-ignore
  ]);
});

it("other rows, single ones and those of another unit are ratios; what was not measured is only in the table", () => {
  const rows = [
    row("x.n1"),
    row("x.n2"),
    row("x.n3", { unit: "share" }),
    row("x.other"),
    row("x.n4", { measured: null }),
  ];
  expect(shapes(rows)).toEqual([
    { shape: "bars", places: ["1", "2"], series: { "": [[0, 0], [1, 1]] } }, // prettier-ignore
    { shape: "ratios", places: [], series: { "": [[0, 2], [0, 3]] } }, // prettier-ignore
  ]);
  expect(scorecardPicture(rows).rows).toHaveLength(5);
});

it("a mean is within from the value less its tolerance to the value plus it, or inside the bounds", () => {
  const ends = (more: Partial<ScorecardRow>) => {
    const [{ low, high }] = scorecardPicture([row("x.a", more)]).rows;
    return [low, high];
  };
  expect(ends({})).toEqual([1.8, 2.2]);
  expect(ends({ tolerance: { absolute: 0.5 } })).toEqual([1.5, 2.5]);
  expect(ends({ published: { atLeast: 1 }, tolerance: {} })).toEqual([1, null]);
  expect(ends({ published: { atLeast: 1, atMost: 3 }, tolerance: {} })).toEqual([1, 3]);
  expect(ends({ published: { value: 2, atMost: 2.1 }, tolerance: { absolute: 0.5 } })).toEqual([1.5, 2.1]);
});

it("fitted rows and variants do not count, whatever came of them", () => {
  const { rows, summary, figures } = scorecardPicture([
    row("x.a"),
    row("x.b", { kind: "fitted", verdict: "missed" }),
    row("x.c", { kind: "variant", verdict: "missed" }),
  ]);
  expect(rows.map(({ standing, words }) => [standing, words.verdict])).toEqual([
    ["within", "within"],
    ["fitted", "fitted, missed"],
    ["variant", "variant, missed"],
  ]);
  expect(summary).toContain("1 of 1 rows within tolerance");
  expect(figures[0].note).toContain("1 of 1 rows are within tolerance");
});

it("an undecided row stands by itself, and where one more run would be is shown as it is", () => {
  const singleRun = { low: 1, high: 2.6, isInside: true };
  const { rows, summary } = scorecardPicture([
    row("x.a", { verdict: "undecided", singleRun, nullModel: { value: 1, verdict: "missed" } }),
    row("x.b", { verdict: "missed", singleRun: { ...singleRun, isInside: false } }),
    row("x.c", { nullModel: { value: 2, verdict: "within" } }),
  ]);
  expect(
    rows.map(({ standing, words, isPassedByNull }) => [standing, words.singleRun, words.nullModel, isPassedByNull]),
  ).toEqual([
    ["undecided", "inside 1.00 to 2.60", "1.00: missed", false],
    ["missed", "outside 1.00 to 2.60", "-", false],
    ["within", "-", "2.00: within", true],
  ]);
  expect(summary).toContain("1 of 3 rows within tolerance, 1 undecided");
  expect(summary).toContain("Of 2 published values, 1 could be");
});

it("a bound of our own judges a row and is no published value", () => {
  const own = { judgedBy: "ourBound", ourBound: { atLeast: 1 }, tolerance: {} } as const;
  const [{ value, isValue, atLeast, low, high, words }] = scorecardPicture([row("x.a", own)]).rows;
  expect({ value, isValue, atLeast, low, high }).toEqual({ value: 2, isValue: false, atLeast: 1, low: 1, high: null });
  expect([words.published, words.allowed]).toEqual(["2.00", ">= 1.00"]);
});

it("names are short and hold nothing that cannot be seen", () => {
  const id = `x.\u202E${"n".repeat(10_000)}`;
  const [one] = scorecardPicture([row(id, { what: id, why: id.repeat(2), source: id })]).rows;
  for (const text of [one.id, one.what, one.why, one.source]) {
    expect(text.length).toBeLessThan(2100);
    expect(text).not.toContain("\u202E");
  }
});

it("every row of the package that is measured is in one picture, and figures of one paper are in order", () => {
  const { rows } = readPublished(PUBLISHED);
  const all = rows.map((one) =>
    row(one.id, {
      kind: one.kind,
      unit: one.unit,
      published: one.published,
      ourBound: one.ourBound ?? null,
      measured: one.kind === "missing" ? null : 1,
    }),
  );
  const { figures } = scorecardPicture(all);
  const drawn = figures.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ row: of }) => of)));
  expect([...drawn].sort((a, b) => a - b)).toEqual(all.flatMap(({ measured }, at) => (measured === null ? [] : [at])));
  const ids = figures.filter(({ shape }) => shape !== "ratios").map(({ id }) => id);
  for (const name of ["fig3", "fig5", "fig6", "fig7", "fig13", "fig14", "fig15", "tab4", "mesos"]) {
    expect(
      ids.some((id) => id.startsWith(`${name}-`)),
      name,
    ).toBe(true);
  }
  expect(ids.indexOf("fig3-1")).toBeLessThan(ids.indexOf("fig13-1"));
});
