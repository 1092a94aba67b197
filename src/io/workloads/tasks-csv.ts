import { counted } from "../../core/kernel/index.js";
import { FAILURE_REASONS, YARN_LEVELS } from "../../core/platforms/yarn/index.js";
import { PRIORITIES, type TasksWorkloadSpec } from "../../core/scenario/index.js";
import {
  FixedLengths,
  GroupedLengths,
  type HostPlace,
  inSubmissionOrder,
  type JobSpec,
  ListedLengths,
  NO_TASKS,
  type RecordedFailure,
  type RecordedTask,
  SharedFiles,
  type TaskLengths,
  type Workload,
} from "../../core/workload/index.js";
import { InputError } from "../input-error.js";
import type { RackTargets } from "../scenario/hadoop/cluster.js";
import { LIMITS } from "../scenario/limits.js";
import { needsProblems, type TaskRoom } from "../scenario/hadoop/runtime.js";
import { allowedNames, quote } from "../scenario/show.js";
import { type CsvField, type CsvRecord, CsvSplitter } from "./csv-records.js";
import {
  bytes,
  fileProblem,
  LineProblems,
  type Parsed,
  type PlacedProblem,
  readLines,
  seconds,
  share,
  type TextLine,
  wholeNumber,
} from "./lines.js";
import { type FailureReasons, recordedFailures } from "./recorded-failures.js";
import { submission, Submissions } from "./submissions.js";

/** The cluster's limits for a file: a job whose tasks need more memory than any node has is inconsistent. */
export interface TasksCluster {
  readonly room: TaskRoom;
  /** The node of a name in column `hosts`, or what is wrong with it; null: it is left out. */
  readonly hostOf: (name: string) => HostPlace | string | null;
  /** Columns that mean something on its platform. */
  readonly columns: readonly TaskColumn[];
  /** The pool of jobs that name none; undefined: the pool of their user. */
  readonly usualPool?: string;
}

/**
 * Reads one's own jobs and tasks from a CSV (docs/formats/tasks-csv.md): a header, then one row per task or per group
 * of equal tasks. The rows of a job may stand anywhere.
 * @param path what to open; messages name `spec.file`.
 * @throws InputError for a bad header; for malformed rows and inconsistent jobs unless `spec.lenient`; for a file that
 * cannot be read; and for one without a single job.
 */
export async function readTasksCsv(
  spec: TasksWorkloadSpec,
  path: string,
  cluster: TasksCluster,
  onPause?: () => void,
): Promise<Workload> {
  const reader = new TasksReader(spec, cluster);
  const splitter = new CsvSplitter((record) => {
    reader.take(record);
  });
  const take = (line: TextLine): void => {
    splitter.take(line);
  };
  await readLines(path, spec.file, take, onPause);
  splitter.end();
  return reader.workload();
}

class TasksReader {
  private readonly jobs = new Map<string, TaskGroupJob>();
  private readonly problems: LineProblems;
  private readonly submissions: Submissions;
  private header: TasksHeader | null = null;

  constructor(
    private readonly spec: TasksWorkloadSpec,
    private readonly cluster: TasksCluster,
  ) {
    this.problems = new LineProblems(spec.file, spec.lenient);
    this.submissions = new Submissions(spec.file, "submit");
  }

  take(record: CsvRecord): void {
    if (this.header === null) {
      this.header = this.readHeader(record);
      return;
    }
    if ("problems" in record) {
      this.problems.add(record.line, record.problems);
      return;
    }
    const row = parseRow(record.fields, this.header, this.cluster.hostOf);
    if (!("job" in row)) {
      this.problems.add(record.line, row);
      return;
    }
    const known = this.jobs.get(row.job);
    const job = known ?? new TaskGroupJob(row.job, record.line);
    const misfits = this.otherClock(row, record.line) ?? job.add(row, record.line);
    if (misfits.length > 0) {
      this.problems.add(record.line, misfits);
    } else if (known === undefined) {
      if (this.jobs.size === LIMITS.jobs) {
        throw fileProblem(
          this.spec.file,
          `has more than ${String(LIMITS.jobs)} jobs; that is the most one run can hold`,
        );
      }
      this.jobs.set(row.job, job);
    }
  }

  private otherClock({ ofJob: { submit }, columns }: TasksRow, line: number): readonly PlacedProblem[] | null {
    const message = submit === undefined ? null : this.submissions.mismatch(submit, line);
    return message === null ? null : [{ column: columns.get("submit") ?? 1, message }];
  }

