import { build, encodeIntoCompressedBase64 } from "hdr-histogram-js";

/** So many values of so many milliseconds. */
export interface ValueCount {
  /** Finite and >= 0; rounded to a whole millisecond. */
  readonly valueMs: number;
  /** A whole number >= 0. */
  readonly count: number;
}

/** A histogram keeps this many decimal digits of a value. */
const SIGNIFICANT_DIGITS = 3;

/**
 * An HdrHistogram of milliseconds in its V2 compressed form, base64: readable by every HdrHistogram library.
 * @throws RangeError on values and counts that are no such numbers; the library would count NaN as 0.
 */
export function encodeHistogram(counts: readonly ValueCount[]): string {
  let largestMs = 2;
  for (const { valueMs, count } of counts) {
    if (!(valueMs >= 0 && valueMs <= Number.MAX_SAFE_INTEGER)) {
      throw new RangeError(`a histogram needs milliseconds from 0 to 2^53, got ${String(valueMs)}`);
    }
    if (!(Number.isSafeInteger(count) && count >= 0)) {
      throw new RangeError(`a histogram needs whole counts, got ${String(count)}`);
    }
    largestMs = Math.max(largestMs, Math.round(valueMs));
  }
  const histogram = build({
    bitBucketSize: 64,
    autoResize: false,
    highestTrackableValue: largestMs,
    numberOfSignificantValueDigits: SIGNIFICANT_DIGITS,
  });
  for (const { valueMs, count } of counts) {
    if (count > 0) histogram.recordValueWithCount(Math.round(valueMs), count);
  }
  return encodeIntoCompressedBase64(histogram);
}

/** The same of single values. */
export function encodeValues(valuesMs: Iterable<number>): string {
  return encodeHistogram(Array.from(valuesMs, (valueMs) => ({ valueMs, count: 1 })));
}
