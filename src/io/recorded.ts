import { existsSync } from "node:fs";
import * as z from "zod";
import { counted, MAX_TIME_US, mismatch, someOf } from "../core/kernel/index.js";
import { SPARK_LEVELS } from "../core/platforms/spark/index.js";
import { YARN_LEVELS } from "../core/platforms/yarn/index.js";
import type { JobToRun } from "../core/record/index.js";
import type { CopiedTime } from "../experiments/index.js";
import { fileProblem } from "./input-error.js";
import { readWritten } from "./results/run-folder.js";
import { quote } from "./scenario/show.js";

// recorded.json: the recorded values of the jobs, stages and tasks of an imported table, for comparisons with a run.

/** Names of levels in logs, by platform of the import, in the order of the level numbers in the simulation. */
const LEVELS = { spark: SPARK_LEVELS, yarn: YARN_LEVELS } as const;

type Recordable = keyof typeof LEVELS;

type RecordedLevel = (typeof LEVELS)[Recordable][number];

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
      `is of an import, and the scenario is of ${platform}; imports are of ${Object.keys(LEVELS).join(" or ")}`,
    );
  }
  if (!existsSync(path)) {
    throw fileProblem(
      path,
      "is missing: only logs that tell when their tasks ran leave a recording; bide run takes any scenario",
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
    const shownLengths = lengths.map(([name, { length }]) => `${name} ${length}`).join(", ");
    yield `attempts: the columns have different lengths (${shownLengths})`;
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
      yield `attempts.stage.${row}: ${mismatch(String(stage), `a position in stages, below ${stages.length}`)}`;
    } else if (task >= seen[stage].length) {
      yield `attempts.task.${row}: there is no task ${task} in ${stageName(stages[stage])}, of which the scenario runs ${seen[stage].length}`;
    } else if (seen[stage][task] === 1) {
      yield `attempts.task.${row}: task ${task} of ${stageName(stages[stage])} stands twice`;
    } else {
      seen[stage][task] = 1;
      missingTasks[stage]--;
    }
  }
  for (const [stage, missing] of missingTasks.entries()) {
    if (missing === 0) continue;
    yield `attempts: ${counted(missing, "task")} of ${stageName(stages[stage])} are missing, of ${seen[stage].length} that the scenario runs`;
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
  const problem = (differing: readonly (readonly string[])[], words: string) =>
    differing.length === 0 ? [] : [`${kind}: ${someOf(differing.map(nameOf), 3)} ${words}`];
  return [
    ...problem(missing, "missing, and the scenario runs it"),
    ...problem(strays, "given, and the scenario does not run it"),
    ...problem(again, "given more than once"),
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
