import { counterHash, fractionOf, seedWord } from "../kernel/hash.js";
import type { LongTasksSpec } from "../scenario/uneven-load-spec.js";
import type { JobSpec, TaskLengths } from "./job.js";

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
