import { MAX_TIME_US } from "../../core/kernel/index.js";
import {
  type PreferredPlace,
  SPARK_LEVELS,
  type SparkJob,
  type SparkLevel,
  type SparkStage,
  type SparkTask,
  STAGE_INPUTS,
} from "../../core/platforms/spark/index.js";
import { LIMITS } from "../scenario/limits.js";
import { quote } from "../scenario/show.js";
import { fileProblem, wholeNumber } from "../workloads/lines.js";
import { type FailureReasons, recordedFailures } from "../workloads/recorded-failures.js";
import type { SparkHosts } from "./hosts.js";
import { csvRow, readTable, type TableForm, type TableRow } from "./table.js";

// stages.csv: what an application runs, a row for each task (docs/formats/spark-event-logs.md).

const COLUMNS = [
  ...(["job", "name", "pool", "submit_us", "after", "delay_us", "end_us"] as const),
  ...([
    "stage",
    "parents",
    "barrier",
    "reads",
    "before_us",
    "driver_us",
    "driver_most_us",
    "profile",
    "task_cores",
    "dry",
  ] as const),
  ...([
    "task",
    "run_us",
    "places",
    "host",
    "level",
    "wave",
    "launch",
    "scheduler_delay_us",
    "result_us",
    "failures",
  ] as const),
] as const;

type Column = (typeof COLUMNS)[number];

const FORM: TableForm<Column> = {
  title: "a table of stages",
  columns: COLUMNS,
  required: ["job", "stage", "run_us"],
};

/** Spark's classes: which there are differs between releases. */
const REASONS: FailureReasons = {
  isOne: (reason) => /^[A-Za-z]\w{0,63}$/.test(reason),
  form: "Spark's reason, such as 5000000:ExceptionFailure",
};

/** Spark counts them from 0. */
const MOST_PROFILES = 1_000_000;

/** Columns of a job, and of a stage, that its first row gives: in its other rows they may be empty. */
const OF_JOB = ["name", "pool", "submit_us", "after", "delay_us", "end_us"] as const;

const OF_STAGE = [
  "parents",
  "barrier",
  "reads",
  "before_us",
  "driver_us",
  "driver_most_us",
  "profile",
  "task_cores",
  "dry",
] as const;

/** Hosts and executors on which tasks may prefer to run. */
export interface StagesCluster {
  readonly hosts: SparkHosts;
  /** By executor: Spark's id. */
  readonly executorIds: readonly string[];
  /** By executor: the number of its host. */
  readonly executorHosts: readonly number[];
  /**
   * Ids of executors that a what-if leaves out. What they had cached the others have cached, in turn; without others
   * the host of a place remains.
   */
  readonly leftOut?: readonly string[] | "all";
}

/**
 * Reads a table of stages.
 * @param path what to open. @param shown how messages name it.
 * @returns jobs in the order of the table.
 * @throws InputError with file, line, what was found and what is allowed.
 */
export async function readStagesCsv(
  path: string,
  shown: string,
  cluster: StagesCluster,
  onPause?: () => void,
): Promise<SparkJob[]> {
  const reader = new StagesReader(shown, cluster);
  await readTable(
    path,
    shown,
    FORM,
    (row) => {
      reader.take(row);
    },
    onPause,
  );
  return reader.jobs;
}

/** A job or a stage, and the row that began it. */
interface Begun {
  readonly number: number;
  readonly line: number;
  /** The texts of its first row, by column. */
  readonly said: ReadonlyMap<Column, string>;
}

class StagesReader {
  readonly jobs: SparkJob[] = [];
  private readonly jobNumbers = new Map<string, Begun>();
  private stageNumbers = new Map<string, Begun>();
  private job = "";
  private stage = "";
  /** Stages of the job, and tasks of the stage, that are being read. */
  private stages: SparkStage[] = [];
  private tasks: SparkTask[] = [];
  private tasksSoFar = 0;
  private readonly leftOut: Pick<ReadonlySet<string>, "has">;
  private readonly executors: ReadonlyMap<string, number>;
  /** Places on executors that are left out, so far. */
  private moved = 0;
  /** Tasks of a stage often share their places. */
  private readonly places = new Map<string, readonly PreferredPlace[]>([["", []]]);

