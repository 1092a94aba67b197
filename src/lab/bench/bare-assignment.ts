import { MAP, REDUCE, type JobTable, type SlotType } from "../../core/jobs/job-table.js";
import type { Scheduler } from "../../core/scheduler/scheduler.js";
import type { LeanLauncher } from "./lean-launcher.js";

/**
 * No scheduler at all: free slots get the tasks of the jobs one job after the other, without index, order or wait. What an
 * experiment costs with it is the cost of the experiment itself.
 */
export class BareAssignment implements Scheduler {
  /** The job whose tasks go now, per type. */
  private readonly first: [number, number] = [0, 0];

  constructor(
    private readonly jobs: JobTable,
    private readonly launcher: LeanLauncher,
  ) {}

  jobAdded(): void {}
  jobReady(): void {}
  jobRemoved(): void {}
  attemptEnded(): void {}
  attemptReturned(): void {}
  pendingChanged(): void {}
  slotsChanged(): void {}
  update(): void {}
  checkPreemption(): void {}
  reload(): void {}

  nextUpdateUs(): number {
    return Infinity;
  }

  wantsMapSlots(): boolean {
    return true;
  }

  wantsReduceSlots(): boolean {
    return true;
  }

  passOverRun(): boolean {
    return false;
  }

  hasReduces(): boolean {
    return true;
  }

  heartbeat(node: number, _nowUs: number, freeMaps: number, freeReduces: number): void {
    this.give(node, MAP, freeMaps);
    this.give(node, REDUCE, freeReduces);
  }

  private give(node: number, type: SlotType, free: number): void {
    const { jobs, first } = this;
    const pending = jobs.pending[type];
    for (let left = free; left > 0; left--) {
      while (first[type] < jobs.handles && pending[first[type]] === 0) first[type]++;
      const job = first[type];
      if (job === jobs.handles) return;
      this.launcher.launch(job, type, jobs.total[type][job] - pending[job], node);
    }
  }
}
