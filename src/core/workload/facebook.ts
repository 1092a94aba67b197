import {
  counterHash,
  fractionOf,
  seedWord,
  cumulativeShares,
  empirical,
  indexByShare,
  type Knot,
  Lists,
  logNormal,
  logNormalTable,
  logUniformInteger,
  quantileOfWord,
  US_PER_HOUR,
  US_PER_SECOND,
  ln,
} from "../kernel/index.js";
import type { FacebookWorkloadSpec, StorageSpec } from "../scenario/index.js";
import {
  DrawnLengths,
  type FileSpec,
  JobOwners,
  type JobSpec,
  PER_STEP,
  type TaskLengths,
  type Workload,
} from "./job.js";

/** The job-size classes of the paper (Table 2), by number of maps. Bounds are inclusive. */
interface SizeBin {
  readonly label: string;
  readonly minMaps: number;
  readonly maxMaps: number;
}

export const SIZE_BINS: readonly SizeBin[] = [1, 2, 20, 60, 150, 300, 500, 1500, Infinity].map((maxMaps, bin, ends) => {
  const minMaps = bin === 0 ? 1 : ends[bin - 1] + 1;
  if (minMaps === maxMaps) return { label: String(maxMaps), minMaps, maxMaps };
  return {
    label: maxMaps === Infinity ? `>${minMaps - 1}` : `${minMaps}-${maxMaps}`,
    minMaps,
    maxMaps,
  };
});

/** In place of an index into SIZE_BINS: the job has reduces only. */
const NO_MAPS = -1;

/** Index into SIZE_BINS of a job with `maps` maps, or -1: the paper has no class for jobs without maps. */
export function sizeBinOf(maps: number): number {
  let bin = SIZE_BINS.length - 1;
  while (bin > NO_MAPS && maps < SIZE_BINS[bin].minMaps) bin--;
  return bin;
}

/** All that `sizeBinOf` gives, in rising order. */
export const SIZE_CLASSES: readonly { readonly bin: number; readonly label: string }[] = [
  { bin: NO_MAPS, label: "0" },
  ...SIZE_BINS.map(({ label }, bin) => ({ bin, label })),
];

/** @param maps of a job. */
export function sizeLabelOf(maps: number): string {
  return SIZE_CLASSES[sizeBinOf(maps) - NO_MAPS].label;
}

/**
 * The parameters of the `facebook` workload. Sources: "paper" is Zaharia et al., EuroSys 2010; "calibrated" was moved
 * until a run met the published figures named beside it (docs/calibration.md compares); "assumed" is nowhere published.
 */

/** The jobs of one class of SIZE_BINS. */
interface FacebookBin {
  /** Share of jobs in "percent" (they add up to 101). Paper, Table 2. */
  readonly share: number;
  /** Share of jobs without reduces. */
  readonly mapOnly: number;
  /** Reduces of the others, log-uniform in between. */
  readonly minReduces: number;
  readonly maxReduces: number;
}

/**
 * mapOnly: 73 % over all jobs, as the SWIM traces of the same cluster have no shuffle bytes in 73 to 75 % of theirs;
 * assumed to fall with size. Reduce counts: calibrated to "83 % of jobs have fewer than 271 maps and fewer than 30
 * reduces" (paper, section 4) and to the share of time in which reduce slots are short.
 */
export const FACEBOOK_BINS: readonly FacebookBin[] = [
  { share: 39, mapOnly: 0.82, minReduces: 1, maxReduces: 1 },
  { share: 16, mapOnly: 0.81, minReduces: 1, maxReduces: 2 },
  { share: 14, mapOnly: 0.72, minReduces: 1, maxReduces: 20 },
  { share: 9, mapOnly: 0.65, minReduces: 5, maxReduces: 140 },
  { share: 6, mapOnly: 0.6, minReduces: 8, maxReduces: 280 },
  { share: 6, mapOnly: 0.55, minReduces: 15, maxReduces: 400 },
  { share: 4, mapOnly: 0.5, minReduces: 20, maxReduces: 450 },
  { share: 4, mapOnly: 0.5, minReduces: 30, maxReduces: 600 },
  { share: 3, mapOnly: 0.5, minReduces: 30, maxReduces: 1000 },
];

