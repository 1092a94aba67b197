import type { JobTable, SlotType } from "../../jobs/job-table.js";
import { SortedOrder, type TieBreaks } from "../sorted-order.js";

/** A queue's place in the order: less comes first. */
export type QueueRatio = (queue: number, type: SlotType) => number;

/**
 * Who is next for a slot of one type: queues with waiting jobs by ratio, then name, and in each its waiting jobs by priority, if
 * it supports that, then submission.
 */
export class QueueOrder {
  /** Queues with waiting jobs. */
  readonly queues: SortedOrder;
  /** By queue. */
  readonly jobsOf: readonly SortedOrder[];
  /** Waiting jobs in all. */
  size = 0;

  /** @param queueTies by queue, for this order alone. @param jobTies by job, shared. */
  constructor(
    private readonly type: SlotType,
    private readonly jobs: JobTable,
    private readonly queueTies: TieBreaks,
    jobTies: TieBreaks,
    private readonly ratioOf: QueueRatio,
    names: readonly string[],
  ) {
    const ranks = rankByName(names);
    this.queues = new SortedOrder(queueTies);
    this.jobsOf = names.map(() => new SortedOrder(jobTies));
    for (const [queue, rank] of ranks.entries()) queueTies.set(queue, ratioOf(queue, type), 0, rank);
  }

  insert(job: number): void {
    const queue = this.jobs.pool[job];
    this.jobsOf[queue].insert(job);
    if (this.jobsOf[queue].size === 1) this.queues.insert(queue);
    this.size++;
  }

  remove(job: number): void {
    const queue = this.jobs.pool[job];
    this.jobsOf[queue].remove(job);
    if (this.jobsOf[queue].size === 0) this.queues.remove(queue);
    this.size--;
  }

  /** The ratio of the queue may have changed. */
  rekey(queue: number): void {
    const ratio = this.ratioOf(queue, this.type);
    if (this.jobsOf[queue].size > 0) this.queues.move(queue, ratio);
    this.queueTies.key[queue] = ratio;
  }

  rekeyAll(): void {
    for (let queue = 0; queue < this.jobsOf.length; queue++) this.rekey(queue);
  }
}

function rankByName(names: readonly string[]): number[] {
  const order = names.map((_, queue) => queue);
  order.sort((a, b) => (names[a] < names[b] ? -1 : 1));
  const ranks: number[] = [];
  order.forEach((queue, rank) => (ranks[queue] = rank));
  return ranks;
}
