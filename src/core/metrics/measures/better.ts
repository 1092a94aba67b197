import type { Measure } from "./measure.js";

/** Which values of a measure are better. */
export type Better = "lower" | "higher";

/** Of what lies between the others it cannot be said. */
const UNDECIDED: readonly string[] = ["rackLocalAll"];
const HIGHER: readonly string[] = ["nodeLocalSmall", "nodeLocalAll", "mapsPerSecond", "jain"];

/** null: neither is better by itself. Times, waits, waste, bytes and cost are better lower. */
export function betterOf({ key }: Pick<Measure, "key">): Better | null {
  if (UNDECIDED.includes(key)) return null;
  return HIGHER.includes(key) ? "higher" : "lower";
}
