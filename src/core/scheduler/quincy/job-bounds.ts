import { MAP, type JobTable } from "../../jobs/job-table.js";
import { evenShares } from "./even-shares.js";
import { ANY_NUMBER, type TaskGraph } from "./task-graph.js";
import type { TaskRoster } from "./task-roster.js";

export interface JobBoundsParts {
  readonly jobs: JobTable;
  readonly graph: TaskGraph;
  readonly roster: TaskRoster;
  readonly isFair: boolean;
}

/**
 * How many maps of each job are to run, at least and at most: E and F of the paper (section 4.3). F is the job's even share
 * of the slots, E is 1. What runs and cannot be moved counts for both, and is no reason for a contradiction: who runs
 * more than F already gets nothing, and who gets nothing for lack of slots is owed nothing.
 */
export class JobBounds {
  constructor(private readonly parts: JobBoundsParts) {}

  /** @param list the jobs, in order of submission. @param slots that the graph may fill or leave filled. */
  set(list: readonly number[], slots: number): void {
    const { jobs, graph, roster, isFair } = this.parts;
    if (!isFair) {
      for (const job of list) graph.setUnscheduled(job, 0, ANY_NUMBER);
      return;
    }
    const outside = list.map((job) => jobs.running[MAP][job] - roster.of(job).held);
    const demands = list.map((job, i) => roster.of(job).inGraph + outside[i]);
    const all = outside.reduce((sum, count) => sum + count, slots);
    const shares = evenShares(demands, all);
    let left = slots;
    list.forEach((job, i) => {
      const { inGraph } = roster.of(job);
      const most = Math.min(inGraph, Math.max(0, shares[i] - outside[i]));
      const least = Math.min(most, left, Math.max(0, 1 - outside[i]));
      left -= least;
      graph.setUnscheduled(job, inGraph - most, inGraph - least);
    });
  }
}
