import { REDUCE, MAP, type JobTable } from "../jobs/job-table.js";
import { IntArena } from "../kernel/int-arena.js";

const NOWHERE = -1;

/**
 * On which node each finished map of a present job with reduces has left its output; of other jobs nobody needs any.
 * Memory is proportional to the maps of those jobs.
 */
export class MapOutputs {
  private readonly arena = new IntArena();
  private readonly start: number[] = [];

  constructor(private readonly jobs: JobTable) {}

  /** A job got a handle that another may have had. */
  jobEntered(job: number): void {
    const { total } = this.jobs;
    this.start[job] = NOWHERE;
    if (total[REDUCE][job] === 0 || total[MAP][job] === 0) return;
    const at = this.arena.allocate(total[MAP][job]);
    this.arena.words.fill(NOWHERE, at, at + total[MAP][job]);
    this.start[job] = at;
  }

  jobLeft(job: number): void {
    if (this.start[job] !== NOWHERE) this.arena.release(this.start[job], this.jobs.total[MAP][job]);
    this.start[job] = NOWHERE;
  }

  /** The map has finished on the node. */
  add(job: number, task: number, node: number): void {
    if (this.start[job] !== NOWHERE) this.arena.words[this.start[job] + task] = node;
  }

  /** Removes and returns the maps of the job whose output lies on the node, in order. */
  takeFrom(job: number, node: number): readonly number[] {
    const at = this.start[job] ?? NOWHERE;
    const lost: number[] = [];
    if (at === NOWHERE) return lost;
    const { words } = this.arena;
    for (let task = 0; task < this.jobs.total[MAP][job]; task++) {
      if (words[at + task] !== node) continue;
      words[at + task] = NOWHERE;
      lost.push(task);
    }
    return lost;
  }
}
