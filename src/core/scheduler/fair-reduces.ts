import { REDUCE, type JobTable } from "../jobs/job-table.js";
import type { PresentJobs } from "./present-jobs.js";
import type { Launcher } from "./scheduler.js";

const NONE = -1;

/** Reduces without any locality: the job with the fewest running ones goes first, of equal ones that submitted first. */
export class FairReduces {
  constructor(
    private readonly jobs: JobTable,
    private readonly present: PresentJobs,
    private readonly launcher: Launcher,
  ) {}

  /** Some job may launch one. */
  get areWaiting(): boolean {
    const { jobs } = this;
    return this.present.list.some((job) => jobs.pending[REDUCE][job] > 0 && jobs.reducesMayStart(job));
  }

  /** Fills up to so many slots of the node. */
  serve(node: number, slots: number): void {
    for (let left = slots; left > 0; left--) {
      const job = this.firstFor(node);
      if (job < 0) return;
      this.launcher.launchReduce(job, node);
    }
  }

  private firstFor(node: number): number {
    const { jobs, launcher } = this;
    let first = NONE;
    for (const job of this.present.list) {
      if (jobs.pending[REDUCE][job] === 0 || !jobs.reducesMayStart(job)) continue;
      if (first >= 0 && jobs.running[REDUCE][job] >= jobs.running[REDUCE][first]) continue;
      if (!launcher.isSelective || launcher.accepts(job, REDUCE, node)) first = job;
    }
    return first;
  }
}
