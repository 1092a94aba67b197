import { counterHash, fractionOf, scaled, seedWord } from "../kernel/hash.js";
import type { DataSetSpec } from "../scenario/uneven-load-spec.js";
import type { Workload } from "./job.js";

/**
 * The workload with every job that reads anything reading a run of blocks of one data set. What a job reads depends on the root
 * seed, its position and its submission time alone; where the data set is hot, on the seed and the time.
 */
export function withDataSet(workload: Workload, spec: DataSetSpec, rootSeed: string): Workload {
  const { blocks, readHot, redrawUs } = spec;
  const readSeed = seedWord(rootSeed, "workload/hot-read");
  const startSeed = seedWord(rootSeed, "workload/data-start");
  const hotSeed = seedWord(rootSeed, "workload/hot-start");
  const hotBlocks = Math.round(spec.hotShare * blocks);
  /** A place for a run of `length` blocks, all of them within `from` and `to`, equally likely. */
  const within = (word: number, from: number, to: number, length: number): number =>
    from + scaled(word, to - from - length + 1);
  const jobs = workload.jobs.map((job, position) => {
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
