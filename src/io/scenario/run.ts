import type * as z from "zod";
import { MAX_TIME_US } from "../../core/kernel/index.js";
import type { RunSpec } from "../../core/scenario/index.js";
import { type Problem, valueProblem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { duration, durationOr, mapping, word } from "./values.js";

// `run`: seed, end and sampling of a run, on whatever platform.

export const runSchema = mapping({
  seed: word(64).prefault(1).describe("Root of every random draw."),
  until: durationOr("end", 1_000, MAX_TIME_US)
    .prefault("end")
    .describe("Virtual time at which the run stops; end: when all jobs have ended."),
  sample: duration(LIMITS.minSampleUs, MAX_TIME_US)
    .prefault("1m")
    .describe("Time between two samples of shares, locality and backlog."),
  stuckAfter: durationOr("never", 1_000, MAX_TIME_US)
    .optional()
    .describe(
      "The run stops as stuck when no task has ended for so long although jobs wait. Default: 1d, or 20 times the longest time that a task, a wait or a timeout of the scenario takes.",
    ),
});

type RunFile = z.output<typeof runSchema>;

export function resolveRun({ seed, until, sample, stuckAfter }: RunFile): RunSpec {
  return {
    ...{ seed, untilUs: until, sampleUs: sample },
    ...(stuckAfter === undefined ? {} : { stuckAfterUs: stuckAfter }),
  };
}

export function runProblems({ until, sample }: RunFile): Problem[] {
  if (until === Infinity || until / sample <= LIMITS.samples) return [];
  const found = `${String(Math.floor(until / sample))} samples until the end`;
  return [valueProblem(["run", "sample"], found, `at most ${String(LIMITS.samples)}`)];
}
