import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import type { FileSpec } from "./job.js";

/**
 * Which file each generated job reads. With probability `rereadProbability` a job reads the file of an earlier job of its
 * size class, chosen uniformly among those jobs: files that were read often are found often, so popularity follows
 * a Yule-Simon law, with a Zipf-like tail of exponent 1 + 1/rereadProbability. Otherwise it reads a new file. Files persist
 * and exist from the start.
 */
export class FileAttachment {
  readonly files: FileSpec[] = [];
  private readonly readers = new Map<number, number[]>();
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
   * The index in `files` of what `job` reads; its blocks are the job's maps. Jobs are asked for in order.
   * @param sizeClass jobs share files within a class only.
   * @param maps size of the file if it is new.
   */
  fileOf(job: number, sizeClass: number, maps: number): number {
    let earlier = this.readers.get(sizeClass);
    if (earlier === undefined) this.readers.set(sizeClass, (earlier = []));
    const rereads = earlier.length > 0 && fractionOf(counterHash(this.rereadSeed, job, 0)) < this.rereadProbability;
    let file = this.files.length;
    if (rereads) {
      file = earlier[Math.floor(fractionOf(counterHash(this.choiceSeed, job, 0)) * earlier.length)];
    } else {
      this.files.push({ name: `data/${String(file)}`, blocks: maps });
    }
    earlier.push(file);
    return file;
  }
}
