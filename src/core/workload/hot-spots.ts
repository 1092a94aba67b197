import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import { cumulativeShares, indexByShare } from "../kernel/sampling.js";
import { power } from "../kernel/transcendental.js";
import type { HotSpotsSpec } from "../scenario/uneven-load-spec.js";
import type { Workload } from "./job.js";
import { SharedFiles } from "./shared-files.js";

/**
 * The workload with some jobs reading hot files in place of their own, from the first block on. Jobs keep all else, their number of
 * maps included, and files keep their numbers: hot ones come after all others, as long as their largest reader needs. What a
 * job reads depends on the root seed, its position and its submission time alone.
 */
export function withHotSpots(workload: Workload, spec: HotSpotsSpec, rootSeed: string): Workload {
  const readSeed = seedWord(rootSeed, "workload/hot-read");
  const choiceSeed = seedWord(rootSeed, "workload/hot-file");
  const shares = cumulativeShares(Array.from({ length: spec.files }, (_, rank) => power(rank + 1, -spec.skew)));
  const hot = new SharedFiles();
  const jobs = workload.jobs.map((job, position) => {
    if (job.input === null || fractionOf(counterHash(readSeed, position, 0)) >= spec.share) return job;
    const rank = indexByShare(fractionOf(counterHash(choiceSeed, position, 0)), shares);
    const period = Math.floor(job.submitAtUs / spec.redrawUs);
    const name = `hot/${String(period + 1)}-${String(rank + 1)}`;
    const file = workload.files.length + hot.indexOf(name, job.name, job.maps);
    return { ...job, input: { file, firstBlock: 0 } };
  });
  return { ...workload, jobs, files: [...workload.files, ...hot.list()] };
}
