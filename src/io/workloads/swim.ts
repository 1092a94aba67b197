import { US_PER_SECOND, counted, mismatch } from "../../core/kernel/index.js";
import { type JobNeeds, LIMITS, PRIORITIES, type SwimWorkloadSpec } from "../../core/scenario/index.js";
import {
  FixedLengths,
  FullButLastLengths,
  inSubmissionOrder,
  JobOwners,
  type JobSpec,
  NO_TASKS,
  SharedFiles,
  type TaskLengths,
  type Workload,
} from "../../core/workload/index.js";
import { quote } from "../scenario/show.js";
import { LineProblems, type PlacedProblem, readLines, type TextLine, wholeNumber } from "./lines.js";
import { submission, Submissions } from "./submissions.js";
import { fileProblem } from "../input-error.js";

const NORMAL = PRIORITIES.indexOf("normal");

/**
 * Reads a SWIM trace (docs/formats/swim.md) line by line. Jobs that name one input path share a file; without a path
 * each job has a file of its own. Users come from a Zipf draw by position in the trace; a user's pool has the user's
 * name.
 * @param path what to open; messages name `spec.file`.
 * @throws InputError for malformed lines (with place, what was expected and what was found) unless `spec.lenient`, for
 * a file that cannot be read, and for one without a single job.
 */
export async function readSwim(
  spec: SwimWorkloadSpec,
  path: string,
  rootSeed: string,
  onPause?: () => void,
): Promise<Workload> {
  const reader = new SwimReader(spec, rootSeed);
  const take = (line: TextLine) => {
    reader.take(line);
  };
  await readLines(path, spec.file, take, onPause);
  return reader.workload();
}

class SwimReader {
  /** Submitted as the file says it until all are there. */
  private readonly jobs: (JobSpec & { submitAtUs: number })[] = [];
  private readonly files = new SharedFiles();
  private readonly owners: JobOwners;
  private readonly problems: LineProblems;
  private readonly submissions: Submissions;
  private outOfOrder = 0;

  constructor(
    private readonly spec: SwimWorkloadSpec,
    rootSeed: string,
  ) {
    this.owners = new JobOwners(spec, rootSeed);
    this.problems = new LineProblems(spec.file, spec.lenient);
    this.submissions = new Submissions(spec.file, "submit time");
  }

  take(read: TextLine): void {
    const { number, text } = read;
    if (text === null) {
      this.problems.add(number, [read.problem]);
      return;
    }
    if (isComment(text)) return;
    const line = parseSwimLine(text);
    if (!("job" in line)) {
      this.problems.add(number, line);
      return;
    }
    const otherClock = this.submissions.mismatch(line.submitUs, number);
    if (otherClock !== null) {
      this.problems.add(number, [{ column: line.columns.submit, message: otherClock }]);
      return;
    }
    const tasks = tasksOf(line, this.spec);
    if (!("maps" in tasks)) {
      this.problems.add(number, tasks);
      return;
    }
    if (this.jobs.length === LIMITS.jobs) {
      throw fileProblem(this.spec.file, `has more than ${LIMITS.jobs} jobs; that is the most one run can hold`);
    }
    const owners = this.owners.ofJob(this.jobs.length);
    const file = this.files.indexOf(line.inputPath, line.job, tasks.maps);
    if (line.submitUs < (this.jobs.at(-1)?.submitAtUs ?? 0)) this.outOfOrder++;
    this.submissions.add(line.submitUs);
    const known = { name: line.job, submitAtUs: line.submitUs, ...owners, priority: NORMAL };
    this.jobs.push({ ...known, input: { file, firstBlock: 0 }, ...tasks });
  }

