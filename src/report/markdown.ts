/** A table; the first column (or those named) to the left, the others to the right. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  isLeft: (column: number) => boolean = (column) => column === 0,
): string {
  const rule = heads.map((_, column) => (isLeft(column) ? "---" : "---:"));
  return [heads.map(escapedCell), rule, ...rows.map((cells) => cells.map(escapedCell))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** Text in which a mark is not emphasis, and nothing a tag. */
export function escaped(text: string): string {
  return text.replace(/[|*_\\<`]/g, "\\$&");
}

function escapedCell(text: string): string {
  return escaped(text.trim());
}
