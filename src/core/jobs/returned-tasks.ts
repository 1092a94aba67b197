import { type JobTable, REDUCE } from "./job-table.js";
import type { TaskFailures } from "./task-failures.js";

/** More than a job can have. */
const TASKS = 2 ** 31;

/**
 * Tasks whose attempts failed, were killed or lost, per job, in the order in which they go again: most failures first, of
 * those the lowest index; or, where returned tasks head the lists they came from, the one returned last first (semantics
 * section 10). A task that was launched meanwhile is dropped when it is met.
 */
export class ReturnedTasks {
  /** Keys of tasks, next to go at the end. */
  private readonly ofJob = new Map<number, number[]>();
  private readonly times = new Map<number, Map<number, number>>();
  /** When each task was returned last, as a count of all returns. */
  private readonly latest = new Map<number, Map<number, number>>();
  private returns = 0;

  /** @param lastFirst see above. @param isPending the task waits to be launched. */
  constructor(
    private readonly lastFirst: boolean,
    private readonly isPending: (job: number, task: number) => boolean,
  ) {}

  /** No job has any. Errs on the side of false. */
  get isEmpty(): boolean {
    return this.ofJob.size === 0;
  }

  /** `failures`: how many attempts of the task have failed. */
  add(job: number, task: number, failures = 0): void {
    const times = this.times.get(job) ?? new Map<number, number>();
    this.times.set(job, times.set(task, (times.get(task) ?? 0) + 1));
    const latest = this.latest.get(job) ?? new Map<number, number>();
    this.latest.set(job, latest.set(task, ++this.returns));
    const key = keyOf(task, failures);
    const keys = this.ofJob.get(job);
    if (keys === undefined) this.ofJob.set(job, [key]);
    else if (this.lastFirst) keys.push(key);
    else keys.splice(ascendingPlace(keys, key), 0, key);
  }

  /** The larger, the later the task was returned; 0: never. */
  returnedAt(job: number, task: number): number {
    return this.latest.get(job)?.get(task) ?? 0;
  }

  /** The one that goes next, or -1. */
  first(job: number): number {
    const keys = this.ofJob.get(job);
    if (keys === undefined) return -1;
    for (let key = keys.at(-1); key !== undefined; key = keys.at(-1)) {
      if (this.isPending(job, taskOf(key))) return taskOf(key);
      keys.pop();
    }
    this.ofJob.delete(job);
    return -1;
  }

  /** The one that goes next of those that are not refused, or -1. */
  firstOf(job: number, isRefused: (task: number) => boolean): number {
    const place = this.placeOf(job, isRefused);
    return place < 0 ? -1 : taskOf((this.ofJob.get(job) ?? [])[place]);
  }

  /** Removes and returns the one that goes next of those that are not refused, or -1. */
  take(job: number, isRefused: (task: number) => boolean = NEVER): number {
    const place = this.isEmpty ? -1 : this.placeOf(job, isRefused);
    return place < 0 ? -1 : taskOf((this.ofJob.get(job) ?? []).splice(place, 1)[0]);
  }

  /** The task is tried once more without having been returned. */
  triedBeside(job: number, task: number): void {
    this.times.set(job, (this.times.get(job) ?? new Map<number, number>()).set(task, this.timesOf(job, task) + 1));
  }

  /** How many attempts of the task there were: the number of its next one. */
  timesOf(job: number, task: number): number {
    return this.times.size === 0 ? 0 : (this.times.get(job)?.get(task) ?? 0);
  }

  forget(job: number): void {
    this.ofJob.delete(job);
    this.times.delete(job);
    this.latest.delete(job);
  }

  private placeOf(job: number, isRefused: (task: number) => boolean): number {
    if (this.first(job) < 0) return -1;
    const keys = this.ofJob.get(job) ?? [];
    let place = keys.length - 1;
    while (place >= 0 && (!this.isPending(job, taskOf(keys[place])) || isRefused(taskOf(keys[place])))) place--;
    return place;
  }
}

const NEVER = (): boolean => false;

/** Sorts by failures, then by index from the highest down. */
function keyOf(task: number, failures: number): number {
  return failures * TASKS + (TASKS - 1 - task);
}

function taskOf(key: number): number {
  return TASKS - 1 - (key % TASKS);
}

function ascendingPlace(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

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
