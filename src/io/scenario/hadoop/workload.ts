import * as z from "zod";
import { MAX_TIME_US, sumOver, minOver } from "../../../core/kernel/index.js";
import {
  DEFAULT_NODE_CACHE_BYTES,
  type InlineJobSpec,
  LIMITS,
  type NameShareSpec,
  PRIORITIES,
  type WorkloadSpec,
} from "../../../core/scenario/index.js";
import { shareByRank } from "../../../core/workload/index.js";
import type { ClusterTotals } from "./cluster.js";
import { badNames, duplicate, type Problem, problemIf, totalProblems, valueProblem } from "../diagnose.js";
import { filled, needed, optional, recordOf, setting } from "../setting.js";
import { quote } from "../show.js";
import { cachedFilesOf, type StorageFile } from "./storage.js";
import { formatDuration, formatSize } from "../units.js";
import { UNIX_FROM_US, LONGEST_IDLE_US } from "../../workloads/submissions.js";
import {
  byKind,
  choice,
  count,
  countOr,
  duration,
  either,
  filePath,
  flag,
  label,
  listOf,
  mapping,
  quantity,
  quantityOr,
  rate,
  size,
} from "../values.js";

// `workload`: what arrives, generated, listed or in a file, and what its tasks need on their nodes.

const KB = 2 ** 10;
const TB = 2 ** 40;

const jobs = count(1, LIMITS.jobs);
const shareOfJobs = quantity(0.000001, 1_000_000);
const sharesOfNames = z.record(z.string(), shareOfJobs);
const NAMES_OR_SHARES = "a list of names, most active first, or a mapping from names to shares of the jobs";
const users = either(
  [count(1, LIMITS.users), listOf(label(), "names of users"), sharesOfNames],
  () => `a whole number from 1 to ${LIMITS.users}, ${NAMES_OR_SHARES}`,
);
const taskTime = duration(1, LIMITS.taskUs);
const phaseTime = duration(0, LIMITS.taskUs);
const file = filePath;
const bytesPerSecond = rate(KB, TB);
const taskBytes = size(0, LIMITS.taskBytes);
const reading = quantity(0, 1);
const lenient = setting(flag(), "Skip and count malformed lines instead of refusing the file.", false);
const pools = optional(
  either([listOf(label(), "names of pools"), sharesOfNames], () => NAMES_OR_SHARES),
  "Pools the jobs are dealt to, whoever the user: a list, or shares.",
  "each user has a pool of the same name",
);

/** Long tasks of a generated workload, or of an entry of a job list. */
const longTasks = optional(
  mapping({
    share: quantity(0, 1).describe("Share of the jobs, or of all tasks, that are long."),
    factor: quantity(1, LIMITS.longFactor).describe("Multiplies the times of their maps and reduces, up to 30 days."),
    of: setting(
      choice(["jobs", "tasks"]),
      "jobs: a share of the jobs, with all their tasks; tasks: each task for itself.",
      "jobs",
    ),
  }),
  "Some tasks are far longer than the rest.",
  "none",
);

const facebook = mapping({
  kind: z
    .literal("facebook")
    .describe("Synthetic jobs after the published figures of Facebook's cluster, October 2009."),
  jobs: setting(jobs, "Jobs submitted within the span, exactly.", 7500),
  span: setting(duration(1_000_000, MAX_TIME_US), "The jobs come within this time.", "24h", "spanUs"),
  users: setting(
    users,
    "How many users, their names (the k-th has 1/k of the jobs of the first), or their shares of the jobs.",
    200,
  ),
  pools,
  timeScale: setting(quantity(0.001, 100), "Multiplies every map and reduce time.", 1),
  longTasks,
});

