import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkRows, chosenRows, parsePublished, PUBLISHED, readPublished, loadSweep } from "../../../dist/io/index.js";

const HEAD = "why: a test\nrows:\n";
const GOOD = [
  "  - id: fig1.a",
  "    kind: shape",
  "    what: locality",
  "    unit: share",
  "    published: { value: 0.5 }",
  "    tolerance: { absolute: 0.1 }",
  "    source: a paper",
  "    confidence: 4",
  "    sweep: fig3",
  "    measure: nodeLocalAll of scans",
  '    at: { jobs: "5" }',
];

/** The rows with one line in place of the one that begins with the same key. */
function changed(...lines: readonly string[]): string {
  const keys = lines.map((line) => line.trim().split(":")[0]);
  const kept = GOOD.map((line) => {
    const at = keys.indexOf(line.trim().replace(/^- /, "").split(":")[0]);
    return at < 0 ? line : `    ${lines[at].trim()}`;
  });
  const added = lines.filter((_, i) => !GOOD.some((line) => line.trim().replace(/^- /, "").startsWith(`${keys[i]}:`)));
  return `${HEAD}${[...kept, ...added.map((line) => `    ${line}`)].join("\n")}\n`;
}

const PAIRS = (count: number): string =>
  Array.from({ length: count }, () => '{ of: { jobs: "5" }, to: { jobs: "10" } }').join(", ");

/** The rows with a trend in place of the point. */
const withTrend = (pairs: string): string => changed(`trend: [${pairs}]`).replace('    at: { jobs: "5" }\n', "");

const read = (text: string) => () => parsePublished(text, "p.yaml");

describe("a file of published values", () => {
  it("is read", () => {
    expect(parsePublished(changed(), "p.yaml").rows).toMatchObject([{ id: "fig1.a", isQuick: false, why: "" }]);
  });

  it.each([
    [
      "an unknown kind",
      ["kind: shapes"],
      'p.yaml:4:11: found "shapes" for rows.0.kind, allowed hard, shape, physics, fitted, variant, missing; did you mean "shape"?',
    ],
    ["a value that is text", ['published: { value: "0.5" }'], "allowed a number"],
    [
      "no value",
      ["published: {}"],
      "found nothing for rows.0.published, allowed value, atLeast or atMost, or else ourBound",
    ],
    ["only the most of many", ["published: { upTo: 2 }"], "found only upTo for rows.0.published"],
    [
      "a bound of one's own that is none",
      ["ourBound: {}"],
      "found nothing for rows.0.ourBound, allowed atLeast or atMost",
    ],
    [
      "a bound of one's own beside a tolerance",
      ["ourBound: { atLeast: 0 }"],
      "allowed none, since ourBound judges the row",
    ],
    ["a value among one's own bounds", ["ourBound: { value: 1 }"], "value"],
    [
      "bounds that nothing is inside",
      ["published: { atLeast: 2, atMost: 1 }", "tolerance: {}"],
      "found atLeast 2 above atMost 1 for rows.0.published",
    ],
    [
      "own bounds that nothing is inside",
      ["ourBound: { atLeast: 2, atMost: 1 }", "tolerance: {}"],
      "found atLeast 2 above atMost 1 for rows.0.ourBound",
    ],
    ["an infinite bound", ["ourBound: { atLeast: .inf }"], "allowed a number"],
    [
      "a value without tolerance",
      ["tolerance: {}"],
      "found 0 tolerances for rows.0.tolerance, allowed absolute or relative",
    ],
    ["two tolerances", ["tolerance: { absolute: 1, relative: 1 }"], "found 2 tolerances"],
    ["a tolerance of bounds", ["published: { atLeast: 1 }"], "allowed none, since there are only bounds"],
    ["a trend beside a point", [`trend: [${PAIRS(3)}]`], "found no single point, pair of points or trend"],
    ["a pair without its other point", ['trend: [{ of: { jobs: "5" } }]'], "rows.0.trend.0.to"],
    ["a trend that is no list", ["trend: up"], "rows.0.trend"],
    ["a negative tolerance", ["tolerance: { absolute: -1 }"], "allowed a number of at least 0"],
    ["an infinite value", ["published: { value: .inf }"], "allowed a number"],
    ["confidence 6", ["confidence: 6"], "allowed a whole number from 1 to 5"],
    ["an unknown key", ["colour: red"], "colour"],
    ["an unknown measure", ["measure: nodeLocall"], 'did you mean "nodeLocal'],
    ["a sweep without point", ["at: ~"], "rows.0.at"],
    ["an unknown formula", ["formula: magic"], "allowed skipsPerNode"],
    [
      "a sweep and a formula",
      ["formula: local", "with: { preferred: 1, skips: 1 }"],
      "found both for rows.0, allowed either sweep or formula",
    ],
    ["a variant without why", ["kind: variant"], "a row of kind variant without why"],
    ["a fitted row without why", ["kind: fitted"], "a row of kind fitted without why"],
    ["a missing row with a measurement", ["kind: missing", "why: so"], "allowed no measurement"],
  ])("with %s is refused", (_, lines, message) => {
    expect(read(changed(...lines))).toThrow(message);
  });

  it("takes a trend of three to twenty pairs", () => {
    expect(parsePublished(withTrend(PAIRS(3)), "p.yaml").rows[0].measurement).toMatchObject({
      trend: [{ of: { jobs: "5" } }, {}, {}],
    });
    for (const count of [2, 21]) {
      expect(read(withTrend(PAIRS(count)))).toThrow(
        `found ${String(count)} pairs for rows.0.trend, allowed 3 to 20 pairs`,
      );
    }
  });

  it("with one id twice is refused", () => {
    expect(read(`${changed()}${GOOD.join("\n")}\n`)).toThrow("fig1.a");
  });

  it("without rows is refused", () => {
    expect(read("why: a test\nrows: []\n")).toThrow("allowed a list of at least one of rows");
  });
});

