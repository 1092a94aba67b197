import { MAP, REDUCE, type JobTable, type SlotType } from "../../jobs/job-table.js";
import type { PluginJob, TaskCounts } from "./plugin-face.js";

/** The counts of one type of a job: those of the table, and the last ones once the job has left it. */
class CountsView implements TaskCounts {
  readonly total: number;
  readonly #jobs: JobTable;
  readonly #type: SlotType;
  readonly #times: TaskTimes;
  readonly #own: TaskTime = { count: 0, sumUs: 0 };
  #job: number;
  #lastDone = 0;

  constructor(jobs: JobTable, job: number, type: SlotType, times: TaskTimes) {
    this.#jobs = jobs;
    this.#times = times;
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

  get estimateUs(): number | null {
    const { count, sumUs } = this.#own.count > 0 ? this.#own : this.#times[this.#type];
    return count === 0 ? null : sumUs / count;
  }

  /** A task of the job held its slot so long, and succeeded. */
  taskDone(ranUs: number): void {
    for (const time of [this.#own, this.#times[this.#type]]) {
      time.count++;
      time.sumUs += ranUs;
    }
  }

  close(): void {
    this.#lastDone = this.done;
    this.#job = -1;
  }
}

/** How long tasks ran that succeeded. */
interface TaskTime {
  count: number;
  sumUs: number;
}

/** Of all jobs, by type. */
export type TaskTimes = readonly [TaskTime, TaskTime];

export function noTaskTimes(): TaskTimes {
  return [
    { count: 0, sumUs: 0 },
    { count: 0, sumUs: 0 },
  ];
}

/** What is known of a job beside what the table has. */
export interface JobFacts {
  readonly name: string;
  readonly user: string;
  readonly pool: string;
  readonly deadlineUs: number | null;
  readonly inputBytes: number;
}

/** A job as plugins see it. Private fields keep the table out of their reach. */
export class JobView implements PluginJob {
  readonly id: number;
  readonly name: string;
  readonly user: string;
  readonly pool: string;
  readonly priority: number;
  readonly submittedUs: number;
  readonly deadlineUs: number | null;
  readonly inputBytes: number;
  readonly hasInput: boolean;
  readonly map: CountsView;
  readonly reduce: CountsView;
  #handle: number;
  #readyUs: number | null = null;

  constructor(jobs: JobTable, job: number, facts: JobFacts, times: TaskTimes) {
    this.id = jobs.id[job];
    this.name = facts.name;
    this.user = facts.user;
    this.pool = facts.pool;
    this.deadlineUs = facts.deadlineUs;
    this.inputBytes = facts.inputBytes;
    this.priority = jobs.priority[job];
    this.submittedUs = jobs.startUs[job];
    this.hasInput = jobs.firstBlock[job] >= 0;
    this.map = new CountsView(jobs, job, MAP, times);
    this.reduce = new CountsView(jobs, job, REDUCE, times);
    this.#handle = job;
    Object.freeze(this);
  }

  get readyUs(): number | null {
    return this.#readyUs;
  }

  ready(nowUs: number): void {
    this.#readyUs = nowUs;
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
