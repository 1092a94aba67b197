import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import type { CachedFilesSpec } from "../scenario/cached-files-spec.js";
import type { Workload } from "./job.js";

/**
 * The workload with some jobs that need a file on their nodes, and are otherwise the same. Which one is a function of the root seed
 * and the position of the job alone.
 */
export function withCachedFiles(
  workload: Workload,
  { share, files, bytes }: CachedFilesSpec,
  rootSeed: string,
): Workload {
  const needSeed = seedWord(rootSeed, "workload/needs-file");
  const choiceSeed = seedWord(rootSeed, "workload/cached-file");
  const jobs = workload.jobs.map((job, position) => {
    if (fractionOf(counterHash(needSeed, position, 0)) >= share) return job;
    const file = Math.floor(fractionOf(counterHash(choiceSeed, position, 0)) * files);
    return { ...job, cacheFile: `cached-${String(file + 1)}`, cacheBytes: bytes };
  });
  return { ...workload, jobs };
}
