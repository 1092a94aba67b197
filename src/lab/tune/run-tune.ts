import { type Goal, type RunValues, type TuneProblem, tuneProblemOf } from "../../experiments/tuning/goal.js";
import type { RoundReport } from "../../experiments/tuning/tune-report.js";
import { type AnswerPosterior, TuneSearch } from "../../experiments/tuning/tune-search.js";
import { NONE_WHERE_UNKNOWN } from "../measure-run.js";
import type { RunExecutor } from "../sweep/run-executor.js";
import type { SweepRuns } from "../sweep/run-sweep.js";

export interface TuneOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: TuneProgress) => void;
}

export interface TuneProgress {
  /** From 1. */
  readonly round: number;
  /** Of this round. */
  readonly ended: number;
  readonly wanted: number;
  /** In the rounds before. */
  readonly before: number;
  /** Points that may be the answer; null: nothing is known yet. */
  readonly alive: number | null;
}

/** A search that has come to its end. */
export interface FinishedSearch {
  readonly problem: TuneProblem;
  readonly search: TuneSearch;
  readonly posterior: AnswerPosterior;
  readonly rounds: readonly RoundReport[];
}

/**
 * Searches the points of a plan for the answer to a goal. Which runs are done follows from the plan, the goal and what runs give.
 * @throws as `doRuns`.
 */
export async function runTune(
  runs: SweepRuns,
  goal: Goal,
  executor: RunExecutor,
  { signal, onProgress }: TuneOptions = {},
): Promise<FinishedSearch> {
  const problem = tuneProblemOf(runs.plan, goal);
  const search = new TuneSearch(problem);
  const rounds: Omit<RoundReport, "alive" | "answer" | "confidence">[] = [];
  const posteriors: AnswerPosterior[] = [];
  for (;;) {
    const { kind, requests, posterior } = search.next();
    if (posterior !== null) posteriors.push(posterior);
    if (posterior !== null && requests.length === 0) {
      return {
        problem,
        search,
        posterior,
        rounds: rounds.map((round, i) => ({ ...round, ...shown(runs, posteriors[i]) })),
      };
    }
    const before = search.known.total;
    const progress = { round: rounds.length + 1, wanted: requests.length, before, alive: posterior?.alive ?? null };
    await doRuns(runs, executor, requests, (ended) => onProgress?.({ ...progress, ended }), signal);
    for (const request of requests) search.record(request, valuesOf(runs, request));
    rounds.push({ kind, runs: requests.length, runsSoFar: search.known.total });
  }
}

/** Every run of the grid that is not done. @throws as `doRuns`. */
export async function runGrid(
  runs: SweepRuns,
  executor: RunExecutor,
  { signal, onProgress }: TuneOptions = {},
): Promise<void> {
  const all = runs.plan.points.flatMap((_, point) =>
    Array.from({ length: runs.plan.replications }, (__, replication) => ({ point, replication })),
  );
  const progress = { round: 0, wanted: all.length, before: 0, alive: null };
  await doRuns(runs, executor, all, (ended) => onProgress?.({ ...progress, ended }), signal);
}

/** Of a run that is kept. A goal such as at most 3 kills is met where nothing is ever killed: what the run has no notion of counts as none. */
export function valuesOf(runs: SweepRuns, { point, replication }: WantedRun): RunValues {
  const run = runs.outcomeOf(runs.keys[point][replication]);
  if (run?.outcome !== "done") return null;
  const known = Object.entries(run.values).map(([key, value]) => {
    return [key, value ?? (NONE_WHERE_UNKNOWN.has(key) ? 0 : null)] as const;
  });
  return Object.fromEntries(known);
}

function shown(
  { plan }: SweepRuns,
  { alive, answer, confidence }: AnswerPosterior,
): Pick<RoundReport, "alive" | "answer" | "confidence"> {
  return { alive, answer: answer < 0 ? null : plan.points[answer].label, confidence };
}

/** By places of the plan. */
interface WantedRun {
  readonly point: number;
  readonly replication: number;
}

/**
 * Does those of the runs that are not kept, as many at once as the executor takes; runs with one key once.
 * @throws `signal.reason` when aborted; whatever keeps the executor from running or the store from recording.
 */
async function doRuns(
  runs: SweepRuns,
  executor: RunExecutor,
  wanted: readonly WantedRun[],
  onEnded: (ended: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const missing = new Map<string, WantedRun>();
  for (const run of wanted) {
    const key = runs.keys[run.point][run.replication];
    if (runs.outcomeOf(key) === undefined && !missing.has(key)) missing.set(key, run);
  }
  const queue = [...missing];
  let ended = wanted.length - queue.length;
  onEnded(ended);
  const oneAfterTheOther = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [key, { point, replication }] = next;
      signal?.throwIfAborted();
      const run = await executor.run(runs.taskOf(point, replication), signal);
      await runs.record({ key, point, replication, seed: runs.plan.seeds[replication], run });
      onEnded(++ended);
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(executor.atOnce, queue.length) }, async () => {
      try {
        await oneAfterTheOther();
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }),
  );
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
