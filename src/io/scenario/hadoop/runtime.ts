import type * as z from "zod";
import { counted, formatTime, maxOver } from "../../../core/kernel/index.js";
import {
  ATTEMPT_SETTINGS,
  COMMIT_SETTINGS,
  type CopyComputeSpec,
  IO_SETTINGS,
  LIMITS,
  LOCALITY_FACTORS,
  type NodeGroupSpec,
  RUNTIME_SETTINGS,
  type RuntimeSpec,
  SPECULATION_SETTINGS,
  type SpeculationSpec,
  SPLITTING_SETTINGS,
} from "../../../core/scenario/index.js";
import type { RackPlan } from "./cluster.js";
import { type Problem, problemIf, wrong } from "../diagnose.js";
import { DETAILED, EFFECTS, LIGHT } from "./effects.js";
import type { FaultsFile } from "./faults.js";
import { type Effect, recordOf, setting, shapeOf, withEffect } from "../setting.js";
import { formatDuration, formatSize } from "../units.js";
import { either, mapping, spelled } from "../values.js";
import { needs, type WorkloadFile } from "./workload.js";

// `runtime`: how long tasks and jobs take, what they read and write, and when attempts are given up.

const splitting = mapping(shapeOf(SPLITTING_SETTINGS, {}));

const copyCompute = either(
  [spelled<"off">(["off"], [[false, "off"]]), splitting],
  () => "off, or a mapping {computing: 2, perJob: 2, order: waiting}",
);

/** As many places as slots are no splitting. */
const SPLITS: Effect = {
  holds: ({ mostReduceSlots }, file) => {
    const spec = resolveCopyCompute(file as RuntimeFile["copyCompute"]);
    return spec === null || mostReduceSlots > Math.min(spec.computing, spec.perJob);
  },
  otherwise: "where no node has more reduce slots than that",
};

const switched = spelled<"off" | "on">(
  ["off", "on"],
  [
    [false, "off"],
    [true, "on"],
  ],
);

const commit = mapping(shapeOf(COMMIT_SETTINGS, {}));

const RULES = ["off", "hadoop", "late"] as const;

const speculation = mapping({
  rule: spelled<(typeof RULES)[number]>(RULES, [[false, "off"]]).describe(
    "hadoop: tasks whose progress is well below the job's mean. late: those with the longest time left first.",
  ),
  ...shapeOf(SPECULATION_SETTINGS, {}, EFFECTS),
});

const attempts = mapping(shapeOf(ATTEMPT_SETTINGS, {}));
const { slowStart, ...plain } = shapeOf(RUNTIME_SETTINGS, {});

/** `runtime`: how tasks and jobs take their time. */
export const runtimeSchema = mapping({
  ...plain,
  localityFactor: withEffect(
    setting(mapping(shapeOf(LOCALITY_FACTORS, {}, EFFECTS)), "Multiplies the time of a map by where its block is.", {}),
    LIGHT,
  ),
  slowStart,
  commit: setting(
    either([switched, commit], () => "off, on, or a mapping {poll: 1s, commit: 1s}"),
    "Attempts with output ask for leave to commit it, on one heartbeat, and report it done on another.",
    "off",
  ),
  io: withEffect(setting(mapping(shapeOf(IO_SETTINGS, {})), "What tasks read and write.", {}), DETAILED),
  attempts: setting(attempts, "When attempts, tasks, nodes and jobs are given up, and what they need.", {}),
  speculation: setting(
    either(
      [spelled<(typeof RULES)[number]>(RULES, [[false, "off"]]), speculation],
      () => "off, hadoop, late, or a mapping {rule, minAge, progressGap, slowerBy, maxShareOfSlots, checkEvery}",
    ),
    "Second attempts of slow tasks: off, hadoop, late, or a mapping.",
    "off",
  ),
  copyCompute: withEffect(
    setting(
      copyCompute,
      "Copy-compute splitting: reduce slots are for copying; how many reduces of a node compute at once is said here.",
      "off",
    ),
    SPLITS,
  ),
});

/** The section as a file says it. */
type RuntimeFile = z.output<typeof runtimeSchema>;