  workload(): Workload {
    this.problems.refuse();
    const { spec } = this;
    const skipped = this.problems.count;
    if (this.jobs.length === 0) {
      throw fileProblem(
        spec.file,
        `has no job${skipped === 0 ? "" : ` (${counted(skipped, "malformed line")} skipped)`}; a trace needs at least one line of 6 to 9 tab-separated columns`,
      );
    }
    const { originUs } = this.submissions;
    for (const job of this.jobs) job.submitAtUs = Math.round((job.submitAtUs - originUs) / spec.timeScale);
    const notes = this.submissions.notes();
    if (skipped > 0) notes.push(`${spec.file}: skipped ${counted(skipped, "malformed line")}`);
    if (this.outOfOrder > 0) {
      notes.push(
        `${spec.file}: ${counted(this.outOfOrder, "job")} submitted before the line above; jobs were sorted by submit time`,
      );
    }
    return { jobs: inSubmissionOrder(this.jobs), files: this.files.list(), notes };
  }
}

/** One job of a SWIM trace as the file says it. */
interface SwimLine {
  readonly job: string;
  readonly submitUs: number;
  readonly inputBytes: number;
  readonly shuffleBytes: number;
  readonly outputBytes: number;
  /** Empty when the trace names no input path. */
  readonly inputPath: string;
  /** Columns at which time and byte counts stand, for problems that only show later. */
  readonly columns: SwimColumns;
}

interface SwimColumns {
  readonly submit: number;
  readonly input: number;
  readonly shuffle: number;
}

const MIN_COLUMNS = 6;

const MAX_COLUMNS = 9;

const COLUMN_NAMES =
  "job id, submit s, gap s, input bytes, shuffle bytes, output bytes[, input path[, empty[, output path]]]";

const GAP = /^-?\d{1,16}$/;

const BYTES = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const SUBMISSION = submission(0);

/** Blank lines and lines that begin with # carry no job. */
function isComment(text: string): boolean {
  return text.trim() === "" || text.startsWith("#");
}

/** Reads one line, or tells all that is wrong with it. */
export function parseSwimLine(text: string): SwimLine | readonly PlacedProblem[] {
  const nul = text.indexOf("\0");
  if (nul >= 0) return [{ column: nul + 1, message: "expected tab-separated text, found a NUL byte" }];
  const fields = text.split("\t");
  if (fields.length < MIN_COLUMNS || fields.length > MAX_COLUMNS) {
    const actual = `${counted(fields.length, "tab-separated column")} in ${quote(text)}`;
    return [{ column: 1, message: mismatch(actual, `${MIN_COLUMNS} to ${MAX_COLUMNS} (${COLUMN_NAMES})`) }];
  }
  return fieldsOf(fields);
}

function fieldsOf(fields: readonly string[]): SwimLine | readonly PlacedProblem[] {
  const columns = startsOf(fields);
  const problems: PlacedProblem[] = [];
  const whole = (index: number, noun: string) => {
    const parsed = BYTES(fields[index], noun);
    if ("value" in parsed) return parsed.value;
    problems.push({ column: columns[index], message: parsed.problem });
    return 0;
  };
  const job = fields[0].trim();
  if (job === "") problems.push({ column: 1, message: "job id is missing" });
  const submitted = SUBMISSION(fields[1], "submit time");
  if ("problem" in submitted) problems.push({ column: columns[1], message: submitted.problem });
  if (!GAP.test(fields[2].trim())) {
    problems.push({
      column: columns[2],
      message: `gap is ${quote(fields[2])}, expected a whole number of seconds (it is not used)`,
    });
  }
  const line: SwimLine = {
    job,
    submitUs: "value" in submitted ? submitted.value : 0,
    inputBytes: whole(3, "input bytes"),
    shuffleBytes: whole(4, "shuffle bytes"),
    outputBytes: whole(5, "output bytes"),
    inputPath: (fields[6] ?? "").trim(),
    columns: { submit: columns[1], input: columns[3], shuffle: columns[4] },
  };
  return problems.length === 0 ? line : problems;
}

function startsOf(fields: readonly string[]): number[] {
  let column = 1;
  return fields.map((field) => {
    const start = column;
    column += field.length + 1;
    return start;
  });
}

/** The tasks of one line by the conversion rules: a SWIM trace has bytes, no tasks and no times. */
interface SwimTasks extends JobNeeds {
  readonly maps: number;
  readonly reduces: number;
  readonly mapLengths: TaskLengths;
  readonly copyLengths: TaskLengths;
  readonly reduceLengths: TaskLengths;
}