  /** Without a header no row means anything, so lenience does not reach it. */
  private readHeader(record: CsvRecord): TasksHeader {
    const parsed = "problems" in record ? record : parseHeader(record.fields, this.cluster.columns);
    if ("header" in parsed) return parsed.header;
    throw new InputError(parsed.problems.map((problem) => ({ file: this.spec.file, line: record.line, ...problem })));
  }

  workload(): Workload {
    const { spec } = this;
    if (this.header === null)
      throw fileProblem(spec.file, "is empty; a tasks file needs a header row such as job,type,seconds,submit");
    const skippedRows = this.problems.count;
    const files = new SharedFiles();
    const jobs: JobSpec[] = [];
    for (const job of this.jobs.values()) {
      const problems = job.problems(this.cluster.room, files);
      if (problems.length > 0) {
        this.problems.add(job.line, problems);
        continue;
      }
      const built = job.build(files, this.cluster.usualPool);
      this.submissions.add(built.submitAtUs);
      jobs.push(built);
    }
    this.problems.refuse();
    const skippedJobs = this.problems.count - skippedRows;
    if (jobs.length === 0) {
      const skipped = `${counted(skippedRows, "malformed row")} and ${counted(skippedJobs, "inconsistent job")} were skipped`;
      throw fileProblem(
        spec.file,
        `has no job${this.problems.count === 0 ? "" : ` (${skipped})`}; a tasks file needs at least one row below its header`,
      );
    }
    const { originUs } = this.submissions;
    const shifted = originUs === 0 ? jobs : jobs.map((job) => ({ ...job, submitAtUs: job.submitAtUs - originUs }));
    const notes = this.submissions.notes();
    if (skippedRows > 0) notes.push(`${spec.file}: skipped ${counted(skippedRows, "malformed row")}`);
    if (skippedJobs > 0) notes.push(`${spec.file}: skipped ${counted(skippedJobs, "inconsistent job")}`);
    return { jobs: inSubmissionOrder(shifted), files: files.list(), notes };
  }
}

/** The columns of a tasks file, in the order in which the documentation lists them. */
export const TASK_COLUMNS = [
  "job",
  "type",
  "seconds",
  "submit",
  "count",
  "copy",
  "user",
  "pool",
  "priority",
  "file",
  "block",
  "hosts",
  "deadline",
  "mapInput",
  "mapOutput",
  "reduceOutput",
  "mapMemory",
  "reduceMemory",
  "ioShare",
  "mapVcores",
  "reduceVcores",
  "outcome",
  "slowStart",
  "masterStart",
  "masterStartMost",
  "masterEnd",
  "level",
  "failures",
] as const;

export type TaskColumn = (typeof TASK_COLUMNS)[number];

const REASONS: FailureReasons = {
  isOne: (reason) => (FAILURE_REASONS as readonly string[]).includes(reason),
  form: `${FAILURE_REASONS.join(", ")}, such as 5000000:FAILED`,
};

const OF_YARN_ALONE: readonly TaskColumn[] = [
  ...(["mapVcores", "reduceVcores", "outcome"] as const),
  ...(["slowStart", "masterStart", "masterStartMost", "masterEnd", "level", "failures"] as const),
];

/** Columns that Hadoop 1 reads. */
export const HADOOP_COLUMNS = TASK_COLUMNS.filter((name) => !OF_YARN_ALONE.includes(name));

/** Columns that YARN reads. */
export const YARN_COLUMNS: readonly TaskColumn[] = [
  ...(["job", "type", "seconds", "submit", "count", "copy", "user", "pool", "file", "block", "hosts"] as const),
  ...(["mapMemory", "reduceMemory"] as const),
  ...OF_YARN_ALONE,
];

const REQUIRED: readonly TaskColumn[] = ["job", "type", "seconds", "submit"];

/** The column of each field. */
export type TasksHeader = readonly TaskColumn[];

