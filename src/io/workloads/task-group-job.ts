import { type JobSpec, PRIORITIES, type SharedFiles, type TaskLengths } from "../../core/workload/job.js";
import { FixedLengths, GroupedLengths, ListedLengths, NO_TASKS } from "../../core/workload/task-lengths.js";
import { LIMITS } from "../scenario/limits.js";
import { quote } from "../scenario/show.js";
import { needsProblems, type TaskRoom } from "../scenario/runtime.js";
import type { PlacedProblem } from "./line-problems.js";
import type { JobColumns, TasksRow } from "./tasks-row.js";

/** In column `file`: the maps have no input and run equally well anywhere. */
const NO_INPUT = "-";
const DEFAULT_USER = "user";

interface Group {
  readonly count: number;
  readonly lengthUs: number;
  readonly copyUs: number;
  readonly block: number | undefined;
}

/** A job of a tasks file, gathered row by row. */
export class TaskGroupJob {
  private readonly maps: Group[] = [];
  private readonly reduces: Group[] = [];
  private readonly given = new Map<keyof JobColumns, { readonly value: string | number; readonly line: number }>();

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
      const earlier = this.given.get(column);
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
      if (value !== undefined && !this.given.has(column)) this.given.set(column, { value, line });
    }
    groups.push(row);
    return problems;
  }

  /** What is wrong with the job as a whole, once all its rows are there. */
  problems(room: TaskRoom): readonly PlacedProblem[] {
    const problems = this.needsProblems(room);
    if (!this.given.has("submit")) {
      problems.push({
        column: 1,
        message: `job ${quote(this.name)} has no submit time; allowed: seconds in at least one of its rows`,
      });
    }
    const withBlock = this.maps.filter((group) => group.block !== undefined);
    if (withBlock.length === 0) return problems;
    if (withBlock.length < this.maps.length) {
      const message = `job ${quote(this.name)} gives the block of ${String(withBlock.length)} of its ${String(this.maps.length)} map rows; allowed: of all or of none`;
      problems.push({ column: 1, message });
    } else if (this.given.get("file")?.value === NO_INPUT) {
      problems.push({ column: 1, message: `job ${quote(this.name)} gives blocks, but its file is "-" (no input)` });
    } else {
      problems.push(...gaps(this.name, this.sortedMaps()));
    }
    return problems;
  }

  /** The job, when `problems` found none. */
  build(files: SharedFiles): JobSpec {
    const maps = this.sortedMaps();
    const user = this.text("user") ?? DEFAULT_USER;
    const file = this.text("file") ?? "";
    const mapCount = tasksIn(maps);
    const firstBlock = maps[0]?.block ?? 0;
    const hasInput = mapCount > 0 && file !== NO_INPUT;
    return {
      name: this.name,
      submitAtUs: Number(this.given.get("submit")?.value),
      user,
      pool: this.text("pool") ?? user,
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
      input: hasInput ? { file: files.indexOf(file, this.name, firstBlock + mapCount), firstBlock } : null,
    };
  }

  private needsProblems(room: TaskRoom): PlacedProblem[] {
    const job = {
      ...{ maps: tasksIn(this.maps), reduces: tasksIn(this.reduces), mapOutput: this.number("mapOutput") },
      ...{ mapMemory: this.number("mapMemory"), reduceMemory: this.number("reduceMemory") },
    };
    return needsProblems(job, room).map(({ key, found, allowed }) => {
      return { column: 1, message: `${key} of job ${quote(this.name)} is ${found}; allowed: ${allowed}` };
    });
  }

  /** Maps in the order of their blocks, since map i of a job reads block firstBlock + i. */
  private sortedMaps(): Group[] {
    return [...this.maps].sort((a, b) => (a.block ?? 0) - (b.block ?? 0));
  }

  private number(column: keyof JobColumns): number | undefined {
    return this.given.has(column) ? Number(this.given.get(column)?.value) : undefined;
  }

  private text(column: keyof JobColumns): string | undefined {
    return this.given.get(column)?.value.toString();
  }
}

/** Blocks must follow each other without gap or overlap. */
function gaps(name: string, maps: readonly Group[]): PlacedProblem[] {
  for (let i = 1; i < maps.length; i++) {
    const expected = (maps[i - 1].block ?? 0) + maps[i - 1].count;
    const found = maps[i].block ?? 0;
    if (found === expected) continue;
    const message = `the maps of job ${quote(name)} read block ${String(found)} where ${String(expected)} is next; allowed: blocks without gap or overlap`;
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
