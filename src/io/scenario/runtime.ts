import type * as z from "zod";
import { counted, formatTime } from "../../core/kernel/index.js";
import {
  type NodeGroupSpec,
  type AttemptRulesSpec,
  type CommitSpec,
  type CopyComputeSpec,
  GATE_ORDERS,
  type IoSpec,
  type RuntimeSpec,
  type SpeculationSpec,
  DEFAULT_ATTEMPTS,
  DEFAULT_IO,
  PLAIN_RUNTIME,
} from "../../core/scenario/index.js";
import type { ClusterFile, RackPlan } from "./cluster.js";
import { type Problem, valueProblem } from "./diagnose.js";
import type { FaultsFile } from "./faults.js";
import { LIMITS } from "./limits.js";
import { showPath } from "./show.js";
import type { StorageFile } from "./storage.js";
import { formatDuration, formatSize } from "./units.js";
import { choice, count, duration, either, flag, mapping, quantity, quantityOr, size, spelled } from "./values.js";
import { needs, needsFiles, type WorkloadFile } from "./workload.js";

// `runtime`: how long tasks and jobs take, what they read and write, and when attempts are given up.

/** Copy-compute splitting (EECS-2009-55). */
const copyCompute = either(
  [
    spelled<"off">(["off"], [[false, "off"]]),
    mapping({
      computing: count(1, LIMITS.slotsPerNode)
        .optional()
        .describe("Reduces of a node that may compute at once. Default: as many as it has reduce slots."),
      perJob: count(1, LIMITS.slotsPerNode)
        .optional()
        .describe("Reduces of one job on one node that have not begun to compute. Default: as `computing`."),
      order: choice(GATE_ORDERS)
        .optional()
        .describe(
          "Who computes next on a node. waiting: who has waited longest. submission: by the job's priority, then its submission. fair: whose job has fewest there that compute. Default waiting.",
        ),
    }),
  ],
  () => "off, or a mapping {computing: 2, perJob: 2, order: waiting}",
);

const factor = quantity(LIMITS.minFactor, LIMITS.maxFactor);
const overhead = duration(0, LIMITS.taskUs);
const share = quantity(0, 1);

const switched = spelled<"off" | "on">(
  ["off", "on"],
  [
    [false, "off"],
    [true, "on"],
  ],
);

const commit = either(
  [
    switched,
    mapping({
      poll: duration(1_000, LIMITS.taskUs).optional().describe("An attempt looks for the leave so often. Default 1s."),
      commit: overhead.optional().describe("Time the commit takes. Default 1s."),
    }),
  ],
  () => "off, on, or a mapping {poll: 1s, commit: 1s}",
);

const RULES = ["off", "hadoop", "late"] as const;

const speculation = either(
  [
    spelled<(typeof RULES)[number]>(RULES, [[false, "off"]]),
    mapping({
      rule: spelled<(typeof RULES)[number]>(RULES, [[false, "off"]]).describe(
        "hadoop: tasks whose progress is well below the job's mean. late: those with the longest time left first.",
      ),
      minAge: duration(0, LIMITS.waitUs)
        .optional()
        .describe("Least age of an attempt that may get a second one. Default 1m."),
      progressGap: share
        .optional()
        .describe("hadoop: least gap between the job's mean progress and the task's. Default 0.2."),
      slowerBy: quantity(0, 100)
        .optional()
        .describe("late: standard deviations that a task's progress rate is below the job's mean. Default 1."),
      maxShareOfSlots: share
        .optional()
        .describe("late: most second attempts at once, as a share of all slots. Default 0.1."),
      checkEvery: duration(1_000, LIMITS.waitUs).optional().describe("How often tasks are looked at. Default 5s."),
    }),
  ],
  () => "off, hadoop, late, or a mapping {rule, minAge, progressGap, slowerBy, maxShareOfSlots, checkEvery}",
);

const io = mapping({
  taskStart: overhead
    .optional()
    .describe("Start-up of every attempt, before it touches disk or network; part of its given time. Default 2s."),
  ioShare: quantityOr("block", 0, 1)
    .optional()
    .describe(
      "Share of a map's time after its start-up, alone on a nominal node, that goes into reading; block: it reads its block. Default block.",
    ),
  outputRatio: quantity(0, LIMITS.maxOutputRatio)
    .optional()
    .describe("Bytes a reduce writes for every byte it has fetched. Default 0.1."),
  outputReplication: count(1, LIMITS.replication)
    .optional()
    .describe("Replicas of what a reduce writes. Default: 3, or the number of nodes if that is smaller."),
});

