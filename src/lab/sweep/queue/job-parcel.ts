import { isAbsolute, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { WorkloadSpec } from "../../../core/scenario/scenario.js";
import type { RunOutcome } from "../../../core/sweep/run-outcome.js";
import type { RunTask } from "../run-task.js";
import { decodeExactly, encodeExactly } from "./exact-json.js";

/** What a job in Redis carries: everything a run is a function of but code, its own and that of plugins. */
export interface JobParcel {
  /** Whoever does the run must have this code. */
  readonly code: string;
  /** Digests of plugin files, in the order in which they are loaded. */
  readonly plugins: readonly string[];
  /** That the workload is read from; null: none. */
  readonly file: SharedFile | null;
  /** A packed `TravellingTask`. */
  readonly task: string;
}

export interface SharedFile {
  readonly digest: string;
  /** Its path where the sweep was started; messages name it so wherever they come from. */
  readonly shown: string;
}

type TravellingTask = Omit<RunTask, "directory" | "plugins">;

export function packTask(task: RunTask): string {
  const { directory: _, plugins: __, ...travelling } = task;
  return gzipSync(encodeExactly(travelling satisfies TravellingTask)).toString("base64");
}

/**
 * @param filePath where the workload's file is here, if it has one.
 * @param plugins absolute paths of those named in the parcel.
 */
export function unpackTask(packed: string, filePath: string | null, plugins: readonly string[]): RunTask {
  const task = decodeExactly(gunzipSync(Buffer.from(packed, "base64")).toString("utf8")) as TravellingTask;
  const { scenario } = task;
  const workload = withFile(scenario.workload, filePath);
  return { ...task, scenario: { ...scenario, workload }, directory: "/", plugins };
}

/** The file a run reads while it runs, absolute. */
export function fileOf({ scenario: { workload }, directory }: RunTask): string | null {
  if (!("file" in workload)) return null;
  return isAbsolute(workload.file) ? workload.file : resolve(directory, workload.file);
}

function withFile(workload: WorkloadSpec, filePath: string | null): WorkloadSpec {
  if (!("file" in workload)) return workload;
  if (filePath === null) throw new Error("the run reads a file that did not come with it");
  return { ...workload, file: filePath };
}

/** What a job in Redis gives back. */
export interface Returned {
  readonly code: string;
  readonly run: RunOutcome;
}

export function packOutcome(returned: Returned): string {
  return encodeExactly(returned);
}

/** @returns null for what `packOutcome` did not write. */
export function unpackOutcome(text: unknown): Returned | null {
  if (typeof text !== "string") return null;
  try {
    const found = decodeExactly(text) as Partial<Returned>;
    const isOutcome = found.run?.outcome === "done" || found.run?.outcome === "failed";
    return isOutcome && typeof found.code === "string" ? (found as Returned) : null;
  } catch {
    return null;
  }
}

/** Messages of a run, with the path that a file has here in place of the one it has there. */
export function naming(run: RunOutcome, there: string, here: string): RunOutcome {
  if (run.outcome === "failed") return { ...run, error: run.error.replaceAll(there, here) };
  return { ...run, notes: run.notes.map((note) => note.replaceAll(there, here)) };
}