/** Scale by which the largest bin stays below the published percentiles; see `LARGEST_BIN_MAPS`. */
const TAIL_SCALE = 0.78;

/**
 * Maps of a job of the largest bin. Paper: 3065, 3846 and 6232 maps at the 98th, 99th and 99.5th percentile of all
 * jobs, i.e. at
 * 0.327, 0.663 and 0.832 of this bin, and more than 25,000 once a week. With Table 2 those percentiles mean at least
 * 1.28 M maps a day even if every job sat at the lower end of its stretch, and 1.4 M if spread evenly. To stay within
 * 1.1 to 1.3 M the percentiles are scaled by TAIL_SCALE, and stretches lean to their lower end. The cap of 30,000 and
 * the thin last half percent are assumed.
 */
const LARGEST_BIN_MAPS: readonly Knot[] = [
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
interface PhaseKnobs {
  readonly medianUs: number;
  readonly between: number;
  readonly within: number;
  /** Tasks x the job's median, at most; so that no single job decides how full a whole day is. Assumed. */
  readonly maxWorkUs: number;
  /** No task is longer. Assumed. */
  readonly maxUs: number;
}

/**
 * Median 19 s: paper, Figure 1. Sigmas: calibrated to 27.1 map slots released per second under load, i.e. a mean of 114
 * s.
 */
const MAP_TIME: PhaseKnobs = {
  medianUs: 19 * US_PER_SECOND,
  between: 1.81,
  within: 0.58,
  maxWorkUs: 800 * US_PER_HOUR,
  maxUs: 2 * US_PER_HOUR,
};

/** Fetching the map output, part of a reduce's time. Assumed. */
const COPY_TIME: PhaseKnobs = {
  medianUs: 15 * US_PER_SECOND,
  between: 0.8,
  within: 0.5,
  maxWorkUs: 100 * US_PER_HOUR,
  maxUs: US_PER_HOUR,
};

/**
 * Calibrated: the median to 231 s for the *whole* reduce (paper, Figure 1), most of which is waiting for maps; the
 * sigmas to
 * 3.0 reduce slots released per second under load.
 */
const REDUCE_TIME: PhaseKnobs = {
  medianUs: 17 * US_PER_SECOND,
  between: 2.72,
  within: 0.7,
  maxWorkUs: 400 * US_PER_HOUR,
  maxUs: 6 * US_PER_HOUR,
};

/**
 * Spread of the gaps between jobs; 1.1 gives a coefficient of variation of 1.5, the SWIM traces have 1.4 to 6.7.
 * Assumed.
 */
const GAP_SIGMA = 1.1;

/** Relative submissions per hour of the day. Calibrated to > 95 % of the map slots busy 21 % of the time. */
const HOUR_WEIGHTS: readonly number[] = [
  0.65, 0.65, 0.65, 0.65, 0.65, 0.65, 0.65, 0.8, 1, 1.25, 1.55, 1.7, 1.7, 1.7, 1.7, 1.7, 1.55, 1.25, 1, 0.8, 0.65, 0.65,
  0.65, 0.65,
];

/** Shares of the five priorities, most urgent first. Assumed: Facebook's were almost all normal. */
const PRIORITY_SHARES: readonly number[] = [0.002, 0.02, 0.955, 0.02, 0.003];

/**
 * Jobs of the largest bin share files with jobs of at most this ratio of maps, so that a popular file cannot tip the
 * day's total.
 */
const LARGEST_BIN_CLASS_RATIO = 1.25;

const LARGEST_BIN = FACEBOOK_BINS.length - 1;

const BIN_SHARES = cumulativeShares(FACEBOOK_BINS.map((bin) => bin.share));

const PRIORITIES_BY_SHARE = cumulativeShares(PRIORITY_SHARES);

/**
 * A synthetic day (or any other span) of Facebook's cluster of October 2009: see facebook-knobs.ts for every choice and
 * its source. Exactly `spec.jobs` jobs, submitted in [0, spec.spanUs).
 */
export function* facebookWorkload(
  spec: FacebookWorkloadSpec,
  storage: Pick<StorageSpec, "rereadProbability">,
  rootSeed: string,
): Generator<undefined, Workload> {
  const submitUs = yield* submitTimes(spec.jobs, spec.spanUs, GAP_SIGMA, HOUR_WEIGHTS, rootSeed);
  const strata = new JobStrata(rootSeed);
  const owners = new JobOwners(spec, rootSeed);
  const attachment = new FileAttachment(storage.rereadProbability, rootSeed);
  const maps = new PhaseLengths("map", MAP_TIME, 1, spec.timeScale, rootSeed);
  const copies = new PhaseLengths("copy", COPY_TIME, 0, spec.timeScale, rootSeed);
  const reduces = new PhaseLengths("reduce", REDUCE_TIME, 1, spec.timeScale, rootSeed);
  const prioritySeed = seedWord(rootSeed, "workload/priority");
  const copySeed = seedWord(rootSeed, "workload/copy-speed");
  const jobs: JobSpec[] = [];
  const digits = String(spec.jobs).length;
  for (let job = 0; job < spec.jobs; job++) {
    if (job % PER_STEP === 0) yield;
    const draw = strata.drawOf(job);
    const bin = indexByShare(draw.size, BIN_SHARES);
    const drawnMaps = mapsOf(bin, draw);
    const file = attachment.fileOf(job, sizeClassOf(bin, drawnMaps), drawnMaps);
    const mapCount = attachment.files[file].blocks;
    const reduceCount = reducesOf(bin, draw);
    jobs.push({
      name: `job${String(job + 1).padStart(digits, "0")}`,
      submitAtUs: submitUs[job],
      ...owners.ofJob(job),
      priority: indexByShare(fractionOf(counterHash(prioritySeed, job, 0)), PRIORITIES_BY_SHARE),
      maps: mapCount,
      reduces: reduceCount,
      mapLengths: maps.ofJob(job, mapCount, draw.mapTime),
      copyLengths: copies.ofJob(job, reduceCount, fractionOf(counterHash(copySeed, job, 0))),
      reduceLengths: reduces.ofJob(job, reduceCount, draw.reduceTime),
      input: { file, firstBlock: 0 },
    });
  }
  return { jobs, files: attachment.files, notes: [] };
}

/** Log-uniform inside the bin; the largest by its published percentiles. */
function mapsOf(bin: number, draw: JobDraw): number {
  const from = bin === 0 ? 0 : BIN_SHARES[bin - 1];
  const inside = (draw.size - from) / (BIN_SHARES[bin] - from);
  const { minMaps, maxMaps } = SIZE_BINS[bin];
  return bin === LARGEST_BIN
    ? Math.floor(empirical(inside, LARGEST_BIN_MAPS))
    : logUniformInteger(inside, minMaps, maxMaps);
}

/** Jobs of one class may read one file: the bin, cut finer where sizes differ by more than a factor of a few. */
function sizeClassOf(bin: number, maps: number): number {
  if (bin !== LARGEST_BIN) return bin;
  return bin + Math.floor(ln(maps / SIZE_BINS[bin].minMaps) / ln(LARGEST_BIN_CLASS_RATIO));
}

function reducesOf(bin: number, draw: JobDraw): number {
  const { mapOnly, minReduces, maxReduces } = FACEBOOK_BINS[bin];
  if (draw.reduceCount < mapOnly) return 0;
  return logUniformInteger((draw.reduceCount - mapOnly) / (1 - mapOnly), minReduces, maxReduces);
}

/** The lengths of one phase over all jobs: the job's own speed, and a table of task factors that all jobs share. */
class PhaseLengths {
  private readonly table: Float32Array;
  private readonly seed: number;

  constructor(
    phase: string,
    private readonly knobs: PhaseKnobs,
    private readonly minUs: number,
    private readonly timeScale: number,
    rootSeed: string,
  ) {
    this.table = logNormalTable(knobs.within);
    this.seed = seedWord(rootSeed, `workload/${phase}-length`);
  }

  ofJob(job: number, tasks: number, fraction: number): TaskLengths {
    const { medianUs, between, maxWorkUs, maxUs } = this.knobs;
    const distribution = {
      table: this.table,
      medianUs: Math.min(maxWorkUs / tasks, logNormal(fraction, medianUs, between)) * this.timeScale,
      minUs: this.minUs,
      maxUs: Math.max(this.minUs, Math.round(maxUs * this.timeScale)),
    };
    return new DrawnLengths(distribution, this.seed, job);
  }
}

/**
 * Stratified draws of the properties of a job that few large jobs decide for a whole day.
 *
 * A day has some 220 jobs of the largest bin, and they bring more than half of its maps. Drawn independently, their
 * sizes and speeds would make one seed's day half as heavy again as another's, and no published figure could be met by
 * more than luck. So jobs come in blocks of 1010 (ten times the 101 "percent" of Table 2): inside a block every stratum
 * of the size distribution appears exactly once, in an order shuffled by the seed, and the other properties follow a
 * lattice over strata and blocks, shifted at random as a whole. Each single job still has exactly the stated
 * distribution.
 *
 * A job's draws depend on the root seed and its position alone: another job shifts no other draws.
 */
export const STRATA_PER_BLOCK = 1010;

/** Fractions in (0, 1), each uniform, for one job. */
interface JobDraw {
  readonly size: number;
  readonly mapTime: number;
  readonly reduceCount: number;
  readonly reduceTime: number;
}

/**
 * Steps of the lattice from stratum to stratum: powers of the inverse of the root of x^4 = x + 1, which fill three
 * dimensions evenly (an R3 lattice); and from block to block: sqrt(5) - 2.
 */
const STRATUM_STEPS = { mapTime: 0.5497004779019703, reduceCount: 0.8191725133961645, reduceTime: 0.6710436067037893 };

const BLOCK_STEP = 0.2360679774997897;

export class JobStrata {
  private readonly shuffleSeed: number;
  private readonly jitterSeed: number;
  private readonly mapTimeShift: number;
  private readonly reduceCountShift: number;
  private readonly reduceTimeShift: number;
  private block = -1;
  private strata = new Uint16Array(STRATA_PER_BLOCK);

  constructor(rootSeed: string) {
    this.shuffleSeed = seedWord(rootSeed, "workload/strata");
    this.mapTimeShift = fractionOf(seedWord(rootSeed, "workload/map-time-shift"));
    this.reduceCountShift = fractionOf(seedWord(rootSeed, "workload/reduce-count-shift"));
    this.reduceTimeShift = fractionOf(seedWord(rootSeed, "workload/reduce-time-shift"));
    this.jitterSeed = seedWord(rootSeed, "workload/jitter");
  }

  /** Cheap when jobs are requested in rising order. */
  drawOf(job: number): JobDraw {
    const block = Math.floor(job / STRATA_PER_BLOCK);
    if (block !== this.block) this.shuffle(block);
    const stratum = this.strata[job - block * STRATA_PER_BLOCK];
    return {
      size: (stratum + fractionOf(counterHash(this.jitterSeed, job, 0))) / STRATA_PER_BLOCK,
      mapTime: fractionalPart(this.mapTimeShift + block * BLOCK_STEP + stratum * STRATUM_STEPS.mapTime),
      reduceCount: fractionalPart(this.reduceCountShift + block * BLOCK_STEP + stratum * STRATUM_STEPS.reduceCount),
      reduceTime: fractionalPart(this.reduceTimeShift + block * BLOCK_STEP + stratum * STRATUM_STEPS.reduceTime),
    };
  }

  /** Fisher-Yates, by draws of this block alone. */
  private shuffle(block: number): void {
    this.block = block;
    for (let i = 0; i < STRATA_PER_BLOCK; i++) this.strata[i] = i;
    for (let i = STRATA_PER_BLOCK - 1; i > 0; i--) {
      const j = Math.floor(fractionOf(counterHash(this.shuffleSeed, block, i)) * (i + 1));
      const stratum = this.strata[i];
      this.strata[i] = this.strata[j];
      this.strata[j] = stratum;
    }
  }
}

/** Kept off 0 and 1, where quantiles are infinite. */
function fractionalPart(x: number): number {
  return Math.min(Math.max(x - Math.floor(x), Number.EPSILON), 1 - Number.EPSILON);
}

const HOURS_PER_DAY = 24;

const DAY_US = HOURS_PER_DAY * US_PER_HOUR;

/**
 * Submission times of exactly `count` jobs in [0, spanUs), rising. Gaps are log-normal with spread `gapSigma`, scaled
 * so that all jobs fit, then stretched by the hour of the day: an hour of weight 2 receives twice the jobs of an hour
 * of weight 1. The run starts at hour 0 and the profile repeats daily. Another job at the end shifts no gap, only the
 * common scale.
 */
function* submitTimes(
  count: number,
  spanUs: number,
  gapSigma: number,
  hourWeights: readonly number[],
  rootSeed: string,
): Generator<undefined, Float64Array> {
  const seed = seedWord(rootSeed, "workload/gap");
  const table = logNormalTable(gapSigma);
  const times = new Float64Array(count);
  let sum = 0;
  for (let job = 0; job <= count; job++) {
    if (job % PER_STEP === 0) yield;
    sum += quantileOfWord(counterHash(seed, job, 0), table);
    if (job < count) times[job] = sum;
  }
  const day = new DayProfile(hourWeights);
  const activity = day.activityUntil(spanUs);
  for (let job = 0; job < count; job++) {
    if (job % PER_STEP === 0) yield;
    times[job] = Math.min(spanUs - 1, Math.round(day.timeOfActivity((times[job] / sum) * activity)));
  }
  return times;
}

/** A clock that runs faster in busy hours. Activity 1 = one day. */
class DayProfile {
  private readonly shares: Float64Array;

  constructor(hourWeights: readonly number[]) {
    this.shares = cumulativeShares(hourWeights);
  }

  activityUntil(atUs: number): number {
    const days = Math.floor(atUs / DAY_US);
    const hours = (atUs - days * DAY_US) / US_PER_HOUR;
    const hour = Math.min(HOURS_PER_DAY - 1, Math.floor(hours));
    return days + this.before(hour) + (hours - hour) * this.weight(hour);
  }

  /** The inverse of `activityUntil`. */
  timeOfActivity(activity: number): number {
    const days = Math.floor(activity);
    const fraction = activity - days;
    const hour = indexByShare(fraction, this.shares);
    return days * DAY_US + (hour + (fraction - this.before(hour)) / this.weight(hour)) * US_PER_HOUR;
  }

  private before(hour: number): number {
    return hour === 0 ? 0 : this.shares[hour - 1];
  }

  private weight(hour: number): number {
    return this.shares[hour] - this.before(hour);
  }
}

/**
 * The file that each generated job reads. With probability `rereadProbability` a job reads the file of an earlier job
 * of its size class, chosen uniformly among those jobs: files that were read often are found often, so popularity
 * follows a Yule-Simon law, with a Zipf-like tail of exponent 1 + 1/rereadProbability. Otherwise it reads a new file.
 * Files persist and exist from the start.
 */
export class FileAttachment {
  readonly files: FileSpec[] = [];
  /** By size class: the files that its jobs read so far. */
  private readonly read = new Lists<number>();
  private readonly rereadSeed: number;
  private readonly choiceSeed: number;

  constructor(
    private readonly rereadProbability: number,
    rootSeed: string,
  ) {
    this.rereadSeed = seedWord(rootSeed, "workload/reread");
    this.choiceSeed = seedWord(rootSeed, "workload/choice");
  }

  /**
   * Returns the index in `files` of the input of `job`; its blocks are the job's maps. Jobs must come in order.
   * @param sizeClass jobs share files within a class only.
   * @param maps size of the file if it is new.
   */
  fileOf(job: number, sizeClass: number, maps: number): number {
    const earlier = this.read.of(sizeClass);
    const rereads = earlier.length > 0 && fractionOf(counterHash(this.rereadSeed, job, 0)) < this.rereadProbability;
    let file = this.files.length;
    if (rereads) {
      file = earlier[Math.floor(fractionOf(counterHash(this.choiceSeed, job, 0)) * earlier.length)];
    } else {
      this.files.push({ name: `data/${file}`, blocks: maps });
    }
    this.read.add(sizeClass, file);
    return file;
  }
}
