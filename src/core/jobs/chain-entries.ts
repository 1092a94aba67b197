import type { IntArena } from "../kernel/int-arena.js";

/** Entries (task, next) that are added to a job's chains one by one, after those that it was entered with. */
export class ChainEntries {
  private readonly ofJob = new Map<number, number[]>();

  constructor(private readonly arena: IntArena) {}

  /** Enters a task at the head of a chain, once. */
  pushOnce(job: number, cell: number, task: number): void {
    const { words } = this.arena;
    if (words[cell] < 0 || words[words[cell]] !== task) this.insert(job, cell, task);
  }

  /** Enters a task where `link` points to: the head of a chain, or the second word of an entry. */
  insert(job: number, link: number, task: number): void {
    const entry = this.arena.allocate(2);
    pushFront(this.arena.words, link, entry, task);
    const entries = this.ofJob.get(job);
    if (entries === undefined) this.ofJob.set(job, [entry]);
    else entries.push(entry);
  }

  release(job: number): void {
    for (const entry of this.ofJob.get(job) ?? []) this.arena.release(entry, 2);
    this.ofJob.delete(job);
  }
}

/** Puts an entry for the task at the head of the chain that `cell` points to. */
export function pushFront(words: Int32Array, cell: number, entry: number, task: number): void {
  words[entry] = task;
  words[entry + 1] = words[cell];
  words[cell] = entry;
}

/** Puts an entry at the head of a chain that does not begin with the task; where the next entry goes. */
export function pushAfresh(words: Int32Array, cell: number, entry: number, task: number): number {
  if (words[cell] >= 0 && words[words[cell]] === task) return entry;
  pushFront(words, cell, entry, task);
  return entry + 2;
}
