import { definedFields, MAX_TIME_US } from "../../core/kernel/index.js";
import {
  type PreferredPlace,
  SPARK_LEVELS,
  type SparkJob,
  type SparkLevel,
  type SparkStage,
  type SparkTask,
  STAGE_INPUTS,
} from "../../core/platforms/spark/index.js";
import { LIMITS } from "../../core/scenario/index.js";
import { quote } from "../scenario/show.js";
import { wholeNumber } from "../workloads/lines.js";
import { type FailureReasons, recordedFailures } from "../workloads/recorded-failures.js";
import type { SparkHosts } from "./hosts.js";
import { csvRow, readTable, type TableForm, type TableRow } from "../workloads/csv-table.js";
import { fileProblem } from "../input-error.js";

// stages.csv: what an application runs, a row for each task (docs/formats/spark-event-logs.md).

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

const OF_TASK = [
  ...(["run_us", "places", "host", "level", "wave", "launch"] as const),
  ...(["scheduler_delay_us", "result_us", "failures"] as const),
] as const;

const COLUMNS = ["job", ...OF_JOB, "stage", ...OF_STAGE, "task", ...OF_TASK] as const;

type Column = (typeof COLUMNS)[number];

const FORM: TableForm<Column> = {
  title: "a table of stages",
  columns: COLUMNS,
  required: ["job", "stage", "run_us"],
  header: `the header ${COLUMNS.join(",")}`,
};

const TIME = wholeNumber(0, MAX_TIME_US);
const WAIT = wholeNumber(0, LIMITS.waitUs);
const TASK_TIME = wholeNumber(0, LIMITS.taskUs);
const TASKS = wholeNumber(0, LIMITS.heldTasks);
const CORES = wholeNumber(1, LIMITS.cores);

/** Spark's classes: which there are differs between releases. */
const REASONS: FailureReasons = {
  isOne: (reason) => /^[A-Za-z]\w{0,63}$/.test(reason),
  form: "Spark's reason, such as 5000000:ExceptionFailure",
};

/** Spark counts them from 0. */
const PROFILE = wholeNumber(0, 1_000_000);

