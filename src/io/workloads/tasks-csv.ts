import type { TasksWorkloadSpec } from "../../core/scenario/scenario.js";
import { inSubmissionOrder, type JobSpec, SharedFiles, type Workload } from "../../core/workload/job.js";
import { LIMITS } from "../scenario/limits.js";
import type { TaskRoom } from "../scenario/runtime.js";
import { InputError } from "../input-error.js";
import { CsvSplitter, type CsvRecord } from "./csv-records.js";
import { LineProblems } from "./line-problems.js";
import { fileProblem, readLines, type TextLine } from "./line-reader.js";
import { TaskGroupJob } from "./task-group-job.js";
import { parseHeader, type TasksHeader } from "./tasks-header.js";
import { parseRow } from "./tasks-row.js";

/**
 * Reads one's own jobs and tasks from a CSV (docs/formats/tasks-csv.md): a header, then one row per task or per group of
 * equal tasks. The rows of a job may stand anywhere.
 * @param path what to open; messages name `spec.file`.
 * @param room a job whose tasks need more memory than any node has is inconsistent.
 * @throws InputError for a bad header; for malformed rows and inconsistent jobs unless `spec.lenient`; for a file that
 * cannot be read; and for one without a single job.
 */
export async function readTasksCsv(
  spec: TasksWorkloadSpec,
  path: string,
  room: TaskRoom,
  onPause?: () => void,
): Promise<Workload> {
  const reader = new TasksReader(spec, room);
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
  private header: TasksHeader | null = null;

  constructor(
    private readonly spec: TasksWorkloadSpec,
    private readonly room: TaskRoom,
  ) {
    this.problems = new LineProblems(spec.file, spec.lenient);
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
    const row = parseRow(record.fields, this.header);
    if (!("job" in row)) {
      this.problems.add(record.line, row);
      return;
    }
    const known = this.jobs.get(row.job);
    const job = known ?? new TaskGroupJob(row.job, record.line);
    const misfits = job.add(row, record.line);
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

  /** Without a header no row means anything, so lenience does not reach it. */
  private readHeader(record: CsvRecord): TasksHeader {
    const parsed = "problems" in record ? record : parseHeader(record.fields);
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
      const found = job.problems(this.room);
      if (found.length > 0) this.problems.add(job.line, found);
      else jobs.push(job.build(files));
    }
    this.problems.refuse();
    const skippedJobs = this.problems.count - skippedRows;
    if (jobs.length === 0) {
      const skipped = `${String(skippedRows)} malformed rows and ${String(skippedJobs)} inconsistent jobs were skipped`;
      throw fileProblem(
        spec.file,
        `has no job${this.problems.count === 0 ? "" : ` (${skipped})`}; a tasks file needs at least one row below its header`,
      );
    }
    const notes: string[] = [];
    if (skippedRows > 0) notes.push(`${spec.file}: skipped ${String(skippedRows)} malformed rows`);
    if (skippedJobs > 0) notes.push(`${spec.file}: skipped ${String(skippedJobs)} inconsistent jobs`);
    return { jobs: inSubmissionOrder(jobs), files: files.list(), notes };
  }
}
