import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pointDifferences, sweepResults } from "../../../dist/experiments/index.js";
import { latex, latexTables, sweepLatex } from "../../../dist/report/index.js";
import { doneRun, secondsAxis, sweepPlan, sweepRecord } from "../../support/hand-made-sweeps.js";

/** What TeX would print of words without markup: the reverse of the escapes, written anew. */
function printed(text: string): string {
  return text
    .replace(/\\text(backslash|asciitilde|asciicircum|less|greater|bar|quotedbl)\{\}/g, (_, name: string) => {
      return { backslash: "\0", asciitilde: "~", asciicircum: "^", less: "<", greater: ">", bar: "|", quotedbl: '"' }[
        name
      ]!;
    })
    .replaceAll("$\\pm$", "±")
    .replace(/\\([&%$#_{}])/g, "$1")
    .replaceAll("\0", "\\");
}

describe("text for LaTeX", () => {
  it("has no command, comment or column of its own", () => {
    expect(latex(String.raw`100 % of a&b_c \input{x} #1 $x^2~|<">± {`)).toBe(
      String.raw`100 \% of a\&b\_c \textbackslash{}input\{x\} \#1 \$x\textasciicircum{}2\textasciitilde{}` +
        String.raw`\textbar{}\textless{}\textquotedbl{}\textgreater{}$\pm$ \{`,
    );
  });

  it("is printed as it was, whatever it is", () => {
    const texts = fc.string({ unit: fc.constantFrom(...String.raw`ab \{}%&$#_^~<>|"±-`) });
    fc.assert(
      fc.property(texts, (text) => {
        expect(printed(latex(text))).toBe(text);
      }),
    );
  });
});

describe("tables in LaTeX", () => {
  it("have a caption, a label, a column for each head, rules, a minus sign where one is, and no empty cell", () => {
    const rows = [
      ["a_b", "-1.0±0.2", "<0.001***"],
      ["1-20", "-", ""],
    ];
    const table = {
      title: "Response time, s",
      caption: "Response time, s. Of 50 %.",
      heads: ["pool", "p95, s", "p"],
      rows,
    };
    expect(latexTables("b", [["Scenario", "x"]], [table]).split("\n")).toEqual([
      "% Scenario: x",
      "",
      String.raw`\begin{table}`,
      String.raw`  \centering`,
      String.raw`  \caption{Response time, s. Of 50 \%.}`,
      String.raw`  \label{tab:b-response-time}`,
      String.raw`  \begin{tabular}{lrr}`,
      String.raw`    \toprule`,
      String.raw`    pool & p95, s & p \\`,
      String.raw`    \midrule`,
      String.raw`    a\_b & $-$1.0$\pm$0.2 & \textless{}0.001*** \\`,
      String.raw`    1-20 & -- & -- \\`,
      String.raw`    \bottomrule`,
      String.raw`  \end{tabular}`,
      String.raw`\end{table}`,
      "",
    ]);
  });

  it("have labels of their own, whatever they are called", () => {
    const titles = [
      "Pool a.b",
      "Pool a_b",
      "Pool a-b; 3 more",
      String.raw`}\input{x}%`,
      "\u6771\u4eac",
      "x".repeat(500),
    ];
    const tables = titles.map((title) => ({ title, caption: title, heads: ["a"], rows: [] }));
    const text = latexTables("", [], tables);
    const labels = [...text.matchAll(/\\label\{([^}]*)\}/g)].map(([, label]) => label!);
    expect(new Set(labels).size).toBe(titles.length);
    for (const label of labels) expect(label).toMatch(/^tab:[a-z0-9-]{1,63}$/);
  });
});

describe("a comparison and a sweep in LaTeX", () => {
  it("say in the caption what the numbers are of, and have neither an empty cell nor a hyphen for a minus", () => {
    const plan = sweepPlan([secondsAxis("W1", 0, 5)], { replications: 3 });
    const record = sweepRecord(plan, ({ index }, replication) =>
      doneRun({
        nodeLocalSmall: 0.9 - index / 2 + ((1 + index) * replication) / 100,
        responseP95: index === 0 ? null : replication,
      }),
    );
    const differences = pointDifferences(record, { kind: "point", index: 0 });
    const view = { results: sweepResults(record), measures: plan.measures, baseline: { name: "W1=0s", differences } };
    const text = sweepLatex(view);
    expect(text).toContain(
      String.raw`Of small: mean over replications $\pm$ half-width of its 95 \% interval, ? of fewer than 10 runs, too few for 95 \%; all jobs count; --: no value.}`,
    );
    expect(text).toContain("the baseline is W1=0s; p of the paired t test");
    expect(text).toContain(String.raw`$-$49.0$\pm$`);
    expect(text.match(/\\label\{.*\}/g)).toEqual([
      String.raw`\label{tab:small-points}`,
      String.raw`\label{tab:small-differences-to-the-baseline}`,
    ]);
    for (const line of text.split("\n").filter((one) => one.includes(" & "))) {
      expect(line).not.toMatch(/(^ *&)|(& *&)|(& *\\\\)|(& -(?!-))/);
    }
  });
});
