import type { JobTable, SlotType } from "../jobs/job-table.js";

/** The jobs that have been set up, in order of submission. */
export class PresentJobs {
  /** Handles. */
  readonly list: number[] = [];

  constructor(private readonly jobs: JobTable) {}

  add(job: number): void {
    const { id } = this.jobs;
    let place = this.list.length;
    while (place > 0 && id[this.list[place - 1]] > id[job]) place--;
    this.list.splice(place, 0, job);
  }

  /** A job leaves; it may never have been set up. */
  remove(job: number): void {
    const place = this.list.indexOf(job);
    if (place >= 0) this.list.splice(place, 1);
  }

  /** Some job has tasks of the type that wait. */
  havePending(type: SlotType): boolean {
    const pending = this.jobs.pending[type];
    return this.list.some((job) => pending[job] > 0);
  }
}