  constructor(
    private readonly shown: string,
    private readonly cluster: StagesCluster,
  ) {
    this.executors = new Map(cluster.executorIds.map((id, executor) => [id, executor]));
    this.leftOut = cluster.leftOut === "all" ? { has: () => true } : new Set(cluster.leftOut);
  }

  take(row: TableRow<Column>): void {
    const job = row.text("job");
    const isNewJob = this.jobs.length === 0 || (job !== "" && job !== this.job);
    const stage = row.text("stage");
    if (isNewJob) this.beginJob(row, job);
    else this.check(row, OF_JOB, this.jobNumbers.get(this.job));
    if (isNewJob || (stage !== "" && stage !== this.stage)) this.beginStage(row, stage);
    else this.check(row, OF_STAGE, this.stageNumbers.get(this.stage));
    this.addTask(row);
  }

  private beginJob(row: TableRow<Column>, job: string): void {
    const known = this.jobNumbers.get(job);
    if (job === "") row.report("job", "job is missing; allowed: a name, in the first row of each job");
    else if (known !== undefined) {
      const where = `began in line ${String(known.line)}, and others since`;
      row.report("job", `job ${quote(job)} ${where}; allowed: the rows of a job one after the other`);
    }
    if (this.jobs.length === LIMITS.jobs) {
      throw fileProblem(this.shown, `has more than ${String(LIMITS.jobs)} jobs; that is the most one run can hold`);
    }
    const { submitAtUs, after } = this.submissionOf(row);
    this.job = job;
    this.stages = [];
    this.stageNumbers = new Map();
    const pool = row.text("pool");
    const endUs = row.text("end_us") === "" ? undefined : row.value("end_us", timeUs);
    const number =
      this.jobs.push({
        name: row.text("name") || job,
        id: job,
        ...(pool === "" ? {} : { pool }),
        submitAtUs,
        ...(after === undefined ? {} : { after }),
        ...(endUs === undefined ? {} : { endUs }),
        stages: this.stages,
      }) - 1;
    if (known === undefined) this.jobNumbers.set(job, { number, line: row.line, said: saidIn(row, OF_JOB) });
  }

  /** A job comes at a time, or after another has ended. */
  private submissionOf(row: TableRow<Column>): Pick<SparkJob, "submitAtUs" | "after"> {
    const before = row.text("after");
    const submitText = row.text("submit_us");
    if (before === "") {
      if (row.text("delay_us") !== "") {
        row.report("delay_us", `delay_us is ${quote(row.text("delay_us"))} without after; allowed: nothing`);
      }
      if (submitText === "")
        row.report(
          "submit_us",
          "submit_us is missing; allowed: when the job comes, or in after the job that it follows",
        );
      return { submitAtUs: submitText === "" ? 0 : (row.value("submit_us", timeUs) ?? 0) };
    }
    if (submitText !== "")
      row.report("submit_us", `submit_us is ${quote(submitText)} beside after; allowed: one of the two`);
    const job = this.jobNumbers.get(before)?.number;
    if (job === undefined) {
      row.report("after", `after is ${quote(before)}; allowed: the name of a job above`);
    }
    const delayUs = row.text("delay_us") === "" ? 0 : row.value("delay_us", timeUs);
    return { submitAtUs: 0, after: { job: job ?? 0, delayUs: delayUs ?? 0 } };
  }

