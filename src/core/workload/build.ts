import {
  sumOver,
  counterHash,
  fractionOf,
  scaled,
  seedWord,
  cumulativeShares,
  exponential,
  exponentialTable,
  indexByShare,
  logNormalTable,
  power,
} from "../kernel/index.js";
import {
  type BenchmarkBin,
  type BenchmarkWorkloadSpec,
  type CachedFilesSpec,
  type DataSetSpec,
  type FacebookWorkloadSpec,
  type HotSpotsSpec,
  type InlineJobSpec,
  type JobsWorkloadSpec,
  type LongTasksSpec,
  PRIORITIES,
  type StorageSpec,
  type WorkloadSpec,
} from "../scenario/index.js";
import { facebookWorkload } from "./facebook.js";
import {
  DrawnLengths,
  type FileSpec,
  FixedLengths,
  inSubmissionOrder,
  type JobSpec,
  type NextJob,
  mapped,
  NO_TASKS,
  PER_STEP,
  SharedFiles,
  type TaskLengths,
  type Workload,
} from "./job.js";

/** A workload that is generated without any file beside the scenario. */
type GeneratedSpec = FacebookWorkloadSpec | BenchmarkWorkloadSpec | JobsWorkloadSpec;

/** The part of a scenario's storage that a generated workload depends on. */
export type WorkloadStorage = Pick<StorageSpec, "rereadProbability" | "dataSet" | "hotSpots" | "cachedFiles">;

/**
 * The workload a scenario describes without any file beside it: a pure function of its arguments. Every job has at
 * least one task, and jobs come in submission order. Workloads kept in files are read by `loadWorkload` in src/io. In
 * steps of some milliseconds: millions of jobs take many seconds, and the caller may want to stop.
 * @throws RangeError when an entry of a job list has no task.
 */
export function* workloadInSteps(
  spec: GeneratedSpec,
  storage: WorkloadStorage,
  rootSeed: string,
): Generator<undefined, Workload> {
  switch (spec.kind) {
    case "facebook":
      return yield* uneven(yield* facebookWorkload(spec, storage, rootSeed), spec, storage, rootSeed);
    case "benchmark":
      return yield* uneven(yield* benchmarkWorkload(spec, rootSeed), spec, storage, rootSeed);
    case "jobs":
      return yield* inlineWorkload(spec, rootSeed);
  }
}

/**
 * With the long tasks, the cached files, and the data set or the hot spots, that the scenario asks for, in jobs that
 * are otherwise the same.
 */
function* uneven(
  workload: Workload,
  { longTasks }: FacebookWorkloadSpec | BenchmarkWorkloadSpec,
  { dataSet, hotSpots, cachedFiles }: WorkloadStorage,
  rootSeed: string,
): Generator<undefined, Workload> {
  const jobs =
    longTasks === undefined
      ? workload.jobs
      : yield* mapped(workload.jobs, (job, position) => withLongTasks(job, position, longTasks, rootSeed));
  const long = { ...workload, jobs };
  const lengthened = cachedFiles === undefined ? long : yield* withCachedFiles(long, cachedFiles, rootSeed);
  if (dataSet !== undefined) return yield* withDataSet(lengthened, dataSet, rootSeed);
  return hotSpots === undefined ? lengthened : yield* withHotSpots(lengthened, hotSpots, rootSeed);
}

/**
 * Jobs of each size in the paper's macrobenchmark (EuroSys 2010, Table 2, right half): 100 jobs, 26,410 maps, no
 * reduces.
 */
const BENCHMARK_BINS: readonly BenchmarkBin[] = [
  { maps: 1, jobs: 38 },
  { maps: 2, jobs: 16 },
  { maps: 10, jobs: 14 },
  { maps: 50, jobs: 8 },
  { maps: 100, jobs: 6 },
  { maps: 200, jobs: 6 },
  { maps: 400, jobs: 4 },
  { maps: 800, jobs: 4 },
  { maps: 4800, jobs: 4 },
].map((bin) => ({ ...bin, reduces: 0, copyUs: 0, reduceUs: 1 }));

/** Jobs of one schedule of a benchmark, before it is repeated. */
export function benchmarkJobs({ bins = BENCHMARK_BINS }: BenchmarkWorkloadSpec): number {
  return sumOver(bins, ({ jobs }) => jobs);
}

const NORMAL = PRIORITIES.indexOf("normal");

/** Returns the name of the n-th job of a benchmark, counted from 0, and of its user, its pool and its file. */
function benchmarkName(n: number): string {
  return `job${String(n + 1).padStart(3, "0")}`;
}

/**
 * A pool or user of this name is another one with each seed: it is a job's place in an order that the seed draws. Names
 * of all other workloads are given, or are of users who do the same with each seed.
 */
