import type { Tell } from "./connect.js";

const SILENCE_MS = 30_000;
const MOST_REMEMBERED = 1000;

/** Says the same thing again only after half a minute. */
export function sparing(tell: Tell): Tell {
  const said = new Map<string, number>();
  return (line) => {
    const now = performance.now();
    const before = said.get(line);
    if (before !== undefined && now - before < SILENCE_MS) return;
    if (said.size >= MOST_REMEMBERED) said.clear();
    said.set(line, now);
    tell(line);
  };
}
