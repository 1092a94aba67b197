import { counted, sumOver } from "../../core/kernel/index.js";
import { FAILURE_REASONS, YARN_LEVELS } from "../../core/platforms/yarn/index.js";
import { LIMITS, PRIORITIES, type TasksWorkloadSpec } from "../../core/scenario/index.js";
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
import { fileProblem } from "../input-error.js";
import type { RackTargets } from "../scenario/hadoop/cluster.js";
import { needsProblems, type TaskRoom } from "../scenario/hadoop/runtime.js";
import { allowedNames, quote } from "../scenario/show.js";
import { type TableForm, TableReader, type TableRow } from "./csv-table.js";
import {
  bytes,
  type FieldParser,
  LineProblems,
  readLines,
  seconds,
  share,
  textOrMissing,
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
  await readLines(path, spec.file, reader.table.take, onPause);
  return reader.workload();
}

class TasksReader {
  readonly table: TableReader<TaskColumn>;
  private readonly jobs = new Map<string, TaskGroupJob>();
  private readonly problems: LineProblems;
  private readonly submissions: Submissions;

  constructor(
    private readonly spec: TasksWorkloadSpec,
    private readonly cluster: TasksCluster,
  ) {
    this.problems = new LineProblems(spec.file, spec.lenient);
    this.submissions = new Submissions(spec.file, "submit");
    // Without a header no row means anything, so lenience does not reach it.
    this.table = new TableReader(spec.file, formOf(cluster.columns), this.problems, (row) => {
      this.take(row);
    });
  }

  private take(source: TableRow<TaskColumn>): void {
    const row = new RowParser(source, this.cluster.hostOf).row();
    if (source.problems.length > 0) return;
    const known = this.jobs.get(row.job);
    const job = known ?? new TaskGroupJob(row.job, source.line);
    const { submit } = row.ofJob;
    const otherClock = submit === undefined ? null : this.submissions.mismatch(Number(submit), source.line);
    if (otherClock === null) job.add(row);
    else source.report("submit", otherClock);
    if (source.problems.length > 0 || known !== undefined) return;
    if (this.jobs.size === LIMITS.jobs) {
      throw fileProblem(this.spec.file, `has more than ${LIMITS.jobs} jobs; that is the most one run can hold`);
    }
    this.jobs.set(row.job, job);
  }

