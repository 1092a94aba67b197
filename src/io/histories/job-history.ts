import { YARN_LEVELS } from "../../core/platforms/yarn/index.js";
import { child, instant, type Json, needed, objects, text, Unusable, whole } from "../logged-json.js";
import { quote } from "../scenario/show.js";
import { EventLines } from "../spark/log-lines.js";
import { firstOf, type LoggedAttempt, PREEMPTED, taskOfAttempts } from "./attempts.js";
import {
  type HadoopJob,
  type HadoopReading,
  type HadoopSize,
  type HadoopTask,
  type LoggedLevel,
  plainName,
  UNKNOWN_SIZE,
} from "./records.js";
import { fileProblem } from "../input-error.js";

// Job histories of MapReduce (.jhist): a line that says Avro-Json, the schema, then an event a line. A file holds one
// job.

const EVENT = /^\s*\{\s*"type"\s*:\s*"([A-Z_]{1,60})"/;

/** The prefix of the longest names. */
const PREFIX = "org.apache.hadoop.mapreduce.jobhistory.";

type Attempt = { -readonly [Key in keyof LoggedAttempt]: LoggedAttempt[Key] };

interface Task {
  readonly isMap: boolean;
  /** The time at which its master scheduled it. */
  scheduledMs: number | null;
  places: readonly string[];
  successful: string;
  hasFailed: boolean;
  readonly attempts: Attempt[];
}

/** One job while its file is read. */
export class JobHistory {
  private id = "";
  private name = "";
  private user = "";
  private queue = "";
  private submittedMs: number | null = null;
  private endedMs: number | null = null;
  private result: HadoopJob["result"] = "unknown";
  private mapSize: HadoopSize = UNKNOWN_SIZE;
  private reduceSize: HadoopSize = UNKNOWN_SIZE;
  private readonly masters: { host: string; fromMs: number }[] = [];
  private readonly tasks = new Map<string, Task>();
  private readonly attempts = new Map<string, Attempt>();
  private isUber = false;
  private events = 0;
  private used = 0;
  private brokenLine = 0;
  private readonly lines: EventLines;

  private readonly handlers: Readonly<Record<string, (event: Json) => void>> = {
    AM_STARTED: (event) => {
      this.masters.push({ host: plainName(text(event, "nodeManagerHost")), fromMs: time(event, "startTime") });
    },
    JOB_SUBMITTED: (event) => {
      this.ofJob(text(event, "jobid"));
      if (this.submittedMs !== null) this.reading.count("leftOut", "repeated event", "");
      this.submittedMs ??= time(event, "submitTime");
      this.name ||= text(event, "jobName");
      this.user ||= text(event, "userName");
      this.queue ||= text(event, "jobQueueName");
    },
    JOB_QUEUE_CHANGED: (event) => {
      this.ofJob(text(event, "jobid"));
      this.queue = text(event, "jobQueueName") || this.queue;
    },
    JOB_PRIORITY_CHANGED: () => {
      this.reading.count("leftOut", "change", "of a job's priority");
    },
    JOB_INITED: (event) => {
      this.ofJob(text(event, "jobid"));
      this.isUber ||= event.uberized === true;
    },
    JOB_FINISHED: (event) => {
      this.endJob(event, "succeeded");
    },
    JOB_FAILED: (event) => {
      this.endJob(event, "failed");
    },
    JOB_KILLED: (event) => {
      this.endJob(event, "failed");
    },
    JOB_ERROR: (event) => {
      this.endJob(event, "failed");
    },
    NORMALIZED_RESOURCE: (event) => {
      const memory = whole(event, "memory");
      if (memory === null || memory === 0) return;
      if (text(event, "taskType") === "MAP") this.mapSize = { memory, vcores: null };
      else if (text(event, "taskType") === "REDUCE") this.reduceSize = { memory, vcores: null };
    },
    TASK_STARTED: (event) => {
      const task = this.taskOf(event);
      task.scheduledMs ??= instant(event, "startTime");
      const named = textOf(event, "splitLocations").split(",").map(plainName);
      if (task.isMap) task.places = [...new Set(named.filter((host) => host !== ""))];
    },
    TASK_FINISHED: (event) => {
      this.taskOf(event).successful ||= textOf(event, "successfulAttemptId");
    },
    TASK_FAILED: (event) => {
      this.taskOf(event).hasFailed = text(event, "status") === "FAILED";
    },
    ATTEMPT_STARTED: (event) => {
      const attempt = this.attemptOf(event);
      if (attempt.startMs !== null) this.reading.count("leftOut", "repeated event", "");
      attempt.startMs ??= time(event, "startTime");
      attempt.host ||= plainName(text(event, "trackerName"));
      attempt.level ??= levelOf(textOf(event, "locality"));
    },
    ATTEMPT_FINISHED: (event) => {
      this.endAttempt(event, "succeeded");
    },
    ATTEMPT_FAILED: (event) => {
      this.endAttempt(event, "failed");
    },
    ATTEMPT_KILLED: (event) => {
      this.endAttempt(event, "killed");
    },
  };

  /** @param shown the file, as messages name it. */
  constructor(
    private readonly shown: string,
    private readonly reading: HadoopReading,
  ) {
    const taker = {
      wants: (name: string | null) => name === null || this.handlerOf(name) !== undefined || this.passes(name),
      take: (line: string, number: number) => {
        this.takeLine(line, number);
      },
      tooLong: (number: number) => {
        this.malformed(number, "longer than can be held");
      },
    };
    this.lines = new EventLines(taker, EVENT);
  }

  take(bytes: Buffer): void {
    this.lines.take(bytes);
  }

  /** Ends the file. Returns its job; null: it has none. @throws InputError if the file is not a job history. */
  end(): HadoopJob | null {
    const { lines, reading } = this;
    lines.end();
    reading.read.lines += lines.linesSoFar;
    if (this.brokenLine > 0 && this.brokenLine === lines.linesSoFar) {
      reading.count("leftOut", "line", "without an event", -1);
      reading.leftOut.push(`${this.shown}: its last line is cut; what comes before was read`);
    }
    if (this.used === 0) {
      throw fileProblem(
        this.shown,
        "has no event of a job or task, expected a job history, with an event in each line",
      );
    }
    if (this.id === "") return null;
    if (this.isUber)
      reading.count("folded", "job", "that ran in the container of their master: here each task has its own");
    const { id, name, user, queue, submittedMs, endedMs, result, mapSize, reduceSize, masters } = this;
    const [maps, reduces] = this.ranTasks();
    const tasks = [...this.tasks.values()];
    return {
      id,
      name,
      user,
      queue,
      submittedMs,
      endedMs,
      result,
      maps,
      reduces,
      mapSize,
      reduceSize,
      masterSize: UNKNOWN_SIZE,
      masters,
      scheduledMs: firstOf(tasks.map(({ scheduledMs }) => scheduledMs)),
      firstLaunchMs: firstOf(tasks.flatMap(({ attempts }) => attempts.map(({ startMs }) => startMs))),
    };
  }

  private passes(name: string): boolean {
    // Events of older releases, and events that the import does not use.
    if (/^(?:SETUP|CLEANUP)_ATTEMPT_STARTED$/.test(name))
      this.reading.count("leftOut", "attempt", "that set a job up or cleaned up");
    this.events++;
    return false;
  }

  private handlerOf(type: string): ((event: Json) => void) | undefined {
    const eventType = type.replace(/^(?:MAP|REDUCE)_(?=ATTEMPT_)/, "");
    return Object.hasOwn(this.handlers, eventType) ? this.handlers[eventType] : undefined;
  }

  private takeLine(line: string, number: number): void {
    if (number <= 2 && /^\s*(?:Avro-Json|\{\s*"type"\s*:\s*"record")/.test(line)) return;
    if (number === 1 && /^Avro-Binary/.test(line)) {
      throw fileProblem(
        this.shown,
        "expected Avro-Json, found Avro-Binary; mapreduce.jobhistory.jhist.format=json writes Avro-Json",
      );
    }
    const event = parsed(line);
    if (typeof event !== "object" || event === null || typeof (event as Json).type !== "string") {
      this.brokenLine = number;
      this.malformed(number, "not an event");
      return;
    }
    this.events++;
    const type = text(event as Json, "type");
    const handle = this.handlerOf(type);
    if (handle === undefined) return;
    const [[key, body] = ["", null]] = Object.entries(child(event as Json, "event"));
    try {
      if (!key.startsWith(PREFIX) || typeof body !== "object" || body === null)
        throw new Unusable("the event is empty");
      handle(body as Json);
      this.used++;
    } catch (error) {
      if (!(error instanceof Unusable)) throw error;
      this.reading.count("leftOut", "event", "in which something is missing or impossible");
      this.reading.example(this.shown, number, `${type}: ${error.message}`);
    }
  }

  private malformed(number: number, message: string): void {
    this.reading.count("leftOut", "line", "without an event");
    this.reading.example(this.shown, number, message);
  }

  private ofJob(id: string): void {
    if (!/^job_\d{1,20}_\d{1,10}$/.test(id)) throw new Unusable(`the job ${quote(id)} is none`);
    this.id ||= id;
    if (this.id !== id) throw new Unusable(`is of ${id}, and the file is of ${this.id}`);
  }

  private endJob(event: Json, result: HadoopJob["result"]): void {
    this.ofJob(text(event, "jobid"));
    if (this.result !== "unknown") this.reading.count("leftOut", "repeated event", "");
    this.endedMs ??= time(event, "finishTime");
    if (this.result === "unknown") this.result = result;
  }

  private taskOf(event: Json): Task {
    const id = text(event, "taskid");
    const [, cluster, job, type] = /^task_(\d{1,20})_(\d{1,10})_([mr])_\d{1,10}$/.exec(id) ?? [];
    if (type === undefined) throw new Unusable(`the task ${quote(id)} is none`);
    this.ofJob(`job_${cluster}_${job}`);
    const known = this.tasks.get(id);
    if (known !== undefined) return known;
    const made: Task = {
      isMap: type === "m",
      scheduledMs: null,
      places: [],
      successful: "",
      hasFailed: false,
      attempts: [],
    };
    this.tasks.set(id, made);
    return made;
  }

  private attemptOf(event: Json): Attempt {
    const id = text(event, "attemptId");
    const task = text(event, "taskid");
    if (!new RegExp(`^attempt_${task.replace(/^task_/, "")}_\\d{1,10}$`).test(id)) {
      throw new Unusable(`the attempt ${quote(id)} is none of ${quote(task)}`);
    }
    const { attempts } = this.taskOf(event);
    const known = this.attempts.get(id);
    if (known !== undefined) return known;
    const made: Attempt = {
      id,
      startMs: null,
      finishMs: null,
      shuffledMs: null,
      outcome: null,
      host: "",
      level: null,
      isPreempted: false,
      bytes: null,
      cpuMs: null,
    };
    this.attempts.set(id, made);
    attempts.push(made);
    return made;
  }

  private endAttempt(event: Json, outcome: NonNullable<Attempt["outcome"]>): void {
    const attempt = this.attemptOf(event);
    if (attempt.outcome !== null) {
      this.reading.count("leftOut", "repeated event", "");
      return;
    }
    attempt.finishMs = time(event, "finishTime");
    attempt.shuffledMs = instant(event, "shuffleFinishTime");
    attempt.outcome = outcome;
    for (const { name, value } of countersOf(event)) {
      if (name === "HDFS_BYTES_READ" && typeof value === "number") attempt.bytes = value;
      if (name === "CPU_MILLISECONDS" && typeof value === "number") attempt.cpuMs = value;
    }
    attempt.isPreempted = PREEMPTED.test(textOf(event, "error"));
    attempt.host ||= plainName(textOf(event, "hostname"));
    this.reading.rackOf(attempt.host, plainName(textOf(event, "rackname")));
  }

  /** Maps and reduces that ran, by number of task. */
  private ranTasks(): [HadoopTask[], HadoopTask[]] {
    const { reading } = this;
    const [maps, reduces]: [HadoopTask[], HadoopTask[]] = [[], []];
    const inOrder = [...this.tasks].sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
    for (const [, { isMap, places, successful, hasFailed, attempts }] of inOrder) {
      reading.read.tasks++;
      reading.read.attempts += attempts.length;
      const ranTask = taskOfAttempts(attempts, successful, this.result === "failed", hasFailed, isMap, places, reading);
      if (ranTask === null) reading.count("leftOut", "task", "of which no attempt ended");
      else (isMap ? maps : reduces).push(ranTask);
    }
    return [maps, reduces];
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function time(event: Json, key: string): number {
  return needed(instant(event, key), key);
}

/** Fields that may be missing are a text, null, or a union: `{"string":"n1"}`. */
function textOf(event: Json, key: string): string {
  const plain = event[key];
  const value = typeof plain === "object" && plain !== null ? (plain as Json).string : plain;
  return typeof value === "string" ? value : "";
}

/** Counters of all groups. */
function countersOf(event: Json): Json[] {
  return objects(child(event, "counters"), "groups").flatMap((group) => objects(group, "counts"));
}

function levelOf(recordedLevel: string): LoggedLevel | null {
  return YARN_LEVELS.find((level) => level === recordedLevel) ?? null;
}