/** Reads the header row: known names, each once, the required ones present, in any order. */
export function parseHeader(
  fields: readonly CsvField[],
  columns: readonly TaskColumn[],
): { readonly header: TasksHeader } | { readonly problems: readonly PlacedProblem[] } {
  const header: TaskColumn[] = [];
  const problems: PlacedProblem[] = [];
  for (const { text, column } of fields) {
    const columnText = text.trim();
    const name = TASK_COLUMNS.find((known) => known === columnText);
    if (name === undefined || !columns.includes(name)) {
      const description =
        name === undefined ? `unknown column ${quote(columnText)}` : `column ${name}, of another platform,`;
      problems.push({ column, message: `${description} in the header; allowed: ${allowedNames(columns, columnText)}` });
    } else if (header.includes(name)) {
      problems.push({
        column,
        message: `column ${quote(columnText)} stands twice in the header; allowed: each name once`,
      });
    } else {
      header.push(name);
    }
  }
  const missing = REQUIRED.filter((name) => !header.includes(name));
  if (problems.length === 0 && missing.length > 0) {
    problems.push({
      column: 1,
      message: `the header lacks ${missing.join(", ")}; found ${quote(header.join(","))}, required: ${REQUIRED.join(", ")}`,
    });
  }
  return problems.length === 0 ? { header } : { problems };
}

/** One row of a tasks file: `count` equal tasks of one job. What the row leaves open is undefined. */
export interface TasksRow {
  readonly job: string;
  readonly isMap: boolean;
  readonly lengthUs: number;
  readonly copyUs: number;
  readonly count: number;
  /** First block read, for maps. */
  readonly block: number | undefined;
  /** The nodes that hold the blocks, for maps. */
  readonly hosts: readonly HostPlace[] | undefined;
  /** At which a map was recorded: a position in YARN_LEVELS. */
  readonly level: number | undefined;
  readonly failures: readonly RecordedFailure[] | undefined;
  readonly ofJob: JobColumns;
  /** The start of each column's field. */
  readonly columns: ReadonlyMap<TaskColumn, number>;
}

/** Columns of the whole job, which may stand in any of its rows. */
export interface JobColumns {
  readonly submit: number | undefined;
  readonly user: string | undefined;
  readonly pool: string | undefined;
  readonly priority: string | undefined;
  readonly file: string | undefined;
  readonly deadline: number | undefined;
  /** Bytes of each task; see `JobNeeds`. */
  readonly mapInput: number | undefined;
  readonly mapOutput: number | undefined;
  readonly reduceOutput: number | undefined;
  readonly mapMemory: number | undefined;
  readonly reduceMemory: number | undefined;
  readonly ioShare: number | undefined;
  readonly mapVcores: number | undefined;
  readonly reduceVcores: number | undefined;
  readonly outcome: string | undefined;
  readonly slowStart: number | undefined;
  readonly masterStart: number | undefined;
  readonly masterStartMost: number | undefined;
  readonly masterEnd: number | undefined;
}

const FAILED = "failed";
/** Outcomes of a job whose tasks have ended. */
const OUTCOMES = ["succeeded", FAILED];

const TYPES = ["map", "reduce"];

const MAX_BLOCK = LIMITS.totalTasks;

/** Reads one row under its header, or tells all that is wrong with it. */
export function parseRow(
  fields: readonly CsvField[],
  header: TasksHeader,
  hostOf: TasksCluster["hostOf"],
): TasksRow | readonly PlacedProblem[] {
  if (fields.length !== header.length) {
    const message = `found ${counted(fields.length, "field")}; allowed: ${String(header.length)}, one for each column of the header (${header.join(",")})`;
    return [{ column: fields[0].column, message }];
  }
  return new RowParser(fields, header, hostOf).row();
}

/** Nodes of Hadoop's scenarios are called `rack/position`. */
export function rackHosts(racks: RackTargets): TasksCluster["hostOf"] {
  return (name) => {
    const slash = name.lastIndexOf("/");
    const position = name.slice(slash + 1);
    if (slash <= 0 || !/^\d{1,9}$/.test(position)) {
      return `hosts names ${quote(name)}; allowed: nodes as RACK/POSITION, apart by spaces, such as ${racks.names[0]}/0`;
    }
    const rackName = name.slice(0, slash);
    const rack = racks.rackOf(rackName);
    if (rack === undefined) {
      return `hosts names the rack ${quote(rackName)}; allowed: ${allowedNames(racks.names, rackName)}`;
    }
    const last = racks.nodes[rack] - 1;
    if (Number(position) <= last) return { rack, node: Number(position) };
    return `hosts names node ${position} of rack ${quote(racks.names[rack])}; allowed: a position from 0 to ${String(last)}`;
  };
}

