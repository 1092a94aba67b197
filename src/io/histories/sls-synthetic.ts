import { exp, ln, normalQuantile, streamFor, sumOver } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { child, type Json, objects, text, Unusable } from "../logged-json.js";
import { quote } from "../scenario/show.js";
import type { HadoopJob, HadoopNode, HadoopReading, HadoopSize, HadoopTask } from "./records.js";
import { numberOf, SLS_NODE, SLS_TASK } from "./sls.js";

/*
 * Synthetic loads of YARN's load simulator (`SYNTH`): weights and distributions that jobs are drawn from
 * (docs/formats/sls-synthetic.md). SLS draws with Java's generator, Bide with streams named by job of the file's seed:
 * the distributions are the same, the numbers are not.
 */

type Stream = ReturnType<typeof streamFor>;

/** A distribution that values are drawn from; `deviation` 0: always the mean. */
type Distribution =
  | { readonly kind: "log-normal" | "normal"; readonly mean: number; readonly deviation: number }
  | { readonly kind: "discrete"; readonly entries: readonly (Weighted & { readonly value: number })[] };

interface Weighted {
  readonly weight: number;
}

interface TaskClass {
  readonly type: "map" | "reduce";
  readonly count: Distribution;
  readonly seconds: Distribution;
  readonly memory: Distribution;
  readonly vcores: Distribution;
}

interface JobClass extends Weighted {
  readonly name: string;
  readonly user: string;
  readonly tasks: readonly TaskClass[];
}

interface WorkloadClass extends Weighted {
  readonly queue: string;
  readonly classes: readonly JobClass[];
  /** Time buckets; each ends where the next begins. */
  readonly times: readonly (Weighted & { readonly fromSeconds: number })[];
}

/** A load as described by its file; its jobs are drawn once all nodes are known. */
export interface SyntheticLoad {
  readonly seed: string;
  readonly jobs: number;
  /** Nodes that SLS makes without a list of nodes. */
  readonly nodes: readonly HadoopNode[];
  readonly workloads: readonly WorkloadClass[];
}

/** Most jobs of one load. */
const MOST_JOBS = 1_000_000;

/** Largest allowed value of a load: seconds, MB, tasks. */
const MOST_VALUE = 2 ** 31 - 1;

/** Longest time of submission, in seconds: Java's largest integer. */
const MOST_SECONDS = 2 ** 31 - 1;

/** SLS's standard deviation, as a fraction of the mean, for a distribution without one or with 0. */
const USUAL_DEVIATION = 1 / 6;

/** @throws Unusable if no load can be drawn from the object, with the place of the problem in it. */
export function syntheticLoad(value: Json, reading: HadoopReading): SyntheticLoad {
  const jobs = wholeOf(value, "num_jobs", "", 1, MOST_JOBS);
  const workloads = objects(value, "workloads").map((workload, i) => workloadOf(workload, `workloads[${i}]`, reading));
  if (workloads.length === 0) throw new Unusable("workloads is missing or empty");
  checkWeights(workloads, "workload_weight", "workloads");
  const count = value["num_nodes"] === undefined ? 0 : wholeOf(value, "num_nodes", "", 0, LIMITS.nodes);
  const inRack = Math.max(1, numberOf(value, "nodes_per_rack") ?? 1);
  const seed = numberOf(value, "rand_seed") ?? 0;
  return { seed: String(seed), jobs, nodes: nodesOf(count, Math.max(1, Math.floor(count / inRack))), workloads };
}

function nodesOf(count: number, racks: number): HadoopNode[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `node${i}`,
    rack: `rack${i % racks}`,
    ...SLS_NODE,
  }));
}

