import { z } from "zod";
import { MAX_TIME_US } from "../../core/kernel/time.js";
import { PRIORITIES } from "../../core/workload/job.js";
import {
  byKind,
  choice,
  count,
  countOr,
  duration,
  flag,
  label,
  listOf,
  mapping,
  quantity,
  rate,
  size,
  text,
} from "./values.js";
import { LIMITS } from "./limits.js";
import { longTasksSchema } from "./uneven-load-schema.js";

const KB = 2 ** 10;
const TB = 2 ** 40;

const jobs = count(1, LIMITS.jobs);
const users = count(1, LIMITS.users);
const taskTime = duration(1, LIMITS.taskUs);
const phaseTime = duration(0, LIMITS.taskUs);
const file = text(1, LIMITS.pathLength);
const bytesPerSecond = rate(KB, TB);
const taskBytes = size(0, LIMITS.taskBytes);
const longTasks = longTasksSchema.optional().describe("Some tasks are far longer than the rest. Default: none.");
const lenient = flag().prefault(false).describe("Skip and count malformed lines instead of refusing the file.");

const facebook = mapping({
  kind: z
    .literal("facebook")
    .describe("Synthetic jobs after the published figures of Facebook's cluster, October 2009."),
  jobs: jobs.prefault(7500).describe("Jobs submitted within the span, exactly."),
  span: duration(1_000_000, MAX_TIME_US).prefault("24h").describe("The jobs come within this time."),
  users: users.prefault(200).describe("Users, each with a pool of the same name."),
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
  users: users.prefault(200).describe("Users the jobs are dealt to; the trace names none."),
  lenient,
});

const benchmark = mapping({
  kind: z.literal("benchmark").describe("The paper's schedule of 100 map-only jobs in nine sizes, 1 to 4800 maps."),
  meanGap: duration(1_000, LIMITS.taskUs).prefault("14s").describe("Mean of the exponential gaps between jobs."),
  mapTime: taskTime.prefault("8s").describe("Time of one node-local map; the median if they are spread."),
  mapSigma: quantity(0, 3).prefault(0.2).describe("Log-normal spread of map times; 0: all equal."),
  repeat: count(1, 10_000).prefault(1).describe("How often the schedule is run through."),
  maxMaps: count(1, LIMITS.tasksPerPhase).optional().describe("Larger jobs are cut to so many maps. Default: none is."),
  ioShare: quantity(0, 1)
    .optional()
    .describe("Detailed model: share of map times that goes into reading. Default: that of the runtime."),
  longTasks,
});

const inlineJob = mapping({
  name: label().optional().describe("Unique. Default: job1, job2, ..."),
  at: duration(0, MAX_TIME_US).prefault("0s").describe("When it is submitted."),
  spread: quantity(0, 3)
    .prefault(0)
    .describe("Log-normal spread of map and reduce times around the given ones as medians; 0: all equal."),
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
