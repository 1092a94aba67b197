import { assert } from "../../core/kernel/index.js";
import {
  estimateFrom,
  pointsToTry,
  type SweepEstimate,
  type TriedRun,
  dealtTo,
  type SweepPlan,
  type RunOutcome,
  type SweepRecord,
  type SweepRow,
  wantedRuns,
} from "../../experiments/index.js";
import type { SweepFolder } from "../../io/index.js";
import type { PlannedSweep } from "./planned-sweep.js";
import { type RunExecutor, RunPool } from "./run-executor.js";
import type { RunTask } from "./run-task.js";

/** The runs of a sweep, and where what comes of them is kept. */
export interface SweepRuns {
  readonly plan: SweepPlan;
  /** Keys of the runs by point, then by the plan's seeds. */
  readonly keys: readonly (readonly string[])[];
  readonly taskOf: (point: number, replication: number) => RunTask;
  /** Returns the kept outcome of a run that was done, now or earlier. */
  readonly outcomeOf: (key: string) => RunOutcome | undefined;
  readonly record: (row: SweepRow) => Promise<void>;
}

/** Runs that are kept in memory only. */
export function keptInMemory({ stored: { plan, keys }, taskOf }: PlannedSweep): SweepRuns {
  const outcomes = new Map<string, RunOutcome>();
  const record: SweepRuns["record"] = async ({ key, run }) => {
    outcomes.set(key, run);
    return Promise.resolve();
  };
  return { plan, keys, taskOf, outcomeOf: (key) => outcomes.get(key), record };
}

/** The runs of a sweep whose results are kept in a folder; some may be in it already. */
export function keptIn(folder: SweepFolder, { stored: { plan, keys }, taskOf }: PlannedSweep): SweepRuns {
  return { plan, keys, taskOf, outcomeOf: (key) => folder.outcomeOf(key), record: async (row) => folder.record(row) };
}

export interface SweepOptions {
  readonly signal?: AbortSignal | undefined;
  /** Runs that failed earlier are done again, once. */
  readonly retryFailed?: boolean;
  /** Runs that this process does; default: all. With a stopping rule all of a point or none. */
  readonly isOurs?: (point: number, replication: number) => boolean;
  readonly onProgress?: (progress: SweepProgress) => void;
}

/** Progress of a sweep: numbers of runs. */
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
 * Does the runs of a plan that are not done, point by point, each replication only once it is known to be wanted. Runs
 * with one key are done once.
 * @throws `signal.reason` when aborted; whatever keeps the executor from running or the store from recording. All that
 * was recorded before is kept.
 */
export async function runSweep(
  runs: SweepRuns,
  executor: RunExecutor,
  options: SweepOptions = {},
): Promise<SweepProgress> {
  return new SweepInProgress(runs, executor, options).toEnd();
}

/** A run by its place in the plan. Points that share a key share its run, which counts for the first of them. */
interface PlannedRun {
  readonly point: number;
  readonly replication: number;
}

type Counts = Pick<SweepProgress, "ended" | "failed" | "total">;

const NONE: Counts = { ended: 0, failed: 0, total: 0 };

class SweepInProgress {
  /** Points by the keys of their runs, and what they add to the counts. */
  private readonly pointsOf = new Map<string, number[]>();
  private readonly countsOf = new Map<number, Counts>();
  private counts: Counts = NONE;
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
    private readonly executor: RunExecutor,
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
    for (const point of this.open) {
      for (const key of runs.keys[point]) this.pointsOf.set(key, [...(this.pointsOf.get(key) ?? []), point]);
      this.count(point);
    }
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
    while (this.inFlight.size < this.executor.atOnce && this.mayStart()) {
      const next = this.nextRun();
      if (next === null) break;
      const key = this.runs.keys[next.point][next.replication];
      this.inFlight.set(key, this.begin(key, next));
    }
  }

  private mayStart(): boolean {
    return this.failure === undefined && this.options.signal?.aborted !== true;
  }

  /** The first wanted run that is neither done nor begun; null: there is none, or none until another run ends. */
  private nextRun(): PlannedRun | null {
    const waiting: number[] = [];
    for (const [index, point] of this.open.entries()) {
      const missing = this.wantedOf(point).filter(({ run }) => run === undefined);
      const next = missing.find(({ key }) => !this.inFlight.has(key));
      if (next !== undefined) {
        this.open = [...waiting, ...this.open.slice(index)];
        return { point, replication: next.replication };
      }
      if (missing.length > 0) waiting.push(point);
    }
    this.open = waiting;
    return null;
  }

  /** The wanted runs of a point that are for this process. */
  private wantedOf(point: number) {
    const { plan, keys } = this.runs;
    return wantedRuns(plan, keys[point], (key) => this.outcomeOf(key)).filter(({ replication }) =>
      this.isOurs(point, replication),
    );
  }

  /** Counts a point anew: not all points, whenever a run ends. */
  private count(point: number): void {
    const wanted = this.wantedOf(point);
    const ended = wanted.flatMap(({ run }) => run ?? []);
    const failed = ended.filter(({ outcome }) => outcome === "failed").length;
    const now = { ended: ended.length, failed, total: wanted.length };
    const before = this.countsOf.get(point) ?? NONE;
    this.countsOf.set(point, now);
    const changed = (key: keyof Counts) => this.counts[key] + now[key] - before[key];
    this.counts = { ended: changed("ended"), failed: changed("failed"), total: changed("total") };
  }

  private hasFailed(key: string): boolean {
    return this.runs.outcomeOf(key)?.outcome === "failed";
  }

  private outcomeOf(key: string): RunOutcome | undefined {
    return this.again.has(key) ? undefined : this.runs.outcomeOf(key);
  }

  private async begin(key: string, { point, replication }: PlannedRun): Promise<void> {
    try {
      const run = await this.executor.run(this.runs.taskOf(point, replication), this.options.signal);
      await this.runs.record({ key, point, replication, seed: this.runs.plan.seeds[replication], run });
      this.executor.stored?.(key);
      this.again.delete(key);
      this.endedHere++;
      for (const touched of new Set(this.pointsOf.get(key))) this.count(touched);
    } catch (error) {
      this.failure ??= { error };
    } finally {
      this.inFlight.delete(key);
    }
  }

  private progress(): SweepProgress {
    const running = Math.min(this.inFlight.size, this.executor.capacity ?? Infinity);
    return { ...this.counts, running, endedHere: this.endedHere };
  }
}

