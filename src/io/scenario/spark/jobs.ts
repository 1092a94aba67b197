import * as z from "zod";
import { counted, MAX_TIME_US, sumOver, definedFields, namesOf } from "../../../core/kernel/index.js";
import type { ListedJob } from "../../../core/platforms/spark/index.js";
import { COPIED } from "../../../core/workload/index.js";
import { LIMITS } from "../../../core/scenario/index.js";
import { duplicates, notListedBefore, type Problem, totalProblems, wrong } from "../diagnose.js";
import { needed, optional, recordOf, setting } from "../setting.js";
import { choice, count, countOr, duration, filePath, flag, label, listOf, mapping, quantity } from "../values.js";
import { ARRIVALS } from "../platform.js";
import type { OnCluster } from "./hosts.js";

// Jobs with their stages.

const stage = mapping({
  name: optional(label(), "Name of the stage.", "its place in the job, from 1"),
  tasks: count(0, LIMITS.tasksPerPhase).describe("How many tasks."),
  time: needed(
    duration(1, LIMITS.taskUs),
    "What a task takes on its data; the median where times are spread.",
    "runUs",
  ),
  spread: setting(
    quantity(0, 5),
    "Times of tasks are log-normal, with this standard deviation of the logarithm; 0: all are alike.",
    0,
  ),
  parents: optional(
    z.array(label(), { error: () => "a list of names of stages" }),
    "Stages of the job that must have ended first.",
    "the stage before it",
  ),
  input: setting(
    choice(["none", "hosts", "cached"]),
    "Where tasks find their input: on hosts (blocks of HDFS), in the memory of an executor (cached), or anywhere as well (shuffles).",
    "none",
  ),
  replicas: setting(count(1, LIMITS.replication), "Hosts that hold the input of a task.", 3),
  on: setting(countOr("all", 1, LIMITS.nodes), "Only the first so many hosts, or executors, hold input.", "all"),
  barrier: setting(flag(), "All its tasks start at once, or none does.", false, "isBarrier"),
});

const job = mapping({
  name: label().describe("Name of the job."),
  pool: optional(label(), "The pool it runs in: `spark.scheduler.pool`.", "Spark's pool default"),
  ...ARRIVALS,
  after: optional(
    label(),
    "A job listed before it: this one comes when that one, or the last of its kind, has ended.",
    "it waits for none",
  ),
  delay: setting(duration(0, MAX_TIME_US), "Time between the end of that job and this one.", 0, "delayUs"),
  stages: listOf(stage, "stages {name, tasks, time, input, ...}"),
});

export const workload = z.discriminatedUnion(
  "kind",
  [
    mapping({
      kind: z.literal("jobs"),
      jobs: listOf(job, "jobs {name, stages, ...}").describe("Jobs with their stages."),
    }),
    mapping({
      kind: z.literal("stages"),
      file: filePath.describe(
        "A table of jobs, stages and tasks (docs/formats/spark-event-logs.md); relative to this file.",
      ),
      copied: optional(
        choice([...COPIED]),
        "The driver's times, delays of tasks and failed attempts of the table: as recorded, left out (none), or each stage with those of other stages (heldOut).",
        "recorded",
      ),
    }),
  ],
  { error: () => WORKLOAD_WORDS },
);

export type WorkloadFile = z.output<typeof workload>;

export const WORKLOAD_WORDS = "a mapping with a kind: jobs, stages";

export function jobProblems(jobs: Extract<WorkloadFile, { kind: "jobs" }>["jobs"]): Problem[] {
  const names = namesOf(jobs);
  const path = ["workload", "jobs"];
  return [
    ...duplicates(names, "job", path),
    ...jobs.flatMap(({ after, stages }, i) => {
      const stageNames = stages.map(({ name }, place) => name ?? String(place + 1));
      return [
        ...mustBeBefore([...path, i, "after"], "job", after, names.slice(0, i)),
        ...duplicates(stageNames, "stage", [...path, i, "stages"]),
        ...stages.flatMap(({ parents = [] }, place) =>
          parents.flatMap((parent, parentIndex) =>
            mustBeBefore(
              [...path, i, "stages", place, "parents", parentIndex],
              "stage",
              parent,
              stageNames.slice(0, place),
            ),
          ),
        ),
      ];
    }),
  ];
}

function mustBeBefore(
  path: readonly PropertyKey[],
  noun: string,
  name: string | undefined,
  before: readonly string[],
): Problem[] {
  return name === undefined || before.includes(name) ? [] : [notListedBefore(path, noun, name, before)];
}

export function sizeProblems(listed: Extract<WorkloadFile, { kind: "jobs" }>["jobs"]): Problem[] {
  let [jobs, tasks] = [0, 0];
  for (const { count: jobCount = 1, stages } of listed) {
    jobs += jobCount;
    tasks += jobCount * sumOver(stages, (stage) => stage.tasks);
  }
  return totalProblems(["workload", "jobs"], jobs, tasks, LIMITS.heldTasks);
}

/** Problems of input on more hosts or executors than the cluster has. */
export function inputProblems(
  file: WorkloadFile,
  { cluster: { hosts }, executors: allExecutors, allocation }: OnCluster,
): Problem[] {
  if (file.kind !== "jobs") return [];
  return file.jobs.flatMap(({ stages }, i) =>
    stages.flatMap(({ input = "none", on = Infinity, replicas = 1 }, place) => {
      if (input === "none") return [];
      const path = ["workload", "jobs", i, "stages", place];
      if (input === "cached" && allocation !== undefined) {
        return [
          wrong(
            [...path, "input"],
            "cached",
            "none or hosts; under dynamic allocation no executor is known before it comes",
          ),
        ];
      }
      const [maxPlaces, noun] = input === "hosts" ? [hosts.length, "host"] : [allExecutors.length, "executor"];
      const places = `the ${counted(maxPlaces, noun)} that there ${maxPlaces === 1 ? "is" : "are"}`;
      if (on !== Infinity && on > maxPlaces) return [wrong([...path, "on"], String(on), `all, or at most ${places}`)];
      if (input === "cached" || replicas <= Math.min(on, maxPlaces)) return [];
      const allowed = `at most ${on === Infinity ? places : `the ${on} of on`}`;
      return [wrong([...path, "replicas"], String(replicas), allowed)];
    }),
  );
}

type ListedFile = Extract<WorkloadFile, { kind: "jobs" }>["jobs"][number];

export function listedJob(file: ListedFile): ListedJob {
  const { pool, after, stages, ...fields } = recordOf(job, file);
  const names = stages.map(({ name }, i) => name ?? String(i + 1));
  return {
    ...fields,
    ...definedFields({ pool, after }),
    stages: stages.map(({ name: _, parents, ...settings }, i) => ({
      name: names[i],
      ...settings,
      parents: parents ?? (i === 0 ? [] : [names[i - 1]]),
    })),
  };
}