const attempts = mapping({
  maxPerTask: count(1, LIMITS.attempts)
    .optional()
    .describe("A job fails when one of its tasks has failed so often. Default 4."),
  maxFailuresPerNode: count(1, LIMITS.attempts)
    .optional()
    .describe("A job gives no more tasks to a node on which so many of its attempts have failed. Default 4."),
  trackerExpiry: duration(1_000, LIMITS.waitUs)
    .optional()
    .describe("A node that has not reported for so long is given up. Default 10m."),
  mapMemory: size(0, LIMITS.maxRoomBytes)
    .optional()
    .describe("What a map declares to need of its node's memory. Default 0: nothing is checked."),
  reduceMemory: size(0, LIMITS.maxRoomBytes).optional().describe("The same for a reduce."),
});

/** `runtime`: how tasks and jobs take their time. */
export const runtimeSchema = mapping({
  model: choice(["light", "detailed"])
    .optional()
    .describe(
      "light: a task takes its time, by locality. detailed: it reads, computes, fetches and writes. Default light.",
    ),
  jobSetup: overhead.prefault("10s").describe("Time between submission and the first runnable task."),
  jobCleanup: overhead.prefault("2s").describe("Time between the last task and the end of the job."),
  setupTasks: flag()
    .optional()
    .describe("Set-up and clean-up are tasks that hold a map slot. Default false: they hold none."),
  localityFactor: mapping({
    node: factor.optional().describe("Block on the same node. Default 1."),
    rack: factor.optional().describe("Block on the same rack. Default 1.2."),
    row: factor
      .optional()
      .describe("Block in the same row, where racks stand in rows. Default: midway between rack and any."),
    any: factor.optional().describe("Block elsewhere. Default 2."),
  })
    .optional()
    .describe("Light model: multiplies the time of a map by where its block is."),
  slowStart: share.prefault(0.05).describe("Share of a job's maps that must have ended before its reduces start."),
  commit: commit
    .optional()
    .describe(
      "Attempts with output ask for leave to commit it, on one heartbeat, and report it done on another. Default off.",
    ),
  io: io.optional().describe("Detailed model: what tasks read and write."),
  attempts: attempts.optional().describe("When attempts, tasks, nodes and jobs are given up, and what they need."),
  speculation: speculation
    .optional()
    .describe("Second attempts of slow tasks: off, hadoop, late, or a mapping. Default off."),
  copyCompute: copyCompute
    .optional()
    .describe("Reduce slots are for copying; how many reduces of a node compute at once is said here. Default off."),
});

/** The section as a file says it. */
export type RuntimeFile = z.output<typeof runtimeSchema>;

/** A tracker polls once a second for the leave to commit (semantics section 13). */
const DEFAULT_COMMIT: CommitSpec = { pollUs: 1_000_000, commitUs: 1_000_000 };

/** As in Hadoop 1.x and in 0.21 (semantics section 10); the cap is that of the paper on LATE. */
const DEFAULT_SPECULATION: Omit<SpeculationSpec, "rule"> = {
  minAgeUs: 60_000_000,
  progressGap: 0.2,
  slowerBy: 1,
  maxShareOfSlots: 0.1,
  checkEveryUs: 5_000_000,
};

/** The runtime of a valid file. */
export function resolveRuntime(file: RuntimeFile, nodes: number): RuntimeSpec {
  const { node = 1, rack = 1.2, any = 2, row = (rack + any) / 2 } = file.localityFactor ?? {};
  return {
    model: file.model ?? PLAIN_RUNTIME.model,
    jobSetupUs: file.jobSetup,
    jobCleanupUs: file.jobCleanup,
    setupTasks: file.setupTasks ?? PLAIN_RUNTIME.setupTasks,
    localityFactor: { node, rack, row, any },
    slowStart: file.slowStart,
    commit: resolveCommit(file.commit),
    io: resolveIo(file.io ?? {}, nodes),
    attempts: resolveAttempts(file.attempts),
    speculation: resolveSpeculation(file.speculation),
    copyCompute: resolveCopyCompute(file.copyCompute),
  };
}

