import type { Measure } from "./measure.js";
import { RESPONSE_MEASURES } from "./response-measures.js";
import { RUN_MEASURES } from "./run-measures.js";
import { SLOWDOWN_MEASURES } from "./slowdown.js";

/** What a comparison lists, in its order. */
export const MEASURES: readonly Omit<Measure, "of">[] = [...RESPONSE_MEASURES, ...SLOWDOWN_MEASURES, ...RUN_MEASURES];

/** Those that a run has by itself. */
export const OWN_MEASURES: readonly Measure[] = [...RESPONSE_MEASURES, ...RUN_MEASURES];
