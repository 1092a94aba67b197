import * as z from "zod";
import { MAX_TIME_US } from "../../core/kernel/index.js";
import {
  DEFAULT_NODE_CACHE_BYTES,
  type BenchmarkBin,
  type InlineJobSpec,
  type JobOwnersSpec,
  type NameShareSpec,
  PRIORITIES,
  type WorkloadSpec,
} from "../../core/scenario/index.js";
import { shareByRank } from "../../core/workload/index.js";
import type { ClusterTotals } from "./cluster.js";
import { badName, duplicate, type Problem, totalProblems, valueProblem } from "./diagnose.js";
import { LIMITS } from "./limits.js";
import { quote } from "./show.js";
import { cachedFilesOf, type StorageFile } from "./storage.js";
import { formatDuration, formatSize } from "./units.js";
import { UNIX_FROM_US, LONGEST_IDLE_US } from "../workloads/submissions.js";
import {
  asLabel,
  byKind,
  choice,
  count,
  countOr,
  duration,
  either,
  flag,
  label,
  listOf,
  mapping,
  quantity,
  quantityOr,
  rate,
  size,
  text,
} from "./values.js";

// `workload`: what arrives, generated, listed or in a file, and what its tasks need on their nodes.

const KB = 2 ** 10;
const TB = 2 ** 40;

const jobs = count(1, LIMITS.jobs);
const shareOfJobs = quantity(0.000001, 1_000_000);
const sharesOfNames = z.record(z.string(), shareOfJobs);
const NAMES_OR_SHARES = "a list of names, most active first, or a mapping from names to shares of the jobs";
const users = either(
  [count(1, LIMITS.users), listOf(label(), "names of users"), sharesOfNames],
  () => `a whole number from 1 to ${String(LIMITS.users)}, ${NAMES_OR_SHARES}`,
);
const pools = either([listOf(label(), "names of pools"), sharesOfNames], () => NAMES_OR_SHARES)
  .optional()
  .describe(
    "Pools the jobs are dealt to, whoever the user: a list, or shares. Default: each user has a pool of the same name.",
  );
const taskTime = duration(1, LIMITS.taskUs);
const phaseTime = duration(0, LIMITS.taskUs);
const file = text(1, LIMITS.pathLength);
const bytesPerSecond = rate(KB, TB);
const taskBytes = size(0, LIMITS.taskBytes);
const lenient = flag().prefault(false).describe("Skip and count malformed lines instead of refusing the file.");

/** Of a generated workload, or of an entry of a job list. */
const longTasks = mapping({
  share: quantity(0, 1).describe("Share of the jobs, or of all tasks, that are long."),
  factor: quantity(1, LIMITS.longFactor).describe("Multiplies the times of their maps and reduces, up to 30 days."),
  of: choice(["jobs", "tasks"])
    .prefault("jobs")
    .describe("jobs: a share of the jobs, with all their tasks; tasks: each task for itself."),
})
  .optional()
  .describe("Some tasks are far longer than the rest. Default: none.");

const facebook = mapping({
  kind: z
    .literal("facebook")
    .describe("Synthetic jobs after the published figures of Facebook's cluster, October 2009."),
  jobs: jobs.prefault(7500).describe("Jobs submitted within the span, exactly."),
  span: duration(1_000_000, MAX_TIME_US).prefault("24h").describe("The jobs come within this time."),
  users: users
    .prefault(200)
    .describe("How many users, their names (the k-th has 1/k of the jobs of the first), or their shares of the jobs."),
  pools,
  timeScale: quantity(0.001, 100).prefault(1).describe("Multiplies every map and reduce time."),
  longTasks,
});

