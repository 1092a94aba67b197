import type { Knot } from "../kernel/sampling.js";
import { US_PER_HOUR, US_PER_SECOND } from "../kernel/time.js";

/**
 * What the `facebook` workload is made of. Sources: "paper" is Zaharia et al., EuroSys 2010; "calibrated" was moved until a
 * run met the published figures named beside it (docs/calibration.md compares); "assumed" is nowhere published.
 */

/** One job-size bin of Table 2. */
export interface FacebookBin {
  /** Share of jobs in "percent" (they add up to 101). Paper, Table 2. */
  readonly share: number;
  readonly minMaps: number;
  readonly maxMaps: number;
  /** Share of jobs without reduces. */
  readonly mapOnly: number;
  /** Reduces of the others, log-uniform in between. */
  readonly minReduces: number;
  readonly maxReduces: number;
}

/**
 * mapOnly: 73 % over all jobs, as the SWIM traces of the same cluster have no shuffle bytes in 73 to 75 % of theirs; assumed
 * to fall with size. Reduce counts: calibrated to "83 % of jobs have fewer than 271 maps and fewer than 30 reduces"
 * (paper, section 4) and to the share of time in which reduce slots are short.
 */
export const FACEBOOK_BINS: readonly FacebookBin[] = [
  { share: 39, minMaps: 1, maxMaps: 1, mapOnly: 0.82, minReduces: 1, maxReduces: 1 },
  { share: 16, minMaps: 2, maxMaps: 2, mapOnly: 0.81, minReduces: 1, maxReduces: 2 },
  { share: 14, minMaps: 3, maxMaps: 20, mapOnly: 0.72, minReduces: 1, maxReduces: 20 },
  { share: 9, minMaps: 21, maxMaps: 60, mapOnly: 0.65, minReduces: 5, maxReduces: 140 },
  { share: 6, minMaps: 61, maxMaps: 150, mapOnly: 0.6, minReduces: 8, maxReduces: 280 },
  { share: 6, minMaps: 151, maxMaps: 300, mapOnly: 0.55, minReduces: 15, maxReduces: 400 },
  { share: 4, minMaps: 301, maxMaps: 500, mapOnly: 0.5, minReduces: 20, maxReduces: 450 },
  { share: 4, minMaps: 501, maxMaps: 1500, mapOnly: 0.5, minReduces: 30, maxReduces: 600 },
  { share: 3, minMaps: 1501, maxMaps: 30_000, mapOnly: 0.5, minReduces: 30, maxReduces: 1000 },
];

/** How far below the published percentiles the largest bin stays; see `LARGEST_BIN_MAPS`. */
const TAIL_SCALE = 0.78;

/**
 * Maps of a job of the largest bin. Paper: 3065, 3846 and 6232 maps at the 98th, 99th and 99.5th percentile of all jobs, i.e. at
 * 0.327, 0.663 and 0.832 of this bin, and more than 25,000 once a week. With Table 2 those percentiles mean at least 1.28 M
 * maps a day even if every job sat at the lower end of its stretch, and 1.4 M if spread evenly. To stay within 1.1 to 1.3 M the percentiles
 * are scaled by TAIL_SCALE, and stretches lean to their lower end. The cap of 30,000 and the thin last half percent are assumed.
 */
export const LARGEST_BIN_MAPS: readonly Knot[] = [
  [0, 1501],
  [0.22, 1600],
  [0.327, 3065 * TAIL_SCALE],
  [0.56, 3250 * TAIL_SCALE],
  [0.663, 3846 * TAIL_SCALE],
  [0.77, 4200 * TAIL_SCALE],
  [0.832, 6232 * TAIL_SCALE],
  [0.97, 6700 * TAIL_SCALE],
  [0.995, 8500],
  [1, 30_000],
];

/** Log-normal times: `median` x a factor of the job (sigma `between`) x a factor of the task (sigma `within`). */
export interface PhaseKnobs {
  readonly medianUs: number;
  readonly between: number;
  readonly within: number;
  /** Tasks x the job's median, at most; so that no single job decides how full a whole day is. Assumed. */
  readonly maxWorkUs: number;
  /** No task is longer. Assumed. */
  readonly maxUs: number;
}

/** Median 19 s: paper, Figure 1. Sigmas: calibrated to 27.1 map slots released per second under load, i.e. a mean of 114 s. */
export const MAP_TIME: PhaseKnobs = {
  medianUs: 19 * US_PER_SECOND,
  between: 1.81,
  within: 0.58,
  maxWorkUs: 800 * US_PER_HOUR,
  maxUs: 2 * US_PER_HOUR,
};

/** Fetching the map output, part of a reduce's time. Assumed. */
export const COPY_TIME: PhaseKnobs = {
  medianUs: 15 * US_PER_SECOND,
  between: 0.8,
  within: 0.5,
  maxWorkUs: 100 * US_PER_HOUR,
  maxUs: US_PER_HOUR,
};

/**
 * Calibrated: the median to 231 s for the *whole* reduce (paper, Figure 1), most of which is waiting for maps; the sigmas to
 * 3.0 reduce slots released per second under load.
 */
export const REDUCE_TIME: PhaseKnobs = {
  medianUs: 17 * US_PER_SECOND,
  between: 2.72,
  within: 0.7,
  maxWorkUs: 400 * US_PER_HOUR,
  maxUs: 6 * US_PER_HOUR,
};

/** Spread of the gaps between jobs; 1.1 gives a coefficient of variation of 1.5, the SWIM traces have 1.4 to 6.7. Assumed. */
export const GAP_SIGMA = 1.1;

/** Relative submissions per hour of the day. Calibrated to > 95 % of the map slots busy 21 % of the time. */
export const HOUR_WEIGHTS: readonly number[] = [
  0.65, 0.65, 0.65, 0.65, 0.65, 0.65, 0.65, 0.8, 1, 1.25, 1.55, 1.7, 1.7, 1.7, 1.7, 1.7, 1.55, 1.25, 1, 0.8, 0.65, 0.65,
  0.65, 0.65,
];

/** Shares of the five priorities, most urgent first. Assumed: Facebook's were almost all normal. */
export const PRIORITY_SHARES: readonly number[] = [0.002, 0.02, 0.955, 0.02, 0.003];

/** Jobs of the largest bin share files with jobs of at most this ratio of maps, so that a popular file cannot tip the day's total. */
export const LARGEST_BIN_CLASS_RATIO = 1.25;
