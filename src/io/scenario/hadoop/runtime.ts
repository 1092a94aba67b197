import type * as z from "zod";
import { counted, formatTime, maxOver } from "../../../core/kernel/index.js";
import {
  type NodeGroupSpec,
  type CopyComputeSpec,
  GATE_ORDERS,
  type RuntimeSpec,
  type SpeculationSpec,
} from "../../../core/scenario/index.js";
import type { RackPlan } from "./cluster.js";
import { type Problem, problemIf, wrong } from "../diagnose.js";
import { DETAILED, IN_ROWS, LIGHT, UNDER_HADOOP, UNDER_LATE } from "./effects.js";
import type { FaultsFile } from "./faults.js";
import { LIMITS } from "../limits.js";
import { type Effect, optional, recordOf, setting, withEffect } from "../setting.js";
import { formatDuration, formatSize } from "../units.js";
import { choice, count, duration, either, flag, mapping, quantity, quantityOr, size, spelled } from "../values.js";
import { needs, type WorkloadFile } from "./workload.js";

// `runtime`: how long tasks and jobs take, what they read and write, and when attempts are given up.

/** Copy-compute splitting (EECS-2009-55). */
const splitting = mapping({
  computing: optional(
    count(1, LIMITS.slotsPerNode),
    "Reduces of a node that may compute at once.",
    "as many as it has reduce slots",
  ),
  perJob: optional(
    count(1, LIMITS.slotsPerNode),
    "Reduces of one job on one node that have not begun to compute.",
    "as `computing`",
  ),
  order: setting(
    choice(GATE_ORDERS),
    "Who computes next on a node. waiting: who has waited longest. submission: by the job's priority, then its submission. fair: whose job has fewest there that compute.",
    "waiting",
  ),
});

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

const factor = quantity(LIMITS.minFactor, LIMITS.maxFactor);
const overhead = duration(0, LIMITS.taskUs);
const share = quantity(0, 1);
const failures = count(1, LIMITS.attempts);
const memory = size(0, LIMITS.maxRoomBytes);

const switched = spelled<"off" | "on">(
  ["off", "on"],
  [
    [false, "off"],
    [true, "on"],
  ],
);

/** A tracker polls once a second for the leave to commit (semantics section 13). */
const commit = mapping({
  poll: setting(duration(1_000, LIMITS.taskUs), "An attempt looks for the leave so often.", "1s", "pollUs"),
  commit: setting(overhead, "Time that the commit takes.", "1s", "commitUs"),
});

const RULES = ["off", "hadoop", "late"] as const;

/** As in Hadoop 1.x and in 0.21 (semantics section 10); the cap is that of the paper on LATE. */
const speculation = mapping({
  rule: spelled<(typeof RULES)[number]>(RULES, [[false, "off"]]).describe(
    "hadoop: tasks whose progress is well below the job's mean. late: those with the longest time left first.",
  ),
  minAge: setting(duration(0, LIMITS.waitUs), "Least age of an attempt that may get a second one.", "1m", "minAgeUs"),
  progressGap: withEffect(
    setting(share, "Least gap between the job's mean progress and the task's.", 0.2),
    UNDER_HADOOP,
  ),
  slowerBy: withEffect(
    setting(
      quantity(0, 100),
      "Least number of standard deviations that a task's progress rate is below the job's mean.",
      1,
    ),
    UNDER_LATE,
  ),
  maxShareOfSlots: withEffect(
    setting(
      share,
      "Most second attempts at once, as a share of all slots, without those of nodes that were given up.",
      0.1,
    ),
    UNDER_LATE,
  ),
  checkEvery: setting(duration(1_000, LIMITS.waitUs), "How often tasks are looked at.", "5s", "checkEveryUs"),
});

const localityFactor = mapping({
  node: setting(factor, "Block on the same node.", 1),
  rack: setting(factor, "Block on the same rack.", 1.2),
  row: withEffect(
    optional(factor, "Block in the same row, where racks stand in rows.", "midway between rack and any"),
    IN_ROWS,
  ),
  any: setting(factor, "Block elsewhere.", 2),
});

const io = mapping({
  taskStart: setting(
    overhead,
    "Start-up of every attempt, before it touches disk or network; part of its given time; at least 2ms in the detailed model.",
    "2s",
    "taskStartUs",
  ),
  ioShare: setting(
    quantityOr("block", 0, 1),
    "Share of a map's time after its start-up, alone on a nominal node, that goes into reading; block: it reads its block, and computes for the rest.",
    "block",
  ),
  outputRatio: setting(
    quantity(0, LIMITS.maxOutputRatio),
    "Bytes that a reduce writes for every byte it has fetched.",
    0.1,
  ),
  outputReplication: optional(
    count(1, LIMITS.replication),
    "Replicas of what a reduce writes.",
    "3, or the number of nodes if that is smaller",
  ),
});

const attempts = mapping({
  maxPerTask: setting(failures, "A job fails when one of its tasks has failed so often.", 4),
  maxFailuresPerNode: setting(
    failures,
    "A job gives no more tasks to a node on which so many of its attempts have failed.",
    4,
  ),
  trackerExpiry: setting(
    duration(1_000, LIMITS.waitUs),
    "A node that has not reported for so long is given up; more than the time between two heartbeats.",
    "10m",
    "trackerExpiryUs",
  ),
  mapMemory: setting(
    memory,
    "What a map declares to need of its node's `memory`; some node with a slot for it must have that. 0: nothing is checked.",
    0,
    "mapMemoryBytes",
  ),
  reduceMemory: setting(memory, "The same for a reduce.", 0, "reduceMemoryBytes"),
});

/** `runtime`: how tasks and jobs take their time. */
export const runtimeSchema = mapping({
  model: setting(
    choice(["light", "detailed"]),
    "light: a task takes its time, by locality. detailed: it reads, computes, fetches and writes, at what disks and links give.",
    "light",
  ),
  jobSetup: setting(overhead, "Time between submission and the first runnable task.", "10s", "jobSetupUs"),
  jobCleanup: setting(overhead, "Time between the last task and the end of the job.", "2s", "jobCleanupUs"),
  setupTasks: setting(
    flag(),
    "Set-up and clean-up are tasks of those lengths that hold a slot, of maps if one is free; otherwise they hold none.",
    false,
  ),
  localityFactor: withEffect(setting(localityFactor, "Multiplies the time of a map by where its block is.", {}), LIGHT),
  slowStart: setting(share, "Share of a job's maps that must have ended before its reduces start.", 0.05),
  commit: setting(
    either([switched, commit], () => "off, on, or a mapping {poll: 1s, commit: 1s}"),
    "Attempts with output ask for leave to commit it, on one heartbeat, and report it done on another.",
    "off",
  ),
  io: withEffect(setting(io, "What tasks read and write.", {}), DETAILED),
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