class RowParser {
  private readonly texts = new Map<TaskColumn, string>();
  private readonly columns = new Map<TaskColumn, number>();
  private readonly problems: PlacedProblem[] = [];

  constructor(
    fields: readonly CsvField[],
    header: TasksHeader,
    private readonly hostOf: TasksCluster["hostOf"],
  ) {
    header.forEach((name, index) => {
      this.texts.set(name, fields[index].text.trim());
      this.columns.set(name, fields[index].column);
    });
  }

  row(): TasksRow | readonly PlacedProblem[] {
    const type = this.text("type");
    if (!TYPES.includes(type)) this.report("type", `type is ${foundText(type)}; allowed: ${allowedNames(TYPES, type)}`);
    const job = this.name("job");
    if (job === undefined) this.report("job", "job is missing; allowed: the job's name, in each of its rows");
    const priority = this.text("priority");
    if (priority !== "" && !PRIORITIES.some((name) => name === priority)) {
      this.report("priority", `priority is ${foundText(priority)}; allowed: ${allowedNames(PRIORITIES, priority)}`);
    }
    const outcome = this.text("outcome");
    if (outcome !== "" && !OUTCOMES.includes(outcome)) {
      this.report("outcome", `outcome is ${foundText(outcome)}; allowed: ${allowedNames(OUTCOMES, outcome)}`);
    }
    this.onlyFor(type);
    const row: TasksRow = {
      job: job ?? "",
      isMap: type === "map",
      lengthUs: this.number("seconds", (text) => seconds(text, "seconds", 1, LIMITS.taskUs)) ?? 1,
      copyUs: this.optional("copy", (text) => seconds(text, "copy", 0, LIMITS.taskUs)) ?? 0,
      count: this.optional("count", (text) => wholeNumber(text, "count", 1, LIMITS.tasksPerPhase)) ?? 1,
      block: this.optional("block", (text) => wholeNumber(text, "block", 0, MAX_BLOCK)),
      hosts: this.hosts(),
      level: this.level(),
      failures: this.failures(),
      ofJob: {
        submit: this.optional("submit", (text) => submission(text, "submit", 6)),
        user: this.name("user"),
        pool: this.name("pool"),
        priority: priority === "" ? undefined : priority,
        file: this.name("file"),
        deadline: this.optional("deadline", (text) => seconds(text, "deadline", 1, LIMITS.taskUs)),
        mapInput: this.bytes("mapInput"),
        mapOutput: this.bytes("mapOutput"),
        reduceOutput: this.bytes("reduceOutput"),
        mapMemory: this.bytes("mapMemory"),
        reduceMemory: this.bytes("reduceMemory"),
        ioShare: this.optional("ioShare", (text) => share(text, "ioShare")),
        mapVcores: this.vcores("mapVcores"),
        reduceVcores: this.vcores("reduceVcores"),
        outcome: outcome === "" ? undefined : outcome,
        slowStart: this.optional("slowStart", (text) => share(text, "slowStart")),
        masterStart: this.wait("masterStart"),
        masterStartMost: this.wait("masterStartMost"),
        masterEnd: this.wait("masterEnd"),
      },
      columns: this.columns,
    };
    return this.problems.length === 0 ? row : this.problems;
  }

  /** Columns that mean something for one of the two types only. */
  private onlyFor(type: string): void {
    const [copy, block, hosts] = [this.text("copy"), this.text("block"), this.text("hosts")];
    if (type === "map" && copy !== "") {
      this.report("copy", `copy is ${foundText(copy)} in a map's row; allowed: nothing, only reduces copy`);
    }
    if (type === "reduce" && block !== "") {
      this.report("block", `block is ${foundText(block)} in a reduce's row; allowed: nothing, only maps read blocks`);
    }
    if (type === "reduce" && hosts !== "") {
      this.report("hosts", `hosts is ${foundText(hosts)} in a reduce's row; allowed: nothing, only maps read blocks`);
    }
    const level = this.text("level");
    if (type === "reduce" && level !== "") {
      this.report("level", `level is ${foundText(level)} in a reduce's row; allowed: nothing, only maps have places`);
    }
  }