const swim = mapping({
  kind: z.literal("swim").describe("A trace in SWIM's format: one job per line, times and bytes."),
  file: file.describe("The trace, relative to the scenario file."),
  timeScale: setting(quantity(0.001, 1_000_000), "Arrival times are divided by it: 2 is twice as dense.", 1),
  bytesPerMap: optional(size(KB, TB), "Input of one map.", "storage.blockSize"),
  bytesPerReduce: setting(size(KB, 1024 * TB), "Shuffled bytes per reduce.", "1GB"),
  mapRate: setting(
    bytesPerSecond,
    "Input bytes a node-local map works through per second.",
    "16MB",
    "mapBytesPerSecond",
  ),
  shuffleRate: setting(bytesPerSecond, "Bytes per second a reduce fetches.", "16MB", "shuffleBytesPerSecond"),
  reduceRate: setting(bytesPerSecond, "Bytes per second a reduce sorts and reduces.", "8MB", "reduceBytesPerSecond"),
  taskOverhead: setting(phaseTime, "Start-up cost of every task.", "2s", "taskOverheadUs"),
  maxMaps: setting(countOr("unlimited", 1, LIMITS.tasksPerPhase), "Most maps of one job.", 25_000),
  maxReduces: setting(countOr("unlimited", 0, LIMITS.tasksPerPhase), "Most reduces of one job.", 1_000),
  users: setting(
    users,
    "Users the jobs are dealt to, for the trace names none: how many, their names (the k-th has 1/k of the jobs of the first), or their shares.",
    200,
  ),
  pools,
  lenient,
});

/** The reduce phase of a listed job, or of a bin. */
const reducePhase = {
  reduces: setting(count(0, LIMITS.tasksPerPhase), "Number of reduces.", 0),
  copyTime: setting(phaseTime, "Time a reduce needs to fetch all map output if it is there at once.", "10s", "copyUs"),
};

const bin = mapping({
  count: needed(count(1, LIMITS.jobs), "Jobs of this bin in the schedule.", "jobs"),
  maps: count(1, LIMITS.tasksPerPhase).describe("Maps of each, one input block each."),
  mapTime: optional(taskTime, "Time of each map.", "that of the workload", "mapUs"),
  ...reducePhase,
  reduceTime: setting(taskTime, "Time of sort and reduce; the median if times are spread.", "10s", "reduceUs"),
  mapOutput: optional(taskBytes, "Detailed model: what each map writes.", "by the copy times", "mapOutputBytes"),
  ioShare: optional(
    reading,
    "Detailed model and dsfs: share of map times that goes into reading.",
    "that of the workload",
  ),
});

const benchmark = mapping({
  kind: z.literal("benchmark").describe("The paper's schedule of 100 map-only jobs in nine sizes, 1 to 4800 maps."),
  meanGap: setting(duration(1_000, LIMITS.taskUs), "Mean of the exponential gaps between jobs.", "14s", "meanGapUs"),
  mapTime: setting(taskTime, "Time of one node-local map; the median if they are spread.", "8s", "mapUs"),
  mapSigma: setting(quantity(0, 3), "Log-normal spread of map times; 0: all equal.", 0.2),
  repeat: setting(count(1, 10_000), "How often the schedule is run through.", 1),
  bins: optional(
    listOf(bin, "{count, maps, mapTime, reduces, ...}"),
    "Sizes of your own, in random order.",
    "the paper's nine",
  ),
  maxMaps: optional(count(1, LIMITS.tasksPerPhase), "Larger jobs are cut to so many maps.", "none is"),
  ioShare: optional(
    reading,
    "Detailed model and dsfs: share of map times that goes into reading.",
    "that of the runtime",
  ),
  longTasks,
});