function resolveCommit(file: RuntimeFile["commit"]): CommitSpec | null {
  if (file === undefined || file === "off") return null;
  if (file === "on") return DEFAULT_COMMIT;
  return { pollUs: file.poll ?? DEFAULT_COMMIT.pollUs, commitUs: file.commit ?? DEFAULT_COMMIT.commitUs };
}

function resolveIo(file: NonNullable<RuntimeFile["io"]>, nodes: number): IoSpec {
  return {
    taskStartUs: file.taskStart ?? DEFAULT_IO.taskStartUs,
    ioShare: file.ioShare ?? DEFAULT_IO.ioShare,
    outputRatio: file.outputRatio ?? DEFAULT_IO.outputRatio,
    outputReplication: file.outputReplication ?? Math.min(DEFAULT_IO.outputReplication, nodes),
  };
}

function resolveAttempts(file: RuntimeFile["attempts"]): AttemptRulesSpec {
  return {
    maxPerTask: file?.maxPerTask ?? DEFAULT_ATTEMPTS.maxPerTask,
    maxFailuresPerNode: file?.maxFailuresPerNode ?? DEFAULT_ATTEMPTS.maxFailuresPerNode,
    trackerExpiryUs: file?.trackerExpiry ?? DEFAULT_ATTEMPTS.trackerExpiryUs,
    mapMemoryBytes: file?.mapMemory ?? DEFAULT_ATTEMPTS.mapMemoryBytes,
    reduceMemoryBytes: file?.reduceMemory ?? DEFAULT_ATTEMPTS.reduceMemoryBytes,
  };
}

function resolveSpeculation(file: RuntimeFile["speculation"]): SpeculationSpec | null {
  const given = typeof file === "object" ? file : { rule: file ?? "off" };
  if (given.rule === "off") return null;
  return {
    rule: given.rule,
    minAgeUs: given.minAge ?? DEFAULT_SPECULATION.minAgeUs,
    progressGap: given.progressGap ?? DEFAULT_SPECULATION.progressGap,
    slowerBy: given.slowerBy ?? DEFAULT_SPECULATION.slowerBy,
    maxShareOfSlots: given.maxShareOfSlots ?? DEFAULT_SPECULATION.maxShareOfSlots,
    checkEveryUs: given.checkEvery ?? DEFAULT_SPECULATION.checkEveryUs,
  };
}

/** Copy-compute splitting of a valid file; null: none. */
function resolveCopyCompute(file: RuntimeFile["copyCompute"]): CopyComputeSpec | null {
  if (file === undefined || file === "off") return null;
  const computing = file.computing ?? Infinity;
  return { computing, perJob: file.perJob ?? computing, order: file.order ?? "waiting" };
}

/** What is wrong with the times of tasks, whatever the cluster. */
export function runtimeProblems({ model, io }: RuntimeFile): Problem[] {
  if (model !== "detailed" || io?.taskStart === undefined || io.taskStart >= LIMITS.minTaskStartUs) return [];
  const found = `${formatDuration(io.taskStart)} for runtime.io.taskStart in the detailed model`;
  return [valueProblem(["runtime", "io", "taskStart"], found, `at least ${formatDuration(LIMITS.minTaskStartUs)}`)];
}

/** What the cluster has no room for. */
export function roomProblems(
  { io, attempts }: RuntimeFile,
  plans: readonly RackPlan[],
  nodes: number,
  workload: WorkloadFile | undefined,
): Problem[] {
  const problems: Problem[] = [];
  if (io?.outputReplication !== undefined && io.outputReplication > nodes) {
    const found = `${counted(io.outputReplication, "replica")} on ${counted(nodes, "node")}`;
    problems.push(valueProblem(["runtime", "io", "outputReplication"], found, "at most one per node"));
  }
  if (workload === undefined) return problems;
  const { mapMemoryBytes, reduceMemoryBytes } = resolveAttempts(attempts);
  const room = taskRoom(plans.flatMap(({ nodes: groups }) => groups));
  if (needs(workload, "maps")) problems.push(...memoryProblem("mapMemory", mapMemoryBytes, room.mapBytes));
  if (needs(workload, "reduces")) problems.push(...memoryProblem("reduceMemory", reduceMemoryBytes, room.reduceBytes));
  if (workload.kind !== "jobs") return problems;
  for (const [i, job] of workload.jobs.entries()) {
    for (const { key, found, allowed } of needsProblems(job, room)) {
      const path = ["workload", "jobs", i, key];
      problems.push(valueProblem(path, `${found} for ${showPath(path)}`, allowed));
    }
  }
  return problems;
}