function workloadOf(value: Json, path: string, reading: HadoopReading): WorkloadClass {
  const classes = objects(value, "job_classes").flatMap((jobClass, i) => {
    return classOf(jobClass, `${path}.job_classes[${i}]`, reading);
  });
  if (classes.length === 0) throw new Unusable(`${path}.job_classes has none of type mapreduce`);
  checkWeights(classes, "class_weight", `${path}.job_classes`);
  const times = objects(value, "time_distribution").map((slot, i) => {
    const place = `${path}.time_distribution[${i}]`;
    return {
      fromSeconds: wholeOf(slot, "time", place, 0, MOST_SECONDS),
      weight: positiveOrZero(slot, "weight", place),
    };
  });
  if (times.length === 0) throw new Unusable(`${path}.time_distribution is missing or empty`);
  checkWeights(times, "weight", `${path}.time_distribution`);
  return { queue: text(value, "queue_name"), weight: positiveOrZero(value, "workload_weight", path), classes, times };
}

/** Nothing where its jobs are of another type than Bide runs. */
function classOf(value: Json, path: string, reading: HadoopReading): JobClass[] {
  const type = text(value, "type") || "mapreduce";
  if (type !== "mapreduce") {
    reading.count("leftOut", "class of jobs", `of type ${quote(type)}: jobs of mapreduce alone are drawn`);
    return [];
  }
  if (value["reservation"] !== undefined || (numberOf(value, "chance_of_reservation") ?? 0) > 0) {
    reading.count("leftOut", "class of jobs", "with reservations and deadlines: its jobs come without");
  }
  const tasks = value["tasks"] === undefined ? flatTasks(value, path) : listedTasks(value, path, reading);
  if (tasks.length === 0) throw new Unusable(`${path}.tasks has neither maps nor reduces`);
  return [
    {
      name: text(value, "class_name") || "job",
      user: text(value, "user_name") || "default",
      weight: positiveOrZero(value, "class_weight", path),
      tasks,
    },
  ];
}

/** The form up to Hadoop 3.0: keys with the mean and the deviation of each. */
function flatTasks(value: Json, path: string): TaskClass[] {
  const drawn = (key: string, deviationKey = key.replace(/_avg$/, "_stddev")) => {
    const mean = positiveOrZero(value, key, path);
    return spread(mean, positiveOrZero(value, deviationKey, path), "log-normal");
  };
  return (["map", "reduce"] as const).flatMap((type) => {
    const short = type.charAt(0);
    const count = drawn(`${short}tasks_avg`);
    if (meanOf(count) === 0) return [];
    const seconds = drawn(`${short}time_avg`);
    checkTime(seconds, `${path}.${short}time_avg`);
    return [{ type, count, seconds, memory: drawn(`${type}_max_memory_avg`), vcores: drawn(`${type}_max_vcores_avg`) }];
  });
}

function listedTasks(value: Json, path: string, reading: HadoopReading): TaskClass[] {
  return objects(value, "tasks").flatMap((task, i) => {
    const place = `${path}.tasks[${i}]`;
    const type = text(task, "type");
    if (type !== "map" && type !== "reduce") {
      reading.count("leftOut", "class of tasks", `of type ${quote(type)}: neither maps nor reduces`);
      return [];
    }
    const drawn = (key: string) => sampleOf(task, key, place);
    const made = { type, count: drawn("count"), seconds: drawn("time") } as const;
    checkTime(made.seconds, `${place}.time`);
    return [{ ...made, memory: drawn("max_memory"), vcores: drawn("max_vcores") }];
  });
}

