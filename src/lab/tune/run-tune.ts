import type { Goal } from "../../core/tuning/goal.js";
import type { RunValues } from "../../core/tuning/known-runs.js";
import type { Outlook } from "../../core/tuning/outlook.js";
import { tuneProblemOf } from "../../core/tuning/problem-of-plan.js";
import { TuneSearch } from "../../core/tuning/tune-search.js";
import type { RoundReport } from "../../core/tuning/tune-report.js";
import type { TuneProblem } from "../../core/tuning/tune-problem.js";
import type { RunPlace } from "../sweep/run-place.js";
import type { SweepRuns } from "../sweep/run-sweep.js";
import { doRuns, type WantedRun } from "./do-runs.js";

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
  readonly outlook: Outlook;
  readonly rounds: readonly RoundReport[];
}

/**
 * Searches the points of a plan for the answer to a goal. Which runs are done follows from the plan, the goal and what runs give.
 * @throws as `doRuns`.
 */
export async function runTune(
  runs: SweepRuns,
  goal: Goal,
  place: RunPlace,
  { signal, onProgress }: TuneOptions = {},
): Promise<FinishedSearch> {
  const problem = tuneProblemOf(runs.plan, goal);
  const search = new TuneSearch(problem);
  const rounds: Omit<RoundReport, "alive" | "answer" | "confidence">[] = [];
  const outlooks: Outlook[] = [];
  for (;;) {
    const { kind, requests, outlook } = search.next();
    if (outlook !== null) outlooks.push(outlook);
    if (outlook !== null && requests.length === 0) {
      return {
        problem,
        search,
        outlook,
        rounds: rounds.map((round, i) => ({ ...round, ...shown(runs, outlooks[i]) })),
      };
    }
    const before = search.known.total;
    const progress = { round: rounds.length + 1, wanted: requests.length, before, alive: outlook?.alive ?? null };
    await doRuns(runs, place, requests, (ended) => onProgress?.({ ...progress, ended }), signal);
    for (const request of requests) search.record(request, valuesOf(runs, request));
    rounds.push({ kind, runs: requests.length, runsSoFar: search.known.total });
  }
}

/** Every run of the grid that is not done. @throws as `doRuns`. */
export async function runGrid(
  runs: SweepRuns,
  place: RunPlace,
  { signal, onProgress }: TuneOptions = {},
): Promise<void> {
  const all = runs.plan.points.flatMap((_, point) =>
    Array.from({ length: runs.plan.replications }, (__, replication) => ({ point, replication })),
  );
  const progress = { round: 0, wanted: all.length, before: 0, alive: null };
  await doRuns(runs, place, all, (ended) => onProgress?.({ ...progress, ended }), signal);
}

/** Of a run that is kept. */
export function valuesOf(runs: SweepRuns, { point, replication }: WantedRun): RunValues {
  const run = runs.outcomeOf(runs.keys[point][replication]);
  return run?.outcome === "done" ? run.values : null;
}

function shown(
  { plan }: SweepRuns,
  { alive, answer, confidence }: Outlook,
): Pick<RoundReport, "alive" | "answer" | "confidence"> {
  return { alive, answer: answer < 0 ? null : plan.points[answer].label, confidence };
}
