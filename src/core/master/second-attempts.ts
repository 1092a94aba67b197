import { MAP, SLOT_TYPES, type JobTable, type SlotType } from "../jobs/job-table.js";
import type { WantedCopies } from "../jobs/map-source.js";
import type { TaskFailures } from "../jobs/task-failures.js";
import type { Attempts } from "./attempts.js";
import type { FreeSlots } from "./free-slots.js";

const NONE = -1;
const FIRST = 0;
const COPY = 1;
/** The other attempt of its task has succeeded, or has leave to commit. */
const SPARE = 2;

/** So many more tasks of the job wait, fewer if negative, which the job table has already. */
export type OnPendingChanged = (job: number, type: SlotType, change: number, nowUs: number) => void;

export interface SecondAttemptsParts {
  readonly jobs: JobTable;
  readonly slots: FreeSlots;
  readonly attempts: Attempts;
  readonly failures: TaskFailures;
  readonly onPendingChanged: OnPendingChanged;
}

/**
 * Speculative copies: which running attempts shall have one, which attempts run side by side for one task, and which are
 * of no use any more. A wanted copy counts as a pending task of its job. It starts anywhere but where the other attempt
 * runs, or one of the task has failed (semantics section 10, step 5). The first to succeed, or to get leave to commit,
 * wins; the other is spare, and comes back to nothing when it ends.
 */
export class SecondAttempts implements WantedCopies {
  /** Copies that are wanted and have not started. */
  wanted = 0;
  /** By place: the place of the other attempt of the task, NONE. */
  private readonly beside: Int32Array;
  private readonly role: Uint8Array;
  /** By slot. */
  private readonly isWanted: Uint8Array;
  /** By type, then by job: slots of the attempts that shall have a copy, those wanted first in front. */
  private readonly wantedOf = [new Map<number, number[]>(), new Map<number, number[]>()] as const;

  constructor(private readonly parts: SecondAttemptsParts) {
    const { slots } = parts.attempts;
    this.beside = new Int32Array(2 * slots).fill(NONE);
    this.role = new Uint8Array(2 * slots);
    this.isWanted = new Uint8Array(slots);
  }

  /** An attempt begins in the slot. */
  launched(slot: number): void {
    this.beside[slot] = NONE;
    this.role[slot] = FIRST;
    this.isWanted[slot] = 0;
  }

  /** What has just begun in the slot is a copy of the attempt in `first`. */
  copyLaunched(first: number, slot: number): void {
    this.forgetWish(first);
    this.role[slot] = COPY;
    this.beside[slot] = first;
    this.beside[first] = slot;
  }

  /** The attempt in the slot is the only one of its task, and shall remain so for all that is known. */
  isAlone(slot: number): boolean {
    return this.role[slot] !== SPARE && this.beside[slot] === NONE && this.isWanted[slot] === 0;
  }

  /** The attempt at that place is a copy beside another. */
  isRunningCopy(place: number): boolean {
    return this.role[place] === COPY && this.beside[place] !== NONE;
  }

  isCopy(place: number): boolean {
    return this.role[place] === COPY;
  }

  isSpare(place: number): boolean {
    return this.role[place] === SPARE;
  }

  /** The attempt in the slot shall have a copy. */
  want(slot: number, type: SlotType, nowUs: number): void {
    const { attempts, jobs, onPendingChanged } = this.parts;
    const job = attempts.job[slot];
    this.isWanted[slot] = 1;
    this.wanted++;
    const slots = this.wantedOf[type].get(job);
    if (slots === undefined) this.wantedOf[type].set(job, [slot]);
    else slots.push(slot);
    jobs.pending[type][job]++;
    onPendingChanged(job, type, 1, nowUs);
  }

  /** The slot of the attempt whose copy the node may start, of those of the job the one wanted first; or -1. */
  firstFor(job: number, type: SlotType, node: number): number {
    const { attempts, failures } = this.parts;
    for (const slot of this.wantedOf[type].get(job) ?? []) {
      if (attempts.node[slot] !== node && !failures.refuses(job, type, attempts.task[slot], node)) return slot;
    }
    return NONE;
  }

  mapFor(job: number, node: number): number {
    const first = this.firstFor(job, MAP, node);
    return first < 0 ? NONE : this.parts.attempts.task[first];
  }

  /** The attempt at the place has ended without success. Whether its task waits again: no other attempt of it is left. */
  ended(place: number, nowUs: number): boolean {
    if (this.role[place] === SPARE) return false;
    const other = this.beside[place];
    if (other === NONE) {
      this.withdraw(place, nowUs);
      return true;
    }
    this.beside[other] = NONE;
    this.beside[place] = NONE;
    return false;
  }

  /** The attempt at the place has succeeded, or got leave to commit. The place of the other, which is spare now, or -1. */
  won(place: number, nowUs: number): number {
    this.withdraw(place, nowUs);
    const other = this.beside[place];
    if (other === NONE) return NONE;
    this.beside[place] = NONE;
    this.beside[other] = NONE;
    this.role[other] = SPARE;
    return other;
  }

  /** The attempt in the slot has stepped aside to that place, to commit. */
  steppedAside(slot: number, place: number, nowUs: number): void {
    this.withdraw(slot, nowUs);
    const other = this.beside[slot];
    this.role[place] = this.role[slot];
    this.beside[place] = other;
    if (other !== NONE) this.beside[other] = place;
  }

  /** The job leaves the table. */
  jobLeft(job: number): void {
    for (const type of SLOT_TYPES) {
      this.wanted -= this.wantedOf[type].get(job)?.length ?? 0;
      this.wantedOf[type].delete(job);
    }
  }

  private withdraw(place: number, nowUs: number): void {
    const { attempts, jobs, slots, onPendingChanged } = this.parts;
    if (place >= attempts.slots || this.isWanted[place] === 0) return;
    const job = attempts.job[place];
    const type = slots.typeOf(attempts.node[place], place);
    this.forgetWish(place);
    jobs.pending[type][job]--;
    onPendingChanged(job, type, -1, nowUs);
  }

  private forgetWish(slot: number): void {
    const { attempts, slots } = this.parts;
    const type = slots.typeOf(attempts.node[slot], slot);
    const job = attempts.job[slot];
    const others = (this.wantedOf[type].get(job) ?? []).filter((other) => other !== slot);
    this.isWanted[slot] = 0;
    this.wanted--;
    if (others.length > 0) this.wantedOf[type].set(job, others);
    else this.wantedOf[type].delete(job);
  }
}