const swim = mapping({
  kind: z.literal("swim").describe("A trace in SWIM's format: one job per line, times and bytes."),
  file: file.describe("The trace, relative to the scenario file."),
  timeScale: quantity(0.001, 1_000_000).prefault(1).describe("Arrival times are divided by it: 2 is twice as dense."),
  bytesPerMap: size(KB, TB).optional().describe("Input of one map. Default: storage.blockSize."),
  bytesPerReduce: size(KB, 1024 * TB)
    .prefault("1GB")
    .describe("Shuffled bytes per reduce."),
  mapRate: bytesPerSecond.prefault("16MB").describe("Input bytes a node-local map works through per second."),
  shuffleRate: bytesPerSecond.prefault("16MB").describe("Bytes per second a reduce fetches."),
  reduceRate: bytesPerSecond.prefault("8MB").describe("Bytes per second a reduce sorts and reduces."),
  taskOverhead: phaseTime.prefault("2s").describe("Start-up cost of every task."),
  maxMaps: countOr("unlimited", 1, LIMITS.tasksPerPhase).prefault(25_000).describe("Most maps of one job."),
  maxReduces: countOr("unlimited", 0, LIMITS.tasksPerPhase).prefault(1_000).describe("Most reduces of one job."),
  users: users
    .prefault(200)
    .describe(
      "Users the jobs are dealt to, for the trace names none: how many, their names (the k-th has 1/k of the jobs of the first), or their shares.",
    ),
  pools,
  lenient,
});

const bin = mapping({
  count: count(1, LIMITS.jobs).describe("Jobs of this bin in the schedule."),
  maps: count(1, LIMITS.tasksPerPhase).describe("Maps of each, one input block each."),
  mapTime: taskTime.optional().describe("Default: that of the workload."),
  reduces: count(0, LIMITS.tasksPerPhase).prefault(0),
  copyTime: phaseTime.prefault("10s").describe("Time a reduce needs to fetch all map output if it is there at once."),
  reduceTime: taskTime.prefault("10s").describe("Time of sort and reduce; the median if times are spread."),
  mapOutput: taskBytes.optional().describe("Detailed model: what each map writes. Default: by the copy times."),
  ioShare: quantity(0, 1).optional().describe("Default: that of the workload."),
});

const benchmark = mapping({
  kind: z.literal("benchmark").describe("The paper's schedule of 100 map-only jobs in nine sizes, 1 to 4800 maps."),
  meanGap: duration(1_000, LIMITS.taskUs).prefault("14s").describe("Mean of the exponential gaps between jobs."),
  mapTime: taskTime.prefault("8s").describe("Time of one node-local map; the median if they are spread."),
  mapSigma: quantity(0, 3).prefault(0.2).describe("Log-normal spread of map times; 0: all equal."),
  repeat: count(1, 10_000).prefault(1).describe("How often the schedule is run through."),
  bins: listOf(bin, "{count, maps, mapTime, reduces, ...}")
    .optional()
    .describe("Sizes of your own, in random order. Default: the paper's nine."),
  maxMaps: count(1, LIMITS.tasksPerPhase).optional().describe("Larger jobs are cut to so many maps. Default: none is."),
  ioShare: quantity(0, 1)
    .optional()
    .describe("Detailed model: share of map times that goes into reading. Default: that of the runtime."),
  longTasks,
});

