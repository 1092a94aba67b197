import { counted, sumOver, tally } from "../../core/kernel/index.js";
import { GrowingColumns } from "../../core/record/index.js";
import { SPARK_LEVELS } from "../../core/platforms/spark/index.js";
import { fileProblem, InputError } from "../input-error.js";
import { quote } from "../scenario/show.js";
import { type EventLog, findEventLog, type LogFile, readLogFile } from "./log-files.js";
import {
  child,
  instant,
  type Json,
  MOST,
  needed,
  NOTHING,
  objects,
  text,
  Unusable,
  whole,
  wholes,
} from "../logged-json.js";
import { EventLines, SPARK_EVENT } from "./log-lines.js";

// The reader of Spark's event logs, in bounded memory: a row of numbers for each attempt of a task,
// and no event.

/** One application as its log tells it. Times are milliseconds of the driver's wall clock. */
export interface LoggedApplication {
  readonly log: EventLog;
  readonly id: string;
  /** The number of the application's attempt, where it was started again; empty: it was not. */
  readonly attempt: string;
  readonly name: string;
  /** Null: the log does not say. */
  readonly sparkVersion: string | null;
  readonly startedMs: number | null;
  readonly endedMs: number | null;
  /** The last instant in the log. */
  readonly lastMs: number;
  /** Spark's settings, in the order of the log. */
  readonly properties: readonly (readonly [key: string, value: string])[];
  /** By id; of one that is not there the log says nothing. */
  readonly profiles: ReadonlyMap<number, LoggedProfile>;
  /** False: the log has no readable event of them. */
  readonly hasSettings: boolean;
  /** In the order in which they came. */
  readonly executors: readonly LoggedExecutor[];
  /** By id. */
  readonly jobs: readonly LoggedJob[];
  /** Attempts of stages, in the order in which the log names them first. */
  readonly stages: readonly LoggedStage[];
  /** Attempts of tasks that have ended, in the order of the log. */
  readonly tasks: GrowingColumns<typeof TASK_COLUMNS>;
  /** Outcomes by their number in `tasks`. */
  readonly outcomes: readonly string[];
  readonly reading: LogReading;
}

interface LoggedExecutor {
  readonly id: string;
  host: string;
  /** Null: the log does not say. */
  cores: number | null;
  /** Null: known from its tasks alone. */
  fromMs: number | null;
  untilMs: number | null;
  /** The resource profile of stage-level scheduling; 0: that of the application. */
  profile: number;
}

/** A resource profile: what a task takes of an executor. */
interface LoggedProfile {
  readonly taskCores: number;
  /** Tasks that its other resources, such as GPUs, let an executor run at once; Infinity: there are none. */
  readonly mostAtOnce: number;
}

export interface LoggedJob {
  readonly id: number;
  /** Null: logs before 1.2 do not say. */
  readonly submittedMs: number | null;
  endedMs: number | null;
  result: "succeeded" | "failed" | "unknown";
  /** Null: the log tells of its end alone. */
  readonly stageIds: readonly number[] | null;
  /** Values of Spark's properties of its thread; empty: none is set. */
  readonly pool: string;
  readonly group: string;
  readonly description: string;
}

export interface LoggedStage {
  readonly id: number;
  readonly attempt: number;
  name: string;
  /** Null: old logs do not say. */
  parents: readonly number[] | null;
  submittedMs: number | null;
  endedMs: number | null;
  /** Null: it has not failed. */
  failure: string | null;
  isBarrier: boolean;
  /** The resource profile of stage-level scheduling; 0: that of the application. */
  profile: number;
  /** It reads what an earlier stage may have left cached. */
  readsCached: boolean;
  /** By its tasks that have ended: bytes of input and of shuffles. */
  inputBytes: number;
  shuffleBytes: number;
}

/**
 * `run` is what the executor says that it took, in ms, or -1; `result` when the driver began to fetch the result, or 0;
 * `id` counts launches of the application, or is -1; `cpu` is the executor's CPU time in ns, and `bytes` what was read
 * of input and shuffles: NaN where the log has none.
 */
const TASK_COLUMNS = {
  stage: Float64Array,
  index: Float64Array,
  executor: Float64Array,
  launch: Float64Array,
  finish: Float64Array,
  run: Float64Array,
  result: Float64Array,
  level: Float64Array,
  outcome: Float64Array,
  isSpeculative: Float64Array,
  id: Float64Array,
  cpu: Float64Array,
  bytes: Float64Array,
};