/** `{val}`, `{val, std, dist}` or `{discrete, weights}`. */
function sampleOf(holder: Json, key: string, path: string): Distribution {
  const place = `${path}.${key}`;
  if (typeof holder[key] !== "object" || holder[key] === null) {
    throw new Unusable(
      `${place} is missing, expected {"val": a number}, with "std" or not, or {"discrete": [numbers]}`,
    );
  }
  const sample = child(holder, key);
  const { discrete } = sample;
  if (discrete === undefined || discrete === null) {
    const mean = positiveOrZero(sample, "val", place);
    if (sample["std"] === undefined || sample["std"] === null) return { kind: "log-normal", mean, deviation: 0 };
    const dist = text(sample, "dist") || "LOGNORM";
    if (dist !== "LOGNORM" && dist !== "NORM")
      throw new Unusable(`${place}.dist is ${quote(dist)}, expected LOGNORM or NORM`);
    return spread(mean, positiveOrZero(sample, "std", place), dist === "NORM" ? "normal" : "log-normal");
  }
  if (!Array.isArray(discrete) || discrete.length === 0) throw new Unusable(`${place}.discrete is empty`);
  const values = (discrete as unknown[]).map((item) => positiveOrZero({ discrete: item }, "discrete", place));
  const listedWeights = sample["weights"];
  const weights = Array.isArray(listedWeights)
    ? (listedWeights as unknown[]).map((item) => positiveOrZero({ weights: item }, "weights", place))
    : values.map(() => 1);
  if (weights.length !== values.length) throw new Unusable(`${place} has other numbers of values and of weights`);
  const entries = values.map((drawnValue, index) => ({ value: drawnValue, weight: weights[index] }));
  checkWeights(entries, "weights", place);
  return { kind: "discrete", entries };
}

function spread(mean: number, deviation: number, kind: "log-normal" | "normal"): Distribution {
  return { kind, mean, deviation: mean === 0 ? 0 : deviation === 0 ? mean * USUAL_DEVIATION : deviation };
}

function meanOf(distribution: Distribution): number {
  return distribution.kind === "discrete"
    ? weightedMean(distribution.entries, ({ value }) => value)
    : distribution.mean;
}

function weightedMean<T extends Weighted>(weighted: readonly T[], valueOf: (entry: T) => number): number {
  return sumOver(weighted, (entry) => entry.weight * valueOf(entry)) / totalOf(weighted);
}

function totalOf(weighted: readonly Weighted[]): number {
  return sumOver(weighted, ({ weight }) => weight);
}

/** The expected number of tasks, by the means of the load. */
export function expectedTasks({ jobs, workloads }: SyntheticLoad): number {
  const ofClass = ({ tasks }: JobClass) => sumOver(tasks, ({ count }) => meanOf(count));
  return Math.round(jobs * weightedMean(workloads, ({ classes }) => weightedMean(classes, ofClass)));
}

function checkTime(seconds: Distribution, path: string): void {
  const least = seconds.kind === "discrete" ? Math.min(...seconds.entries.map(({ value }) => value)) : seconds.mean;
  if (least <= 0) throw new Unusable(`${path} is ${least}, expected more than 0`);
}

/** Not below 0. @throws Unusable */
function positiveOrZero(holder: Json, key: string, path: string): number {
  const value = numberOf(holder, key) ?? 0;
  if (value >= 0 && value <= MOST_VALUE) return value;
  throw new Unusable(`${path}.${key} is ${value}, expected 0 to ${MOST_VALUE}`);
}

function wholeOf(holder: Json, key: string, path: string, min: number, max: number): number {
  const value = numberOf(holder, key);
  if (value !== null && Number.isInteger(value) && value >= min && value <= max) return value;
  const shown = value === null ? "missing" : String(value);
  throw new Unusable(
    `${path === "" ? "" : `${path}.`}${key} is ${shown}, expected a whole number from ${min} to ${max}`,
  );
}

function checkWeights(weighted: readonly Weighted[], key: string, path: string): void {
  if (weighted.every(({ weight }) => weight === 0))
    throw new Unusable(`every ${key} of ${path} is 0, expected at least one above 0`);
}

/** Draws an entry by weight. */
function chosen<T extends Weighted>(weighted: readonly T[], stream: Stream): T {
  let remaining = stream.next() * totalOf(weighted);
  let [last] = weighted;
  for (const entry of weighted) {
    remaining -= entry.weight;
    if (remaining < 0) return entry;
    if (entry.weight > 0) last = entry;
  }
  // Sums of fractions may end just below their total.
  return last;
}

