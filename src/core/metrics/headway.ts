import { DOUBLE_ZERO } from "../kernel/time.js";

/** What undid work of a job since the run last came closer to its end. */
export interface Setbacks {
  killed: number;
  lost: number;
  outputsLost: number;
  sourcesLost: number;
}

/**
 * When the run last came closer to its end: a job was submitted, set up, failed or ended, a task ended that had not ended before, or an attempt
 * failed (a task may do so only so often). All of these happen a limited number of times. A map that runs again because its output was
 * lost comes no closer: only beyond the most tasks that were ever done at once does the count go on.
 */
export class Headway {
  lastUs = DOUBLE_ZERO;
  /** Attempts launched since then. */
  launches = 0;
  /** By rank of the job. */
  readonly setbacks = new Map<number, Setbacks>();
  private mostDone = 0;

  made(nowUs: number): void {
    this.lastUs = nowUs;
    this.launches = 0;
    if (this.setbacks.size > 0) this.setbacks.clear();
  }

  /** So many tasks are done now. */
  done(tasks: number, nowUs: number): void {
    if (tasks <= this.mostDone) return;
    this.mostDone = tasks;
    this.made(nowUs);
  }

  setBack(job: number, how: keyof Setbacks): void {
    let setbacks = this.setbacks.get(job);
    if (setbacks === undefined) {
      setbacks = { killed: 0, lost: 0, outputsLost: 0, sourcesLost: 0 };
      this.setbacks.set(job, setbacks);
    }
    setbacks[how]++;
  }
}
