import type { RecordWords } from "../../core/record/index.js";
import { wordsOfMeasure } from "./pool-measures.js";

/** The known part of a run. */
interface MeasuredRun {
  readonly fingerprint: string;
  readonly values: Readonly<Record<string, number | null>>;
  readonly steps?: Readonly<Record<string, number>> | undefined;
}

/**
 * The seed changes nothing of these runs, which differ in nothing else: they did the same, or all that was measured of
 * them is the same, some time among it that lies on no grid. Where all times do, equal ones may be chance.
 */
export function areAlike(runs: readonly MeasuredRun[], words?: RecordWords): boolean {
  if (runs.length < 2) return false;
  const [first] = runs;
  if (runs.every(({ fingerprint }) => fingerprint === first.fingerprint)) return true;
  let hasTime = false;
  for (const [key, value] of Object.entries(first.values)) {
    const isSame = runs.every(({ values }) => values[key] === value);
    if (isSame && hasTime) continue;
    const measure = wordsOfMeasure(key, words);
    if (measure?.group === "cost") continue;
    if (!isSame) return false;
    if (measure?.unit === "seconds" && value !== null && value > 0 && (first.steps?.[key] ?? 0) === 0) hasTime = true;
  }
  return hasTime;
}
