import { type Executors, NOWHERE } from "./executors.js";

/** Where a task would find its input: a host; an executor there that has it cached; or whatever executors are on a host whose HDFS has it cached. */
export interface PreferredPlace {
  readonly host: number;
  readonly executor?: number;
  readonly isHdfsCache?: true;
}

/**
 * Tasks that wait, by where they would like to run. Each list is a stack, read from its end. Entries are left in the others when a task
 * is taken from one, and go when they are met.
 */
export class PendingTasks {
  readonly ofExecutor = new Map<number, number[]>();
  readonly ofHost = new Map<number, number[]>();
  readonly ofRack = new Map<number, number[]>();
  readonly withoutPreference: number[] = [];
  readonly all: number[] = [];

  constructor(
    private readonly executors: Executors,
    private readonly placesOf: (task: number) => readonly PreferredPlace[],
    /** Told of each host, and its rack, on which a task waits. */
    private readonly waits: (host: number, rack: number) => void,
  ) {}

  add(task: number): void {
    this.addButForRacks(task);
    for (const { host } of this.placesOf(task)) {
      const rack = this.executors.rackOfHost(host);
      if (rack !== NOWHERE) push(this.ofRack, rack, task);
    }
  }

  /** All of a new task set, so that the lowest comes first. Spark lists a rack host by host, in the order of its hash map; here it is that of hosts. */
  addAll(tasks: number): void {
    for (let task = tasks - 1; task >= 0; task--) this.addButForRacks(task);
    const hosts = [...this.ofHost.keys()].sort((a, b) => b - a);
    for (const host of hosts) {
      const rack = this.executors.rackOfHost(host);
      if (rack === NOWHERE) continue;
      for (const task of this.ofHost.get(host) ?? []) push(this.ofRack, rack, task);
    }
  }

  private addButForRacks(task: number): void {
    const places = this.placesOf(task);
    for (const { host, executor, isHdfsCache } of places) {
      if (executor !== undefined) push(this.ofExecutor, executor, task);
      if (isHdfsCache === true) for (const one of this.executors.aliveOn(host)) push(this.ofExecutor, one, task);
      push(this.ofHost, host, task);
      this.waits(host, this.executors.rackOfHost(host));
    }
    if (places.length === 0) this.withoutPreference.push(task);
    this.all.push(task);
  }
}

function push(lists: Map<number, number[]>, key: number, task: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [task]);
  else list.push(task);
}

/** Whether a task of the list waits; entries of others at its end go. */
function hasWaiting(list: number[], isWaiting: (task: number) => boolean): boolean {
  while (list.length > 0) {
    if (isWaiting(list[list.length - 1])) return true;
    list.pop();
  }
  return false;
}

/** The same of lists by place; those that are empty go. */
export function anyHasWaiting(lists: Map<number, number[]>, isWaiting: (task: number) => boolean): boolean {
  for (const [key, list] of lists) {
    if (hasWaiting(list, isWaiting)) return true;
    lists.delete(key);
  }
  return false;
}