/** The runtime of a valid file. */
export function resolveRuntime(file: RuntimeFile, nodes: number): RuntimeSpec {
  const said = recordOf(runtimeSchema, file);
  const { node, rack, any, row = (rack + any) / 2 } = said.localityFactor;
  return {
    ...said,
    localityFactor: { node, rack, row, any },
    commit: said.commit === "off" ? null : said.commit === "on" ? recordOf(commit) : said.commit,
    io: { ...said.io, outputReplication: said.io.outputReplication ?? Math.min(3, nodes) },
    speculation: resolveSpeculation(said.speculation),
    copyCompute: resolveCopyCompute(file.copyCompute),
  };
}

function resolveSpeculation(
  said: ReturnType<typeof recordOf<typeof runtimeSchema.shape>>["speculation"],
): SpeculationSpec | null {
  const { rule, ...ruleSettings } = typeof said === "object" ? said : recordOf(speculation, { rule: said });
  return rule === "off" ? null : { rule, ...ruleSettings };
}

/** Copy-compute splitting of a valid file; null: none. */
function resolveCopyCompute(file: RuntimeFile["copyCompute"]): CopyComputeSpec | null {
  if (file === undefined || file === "off") return null;
  const { computing = Infinity, perJob = computing, order } = recordOf(splitting, file);
  return { computing, perJob, order };
}

/**
 * The runtime of a scenario that sets none, on a cluster of three nodes or more. With it, light and detailed racks run
 * alike.
 */
export const DEFAULT_RUNTIME = resolveRuntime({}, 3);

/** Problems of task times, whatever the cluster. */
export function runtimeProblems({ model, io }: RuntimeFile): Problem[] {
  const { taskStart = Infinity } = io ?? {};
  return problemIf(
    model === "detailed" && taskStart < LIMITS.minTaskStartUs,
    ["runtime", "io", "taskStart"],
    `${formatDuration(taskStart)} for runtime.io.taskStart in the detailed model`,
    `at least ${formatDuration(LIMITS.minTaskStartUs)}`,
  );
}

/** Problems of settings that the cluster has no room for. */
export function roomProblems(
  { io, attempts: limits }: RuntimeFile,
  plans: readonly RackPlan[],
  nodes: number,
  workload: WorkloadFile | undefined,
): Problem[] {
  const { outputReplication = 0 } = io ?? {};
  const problems = problemIf(
    outputReplication > nodes,
    ["runtime", "io", "outputReplication"],
    `${counted(outputReplication, "replica")} on ${counted(nodes, "node")}`,
    "at most one per node",
  );
  if (workload === undefined) return problems;
  const room = taskRoom(plans.flatMap(({ nodes: groups }) => groups));
  const ofAll = {
    maps: needs(workload, "maps") ? 1 : 0,
    reduces: needs(workload, "reduces") ? 1 : 0,
    mapMemory: limits?.mapMemory,
    reduceMemory: limits?.reduceMemory,
  };
  const needy = [
    { path: ["runtime", "attempts"], job: ofAll },
    ...(workload.kind === "jobs" ? workload.jobs : []).map((job, i) => ({ path: ["workload", "jobs", i], job })),
  ];
  return [
    ...problems,
    ...needy.flatMap(({ path, job }) =>
      needsProblems(job, room).map(({ key, actual, allowed }) => wrong([...path, key], actual, allowed)),
    ),
  ];
}

/**
 * A node must not be given up between two of its heartbeats. Without faults, and unless the file asks for it, no node
 * is given up.
 */
export function expiryProblems(file: RuntimeFile, faults: FaultsFile, heartbeatUs: number): Problem[] {
  const { trackerExpiryUs } = recordOf(attempts, file.attempts);
  const isGiven = file.attempts?.trackerExpiry !== undefined;
  const isAsked = isGiven || file.model === "detailed" || Object.values(faults).some((value) => value !== undefined);
  return problemIf(
    isAsked && trackerExpiryUs <= heartbeatUs,
    ["runtime", "attempts", "trackerExpiry"],
    `${formatDuration(trackerExpiryUs)} for runtime.attempts.trackerExpiry with heartbeats up to ${formatTime(heartbeatUs)} apart`,
    "more than the time between two heartbeats",
  );
}

/**
 * The room of the largest node with a slot for a task of that type; Infinity without such a slot, which other checks
 * report.
 */
