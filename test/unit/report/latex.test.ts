import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latex, latexTable } from "../../../dist/report/tables.js";

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

describe("a table in LaTeX", () => {
  it("has a column for each head, its rules, and a row for each row", () => {
    expect(latexTable("50 %", ["pool", "p95, s"], [["a_b", "1.0±0.2"]]).split("\n")).toEqual([
      String.raw`\begin{table}`,
      String.raw`  \centering`,
      String.raw`  \caption{50 \%}`,
      String.raw`  \begin{tabular}{lr}`,
      String.raw`    \toprule`,
      String.raw`    pool & p95, s \\`,
      String.raw`    \midrule`,
      String.raw`    a\_b & 1.0$\pm$0.2 \\`,
      String.raw`    \bottomrule`,
      String.raw`  \end{tabular}`,
      String.raw`\end{table}`,
    ]);
    expect(latexTable(null, ["a"], [])).not.toContain("caption");
  });
});