const inlineJob = mapping({
  name: label().optional().describe("Unique. Default: job1, job2, ..."),
  at: duration(0, MAX_TIME_US).prefault("0s").describe("When it is submitted."),
  spread: quantityOr("exponential", 0, 3)
    .prefault(0)
    .describe(
      "Log-normal spread of map and reduce times around the given ones as medians; 0: all equal. exponential: drawn, with the given ones as means.",
    ),
  deadline: duration(1_000, MAX_TIME_US)
    .optional()
    .describe("Time after its submission by which it should have ended."),
  user: label().prefault("user").describe("Who submits it."),
  pool: label().optional().describe("Default: the user's name."),
  priority: choice(PRIORITIES).prefault("normal"),
  maps: count(0, LIMITS.tasksPerPhase).describe("Number of maps, one input block each."),
  mapTime: taskTime.prefault("10s").describe("Time of one node-local map on a nominal node."),
  reduces: count(0, LIMITS.tasksPerPhase).prefault(0),
  copyTime: phaseTime.prefault("10s").describe("Time a reduce needs to fetch all map output if it is there at once."),
  reduceTime: taskTime.prefault("10s").describe("Time of sort and reduce, after the last map output has come."),
  file: label()
    .optional()
    .describe("Input file; jobs that name the same file share its blocks. Default: a file of its own."),
  count: count(1, LIMITS.jobs).prefault(1).describe("How many equal jobs."),
  every: duration(0, MAX_TIME_US).prefault("0s").describe("Time between two of them."),
  think: duration(0, MAX_TIME_US)
    .optional()
    .describe("In place of every: each is submitted so long after the one before it has ended. Default: none waits."),
  gaps: choice(["even", "exponential"])
    .prefault("even")
    .describe("even: every or think is each gap; exponential: it is the mean of the gaps, which are drawn."),
  longTasks,
  mapInput: taskBytes.optional().describe("Detailed model: input of each map. Default: by ioShare, else a block."),
  mapOutput: taskBytes
    .optional()
    .describe("Detailed model: what each map writes to its node's disk. Default: by the reduces' copy times."),
  reduceOutput: taskBytes
    .optional()
    .describe("Detailed model: what each reduce writes, before replication. Default: by runtime.io.outputRatio."),
  cacheFile: label()
    .optional()
    .describe("A file that its tasks need on their nodes, fetched by the first on each. Default: none."),
  cacheSize: taskBytes.optional().describe("Size of that file, the same wherever it is named. Default 100MB."),
  mapMemory: taskBytes.optional().describe("Memory a map declares to need. Default: that of the runtime."),
  reduceMemory: taskBytes.optional().describe("Memory a reduce declares to need. Default: that of the runtime."),
  ioShare: quantity(0, 1)
    .optional()
    .describe("Detailed model: share of map times that goes into reading. Default: that of the runtime."),
});

const inlineJobs = mapping({
  kind: z.literal("jobs").describe("Jobs listed right here."),
  jobs: listOf(inlineJob, "jobs {maps, mapTime, at, reduces, ...}"),
});

const tasks = mapping({
  kind: z.literal("tasks").describe("A CSV of one's own jobs and tasks."),
  file: file.describe("The CSV, relative to the scenario file."),
  lenient,
});

/** `workload`: what arrives. */
export const workloadSchema = byKind([facebook, swim, benchmark, inlineJobs, tasks]).describe("What arrives.");

/** The section as a file says it. */
export type WorkloadFile = z.output<typeof workloadSchema>;
type InlineJobFile = z.output<typeof inlineJob>;
type BinFile = z.output<typeof bin>;

/** Size of the file that the tasks of a listed job need on their nodes. */
const DEFAULT_CACHED_BYTES = 100 * 2 ** 20;

/** The workload with its units in its names. */
export function resolveWorkload(file: WorkloadFile, blockBytes: number, untilUs: number): WorkloadSpec {
  switch (file.kind) {
    case "facebook": {
      const { kind, jobs, span, timeScale, longTasks } = file;
      return { kind, jobs, spanUs: span, ...resolveOwners(file), timeScale, longTasks };
    }
    case "swim":
      return {
        kind: file.kind,
        file: file.file,
        timeScale: file.timeScale,
        bytesPerMap: file.bytesPerMap ?? blockBytes,
        bytesPerReduce: file.bytesPerReduce,
        mapBytesPerSecond: file.mapRate,
        shuffleBytesPerSecond: file.shuffleRate,
        reduceBytesPerSecond: file.reduceRate,
        taskOverheadUs: file.taskOverhead,
        maxMaps: file.maxMaps,
        maxReduces: file.maxReduces,
        ...resolveOwners(file),
        lenient: file.lenient,
      };
    case "benchmark": {
      const { kind, meanGap, mapTime, mapSigma, repeat, maxMaps, ioShare, longTasks } = file;
      const bins = file.bins?.map(resolveBin);
      return { kind, meanGapUs: meanGap, mapUs: mapTime, mapSigma, repeat, bins, maxMaps, ioShare, longTasks };
    }
    case "jobs":
      return {
        ...{ kind: file.kind, jobs: resolveJobs(file.jobs) },
        ...(file.jobs.some(({ think }) => think !== undefined) && untilUs < Infinity ? { untilUs } : {}),
      };
    case "tasks": {
      const { kind, file: path, lenient } = file;
      return { kind, file: path, lenient };
    }
  }
}