export type TaskColumn = keyof typeof TASK_COLUMNS;

/** Numbers of `level` in `tasks`: those of Spark's engine. */
export type LoggedLevel = (typeof SPARK_LEVELS)[number];

/** Counts of what the reader met. */
interface LogReading {
  lines: number;
  /** Events that were used, by name. */
  readonly used: Map<string, number>;
  /**
   * Lines that are no JSON, or longer than can be held; events in which something needed is missing or impossible; and
   * the first of them.
   */
  malformed: number;
  unusable: number;
  readonly examples: string[];
  /** Tasks that started, and of which the log has no end. */
  unended: number;
  /** Events that repeat an earlier one, and are ignored. */
  repeated: number;
  /** In words, of each file that ends too early. */
  readonly cuts: string[];
}

interface ReadLogsOptions {
  readonly signal?: AbortSignal;
  /** Most that zstd may ask its reader to remember, a power of two; undefined: 128 MiB. */
  readonly zstdWindowBytes?: number | undefined;
  /** From 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/**
 * Reads event logs.
 * @param paths files, or folders of rolling logs. @returns applications, by the wall time of their start.
 * @throws InputError when one cannot be read or is no event log, and for the same application twice.
 */
export async function readEventLogs(
  paths: readonly string[],
  { signal, zstdWindowBytes, onProgress }: ReadLogsOptions = {},
): Promise<LoggedApplication[]> {
  const logs = paths.map((path) => findEventLog(path, zstdWindowBytes));
  const total = sumOver(logs, ({ bytes }) => bytes);
  let read = 0;
  const applications: LoggedApplication[] = [];
  for (const log of logs) {
    applications.push(
      await readLog(log, (bytes) => {
        signal?.throwIfAborted();
        read += bytes;
        if (bytes > 0) onProgress?.(Math.min(1, read / total));
      }),
    );
  }
  const shownOf = new Map<string, string>();
  for (const { id, attempt, log } of applications) {
    const name = attempt === "" ? id : `${id}, attempt ${attempt}`;
    const before = shownOf.get(name);
    if (before !== undefined)
      throw fileProblem(
        log.shown,
        `is of application ${quote(name)}, as is ${quote(before)}; name each application once`,
      );
    shownOf.set(name, log.shown);
  }
  return applications.sort((a, b) => (a.startedMs ?? 0) - (b.startedMs ?? 0) || (a.id < b.id ? -1 : 1));
}

async function readLog(log: EventLog, onBytes: (bytes: number) => void): Promise<LoggedApplication> {
  const reader = new LogReader(log);
  for (const [index, file] of log.files.entries()) {
    const lines = new EventLines(reader.takerFor(file), SPARK_EVENT);
    const end = await readLogFile(
      file,
      (bytes) => {
        onBytes(0);
        lines.take(bytes);
      },
      onBytes,
    );
    const isLast = index === log.files.length - 1;
    if (end !== "whole" && !isLast) {
      throw fileProblem(file.path, `${end.problem}, and other files of the log follow; only the last may be cut`);
    }
    lines.end();
    reader.reading.lines += lines.linesSoFar;
    if (end !== "whole") reader.reading.cuts.push(`${file.path}: ${end.problem}; what comes before was read`);
    reader.endFile(file, isLast, lines.linesSoFar);
  }
  return reader.application();
}

const MOST_EXAMPLES = 5;

const PREFIX = "SparkListener";

/** An application while its log is read. */
class LogReader {
  readonly reading: LogReading = {
    lines: 0,
    used: new Map(),
    malformed: 0,
    unusable: 0,
    examples: [],
    unended: 0,
    repeated: 0,
    cuts: [],
  };
  private id = "";
  private attempt = "";
  private name = "";
  private sparkVersion: string | null = null;
  private startedMs: number | null = null;
  private endedMs: number | null = null;
  private lastMs = 0;
  private properties: (readonly [string, string])[] = [];
  private readonly profiles = new Map<number, LoggedProfile>();
  private hasSettings = false;
  private readonly executors: LoggedExecutor[] = [];
  /** By id: the one that is there, or was there last. */
  private readonly executorOf = new Map<string, number>();
  private readonly jobs = new Map<number, LoggedJob>();
  private readonly stages: LoggedStage[] = [];
  private readonly stageOf = new Map<string, number>();
  private readonly tasks = new GrowingColumns(TASK_COLUMNS);
  private readonly outcomes = [SUCCESS, OTHER_OUTCOME];
  private readonly outcomeOf = new Map(this.outcomes.map((outcome, number) => [outcome, number]));
  /** Tasks that have started and not ended. */
  private readonly running = new Set<number>();
  /** RDDs that are to be kept, of stages that have ended. */
  private readonly persisted = new Set<number>();
  /** The last line that was no event, in the file that is read. */
  private brokenLine = 0;
  private events = 0;

