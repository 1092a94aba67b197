import type * as z from "zod";
import { MAX_TIME_US, US_PER_MINUTE } from "../../core/kernel/index.js";
import { LIMITS, type RunSpec, type SampledRunSpec } from "../../core/scenario/index.js";
import { type Problem, valueProblem } from "./diagnose.js";
import { optional, recordOf, setting } from "./setting.js";
import { duration, durationOr, mapping, word } from "./values.js";

// `run`: seed, end and sampling of a run, on whatever platform.

export const runSchema = mapping({
  seed: setting(word(64), "Root of every random draw.", 1),
  until: setting(
    durationOr("end", 1_000, MAX_TIME_US),
    "Virtual time at which the run stops; end: when all jobs have ended.",
    "end",
    "untilUs",
  ),
  sample: optional(
    duration(LIMITS.minSampleUs, MAX_TIME_US),
    "Time between two samples of shares, locality and backlog.",
    "1m; of other platforms than Hadoop the longest of 1m, 30s, 20s, 10s, 5s, 2s, 1s and so on down to 1ms that fits 100 times into the run",
    "sampleUs",
  ),
  stuckAfter: optional(
    durationOr("never", 1_000, MAX_TIME_US),
    "The run stops as stuck when no task has ended for so long although jobs wait.",
    "1d, or 20 times the longest time that a task, a wait or a timeout of the scenario takes",
    "stuckAfterUs",
  ),
});

type RunFile = z.output<typeof runSchema>;

export function resolveRun(file: RunFile): RunSpec {
  return recordOf(runSchema, file);
}

/** The same of a platform that takes its samples while it runs. @param usualUs between two. */
export function resolveSampledRun(file: RunFile, usualUs: number): SampledRunSpec {
  const { sample = usualUs } = file;
  return { ...recordOf(runSchema, { ...file, sample }), sampleUs: sample };
}

/** It ends only when all jobs have. */
export function waitsForAllJobs(file: RunFile | undefined): boolean {
  return file !== undefined && resolveRun(file).untilUs === Infinity;
}

export function runProblems(file: RunFile): Problem[] {
  const { untilUs, sampleUs = US_PER_MINUTE } = resolveRun(file);
  if (untilUs === Infinity || untilUs / sampleUs <= LIMITS.samples) return [];
  const actual = `${Math.floor(untilUs / sampleUs)} samples until the end`;
  return [valueProblem(["run", "sample"], actual, `at most ${LIMITS.samples}`)];
}
