import * as z from "zod";
import { InputError } from "../input-error.js";
import { readWritten } from "../results/run-folder.js";
import type { LoggedLevel } from "./event-log.js";

// recorded.json: what a log recorded of what stages.csv runs, by the same names, to be held against a simulation.

/** Times are microseconds from the start of the application; null: the log does not say. */
export interface RecordedApplication {
  readonly format: "bide-spark-recorded";
  readonly version: 1;
  readonly id: string;
  readonly name: string;
  readonly sparkVersion: string | null;
  /** Wall time of the start, in ms since 1970. */
  readonly startedMs: number;
  readonly endedUs: number | null;
  readonly jobs: readonly RecordedJob[];
  readonly stages: readonly RecordedStage[];
  readonly attempts: RecordedAttempts;
  /** From the driver's decision until the task runs and from its end until the driver knows, together. */
  readonly delayUs: { readonly median: number; readonly p90: number } | null;
}

export interface RecordedJob {
  readonly job: string;
  readonly submittedUs: number;
  readonly endedUs: number | null;
  readonly result: "succeeded" | "failed" | "unknown";
}

/** Of one attempt of a stage. */
export interface RecordedStage {
  readonly job: string;
  readonly stage: string;
  readonly submittedUs: number;
  readonly endedUs: number | null;
  readonly hasFailed: boolean;
  /** Of the tasks that stages.csv has. */
  readonly tasks: number;
  readonly levels: Readonly<Partial<Record<LoggedLevel, number>>>;
}

/** The attempt of each task of stages.csv that did it, in the order of launch: a column each. */
export interface RecordedAttempts {
  /** Positions in `stages`. */
  readonly stage: readonly number[];
  readonly task: readonly number[];
  readonly executor: readonly string[];
  readonly level: readonly LoggedLevel[];
  readonly launchUs: readonly number[];
  readonly finishUs: readonly number[];
}

const us = z.number();
const recordedSchema = z.looseObject({
  format: z.literal("bide-spark-recorded"),
  version: z.literal(1),
  jobs: z.array(z.looseObject({ job: z.string(), submittedUs: us, endedUs: us.nullable() })),
  stages: z.array(z.looseObject({ job: z.string(), stage: z.string(), submittedUs: us, endedUs: us.nullable() })),
  attempts: z.looseObject({
    stage: z.array(z.int().nonnegative()),
    task: z.array(z.int().nonnegative()),
    level: z.array(z.string()),
    launchUs: z.array(us),
  }),
  delayUs: z.looseObject({ median: us }).nullable(),
});

/** @param path of a `recorded.json`, which messages name as it is. @throws InputError where it cannot be read, or is not what an import wrote. */
export function readRecorded(path: string): RecordedApplication {
  const found = readWritten(path, recordedSchema, "bide import");
  const { attempts, stages } = found;
  const isWhole =
    [attempts.task, attempts.level, attempts.launchUs].every(({ length }) => length === attempts.stage.length) &&
    attempts.stage.every((stage) => stage < stages.length);
  if (isWhole) return found as unknown as RecordedApplication;
  const message = "found attempts of no stage, or columns of different lengths, allowed what bide import wrote";
  throw new InputError([{ file: path, line: 0, column: 0, message }]);
}