  workload(): Workload {
    const { spec } = this;
    this.table.end();
    const skippedRows = this.problems.count;
    const files = new SharedFiles();
    const jobs: JobSpec[] = [];
    for (const job of this.jobs.values()) {
      const problems = Array.from(job.problems(this.cluster.room, files), (message) => ({ column: 1, message }));
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

function formOf(columns: readonly TaskColumn[]): TableForm<TaskColumn> {
  return {
    title: "a tasks file",
    columns,
    required: ["job", "type", "seconds", "submit"],
    header: "a header row such as job,type,seconds,submit",
    ofOthers: TASK_COLUMNS,
  };
}

/** One row of a tasks file: `count` equal tasks of one job. What the row leaves open is undefined. */
interface TasksRow {
  readonly job: string;
  readonly isMap: boolean;
  readonly lengthUs: number;
  readonly copyUs: number;
  readonly count: number;
  /** First block read, for maps. */
  readonly block: number | undefined;
  /** The nodes that hold the blocks, for maps. */
  readonly hosts: readonly HostPlace[] | undefined;
  /** The recorded level of a map: a position in YARN_LEVELS. */
  readonly level: number | undefined;
  readonly failures: readonly RecordedFailure[] | undefined;
  readonly ofJob: Readonly<Partial<Record<JobColumn, string | number>>>;
  readonly source: TableRow<TaskColumn>;
}

type ReadField = (row: TableRow<TaskColumn>, column: TaskColumn) => string | number | undefined;

function numberBy(parse: FieldParser): ReadField {
  return (row, column) => row.optional(column, parse);
}

const textIn: ReadField = (row, column) => row.text(column) || undefined;

function nameIn(row: TableRow<TaskColumn>, column: TaskColumn): string | undefined {
  const text = row.text(column);
  if (text.length > LIMITS.nameLength) {
    row.report(column, `${column} has ${text.length} characters, expected at most ${LIMITS.nameLength}`);
  }
  return text || undefined;
}

const TASK_TIME = seconds(1, LIMITS.taskUs);
const COPY_TIME = seconds(0, LIMITS.taskUs);
const COUNT = wholeNumber(1, LIMITS.tasksPerPhase);
const BLOCK = wholeNumber(0, LIMITS.totalTasks);
const SIZE = numberBy(bytes(LIMITS.taskBytes));
const VCORES = numberBy(wholeNumber(1, LIMITS.vcores));
const WAIT = numberBy(seconds(0, LIMITS.waitUs));
const SHARE = numberBy(share);

/** Columns of the whole job, which may stand in any of its rows. Bytes are of each task; see `JobNeeds`. */
const OF_JOB = {
  submit: numberBy(submission(6)),
  user: nameIn,
  pool: nameIn,
  priority: textIn,
  file: nameIn,
  deadline: numberBy(TASK_TIME),
  mapInput: SIZE,
  mapOutput: SIZE,
  reduceOutput: SIZE,
  mapMemory: SIZE,
  reduceMemory: SIZE,
  ioShare: SHARE,
  mapVcores: VCORES,
  reduceVcores: VCORES,
  outcome: textIn,
  slowStart: SHARE,
  masterStart: WAIT,
  masterStartMost: WAIT,
  masterEnd: WAIT,
} as const satisfies Readonly<Partial<Record<TaskColumn, ReadField>>>;

type JobColumn = keyof typeof OF_JOB;

const JOB_COLUMNS = Object.keys(OF_JOB) as JobColumn[];

const FAILED = "failed";
/** Outcomes of a job whose tasks have ended. */
const OUTCOMES = ["succeeded", FAILED];

const TYPES = ["map", "reduce"];

const OF_ONE_TYPE = [
  ["copy", false, "reduces copy"],
  ["block", true, "maps read blocks"],
  ["hosts", true, "maps read blocks"],
  ["level", true, "maps have places"],
] as const;

/** Nodes of Hadoop's scenarios are called `rack/position`. */
export function rackHosts(racks: RackTargets): TasksCluster["hostOf"] {
  return (name) => {
    const slash = name.lastIndexOf("/");
    const position = name.slice(slash + 1);
    if (slash <= 0 || !/^\d{1,9}$/.test(position)) {
      return `hosts names ${quote(name)}, expected nodes as RACK/POSITION, separated by spaces, such as ${racks.names[0]}/0`;
    }
    const rackName = name.slice(0, slash);
    const rack = racks.rackOf(rackName);
    if (rack === undefined) {
      return `hosts names the rack ${quote(rackName)}, expected ${allowedNames(racks.names, rackName)}`;
    }
    const last = racks.nodes[rack] - 1;
    if (Number(position) <= last) return { rack, node: Number(position) };
    return `hosts names node ${position} of rack ${quote(racks.names[rack])}, expected a position from 0 to ${last}`;
  };
}

/** Reads one row; what is wrong with it is reported to its source. */
class RowParser {
  constructor(
    private readonly source: TableRow<TaskColumn>,
    private readonly hostOf: TasksCluster["hostOf"],
  ) {}

  row(): TasksRow {
    const { source } = this;
    const type = source.text("type");
    this.choice("type", TYPES);
    const job = nameIn(source, "job");
    if (job === undefined) source.report("job", "job is missing; each row names its job");
    for (const [column, allowed] of [["priority", PRIORITIES] as const, ["outcome", OUTCOMES] as const]) {
      if (source.text(column) !== "") this.choice(column, allowed);
    }
    this.onlyFor(type);
    return {
      job: job ?? "",
      isMap: type === "map",
      lengthUs: source.value("seconds", TASK_TIME) ?? 1,
      copyUs: source.optional("copy", COPY_TIME) ?? 0,
      count: source.optional("count", COUNT) ?? 1,
      block: source.optional("block", BLOCK),
      hosts: this.hosts(),
      level: source.text("level") === "" ? undefined : this.choice("level", YARN_LEVELS),
      failures: recordedFailures(source, REASONS),
      ofJob: Object.fromEntries(JOB_COLUMNS.map((column) => [column, OF_JOB[column](source, column)])),
      source,
    };
  }

  /** @returns the index of a field's text in `allowed`; -1 after a problem was reported. */
  private choice(column: TaskColumn, allowed: readonly string[]): number {
    const text = this.source.text(column);
    const place = allowed.indexOf(text);
    if (place < 0) {
      this.source.report(column, `${column} is ${textOrMissing(text)}, expected ${allowedNames(allowed, text)}`);
    }
    return place;
  }

  /** Columns that mean something for one of the two types only. */
  private onlyFor(type: string): void {
    for (const [column, isOfMaps, why] of OF_ONE_TYPE) {
      const text = this.source.text(column);
      if (text === "" || type !== (isOfMaps ? "reduce" : "map")) continue;
      this.source.report(column, `${column} is ${quote(text)} in a ${type}'s row, where it must be empty: only ${why}`);
    }
  }

  /** Distinct nodes of the cluster, apart by spaces. */
  private hosts(): readonly HostPlace[] | undefined {
    const text = this.source.text("hosts");
    if (text === "") return undefined;
    const named = text.split(/ +/);
    if (named.length > LIMITS.replication) {
      this.source.report("hosts", `hosts has ${named.length} nodes, expected at most ${LIMITS.replication}`);
      return undefined;
    }
    const seen = new Set<string>();
    const hosts: HostPlace[] = [];
    for (const name of named) {
      const host = this.hostOf(name);
      if (host === null) continue;
      if (typeof host === "string") {
        this.source.report("hosts", host);
        return undefined;
      }
      const key = `${host.rack}/${host.node}`;
      if (seen.has(key)) {
        this.source.report("hosts", `hosts names ${quote(name)} twice`);
        return undefined;
      }
      seen.add(key);
      hosts.push(host);
    }
    return hosts;
  }
}

/** In column `file`: the maps have no input and run equally well anywhere. */
const NO_INPUT = "-";

const DEFAULT_USER = "user";

type Group = Omit<TasksRow, "job" | "isMap" | "ofJob" | "source">;

/** A job of a tasks file, gathered row by row. */
class TaskGroupJob {
  private readonly maps: Group[] = [];
  private readonly reduces: Group[] = [];
  private readonly jobFields = new Map<JobColumn, { readonly value: string | number; readonly line: number }>();

  constructor(
    readonly name: string,
    /** Line of its first row. */
    readonly line: number,
  ) {}

  /** Adds a row; or reports why it does not fit the rows above it, and leaves the job as it was. */
  add(row: TasksRow): void {
    const { source, ofJob, job: _, isMap, ...group } = row;
    for (const column of JOB_COLUMNS) {
      const value = ofJob[column];
      const earlier = this.jobFields.get(column);
      if (value === undefined || earlier === undefined || earlier.value === value) continue;
      const place = `line ${earlier.line}`;
      source.report(column, `${column} of job ${quote(this.name)} differs from the one in ${place}`);
    }
    const groups = isMap ? this.maps : this.reduces;
    const tasks = tasksIn(groups) + group.count;
    if (tasks > LIMITS.tasksPerPhase) {
      const noun = isMap ? "maps" : "reduces";
      source.report(
        "count",
        `job ${quote(this.name)} has ${tasks} ${noun} up to here, expected at most ${LIMITS.tasksPerPhase}`,
      );
    }
    if (source.problems.length > 0) return;
    for (const column of JOB_COLUMNS) {
      const value = ofJob[column];
      if (value !== undefined && !this.jobFields.has(column)) this.jobFields.set(column, { value, line: source.line });
    }
    groups.push(group);
  }

  /** Problems of the job as a whole, once all its rows are there. */
  *problems(room: TaskRoom, files: SharedFiles): Generator<string> {
    const name = quote(this.name);
    for (const { key, actual, allowed } of this.needsProblems(room)) {
      yield `${key} of job ${name} is ${actual}, expected ${allowed}`;
    }
    yield* this.hostProblems(files);
    if (!this.jobFields.has("submit")) yield `job ${name} has no submit time in any of its rows`;
    const [shortest, longest] = [this.number("masterStart"), this.number("masterStartMost")];
    if (longest !== undefined && !(longest >= (shortest ?? Infinity))) {
      yield `masterStartMost of job ${name} must be at least its masterStart`;
    }
    const withBlock = this.maps.filter((group) => group.block !== undefined);
    if (withBlock.length === 0) return;
    if (withBlock.length < this.maps.length) {
      yield `job ${name} gives the block of ${withBlock.length} of its ${this.maps.length} map rows; give those of all or of none`;
    } else if (this.jobFields.get("file")?.value === NO_INPUT) {
      yield `job ${name} gives blocks, but its file is "-" (no input)`;
    } else {
      yield* gaps(this.name, this.sortedMaps());
    }
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

  /** Problems of hosts for a job without input, and of blocks of a shared file for which jobs give different hosts. */
  private *hostProblems(files: SharedFiles): Generator<string> {
    const maps = this.sortedMaps();
    if (maps.every(({ hosts }) => hosts === undefined)) return;
    const file = this.text("file") ?? "";
    if (file === NO_INPUT) {
      yield `job ${quote(this.name)} gives hosts, but its file is "-" (no input)`;
      return;
    }
    let block = maps[0].block ?? 0;
    for (const { count, hosts } of maps) {
      for (let k = 0; k < count && hosts !== undefined; k++) {
        const known = files.hostsOf(file, block + k);
        if (known === undefined || shown(known) === shown(hosts)) continue;
        yield `job ${quote(this.name)} puts block ${block + k} of ${quote(file)} on other hosts than a job before it`;
        return;
      }
      block += count;
    }
  }

  private needsProblems(room: TaskRoom) {
    const job = {
      maps: tasksIn(this.maps),
      reduces: tasksIn(this.reduces),
      mapOutput: this.number("mapOutput"),
      mapMemory: this.number("mapMemory"),
      reduceMemory: this.number("reduceMemory"),
    };
    return needsProblems(job, room);
  }

  /** Maps in the order of their blocks, since map i of a job reads block firstBlock + i. */
  private sortedMaps(): Group[] {
    return [...this.maps].sort((a, b) => (a.block ?? 0) - (b.block ?? 0));
  }

  private number(column: JobColumn): number | undefined {
    return this.jobFields.has(column) ? Number(this.jobFields.get(column)?.value) : undefined;
  }

  private text(column: JobColumn): string | undefined {
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
  return hosts.map(({ rack, node }) => `${rack}/${node}`).join(" ");
}

/** Blocks must follow each other without gap or overlap. */
function* gaps(name: string, maps: readonly Group[]): Generator<string> {
  for (let i = 1; i < maps.length; i++) {
    const expected = (maps[i - 1].block ?? 0) + maps[i - 1].count;
    const block = maps[i].block ?? 0;
    if (block === expected) continue;
    yield `the maps of job ${quote(name)} read block ${block} where block ${expected} is next`;
    return;
  }
}

function tasksIn(groups: readonly Group[]): number {
  return sumOver(groups, (group) => group.count);
}

function lengthsOf(groups: readonly Group[], lengthUs: (group: Group) => number): TaskLengths {
  if (groups.length === 0) return NO_TASKS;
  const first = lengthUs(groups[0]);
  if (groups.every((group) => lengthUs(group) === first)) return new FixedLengths(first);
  if (groups.every((group) => group.count === 1)) return new ListedLengths(Float64Array.from(groups, lengthUs));
  return new GroupedLengths(groups.map((group) => ({ count: group.count, lengthUs: lengthUs(group) })));
}