  /** Distinct nodes of the cluster, apart by spaces. */
  private hosts(): readonly HostPlace[] | undefined {
    const text = this.text("hosts");
    if (text === "") return undefined;
    const named = text.split(/ +/);
    if (named.length > LIMITS.replication) {
      this.report("hosts", `hosts has ${String(named.length)} nodes; allowed: at most ${String(LIMITS.replication)}`);
      return undefined;
    }
    const seen = new Set<string>();
    const hosts: HostPlace[] = [];
    for (const name of named) {
      const host = this.hostOf(name);
      if (host === null) continue;
      if (typeof host === "string") {
        this.report("hosts", host);
        return undefined;
      }
      const key = `${String(host.rack)}/${String(host.node)}`;
      if (seen.has(key)) {
        this.report("hosts", `hosts names ${quote(name)} twice; allowed: each node once`);
        return undefined;
      }
      seen.add(key);
      hosts.push(host);
    }
    return hosts;
  }

  private text(column: TaskColumn): string {
    return this.texts.get(column) ?? "";
  }

  private name(column: TaskColumn): string | undefined {
    const text = this.text(column);
    if (text.length > LIMITS.nameLength) {
      this.report(
        column,
        `${column} has ${String(text.length)} characters; allowed: at most ${String(LIMITS.nameLength)}`,
      );
    }
    return text === "" ? undefined : text;
  }

  private bytes(column: TaskColumn): number | undefined {
    return this.optional(column, (text) => bytes(text, column, LIMITS.taskBytes));
  }

  private wait(column: TaskColumn): number | undefined {
    return this.optional(column, (text) => seconds(text, column, 0, LIMITS.waitUs));
  }

  private level(): number | undefined {
    const name = this.text("level");
    if (name === "") return undefined;
    const level = (YARN_LEVELS as readonly string[]).indexOf(name);
    if (level < 0) this.report("level", `level is ${foundText(name)}; allowed: ${allowedNames(YARN_LEVELS, name)}`);
    return level;
  }

  /** `5000000:FAILED|...`: attempts before the one that the row's time is of, in order. */
  private failures(): readonly RecordedFailure[] | undefined {
    const text = this.text("failures");
    if (text === "") return undefined;
    return recordedFailures(text, REASONS, (message) => {
      this.report("failures", message);
    });
  }

  private vcores(column: TaskColumn): number | undefined {
    return this.optional(column, (text) => wholeNumber(text, column, 1, LIMITS.vcores));
  }

  private optional(column: TaskColumn, parse: (text: string) => Parsed): number | undefined {
    return this.text(column) === "" ? undefined : this.number(column, parse);
  }

  private number(column: TaskColumn, parse: (text: string) => Parsed): number | undefined {
    const parsed = parse(this.text(column));
    if ("value" in parsed) return parsed.value;
    this.report(column, parsed.problem);
    return undefined;
  }

  private report(column: TaskColumn, message: string): void {
    this.problems.push({ column: this.columns.get(column) ?? 1, message });
  }
}

function foundText(text: string): string {
  return text === "" ? "missing" : quote(text);
}

/** In column `file`: the maps have no input and run equally well anywhere. */
const NO_INPUT = "-";

const DEFAULT_USER = "user";

interface Group {
  readonly count: number;
  readonly lengthUs: number;
  readonly copyUs: number;
  readonly block: number | undefined;
  readonly hosts: readonly HostPlace[] | undefined;
  readonly level: number | undefined;
  readonly failures: readonly RecordedFailure[] | undefined;
}

/** A job of a tasks file, gathered row by row. */
export class TaskGroupJob {
  private readonly maps: Group[] = [];
  private readonly reduces: Group[] = [];
  private readonly jobFields = new Map<keyof JobColumns, { readonly value: string | number; readonly line: number }>();

  constructor(
    readonly name: string,
    /** Line of its first row. */
    readonly line: number,
  ) {}

  /** Adds a row; or tells why it does not fit the rows above it, and leaves the job as it was. */
  add(row: TasksRow, line: number): readonly PlacedProblem[] {
    const problems: PlacedProblem[] = [];
    const entries = Object.entries(row.ofJob) as [keyof JobColumns, string | number | undefined][];
    for (const [column, value] of entries) {
      const earlier = this.jobFields.get(column);
      if (value === undefined || earlier === undefined || earlier.value === value) continue;
      const message = `${column} of job ${quote(this.name)} differs from the one in line ${String(earlier.line)}; allowed: the same, or nothing`;
      problems.push({ column: row.columns.get(column) ?? 1, message });
    }
    const groups = row.isMap ? this.maps : this.reduces;
    const tasks = tasksIn(groups) + row.count;
    if (tasks > LIMITS.tasksPerPhase) {
      const message = `job ${quote(this.name)} has ${String(tasks)} ${row.isMap ? "maps" : "reduces"} up to here; allowed: at most ${String(LIMITS.tasksPerPhase)}`;
      problems.push({ column: row.columns.get("count") ?? 1, message });
    }
    if (problems.length > 0) return problems;
    for (const [column, value] of entries) {
      if (value !== undefined && !this.jobFields.has(column)) this.jobFields.set(column, { value, line });
    }
    groups.push(row);
    return problems;
  }

