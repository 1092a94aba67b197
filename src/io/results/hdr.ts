// Two of its files: the package as a whole brings WebAssembly, logs and formatters of numbers, and doubles what it
// costs to load.
import { encodeIntoCompressedBase64 } from "hdr-histogram-js/dist/encoding.js";
import { constructorFromBucketSize } from "hdr-histogram-js/dist/JsHistogramFactory.js";

/** A number of values of one length in milliseconds. */
interface ValueCount {
  /** Finite and >= 0; rounded to a whole millisecond. */
  readonly valueMs: number;
  /** A whole number >= 0. */
  readonly count: number;
}

/** A histogram keeps this many decimal digits of a value. */
const SIGNIFICANT_DIGITS = 3;
/** Counts are doubles: whole up to 2^53. */
const Float64Histogram = constructorFromBucketSize(64);

/**
 * Returns an HdrHistogram of milliseconds in the V2 compressed form, as base64, which every HdrHistogram library reads.
 * @throws RangeError for a value outside of 0 to 2^53 or a count that is not whole; the library would count NaN as 0.
 */
export function encodeHistogram(counts: readonly ValueCount[]): string {
  let largestMs = 2;
  for (const { valueMs, count } of counts) {
    if (!(valueMs >= 0 && valueMs <= Number.MAX_SAFE_INTEGER)) {
      throw new RangeError(`a histogram needs milliseconds from 0 to 2^53, got ${valueMs}`);
    }
    if (!(Number.isSafeInteger(count) && count >= 0)) {
      throw new RangeError(`a histogram needs whole counts, got ${count}`);
    }
    largestMs = Math.max(largestMs, Math.round(valueMs));
  }
  const histogram = new Float64Histogram(1, largestMs, SIGNIFICANT_DIGITS);
  for (const { valueMs, count } of counts) {
    if (count > 0) histogram.recordValueWithCount(Math.round(valueMs), count);
  }
  return encodeIntoCompressedBase64(histogram);
}

/** Returns the same for single values. */
export function encodeValues(valuesMs: Iterable<number>): string {
  return encodeHistogram(Array.from(valuesMs, (valueMs) => ({ valueMs, count: 1 })));
}