  private beginStage(row: TableRow<Column>, stage: string): void {
    const known = this.stageNumbers.get(stage);
    if (stage === "") row.report("stage", "stage is missing; allowed: a name, in the first row of each stage");
    else if (known !== undefined) {
      const where = `began in line ${String(known.line)}, and others since`;
      row.report("stage", `stage ${quote(stage)} ${where}; allowed: the rows of a stage one after the other`);
    }
    const parents = this.parentsOf(row);
    const barrier = row.text("barrier");
    if (barrier !== "" && barrier !== "true") {
      row.report("barrier", `barrier is ${quote(barrier)}; allowed: true, or nothing`);
    }
    this.stage = stage;
    this.tasks = [];
    const recorded = this.recordedOf(row);
    const isBarrier = barrier === "true";
    const number = this.stages.push({ name: stage, parents, isBarrier, tasks: this.tasks, ...recorded }) - 1;
    if (known === undefined) this.stageNumbers.set(stage, { number, line: row.line, said: saidIn(row, OF_STAGE) });
  }

  /** Returns what a log recorded of a stage; keys whose columns are empty are not there. */
  private recordedOf(row: TableRow<Column>): Partial<SparkStage> {
    const number = (column: Column, least: number, greatest: number): number | undefined =>
      row.text(column) === "" ? undefined : row.value(column, (text, name) => wholeNumber(text, name, least, greatest));
    const reads = row.text("reads");
    const input = STAGE_INPUTS.find((known) => known === reads);
    if (reads !== "" && input === undefined) {
      row.report("reads", `reads is ${quote(reads)}; allowed: ${STAGE_INPUTS.join(", ")}, or nothing`);
    }
    const beforeUs = number("before_us", 0, LIMITS.waitUs);
    const driverUs = number("driver_us", 0, LIMITS.waitUs);
    const driverMostUs = number("driver_most_us", 0, LIMITS.waitUs);
    if (driverMostUs !== undefined && !(driverMostUs >= (driverUs ?? Infinity))) {
      const least = driverUs === undefined ? "nothing without driver_us" : `at least driver_us, ${String(driverUs)}`;
      row.report("driver_most_us", `driver_most_us is ${String(driverMostUs)}; allowed: ${least}`);
    }
    const profile = number("profile", 0, MOST_PROFILES);
    const taskCores = number("task_cores", 1, LIMITS.cores);
    const ownProfile = profile === 0 ? undefined : profile;
    return defined({
      reads: input,
      beforeUs,
      driverUs,
      driverMostUs,
      profile: ownProfile,
      taskCores,
      dry: this.dryOf(row),
    });
  }

  /** Hosts, each with the number of launches from which on no task that waited had its data there. */
  private dryOf(row: TableRow<Column>): SparkStage["dry"] {
    const text = row.text("dry");
    if (text === "") return undefined;
    return text.split("|").flatMap((entry) => {
      const [, name = "", launch] = /^(.*)@(\d{1,9})$/.exec(entry.trim()) ?? [];
      const host = this.cluster.hosts.numberOf(name);
      if (host !== undefined) return [{ host, launch: Number(launch) }];
      row.report("dry", `dry holds ${quote(entry)}; allowed: a host of the cluster, @ and a number of launches`);
      return [];
    });
  }

  private parentsOf(row: TableRow<Column>): number[] {
    const text = row.text("parents");
    if (text === "") return [];
    return text.split("|").flatMap((parent) => {
      const number = this.stageNumbers.get(parent.trim())?.number;
      if (number !== undefined) return [number];
      row.report("parents", `parents holds ${quote(parent)}; allowed: stages of the same job above, joined by |`);
      return [];
    });
  }

  /** Checks that later rows of a job or stage repeat what its first row gives. */
  private check(row: TableRow<Column>, columns: readonly Column[], begun: Begun | undefined): void {
    if (begun === undefined) return;
    for (const column of columns) {
      const [repeated, said] = [row.text(column), begun.said.get(column) ?? ""];
      if (repeated === "" || repeated === said) continue;
      const allowed = said === "" ? "nothing" : quote(said);
      row.report(column, `${column} is ${quote(repeated)}; allowed: ${allowed}, as in line ${String(begun.line)}`);
    }
  }

