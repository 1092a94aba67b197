import { parseAllocations, type ReadAllocations } from "../../../dist/io/index.js";
import type { PoolSpec } from "../../../dist/core/scenario/index.js";
import { refusalOf } from "../scenario/refused.js";

/** A pool of which nothing is said. */
export const PLAIN_POOL: Omit<PoolSpec, "name"> = {
  parent: null,
  weight: 1,
  minMaps: 0,
  minReduces: 0,
  maxMaps: Infinity,
  maxReduces: Infinity,
  maxJobs: null,
  minShareTimeoutUs: null,
  fairShareTimeoutUs: null,
  mode: null,
};

/** Reads `<allocations>` with this inside, on line 1 right after the tag. */
export function read(inside: string): ReadAllocations {
  return parseAllocations(`<allocations>${inside}</allocations>`, "f.xml");
}

/** The message with which a whole text is refused. */
export function refusalOfText(text: string): string {
  return refusalOf(() => parseAllocations(text, "f.xml"));
}