type GeneratedFile = Extract<WorkloadFile, { kind: "facebook" | "swim" }>;

function resolveOwners({ users, pools: named }: GeneratedFile): JobOwnersSpec {
  return {
    users: typeof users === "number" ? users : sharesOf(users),
    ...(named === undefined ? {} : { pools: sharesOf(named) }),
  };
}

function sharesOf(names: readonly string[] | Readonly<Record<string, number>>): NameShareSpec[] {
  if (isList(names)) return names.map((name, k) => ({ name, share: shareByRank(k) }));
  return Object.entries(names).map(([name, share]) => ({ name, share }));
}

// `Array.isArray` does not narrow readonly arrays away.
function isList(names: readonly string[] | Readonly<Record<string, number>>): names is readonly string[] {
  return Array.isArray(names);
}

/** What is wrong with the names of users and pools. */
export function ownerProblems(workload: WorkloadFile): Problem[] {
  if (workload.kind !== "facebook" && workload.kind !== "swim") return [];
  return (["users", "pools"] as const).flatMap((key) => {
    const given = workload[key];
    return given === undefined || typeof given === "number" ? [] : namesProblems(given, key);
  });
}

function namesProblems(given: readonly string[] | Readonly<Record<string, number>>, key: "users" | "pools"): Problem[] {
  const path = ["workload", key];
  const noun = key.slice(0, -1);
  const names = isList(given) ? given : Object.keys(given);
  if (names.length === 0) return [valueProblem(path, `no ${noun}`, `at least one, or no key ${key}`)];
  if (!isList(given)) {
    return names.filter((name) => asLabel(name) === undefined).map((name) => badName([...path, name], noun, name));
  }
  const first = new Set<string>();
  return names.flatMap((name, i) => {
    if (first.has(name)) return [duplicate([...path, i], noun, name)];
    first.add(name);
    return [];
  });
}

function resolveBin({
  count: jobs,
  maps,
  mapTime,
  reduces,
  copyTime,
  reduceTime,
  mapOutput,
  ioShare,
}: BinFile): BenchmarkBin {
  return {
    jobs,
    maps,
    mapUs: mapTime,
    reduces,
    copyUs: copyTime,
    reduceUs: reduceTime,
    mapOutputBytes: mapOutput,
    ioShare,
  };
}

function resolveJobs(jobs: readonly InlineJobFile[]): InlineJobSpec[] {
  const taken = new Set(jobs.map((job) => job.name));
  return jobs.map((job, i) => {
    const name = job.name ?? freeName(i + 1, taken);
    taken.add(name);
    return {
      name,
      atUs: job.at,
      user: job.user,
      pool: job.pool ?? job.user,
      priority: job.priority,
      maps: job.maps,
      mapUs: job.mapTime,
      reduces: job.reduces,
      copyUs: job.copyTime,
      reduceUs: job.reduceTime,
      file: job.file ?? "",
      count: job.count,
      everyUs: job.every,
      ...(job.think === undefined ? {} : { thinkUs: job.think }),
      ...(job.gaps === "even" ? {} : { gaps: job.gaps }),
      sigma: job.spread,
      deadlineUs: job.deadline ?? null,
      longTasks: job.longTasks,
      inputBytesPerMap: job.mapInput,
      mapOutputBytes: job.mapOutput,
      outputBytesPerReduce: job.reduceOutput,
      mapMemoryBytes: job.mapMemory,
      reduceMemoryBytes: job.reduceMemory,
      ioShare: job.ioShare,
      ...(job.cacheFile === undefined
        ? {}
        : { cacheFile: job.cacheFile, cacheBytes: job.cacheSize ?? DEFAULT_CACHED_BYTES }),
    };
  });
}

