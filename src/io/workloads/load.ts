import { isAbsolute, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MAX_TIME_US, mismatch, sumOver } from "../../core/kernel/index.js";
import {
  type BenchmarkWorkloadSpec,
  type FacebookWorkloadSpec,
  type JobsWorkloadSpec,
  LIMITS,
  type Scenario,
  type SwimWorkloadSpec,
  type TasksWorkloadSpec,
} from "../../core/scenario/index.js";
import {
  inlineJobProblems,
  inlineWorkload,
  workloadInSteps,
  type WorkloadStorage,
  type Workload,
} from "../../core/workload/index.js";
import { fileProblem, InputError } from "../input-error.js";
import { type RackTargets, targetsOf } from "../scenario/hadoop/cluster.js";
import { type TaskRoom, taskRoom } from "../scenario/hadoop/runtime.js";

/** All that a workload depends on, except the contents of its file. */
type WorkloadSource =
  | {
      readonly spec: FacebookWorkloadSpec | BenchmarkWorkloadSpec;
      readonly storage: WorkloadStorage;
      readonly seed: string;
    }
  | { readonly spec: JobsWorkloadSpec | SwimWorkloadSpec; readonly seed: string }
  | { readonly spec: TasksWorkloadSpec; readonly room: TaskRoom; readonly racks: RackTargets; readonly seed?: never };

function sourceOf({ workload: spec, cluster, storage, run: { seed } }: Scenario): WorkloadSource {
  switch (spec.kind) {
    case "facebook":
    case "benchmark": {
      const { rereadProbability, dataSet, hotSpots, cachedFiles } = storage;
      return { spec, storage: { rereadProbability, dataSet, hotSpots, cachedFiles }, seed };
    }
    case "jobs":
    case "swim":
      return { spec, seed };
    case "tasks":
      return { spec, room: taskRoom(cluster.racks.flatMap(({ nodes }) => nodes)), racks: targetsOf(cluster) };
  }
}

/**
 * Returns the name of a scenario's workload: scenarios with equal names, and equal seeds where there is one, submit the
 * same jobs, as long as the file of a workload stays as it is.
 */
export function workloadName(scenario: Scenario): { readonly name: string; readonly seed: string | undefined } {
  const { seed, ...source } = sourceOf(scenario);
  return { name: exactText(source), seed };
}

/** JSON in which Infinity differs from null. */
export function exactText(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) => (inner === Infinity ? "Infinity" : inner));
}

/** Cache of workloads; a key names everything that its workload depends on. */
export interface KeptWorkloads {
  workload(key: string): Workload | undefined;
  keepWorkload(key: string, workload: Workload): void;
}

interface LoadWorkloadOptions {
  /** Called many times a second during loading, after the event loop has turned; an error that it throws ends it. */
  readonly onPause?: () => void;
  /** Cache of workloads, which must not be changed. */
  readonly kept?: KeptWorkloads | undefined;
  /** The required digest of the workload's file (`digestOfFile`); undefined: any. */
  readonly digest?: string | undefined;
}

/**
 * Everything the scenario will submit: generated, or read from the file its workload names.
 * @param directory folder of the scenario file; relative file names start from it.
 * @throws InputError for any problem of the file or the job list, for more tasks than one run can hold, and for
 * a file with another digest.
 */
export async function loadWorkload(
  scenario: Scenario,
  directory: string,
  { onPause = () => undefined, kept, digest }: LoadWorkloadOptions = {},
): Promise<Workload> {
  const source = sourceOf(scenario);
  const isDigested = kept !== undefined || digest !== undefined;
  const contents = async (): Promise<string | null> => {
    if (!isDigested || !("file" in source.spec)) return null;
    const { digestOfFile } = await import("./lines.js");
    const currentDigest = await digestOfFile(pathOf(source.spec.file, directory), source.spec.file, onPause);
    if (digest === undefined || currentDigest === digest) return currentDigest;
    throw fileProblem(source.spec.file, "has other contents than when the sweep began");
  };
  const before = await contents();
  const key = kept === undefined ? "" : exactText([source, directory, before]);
  const known = kept?.workload(key);
  const workload = known ?? (await readOrGenerate(source, scenario, directory, onPause));
  refuseTooMuch(workload, scenario);
  // A file that was written to during the read may have been read in part: it is not kept.
  if (known === undefined && (await contents()) === before) kept?.keepWorkload(key, workload);
  return workload;
}