/** The share of a sweep that a process has done. */
export interface SweepEnd {
  readonly progress: SweepProgress;
  /** Why there are no tables; null: there are. */
  readonly missing: string | null;
  /** From the first run to the last. */
  readonly wallSeconds: number;
  /** Seconds of the runs done here, added up. */
  readonly runSeconds: number;
  readonly record: SweepRecord;
}

/**
 * Does what is left of a sweep and writes its tables. What was recorded stays, whatever happens; closes neither the
 * executor nor the folder.
 * @throws InputError when the disk refuses; `signal.reason` when aborted.
 */
export async function sweepInto(
  folder: SweepFolder,
  planned: PlannedSweep,
  executor: RunExecutor,
  options: SweepOptions,
): Promise<SweepEnd> {
  const startMs = performance.now();
  let runSeconds = 0;
  const kept = keptIn(folder, planned);
  const record: SweepRuns["record"] = async (row) => {
    await kept.record(row);
    runSeconds += row.run.cost.wallSeconds;
  };
  const { plan, shard } = planned.stored;
  const ours = shard === undefined ? {} : { isOurs: dealtTo(shard, plan) };
  const progress = await runSweep({ ...kept, record }, executor, { ...options, ...ours });
  const wallSeconds = (performance.now() - startMs) / 1000;
  const missing = await folder.finish(options.signal);
  return { progress, missing, wallSeconds, runSeconds, record: folder.contents() };
}

/** A thread's first run loads and compiles what the others find ready; in a run as long as this it no longer shows. */
const COLD_SECONDS = 2;

interface EstimateOptions {
  /** The threads that the sweep would use. */
  readonly threads: number;
  /** Wall clock after which a run is cut off. */
  readonly limitSeconds: number;
  readonly signal?: AbortSignal;
}

/**
 * Estimates the time of a sweep on this machine, from its first, middle and last point with the first seed, side by
 * side on as many threads as the sweep would use of them. Takes at most twice the limit.
 * @throws `signal.reason` when aborted.
 */
export async function estimateSweep(
  plan: SweepPlan,
  taskOf: (point: number, replication: number) => RunTask,
  { threads, limitSeconds, signal }: EstimateOptions,
): Promise<SweepEstimate> {
  const points = pointsToTry(plan);
  const atOnce = Math.min(threads, points.length);
  const pool = new RunPool(atOnce);
  const tryAll = async (): Promise<TriedRun[]> => {
    const tried: TriedRun[] = [];
    for (let begun = 0; begun < points.length; begun += atOnce) {
      const batch = points.slice(begun, begun + atOnce);
      tried.push(
        ...(await Promise.all(batch.map((point) => tryRun(point, taskOf(point, 0), pool, limitSeconds, signal)))),
      );
    }
    return tried;
  };
  try {
    const cold = await tryAll();
    const isCold = cold.some(({ seconds, error }) => error === null && seconds < COLD_SECONDS);
    const tried = isCold && cold.every(({ isCutOff }) => !isCutOff) ? await tryAll() : cold;
    return estimateFrom(plan, tried, atOnce, threads);
  } finally {
    await pool.close();
  }
}

async function tryRun(
  point: number,
  task: RunTask,
  executor: RunExecutor,
  limitSeconds: number,
  signal: AbortSignal | undefined,
): Promise<TriedRun> {
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  try {
    const outcome = await executor.run(task, signal === undefined ? limit : AbortSignal.any([limit, signal]));
    const error = outcome.outcome === "failed" ? outcome.error : null;
    return { point, seconds: outcome.cost.wallSeconds, isCutOff: false, error };
  } catch (error) {
    signal?.throwIfAborted();
    if (!limit.aborted) throw error;
    return { point, seconds: limitSeconds, isCutOff: true, error: null };
  }
}