/**
 * From bytes to tasks, as docs/formats/swim.md states it. Maps: one per `bytesPerMap` begun, at least 1, at most
 * `maxMaps`. Reduces: none without shuffle bytes, else one per `bytesPerReduce` begun, at most `maxReduces`. Times:
 * bytes over rate, and `taskOverheadUs` for every map and reduce. Bytes of a task: the job's, in equal parts. Or what
 * is wrong: a time or a number of tasks beyond what a run can hold.
 */
export function tasksOf(line: SwimLine, spec: SwimWorkloadSpec): SwimTasks | readonly PlacedProblem[] {
  const { inputBytes, shuffleBytes, outputBytes, columns } = line;
  const maps = Math.min(spec.maxMaps, Math.max(1, Math.ceil(inputBytes / spec.bytesPerMap)));
  const reduces = shuffleBytes === 0 ? 0 : Math.min(spec.maxReduces, Math.ceil(shuffleBytes / spec.bytesPerReduce));
  const isCapped = maps * spec.bytesPerMap < inputBytes;
  const fullBytes = maps === 1 || isCapped ? inputBytes / maps : spec.bytesPerMap;
  const lastBytes = isCapped ? fullBytes : inputBytes - (maps - 1) * fullBytes;
  const fullUs = timeUs(fullBytes, spec.mapBytesPerSecond, spec.taskOverheadUs);
  const lastUs = timeUs(lastBytes, spec.mapBytesPerSecond, spec.taskOverheadUs);
  const copyUs = Math.round((shuffleBytes / reduces / spec.shuffleBytesPerSecond) * US_PER_SECOND);
  const reduceUs = timeUs((shuffleBytes + outputBytes) / reduces, spec.reduceBytesPerSecond, spec.taskOverheadUs);

  const problems: PlacedProblem[] = [];
  const limit = (value: number, high: number, column: number, noun: string) => {
    if (value > high) problems.push({ column, message: `expected at most ${high} ${noun}, found ${value}` });
  };
  limit(maps, LIMITS.tasksPerPhase, columns.input, "maps from the input bytes (see bytesPerMap, maxMaps)");
  limit(
    fullUs,
    LIMITS.taskUs,
    columns.input,
    "microseconds of one map from the input bytes (see bytesPerMap, mapRate)",
  );
  if (reduces > 0) {
    limit(
      reduces,
      LIMITS.tasksPerPhase,
      columns.shuffle,
      "reduces from the shuffle bytes (see bytesPerReduce, maxReduces)",
    );
    limit(copyUs, LIMITS.taskUs, columns.shuffle, "microseconds of one copy from the shuffle bytes (see shuffleRate)");
    limit(
      reduceUs,
      LIMITS.taskUs,
      columns.shuffle,
      "microseconds of one reduce from shuffle and output bytes (see reduceRate)",
    );
  }
  if (problems.length > 0) return problems;
  return {
    maps,
    reduces,
    mapLengths: fullUs === lastUs ? new FixedLengths(fullUs) : new FullButLastLengths(maps, fullUs, lastUs),
    copyLengths: reduces === 0 ? NO_TASKS : new FixedLengths(copyUs),
    reduceLengths: reduces === 0 ? NO_TASKS : new FixedLengths(reduceUs),
    ...bytesOf(line, maps, reduces),
  };
}

/**
 * Without reduces it is the maps that write the job's output, and nothing is shuffled even if `maxReduces` made it so.
 */
function bytesOf({ inputBytes, shuffleBytes, outputBytes }: SwimLine, maps: number, reduces: number): JobNeeds {
  return {
    inputBytesPerMap: Math.round(inputBytes / maps),
    mapOutputBytes: Math.round((reduces === 0 ? outputBytes : shuffleBytes) / maps),
    outputBytesPerReduce: reduces === 0 ? undefined : Math.round(outputBytes / reduces),
  };
}

function timeUs(bytes: number, bytesPerSecond: number, overheadUs: number): number {
  return Math.max(1, overheadUs + Math.round((bytes / bytesPerSecond) * US_PER_SECOND));
}
