import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import { logNormalTable } from "../kernel/sampling.js";
import type { InlineJobSpec, JobsWorkloadSpec } from "../scenario/scenario.js";
import type { LongTasksSpec } from "../scenario/uneven-load-spec.js";
import {
  inSubmissionOrder,
  type JobSpec,
  PER_STEP,
  PRIORITIES,
  SharedFiles,
  type TaskLengths,
  type Workload,
} from "./job.js";
import { DrawnLengths, FixedLengths, NO_TASKS } from "./task-lengths.js";

/** What is wrong with an entry of a job list, by its position (from 0). */
interface InlineJobProblem {
  readonly position: number;
  readonly message: string;
}

/** Entries that describe no job: those with neither maps nor reduces. */
export function inlineJobProblems(spec: JobsWorkloadSpec): InlineJobProblem[] {
  const problems: InlineJobProblem[] = [];
  spec.jobs.forEach((job, position) => {
    if (job.maps + job.reduces > 0) return;
    const message = `job "${job.name}" (entry ${String(position + 1)}) has 0 maps and 0 reduces; a job needs at least one task`;
    problems.push({ position, message });
  });
  return problems;
}

/**
 * The jobs of a list, each entry repeated `count` times, `everyUs` apart (`scan-1`, `scan-2`, ... when there are several). Jobs that
 * name one file share it; it has as many blocks as its largest reader has maps, and every reader starts at its first.
 * @throws RangeError when an entry has no task; `inlineJobProblems` tells all of them.
 */
export function* inlineWorkload(spec: JobsWorkloadSpec, rootSeed: string): Generator<undefined, Workload> {
  const [problem] = inlineJobProblems(spec);
  if (problem !== undefined) throw new RangeError(problem.message);
  const files = new SharedFiles();
  const jobs: JobSpec[] = [];
  const tables = new Map<number, Float32Array>();
  for (const entry of spec.jobs) {
    for (let copy = 0; copy < entry.count; copy++) {
      if (jobs.length % PER_STEP === 0) yield;
      const name = entry.count === 1 ? entry.name : `${entry.name}-${String(copy + 1)}`;
      const lengths = (medianUs: number, phase: string): TaskLengths => {
        if (entry.sigma === 0) return new FixedLengths(medianUs);
        const table = tables.get(entry.sigma) ?? logNormalTable(entry.sigma);
        tables.set(entry.sigma, table);
        const seed = seedWord(rootSeed, `workload/${phase}-length`);
        return new DrawnLengths({ table, medianUs, minUs: 1, maxUs: Infinity }, seed, jobs.length);
      };
      const job = jobOf(entry, name, entry.atUs + copy * entry.everyUs, files, lengths);
      const { longTasks } = entry;
      jobs.push(longTasks === undefined ? job : withLongTasks(job, jobs.length, longTasks, rootSeed));
    }
  }
  return { jobs: inSubmissionOrder(jobs), files: files.list(), notes: [] };
}

function jobOf(
  entry: InlineJobSpec,
  name: string,
  submitAtUs: number,
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
  };
}

/** A long task takes no more than 30 days, unless it would have done so anyway. */
const LONGEST_US = 30 * 24 * 3_600_000_000;

/**
 * The job with long maps and reduces in it, as drawn. Whether a job, or a task, is long depends on the root seed, the position
 * of the job and the number of the task alone; nothing else of the job changes.
 * @param position of the job among those that are generated or listed.
 */
export function withLongTasks(job: JobSpec, position: number, spec: LongTasksSpec, rootSeed: string): JobSpec {
  const { share, factor, of } = spec;
  if (of === "jobs" && fractionOf(counterHash(seedWord(rootSeed, "workload/long-jobs"), position, 0)) >= share) {
    return job;
  }
  const lengthened = (lengths: TaskLengths, phase: string): TaskLengths => {
    const seed = seedWord(rootSeed, `workload/long-${phase}`);
    return new SomeLongLengths(lengths, factor, of === "jobs" ? 1 : share, seed, position);
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
    private readonly others: TaskLengths,
    private readonly factor: number,
    private readonly share: number,
    private readonly seed: number,
    private readonly job: number,
  ) {}

  lengthUs(index: number): number {
    const us = this.others.lengthUs(index);
    if (fractionOf(counterHash(this.seed, this.job, index)) >= this.share) return us;
    return Math.max(us, Math.min(LONGEST_US, Math.round(us * this.factor)));
  }
}