export function isDrawnName(spec: WorkloadSpec, name: string): boolean {
  if (spec.kind !== "benchmark" || (spec.bins ?? BENCHMARK_BINS).length === 1) return false;
  // Inside another pool, where the scheduler puts it there.
  const [lastPart] = name.split(".").slice(-1);
  const [, digits] = /^job(\d{3,})$/.exec(lastPart) ?? [];
  const n = Number(digits);
  return n >= 1 && n <= benchmarkJobs(spec) * spec.repeat && lastPart === benchmarkName(n - 1);
}

/**
 * The schedule of the paper's macrobenchmarks (section 5.1): the bins in an order shuffled by the seed, exponential
 * gaps, every job a user and a pool of its own with a file of its own. The first job comes at 0. Repetitions are
 * shuffled anew and follow each other without a pause.
 */
function* benchmarkWorkload(spec: BenchmarkWorkloadSpec, rootSeed: string): Generator<undefined, Workload> {
  const gapSeed = seedWord(rootSeed, "workload/gap");
  const table = logNormalTable(spec.mapSigma);
  const mapSeed = seedWord(rootSeed, "workload/map-length");
  const reduceSeed = seedWord(rootSeed, "workload/reduce-length");
  const lengthsOf = (medianUs: number, seed: number, job: number): TaskLengths =>
    spec.mapSigma === 0
      ? new FixedLengths(medianUs)
      : new DrawnLengths({ table, medianUs, minUs: 1, maxUs: Infinity }, seed, job);
  const jobs: JobSpec[] = [];
  const files: FileSpec[] = [];
  let atUs = 0;
  for (let round = 0; round < spec.repeat; round++) {
    yield;
    for (const bin of shuffledBins(spec.bins ?? BENCHMARK_BINS, round, rootSeed)) {
      const maps = Math.min(bin.maps, spec.maxMaps ?? Infinity);
      const hasReduces = bin.reduces > 0;
      const job = jobs.length;
      if (job > 0 && job % PER_STEP === 0) yield;
      const name = benchmarkName(job);
      if (job > 0) atUs += Math.round(exponential(fractionOf(counterHash(gapSeed, job, 0)), spec.meanGapUs));
      jobs.push({
        name,
        submitAtUs: atUs,
        user: name,
        pool: name,
        priority: NORMAL,
        maps,
        reduces: bin.reduces,
        mapLengths: lengthsOf(bin.mapUs ?? spec.mapUs, mapSeed, job),
        copyLengths: hasReduces ? new FixedLengths(bin.copyUs) : NO_TASKS,
        reduceLengths: hasReduces ? lengthsOf(bin.reduceUs, reduceSeed, job) : NO_TASKS,
        input: { file: files.length, firstBlock: 0 },
        mapOutputBytes: bin.mapOutputBytes,
        ioShare: bin.ioShare ?? spec.ioShare,
      });
      files.push({ name: `data/${name}`, blocks: maps });
    }
  }
  return { jobs, files, notes: [] };
}

/** Each bin as often as it has jobs, in an order of this round. */
function shuffledBins(bins: readonly BenchmarkBin[], round: number, rootSeed: string): BenchmarkBin[] {
  const jobBins = bins.flatMap((bin) => Array.from({ length: bin.jobs }, () => bin));
  const seed = seedWord(rootSeed, "workload/order");
  for (let i = jobBins.length - 1; i > 0; i--) {
    const j = Math.floor(fractionOf(counterHash(seed, round, i)) * (i + 1));
    [jobBins[i], jobBins[j]] = [jobBins[j], jobBins[i]];
  }
  return jobBins;
}

/**
 * The workload with every job that reads anything reading a run of blocks of one data set. What a job reads depends on
 * the root seed, its position and its submission time alone; where the data set is hot, on the seed and the time.
 */
function* withDataSet(workload: Workload, spec: DataSetSpec, rootSeed: string): Generator<undefined, Workload> {
  const { blocks, readHot, redrawUs } = spec;
  const readSeed = seedWord(rootSeed, "workload/hot-read");
  const startSeed = seedWord(rootSeed, "workload/data-start");
  const hotSeed = seedWord(rootSeed, "workload/hot-start");
  const hotBlocks = Math.round(spec.hotShare * blocks);
  /** A place for a run of `length` blocks, all of them within `from` and `to`, equally likely. */
  const within = (word: number, from: number, to: number, length: number) =>
    from + scaled(word, to - from - length + 1);
  const jobs = yield* mapped(workload.jobs, (job, position) => {
    if (job.input === null) return job;
    const maps = Math.min(job.maps, blocks);
    const word = counterHash(startSeed, position, 0);
    let firstBlock = within(word, 0, blocks, maps);
    if (hotBlocks > 0 && fractionOf(counterHash(readSeed, position, 0)) < readHot) {
      const period = Math.floor(job.submitAtUs / redrawUs);
      const hot = within(counterHash(hotSeed, period, 0), 0, blocks, hotBlocks);
      firstBlock =
        maps <= hotBlocks
          ? within(word, hot, hot + hotBlocks, maps)
          : within(word, Math.max(0, hot + hotBlocks - maps), Math.min(blocks, hot + maps), maps);
    }
    return { ...job, maps, input: { file: 0, firstBlock } };
  });
  return { ...workload, jobs, files: [{ name: "data", blocks }] };
}