/** @param scenario names it in messages. */
async function readOrGenerate(
  source: WorkloadSource,
  { name }: Scenario,
  directory: string,
  onPause: () => void,
): Promise<Workload> {
  if ("room" in source) {
    const { HADOOP_COLUMNS, rackHosts, readTasksCsv } = await import("./tasks-csv.js");
    const { spec, room, racks } = source;
    const path = pathOf(spec.file, directory);
    const cluster = { room, hostOf: rackHosts(racks), columns: HADOOP_COLUMNS };
    return ofItsKind(spec, path, readTasksCsv(spec, path, cluster, onPause));
  }
  if ("storage" in source) return paced(workloadInSteps(source.spec, source.storage, source.seed), onPause);
  const { spec, seed } = source;
  if (spec.kind === "swim") {
    const { readSwim } = await import("./swim.js");
    const path = pathOf(spec.file, directory);
    return ofItsKind(spec, path, readSwim(spec, path, seed, onPause));
  }
  refuseJobList(spec, name);
  return paced(inlineWorkload(spec, seed), onPause);
}

/** The expected contents of a file, by kind of workload. */
const FILES = { tasks: "a table of tasks", swim: "a SWIM trace" } as const;

/** Replaces the list of malformed lines by one sentence where the file is of another kind. */
export async function ofItsKind<T>(
  { kind, file }: SwimWorkloadSpec | TasksWorkloadSpec,
  path: string,
  reading: Promise<T>,
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { fileKindOf } = await import("../file-kind.js");
    const fileKind = fileKindOf(path);
    if (fileKind === null || fileKind.kind === "unknown" || fileKind.description === FILES[kind]) throw error;
    const use = fileKind.use === "" ? "" : `; ${fileKind.use}`;
    throw fileProblem(file, mismatch(fileKind.description, `${FILES[kind]}, as workload.kind says${use}`));
  }
}

const PAUSE_EVERY_MS = 50;

/**
 * Runs work in steps, with pauses in which signals and timers are served. The clock decides when to pause, and never
 * changes the result.
 */
async function paced<T>(steps: Generator<undefined, T>, onPause: () => void): Promise<T> {
  let lastMs = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - lastMs < PAUSE_EVERY_MS) continue;
    await nextTurn();
    onPause();
    lastMs = performance.now();
  }
}

function pathOf(file: string, directory: string): string {
  return isAbsolute(file) ? file : resolve(directory, file);
}

/** Refuses, before the list is expanded, entries without tasks and counts that add up to too many jobs. */
function refuseJobList(spec: JobsWorkloadSpec, scenario: string): void {
  const messages = inlineJobProblems(spec).map(({ position, message }) => `workload.jobs.${position}: ${message}`);
  const jobs = sumOver(spec.jobs, (entry) => entry.count);
  if (jobs > LIMITS.jobs) messages.push(`workload.jobs: ${jobs} jobs in all, expected at most ${LIMITS.jobs}`);
  if (messages.length > 0) throw fileProblem(scenario, ...messages);
}

function refuseTooMuch(workload: Workload, scenario: Scenario): void {
  let tasks = 0;
  for (const job of workload.jobs) tasks += job.maps + job.reduces;
  let blocks = 0;
  for (const file of workload.files) blocks += file.blocks;
  const problems: string[] = [];
  if (tasks > LIMITS.totalTasks)
    problems.push(`workload: ${tasks} tasks in all, expected at most ${LIMITS.totalTasks}`);
  if (blocks > LIMITS.totalTasks)
    problems.push(`workload: ${blocks} input blocks in all, expected at most ${LIMITS.totalTasks}`);
  const last = workload.jobs.at(-1);
  if (last !== undefined && last.submitAtUs > MAX_TIME_US) {
    problems.push(
      `workload: job "${last.name}" is submitted after more than 100 years; that is the latest instant a run can reach`,
    );
  }
  if (problems.length > 0) throw fileProblem(scenario.name, ...problems);
}
