import * as z from "zod";
import { counted } from "../../core/kernel/index.js";
import type {
  CachedFilesSpec,
  DataSetSpec,
  DsbraSpec,
  DynamicReplicationSpec,
  HotSpotsSpec,
  SchedulerSpec,
  StorageSpec,
  WorkloadSpec,
} from "../../core/scenario/index.js";
import type { ClusterTotals } from "./cluster.js";
import { type Problem, valueProblem } from "./diagnose.js";
import { WITH_FILES } from "./effects.js";
import { LIMITS } from "./limits.js";
import { setting } from "./setting.js";
import { allowedNames } from "./show.js";
import {
  choice,
  count,
  countOr,
  duration,
  durationOr,
  durationOrNull,
  either,
  flag,
  mapping,
  quantity,
  size,
} from "./values.js";

// `storage`: blocks and where they lie, replicas that come and go, and what generated jobs read and need.

const hotSpotSettings = mapping({
  share: quantity(0, 1)
    .prefault(0.5)
    .describe("Share of the generated jobs that read a hot file in place of their own."),
  files: count(1, LIMITS.hotFiles).prefault(10).describe("Hot files at a time."),
  skew: quantity(0, 10).prefault(1).describe("Zipf exponent of their popularity; 0: all alike."),
  redraw: durationOr("never", 1_000_000, LIMITS.waitUs).prefault("never").describe("After this time others are hot."),
});

const hotSpotsSchema = either(
  [choice(["off"]), hotSpotSettings],
  () => "off, or a mapping {share: 0.5, files: 10, skew: 1, redraw: never}",
);

const dataSetSettings = mapping({
  size: size(2 ** 10, LIMITS.maxRoomBytes).describe("Of all its blocks together; the last may be cut short."),
  hotShare: quantity(0, 1).prefault(0.1).describe("Share of its blocks that are hot."),
  readHot: quantity(0, 1).prefault(0.5).describe("Share of the jobs that read where it is hot."),
  redraw: durationOr("never", 1_000_000, LIMITS.waitUs).prefault("5m").describe("After this time others are hot."),
});

const dataSetSchema = either(
  [choice(["off"]), dataSetSettings],
  () => "off, or a mapping {size: 100GB, hotShare: 0.1, readHot: 0.5, redraw: 5m}",
);

const cachedFileSettings = mapping({
  share: quantity(0, 1).prefault(0.5).describe("Share of the generated jobs that need such a file."),
  files: count(1, LIMITS.hotFiles).prefault(10).describe("How many there are, all alike popular."),
  size: size(1, LIMITS.taskBytes).prefault("100MB").describe("Of each."),
});

const cachedFilesSchema = either(
  [choice(["off"]), cachedFileSettings],
  () => "off, or a mapping {share: 0.5, files: 10, size: 100MB}",
);

const every = (usual: string) =>
  duration(LIMITS.minLookUs, LIMITS.waitUs).prefault(usual).describe("How often the rule looks at the blocks.");
const maxReplicas = countOr("nodes", 1, LIMITS.nodes)
  .prefault("nodes")
  .describe("No block gets more; nodes: one per node.");

const dsbraRule = mapping({
  rule: z.literal("dsbra"),
  every: every("1m"),
  variant: choice(["intended", "asPrinted"])
    .prefault("intended")
    .describe(
      "What the print leaves open is settled by all of what follows beyond `step`; each can be given by itself.",
    ),
  alpha: quantity(0, 1).prefault(0.5).describe("Weight of the present load; the rest is history."),
  delay: durationOrNull("scheduler", 1, LIMITS.waitUs)
    .prefault("scheduler")
    .describe("D, what delays are shares of; scheduler: its wait for nodes."),
  step: quantity(0.001, 1).prefault(0.2).describe("Least average, least excess, and excess per replica added."),
  halved: flag().optional().describe("RF is half of the weighted sum."),
  loops: choice(["nested", "twoPasses"]).optional().describe("Blocks are gone through for every node, or once."),
  targets: choice(["descending", "ascending"]).optional().describe("Order of the nodes, by their averages."),
  removeAt: quantity(0, 1).optional().describe("A block at or below it may lose a replica while others gain some."),
  rounding: choice(["floor", "round", "ceil"]).optional().describe("Of the number of replicas to add."),
  history: choice(["cumulative", "exponential"]).optional().describe("What Y is an average of."),
  average: choice(["all", "read", "delayed"]).optional().describe("Blocks over whose average a hot one is."),
  gate: choice(["all", "read", "delayed"]).optional().describe("Blocks whose average must be above `step`."),
  beyondDelay: choice(["full", "capped"]).optional().describe("How a delay beyond D counts."),
  readersFrom: count(0, 1).optional().describe("Where the tasks that read a block are counted from."),
  nodeAverages: choice(["fixed", "updated"]).optional().describe("Averages of nodes follow what is ordered, or not."),
  maxReplicas,
});

