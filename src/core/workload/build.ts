import type {
  BenchmarkWorkloadSpec,
  FacebookWorkloadSpec,
  JobsWorkloadSpec,
  StorageSpec,
} from "../scenario/scenario.js";
import { benchmarkWorkload } from "./benchmark.js";
import { facebookWorkload } from "./facebook.js";
import { inlineWorkload } from "./inline-jobs.js";
import type { Workload } from "./job.js";

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
      return facebookWorkload(spec, storage, rootSeed);
    case "benchmark":
      return benchmarkWorkload(spec, rootSeed);
    case "jobs":
      return inlineWorkload(spec, rootSeed);
  }
}
