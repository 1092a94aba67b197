export { type Actor, Agenda } from "./agenda.js";
export { assert } from "./assert.js";
export { EventSet } from "./event-set.js";
export { FAILED, FINISHED, Fingerprint, KILLED, LAUNCHED, LOST, OUTPUT_LOST, SOURCE_GONE } from "./fingerprint.js";
export { IntArena, JOBS_AT_FIRST, widened, widenedTo } from "./growing-arrays.js";
export { counterHash, drawOf, entityWord, fractionOf, mix32, scaled, seedWord } from "./hash.js";
export {
  type Knot,
  cumulativeShares,
  empirical,
  exponential,
  exponentialTable,
  indexByShare,
  logNormal,
  logNormalTable,
  logUniform,
  logUniformInteger,
  pareto,
  quantileOfWord,
} from "./sampling.js";
export { SliceGrid } from "./slices.js";
export { streamFor } from "./streams.js";
export { DOUBLE_ZERO, MAX_TIME_US, US_PER_HOUR, US_PER_MINUTE, US_PER_MS, US_PER_SECOND, formatTime } from "./time.js";
export { exp, ln, normalQuantile, power } from "./transcendental.js";
export { wrapped } from "./wrapped.js";
export { counted, editDistance, fixed, grouped, harmless, nearest, printable } from "./words.js";
export { median } from "./median.js";