describe("rows beside their sweeps", () => {
  const { plan } = loadSweep(join(dirname(PUBLISHED), "fig3.yaml"));
  const check = (text: string) => () => {
    checkRows(parsePublished(text, "p.yaml"), new Map([["fig3", plan]]));
  };

  it("that have the point and the measure are taken", () => {
    expect(check(changed())).not.toThrow();
  });

  it("with a trend one of whose points is none are refused at that point", () => {
    const wrong = PAIRS(3).replace('to: { jobs: "10" }', 'to: { jobs: "7" }');
    expect(check(withTrend(PAIRS(3)))).not.toThrow();
    expect(check(withTrend(wrong))).toThrow("rows.0.trend.0.to");
  });

  it.each([
    ["a point that is none", ['at: { jobs: "7" }'], "allowed a label of each axis: jobs: 5 | 10 | 15 | 20 | 30 | 50"],
    ["an axis that is none", ['at: { job: "5" }'], "allowed a label of each axis"],
    ["a measure that is not kept", ["measure: makespanSeconds"], "allowed nodeLocalAll of scans"],
  ])("with %s are refused", (_, lines, message) => {
    expect(check(changed(...lines))).toThrow(message);
  });
});

describe("the published values of the package", () => {
  const published = readPublished(PUBLISHED);

  it("have as many formulas among the hard rows as docs/reproduce.md says", () => {
    const hard = published.rows.filter(({ kind }) => kind === "hard");
    const formulas = hard.filter(({ measurement }) => measurement !== null && "formula" in measurement);
    const page = readFileSync(new URL("../../../docs/reproduce.md", import.meta.url), "utf8").replace(/\s+/g, " ");
    expect(page).toContain(
      `Of the ${String(hard.length)} rows of kind \`hard\` ${String(formulas.length)} are formulas`,
    );
  });

  it("name sweeps, points and measures that there are", () => {
    const names = published.rows.flatMap(({ measurement }) =>
      measurement === null || "formula" in measurement ? [] : [measurement.sweep],
    );
    const plans = new Map(
      [...new Set(names)].map((name) => [name, loadSweep(join(dirname(PUBLISHED), `${name}.yaml`)).plan] as const),
    );
    expect(() => {
      checkRows(published, plans);
    }).not.toThrow();
  });

  it("are in no code that measures", () => {
    const code = [
      "../../../src/experiments/reproduce/scorecard.ts",
      "../../../src/experiments/measures/unlisted-measures.ts",
    ]
      .map((path) => readFileSync(new URL(path, import.meta.url), "utf8"))
      .join("");
    const printed = published.rows.flatMap(({ published: { value } }) => (value === undefined ? [] : [String(value)]));
    expect(printed.filter((value) => value.length > 3 && code.includes(value))).toEqual([]);
  });

  it("from memory have a confidence of 3 at most, and those off a copy of a figure 4", () => {
    const wrong = published.rows.filter(
      ({ source, confidence }) =>
        (source.includes("from memory") && confidence > 3) || (source.includes("off a copy") && confidence > 4),
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
    expect(published.rows.filter(({ source }) => source.includes("from memory")).length).toBeGreaterThan(30);
  });

  it("are chosen by experiment and by row", () => {
    expect(chosenRows(published.rows, ["fig11"]).map(({ id }) => id)).toEqual([
      "fig11.half",
      "fig11.third",
      "fig11.local",
    ]);
    expect(chosenRows(published.rows, ["fig11.half"])).toHaveLength(1);
    expect(() => chosenRows(published.rows, ["fig99"])).toThrow(
      'bide reproduce: found "fig99", allowed the id of a row',
    );
  });
});
