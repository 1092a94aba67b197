import { counterHash } from "../kernel/hash.js";
import { quantileOfWord } from "../kernel/sampling.js";
import type { TaskLengths } from "./job.js";

/** Every task takes `lengthUs`. */
export class FixedLengths implements TaskLengths {
  constructor(private readonly everyUs: number) {}

  lengthUs(): number {
    return this.everyUs;
  }
}

/** The lengths as listed, one entry per task. */
export class ListedLengths implements TaskLengths {
  constructor(private readonly listUs: Float64Array | Int32Array) {}

  lengthUs(index: number): number {
    return this.listUs[index];
  }
}

/** All tasks take `fullUs` but the last of `count`, which takes `lastUs`: a file whose last block is not full. */
export class FullButLastLengths implements TaskLengths {
  constructor(
    private readonly count: number,
    private readonly fullUs: number,
    private readonly lastUs: number,
  ) {}

  lengthUs(index: number): number {
    return index === this.count - 1 ? this.lastUs : this.fullUs;
  }
}

/** What a phase's lengths are drawn from: `medianUs` x a quantile of `table`, kept within [minUs, maxUs]. */
export interface LengthDistribution {
  /** Quantiles with median 1, as `logNormalTable` makes them; shared by all jobs of one spread. */
  readonly table: Float32Array;
  readonly medianUs: number;
  readonly minUs: number;
  readonly maxUs: number;
}

/** Drawn lengths: a pure function of (seed word, job, task), whatever other jobs there are and in whatever order one asks. */
export class DrawnLengths implements TaskLengths {
  /** @param seed the word of the phase (`seedWord`), so that a job's phases draw independently. */
  constructor(
    private readonly distribution: LengthDistribution,
    private readonly seed: number,
    private readonly job: number,
  ) {}

  lengthUs(index: number): number {
    const { table, medianUs, minUs, maxUs } = this.distribution;
    const us = Math.round(medianUs * quantileOfWord(counterHash(this.seed, this.job, index), table));
    return us < minUs ? minUs : us > maxUs ? maxUs : us;
  }
}

/** The lengths of a phase that has no tasks. */
export const NO_TASKS: TaskLengths = new FixedLengths(1);

/** Groups of equal tasks, one after the other: long phases in the memory of their groups. */
export class GroupedLengths implements TaskLengths {
  private readonly ends: Float64Array;
  private readonly eachUs: Float64Array;

  constructor(groups: readonly { readonly count: number; readonly lengthUs: number }[]) {
    this.ends = new Float64Array(groups.length);
    this.eachUs = Float64Array.from(groups, (group) => group.lengthUs);
    let end = 0;
    groups.forEach((group, index) => {
      end += group.count;
      this.ends[index] = end;
    });
  }

  lengthUs(index: number): number {
    let low = 0;
    let high = this.ends.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.ends[middle] > index) high = middle;
      else low = middle + 1;
    }
    return this.eachUs[low];
  }
}
