import * as z from "zod";
import { clusterSchema } from "./cluster.js";
import { SYSTEM_SECTIONS } from "../compare.js";
import { BEGINNING, endOf } from "../platform.js";
import { faultsSchema } from "./faults.js";
import { runtimeSchema } from "./runtime.js";
import { schedulerSchema, schedulerSchemaWith } from "./scheduler.js";
import { storageSchema } from "./storage.js";
import { choice, mapping } from "../values.js";
import { workloadSchema } from "./workload.js";
import { optional } from "../setting.js";

// A scenario file of Hadoop as a whole.

/**
 * A scenario as a file says it. Only `workload` is required; the other defaults are the Facebook cluster under `hfs`.
 */
export const scenarioSchema = mapping({
  $schema: optional(z.string(), "For editors; ignored."),
  platform: optional(choice(["hadoop"]), "What is simulated. Default: hadoop."),
  ...BEGINNING,
  cluster: clusterSchema.prefault({}).describe("Racks of nodes with slots."),
  storage: storageSchema.prefault({}).describe("How files are cut into blocks, and where those lie."),
  workload: workloadSchema,
  scheduler: schedulerSchema,
  runtime: runtimeSchema.prefault({}).describe("How long things take."),
  faults: faultsSchema.prefault({}).describe("What goes wrong. Default: nothing does."),
  ...endOf(SYSTEM_SECTIONS),
});

/** The same where the scheduler may also be one of these plugins. */
export function scenarioSchemaWith(plugins: readonly string[]): typeof scenarioSchema {
  return plugins.length === 0 ? scenarioSchema : scenarioSchema.extend({ scheduler: schedulerSchemaWith(plugins) });
}

/** A valid file after the schema: units resolved, constant defaults filled in. */
export type ScenarioFile = z.output<typeof scenarioSchema>;
