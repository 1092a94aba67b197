import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from "hdr-histogram-js";

/** Percentiles that tables show of a histogram. */
export const PERCENTILES = [50, 90, 99, 99.9, 99.99] as const;

const SIGNIFICANT_DIGITS = 3;
/** A minute: nothing that is timed here takes longer. */
const LONGEST_NS = 60_000_000_000;
const NS_PER_US = 1_000;

/** Nanoseconds in an HdrHistogram of three digits. */
export class LatencyHistogram {
  private constructor(private readonly histogram: Histogram) {}

  static empty(): LatencyHistogram {
    const bounds = { bitBucketSize: 64, autoResize: false, highestTrackableValue: LONGEST_NS } as const;
    return new LatencyHistogram(build({ ...bounds, numberOfSignificantValueDigits: SIGNIFICANT_DIGITS }));
  }

  /** Restores a histogram from `compressed`, of this or any other HdrHistogram library. */
  static from(compressed: string): LatencyHistogram {
    return new LatencyHistogram(decodeFromCompressedBase64(compressed, 64));
  }

  get count(): number {
    return this.histogram.totalCount;
  }

  /**
   * @param ns whole nanoseconds; those beyond a minute count as one.
   * @throws RangeError on what is no such number: the library would count NaN as 0.
   */
  add(ns: number, count = 1): void {
    if (!(ns >= 0)) throw new RangeError(`a latency needs nanoseconds from 0, got ${ns}`);
    this.histogram.recordValueWithCount(Math.min(ns, LONGEST_NS), count);
  }

  /** Adds all that another one holds. */
  merge(added: LatencyHistogram): void {
    this.histogram.add(added.histogram);
  }

  /** The percentile of the values in microseconds, to three digits. */
  percentileUs(percent: number): number {
    return this.histogram.getValueAtPercentile(percent) / NS_PER_US;
  }

  /** To three digits too, so that no percentile exceeds it. */
  get maxUs(): number {
    return this.percentileUs(100);
  }

  /** V2 compressed, base64. */
  compressed(): string {
    return encodeIntoCompressedBase64(this.histogram);
  }

  /** The percentile distribution in microseconds, as HdrHistogram's plotter reads it (`.hgrm`). */
  distribution(): string {
    return this.histogram.outputPercentileDistribution(undefined, NS_PER_US);
  }
}