export interface TaskRoom {
  /** Memory. */
  readonly mapBytes: number;
  readonly reduceBytes: number;
  /** Disk space for map output. */
  readonly outputBytes: number;
}

export function taskRoom(groups: readonly NodeGroupSpec[]): TaskRoom {
  const forMaps = groups.filter(({ mapSlots }) => mapSlots > 0);
  const forReduces = groups.filter(({ reduceSlots }) => reduceSlots > 0);
  return {
    mapBytes: largest(forMaps, ({ memoryBytes }) => memoryBytes),
    reduceBytes: largest(forReduces, ({ memoryBytes }) => memoryBytes),
    outputBytes: largest(forMaps, ({ diskBytes }) => diskBytes),
  };
}

function largest(groups: readonly NodeGroupSpec[], bytesOf: (group: NodeGroupSpec) => number): number {
  return groups.length === 0 ? Infinity : maxOver(groups, bytesOf, 0);
}

/** The limit of `taskRoom`, in words. */
function allowedMemory(bytes: number): string {
  return `at most ${formatSize(bytes)}, the memory of the largest node with a slot for it`;
}

/** As much of a job as says what its tasks need; sizes in bytes. */
interface DeclaredNeeds {
  readonly maps: number;
  readonly reduces?: number | undefined;
  readonly mapOutput?: number | undefined;
  readonly mapMemory?: number | undefined;
  readonly reduceMemory?: number | undefined;
}

/** A need of a job's tasks that cannot be met, under its key. */
interface NeedsProblem {
  readonly key: "mapOutput" | "mapMemory" | "reduceMemory";
  readonly actual: string;
  readonly allowed: string;
}

/** Tasks that no node can hold, and reduces that would fetch more than a run can hold. */
export function needsProblems(job: DeclaredNeeds, room: TaskRoom): NeedsProblem[] {
  const { maps, reduces = 0, mapOutput = 0, mapMemory = 0, reduceMemory = 0 } = job;
  const problems: NeedsProblem[] = [];
  if (maps > 0 && mapMemory > room.mapBytes) {
    problems.push({ key: "mapMemory", actual: formatSize(mapMemory), allowed: allowedMemory(room.mapBytes) });
  }
  if (reduces > 0 && reduceMemory > room.reduceBytes) {
    problems.push({ key: "reduceMemory", actual: formatSize(reduceMemory), allowed: allowedMemory(room.reduceBytes) });
  }
  if (maps > 0 && mapOutput > room.outputBytes) {
    const allowed = `at most ${formatSize(room.outputBytes)}, the disk space of the largest node with a map slot`;
    problems.push({ key: "mapOutput", actual: formatSize(mapOutput), allowed });
  }
  if (reduces > 0 && maps * mapOutput > reduces * LIMITS.taskBytes) {
    const actual = `${formatSize(mapOutput)} from each of ${maps} maps for ${reduces} reduces`;
    problems.push({ key: "mapOutput", actual, allowed: `at most ${formatSize(LIMITS.taskBytes)} for each reduce` });
  }
  return problems;
}

/** Memory is checked where tasks declare what they need and nodes have an end of it. */
export function memoryNotes(runtime: RuntimeFile, workload: WorkloadFile, plans: readonly RackPlan[]): string[] {
  const byRuntime = declaresMemory(runtime.attempts ?? {});
  // The rows of a file of tasks may declare some, and are not read yet.
  if (workload.kind === "tasks" && !byRuntime) return [];
  const isDeclared = byRuntime || (workload.kind === "jobs" && workload.jobs.some(declaresMemory));
  const isFinite = plans.some(({ nodes }) => nodes.some(({ memoryBytes }) => memoryBytes < Infinity));
  if (isDeclared === isFinite) return [];
  return isDeclared
    ? [
        `tasks declare memory (${byRuntime ? "runtime.attempts" : "workload.jobs"}), but no node has a limit of it: it has no effect`,
      ]
    : [
        "nodes have a limit of memory, but tasks declare none (runtime.attempts.mapMemory, reduceMemory): it has no effect",
      ];
}

interface MemorySettings {
  readonly mapMemory?: number | undefined;
  readonly reduceMemory?: number | undefined;
}

function declaresMemory({ mapMemory = 0, reduceMemory = 0 }: MemorySettings): boolean {
  return mapMemory > 0 || reduceMemory > 0;
}