function memoryProblem(key: "mapMemory" | "reduceMemory", bytes: number, most: number): Problem[] {
  if (bytes <= most) return [];
  const found = `${formatSize(bytes)} for runtime.attempts.${key}`;
  return [valueProblem(["runtime", "attempts", key], found, allowedMemory(most))];
}

/** A node must not be given up between two of its heartbeats. Without faults, and unless the file asks for it, no node is given up. */
export function expiryProblems(file: RuntimeFile, faults: FaultsFile, heartbeatUs: number): Problem[] {
  const { trackerExpiryUs } = resolveAttempts(file.attempts);
  const isGiven = file.attempts?.trackerExpiry !== undefined;
  const isAsked = isGiven || file.model === "detailed" || Object.values(faults).some((value) => value !== undefined);
  if (!isAsked || trackerExpiryUs > heartbeatUs) return [];
  const found = `${formatDuration(trackerExpiryUs)} for runtime.attempts.trackerExpiry with heartbeats up to ${formatTime(heartbeatUs)} apart`;
  return [valueProblem(["runtime", "attempts", "trackerExpiry"], found, "more than the time between two heartbeats")];
}

/** What the largest node with a slot for a task of that type has; Infinity if there is no such slot, which others tell. */
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
  return groups.length === 0 ? Infinity : groups.reduce((most, group) => Math.max(most, bytesOf(group)), 0);
}

/** What `taskRoom` allows, in words. */
function allowedMemory(bytes: number): string {
  return `at most ${formatSize(bytes)}, the memory of the largest node with a slot for it`;
}

/** As much of a job as says what its tasks need; sizes in bytes. */
interface DeclaredNeeds {
  readonly maps: number;
  readonly reduces: number;
  readonly mapOutput?: number | undefined;
  readonly mapMemory?: number | undefined;
  readonly reduceMemory?: number | undefined;
}

/** What a job says of its tasks and cannot be, by the key that says it. */
interface NeedsProblem {
  readonly key: "mapOutput" | "mapMemory" | "reduceMemory";
  readonly found: string;
  readonly allowed: string;
}

/** Tasks that no node can hold, and reduces that would fetch more than a run can hold. */
export function needsProblems(job: DeclaredNeeds, room: TaskRoom): NeedsProblem[] {
  const { maps, reduces, mapOutput = 0, mapMemory = 0, reduceMemory = 0 } = job;
  const problems: NeedsProblem[] = [];
  if (maps > 0 && mapMemory > room.mapBytes) {
    problems.push({ key: "mapMemory", found: formatSize(mapMemory), allowed: allowedMemory(room.mapBytes) });
  }
  if (reduces > 0 && reduceMemory > room.reduceBytes) {
    problems.push({ key: "reduceMemory", found: formatSize(reduceMemory), allowed: allowedMemory(room.reduceBytes) });
  }
  if (maps > 0 && mapOutput > room.outputBytes) {
    const allowed = `at most ${formatSize(room.outputBytes)}, the disk space of the largest node with a map slot`;
    problems.push({ key: "mapOutput", found: formatSize(mapOutput), allowed });
  }
  if (reduces > 0 && maps * mapOutput > reduces * LIMITS.taskBytes) {
    const found = `${formatSize(mapOutput)} from each of ${String(maps)} maps for ${String(reduces)} reduces`;
    problems.push({ key: "mapOutput", found, allowed: `at most ${formatSize(LIMITS.taskBytes)} for each reduce` });
  }
  return problems;
}

/** The sections that decide together whether a setting has an effect. */
interface WholeFile {
  readonly cluster: ClusterFile;
  readonly storage: StorageFile;
  readonly workload: WorkloadFile;
  readonly scheduler: { readonly preference?: "input" | "cache" | undefined };
  readonly runtime: RuntimeFile;
  readonly faults: FaultsFile;
}

/** Settings that are given and change nothing, as sentences for the user. */
export function modelNotes(file: WholeFile, plans: readonly RackPlan[]): string[] {
  const isDetailed = file.runtime.model === "detailed";
  return [
    ...withoutEffect(
      isDetailed ? localitySettings(file) : detailedSettings(file),
      `in the ${isDetailed ? "detailed" : "light"} model`,
    ),
    ...withoutEffect(rowSettings(file, plans), "where racks stand in no rows"),
    ...withoutEffect(speculationSettings(file.runtime.speculation), speculationWords(file.runtime.speculation)),
    ...withoutEffect(cachedFileSettings(file), "where no job needs a file on its nodes"),
    ...withoutEffect(splittingSettings(file, plans), "where no node has more reduce slots than that"),
    ...memoryNotes(file, plans),
  ];
}

