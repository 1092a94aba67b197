import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import { exponential, logNormalTable } from "../kernel/sampling.js";
import type { BenchmarkWorkloadSpec } from "../scenario/scenario.js";
import { PRIORITIES, type FileSpec, type JobSpec, type TaskLengths, type Workload } from "./job.js";
import { DrawnLengths, FixedLengths, NO_TASKS } from "./task-lengths.js";

/** Jobs of each size in the paper's macrobenchmark (EuroSys 2010, Table 2, right half): 100 jobs, 26,410 maps. */
export const BENCHMARK_BINS: readonly { readonly maps: number; readonly jobs: number }[] = [
  { maps: 1, jobs: 38 },
  { maps: 2, jobs: 16 },
  { maps: 10, jobs: 14 },
  { maps: 50, jobs: 8 },
  { maps: 100, jobs: 6 },
  { maps: 200, jobs: 6 },
  { maps: 400, jobs: 4 },
  { maps: 800, jobs: 4 },
  { maps: 4800, jobs: 4 },
];

const NORMAL = PRIORITIES.indexOf("normal");

/**
 * The schedule of the paper's IO- and CPU-heavy runs (section 5.1): the nine bins in an order shuffled by the seed,
 * exponential gaps, maps only, every job a user and a pool of its own with a file of its own. The first job
 * comes at 0. Repetitions are shuffled anew and follow each other without a pause.
 */
export function benchmarkWorkload(spec: BenchmarkWorkloadSpec, rootSeed: string): Workload {
  const gapSeed = seedWord(rootSeed, "workload/gap");
  const table = logNormalTable(spec.mapSigma);
  const lengthSeed = seedWord(rootSeed, "workload/map-length");
  const lengthsOf = (job: number): TaskLengths =>
    spec.mapSigma === 0
      ? new FixedLengths(spec.mapUs)
      : new DrawnLengths({ table, medianUs: spec.mapUs, minUs: 1, maxUs: Infinity }, lengthSeed, job);
  const jobs: JobSpec[] = [];
  const files: FileSpec[] = [];
  let atUs = 0;
  for (let round = 0; round < spec.repeat; round++) {
    for (const size of shuffledSizes(round, rootSeed)) {
      const maps = Math.min(size, spec.maxMaps ?? Infinity);
      const job = jobs.length;
      const name = `job${String(job + 1).padStart(3, "0")}`;
      if (job > 0) atUs += Math.round(exponential(fractionOf(counterHash(gapSeed, job, 0)), spec.meanGapUs));
      jobs.push({
        name,
        submitAtUs: atUs,
        user: name,
        pool: name,
        priority: NORMAL,
        maps,
        reduces: 0,
        mapLengths: lengthsOf(job),
        copyLengths: NO_TASKS,
        reduceLengths: NO_TASKS,
        input: { file: files.length, firstBlock: 0 },
        ioShare: spec.ioShare,
      });
      files.push({ name: `data/${name}`, blocks: maps });
    }
  }
  return { jobs, files, notes: [] };
}

function shuffledSizes(round: number, rootSeed: string): number[] {
  const sizes = BENCHMARK_BINS.flatMap((bin) => Array.from({ length: bin.jobs }, () => bin.maps));
  const seed = seedWord(rootSeed, "workload/order");
  for (let i = sizes.length - 1; i > 0; i--) {
    const j = Math.floor(fractionOf(counterHash(seed, round, i)) * (i + 1));
    [sizes[i], sizes[j]] = [sizes[j], sizes[i]];
  }
  return sizes;
}
