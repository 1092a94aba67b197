/** `a, b, c`, followed by `; did you mean "b"?` when `found` is close to one of them. */
export function allowedNames(names: readonly string[], found: unknown): string {
  const near = typeof found === "string" ? nearest(found, names) : undefined;
  return names.join(", ") + (near === undefined ? "" : `; did you mean "${near}"?`);
}

/** The name that `found` most likely stands for; undefined when none is close. */
export function nearest(found: string, names: readonly string[]): string | undefined {
  const wanted = plain(found);
  if (wanted.length === 0 || wanted.length > 40) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(wanted, plain(name));
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Spelling without case and separators: `map_slots`, `map-slots` and `mapSlots` are one. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, "");
}

/** Insertions, deletions, replacements and swaps of neighbours between two short words. */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, previous[j] + 1, row[j - 1] + 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) row[j] = Math.min(row[j], beforePrevious[j - 2] + 1);
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length];
}
