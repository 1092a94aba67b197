import type { SwimWorkloadSpec } from "../../core/scenario/scenario.js";
import {
  inSubmissionOrder,
  type JobSpec,
  PRIORITIES,
  SharedFiles,
  type Workload,
  ZipfUsers,
} from "../../core/workload/job.js";
import { LIMITS } from "../scenario/limits.js";
import { LineProblems } from "./line-problems.js";
import { fileProblem, readLines, type TextLine } from "./line-reader.js";
import { isComment, parseSwimLine } from "./swim-line.js";
import { tasksOf } from "./swim-rules.js";

const NORMAL = PRIORITIES.indexOf("normal");

/**
 * Reads a SWIM trace (docs/formats/swim.md) line by line. Jobs that name one input path share a file; without a path each job
 * has a file of its own. Users come from a Zipf draw by position in the trace; a user's pool has the user's name.
 * @param path what to open; messages name `spec.file`.
 * @throws InputError for malformed lines (with place, what was found and what is allowed) unless `spec.lenient`, for
 * a file that cannot be read, and for one without a single job.
 */
export async function readSwim(
  spec: SwimWorkloadSpec,
  path: string,
  rootSeed: string,
  onPause?: () => void,
): Promise<Workload> {
  const reader = new SwimReader(spec, rootSeed);
  const take = (line: TextLine): void => {
    reader.take(line);
  };
  await readLines(path, spec.file, take, onPause);
  return reader.workload();
}

class SwimReader {
  private readonly jobs: JobSpec[] = [];
  private readonly files = new SharedFiles();
  private readonly users: ZipfUsers;
  private readonly problems: LineProblems;
  private outOfOrder = 0;

  constructor(
    private readonly spec: SwimWorkloadSpec,
    rootSeed: string,
  ) {
    this.users = new ZipfUsers(spec.users, rootSeed);
    this.problems = new LineProblems(spec.file, spec.lenient);
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
    const tasks = tasksOf(line, this.spec);
    if (!("maps" in tasks)) {
      this.problems.add(number, tasks);
      return;
    }
    if (this.jobs.length === LIMITS.jobs) {
      throw fileProblem(this.spec.file, `has more than ${String(LIMITS.jobs)} jobs; that is the most one run can hold`);
    }
    const user = this.users.userOf(this.jobs.length);
    const file = this.files.indexOf(line.inputPath, line.job, tasks.maps);
    const previous = this.jobs.at(-1);
    if (previous !== undefined && tasks.submitAtUs < previous.submitAtUs) this.outOfOrder++;
    this.jobs.push({ name: line.job, user, pool: user, priority: NORMAL, input: { file, firstBlock: 0 }, ...tasks });
  }

  workload(): Workload {
    this.problems.refuse();
    const { spec } = this;
    const skipped = this.problems.count;
    if (this.jobs.length === 0) {
      throw fileProblem(
        spec.file,
        `has no job${skipped === 0 ? "" : ` (${String(skipped)} malformed lines were skipped)`}; a trace needs at least one line of 6 to 9 tab-separated columns`,
      );
    }
    const notes: string[] = [];
    if (skipped > 0) notes.push(`${spec.file}: skipped ${String(skipped)} malformed lines`);
    if (this.outOfOrder > 0) {
      notes.push(
        `${spec.file}: ${String(this.outOfOrder)} lines were submitted before the line above them; jobs were sorted by submit time`,
      );
    }
    return { jobs: inSubmissionOrder(this.jobs), files: this.files.list(), notes };
  }
}