  /** Problems of the job as a whole, once all its rows are there. */
  problems(room: TaskRoom, files: SharedFiles): readonly PlacedProblem[] {
    const problems = [...this.needsProblems(room), ...this.hostProblems(files)];
    if (!this.jobFields.has("submit")) {
      problems.push({
        column: 1,
        message: `job ${quote(this.name)} has no submit time; allowed: seconds in at least one of its rows`,
      });
    }
    const [shortest, longest] = [this.number("masterStart"), this.number("masterStartMost")];
    if (longest !== undefined && !(longest >= (shortest ?? Infinity))) {
      const message = `masterStartMost of job ${quote(this.name)} is less than its masterStart, or stands without one; allowed: at least that`;
      problems.push({ column: 1, message });
    }
    const withBlock = this.maps.filter((group) => group.block !== undefined);
    if (withBlock.length === 0) return problems;
    if (withBlock.length < this.maps.length) {
      const message = `job ${quote(this.name)} gives the block of ${String(withBlock.length)} of its ${String(this.maps.length)} map rows; allowed: of all or of none`;
      problems.push({ column: 1, message });
    } else if (this.jobFields.get("file")?.value === NO_INPUT) {
      problems.push({ column: 1, message: `job ${quote(this.name)} gives blocks, but its file is "-" (no input)` });
    } else {
      problems.push(...gaps(this.name, this.sortedMaps()));
    }
    return problems;
  }

  /** The job, when `problems` found none. */
  build(files: SharedFiles, usualPool?: string): JobSpec {
    const maps = this.sortedMaps();
    const user = this.text("user") ?? DEFAULT_USER;
    const file = this.text("file") ?? "";
    const mapCount = tasksIn(maps);
    const firstBlock = maps[0]?.block ?? 0;
    const hasInput = mapCount > 0 && file !== NO_INPUT;
    return {
      name: this.name,
      submitAtUs: Number(this.jobFields.get("submit")?.value),
      user,
      pool: this.text("pool") ?? usualPool ?? user,
      priority: PRIORITIES.findIndex((name) => name === (this.text("priority") ?? "normal")),
      maps: mapCount,
      reduces: tasksIn(this.reduces),
      mapLengths: lengthsOf(maps, (group) => group.lengthUs),
      copyLengths: lengthsOf(this.reduces, (group) => group.copyUs),
      reduceLengths: lengthsOf(this.reduces, (group) => group.lengthUs),
      deadlineUs: this.number("deadline"),
      inputBytesPerMap: this.number("mapInput"),
      mapOutputBytes: this.number("mapOutput"),
      outputBytesPerReduce: this.number("reduceOutput"),
      mapMemoryBytes: this.number("mapMemory"),
      reduceMemoryBytes: this.number("reduceMemory"),
      ioShare: this.number("ioShare"),
      mapVcores: this.number("mapVcores"),
      reduceVcores: this.number("reduceVcores"),
      ...(this.text("outcome") === FAILED ? { fails: true as const } : {}),
      ...this.recorded(maps),
      input: hasInput ? { file: this.fileWith(maps, files, file, firstBlock, mapCount), firstBlock } : null,
    };
  }

  /** Recorded levels, failures and times of the job; nothing where the table has none. */
  private recorded(maps: readonly Group[]): Pick<JobSpec, "recorded"> {
    const times = {
      slowStart: this.number("slowStart"),
      masterStartUs: this.number("masterStart"),
      masterStartMostUs: this.number("masterStartMost"),
      masterEndUs: this.number("masterEnd"),
    };
    const recorded = { ...times, maps: recordedTasks(maps), reduces: recordedTasks(this.reduces) };
    const isEmpty =
      Object.values(times).every((time) => time === undefined) && recorded.maps.size + recorded.reduces.size === 0;
    return isEmpty ? {} : { recorded };
  }

