/**
 * Tasks whose attempts were killed or lost, per job, in the order in which they go again: lowest index first, or, where
 * returned tasks head the lists they came from, the one returned last first (semantics section 10; among killed tasks
 * none has failed). A task that was launched meanwhile is dropped when it is met.
 */
export class ReturnedTasks {
  /** Next to go at the end. */
  private readonly ofJob = new Map<number, number[]>();
  private readonly times = new Map<number, Map<number, number>>();

  /** @param lastFirst see above. @param isPending the task waits to be launched. */
  constructor(
    private readonly lastFirst: boolean,
    private readonly isPending: (job: number, task: number) => boolean,
  ) {}

  /** No job has any. Errs on the side of false. */
  get isEmpty(): boolean {
    return this.ofJob.size === 0;
  }

  add(job: number, task: number): void {
    const times = this.times.get(job) ?? new Map<number, number>();
    this.times.set(job, times.set(task, (times.get(task) ?? 0) + 1));
    const tasks = this.ofJob.get(job);
    if (tasks === undefined) this.ofJob.set(job, [task]);
    else if (this.lastFirst) tasks.push(task);
    else tasks.splice(descendingPlace(tasks, task), 0, task);
  }

  /** All in the reverse of the order in which they go; some may have been launched meanwhile, some be there twice. */
  lastToFirst(job: number): readonly number[] {
    return this.ofJob.get(job) ?? [];
  }

  /** The one that goes next, or -1. */
  first(job: number): number {
    const tasks = this.ofJob.get(job);
    if (tasks === undefined) return -1;
    for (let task = tasks.at(-1); task !== undefined; task = tasks.at(-1)) {
      if (this.isPending(job, task)) return task;
      tasks.pop();
    }
    this.ofJob.delete(job);
    return -1;
  }

  /** Removes and returns the one that goes next, or -1. */
  take(job: number): number {
    const task = this.isEmpty ? -1 : this.first(job);
    if (task >= 0) this.ofJob.get(job)?.pop();
    return task;
  }

  /** How often the task has been returned: the number of its next attempt. */
  timesOf(job: number, task: number): number {
    return this.times.size === 0 ? 0 : (this.times.get(job)?.get(task) ?? 0);
  }

  forget(job: number): void {
    this.ofJob.delete(job);
    this.times.delete(job);
  }
}

function descendingPlace(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > value) low = middle + 1;
    else high = middle;
  }
  return low;
}