/**
 * The workload with some jobs that need a file on their nodes, and are otherwise the same. Which one is a function of
 * the root seed and the position of the job alone.
 */
function* withCachedFiles(
  workload: Workload,
  { share, files, bytes }: CachedFilesSpec,
  rootSeed: string,
): Generator<undefined, Workload> {
  const needSeed = seedWord(rootSeed, "workload/needs-file");
  const choiceSeed = seedWord(rootSeed, "workload/cached-file");
  const jobs = yield* mapped(workload.jobs, (job, position) => {
    if (fractionOf(counterHash(needSeed, position, 0)) >= share) return job;
    const file = Math.floor(fractionOf(counterHash(choiceSeed, position, 0)) * files);
    return { ...job, cacheFile: `cached-${file + 1}`, cacheBytes: bytes };
  });
  return { ...workload, jobs };
}

/**
 * The workload with some jobs reading hot files in place of their own, from the first block on. Jobs keep all else,
 * their number of maps included, and files keep their numbers: hot ones come after all others, as long as their largest
 * reader needs. What a job reads depends on the root seed, its position and its submission time alone.
 */
function* withHotSpots(workload: Workload, spec: HotSpotsSpec, rootSeed: string): Generator<undefined, Workload> {
  const readSeed = seedWord(rootSeed, "workload/hot-read");
  const choiceSeed = seedWord(rootSeed, "workload/hot-file");
  const shares = cumulativeShares(Array.from({ length: spec.files }, (_, rank) => power(rank + 1, -spec.skew)));
  const hot = new SharedFiles();
  const jobs = yield* mapped(workload.jobs, (job, position) => {
    if (job.input === null || fractionOf(counterHash(readSeed, position, 0)) >= spec.share) return job;
    const rank = indexByShare(fractionOf(counterHash(choiceSeed, position, 0)), shares);
    const period = Math.floor(job.submitAtUs / spec.redrawUs);
    const name = `hot/${period + 1}-${rank + 1}`;
    const file = workload.files.length + hot.indexOf(name, job.name, job.maps);
    return { ...job, input: { file, firstBlock: 0 } };
  });
  return { ...workload, jobs, files: [...workload.files, ...hot.list()] };
}

/** A problem with an entry of a job list, by its position (from 0). */
interface InlineJobProblem {
  readonly position: number;
  readonly message: string;
}

/** Entries that describe no job: those with neither maps nor reduces. */
export function inlineJobProblems(spec: JobsWorkloadSpec): InlineJobProblem[] {
  const problems: InlineJobProblem[] = [];
  spec.jobs.forEach((job, position) => {
    if (job.maps + job.reduces > 0) return;
    const message = `job "${job.name}" (entry ${position + 1}) has 0 maps and 0 reduces; a job needs at least one task`;
    problems.push({ position, message });
  });
  return problems;
}

/**
 * The jobs of a list, each entry repeated `count` times (`scan-1`, `scan-2`, ... when there are several): `everyUs`
 * apart, or each `thinkUs` after the one before it has ended. Jobs that name one file share it; it has as many blocks
 * as its largest reader has maps, and every reader starts at its first.
 * @throws RangeError when an entry has no task; `inlineJobProblems` tells all of them.
 */