const hotSpotsRule = mapping({
  rule: z.literal("hotSpots"),
  every: every("10s"),
  readersPerReplica: quantity(1, LIMITS.tasksPerPhase)
    .prefault(2)
    .describe("Maps, pending or running, that share one replica of their block."),
  cool: duration(0, LIMITS.waitUs)
    .prefault("1m")
    .describe("How long a block needs fewer replicas before it loses any."),
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
  blockSize: size(2 ** 10, 2 ** 40)
    .prefault("128MB")
    .describe("Size of a block; MB is 2^20 bytes."),
  replication: count(1, LIMITS.replication)
    .optional()
    .describe("Replicas of each block, at most one per node. Default: 3, or the number of nodes if that is smaller."),
  placement: choice(["hdfs", "uniform", "correlated"])
    .prefault("hdfs")
    .describe(
      "hdfs: first replica anywhere, second on any node of another rack, third on the second's rack. uniform: anywhere. correlated: all blocks of a file on few nodes.",
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
  nodeCache: setting(size(1, LIMITS.maxRoomBytes), {
    usually: "10GB",
    effect: WITH_FILES,
    says: "Room for such files on every node; the least recently used are removed first.",
  }),
  dynamicReplication: dynamicReplication
    .prefault("off")
    .describe("More replicas for blocks that are in demand, fewer again later."),
});

/** The section as a file says it. */
export type StorageFile = z.output<typeof storageSchema>;

const DEFAULT_REPLICATION = 3;
const DEFAULT_NODES_PER_FILE = 10;

/** What is about generated jobs, and what those do with it. */
const GENERATED_ONLY = [
  ["dataSet", "read"],
  ["hotSpots", "read"],
  ["cachedFiles", "need"],
] as const;

/**
 * Where data lies, on a cluster of so many nodes.
 * @param kind of the workload that reads it.
 * @param notes receives what was cut down, and which settings have no effect.
 */
export function resolveStorage(
  file: StorageFile,
  kind: WorkloadSpec["kind"],
  nodes: number,
  notes: string[],
): StorageSpec {
  const { blockSize, placement, rereadProbability, hotSpots, dataSet, cachedFiles, dynamicReplication } = file;
  const replication = replicasOf(file, nodes);
  if (file.replication === undefined && replication < DEFAULT_REPLICATION) {
    notes.push(`storage.replication is ${String(replication)}: one replica per node`);
  }
  if (file.nodesPerFile !== undefined && placement !== "correlated") {
    notes.push(`storage.nodesPerFile has no effect on ${placement} placement`);
  }
  for (const [key, verb] of GENERATED_ONLY) {
    if (file[key] === "off" || kind === "facebook" || kind === "benchmark") continue;
    notes.push(`storage.${key} has no effect: a workload of kind ${kind} says itself what its jobs ${verb}`);
  }
  return {
    blockBytes: blockSize,
    replication,
    placement,
    nodesPerFile: file.nodesPerFile ?? Math.max(replication, Math.min(DEFAULT_NODES_PER_FILE, nodes)),
    rereadProbability,
    hotSpots: hotSpots === "off" ? undefined : resolveHotSpots(hotSpots),
    cachedFiles: cachedFiles === "off" ? undefined : resolveCachedFiles(cachedFiles),
    nodeCacheBytes: file.nodeCache,
    dynamicReplication: resolveReplication(dynamicReplication),
    dataSet: dataSet === "off" ? undefined : resolveDataSet(dataSet, blockSize),
  };
}

function resolveHotSpots({ share, files, skew, redraw }: z.output<typeof hotSpotSettings>): HotSpotsSpec {
  return { share, files, skew, redrawUs: redraw };
}

function resolveCachedFiles({ share, files, size: bytes }: z.output<typeof cachedFileSettings>): CachedFilesSpec {
  return { share, files, bytes };
}

function resolveDataSet(file: z.output<typeof dataSetSettings>, blockSize: number): DataSetSpec {
  const { size: bytes, hotShare, readHot, redraw } = file;
  return { blocks: Math.ceil(bytes / blockSize), hotShare, readHot, redrawUs: redraw };
}

/** How many replicas each block has, said or not. */
function replicasOf(file: StorageFile, nodes: number): number {
  return file.replication ?? Math.min(DEFAULT_REPLICATION, nodes);
}

type Settled = Pick<
  DsbraSpec,
  | "halved"
  | "loops"
  | "targets"
  | "removeAt"
  | "rounding"
  | "history"
  | "average"
  | "gate"
  | "beyondDelay"
  | "readersFrom"
  | "nodeAverages"
>;

/** What each variant of DSBRA makes of what the print leaves open. */
const VARIANTS: Record<"asPrinted" | "intended", Settled> = {
  asPrinted: {
    halved: true,
    loops: "nested",
    targets: "descending",
    removeAt: 0.2,
    rounding: "floor",
    history: "cumulative",
    average: "all",
    gate: "all",
    beyondDelay: "full",
    readersFrom: 1,
    nodeAverages: "fixed",
  },
  intended: {
    halved: false,
    loops: "twoPasses",
    targets: "ascending",
    removeAt: 0.1,
    rounding: "ceil",
    history: "exponential",
    average: "all",
    gate: "delayed",
    beyondDelay: "full",
    readersFrom: 0,
    nodeAverages: "updated",
  },
};

/** undefined: replication is fixed. */
function resolveReplication(file: StorageFile["dynamicReplication"]): DynamicReplicationSpec | undefined {
  if (file === "off") return undefined;
  if (file.rule === "hotSpots") {
    const { rule, every, readersPerReplica, cool, maxReplicas } = file;
    return { rule, everyUs: every, readersPerReplica, coolUs: cool, maxReplicas };
  }
  const { rule, every, variant, alpha, delay, step, maxReplicas } = file;
  const preset = VARIANTS[variant];
  return {
    ...{ rule, everyUs: every, alpha, delayUs: delay, step, maxReplicas },
    halved: file.halved ?? preset.halved,
    loops: file.loops ?? preset.loops,
    targets: file.targets ?? preset.targets,
    removeAt: file.removeAt ?? preset.removeAt,
    rounding: file.rounding ?? preset.rounding,
    history: file.history ?? preset.history,
    average: file.average ?? preset.average,
    gate: file.gate ?? preset.gate,
    beyondDelay: file.beyondDelay ?? preset.beyondDelay,
    readersFrom: (file.readersFrom ?? preset.readersFrom) === 0 ? 0 : 1,
    nodeAverages: file.nodeAverages ?? preset.nodeAverages,
  };
}

/** What is wrong with how many replicas there are, or nodes for them. */
export function storageProblems(storage: StorageFile | undefined, { nodes }: ClusterTotals): Problem[] {
  if (storage === undefined) return [];
  const problems: Problem[] = [];
  if (storage.replication !== undefined && storage.replication > nodes) {
    const found = `${counted(storage.replication, "replica")} on ${counted(nodes, "node")}`;
    problems.push(valueProblem(["storage", "replication"], found, "at most one per node"));
  }
  const { placement, nodesPerFile } = storage;
  const replicas = replicasOf(storage, nodes);
  // Told only where it matters, and where the replicas fit by themselves.
  if (placement !== "correlated" || nodesPerFile === undefined || replicas > nodes) return problems;
  if (nodesPerFile >= replicas && nodesPerFile <= nodes) return problems;
  const found = `${String(nodesPerFile)} nodes for each file`;
  const allowed = `${String(replicas)}, one for each replica, to ${String(nodes)}, all there are`;
  problems.push(valueProblem(["storage", "nodesPerFile"], found, allowed));
  return problems;
}

/** Kinds that wait as `scheduler.wait` says, and not at all where that is none. */
const WAIT_AS_SAID = ["fifo", "fair", "delay", "hfs"];

/** What the user should know of a replication rule beside the scheduler that it is to work with. */
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