  private readonly handlers: Readonly<Record<string, (event: Json) => void>> = {
    LogStart: (event) => (this.sparkVersion = text(event, "Spark Version") || null),
    ApplicationStart: (event) => {
      if (this.startedMs !== null) {
        this.reading.repeated++;
        return;
      }
      this.startedMs = this.seen(needed(instant(event, "Timestamp"), "Timestamp"));
      this.id = text(event, "App ID");
      this.attempt = text(event, "App Attempt ID");
      this.name = text(event, "App Name");
    },
    ApplicationEnd: (event) => (this.endedMs = this.seen(needed(instant(event, "Timestamp"), "Timestamp"))),
    EnvironmentUpdate: (event) => {
      const properties = Object.entries(child(event, "Spark Properties"));
      this.properties = properties.flatMap(([key, value]) => (typeof value === "string" ? [[key, value.trim()]] : []));
      this.hasSettings ||= event["Spark Properties"] !== undefined;
    },
    ResourceProfileAdded: (event) => {
      const profile = needed(whole(event, "Resource Profile Id"), "Resource Profile Id");
      const [ofExecutor, ofTask] = ["Executor", "Task"].map((owner) => child(event, `${owner} Resource Requests`));
      const cores = whole(child(ofTask, "cpus"), "Amount");
      const names = Object.keys(ofTask).filter((name) => name !== "cpus");
      const mostAtOnce = names.map((name) => {
        const [amount, perTask] = [ofExecutor, ofTask].map((requests) => child(requests, name).Amount);
        return typeof amount === "number" && typeof perTask === "number" ? tasksAtOnce(amount, perTask) : Infinity;
      });
      const taskCores = cores === null || cores === 0 || cores > MOST ? 1 : cores;
      this.profiles.set(profile, { taskCores, mostAtOnce: Math.min(Infinity, ...mostAtOnce) });
    },
    ExecutorAdded: (event) => {
      const info = child(event, "Executor Info");
      const fromMs = this.seen(needed(instant(event, "Timestamp"), "Timestamp"));
      const cores = whole(info, "Total Cores");
      const executor = this.executorNamed(text(event, "Executor ID"), text(info, "Host"), fromMs);
      if (executor.fromMs !== null && executor.cores !== null) this.reading.repeated++;
      executor.fromMs = Math.min(executor.fromMs ?? fromMs, fromMs);
      executor.profile ||= whole(info, "Resource Profile Id") ?? 0;
      executor.cores ??= cores === null || cores === 0 || cores > MOST ? null : cores;
    },
    ExecutorRemoved: (event) => {
      const executor = this.executors.at(this.executorOf.get(text(event, "Executor ID")) ?? this.executors.length);
      if (executor === undefined) throw new Unusable("Executor ID is of no executor that was added");
      executor.untilMs = this.seen(needed(instant(event, "Timestamp"), "Timestamp"));
    },
    // Before 1.3 the only event of an executor.
    BlockManagerAdded: (event) => {
      const manager = child(event, "Block Manager ID");
      const id = text(manager, "Executor ID");
      if (id === "driver" || id === "<driver>") return;
      const fromMs = instant(event, "Timestamp");
      const executor = this.executorNamed(id, text(manager, "Host"), fromMs);
      if (fromMs !== null) executor.fromMs ??= this.seen(fromMs);
    },
    JobStart: (event) => {
      const id = needed(whole(event, "Job ID"), "Job ID");
      if (this.jobs.has(id)) {
        this.reading.repeated++;
        return;
      }
      const submittedMs = instant(event, "Submission Time");
      if (submittedMs !== null) this.seen(submittedMs);
      const infos = objects(event, "Stage Infos");
      const listed = wholes(event, "Stage IDs");
      const stageIds = listed.length > 0 ? listed : infos.flatMap((info) => whole(info, "Stage ID") ?? []);
      const properties = child(event, "Properties");
      const description = text(properties, "spark.job.description") || text(properties, "callSite.short");
      this.jobs.set(id, {
        id,
        submittedMs,
        endedMs: null,
        result: "unknown",
        stageIds,
        pool: text(properties, "spark.scheduler.pool"),
        group: text(properties, "spark.jobGroup.id"),
        description: description || text(infos.at(-1) ?? NOTHING, "Stage Name"),
      });
    },
    JobEnd: (event) => {
      const id = needed(whole(event, "Job ID"), "Job ID");
      const job = this.jobs.get(id) ?? this.jobWithoutStart(id);
      if (job.result !== "unknown") {
        this.reading.repeated++;
        return;
      }
      const endedMs = instant(event, "Completion Time");
      job.endedMs = endedMs === null ? null : this.seen(endedMs);
      job.result = text(child(event, "Job Result"), "Result") === "JobSucceeded" ? "succeeded" : "failed";
    },
    StageSubmitted: (event) => {
      const info = child(event, "Stage Info");
      const stage = this.stageIn(info);
      const rdds = objects(info, "RDD Info");
      stage.isBarrier ||= rdds.some((rdd) => rdd.Barrier === true);
      stage.readsCached ||= rdds.some((rdd) => isKept(rdd) && this.persisted.has(whole(rdd, "RDD ID") ?? -1));
    },
    StageCompleted: (event) => {
      const info = child(event, "Stage Info");
      const stage = this.stageIn(info);
      const endedMs = instant(info, "Completion Time");
      if (endedMs !== null) stage.endedMs ??= this.seen(endedMs);
      const failure = text(info, "Failure Reason");
      if (failure !== "") stage.failure = failure;
      else {
        for (const rdd of objects(info, "RDD Info")) {
          const id = whole(rdd, "RDD ID");
          if (id !== null && isKept(rdd)) this.persisted.add(id);
        }
      }
    },
    TaskStart: (event) => {
      const task = whole(child(event, "Task Info"), "Task ID");
      if (task !== null) this.running.add(task);
    },
    TaskEnd: (event) => {
      const info = child(event, "Task Info");
      const outcome = text(child(event, "Task End Reason"), "Reason") || OTHER_OUTCOME;
      const id = whole(info, "Task ID");
      if (id !== null) this.running.delete(id);
      const index = needed(whole(info, "Index"), "Index");
      if (index > MOST) throw new Unusable("Index is missing or impossible");
      const launch = needed(instant(info, "Launch Time"), "Launch Time");
      const finish = needed(instant(info, "Finish Time"), "Finish Time");
      if (finish < launch) throw new Unusable("Finish Time is before Launch Time");
      const level = (SPARK_LEVELS as readonly string[]).indexOf(text(info, "Locality"));
      if (level < 0) throw new Unusable(`Locality ${quote(text(info, "Locality"))} is none`);
      const stage = this.stageNumber(whole(event, "Stage ID"), whole(event, "Stage Attempt ID") ?? 0);
      const executor = this.executorOfTask(text(info, "Executor ID"), text(info, "Host"), launch);
      const result = instant(info, "Getting Result Time") ?? 0;
      this.seen(finish);
      const metrics = child(event, "Task Metrics");
      const [inputBytes, shuffleBytes] = [inputBytesOf(metrics), shuffleBytesOf(metrics)];
      this.stages[stage].inputBytes += inputBytes ?? 0;
      this.stages[stage].shuffleBytes += shuffleBytes ?? 0;
      const bytes = inputBytes === null && shuffleBytes === null ? NaN : (inputBytes ?? 0) + (shuffleBytes ?? 0);
      this.tasks.append(
        ...[stage, index, executor, launch, finish, runMs(metrics, finish - launch), result, level],
        ...[this.outcomeNumber(outcome), info.Speculative === true ? 1 : 0, id ?? -1, cpuNs(metrics), bytes],
      );
    },
    UnpersistRDD: (event) => {
      const rdd = whole(event, "RDD ID");
      if (rdd !== null) this.persisted.delete(rdd);
    },
  };

