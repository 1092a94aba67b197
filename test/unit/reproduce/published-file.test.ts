import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  InputError,
  checkRows,
  chosenRows,
  parsePublished,
  PUBLISHED,
  readPublished,
  loadSweep,
} from "../../../dist/io/index.js";

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

/** Where a file is refused; empty: it is not. */
function placeOf(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (error) {
    return (error as Error).message.split(": ", 1)[0]!;
  }
}

describe("a file of published values", () => {
  it("is read", () => {
    expect(parsePublished(changed(), "p.yaml").rows).toMatchObject([{ id: "fig1.a", isQuick: false, why: "" }]);
  });

  const REFUSED = [
    ["kind: shapes"],
    ['published: { value: "0.5" }'],
    ["published: {}"],
    ["published: { upTo: 2 }"],
    ["ourBound: {}"],
    ["ourBound: { atLeast: 0 }"],
    ["ourBound: { value: 1 }"],
    ["published: { atLeast: 2, atMost: 1 }", "tolerance: {}"],
    ["ourBound: { atLeast: 2, atMost: 1 }", "tolerance: {}"],
    ["ourBound: { atLeast: .inf }"],
    ["tolerance: {}"],
    ["tolerance: { absolute: 1, relative: 1 }"],
    ["published: { atLeast: 1 }"],
    [`trend: [${PAIRS(3)}]`],
    ['trend: [{ of: { jobs: "5" } }]'],
    ["trend: up"],
    ["tolerance: { absolute: -1 }"],
    ["published: { value: .inf }"],
    ["confidence: 6"],
    ["colour: red"],
    ["measure: nodeLocall"],
    ["at: ~"],
    ["formula: magic"],
    ["formula: local", "with: { preferred: 1, skips: 1 }"],
    ["kind: variant"],
    ["kind: fitted"],
    ["kind: missing", "why: so"],
  ];

  it("is refused at the place of what is wrong", () => {
    const places = REFUSED.map((lines) => placeOf(read(changed(...lines))));
    expect(places.join(" ")).toMatchInlineSnapshot(
      `"p.yaml:4:11 p.yaml:7:25 p.yaml:7:16 p.yaml:7:16 p.yaml:14:15 p.yaml:8:16 p.yaml:14:17 p.yaml:7:16 p.yaml:14:15 p.yaml:14:26 p.yaml:8:16 p.yaml:8:16 p.yaml:8:16 p.yaml:3:5 p.yaml:14:13 p.yaml:14:12 p.yaml:8:28 p.yaml:7:25 p.yaml:10:17 p.yaml:14:5 p.yaml:12:14 p.yaml:13:9 p.yaml:14:14 p.yaml:3:5 p.yaml:3:5 p.yaml:3:5 p.yaml:4:11"`,
    );
    expect(placeOf(read(`${changed()}${GOOD.join("\n")}\n`))).not.toBe("");
    expect(placeOf(read("why: a test\nrows: []\n"))).not.toBe("");
  });
});

describe("rows beside their sweeps", () => {
  const { plan } = loadSweep(join(dirname(PUBLISHED), "fig3.yaml"));
  const check = (text: string) => () => {
    checkRows(parsePublished(text, "p.yaml"), new Map([["fig3", plan]]));
  };

  it("are taken where the sweep has their points and measure, else refused there", () => {
    expect(check(changed())).not.toThrow();
    expect(check(withTrend(PAIRS(3)))).not.toThrow();
    const wrong = [
      withTrend(PAIRS(3).replace('to: { jobs: "10" }', 'to: { jobs: "7" }')),
      changed('at: { jobs: "7" }'),
      changed('at: { job: "5" }'),
      changed("measure: makespanSeconds"),
    ];
    expect(wrong.map((text) => placeOf(check(text))).join(" ")).toMatchInlineSnapshot(
      `"p.yaml:13:38 p.yaml:13:9 p.yaml:13:9 p.yaml:12:14"`,
    );
  });
});

describe("the published values of the package", () => {
  const published = readPublished(PUBLISHED);

  it("have as many formulas among the hard rows as docs/reproduce.md says", () => {
    const hard = published.rows.filter(({ kind }) => kind === "hard");
    const formulas = hard.filter(({ measurement }) => measurement !== null && "formula" in measurement);
    const page = readFileSync(new URL("../../../docs/reproduce.md", import.meta.url), "utf8").replace(/\s+/g, " ");
    expect(page).toContain(`Of the ${hard.length} rows of kind \`hard\` ${formulas.length} are formulas`);
  });

  it("are chosen by experiment and by row", () => {
    expect(chosenRows(published.rows, ["fig11"]).map(({ id }) => id)).toEqual([
      "fig11.half",
      "fig11.third",
      "fig11.local",
    ]);
    expect(chosenRows(published.rows, ["fig11.half"])).toHaveLength(1);
    expect(() => chosenRows(published.rows, ["fig99"])).toThrow(InputError);
  });
});
