import Table from "cli-table3";

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};

/** Rows in aligned columns, two blanks apart, without lines: the first column (or those named) to the left, the others to the right. */
export function textTable(
  rows: readonly (readonly string[])[],
  isLeft: (column: number) => boolean = (column) => column === 0,
): string[] {
  const table = new Table({
    chars: NO_LINES,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colAligns: rows[0].map((_, column) => (isLeft(column) ? "left" : "right")),
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
}