  constructor(private readonly log: EventLog) {}

  takerFor(file: LogFile): ConstructorParameters<typeof EventLines>[0] {
    this.brokenLine = 0;
    return {
      wants: (name) => name === null || this.handlerOf(name) !== undefined,
      take: (line, number) => {
        this.take(line, number, file);
      },
      tooLong: (number) => {
        this.reading.malformed++;
        this.example(file, number, "is longer than can be held");
      },
    };
  }

  /** A broken line at the very end was being written. */
  endFile(file: LogFile, isLast: boolean, lines: number): void {
    const { reading } = this;
    if (this.brokenLine === 0 || this.brokenLine !== lines || !isLast) return;
    reading.malformed--;
    if (reading.malformed < MOST_EXAMPLES) reading.examples.pop();
    if (reading.cuts.length === 0) reading.cuts.push(`${file.path}: its last line is cut; what comes before was read`);
  }

  private handlerOf(name: string): ((event: Json) => void) | undefined {
    // Databricks begins its logs with an event of its own in place of SparkListenerLogStart.
    if (name.endsWith("DBCEventLoggingListenerMetadata")) return this.handlers.LogStart;
    const short = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : "";
    return Object.hasOwn(this.handlers, short) ? this.handlers[short] : undefined;
  }

  private take(line: string, number: number, file: LogFile): void {
    const event = parsed(line);
    if (event === null) {
      if (this.events === 0) {
        const message = `expected an event log of Spark, with a JSON object that has the key "Event" in each line, found ${quote(line.trim())}`;
        throw new InputError([{ file: file.path, line: number, column: 1, message }]);
      }
      this.reading.malformed++;
      this.brokenLine = number;
      this.example(file, number, "is no JSON object of an event");
      return;
    }
    this.events++;
    const name = text(event, "Event");
    const handle = this.handlerOf(name);
    if (handle === undefined) return;
    const { used } = this.reading;
    try {
      handle(event);
      tally(used, name);
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      this.reading.unusable++;
      this.example(file, number, `${name}: ${error.message}`);
    }
  }