/** Hosts and executors on which tasks may prefer to run. */
interface StagesCluster {
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
 * @throws InputError with file, line, what was expected and what was found.
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
    checkFirst(row, "job", known);
    if (this.jobs.length === LIMITS.jobs) {
      throw fileProblem(this.shown, `has more than ${LIMITS.jobs} jobs; that is the most one run can hold`);
    }
    const { submitAtUs, after } = this.submissionOf(row);
    this.job = job;
    this.stages = [];
    this.stageNumbers = new Map();
    const pool = row.text("pool");
    const endUs = row.optional("end_us", TIME);
    const number =
      this.jobs.push({
        name: row.text("name") || job,
        id: job,
        submitAtUs,
        stages: this.stages,
        ...definedFields({ pool: pool || undefined, after, endUs }),
      }) - 1;
    if (known === undefined) this.jobNumbers.set(job, { number, line: row.line, said: saidIn(row, OF_JOB) });
  }

  /** A job comes at a time, or after another has ended. */
  private submissionOf(row: TableRow<Column>): Pick<SparkJob, "submitAtUs" | "after"> {
    const before = row.text("after");
    const submitText = row.text("submit_us");
    if (before === "") {
      if (row.text("delay_us") !== "") {
        row.report("delay_us", `delay_us is ${quote(row.text("delay_us"))} without after, expected nothing`);
      }
      if (submitText === "")
        row.report("submit_us", "submit_us is missing; give it, or in after the job that this one follows");
      return { submitAtUs: submitText === "" ? 0 : (row.value("submit_us", TIME) ?? 0) };
    }
    if (submitText !== "") row.report("submit_us", "submit_us and after exclude each other");
    const job = this.jobNumbers.get(before)?.number;
    if (job === undefined) {
      row.report("after", `after is ${quote(before)}, expected the name of a job above`);
    }
    return { submitAtUs: 0, after: { job: job ?? 0, delayUs: row.optional("delay_us", TIME) ?? 0 } };
  }

  private beginStage(row: TableRow<Column>, stage: string): void {
    const known = this.stageNumbers.get(stage);
    checkFirst(row, "stage", known);
    const parents = this.parentsOf(row);
    const isBarrier = row.choice("barrier", ["true"]) !== undefined;
    this.stage = stage;
    this.tasks = [];
    const recorded = this.recordedOf(row);
    const number = this.stages.push({ name: stage, parents, isBarrier, tasks: this.tasks, ...recorded }) - 1;
    if (known === undefined) this.stageNumbers.set(stage, { number, line: row.line, said: saidIn(row, OF_STAGE) });
  }

  /** Returns what a log recorded of a stage; keys whose columns are empty are not there. */
  private recordedOf(row: TableRow<Column>): Partial<SparkStage> {
    const input = row.choice("reads", STAGE_INPUTS);
    const beforeUs = row.optional("before_us", WAIT);
    const driverUs = row.optional("driver_us", WAIT);
    const driverMostUs = row.optional("driver_most_us", WAIT);
    if (driverMostUs !== undefined && !(driverMostUs >= (driverUs ?? Infinity))) {
      const least = driverUs === undefined ? "nothing without driver_us" : `at least driver_us, ${driverUs}`;
      row.report("driver_most_us", `driver_most_us is ${driverMostUs}, expected ${least}`);
    }
    const profile = row.optional("profile", PROFILE);
    const taskCores = row.optional("task_cores", CORES);
    return definedFields({
      reads: input === undefined ? undefined : STAGE_INPUTS[input],
      beforeUs,
      driverUs,
      driverMostUs,
      profile: profile || undefined,
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
      row.report("dry", `dry holds ${quote(entry)}, expected HOST@LAUNCHES with a host of the cluster`);
      return [];
    });
  }

  private parentsOf(row: TableRow<Column>): number[] {
    const text = row.text("parents");
    if (text === "") return [];
    return text.split("|").flatMap((parent) => {
      const number = this.stageNumbers.get(parent.trim())?.number;
      if (number !== undefined) return [number];
      row.report("parents", `parents holds ${quote(parent)}, expected stages of the same job above, separated by |`);
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
      row.report(column, `${column} is ${quote(repeated)}, expected ${allowed}, as in line ${begun.line}`);
    }
  }

  private addTask(row: TableRow<Column>): void {
    const next = this.tasks.length;
    const task = row.text("task") === "" ? next : row.value("task", TIME);
    if (task !== next && row.problems.length === 0) {
      row.report("task", `task is ${row.text("task")}, expected ${next}, as tasks are numbered from 0 in each stage`);
    }
    if (next === LIMITS.tasksPerPhase) {
      row.report("task", `found more than ${next} tasks of one stage; that is the most it can hold`);
    }
    if (++this.tasksSoFar > LIMITS.heldTasks) {
      throw fileProblem(this.shown, `has more than ${LIMITS.heldTasks} tasks; that is the most one run can hold`);
    }
    this.tasks.push({
      runUs: row.value("run_us", TASK_TIME) ?? 0,
      places: this.placesOf(row),
      ...definedFields({
        wave: row.optional("wave", TASKS),
        launch: row.optional("launch", TASKS),
        delayUs: row.optional("scheduler_delay_us", TASK_TIME),
        resultUs: row.optional("result_us", TASK_TIME),
        failures: recordedFailures(row, REASONS),
        host: this.hostOf(row),
        level: row.choice("level", SPARK_LEVELS) as SparkLevel | undefined,
      }),
    });
  }

  private hostOf(row: TableRow<Column>): number | undefined {
    const name = row.text("host");
    const host = this.cluster.hosts.numberOf(name);
    if (name !== "" && host === undefined)
      row.report("host", `host is ${quote(name)}, expected hosts of the cluster and of its executors, or nothing`);
    return host;
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
          `places holds the host ${quote(hostName)}, expected hosts of the cluster and of its executors`,
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
        `places holds the executor ${quote(executorParts.join("/"))}, expected the ids of the executors`,
      );
      return [];
    });
    if (row.problems.length === 0 && !isMoved) this.places.set(text, places);
    return places;
  }
}

/** Checks that the first row of a job or stage names it, and that its other rows follow. */
function checkFirst(row: TableRow<Column>, column: "job" | "stage", known: Begun | undefined): void {
  const name = row.text(column);
  if (name === "") {
    row.report(column, `${column} is missing; the first row of each ${column} names it`);
  } else if (known !== undefined) {
    const where = `began in line ${known.line}, and others since`;
    row.report(column, `${column} ${quote(name)} ${where}; the rows of a ${column} stand one after the other`);
  }
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
  const dryHosts = dry.map(({ host, launch }) => `${host}@${launch}`).join("|");
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
  const failed = failures.map(({ heldUs, reason }) => `${heldUs}:${reason}`).join("|");
  return [runUs, places.join("|"), host, levelName, wave ?? "", launch ?? "", delayUs ?? "", resultUs ?? "", failed];
}
