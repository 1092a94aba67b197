import type { IntArena } from "../kernel/int-arena.js";

/** Waits, and was never launched. */
export const PENDING = 0;
export const TAKEN = 1;
/** Waits after an attempt that failed, was killed or lost. */
export const RETURNED = 2;

const BITS = 2;
const MASK = 3;
const PER_WORD = 16;

/** Which tasks of each job wait: two bits a task, so that what many jobs are asked about at once lies close together. */
export class TaskStates {
  private readonly at: number[] = [];

  constructor(private readonly arena: IntArena) {}

  /** All tasks of the job are pending. */
  add(job: number, tasks: number): void {
    const size = wordsFor(tasks);
    const at = this.arena.allocate(size);
    this.arena.words.fill(PENDING, at, at + size);
    this.at[job] = at;
  }

  /** `tasks` as it was added. */
  remove(job: number, tasks: number): void {
    this.arena.release(this.at[job], wordsFor(tasks));
  }

  of(job: number, task: number): number {
    return (this.arena.words[this.at[job] + (task >> 4)] >>> ((task & (PER_WORD - 1)) * BITS)) & MASK;
  }

  set(job: number, task: number, state: number): void {
    const word = this.at[job] + (task >> 4);
    const shift = (task & (PER_WORD - 1)) * BITS;
    this.arena.words[word] = (this.arena.words[word] & ~(MASK << shift)) | (state << shift);
  }
}

function wordsFor(tasks: number): number {
  return Math.max(1, Math.ceil(tasks / PER_WORD));
}
