import { type Cell, NOTHING, type TableLines } from "./tables.js";

/** Tables for papers, of the package booktabs. Knows nothing of what they say. */

const LONGEST_LABEL = 60;

/** Words as a label: only what no language of TeX makes a command of. */
export function labelOf(words: string): string {
  const letters = words.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `tab:${letters.slice(0, LONGEST_LABEL).replace(/^-|-$/g, "") || "table"}`;
}

/** A table of the package booktabs. */
export function latexLines(
  caption: string,
  label: string,
  heads: readonly string[],
  isLeft: (column: number) => boolean,
): TableLines {
  const columns = heads.map((_, column) => (isLeft(column) ? "l" : "r")).join("");
  const row = (cells: readonly Cell[]) => `    ${cells.map((cell) => latexCell(String(cell ?? ""))).join(" & ")} \\\\`;
  return {
    above: [
      ...["\\begin{table}", "  \\centering", `  \\caption{${latex(caption)}}`, `  \\label{${label}}`],
      ...[`  \\begin{tabular}{${columns}}`, "    \\toprule", row(heads), "    \\midrule"],
    ],
    row,
    below: ["    \\bottomrule", "  \\end{tabular}", "\\end{table}"],
  };
}

/** A dash in place of nothing, minus signs before numbers. */
function latexCell(cell: string): string {
  const text = cell.trim();
  if (text === "" || text === NOTHING) return "--";
  return latex(text).replaceAll(/(?<=^|[ (])-(?=[\d.])/g, "$-$");
}

const LATEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "\\textquotedbl{}",
  "±": "$\\pm$",
};

/** Text in which nothing is a command. */
export function latex(text: string): string {
  return text.replace(/[\\~^<>|"±&%$#_{}]/g, (letter) => LATEX[letter] ?? `\\${letter}`);
}
