import { type RunOutcome, type SweepRow, wantedReplications } from "../../experiments/sweep/sweep-record.js";
import type { SweepPlan } from "../../experiments/sweep/sweep-plan.js";
import { assert } from "../../core/kernel/assert.js";
import type { RunPlace } from "./run-place.js";
import type { RunTask } from "./run-task.js";
import { SweepTally } from "./sweep-tally.js";

/** The runs of a sweep, and where what comes of them is kept. */
export interface SweepRuns {
  readonly plan: SweepPlan;
  /** Of each point, of each of the plan's seeds. */
  readonly keys: readonly (readonly string[])[];
  readonly taskOf: (point: number, replication: number) => RunTask;
  /** What is kept of a run that was done, now or earlier. */
  readonly outcomeOf: (key: string) => RunOutcome | undefined;
  readonly record: (row: SweepRow) => Promise<void>;
}

export interface SweepOptions {
  readonly signal?: AbortSignal;
  /** Runs that failed earlier are done again, once. */
  readonly retryFailed?: boolean;
  /** Runs that this process does; default: all. With a stopping rule all of a point or none. */
  readonly isOurs?: (point: number, replication: number) => boolean;
  readonly onProgress?: (progress: SweepProgress) => void;
}

/** Runs, by places of the plan. */
export interface SweepProgress {
  /** Ended, now or earlier, the failed ones included. */
  readonly ended: number;
  readonly failed: number;
  readonly running: number;
  /** As far as is known: a stopping rule may ask for more. */
  readonly total: number;
  /** Ended since this process began. */
  readonly endedHere: number;
}

/**
 * Does the runs of a plan that are not done, point by point, each replication only once it is known to be wanted. Runs with
 * one key are done once.
 * @throws `signal.reason` when aborted; whatever keeps the place from running or the store from recording. All that was
 * recorded before is kept.
 */
export async function runSweep(runs: SweepRuns, place: RunPlace, options: SweepOptions = {}): Promise<SweepProgress> {
  return new SweepInProgress(runs, place, options).toEnd();
}

/** Where a run belongs. A run whose key several places have belongs to the first that asks for it. */
interface PlannedRun {
  readonly point: number;
  readonly replication: number;
}

class SweepInProgress {
  private readonly tally: SweepTally;
  /** Points of which not all runs have begun. */
  private open: readonly number[];
  private readonly inFlight = new Map<string, Promise<void>>();
  /** Failed earlier and to be done again. */
  private readonly again: Set<string>;
  private readonly isOurs: (point: number, replication: number) => boolean;
  private endedHere = 0;
  private failure: { readonly error: unknown } | undefined;

  constructor(
    private readonly runs: SweepRuns,
    private readonly place: RunPlace,
    private readonly options: SweepOptions,
  ) {
    const { isOurs = () => true, retryFailed = false } = options;
    this.isOurs = isOurs;
    const points = runs.plan.points.map(({ index }) => index);
    this.open = points.filter((point) => runs.keys[point].some((_, replication) => isOurs(point, replication)));
    const failed = this.open.flatMap((point) =>
      runs.keys[point].filter((key, replication) => isOurs(point, replication) && this.hasFailed(key)),
    );
    this.again = new Set(retryFailed ? failed : []);
    this.tally = new SweepTally(runs, this.open, (key) => this.outcomeOf(key), isOurs);
  }

  async toEnd(): Promise<SweepProgress> {
    for (;;) {
      this.startRuns();
      this.options.onProgress?.(this.progress());
      if (this.inFlight.size === 0) break;
      await Promise.race(this.inFlight.values());
    }
    if (this.failure !== undefined) throw this.failure.error;
    this.options.signal?.throwIfAborted();
    assert(this.nextRun() === null, "a sweep ends when no run is missing");
    return this.progress();
  }

  private startRuns(): void {
    while (this.inFlight.size < this.place.atOnce && this.mayStart()) {
      const next = this.nextRun();
      if (next === null) break;
      const key = this.runs.keys[next.point][next.replication];
      this.inFlight.set(key, this.begin(key, next));
    }
  }

  private mayStart(): boolean {
    return this.failure === undefined && this.options.signal?.aborted !== true;
  }

  /** The first that is wanted, not done and not begun; null: none, or none before another ends. */
  private nextRun(): PlannedRun | null {
    const waiting: number[] = [];
    for (const [at, point] of this.open.entries()) {
      const missing = this.missingOf(point);
      const replication = missing.find((one) => !this.inFlight.has(this.runs.keys[point][one]));
      if (replication !== undefined) {
        this.open = [...waiting, ...this.open.slice(at)];
        return { point, replication };
      }
      if (missing.length > 0) waiting.push(point);
    }
    this.open = waiting;
    return null;
  }

  /** Replications of a point that are wanted and have no outcome yet. */
  private missingOf(point: number): number[] {
    const outcomes = this.runs.keys[point].map((key) => this.outcomeOf(key));
    const wanted = wantedReplications(this.runs.plan, outcomes);
    return outcomes.slice(0, wanted).flatMap((outcome, replication) => {
      return outcome === undefined && this.isOurs(point, replication) ? [replication] : [];
    });
  }

  private hasFailed(key: string): boolean {
    return this.runs.outcomeOf(key)?.outcome === "failed";
  }

  private outcomeOf(key: string): RunOutcome | undefined {
    return this.again.has(key) ? undefined : this.runs.outcomeOf(key);
  }

  private async begin(key: string, { point, replication }: PlannedRun): Promise<void> {
    try {
      const run = await this.place.run(this.runs.taskOf(point, replication), this.options.signal);
      await this.runs.record({ key, point, replication, seed: this.runs.plan.seeds[replication], run });
      this.place.stored?.(key);
      this.again.delete(key);
      this.endedHere++;
      this.tally.ended(key);
    } catch (error) {
      this.failure ??= { error };
    } finally {
      this.inFlight.delete(key);
    }
  }

  private progress(): SweepProgress {
    const running = Math.min(this.inFlight.size, this.place.capacity ?? Infinity);
    return { ...this.tally.counts(), running, endedHere: this.endedHere };
  }
}
