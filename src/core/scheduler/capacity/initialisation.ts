import type { JobTable } from "../../jobs/job-table.js";
import type { CapacitySpec } from "../../scenario/capacity-spec.js";
import { SortedOrder, type TieBreaks } from "../sorted-order.js";
import type { QueueUsage } from "./queue-usage.js";

export interface InitialisationParts {
  readonly spec: CapacitySpec;
  readonly jobs: JobTable;
  readonly usage: QueueUsage;
  /** The order of jobs in their queues. */
  readonly jobTies: TieBreaks;
  /** The set-up of a job begins. */
  readonly initialise: (job: number) => void;
}

/**
 * Which jobs may be set up: of each user in each queue so many at once, in the order of the queue. Hadoop's poller looks every
 * few seconds, here a place is given on at once; and its further limit on how many users of a queue have jobs set up is left out.
 */
export class Initialisation {
  /** By member: jobs that hold a place, and those that wait for one in the order of the queue. */
  private readonly places: number[] = [];
  private readonly waiting: SortedOrder[] = [];
  private readonly holdsPlace: boolean[] = [];
  private readonly isHeld: boolean[] = [];

  constructor(private readonly parts: InitialisationParts) {}

  /** The job waits for a place. */
  isHeldBack(job: number): boolean {
    return this.isHeld[job];
  }

  add(job: number): void {
    const member = this.parts.usage.of(job);
    this.places[member] ??= 0;
    (this.waiting[member] ??= new SortedOrder(this.parts.jobTies)).insert(job);
    this.holdsPlace[job] = false;
    this.isHeld[job] = true;
    this.admit(job, member);
  }

  /** The job launched a task. */
  launched(job: number): void {
    if (this.parts.spec.initializedJobs === "unlaunched") this.release(job);
  }

  remove(job: number): void {
    if (this.isHeld[job]) this.waiting[this.parts.usage.of(job)].remove(job);
    this.isHeld[job] = false;
    this.release(job);
  }

  private release(job: number): void {
    if (!this.holdsPlace[job]) return;
    this.holdsPlace[job] = false;
    const member = this.parts.usage.of(job);
    this.places[member]--;
    this.admit(job, member);
  }

  /** Gives places to the first that wait, as far as there are any. `job` is one of the queue. */
  private admit(job: number, member: number): void {
    const { spec, jobs, initialise } = this.parts;
    const most = spec.queues[jobs.pool[job]].maximumInitializedJobsPerUser;
    const waiting = this.waiting[member];
    while (waiting.size > 0 && this.places[member] < most) {
      const first = waiting.items[0];
      waiting.remove(first);
      this.places[member]++;
      this.holdsPlace[first] = true;
      this.isHeld[first] = false;
      initialise(first);
    }
  }
}
