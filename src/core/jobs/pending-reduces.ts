import { REDUCE, type JobTable } from "./job-table.js";
import { ReturnedTasks } from "./returned-tasks.js";
import type { TaskFailures } from "./task-failures.js";

/** The reduces that wait to be launched: returned ones first, then in order of their index (semantics section 11). */
export class PendingReduces {
  readonly returned: ReturnedTasks;
  /** By job: the first that was never launched. */
  private readonly next: number[] = [];

  /** @param lowestFirst of the returned ones of equal failures; otherwise the one returned last goes first. */
  constructor(
    private readonly jobs: JobTable,
    private readonly failures: TaskFailures,
    lowestFirst: boolean,
  ) {
    this.returned = new ReturnedTasks(!lowestFirst, () => true);
  }

  /** A job got a handle that another may have had. */
  jobEntered(job: number): void {
    this.next[job] = 0;
    this.returned.forget(job);
  }

  /** The node may have one of those that wait: not all of them have failed there. */
  hasFor(job: number, node: number): boolean {
    if (this.next[job] < this.jobs.total[REDUCE][job]) return true;
    return this.returned.firstOf(job, this.failures.refusal(job, REDUCE, node)) >= 0;
  }

  /** The one that goes next, which waits no more; there must be one for the node. */
  take(job: number, node: number): number {
    const { returned, failures } = this;
    const task = returned.isEmpty ? -1 : returned.take(job, failures.refusal(job, REDUCE, node));
    return task >= 0 ? task : this.next[job]++;
  }
}
