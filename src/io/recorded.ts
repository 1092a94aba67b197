import { existsSync } from "node:fs";
import * as z from "zod";
import { counted, MAX_TIME_US } from "../core/kernel/index.js";
import { SPARK_LEVELS } from "../core/platforms/spark/index.js";
import { YARN_LEVELS } from "../core/platforms/yarn/index.js";
import type { JobToRun } from "../core/record/index.js";
import type { CopiedTime } from "../experiments/index.js";
import { fileProblem } from "./input-error.js";
import { readWritten } from "./results/run-folder.js";
import { quote } from "./scenario/show.js";

// recorded.json: what logs recorded of what an imported table runs, by the same names, to be held against a simulation.

/** By platform that a log was made an import for: how the log names levels, in the order of its engine's numbers. */
const LEVELS = { spark: SPARK_LEVELS, yarn: YARN_LEVELS } as const;

type Recordable = keyof typeof LEVELS;

export type RecordedLevel = (typeof LEVELS)[Recordable][number];

/**
 * Times are microseconds from the start of the application, or the first submission of a cluster's jobs; null: the log
 * does not say.
 */
export interface RecordedRun {
  readonly format: `bide-${Recordable}-recorded`;
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  /** The release of Spark; not there in logs of other systems. */
  readonly sparkVersion?: string | null;
  /** Wall time of the start, in ms since 1970. */
  readonly startedMs: number;
  readonly endedUs: number | null;
  readonly jobs: readonly RecordedJob[];
  readonly stages: readonly RecordedStage[];
  readonly attempts: RecordedAttempts;
  /** Times that the import copied beside those of tasks. Not there: an import of before 0.1. */
  readonly copied?: readonly CopiedTime[];
}

export interface RecordedJob {
  readonly job: string;
  readonly submittedUs: number;
  readonly endedUs: number | null;
  readonly result: "succeeded" | "failed" | "unknown";
}

/** One attempt of a stage. In YARN it counts from the first launch of a task. */
export interface RecordedStage {
  readonly job: string;
  readonly stage: string;
  readonly submittedUs: number;
  readonly endedUs: number | null;
  readonly hasFailed: boolean;
  /** Attempts that the table leaves out, and how long they ran: they are not run again. Not there: none. */
  readonly leftOut?: { readonly attempts: number; readonly us: number };
  /** The number of its tasks in the table. */
  readonly tasks: number;
  readonly levels: Readonly<Partial<Record<RecordedLevel, number>>>;
}

/** The attempt of each task of the table that did it, in the order of launch: a column each. */
export interface RecordedAttempts {
  /** Positions in `stages`. */
  readonly stage: readonly number[];
  readonly task: readonly number[];
  /** Null: of a task that has no places. */
  readonly level: readonly (RecordedLevel | null)[];
  readonly launchUs: readonly number[];
  readonly finishUs: readonly number[];
}

const us = z.int().nonnegative().max(MAX_TIME_US);

function schemaOf(platform: Recordable): z.ZodType {
  return z.looseObject({
    format: z.literal(`bide-${platform}-recorded`),
    version: z.literal(1),
    jobs: z.array(z.looseObject({ job: z.string(), submittedUs: us, endedUs: us.nullable() })),
    stages: z.array(z.looseObject({ job: z.string(), stage: z.string(), submittedUs: us, endedUs: us.nullable() })),
    attempts: z.looseObject({
      stage: z.array(z.int().nonnegative()),
      task: z.array(z.int().nonnegative()),
      level: z.array(z.enum(LEVELS[platform] as readonly string[]).nullable()),
      launchUs: z.array(us),
    }),
    copied: z
      .array(z.looseObject({ what: z.string(), us, mostUs: us.nullable(), partOf: z.string(), wholeUs: us }))
      .optional(),
  });
}

/** The most differences that one error reports. */
const MOST_REPORTED = 5;

/**
 * Returns the names of a platform's levels in logs, in the order of its engine's numbers; undefined: nothing is
 * imported for it.
 */
export function loggedLevels(platform: string): readonly RecordedLevel[] | undefined {
  return isRecordable(platform) ? LEVELS[platform] : undefined;
}

function isRecordable(platform: string): platform is Recordable {
  return Object.hasOwn(LEVELS, platform);
}

/**
 * @param path of a `recorded.json`, which messages name as it is. @param platform of the scenario.
 * @param workload which it must tell of: all of it, and nothing else.
 * @throws InputError where it cannot be read, is not what an import wrote, or is of another workload.
 */
