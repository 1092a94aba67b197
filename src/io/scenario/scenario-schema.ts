import { z } from "zod";
import { MAX_TIME_US } from "../../core/kernel/time.js";
import { choice, count, duration, durationOr, mapping, quantity, size, text, word } from "./values.js";
import { cachedFilesSchema } from "./cached-files-schema.js";
import { compareSchema } from "./compare-schema.js";
import { clusterSchema } from "./cluster-schema.js";
import { faultsSchema } from "./faults-schema.js";
import { LIMITS } from "./limits.js";
import { runtimeSchema } from "./runtime-schema.js";
import { schedulerSchema, schedulerSchemaWith } from "./scheduler-schema.js";
import { replicationSchema } from "./replication-schema.js";
import { dataSetSchema, hotSpotsSchema } from "./uneven-load-schema.js";
import { workloadSchema } from "./workload-schema.js";

const storageSchema = mapping({
  blockSize: size(2 ** 10, 2 ** 40)
    .prefault("128MB")
    .describe("Size of a block; MB is 2^20 bytes."),
  replication: count(1, LIMITS.replication)
    .optional()
    .describe("Replicas of each block, at most one per node. Default: 3, or the number of nodes if that is smaller."),
  placement: choice(["hdfs", "uniform", "correlated"])
    .prefault("hdfs")
    .describe(
      "hdfs: first replica anywhere, second on another rack, third on the second's rack. uniform: anywhere. correlated: all blocks of a file on few nodes.",
    ),
  nodesPerFile: count(1, LIMITS.nodesPerFile)
    .optional()
    .describe("Nodes that hold a file, if placement is correlated. Default: 10, within replication and all nodes."),
  rereadProbability: quantity(0, 1)
    .prefault(0.5)
    .describe("Probability that a generated job reads a file an earlier job of its size class read."),
  hotSpots: hotSpotsSchema.prefault("off").describe("A few files that many generated jobs read."),
  dataSet: dataSetSchema.prefault("off").describe("One data set that all generated jobs read parts of."),
  cachedFiles: cachedFilesSchema.prefault("off").describe("Files that generated jobs need on their nodes."),
  nodeCache: size(1, LIMITS.maxRoomBytes).optional().describe("Room for such files on every node. Default 10GB."),
  dynamicReplication: replicationSchema
    .prefault("off")
    .describe("More replicas for blocks that are in demand, fewer again later."),
});

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
