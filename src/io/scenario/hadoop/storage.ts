import * as z from "zod";
import { counted } from "../../../core/kernel/index.js";
import {
  type CachedFilesSpec,
  type DataSetSpec,
  LIMITS,
  type SchedulerSpec,
  type StorageSpec,
  type WorkloadSpec,
} from "../../../core/scenario/index.js";
import type { ClusterTotals } from "./cluster.js";
import { type Problem, problemIf } from "../diagnose.js";
import { WITH_FILES } from "./effects.js";
import { optional, recordOf, setting, withEffect } from "../setting.js";
import { allowedNames } from "../show.js";
import {
  choice,
  count,
  countOr,
  duration,
  durationOr,
  durationOrNull,
  either,
  mapping,
  quantity,
  size,
} from "../values.js";

// `storage`: blocks and where they lie, replicas that come and go, and what generated jobs read and need.

const share = quantity(0, 1);
const redraw = durationOr("never", 1_000_000, LIMITS.waitUs);

const hotSpotSettings = mapping({
  share: setting(share, "Share of the generated jobs that read a hot file in place of their own.", 0.5),
  files: setting(count(1, LIMITS.hotFiles), "Hot files at a time.", 10),
  skew: setting(quantity(0, 10), "Zipf exponent of their popularity; 0: all alike.", 1),
  redraw: setting(redraw, "After this time others are hot.", "never", "redrawUs"),
});

const hotSpotsSchema = either(
  [choice(["off"]), hotSpotSettings],
  () => "off, or a mapping {share: 0.5, files: 10, skew: 1, redraw: never}",
);

const dataSetSettings = mapping({
  size: size(2 ** 10, LIMITS.maxRoomBytes).describe("Of all its blocks together; the last may be cut short."),
  hotShare: setting(share, "Share of its blocks that are hot.", 0.1),
  readHot: setting(share, "Share of the jobs that read where it is hot.", 0.5),
  redraw: setting(redraw, "After this time others are hot.", "5m", "redrawUs"),
});

const dataSetSchema = either(
  [choice(["off"]), dataSetSettings],
  () => "off, or a mapping {size: 100GB, hotShare: 0.1, readHot: 0.5, redraw: 5m}",
);

const cachedFileSettings = mapping({
  share: setting(share, "Share of the generated jobs that need such a file.", 0.5),
  files: setting(count(1, LIMITS.hotFiles), "How many there are, all alike popular.", 10),
  size: setting(size(1, LIMITS.taskBytes), "Of each.", "100MB", "bytes"),
});

const cachedFilesSchema = either(
  [choice(["off"]), cachedFileSettings],
  () => "off, or a mapping {share: 0.5, files: 10, size: 100MB}",
);

const every = <const U extends string>(usual: U) =>
  setting(duration(LIMITS.minLookUs, LIMITS.waitUs), "How often the rule looks at the blocks.", usual, "everyUs");
const maxReplicas = setting(countOr("nodes", 1, LIMITS.nodes), "No block gets more; nodes: one per node.", "nodes");

const dsbraRule = mapping({
  rule: z.literal("dsbra"),
  every: every("1m"),
  alpha: setting(share, "Weight of the present load; the rest is history.", 0.5),
  delay: setting(
    durationOrNull("scheduler", 1, LIMITS.waitUs),
    "D, what delays are shares of; scheduler: its wait for nodes.",
    "scheduler",
    "delayUs",
  ),
  step: setting(quantity(0.001, 1), "Least average, least excess, and excess per replica added.", 0.2),
  maxReplicas,
});

const hotSpotsRule = mapping({
  rule: z.literal("hotSpots"),
  every: every("10s"),
  readersPerReplica: setting(
    quantity(1, LIMITS.tasksPerPhase),
    "Maps, pending or running, that share one replica of their block.",
    2,
  ),
  cool: setting(
    duration(0, LIMITS.waitUs),
    "How long a block needs fewer replicas before it loses any.",
    "1m",
    "coolUs",
  ),
  maxReplicas,
});

const byRule = z.discriminatedUnion("rule", [dsbraRule, hotSpotsRule], {
  error: (issue) =>
    issue.code === "invalid_union"
      ? allowedNames(["dsbra", "hotSpots"], (issue.input as { rule?: unknown }).rule)
      : "a mapping with a rule: dsbra, hotSpots",
});

const dynamicReplication = either(
  [choice(["off", "dsbra", "hotSpots"]), byRule],
  () => "off, dsbra, hotSpots, or a mapping with a rule and its settings",
).transform((input) => (input === "dsbra" || input === "hotSpots" ? byRule.parse({ rule: input }) : input));