export function readRecorded(path: string, platform: string, workload: readonly JobToRun[]): RecordedRun {
  if (!isRecordable(platform)) {
    throw fileProblem(
      path,
      `is of an import, and the scenario is of ${platform}; allowed: ${Object.keys(LEVELS).join(" or ")}`,
    );
  }
  if (!existsSync(path)) {
    throw fileProblem(
      path,
      "found no recording, allowed a scenario of logs that tell when their tasks ran; bide run takes any scenario",
    );
  }
  const recorded = readWritten(path, schemaOf(platform), "bide import") as RecordedRun;
  const problems: string[] = [];
  for (const message of differences(recorded, workload)) {
    if (problems.push(message) === MOST_REPORTED) break;
  }
  if (problems.length > 0) throw fileProblem(path, ...problems);
  return recorded;
}

function* differences({ jobs, stages, attempts }: RecordedRun, workload: readonly JobToRun[]): Generator<string> {
  const { stage: stageOf, task: taskOf, level, launchUs } = attempts;
  if ([taskOf, level, launchUs].some(({ length }) => length !== stageOf.length)) {
    const lengths = Object.entries({ stage: stageOf, task: taskOf, level, launchUs });
    const shownLengths = lengths.map(([name, { length }]) => `${name} ${String(length)}`).join(", ");
    yield `attempts: found columns of different lengths (${shownLengths}), allowed one row for each task`;
    return;
  }
  const ofJobs = workload.map(({ job }) => [job]);
  const tasks = new Map(
    workload.flatMap(({ job, stages: runStages }) =>
      runStages.map(({ stage, tasks: taskCount }) => [keyOf([job, stage]), taskCount]),
    ),
  );
  const ofStages = workload.flatMap(({ job, stages: runStages }) => runStages.map(({ stage }) => [job, stage]));
  const named = [
    ...namesThatDiffer(
      "jobs",
      jobs.map(({ job }) => [job]),
      ofJobs,
    ),
    ...namesThatDiffer(
      "stages",
      stages.map(({ job, stage }) => [job, stage]),
      ofStages,
    ),
  ];
  yield* named;
  if (named.length > 0) return;
  const seen = stages.map(({ job, stage }) => new Uint8Array(tasks.get(keyOf([job, stage])) ?? 0));
  const missingTasks = seen.map(({ length }) => length);
  for (const [row, stage] of stageOf.entries()) {
    const task = taskOf[row];
    if (stage >= stages.length) {
      yield `attempts.stage.${String(row)}: found ${String(stage)}, allowed a position in stages, below ${String(stages.length)}`;
    } else if (task >= seen[stage].length) {
      const limit = String(seen[stage].length);
      yield `attempts.task.${String(row)}: found task ${String(task)} of ${stageName(stages[stage])}, allowed below ${limit}, the tasks that the scenario runs`;
    } else if (seen[stage][task] === 1) {
      yield `attempts.task.${String(row)}: found task ${String(task)} of ${stageName(stages[stage])} again, allowed each once`;
    } else {
      seen[stage][task] = 1;
      missingTasks[stage]--;
    }
  }
  for (const [stage, missing] of missingTasks.entries()) {
    if (missing === 0) continue;
    const total = seen[stage].length;
    yield `attempts: found ${counted(total - missing, "task")} of ${stageName(stages[stage])}, allowed ${String(total)}, which the scenario runs`;
  }
}

/** @param names each of one or more parts. @param wanted those that the scenario runs. */
function namesThatDiffer(
  kind: "jobs" | "stages",
  names: readonly (readonly string[])[],
  wanted: readonly (readonly string[])[],
): string[] {
  const [recordedKeys, theirs] = [new Set<string>(), new Set(wanted.map(keyOf))];
  const [again, strays]: (readonly string[])[][] = [[], []];
  for (const name of names) {
    const key = keyOf(name);
    if (recordedKeys.has(key)) again.push(name);
    else if (!theirs.has(key)) strays.push(name);
    recordedKeys.add(key);
  }
  const missing = wanted.filter((name) => !recordedKeys.has(keyOf(name)));
  const allowed = `allowed the ${counted(wanted.length, kind.slice(0, -1))} that the scenario runs, each once`;
  return [
    ...(missing.length > 0 ? [`${kind}: found ${String(names.length)}, without ${listed(missing)}; ${allowed}`] : []),
    ...(strays.length > 0 ? [`${kind}: found ${listed(strays)}, which the scenario does not run; ${allowed}`] : []),
    ...(again.length > 0 ? [`${kind}: found ${listed(again)} more than once; ${allowed}`] : []),
  ];
}

/** Names may hold any character. */
function keyOf(name: readonly string[]): string {
  return JSON.stringify(name);
}

function stageName({ job, stage }: { readonly job: string; readonly stage: string }): string {
  return nameOf([job, stage]);
}

function nameOf([job, stage]: readonly string[]): string {
  return stage === undefined ? `job ${quote(job)}` : `stage ${quote(stage)} of job ${quote(job)}`;
}

function listed(names: readonly (readonly string[])[]): string {
  const shown = names.slice(0, 3).map(nameOf);
  return names.length > 3 ? `${shown.join(", ")} and ${String(names.length - 3)} more` : shown.join(", ");
}
