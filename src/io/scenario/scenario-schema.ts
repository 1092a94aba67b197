import * as z from "zod";
import { clusterSchema } from "./cluster.js";
import { compareSchema } from "./compare.js";
import { faultsSchema } from "./faults.js";
import { runSchema } from "./run.js";
import { runtimeSchema } from "./runtime.js";
import { schedulerSchema, schedulerSchemaWith } from "./scheduler.js";
import { jsonSchemaOf } from "./setting.js";
import { storageSchema } from "./storage.js";
import { choice, mapping, text, word } from "./values.js";
import { workloadSchema } from "./workload.js";

// A scenario file of Hadoop as a whole.

/** A scenario as a file says it. Only `workload` is required; the other defaults are the Facebook cluster under `hfs`. */
export const scenarioSchema = mapping({
  $schema: z.string().optional().describe("For editors; ignored."),
  platform: choice(["hadoop"]).optional().describe("What is simulated. Default: hadoop."),
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

/**
 * JSON Schema (draft 7) of scenario files, for completion and hints in editors. It is a little wider than the reader, which
 * also checks what a schema cannot say: upper bounds of times and sizes, unique names, replication against nodes.
 */
export function scenarioJsonSchema(): object {
  return { ...jsonSchemaOf(scenarioSchema), title: "Bide scenario" };
}