/** `storage`: how files are cut into blocks, and where those lie. */
export const storageSchema = mapping({
  blockSize: setting(size(2 ** 10, 2 ** 40), "Size of a block; MB is 2^20 bytes.", "128MB", "blockBytes"),
  replication: optional(
    count(1, LIMITS.replication),
    "Replicas of each block, at most one per node.",
    "3, or the number of nodes if that is smaller",
  ),
  placement: setting(
    choice(["hdfs", "uniform", "correlated"]),
    "hdfs: first replica anywhere, second on any node of another rack, third on the second's rack, others anywhere. uniform: anywhere. correlated: all blocks of a file on `nodesPerFile` nodes, any of them.",
    "hdfs",
  ),
  nodesPerFile: withEffect(
    optional(
      count(1, LIMITS.nodesPerFile),
      "Nodes that hold a file, from `replication` to all nodes.",
      "10, within replication and all nodes",
    ),
    {
      label: "correlated",
      holds: ({ placement }) => placement === "correlated",
      otherwise: ({ placement }) => `on ${placement} placement`,
    },
  ),
  rereadProbability: setting(
    share,
    "Probability that a generated job reads a file that an earlier job of its size class read.",
    0.5,
  ),
  hotSpots: setting(hotSpotsSchema, "A few files that many generated jobs read.", "off"),
  dataSet: setting(dataSetSchema, "One data set that all generated jobs read parts of.", "off"),
  cachedFiles: setting(
    cachedFilesSchema,
    "Files that generated jobs (`facebook`, `benchmark`) need on their nodes.",
    "off",
  ),
  nodeCache: withEffect(
    optional(
      size(1, LIMITS.maxRoomBytes),
      "Room for such files on every node; the least recently used are removed first.",
      "10GB",
    ),
    WITH_FILES,
  ),
  dynamicReplication: setting(
    dynamicReplication,
    "More replicas for blocks that are in demand, fewer again later.",
    "off",
  ),
});

/** The files that generated jobs need; undefined: none. */
export function cachedFilesOf({ cachedFiles = "off" }: StorageFile): CachedFilesSpec | undefined {
  return cachedFiles === "off" ? undefined : recordOf(cachedFileSettings, cachedFiles);
}

/** The section as a file says it. */
export type StorageFile = z.output<typeof storageSchema>;

const DEFAULT_REPLICATION = 3;
const DEFAULT_NODES_PER_FILE = 10;

/** Settings for generated jobs only, each with the verb for its use. */
const GENERATED_ONLY = [
  ["dataSet", "read"],
  ["hotSpots", "read"],
  ["cachedFiles", "need"],
] as const;

/**
 * Resolves where data lies on a cluster of `nodes` nodes.
 * @param kind of the workload that reads it.
 * @param notes receives reduced values, and settings without effect.
 */
export function resolveStorage(
  file: StorageFile,
  kind: WorkloadSpec["kind"],
  nodes: number,
  notes: string[],
): StorageSpec {
  const { blockBytes, placement, rereadProbability, hotSpots, cachedFiles, nodeCache, dynamicReplication, dataSet } =
    recordOf(storageSchema, file);
  const replication = replicasOf(file, nodes);
  if (file.replication === undefined && replication < DEFAULT_REPLICATION) {
    notes.push(`storage.replication is ${replication}: one replica per node`);
  }
  for (const [key, verb] of GENERATED_ONLY) {
    if ((file[key] ?? "off") === "off" || kind === "facebook" || kind === "benchmark") continue;
    notes.push(`storage.${key} has no effect: a workload of kind ${kind} says itself what its jobs ${verb}`);
  }
  return {
    blockBytes,
    replication,
    placement,
    nodesPerFile: file.nodesPerFile ?? Math.max(replication, Math.min(DEFAULT_NODES_PER_FILE, nodes)),
    rereadProbability,
    hotSpots: hotSpots === "off" ? undefined : hotSpots,
    cachedFiles: cachedFiles === "off" ? undefined : cachedFiles,
    nodeCacheBytes: nodeCache,
    dynamicReplication: dynamicReplication === "off" ? undefined : dynamicReplication,
    dataSet: dataSet === "off" ? undefined : resolveDataSet(dataSet, blockBytes),
  };
}

function resolveDataSet(
  { size: bytes, ...otherSettings }: ReturnType<typeof recordOf<typeof dataSetSettings.shape>>,
  blockBytes: number,
): DataSetSpec {
  return { blocks: Math.ceil(bytes / blockBytes), ...otherSettings };
}

/** Replicas of each block, given or by default. */
function replicasOf(file: StorageFile, nodes: number): number {
  return file.replication ?? Math.min(DEFAULT_REPLICATION, nodes);
}

/** Problems of the number of replicas, or of nodes for them. */
export function storageProblems(storage: StorageFile | undefined, { nodes }: ClusterTotals): Problem[] {
  if (storage === undefined) return [];
  const { replication, placement, nodesPerFile } = storage;
  const replicas = replicasOf(storage, nodes);
  return [
    ...problemIf(
      replication !== undefined && replication > nodes,
      ["storage", "replication"],
      `${counted(replicas, "replica")} on ${counted(nodes, "node")}`,
      "at most one per node",
    ),
    // Reported only where it matters, and where the replicas fit by themselves.
    ...problemIf(
      placement === "correlated" &&
        nodesPerFile !== undefined &&
        replicas <= nodes &&
        (nodesPerFile < replicas || nodesPerFile > nodes),
      ["storage", "nodesPerFile"],
      `${String(nodesPerFile)} nodes for each file`,
      `${replicas}, one for each replica, to ${nodes}, all there are`,
    ),
  ];
}

/** Kinds that wait as `scheduler.wait` says, and not at all where that is none. */
const WAIT_AS_SAID = ["fifo", "fair", "delay", "hfs"];

/** Notes on a replication rule in combination with the scheduler. */
export function replicationNotes({ dynamicReplication: rule }: StorageSpec, { kind, wait }: SchedulerSpec): string[] {
  if (rule?.rule !== "dsbra") return [];
  if (wait.kind === "none" && WAIT_AS_SAID.includes(kind)) {
    return ["storage.dynamicReplication has no effect: dsbra goes by what jobs wait for locality, and none waits"];
  }
  if (rule.delayUs !== null && (wait.kind === "skips" || wait.kind === "fraction")) {
    return ["storage.dynamicReplication.delay has no effect: waits that count opportunities are no shares of a time"];
  }
  return [];
}
