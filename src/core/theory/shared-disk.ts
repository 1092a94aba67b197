import { refusal, requireNonNegative, requirePositive } from "./domain.js";

/** Reads that come at random to one disk, all served at once and alike: M/G/1 with processor sharing. */
export interface SharedDisk {
  /** Poisson (lambda). */
  readonly readsPerSecond: number;
  /** Mean time of a read that has the disk for itself (1 / mu). */
  readonly readSeconds: number;
}

/**
 * (1 / mu) / (1 - rho): the mean time of a read, whatever the distribution of sizes. Kleinrock, Queueing Systems II (1976),
 * section 4.4.
 * @throws RangeError unless readsPerSecond >= 0, readSeconds > 0, and their product (rho) is less than 1.
 */
export function meanReadSeconds(disk: SharedDisk): number {
  return readSecondsOf(disk, disk.readSeconds);
}

/**
 * x / (1 - rho): the mean time of those reads that would take `aloneSeconds` (x) alone: all are slowed down alike. Section 4.4.
 * @throws RangeError unless aloneSeconds >= 0, and as `meanReadSeconds`.
 */
export function readSecondsOf(disk: SharedDisk, aloneSeconds: number): number {
  requireNonNegative("readsPerSecond", disk.readsPerSecond);
  requirePositive("readSeconds", disk.readSeconds);
  requireNonNegative("aloneSeconds", aloneSeconds);
  const load = disk.readsPerSecond * disk.readSeconds;
  if (load >= 1) throw refusal("readsPerSecond * readSeconds", load, "a number less than 1");
  return aloneSeconds / (1 - load);
}

/**
 * When each of some reads ends that start together and share a disk equally, in the order given. With sizes x1 <= x2 <= ... of n reads,
 * the i-th ends (n - i + 1) (xi - x(i-1)) / C after the one before.
 * @throws RangeError unless bytesPerSecond (C) > 0 and all sizes are >= 0.
 */
export function sharedReadEndSeconds(bytes: readonly number[], bytesPerSecond: number): number[] {
  requirePositive("bytesPerSecond", bytesPerSecond);
  for (const size of bytes) requireNonNegative("bytes", size);
  const order = bytes.map((_, i) => i).sort((a, b) => bytes[a] - bytes[b]);
  const ends = bytes.map(() => 0);
  let seconds = 0;
  let read = 0;
  order.forEach((i, ended) => {
    seconds += ((bytes.length - ended) * (bytes[i] - read)) / bytesPerSecond;
    read = bytes[i];
    ends[i] = seconds;
  });
  return ends;
}
