import { sumOver } from "../../core/kernel/index.js";
import type { SweepPlan } from "./sweep-plan.js";

/** A run that was done to see how long runs take. */
export interface TriedRun {
  /** Place among the plan's points. */
  readonly point: number;
  /** Wall clock of this machine; of a run that was cut off, so much at least. */
  readonly seconds: number;
  readonly isCutOff: boolean;
  /** The run fails, and how; null: it does not. */
  readonly error: string | null;
}

/** The time that a sweep will take on this machine, from a few runs of it. */
export interface SweepEstimate {
  readonly tried: readonly TriedRun[];
  /** Runs tried side by side. */
  readonly atOnce: number;
  /** The threads that the sweep would use. */
  readonly threads: number;
  /** Runs of the whole sweep; a stopping rule decides between the two. */
  readonly leastRuns: number;
  readonly mostRuns: number;
  /**
   * Wall time of all runs on all threads: `leastRuns` like the mean of those tried; like the quickest; `mostRuns` like
   * the slowest. null: none of those tried was a run.
   */
  readonly wallSeconds: { readonly mean: number; readonly least: number; readonly most: number } | null;
  /** A trial run was cut off, so that the sweep takes longer than `wallSeconds`. */
  readonly isLowerBound: boolean;
}

/** First, middle and last point of a plan: those that differ most in a plan whose axes rise. */
export function pointsToTry({ points }: Pick<SweepPlan, "points">): number[] {
  const last = points.length - 1;
  return [...new Set([0, Math.floor(last / 2), last])];
}

/** The whole from a few. */
export function estimateFrom(
  { points, replications, until }: Pick<SweepPlan, "points" | "replications" | "until">,
  tried: readonly TriedRun[],
  atOnce: number,
  threads: number,
): SweepEstimate {
  const leastRuns = points.length * replications;
  const mostRuns = points.length * (until?.most ?? replications);
  const seconds = tried.filter(({ error }) => error === null).map((run) => run.seconds);
  // Fewer runs than threads leave some idle.
  const secondsInAll = (runs: number, runSeconds: number) => (runs * runSeconds) / Math.min(threads, runs);
  const mean = sumOver(seconds) / seconds.length;
  const wallSeconds = {
    mean: secondsInAll(leastRuns, mean),
    least: secondsInAll(leastRuns, Math.min(...seconds)),
    most: secondsInAll(mostRuns, Math.max(...seconds)),
  };
  return {
    tried,
    atOnce,
    threads,
    leastRuns,
    mostRuns,
    wallSeconds: seconds.length === 0 ? null : wallSeconds,
    isLowerBound: tried.some(({ isCutOff }) => isCutOff),
  };
}