/** Entries whose gaps are to be drawn, but have no mean; and a list whose first job comes late. */
export function jobListNotes(workload: WorkloadFile): string[] {
  if (workload.kind !== "jobs") return [];
  const firstUs = Math.min(...workload.jobs.map(({ at }) => at));
  const idle = `workload.jobs: the first job comes at ${formatDuration(firstUs)}; until then the cluster is idle`;
  const gaps = workload.jobs.flatMap(({ gaps, every, think }, i) =>
    gaps === "exponential" && every === 0 && (think ?? 0) === 0
      ? [`workload.jobs.${String(i)}.gaps: exponential has no effect without every or think, its mean`]
      : [],
  );
  return firstUs >= LONGEST_IDLE_US && firstUs < Infinity ? [idle, ...gaps] : gaps;
}

/** `job3` for the third entry, or the next free number. */
function freeName(position: number, taken: ReadonlySet<string | undefined>): string {
  let number = position;
  while (taken.has(`job${String(number)}`)) number++;
  return `job${String(number)}`;
}

const JOBS = ["workload", "jobs"];

/** What is wrong with a list of jobs, beyond its single values. */
export function jobListProblems(jobs: readonly InlineJobFile[]): Problem[] {
  const problems: Problem[] = [];
  const names = new Set<string>();
  let total = 0;
  let tasks = 0;
  for (const [i, job] of jobs.entries()) {
    total += job.count;
    tasks += job.count * (job.maps + job.reduces);
    if (job.maps + job.reduces === 0) {
      problems.push(valueProblem([...JOBS, i], "a job with 0 maps and 0 reduces", "at least one task"));
    }
    if (job.think !== undefined && job.every > 0) {
      problems.push(
        valueProblem([...JOBS, i], "every and think", "one of them: jobs come by the clock or one after the other"),
      );
    }
    if (job.at >= UNIX_FROM_US) {
      const found = `${formatDuration(job.at)}, which looks like Unix time`;
      const allowed =
        "less than 10 years: jobs are submitted so long after the start of the run; take the first one's time from all";
      problems.push(valueProblem([...JOBS, i, "at"], found, allowed));
    }
    const lastUs = job.at + (job.count - 1) * Math.max(job.every, job.think ?? 0);
    if (lastUs > MAX_TIME_US) {
      const allowed = `at most ${formatDuration(MAX_TIME_US)}`;
      problems.push(valueProblem([...JOBS, i], `a last submission after ${formatDuration(lastUs)}`, allowed));
    }
    if (job.name === undefined) continue;
    if (names.has(job.name)) problems.push(duplicate([...JOBS, i, "name"], "job", job.name));
    names.add(job.name);
  }
  problems.push(...totalProblems(JOBS, total, tasks));
  return problems.concat(collisions(jobs, names));
}

/** What is too much of a benchmark's bins together. */
export function binProblems({ bins, repeat }: Extract<WorkloadFile, { kind: "benchmark" }>): Problem[] {
  const jobs = repeat * (bins ?? []).reduce((sum, one) => sum + one.count, 0);
  const tasks = repeat * (bins ?? []).reduce((sum, one) => sum + one.count * (one.maps + one.reduces), 0);
  return totalProblems(["workload", "bins"], jobs, tasks);
}