  private example(file: LogFile, line: number, message: string): void {
    if (this.reading.examples.length < MOST_EXAMPLES) this.reading.examples.push(`${file.path}:${line}: ${message}`);
  }

  private seen(ms: number): number {
    if (ms > this.lastMs) this.lastMs = ms;
    return ms;
  }

  /**
   * Returns the executor that has this id at an instant (null: unknown), or adds it. An executor that comes back after
   * its removal is another executor.
   */
  private executorNamed(id: string, host: string, atMs: number | null): LoggedExecutor {
    if (id === "" || host === "") throw new Unusable("the executor's id or host is missing");
    const known = this.executorOf.get(id);
    if (known !== undefined) {
      const executor = this.executors[known];
      if (executor.untilMs === null || atMs === null || atMs <= executor.untilMs) return executor;
    }
    const made: LoggedExecutor = { id, host, cores: null, fromMs: null, untilMs: null, profile: 0 };
    this.executorOf.set(id, this.executors.push(made) - 1);
    return made;
  }

  /** The start of a job may have been lost, its end not. */
  private jobWithoutStart(id: number): LoggedJob {
    const job: LoggedJob = {
      id,
      submittedMs: null,
      endedMs: null,
      result: "unknown",
      stageIds: null,
      pool: "",
      group: "",
      description: "",
    };
    this.jobs.set(id, job);
    return job;
  }

  /** The number of a stage attempt, made on first mention. */
  private stageNumber(id: number | null, attempt: number): number {
    const stage = needed(id, "Stage ID");
    const key = `${stage}.${attempt}`;
    const known = this.stageOf.get(key);
    if (known !== undefined) return known;
    const number =
      this.stages.push({
        id: stage,
        attempt,
        name: "",
        parents: null,
        submittedMs: null,
        endedMs: null,
        failure: null,
        isBarrier: false,
        profile: 0,
        readsCached: false,
        inputBytes: 0,
        shuffleBytes: 0,
      }) - 1;
    this.stageOf.set(key, number);
    return number;
  }

  private stageIn(info: Json): LoggedStage {
    const stage = this.stages[this.stageNumber(whole(info, "Stage ID"), whole(info, "Stage Attempt ID") ?? 0)];
    stage.name ||= text(info, "Stage Name");
    const submittedMs = instant(info, "Submission Time");
    if (submittedMs !== null) stage.submittedMs ??= this.seen(submittedMs);
    if (Array.isArray(info["Parent IDs"])) stage.parents ??= [...new Set(wholes(info, "Parent IDs"))];
    stage.profile ||= whole(info, "Resource Profile Id") ?? 0;
    return stage;
  }