export function* inlineWorkload(spec: JobsWorkloadSpec, rootSeed: string): Generator<undefined, Workload> {
  const [problem] = inlineJobProblems(spec);
  if (problem !== undefined) throw new RangeError(problem.message);
  const files = new SharedFiles();
  const jobs: JobSpec[] = [];
  const followers: JobSpec[] = [];
  const { untilUs = Infinity } = spec;
  const followersFrom = sumOver(spec.jobs, ({ count, thinkUs }) => (thinkUs === undefined ? count : 1));
  const tables = new Map<number | null, Float32Array>();
  const gapSeed = seedWord(rootSeed, "workload/listed-gap");
  /**
   * The number of jobs of earlier entries, including those after the end of the run, so that the end changes no draw.
   */
  let before = 0;
  for (const entry of spec.jobs) {
    const { thinkUs, everyUs, gaps, count } = entry;
    let atUs = entry.atUs;
    for (let copy = 0; copy < count; copy++) {
      const position = before + copy;
      if (position % PER_STEP === 0) yield;
      const name = count === 1 ? entry.name : `${entry.name}-${copy + 1}`;
      const lengths = (medianUs: number, phase: string): TaskLengths => {
        if (entry.sigma === 0) return new FixedLengths(medianUs);
        const { sigma } = entry;
        const table = tables.get(sigma) ?? (sigma === null ? exponentialTable() : logNormalTable(sigma));
        tables.set(sigma, table);
        const seed = seedWord(rootSeed, `workload/${phase}-length`);
        return new DrawnLengths({ table, medianUs, minUs: 1, maxUs: Infinity }, seed, position);
      };
      const meanUs = thinkUs ?? everyUs;
      const gapUs =
        gaps === "exponential"
          ? Math.round(exponential(fractionOf(counterHash(gapSeed, position, 0)), meanUs))
          : meanUs;
      const isLast = thinkUs === undefined || copy === count - 1 || atUs + gapUs > untilUs;
      const following = followersFrom + followers.length + (copy === 0 ? 0 : 1);
      const next = isLast ? undefined : { job: following, thinkUs: Math.max(1, gapUs) };
      const job = jobOf(entry, name, atUs, next, files, lengths);
      const { longTasks } = entry;
      const made = longTasks === undefined ? job : withLongTasks(job, position, longTasks, rootSeed);
      (thinkUs === undefined || copy === 0 ? jobs : followers).push(made);
      if (thinkUs !== undefined && isLast) break;
      atUs += gapUs;
    }
    before += count;
  }
  const open = inSubmissionOrder(jobs);
  if (followers.length === 0) return { jobs: open, files: files.list(), notes: [] };
  return { jobs: [...open, ...followers], followersFrom, files: files.list(), notes: [] };
}

function jobOf(
  entry: InlineJobSpec,
  name: string,
  submitAtUs: number,
  next: NextJob | undefined,
  files: SharedFiles,
  lengths: (medianUs: number, phase: string) => TaskLengths,
): JobSpec {
  const { user, pool, maps, reduces } = entry;
  return {
    name,
    submitAtUs,
    user,
    pool,
    priority: PRIORITIES.indexOf(entry.priority),
    maps,
    reduces,
    mapLengths: maps === 0 ? NO_TASKS : lengths(entry.mapUs, "map"),
    copyLengths: reduces === 0 ? NO_TASKS : new FixedLengths(entry.copyUs),
    reduceLengths: reduces === 0 ? NO_TASKS : lengths(entry.reduceUs, "reduce"),
    input: maps === 0 ? null : { file: files.indexOf(entry.file, name, maps), firstBlock: 0 },
    deadlineUs: entry.deadlineUs ?? undefined,
    inputBytesPerMap: entry.inputBytesPerMap,
    mapOutputBytes: entry.mapOutputBytes,
    outputBytesPerReduce: entry.outputBytesPerReduce,
    mapMemoryBytes: entry.mapMemoryBytes,
    reduceMemoryBytes: entry.reduceMemoryBytes,
    ioShare: entry.ioShare,
    cacheFile: entry.cacheFile,
    cacheBytes: entry.cacheBytes,
    next,
  };
}

/** A long task takes no more than 30 days, unless it would have done so anyway. */
const LONGEST_US = 30 * 24 * 3_600_000_000;

/**
 * The job with long maps and reduces in it, as drawn. Whether a job, or a task, is long depends on the root seed, the
 * position of the job and the number of the task alone; nothing else of the job changes.
 * @param position of the job among those that are generated or listed.
 */
function withLongTasks(job: JobSpec, position: number, spec: LongTasksSpec, rootSeed: string): JobSpec {
  const { share, factor, of: scope } = spec;
  if (scope === "jobs" && fractionOf(counterHash(seedWord(rootSeed, "workload/long-jobs"), position, 0)) >= share) {
    return job;
  }
  const lengthened = (lengths: TaskLengths, phase: string): TaskLengths => {
    const seed = seedWord(rootSeed, `workload/long-${phase}`);
    return new SomeLongLengths(lengths, factor, scope === "jobs" ? 1 : share, seed, position);
  };
  return {
    ...job,
    mapLengths: lengthened(job.mapLengths, "maps"),
    reduceLengths: lengthened(job.reduceLengths, "reduces"),
  };
}

/** Other lengths, of which a share, drawn task by task, is `factor` times as long. */
class SomeLongLengths implements TaskLengths {
  constructor(
    private readonly usual: TaskLengths,
    private readonly factor: number,
    private readonly share: number,
    private readonly seed: number,
    private readonly job: number,
  ) {}

  lengthUs(index: number): number {
    const us = this.usual.lengthUs(index);
    if (fractionOf(counterHash(this.seed, this.job, index)) >= this.share) return us;
    return Math.max(us, Math.min(LONGEST_US, Math.round(us * this.factor)));
  }
}
