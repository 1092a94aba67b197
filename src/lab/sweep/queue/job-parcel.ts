import { isAbsolute, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { WorkloadSpec } from "../../../core/scenario/scenario.js";
import type { RunOutcome } from "../../../experiments/sweep/sweep-record.js";
import {
  jobParcelOf,
  NotBelieved,
  returnedOf,
  travellingTaskOf,
  type JobParcel,
  type NotDone,
  type Returned,
  type TravellingTask,
} from "../../../io/sweep/queue-schema.js";
import { MOST_TEXT } from "../../../io/sweep/journal.js";
import { RunKeys } from "../run-key.js";
import type { RunTask } from "../run-task.js";
import { decodeExactly, encodeExactly } from "./exact-json.js";
import type { Seal } from "./seal.js";

export type { JobParcel, NotDone, Returned } from "../../../io/sweep/queue-schema.js";

/** The most that a parcel takes in Redis, packed, and unpacked. */
export const MOST_PARCEL_BYTES = 8 * 2 ** 20;
const MOST_TASK_BYTES = 128 * 2 ** 20;
/** The most that a result takes: samples of a long run are large. */
export const MOST_RESULT_BYTES = 256 * 2 ** 20;

/** What BullMQ keeps of a job. */
export interface SealedParcel {
  readonly sealed: string;
}

/** One run of one sweep, as signatures name it. */
function runOf(sweep: string, key: string): string {
  return `${sweep} ${key}`;
}

export function sealParcel(seal: Seal, sweep: string, key: string, parcel: JobParcel): SealedParcel {
  return { sealed: seal.close("run", runOf(sweep, key), JSON.stringify(parcel)) };
}

/** @param data of a job in Redis, whoever put it there. @throws NotBelieved */
export function openParcel(seal: Seal, sweep: string, key: string, data: unknown): JobParcel {
  const sealed = (data as Partial<Record<keyof SealedParcel, unknown>> | null)?.sealed;
  if (typeof sealed !== "string") throw new NotBelieved("no run");
  if (sealed.length > MOST_PARCEL_BYTES) throw new NotBelieved(`a run of ${String(sealed.length)} bytes`);
  return jobParcelOf(jsonIn(seal.open("run", runOf(sweep, key), sealed)));
}

export function packTask(task: RunTask): string {
  const { directory: _, plugins: __, ...travelling } = task;
  return gzipSync(encodeExactly(travelling satisfies TravellingTask)).toString("base64");
}

/**
 * @param filePath where the workload's file is here, if it has one.
 * @param plugins absolute paths of those named in the parcel.
 * @throws NotBelieved for what is no packed run.
 */
export function unpackTask(packed: string, filePath: string | null, plugins: readonly string[]): RunTask {
  const task = travellingTaskOf(unpacked(packed));
  const { scenario } = task;
  const workload = withFile(scenario.workload, filePath);
  return { ...task, scenario: { ...scenario, workload }, directory: "/", plugins };
}

function unpacked(packed: string): unknown {
  try {
    const bytes = gunzipSync(Buffer.from(packed, "base64"), { maxOutputLength: MOST_TASK_BYTES });
    return decodeExactly(bytes.toString("utf8"));
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new NotBelieved(isLarge ? "a run that unpacks to more than 128 MiB" : "no packed run");
  }
}

/**
 * Makes sure that a job holds the run that its key names: the key is a hash of everything that the run depends on.
 * @throws NotBelieved
 */
export function checkKey(key: string, task: RunTask): void {
  const { directory, plugins, measures, warmUp, series, scenario } = task;
  const [own] = new RunKeys({ plan: { measures, warmUp, series }, directory, plugins }).keysOf(scenario, [
    scenario.run.seed,
  ]);
  if (task.key !== key || own !== key) throw new NotBelieved("another run than its key names");
}

/** The file a run reads while it runs, absolute. */
export function fileOf({ scenario: { workload }, directory }: RunTask): string | null {
  if (!("file" in workload)) return null;
  return isAbsolute(workload.file) ? workload.file : resolve(directory, workload.file);
}

function withFile(workload: WorkloadSpec, filePath: string | null): WorkloadSpec {
  if (!("file" in workload)) return workload;
  if (filePath === null) throw new NotBelieved("a run that reads a file which did not come with it");
  return { ...workload, file: filePath };
}

export function packOutcome(seal: Seal, sweep: string, { code, key, run }: Returned): string {
  const { series, ...rest } = run.outcome === "done" ? run : { ...bounded(run), series: undefined };
  // As a journal keeps it: JSON has no NaN, and a schema lets none in.
  const kept = JSON.parse(JSON.stringify(rest)) as Returned["run"];
  const whole = series === undefined ? kept : { ...kept, series };
  return seal.close("result", runOf(sweep, key), encodeExactly({ code, key, run: whole }));
}

/** With no longer text than is believed: an error of a plugin may be of any length. */
function bounded(run: Exclude<Returned["run"], { readonly outcome: "done" }>): typeof run {
  if (run.outcome === "failed") return { ...run, error: run.error.slice(0, MOST_TEXT) };
  return { ...run, problem: run.problem.slice(0, MOST_TEXT) };
}

/**
 * What a worker gave back for a run.
 * @param wanted the run that was asked for.
 * @throws NotBelieved for a result of another run or other code, or one that nobody made.
 */
export function openOutcome(
  seal: Seal,
  sweep: string,
  text: unknown,
  wanted: Pick<RunTask, "key" | "measures" | "series"> & { readonly code: string },
): RunOutcome | NotDone {
  if (typeof text !== "string") throw new NotBelieved("no result");
  const body = seal.open("result", runOf(sweep, wanted.key), text);
  const { code, key, run } = returnedOf(exactly(body));
  if (code !== wanted.code) throw new NotBelieved("a result of other code");
  if (key !== wanted.key) throw new NotBelieved("a result of another run");
  if (run.outcome !== "done") return run;
  const hasAll = wanted.measures.every((name) => Object.hasOwn(run.values, name));
  if (!hasAll || Object.keys(run.values).length !== wanted.measures.length) {
    throw new NotBelieved("a result with other measures than were asked for");
  }
  if (Object.keys(run.steps ?? {}).some((name) => !Object.hasOwn(run.values, name))) {
    throw new NotBelieved("a result with steps of other measures than were asked for");
  }
  if ((run.series !== undefined) !== wanted.series) throw new NotBelieved("a result with or without samples");
  return run;
}

function exactly(text: string): unknown {
  try {
    return decodeExactly(text);
  } catch {
    throw new NotBelieved("no result");
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NotBelieved("no run");
  }
}

/** Messages of a run, with the path that a file has here in place of the one it has there. */
export function naming(run: RunOutcome, there: string, here: string): RunOutcome {
  if (run.outcome === "failed") return { ...run, error: run.error.replaceAll(there, here) };
  return { ...run, notes: run.notes.map((note) => note.replaceAll(there, here)) };
}
