import { MAP, REDUCE, type JobTable, type SlotType } from "../../jobs/job-table.js";
import type { PluginJob, TaskCounts } from "./plugin-face.js";

/** The counts of one type of a job: those of the table, and the last ones once the job has left it. */
class CountsView implements TaskCounts {
  readonly total: number;
  readonly #jobs: JobTable;
  readonly #type: SlotType;
  #job: number;
  #lastDone = 0;

  constructor(jobs: JobTable, job: number, type: SlotType) {
    this.#jobs = jobs;
    this.#job = job;
    this.#type = type;
    this.total = jobs.total[type][job];
    Object.freeze(this);
  }

  get pending(): number {
    return this.#job < 0 ? 0 : this.#jobs.pending[this.#type][this.#job];
  }

  get running(): number {
    return this.#job < 0 ? 0 : this.#jobs.running[this.#type][this.#job];
  }

  get done(): number {
    return this.#job < 0 ? this.#lastDone : this.#jobs.done[this.#type][this.#job];
  }

  close(): void {
    this.#lastDone = this.done;
    this.#job = -1;
  }
}

/** What is known of a job under which name, beside what the table has. */
export interface JobNames {
  readonly user: string;
  readonly pool: string;
}

/** A job as plugins see it. Private fields keep the table out of their reach. */
export class JobView implements PluginJob {
  readonly id: number;
  readonly user: string;
  readonly pool: string;
  readonly priority: number;
  readonly submittedUs: number;
  readonly hasInput: boolean;
  readonly map: CountsView;
  readonly reduce: CountsView;
  #handle: number;

  constructor(jobs: JobTable, job: number, names: JobNames) {
    this.id = jobs.id[job];
    this.user = names.user;
    this.pool = names.pool;
    this.priority = jobs.priority[job];
    this.submittedUs = jobs.startUs[job];
    this.hasInput = jobs.firstBlock[job] >= 0;
    this.map = new CountsView(jobs, job, MAP);
    this.reduce = new CountsView(jobs, job, REDUCE);
    this.#handle = job;
    Object.freeze(this);
  }

  /** The handle of the job that a plugin gave; -1 if it is no view of a job in the table. */
  static handleOf(given: unknown): number {
    return given instanceof JobView ? given.#handle : -1;
  }

  /** The job leaves the table, and its handle may be used again. */
  close(): void {
    this.map.close();
    this.reduce.close();
    this.#handle = -1;
  }
}