/** `scan` with count 3 makes scan-1, scan-2, scan-3; no other entry may be called so. */
function collisions(jobs: readonly InlineJobFile[], names: ReadonlySet<string>): Problem[] {
  const counts = new Map(jobs.map((job) => [job.name, job.count]));
  return jobs.flatMap(({ name, count }, i) => {
    const match = count > 1 ? null : /^(.+)-([1-9]\d{0,8})$/.exec(name ?? "");
    if (name === undefined || match === null || !names.has(match[1])) return [];
    const copies = counts.get(match[1]) ?? 1;
    return copies > 1 && Number(match[2]) <= copies ? [duplicate([...JOBS, i, "name"], "job", name)] : [];
  });
}

/** Whether the workload certainly has maps, or reduces. A `tasks` file is looked at when it is read. */
export function needs(workload: WorkloadFile, phase: "maps" | "reduces"): boolean {
  switch (workload.kind) {
    case "facebook":
      return true;
    case "swim":
      return phase === "maps" || workload.maxReduces > 0;
    case "benchmark":
      return phase === "maps" || (workload.bins ?? []).some(({ reduces }) => reduces > 0);
    case "jobs":
      return workload.jobs.some((job) => job[phase] > 0);
    case "tasks":
      return false;
  }
}

/** Tasks that no slot is for. */
export function missingSlotProblems(workload: WorkloadFile, { mapSlots, reduceSlots }: ClusterTotals): Problem[] {
  // A cluster without any is told of by itself.
  if (mapSlots + reduceSlots === 0) return [];
  const types = [
    ["map", mapSlots],
    ["reduce", reduceSlots],
  ] as const;
  return types.flatMap(([type, slots]) => {
    if (slots > 0 || !needs(workload, `${type}s`)) return [];
    const allowed = `at least one, for a workload with ${type}s`;
    return [valueProblem(["cluster"], `0 ${type} slots in the whole cluster`, allowed)];
  });
}

/** Some job may need a file on its nodes. */
export function needsFiles(storage: StorageFile, workload: WorkloadFile): boolean {
  if (workload.kind === "jobs") return workload.jobs.some(({ cacheFile }) => cacheFile !== undefined);
  return cachedFilesOf(storage) !== undefined && (workload.kind === "facebook" || workload.kind === "benchmark");
}

/** Files that tasks need on their nodes, and that no node has room for or that are given two sizes. */
export function cachedFileProblems(storage: StorageFile | undefined, workload: WorkloadFile | undefined): Problem[] {
  if (storage === undefined) return [];
  const { nodeCache = DEFAULT_NODE_CACHE_BYTES } = storage;
  const cachedFiles = cachedFilesOf(storage);
  const allowed = `at most ${formatSize(nodeCache)}, what a node has room for (storage.nodeCache)`;
  const problems: Problem[] = [];
  if (cachedFiles !== undefined && cachedFiles.bytes > nodeCache) {
    const found = `${formatSize(cachedFiles.bytes)} for storage.cachedFiles.size`;
    problems.push(valueProblem(["storage", "cachedFiles", "size"], found, allowed));
  }
  if (workload?.kind !== "jobs") return problems;
  const sizes = new Map<string, number>();
  for (const [i, job] of workload.jobs.entries()) {
    const path = ["workload", "jobs", i, "cacheSize"];
    if (job.cacheFile === undefined) {
      if (job.cacheSize === undefined) continue;
      problems.push(valueProblem(path, "a cacheSize without a cacheFile", "both, or cacheFile alone"));
      continue;
    }
    const bytes = job.cacheSize ?? DEFAULT_CACHED_BYTES;
    const place = job.cacheSize === undefined ? ["workload", "jobs", i] : path;
    const found = `${formatSize(bytes)} for the file ${quote(job.cacheFile)}`;
    const before = sizes.get(job.cacheFile) ?? bytes;
    sizes.set(job.cacheFile, before);
    if (bytes > nodeCache) problems.push(valueProblem(place, found, allowed));
    else if (bytes !== before)
      problems.push(valueProblem(place, found, `one size for one file, ${formatSize(before)} above`));
  }
  return problems;
}
