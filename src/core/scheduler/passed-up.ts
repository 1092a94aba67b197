import { widened } from "../kernel/widened.js";

const NEVER = -1;

/**
 * Since when each job passes up opportunities: the instant of the first search that asked it for a map in vain, since it launched one
 * last, or last came among those that are asked with a map to launch. What a user waits for is counted from there, in virtual time,
 * whatever the clock of the wait does meanwhile.
 *
 * Searches that everybody passes up come far more often than jobs begin anew. So those that have passed up nothing yet are kept
 * in a list, which such a search empties.
 */
export class PassedUp {
  private sinceUs = new Float64Array(64);
  private isAsked = new Uint8Array(64);
  /** Jobs that have passed up nothing yet, and some that have, or that nobody asks any more. */
  private fresh = new Int32Array(64);
  private freshCount = 0;
  private isListed = new Uint8Array(64);

  add(job: number): void {
    while (job >= this.sinceUs.length) {
      this.sinceUs = widened(this.sinceUs);
      this.isAsked = widened(this.isAsked);
      this.isListed = widened(this.isListed);
    }
    this.sinceUs[job] = NEVER;
    this.isAsked[job] = 0;
  }

  /** The job is asked from now on, with a map to launch, or it has just launched one. */
  begin(job: number): void {
    this.isAsked[job] = 1;
    this.sinceUs[job] = NEVER;
    if (this.isListed[job] !== 0) return;
    this.isListed[job] = 1;
    if (this.freshCount === this.fresh.length) this.fresh = widened(this.fresh);
    this.fresh[this.freshCount++] = job;
  }

  /** Nobody asks it any more. */
  leave(job: number): void {
    this.isAsked[job] = 0;
  }

  /** False: another search that everybody passes up would change nothing. */
  get someAreFresh(): boolean {
    return this.freshCount > 0;
  }

  /** Everybody who is asked passed up an opportunity. */
  byAll(nowUs: number): void {
    const { sinceUs, fresh, isListed, isAsked } = this;
    for (let i = 0; i < this.freshCount; i++) {
      const job = fresh[i];
      isListed[job] = 0;
      if (isAsked[job] !== 0 && sinceUs[job] < 0) sinceUs[job] = nowUs;
    }
    this.freshCount = 0;
  }

  /** `jobs[0 .. count)` did. */
  by(jobs: Int32Array, count: number, nowUs: number): void {
    const { sinceUs } = this;
    for (let i = 0; i < count; i++) if (sinceUs[jobs[i]] < 0) sinceUs[jobs[i]] = nowUs;
  }

  /** Virtual time; -1: the job has passed up nothing since. */
  since(job: number): number {
    return this.sinceUs[job];
  }
}
