import { NOTHING } from "./tables.js";

/** Tables for papers, of the package booktabs. Knows nothing of what they say. */

const LONGEST_LABEL = 60;

/** Words as a label: only what no language of TeX makes a command of. */
export function labelOf(words: string): string {
  const letters = words.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return `tab:${letters.slice(0, LONGEST_LABEL).replace(/^-|-$/g, "") || "table"}`;
}

/** The lines above and below the rows of a table. */
export function latexFrame(
  caption: string,
  label: string,
  heads: readonly string[],
  isLeft: (column: number) => boolean,
): { readonly above: string; readonly below: string } {
  const columns = heads.map((_, column) => (isLeft(column) ? "l" : "r")).join("");
  const above = [
    ...["\\begin{table}", "  \\centering", `  \\caption{${latex(caption)}}`, `  \\label{${label}}`],
    ...[`  \\begin{tabular}{${columns}}`, "    \\toprule", latexRow(heads), "    \\midrule"],
  ];
  const below = ["    \\bottomrule", "  \\end{tabular}", "\\end{table}"];
  return { above: above.join("\n"), below: below.join("\n") };
}

export function latexRow(cells: readonly string[]): string {
  return `    ${cells.map(latexCell).join(" & ")} \\\\`;
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