function withoutEffect(settings: readonly string[], where: string): string[] {
  if (settings.length === 0) return [];
  return [`${settings.join(", ")} ${settings.length === 1 ? "has" : "have"} no effect ${where}`];
}

/** `prefix.key` for those keys that are given. */
function given(prefix: string, settings: object, keys: readonly string[]): string[] {
  const values = new Map<string, unknown>(Object.entries(settings));
  return keys.filter((key) => values.get(key) !== undefined).map((key) => `${prefix}.${key}`);
}

/** What only the detailed model looks at. */
function detailedSettings({ cluster, storage, workload, runtime, faults }: WholeFile): string[] {
  const { racks } = cluster;
  const groups = typeof racks === "number" ? [] : racks;
  // Files that tasks need come over links in both models.
  const link = needsFiles(storage, workload) ? [] : ["link"];
  const bandwidths = ["disk", ...link, "uplink"];
  const inside = groups.flatMap((rack, i) => [
    ...given(`cluster.racks.${String(i)}`, rack, bandwidths),
    ...(typeof rack.nodes === "object" ? rack.nodes : []).flatMap((group, j) =>
      given(`cluster.racks.${String(i)}.nodes.${String(j)}`, group, bandwidths),
    ),
  ]);
  const slowDisks = (faults.events ?? []).flatMap(({ kind }, i) =>
    kind === "slowDisk" ? [`faults.events.${String(i)}`] : [],
  );
  return shortened([
    ...given("cluster", cluster, ["disk", ...link, "oversubscription", "network"]),
    ...inside,
    ...given("runtime", runtime, ["io"]),
    ...slowDisks,
    ...given("faults.rates", faults.rates ?? {}, ["slowDisk"]),
  ]);
}

/** A scenario may have thousands of rack groups. */
function shortened(settings: readonly string[]): string[] {
  const most = 8;
  return settings.length <= most
    ? [...settings]
    : [...settings.slice(0, most - 1), `${String(settings.length - most + 1)} more`];
}

function localitySettings({ runtime }: WholeFile): string[] {
  return given("runtime", runtime, ["localityFactor"]);
}

function rowSettings({ cluster, runtime }: WholeFile, plans: readonly RackPlan[]): string[] {
  if (plans.some(({ row }) => row !== undefined)) return [];
  return [
    ...given("cluster.network", cluster.network ?? {}, ["rowUplink"]),
    ...given("runtime.localityFactor", runtime.localityFactor ?? {}, ["row"]),
  ];
}

/** As many places as slots are no splitting. */
function splittingSettings({ runtime: { copyCompute } }: WholeFile, plans: readonly RackPlan[]): string[] {
  const spec = resolveCopyCompute(copyCompute);
  const least = Math.min(spec?.computing ?? Infinity, spec?.perJob ?? Infinity);
  const splits = plans.some(({ nodes }) => nodes.some(({ reduceSlots }) => reduceSlots > least));
  return spec === null || splits ? [] : ["runtime.copyCompute"];
}

/** What is given and looked at only where some job needs a file. */
function cachedFileSettings({ storage, workload, scheduler }: WholeFile): string[] {
  if (needsFiles(storage, workload)) return [];
  return [
    ...(storage.nodeCache === undefined ? [] : ["storage.nodeCache"]),
    ...(scheduler.preference === "cache" ? ["scheduler.preference"] : []),
  ];
}

type SpeculationFile = RuntimeFile["speculation"];

const OTHER_RULE = { off: [], hadoop: ["slowerBy", "maxShareOfSlots"], late: ["progressGap"] } as const;

function speculationSettings(file: SpeculationFile): string[] {
  return typeof file === "object" ? given("runtime.speculation", file, OTHER_RULE[file.rule]) : [];
}

function speculationWords(file: SpeculationFile): string {
  return typeof file === "object" ? `under the rule ${file.rule}` : "";
}

/** Memory is checked where tasks declare what they need and nodes have an end of it. */
function memoryNotes({ runtime, workload }: WholeFile, plans: readonly RackPlan[]): string[] {
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
