import { definedFields, logNormal, streamFor } from "../../kernel/index.js";
import type { SparkJob, SparkStage, SparkTask } from "./application.js";
import type { PreferredPlace } from "./pending-tasks.js";

/** A job as a scenario lists it, or several of its kind. */
export interface ListedJob {
  readonly name: string;
  /** Undefined: Spark's pool `default`. */
  readonly pool?: string | undefined;
  readonly submitUs: number;
  /** The number of jobs of its kind, and the time between two of them. */
  readonly count: number;
  readonly everyUs: number;
  /** Name of a job listed before it, the last of its kind: it comes so long after that has ended. */
  readonly after?: string | undefined;
  readonly delayUs: number;
  readonly stages: readonly ListedStage[];
}

export interface ListedStage {
  readonly name: string;
  readonly tasks: number;
  /** The time of a task beside its data: the median where times are spread. */
  readonly runUs: number;
  /** Standard deviation of the logarithm of times; 0: all are alike. */
  readonly spread: number;
  /** Names of stages of the job listed before it. */
  readonly parents: readonly string[];
  /** Location of the tasks' input: on hosts, cached in an executor, or without a preferred place. */
  readonly input: "hosts" | "cached" | "none";
  /** Hosts that hold the input of a task. */
  readonly replicas: number;
  /** Number of hosts, or executors, counted from the first, that may hold input; Infinity: all. */
  readonly on: number;
  readonly isBarrier: boolean;
}

/** The cluster of a listed workload: executors by number, each with its host. */
export interface Places {
  readonly hosts: number;
  readonly executors: readonly { readonly host: number }[];
}

/** The jobs of a list. Each job has a stream of its own: one more shifts no other's draws. */
export function listedJobs(list: readonly ListedJob[], places: Places, seed: string): SparkJob[] {
  const jobs: SparkJob[] = [];
  const lastOf = new Map<string, number>();
  for (const listed of list) {
    const { name, pool, count, submitUs, everyUs, after, delayUs } = listed;
    const earlier = after === undefined ? undefined : lastOf.get(after);
    for (let i = 0; i < count; i++) {
      const jobName = count === 1 ? name : `${name}-${i + 1}`;
      const stages = stagesOf(listed, places, seed, jobName);
      jobs.push({
        name: jobName,
        submitAtUs: submitUs + i * everyUs,
        stages,
        ...definedFields({ pool }),
        ...(earlier === undefined ? {} : { after: { job: earlier, delayUs: delayUs + i * everyUs } }),
      });
    }
    lastOf.set(name, jobs.length - 1);
  }
  return inOrder(jobs);
}

/**
 * By the time of submission, which Spark numbers jobs by; those that come after others keep their place behind these.
 */
export function inOrder(jobs: readonly SparkJob[]): SparkJob[] {
  const earliestUs: number[] = [];
  for (const { submitAtUs, after } of jobs) {
    const afterUs = after === undefined ? 0 : earliestUs[after.job] + after.delayUs;
    earliestUs.push(Math.max(submitAtUs, afterUs));
  }
  const order = [...jobs.keys()].sort((a, b) => earliestUs[a] - earliestUs[b] || a - b);
  const placeOf = new Int32Array(jobs.length);
  for (const [place, job] of order.entries()) placeOf[job] = place;
  return order.map((index) => {
    const { after, ...job } = jobs[index];
    return after === undefined ? job : { ...job, after: { ...after, job: placeOf[after.job] } };
  });
}

function stagesOf({ stages }: ListedJob, places: Places, seed: string, job: string): SparkStage[] {
  const stream = streamFor(seed, `spark/job/${job}`);
  const numberOf = new Map(stages.map(({ name }, number) => [name, number]));
  return stages.map(({ name, tasks, runUs, spread, parents, isBarrier, ...input }) => ({
    name,
    isBarrier,
    parents: parents.map((parent) => numberOf.get(parent) ?? 0),
    tasks: Array.from({ length: tasks }, (): SparkTask => {
      const factor = spread === 0 ? 1 : logNormal(stream.next(), 1, spread);
      return { runUs: Math.max(1, Math.round(runUs * factor)), places: placesOf(input, places, stream) };
    }),
  }));
}

function placesOf(
  { input, replicas, on }: Pick<ListedStage, "input" | "replicas" | "on">,
  { hosts, executors }: Places,
  stream: { below: (bound: number) => number },
): PreferredPlace[] {
  if (input === "none") return [];
  if (input === "cached") {
    const executor = stream.below(Math.min(on, executors.length));
    return [{ host: executors[executor].host, executor }];
  }
  const hostCount = Math.min(on, hosts);
  const chosen = new Set<number>();
  // Each set of hosts is as likely as any other.
  while (chosen.size < Math.min(replicas, hostCount)) chosen.add(stream.below(hostCount));
  return [...chosen].map((host) => ({ host }));
}