const inlineJob = mapping({
  name: optional(label(), "Unique.", "job1, job2 and so on"),
  at: setting(duration(0, MAX_TIME_US), "When it is submitted.", "0s", "atUs"),
  spread: setting(
    quantityOr("exponential", 0, 3),
    "Log-normal spread of map and reduce times around the given ones as medians; 0: all equal. exponential: drawn, with the given ones as means.",
    0,
    "sigma",
  ),
  deadline: optional(
    duration(1_000, MAX_TIME_US),
    "Time after its submission by which it should have ended.",
    undefined,
    "deadlineUs",
  ),
  user: setting(label(), "Who submits it.", "user"),
  pool: optional(label(), "The pool that it asks for.", "the user's name"),
  priority: setting(choice(PRIORITIES), "Before submission in the order of its pool.", "normal"),
  maps: count(0, LIMITS.tasksPerPhase).describe("Number of maps, one input block each."),
  mapTime: setting(taskTime, "Time of one node-local map on a nominal node.", "10s", "mapUs"),
  ...reducePhase,
  reduceTime: setting(taskTime, "Time of sort and reduce, after the last map output has come.", "10s", "reduceUs"),
  file: optional(label(), "Input file; jobs that name the same file share its blocks.", "a file of its own"),
  count: setting(count(1, LIMITS.jobs), "How many equal jobs.", 1),
  every: setting(duration(0, MAX_TIME_US), "Time between two of them.", "0s", "everyUs"),
  think: optional(
    duration(0, MAX_TIME_US),
    "In place of every: each is submitted so long after the one before it has ended.",
    "none waits",
    "thinkUs",
  ),
  gaps: setting(
    choice(["even", "exponential"]),
    "even: every or think is each gap; exponential: it is the mean of the gaps, which are drawn.",
    "even",
  ),
  longTasks,
  mapInput: optional(
    taskBytes,
    "Detailed model and dsfs: input of each map.",
    "by ioShare, else a block",
    "inputBytesPerMap",
  ),
  mapOutput: optional(
    taskBytes,
    "Detailed model: what each map writes to its node's disk.",
    "by the reduces' copy times",
    "mapOutputBytes",
  ),
  reduceOutput: optional(
    taskBytes,
    "Detailed model: what each reduce writes, before replication.",
    "by runtime.io.outputRatio",
    "outputBytesPerReduce",
  ),
  cacheFile: optional(label(), "A file that its tasks need on their nodes, fetched by the first on each.", "none"),
  cacheSize: setting(taskBytes, "Size of that file, the same wherever it is named.", "100MB", "cacheBytes"),
  mapMemory: optional(taskBytes, "Memory a map declares to need.", "that of the runtime", "mapMemoryBytes"),
  reduceMemory: optional(taskBytes, "Memory a reduce declares to need.", "that of the runtime", "reduceMemoryBytes"),
  ioShare: optional(
    reading,
    "Detailed model and dsfs: share of map times that goes into reading.",
    "that of the runtime",
  ),
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

/** A listed job with its defaults; whose pool and name may still be open. */
export type ListedJob = ReturnType<typeof listed>;

const listed = (job: InlineJobFile) => recordOf(inlineJob, job);

/** Jobs of a list; none of any other workload. */
export function listedJobs(workload: WorkloadFile | undefined): ListedJob[] {
  return workload?.kind === "jobs" ? workload.jobs.map(listed) : [];
}

/** The workload with its units in its names. */
export function resolveWorkload(file: WorkloadFile, blockBytes: number, untilUs: number): WorkloadSpec {
  switch (file.kind) {
    case "facebook": {
      const said = recordOf(facebook, file);
      return { ...said, ...ownersOf(said) };
    }
    case "swim": {
      const said = recordOf(swim, file);
      return { bytesPerMap: blockBytes, ...said, ...ownersOf(said) };
    }
    case "benchmark":
      return recordOf(benchmark, file);
    case "jobs": {
      const jobs = resolveJobs(listedJobs(file));
      const isCut = jobs.some(({ thinkUs }) => thinkUs !== undefined) && untilUs < Infinity;
      return { kind: file.kind, jobs, ...(isCut ? { untilUs } : {}) };
    }
    case "tasks":
      return recordOf(tasks, file);
  }
}

/** The owners of the jobs, with their shares. */
function ownersOf({ users, pools }: ReturnType<typeof recordOf<Pick<typeof swim.shape, "users" | "pools">>>) {
  return {
    users: typeof users === "number" ? users : sharesOf(users),
    pools: pools === undefined ? undefined : sharesOf(pools),
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

/** Problems of the names of users and pools. */
export function ownerProblems(workload: WorkloadFile): Problem[] {
  if (workload.kind !== "facebook" && workload.kind !== "swim") return [];
  return (["users", "pools"] as const).flatMap((key) => {
    const names = workload[key];
    return names === undefined || typeof names === "number" ? [] : namesProblems(names, key);
  });
}

function namesProblems(
  owners: readonly string[] | Readonly<Record<string, number>>,
  key: "users" | "pools",
): Problem[] {
  const path = ["workload", key];
  const noun = key.slice(0, -1);
  const names = isList(owners) ? owners : Object.keys(owners);
  if (names.length === 0) return [valueProblem(path, `no ${noun}`, `at least one, or no key ${key}`)];
  if (!isList(owners)) {
    return badNames(names, noun, path);
  }
  const first = new Set<string>();
  return names.flatMap((name, i) => {
    if (first.has(name)) return [duplicate([...path, i], noun, name)];
    first.add(name);
    return [];
  });
}

function resolveJobs(jobs: readonly ListedJob[]): InlineJobSpec[] {
  const takenNames = new Set(jobs.map(({ name }) => name));
  return jobs.map((job, i) => {
    const name = job.name ?? freeName(i + 1, takenNames);
    takenNames.add(name);
    return { file: "", deadlineUs: null, pool: job.user, ...job, name };
  });
}

/** Entries whose gaps are to be drawn, but have no mean; and a list whose first job comes late. */
export function jobListNotes(workload: WorkloadFile): string[] {
  const jobs = listedJobs(workload);
  const firstUs = minOver(jobs, ({ atUs }) => atUs);
  const idle = `workload.jobs: the first job comes at ${formatDuration(firstUs)}; until then the cluster is idle`;
  const gaps = jobs.flatMap(({ gaps, everyUs, thinkUs = 0 }, i) =>
    gaps === "exponential" && everyUs === 0 && thinkUs === 0
      ? [`workload.jobs.${i}.gaps: exponential has no effect without every or think, its mean`]
      : [],
  );
  return firstUs >= LONGEST_IDLE_US && firstUs < Infinity ? [idle, ...gaps] : gaps;
}

/** `job3` for the third entry, or the next free number. */
function freeName(position: number, takenNames: ReadonlySet<string | undefined>): string {
  let number = position;
  while (takenNames.has(`job${number}`)) number++;
  return `job${number}`;
}

const JOBS = ["workload", "jobs"];

/** Problems of a list of jobs, beyond its single values. */
export function jobListProblems(jobs: readonly ListedJob[]): Problem[] {
  const names = new Set<string>();
  const problems = jobs.flatMap((job, i) => {
    const { name, atUs, count: copies, maps, reduces, everyUs, thinkUs } = job;
    const path = [...JOBS, i];
    const lastUs = atUs + (copies - 1) * Math.max(everyUs, thinkUs ?? 0);
    const isTaken = name !== undefined && names.has(name);
    if (name !== undefined) names.add(name);
    return [
      ...problemIf(maps + reduces === 0, path, "a job with 0 maps and 0 reduces", "at least one task"),
      ...problemIf(
        thinkUs !== undefined && everyUs > 0,
        path,
        "every and think",
        "one of them; jobs come by the clock or one after the other",
      ),
      ...problemIf(
        atUs >= UNIX_FROM_US,
        [...path, "at"],
        `${formatDuration(atUs)}, which looks like Unix time`,
        "less than 10 years; jobs are submitted so long after the start of the run; take the first one's time from all",
      ),
      ...problemIf(
        lastUs > MAX_TIME_US,
        path,
        `a last submission after ${formatDuration(lastUs)}`,
        `at most ${formatDuration(MAX_TIME_US)}`,
      ),
      ...(isTaken ? [duplicate([...path, "name"], "job", name)] : []),
    ];
  });
  return [
    ...problems,
    ...totalProblems(
      JOBS,
      sumOver(jobs, ({ count: copies }) => copies),
      sumOver(jobs, ({ count: copies, maps, reduces }) => copies * (maps + reduces)),
    ),
    ...collisions(jobs, names),
  ];
}

/** Problems of the total of a benchmark's bins. */
export function binProblems(file: Extract<WorkloadFile, { kind: "benchmark" }>): Problem[] {
  const { repeat, bins = [] } = recordOf(benchmark, file);
  const jobs = repeat * sumOver(bins, (entry) => entry.jobs);
  const tasks = repeat * sumOver(bins, (entry) => entry.jobs * (entry.maps + entry.reduces));
  return totalProblems(["workload", "bins"], jobs, tasks);
}

/** `scan` with count 3 makes scan-1, scan-2, scan-3; no other entry may be called so. */
function collisions(jobs: readonly ListedJob[], names: ReadonlySet<string>): Problem[] {
  const counts = new Map(jobs.map((job) => [job.name, job.count]));
  return jobs.flatMap(({ name, count }, i) => {
    const match = count > 1 ? null : /^(.+)-([1-9]\d{0,8})$/.exec(name ?? "");
    if (name === undefined || match === null || !names.has(match[1])) return [];
    const copies = counts.get(match[1]) ?? 1;
    return copies > 1 && Number(match[2]) <= copies ? [duplicate([...JOBS, i, "name"], "job", name)] : [];
  });
}

/** Whether the workload certainly has maps, or reduces. Of a `tasks` file this is known only when a run reads it. */
export function needs(workload: WorkloadFile, phase: "maps" | "reduces"): boolean {
  switch (workload.kind) {
    case "facebook":
      return true;
    case "swim":
      return phase === "maps" || filled(swim.shape.maxReduces, workload.maxReduces) > 0;
    case "benchmark":
      return phase === "maps" || (workload.bins ?? []).some(({ reduces = 0 }) => reduces > 0);
    case "jobs":
      return workload.jobs.some(({ maps, reduces = 0 }) => (phase === "maps" ? maps : reduces) > 0);
    case "tasks":
      return false;
  }
}

/** Problems of tasks of a type for which the cluster has no slots. */
export function missingSlotProblems(workload: WorkloadFile, { mapSlots, reduceSlots }: ClusterTotals): Problem[] {
  // A cluster without any has a problem of its own.
  if (mapSlots + reduceSlots === 0) return [];
  const types = [
    ["map", mapSlots],
    ["reduce", reduceSlots],
  ] as const;
  return types.flatMap(([type, slots]) =>
    problemIf(
      slots === 0 && needs(workload, `${type}s`),
      ["cluster"],
      `0 ${type} slots in the whole cluster`,
      `at least one, for a workload with ${type}s`,
    ),
  );
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
    const actual = `${formatSize(cachedFiles.bytes)} for storage.cachedFiles.size`;
    problems.push(valueProblem(["storage", "cachedFiles", "size"], actual, allowed));
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
    const bytes = filled(inlineJob.shape.cacheSize, job.cacheSize);
    const place = job.cacheSize === undefined ? ["workload", "jobs", i] : path;
    const actual = `${formatSize(bytes)} for the file ${quote(job.cacheFile)}`;
    const before = sizes.get(job.cacheFile) ?? bytes;
    sizes.set(job.cacheFile, before);
    if (bytes > nodeCache) problems.push(valueProblem(place, actual, allowed));
    else if (bytes !== before)
      problems.push(valueProblem(place, actual, `one size for one file, ${formatSize(before)} above`));
  }
  return problems;
}
