import { type JobTable, REDUCE, type SlotType } from "./job-table.js";

/** On which nodes the attempts of a job have failed. */
interface JobFailures {
  /** By task, in order of time; a node may be there twice. */
  readonly ofTask: Map<number, number[]>;
  /** By node: how many attempts of the job. */
  readonly onNode: Map<number, number>;
  /** Nodes that have reached the limit. */
  flaky: number;
}

/** From this share of the living nodes on, a job has too many flaky ones to avoid them. */
const MOST_FLAKY = 0.25;

/**
 * The failed attempts of present jobs by node, and the nodes that a job avoids for them (semantics section 10, steps 0
 * and 5): a retried task does not go where it failed before, unless it has failed on as many nodes as there are for its
 * job; and a node on which `maxPerNode` attempts of a job have failed gets none of its tasks, unless a quarter of those
 * are like that.
 */
export class TaskFailures {
  private readonly ofJob = new Map<number, JobFailures>();

  /** @param livingNodes how many nodes there are now for a job. */
  constructor(
    private readonly maxPerNode: number,
    private readonly livingNodes: (job: number) => number,
  ) {}

  /** An attempt failed; returns how many of its task have. */
  add(job: number, type: SlotType, task: number, node: number): number {
    let failures = this.ofJob.get(job);
    if (failures === undefined) {
      failures = { ofTask: new Map(), onNode: new Map(), flaky: 0 };
      this.ofJob.set(job, failures);
    }
    const onNode = (failures.onNode.get(node) ?? 0) + 1;
    failures.onNode.set(node, onNode);
    if (onNode === this.maxPerNode) failures.flaky++;
    const nodes = failures.ofTask.get(taskKey(type, task)) ?? [];
    failures.ofTask.set(taskKey(type, task), nodes);
    return nodes.push(node);
  }

  /** Returns the number of failed attempts of the task. */
  failureCount(job: number, type: SlotType, task: number): number {
    return this.nodesOf(job, type, task)?.length ?? 0;
  }

  /** The task should not be tried on the node again. */
  refuses(job: number, type: SlotType, task: number, node: number): boolean {
    const nodes = this.nodesOf(job, type, task);
    return nodes?.includes(node) === true && new Set(nodes).size < this.livingNodes(job);
  }

  /** Returns the test for tasks of the type that should not be tried on the node again. */
  refusal(job: number, type: SlotType, node: number): (task: number) => boolean {
    return (task) => this.refuses(job, type, task, node);
  }

  /** The node gets no task of the job. */
  avoids(job: number, node: number): boolean {
    const failures = this.ofJob.get(job);
    if (failures === undefined || failures.flaky === 0) return false;
    const isFlaky = (failures.onNode.get(node) ?? 0) >= this.maxPerNode;
    return isFlaky && failures.flaky < MOST_FLAKY * this.livingNodes(job);
  }

  /** The job has gone. */
  forget(job: number): void {
    this.ofJob.delete(job);
  }

  private nodesOf(job: number, type: SlotType, task: number): readonly number[] | undefined {
    return this.ofJob.size === 0 ? undefined : this.ofJob.get(job)?.ofTask.get(taskKey(type, task));
  }
}

function taskKey(type: SlotType, task: number): number {
  return 2 * task + type;
}

/** More than a job can have. */
const TASKS = 2 ** 31;

/**
 * Tasks whose attempts failed, were killed or lost, per job, in the order in which they go again: most failures first,
 * of those the lowest index; or, where requeued tasks head the lists they came from, the one requeued last first
 * (semantics section 10). A task that was launched meanwhile is dropped when it is met.
 */
export class RequeuedTasks {
  /** Keys of tasks, next to go at the end. */
  private readonly ofJob = new Map<number, number[]>();
  /** By job and task: how often it was tried before, and its last return, as a count of all returns; 0: none. */
  private readonly tries = new Map<number, Map<number, { times: number; latest: number }>>();
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
    this.tried(job, task).latest = ++this.returns;
    const key = keyOf(task, failures);
    const keys = this.ofJob.get(job);
    if (keys === undefined) this.ofJob.set(job, [key]);
    else if (this.lastFirst) keys.push(key);
    else keys.splice(ascendingPlace(keys, key), 0, key);
  }

  /** The larger, the later the task was requeued; 0: never. */
  requeuedAt(job: number, task: number): number {
    return this.tries.get(job)?.get(task)?.latest ?? 0;
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

  /** The task is tried once more without having been requeued. */
  triedBeside(job: number, task: number): void {
    this.tried(job, task);
  }

  /** Returns the number of attempts of the task so far: the number of its next one. */
  timesOf(job: number, task: number): number {
    return this.tries.size === 0 ? 0 : (this.tries.get(job)?.get(task)?.times ?? 0);
  }

  forget(job: number): void {
    this.ofJob.delete(job);
    this.tries.delete(job);
  }

  /** Counts a try. */
  private tried(job: number, task: number): { latest: number } {
    const ofJob = this.tries.get(job) ?? new Map<number, { times: number; latest: number }>();
    const tries = ofJob.get(task) ?? { times: 0, latest: 0 };
    tries.times++;
    this.tries.set(job, ofJob.set(task, tries));
    return tries;
  }

  private placeOf(job: number, isRefused: (task: number) => boolean): number {
    if (this.first(job) < 0) return -1;
    const keys = this.ofJob.get(job) ?? [];
    let place = keys.length - 1;
    while (place >= 0 && (!this.isPending(job, taskOf(keys[place])) || isRefused(taskOf(keys[place])))) place--;
    return place;
  }
}

const NEVER = () => false;

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

/** The reduces that wait to be launched: requeued ones first, then in order of their index (semantics section 11). */
export class PendingReduces {
  readonly requeued: RequeuedTasks;
  /** By job: the first that was never launched. */
  private readonly next: number[] = [];

  /** @param lowestFirst of requeued reduces with equal failures, the lowest goes first; else the one requeued last. */
  constructor(
    private readonly jobs: JobTable,
    private readonly failures: TaskFailures,
    lowestFirst: boolean,
  ) {
    this.requeued = new RequeuedTasks(!lowestFirst, () => true);
  }

  /** A job got a handle that another may have had. */
  jobEntered(job: number): void {
    this.next[job] = 0;
    this.requeued.forget(job);
  }

  /** The node may run a pending reduce of the job: not all of them have failed there. */
  hasFor(job: number, node: number): boolean {
    if (this.next[job] < this.jobs.total[REDUCE][job]) return true;
    return this.requeued.firstOf(job, this.failures.refusal(job, REDUCE, node)) >= 0;
  }

  /** Removes and returns the next pending reduce of the job; there must be one for the node. */
  take(job: number, node: number): number {
    const { requeued, failures } = this;
    const task = requeued.isEmpty ? -1 : requeued.take(job, failures.refusal(job, REDUCE, node));
    return task >= 0 ? task : this.next[job]++;
  }
}