  /** Index of the file that the job reads, with what its rows say of where the blocks lie. */
  private fileWith(
    maps: readonly Group[],
    files: SharedFiles,
    name: string,
    firstBlock: number,
    mapCount: number,
  ): number {
    const file = files.indexOf(name, this.name, firstBlock + mapCount);
    let block = firstBlock;
    for (const { count, hosts } of maps) {
      for (let k = 0; k < count && hosts !== undefined; k++) files.place(file, block + k, hosts);
      block += count;
    }
    return file;
  }

  /** Blocks that have no place, and blocks of a shared file that another job puts elsewhere. */
  private hostProblems(files: SharedFiles): PlacedProblem[] {
    const maps = this.sortedMaps();
    if (maps.every(({ hosts }) => hosts === undefined)) return [];
    const file = this.text("file") ?? "";
    if (file === NO_INPUT) {
      return [{ column: 1, message: `job ${quote(this.name)} gives hosts, but its file is "-" (no input)` }];
    }
    let block = maps[0].block ?? 0;
    for (const { count, hosts } of maps) {
      for (let k = 0; k < count && hosts !== undefined; k++) {
        const known = files.hostsOf(file, block + k);
        if (known === undefined || shown(known) === shown(hosts)) continue;
        const message = `job ${quote(this.name)} puts block ${String(block + k)} of ${quote(file)} on other hosts than a job before it; allowed: the same, or nothing`;
        return [{ column: 1, message }];
      }
      block += count;
    }
    return [];
  }

  private needsProblems(room: TaskRoom): PlacedProblem[] {
    const job = {
      maps: tasksIn(this.maps),
      reduces: tasksIn(this.reduces),
      mapOutput: this.number("mapOutput"),
      mapMemory: this.number("mapMemory"),
      reduceMemory: this.number("reduceMemory"),
    };
    return needsProblems(job, room).map(({ key, actual, allowed }) => {
      return { column: 1, message: `${key} of job ${quote(this.name)} is ${actual}; allowed: ${allowed}` };
    });
  }

  /** Maps in the order of their blocks, since map i of a job reads block firstBlock + i. */
  private sortedMaps(): Group[] {
    return [...this.maps].sort((a, b) => (a.block ?? 0) - (b.block ?? 0));
  }

  private number(column: keyof JobColumns): number | undefined {
    return this.jobFields.has(column) ? Number(this.jobFields.get(column)?.value) : undefined;
  }

  private text(column: keyof JobColumns): string | undefined {
    return this.jobFields.get(column)?.value.toString();
  }
}

/** By task, of groups in the order of their tasks. */
function recordedTasks(groups: readonly Group[]): Map<number, RecordedTask> {
  const recorded = new Map<number, RecordedTask>();
  let first = 0;
  for (const { count, level, failures } of groups) {
    const isTold = level !== undefined || failures !== undefined;
    for (let k = 0; k < count && isTold; k++) recorded.set(first + k, { level, failures });
    first += count;
  }
  return recorded;
}

function shown(hosts: readonly HostPlace[]): string {
  return hosts.map(({ rack, node }) => `${String(rack)}/${String(node)}`).join(" ");
}

/** Blocks must follow each other without gap or overlap. */
function gaps(name: string, maps: readonly Group[]): PlacedProblem[] {
  for (let i = 1; i < maps.length; i++) {
    const expected = (maps[i - 1].block ?? 0) + maps[i - 1].count;
    const block = maps[i].block ?? 0;
    if (block === expected) continue;
    const message = `the maps of job ${quote(name)} read block ${String(block)} where ${String(expected)} is next; allowed: blocks without gap or overlap`;
    return [{ column: 1, message }];
  }
  return [];
}

function tasksIn(groups: readonly Group[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}

function lengthsOf(groups: readonly Group[], lengthUs: (group: Group) => number): TaskLengths {
  if (groups.length === 0) return NO_TASKS;
  const first = lengthUs(groups[0]);
  if (groups.every((group) => lengthUs(group) === first)) return new FixedLengths(first);
  if (groups.every((group) => group.count === 1)) return new ListedLengths(Float64Array.from(groups, lengthUs));
  return new GroupedLengths(groups.map((group) => ({ count: group.count, lengthUs: lengthUs(group) })));
}