  private addTask(row: TableRow<Column>): void {
    const next = this.tasks.length;
    if (
      row.text("task") !== "" &&
      row.value("task", (text, name) => wholeNumber(text, name, 0, MAX_TIME_US)) !== next
    ) {
      if (row.problems.length === 0) {
        row.report(
          "task",
          `task is ${row.text("task")}; allowed: ${String(next)}, as tasks are numbered from 0 in each stage`,
        );
      }
    }
    if (next === LIMITS.tasksPerPhase) {
      row.report("task", `found more than ${String(next)} tasks of one stage; that is the most it can hold`);
    }
    if (++this.tasksSoFar > LIMITS.heldTasks) {
      throw fileProblem(
        this.shown,
        `has more than ${String(LIMITS.heldTasks)} tasks; that is the most one run can hold`,
      );
    }
    const runUs = row.value("run_us", taskUs) ?? 0;
    const places = this.placesOf(row);
    const hostName = row.text("host");
    const levelName = row.text("level");
    const waveText = row.text("wave");
    const launchText = row.text("launch");
    const delay = row.text("scheduler_delay_us");
    const result = row.text("result_us");
    const failed = row.text("failures");
    // Tasks of most tables have none of these: they stay small.
    if ([hostName, levelName, waveText, launchText, delay, result, failed].every((text) => text === "")) {
      this.tasks.push({ runUs, places });
      return;
    }
    const number = (column: "wave" | "launch"): number | undefined =>
      row.text(column) === ""
        ? undefined
        : row.value(column, (text, name) => wholeNumber(text, name, 0, LIMITS.heldTasks));
    const [wave, launch] = [number("wave"), number("launch")];
    const delayUs = delay === "" ? undefined : row.value("scheduler_delay_us", taskUs);
    const resultUs = result === "" ? undefined : row.value("result_us", taskUs);
    const failures =
      failed === ""
        ? undefined
        : recordedFailures(failed, REASONS, (message) => {
            row.report("failures", message);
          });
    this.tasks.push({
      runUs,
      places,
      ...defined({
        host: this.hostOf(row, hostName),
        level: this.levelOf(row, levelName),
        wave,
        launch,
        delayUs,
        resultUs,
        failures,
      }),
    });
  }

  private hostOf(row: TableRow<Column>, name: string): number | undefined {
    const host = this.cluster.hosts.numberOf(name);
    if (name !== "" && host === undefined)
      row.report("host", `host is ${quote(name)}; allowed: hosts of the cluster and of its executors, or nothing`);
    return host;
  }

  private levelOf(row: TableRow<Column>, name: string): SparkLevel | undefined {
    if (name === "") return undefined;
    const level = (SPARK_LEVELS as readonly string[]).indexOf(name);
    if (level >= 0) return level as SparkLevel;
    row.report("level", `level is ${quote(name)}; allowed: ${SPARK_LEVELS.join(", ")}, or nothing`);
    return undefined;
  }

  private placesOf(row: TableRow<Column>): readonly PreferredPlace[] {
    const text = row.text("places");
    const known = this.places.get(text);
    if (known !== undefined) return known;
    let isMoved = false;
    const places = text.split("|").flatMap((entry): PreferredPlace[] => {
      const [hostName, ...executorParts] = entry.trim().split("/");
      const host = this.cluster.hosts.numberOf(hostName);
      if (host === undefined) {
        row.report(
          "places",
          `places holds the host ${quote(hostName)}; allowed: hosts of the cluster and of its executors`,
        );
        return [];
      }
      if (executorParts.length === 0) return [{ host }];
      if (this.leftOut.has(executorParts.join("/"))) {
        isMoved = true;
        const { executorHosts } = this.cluster;
        if (executorHosts.length === 0) return [{ host }];
        const taker = this.moved++ % executorHosts.length;
        return [{ host: executorHosts[taker], executor: taker }];
      }
      const executor = this.executors.get(executorParts.join("/"));
      if (executor !== undefined) return [{ host, executor }];
      row.report(
        "places",
        `places holds the executor ${quote(executorParts.join("/"))}; allowed: the ids of the executors`,
      );
      return [];
    });
    if (row.problems.length === 0 && !isMoved) this.places.set(text, places);
    return places;
  }
}

