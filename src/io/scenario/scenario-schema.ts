import type { RunSpec } from "../../core/scenario/index.js";
import * as z from "zod";
import { MAX_TIME_US } from "../../core/kernel/index.js";
import { clusterSchema } from "./cluster.js";
import { compareSchema } from "./compare.js";
import { type Problem, valueProblem } from "./diagnose.js";
import { faultsSchema } from "./faults.js";
import { LIMITS } from "./limits.js";
import { runtimeSchema } from "./runtime.js";
import { schedulerSchema, schedulerSchemaWith } from "./scheduler.js";
import { jsonSchemaOf } from "./setting.js";
import { storageSchema } from "./storage.js";
import { duration, durationOr, mapping, text, word } from "./values.js";
import { workloadSchema } from "./workload.js";

// A scenario file as a whole: its sections, and the section `run`.

const runSchema = mapping({
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

/** A scenario as a file says it. Only `workload` is required; the other defaults are the Facebook cluster under `hfs`. */
export const scenarioSchema = mapping({
  $schema: z.string().optional().describe("For editors; ignored."),
  name: word(100).optional().describe("Names the results folder. Default: the name of the file."),
  why: text(0, 2000).prefault("").describe("The question this scenario answers."),
  cluster: clusterSchema.prefault({}).describe("Racks of nodes with slots."),
  storage: storageSchema.prefault({}).describe("How files are cut into blocks, and where those lie."),
  workload: workloadSchema,
  scheduler: schedulerSchema,
  runtime: runtimeSchema.prefault({}).describe("How long things take."),
  faults: faultsSchema.prefault({}).describe("What goes wrong. Default: nothing does."),
  compare: compareSchema.optional().describe("Systems that bide compare runs side by side; bide run ignores them."),
  run: runSchema.prefault({}).describe("Seed, end and sampling of a run."),
});

/** The same where the scheduler may also be one of these plugins. */
export function scenarioSchemaWith(plugins: readonly string[]): typeof scenarioSchema {
  return plugins.length === 0 ? scenarioSchema : scenarioSchema.extend({ scheduler: schedulerSchemaWith(plugins) });
}

/** What the schema makes of a valid file: units resolved, constant defaults filled in. */
export type ScenarioFile = z.output<typeof scenarioSchema>;
export type ScenarioSection = keyof ScenarioFile;

/**
 * JSON Schema (draft 7) of scenario files, for completion and hints in editors. It is a little wider than the reader, which
 * also checks what a schema cannot say: upper bounds of times and sizes, unique names, replication against nodes.
 */
export function scenarioJsonSchema(): object {
  return { ...jsonSchemaOf(scenarioSchema), title: "Bide scenario" };
}

type RunFile = ScenarioFile["run"];

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
