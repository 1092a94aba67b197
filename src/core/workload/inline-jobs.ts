import type { InlineJobSpec, JobsWorkloadSpec } from "../scenario/scenario.js";
import { seedWord } from "../kernel/hash.js";
import { logNormalTable } from "../kernel/sampling.js";
import { PRIORITIES, type JobSpec, type TaskLengths, type Workload } from "./job.js";
import { withLongTasks } from "./long-tasks.js";
import { SharedFiles } from "./shared-files.js";
import { inSubmissionOrder } from "./submission-order.js";
import { DrawnLengths, FixedLengths, NO_TASKS } from "./task-lengths.js";

/** What is wrong with an entry of a job list, by its position (from 0). */
export interface InlineJobProblem {
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
export function inlineWorkload(spec: JobsWorkloadSpec, rootSeed: string): Workload {
  const [problem] = inlineJobProblems(spec);
  if (problem !== undefined) throw new RangeError(problem.message);
  const files = new SharedFiles();
  const jobs: JobSpec[] = [];
  const tables = new Map<number, Float32Array>();
  for (const entry of spec.jobs) {
    for (let copy = 0; copy < entry.count; copy++) {
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