function taskUs(text: string, name: string): ReturnType<typeof wholeNumber> {
  return wholeNumber(text, name, 0, LIMITS.taskUs);
}

/** Without the keys of which nothing is known. */
function defined<T extends object>(record: { readonly [Key in keyof T]: T[Key] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function timeUs(text: string, name: string): ReturnType<typeof wholeNumber> {
  return wholeNumber(text, name, 0, MAX_TIME_US);
}

function saidIn(row: TableRow<Column>, columns: readonly Column[]): ReadonlyMap<Column, string> {
  return new Map(columns.map((column) => [column, row.text(column)]));
}

/** A job of the table, by names. */
export interface JobRows {
  readonly job: string;
  readonly name: string;
  /** Empty: none was named. */
  readonly pool: string;
  readonly submitUs: number;
  readonly after: { readonly job: string; readonly delayUs: number } | null;
  /** From the end of its last stage until its own; null: not known. */
  readonly endUs: number | null;
  readonly stages: readonly StageRows[];
}

export interface StageRows extends Omit<SparkStage, "name" | "parents" | "tasks" | "dry"> {
  readonly stage: string;
  readonly dry?: readonly { readonly host: string; readonly launch: number }[];
  readonly parents: readonly string[];
  readonly tasks: readonly TaskRow[];
}

export interface TaskRow extends Omit<SparkTask, "places" | "host"> {
  readonly places: readonly string[];
  readonly host?: string;
}

/** The table as text, in pieces. Jobs and stages without tasks have no row. */
export function* stagesCsv(jobs: readonly JobRows[]): Generator<string> {
  yield csvRow(COLUMNS);
  for (const { job, name, pool, submitUs, after, endUs, stages } of jobs) {
    const comes = after === null ? [submitUs, "", ""] : ["", after.job, after.delayUs];
    let ofJob: (string | number)[] = [name, pool, ...comes, endUs ?? ""];
    for (const stage of stages) {
      let ofStage = cellsOfStage(stage);
      const lines: string[] = [];
      stage.tasks.forEach((row, task) => {
        lines.push(csvRow([job, ...ofJob, stage.stage, ...ofStage, task, ...cellsOfTask(row)]));
        ofJob = OF_JOB.map(() => "");
        ofStage = OF_STAGE.map(() => "");
      });
      yield lines.join("");
    }
  }
}

/** Cells of OF_STAGE. */
function cellsOfStage({ parents, isBarrier, reads, ...stage }: StageRows): (string | number)[] {
  const { beforeUs, driverUs, driverMostUs, profile, taskCores, dry = [] } = stage;
  const numbers = [beforeUs, driverUs, driverMostUs, profile, taskCores].map((value) => value ?? "");
  const dryHosts = dry.map(({ host, launch }) => `${host}@${String(launch)}`).join("|");
  return [parents.join("|"), isBarrier ? "true" : "", reads ?? "", ...numbers, dryHosts];
}

function cellsOfTask({
  runUs,
  places,
  host = "",
  level,
  wave,
  launch,
  delayUs,
  resultUs,
  failures = [],
}: TaskRow): (string | number)[] {
  const levelName = level === undefined ? "" : SPARK_LEVELS[level];
  const failed = failures.map(({ heldUs, reason }) => `${String(heldUs)}:${reason}`).join("|");
  return [runUs, places.join("|"), host, levelName, wave ?? "", launch ?? "", delayUs ?? "", resultUs ?? "", failed];
}