function draw(distribution: Distribution, stream: Stream): number {
  if (distribution.kind === "discrete") return chosen(distribution.entries, stream).value;
  const { kind, mean, deviation } = distribution;
  if (deviation === 0) return mean;
  const z = normalQuantile(Math.max(2 ** -53, stream.next()));
  if (kind === "normal") return Math.max(0, mean + deviation * z);
  // sigma² = ln(1 + variance / mean²), and the mean of the log-normal is exp(mu + sigma² / 2).
  const square = ln(1 + (deviation / mean) * (deviation / mean));
  return mean * exp(Math.sqrt(square) * z - square / 2);
}

/**
 * Its jobs, in the order in which they come. Each has a stream of its own: one more shifts no other's tasks.
 * @param nodes that tasks ask for, each for one of them, as under SLS. @param begin the first number of a job.
 */
export function* drawnJobs(
  { seed, jobs, workloads }: SyntheticLoad,
  nodes: readonly { readonly name: string }[],
  begin: number,
  reading: HadoopReading,
): Generator<HadoopJob> {
  const stories = Array.from({ length: jobs }, (_, number) => {
    const stream = streamFor(seed, `sls/synthetic/${number}`);
    const { queue, classes, times } = chosen(workloads, stream);
    const slot = chosen(times, stream);
    const from = slot.fromSeconds;
    const range = (times.at(times.indexOf(slot) + 1)?.fromSeconds ?? from) - from;
    const seconds = from + (range > 0 ? stream.below(range) : 0);
    return { queue, seconds, of: chosen(classes, stream), number };
  });
  stories.sort((a, b) => a.seconds - b.seconds || a.number - b.number);
  for (const [index, { queue, seconds, of: jobClass, number }] of stories.entries()) {
    const id = `${jobClass.name}_${String(begin + index).padStart(6, "0")}`;
    const stream = streamFor(seed, `sls/synthetic/${number}/tasks`);
    yield {
      id,
      queue,
      user: jobClass.user,
      submittedMs: seconds * 1000,
      ...tasksOf(jobClass.tasks, nodes, stream, reading),
      ...ALIKE,
    };
  }
}

/** The fields that all drawn jobs share. */
const ALIKE = { name: "", endedMs: null, result: "unknown", masters: [], masterSize: SLS_TASK, isDrawn: true } as const;

function tasksOf(
  classes: readonly TaskClass[],
  nodes: readonly { readonly name: string }[],
  stream: Stream,
  reading: HadoopReading,
): Pick<HadoopJob, "maps" | "reduces" | "mapSize" | "reduceSize"> {
  const tasks: Record<TaskClass["type"], HadoopTask[]> = { map: [], reduce: [] };
  const sizes: Record<TaskClass["type"], HadoopSize> = {
    map: { memory: null, vcores: null },
    reduce: { memory: null, vcores: null },
  };
  for (const { type, count, seconds, memory, vcores } of classes) {
    const wanted = Math.round(draw(count, stream));
    if (wanted > LIMITS.tasksPerPhase)
      reading.count("leftOut", "job", `with more than ${LIMITS.tasksPerPhase} maps or reduces`);
    const drawnSize = {
      memory: Math.min(2 ** 30, Math.max(SLS_TASK.memory, Math.round(draw(memory, stream)))),
      vcores: Math.min(LIMITS.vcores, Math.max(SLS_TASK.vcores, Math.round(draw(vcores, stream)))),
    };
    sizes[type] = {
      memory: Math.max(sizes[type].memory ?? 0, drawnSize.memory),
      vcores: Math.max(sizes[type].vcores ?? 0, drawnSize.vcores),
    };
    if (wanted > LIMITS.tasksPerPhase) continue;
    for (let i = 0; i < wanted; i++) {
      const place = nodes.length === 0 ? "" : nodes[stream.below(nodes.length)].name;
      tasks[type].push({
        count: 1,
        launchMs: null,
        finishMs: null,
        shuffledMs: null,
        host: "",
        level: null,
        runMs: Math.max(1, Math.round(draw(seconds, stream) * 1000)),
        places: place === "" || type === "reduce" ? [] : [place],
      });
    }
    reading.read.tasks += wanted;
  }
  return { maps: tasks.map, reduces: tasks.reduce, mapSize: sizes.map, reduceSize: sizes.reduce };
}
