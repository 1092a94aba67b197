import type {
  BenchmarkWorkloadSpec,
  FacebookWorkloadSpec,
  JobsWorkloadSpec,
  StorageSpec,
} from "../scenario/scenario.js";
import { benchmarkWorkload } from "./benchmark.js";
import { withCachedFiles } from "./cached-files.js";
import { facebookWorkload } from "./facebook.js";
import { withDataSet } from "./data-set.js";
import { withHotSpots } from "./hot-spots.js";
import { inlineWorkload } from "./inline-jobs.js";
import type { Workload } from "./job.js";
import { withLongTasks } from "./long-tasks.js";

/**
 * The workload a scenario describes without any file beside it: a pure function of its arguments. Every job has at least one
 * task, and jobs come in submission order. Workloads kept in files are read by `loadWorkload` in src/io.
 * @throws RangeError when an entry of a job list has no task.
 */
export function generateWorkload(
  spec: FacebookWorkloadSpec | BenchmarkWorkloadSpec | JobsWorkloadSpec,
  storage: StorageSpec,
  rootSeed: string,
): Workload {
  switch (spec.kind) {
    case "facebook":
      return uneven(facebookWorkload(spec, storage, rootSeed), spec, storage, rootSeed);
    case "benchmark":
      return uneven(benchmarkWorkload(spec, rootSeed), spec, storage, rootSeed);
    case "jobs":
      return inlineWorkload(spec, rootSeed);
  }
}

/** With the long tasks, the cached files, and the data set or the hot spots, that the scenario asks for, in jobs that are otherwise the same. */
function uneven(
  workload: Workload,
  { longTasks }: FacebookWorkloadSpec | BenchmarkWorkloadSpec,
  { dataSet, hotSpots, cachedFiles }: StorageSpec,
  rootSeed: string,
): Workload {
  const jobs =
    longTasks === undefined
      ? workload.jobs
      : workload.jobs.map((job, position) => withLongTasks(job, position, longTasks, rootSeed));
  const long = { ...workload, jobs };
  const lengthened = cachedFiles === undefined ? long : withCachedFiles(long, cachedFiles, rootSeed);
  if (dataSet !== undefined) return withDataSet(lengthened, dataSet, rootSeed);
  return hotSpots === undefined ? lengthened : withHotSpots(lengthened, hotSpots, rootSeed);
}
