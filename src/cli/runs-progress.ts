import type { Progress } from "../lab/run.js";
import { fractionDone, type WholeProgress } from "./progress.js";

/** Adds up how far runs are that go on one after the other, or several at a time. */
export class RunsProgress {
  private readonly fractions: number[];

  constructor(private readonly runs: number) {
    this.fractions = new Array<number>(runs).fill(0);
  }

  /** Run `run`, from 0, has come to its end. */
  ended(run: number): void {
    this.fractions[run] = 1;
  }

  /** Run `run`, from 0, has come so far. */
  at(run: number, progress: Progress, name: string): WholeProgress {
    this.fractions[run] = fractionDone(progress);
    const fraction = this.fractions.reduce((sum, one) => sum + one, 0) / this.runs;
    return { label: `run ${String(run + 1)} of ${String(this.runs)}, ${name}`, fraction };
  }
}