  private executorOfTask(id: string, host: string, launchMs: number): number {
    const known = this.executorOf.get(id);
    if (known !== undefined && (this.executors[known].fromMs ?? 0) <= launchMs) return known;
    // It came back under its id; this task ran before.
    const before = this.executors.findIndex(
      ({ id: executorId, fromMs }) => executorId === id && (fromMs ?? 0) <= launchMs,
    );
    if (before >= 0) return before;
    if (known !== undefined) return known;
    this.executorNamed(id, host, null);
    return this.executors.length - 1;
  }

  private outcomeNumber(outcome: string): number {
    const known = this.outcomeOf.get(outcome);
    if (known !== undefined) return known;
    // There are ten; a log that names hundreds is not Spark's.
    if (this.outcomes.length >= MOST_OUTCOMES) return this.outcomes.indexOf(OTHER_OUTCOME);
    const number = this.outcomes.push(outcome) - 1;
    this.outcomeOf.set(outcome, number);
    return number;
  }

  application(): LoggedApplication {
    const { log, reading } = this;
    if (this.events === 0) {
      const cut = reading.cuts.length === 0 ? "" : ` (${reading.cuts.join("; ")})`;
      throw fileProblem(log.shown, `has no line of an event${cut}, so it is no event log of Spark`);
    }
    if (reading.used.size === 0) {
      const problem = `has ${counted(this.events, "event")}, and none of them is of an application, a job or a task`;
      throw fileProblem(log.shown, `${problem}; this is no event log of Spark`);
    }
    reading.unended = this.running.size;
    const { id, attempt, name, sparkVersion, startedMs, endedMs, lastMs, properties, profiles, executors } = this;
    const jobs = [...this.jobs.values()].sort((a, b) => a.id - b.id);
    return {
      log,
      id,
      attempt,
      name,
      sparkVersion,
      startedMs,
      endedMs,
      lastMs,
      properties,
      profiles,
      executors,
      jobs,
      hasSettings: this.hasSettings,
      stages: this.stages,
      tasks: this.tasks,
      outcomes: this.outcomes,
      reading,
    };
  }
}

const MOST_OUTCOMES = 100;

export const SUCCESS = "Success";

const OTHER_OUTCOME = "UnknownReason";

function parsed(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && typeof (value as Json).Event === "string"
      ? (value as Json)
      : null;
  } catch {
    return null;
  }
}

/**
 * Tasks that a resource lets an executor run at once. A task may take a part of one address, and then no address serves
 * more tasks than it has such parts (`ResourceUtils.calculateAmountAndPartsForFraction`). @returns Infinity where the
 * amounts say nothing.
 */
export function tasksAtOnce(ofExecutor: number, ofTask: number): number {
  if (!(ofExecutor >= 1) || !(ofTask > 0)) return Infinity;
  return ofTask < 1 ? Math.floor(ofExecutor) * Math.floor(1 / ofTask + 1e-9) : Math.floor(ofExecutor / ofTask);
}

/** An RDD whose partitions are cached once they are computed. */
function isKept(rdd: Json): boolean {
  const level = child(rdd, "Storage Level");
  return level["Use Memory"] === true || level["Use Disk"] === true;
}

/** From its arrival on the executor to its end there: unpacking it, running it, packing its result. -1: not known. */
function runMs(metrics: Json, longest: number): number {
  const run = whole(metrics, "Executor Run Time");
  if (run === null) return -1;
  const packingMs =
    (whole(metrics, "Executor Deserialize Time") ?? 0) + (whole(metrics, "Result Serialization Time") ?? 0);
  return Math.min(run + packingMs, longest);
}

function cpuNs(metrics: Json): number {
  const run = whole(metrics, "Executor CPU Time");
  return run === null ? NaN : run + (whole(metrics, "Executor Deserialize CPU Time") ?? 0);
}

/** Null: the log does not say. */
function inputBytesOf(metrics: Json): number | null {
  return whole(child(metrics, "Input Metrics"), "Bytes Read");
}

/** Null: the log does not say. */
function shuffleBytesOf(metrics: Json): number | null {
  const read = child(metrics, "Shuffle Read Metrics");
  const [remote, local] = [whole(read, "Remote Bytes Read"), whole(read, "Local Bytes Read")];
  return remote === null && local === null ? null : (remote ?? 0) + (local ?? 0);
}
