/** Some tasks of generated or listed jobs are far longer than the rest (Delay Scheduling, EuroSys 2010, section 3.5.1). */
export interface LongTasksSpec {
  /** Share of the jobs all of whose tasks are long, or share of all tasks. 0 to 1. */
  readonly share: number;
  /** Multiplies the time of their maps and reduces; fetching map output takes no longer. >= 1. */
  readonly factor: number;
  readonly of: "jobs" | "tasks";
}

/**
 * Hot spots: a few files that many generated jobs read. A hot file is read from its first block on, by jobs of all sizes,
 * so its first blocks are the hottest.
 */
export interface HotSpotsSpec {
  /** Share of the jobs that read a hot file in place of their own. 0 to 1. */
  readonly share: number;
  /** Hot files at a time. >= 1. */
  readonly files: number;
  /** Zipf exponent: the k-th hot file is read in proportion to k to the minus `skew`. 0: all alike. */
  readonly skew: number;
  /** After this time other files are hot. Infinity: never. */
  readonly redrawUs: number;
}

/**
 * One data set that all generated jobs read: each a run of consecutive blocks that begins anywhere. Some jobs read where it is
 * hot: a run of blocks that is drawn anew from time to time. No job reads a block twice: one with more maps than blocks has
 * as many maps as there are blocks.
 */
export interface DataSetSpec {
  /** >= 1. */
  readonly blocks: number;
  /** Share of the blocks that are hot. 0 to 1. */
  readonly hotShare: number;
  /** Share of the jobs that read hot blocks: as many of their maps as there are hot blocks. 0 to 1. */
  readonly readHot: number;
  /** After this time other blocks are hot. Infinity: never. */
  readonly redrawUs: number;
}
