import { PRIORITIES } from "../../core/workload/job.js";
import { LIMITS } from "../scenario/limits.js";
import { allowedNames, quote } from "../scenario/show.js";
import type { CsvField } from "./csv-records.js";
import type { PlacedProblem } from "./line-problems.js";
import { bytes, seconds, share, wholeNumber, type Parsed } from "./number-field.js";
import type { TaskColumn, TasksHeader } from "./tasks-header.js";
import { counted } from "../../core/kernel/words.js";

/** One row of a tasks file: `count` equal tasks of one job. What the row leaves open is undefined. */
export interface TasksRow {
  readonly job: string;
  readonly isMap: boolean;
  readonly lengthUs: number;
  readonly copyUs: number;
  readonly count: number;
  /** First block read, for maps. */
  readonly block: number | undefined;
  readonly ofJob: JobColumns;
  /** Where each column's field begins. */
  readonly columns: ReadonlyMap<TaskColumn, number>;
}

/** What holds for the whole job and may stand in any of its rows. */
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
}

const TYPES = ["map", "reduce"];
const MAX_BLOCK = LIMITS.totalTasks;

/** Reads one row under its header, or tells all that is wrong with it. */
export function parseRow(fields: readonly CsvField[], header: TasksHeader): TasksRow | readonly PlacedProblem[] {
  if (fields.length !== header.length) {
    const message = `found ${counted(fields.length, "field")}; allowed: ${String(header.length)}, one for each column of the header (${header.join(",")})`;
    return [{ column: fields[0].column, message }];
  }
  return new RowParser(fields, header).row();
}

class RowParser {
  private readonly texts = new Map<TaskColumn, string>();
  private readonly columns = new Map<TaskColumn, number>();
  private readonly problems: PlacedProblem[] = [];

  constructor(fields: readonly CsvField[], header: TasksHeader) {
    header.forEach((name, index) => {
      this.texts.set(name, fields[index].text.trim());
      this.columns.set(name, fields[index].column);
    });
  }

  row(): TasksRow | readonly PlacedProblem[] {
    const type = this.text("type");
    if (!TYPES.includes(type)) this.report("type", `type is ${found(type)}; allowed: ${allowedNames(TYPES, type)}`);
    const job = this.name("job");
    if (job === undefined) this.report("job", "job is missing; allowed: the job's name, in each of its rows");
    const priority = this.text("priority");
    if (priority !== "" && !PRIORITIES.some((name) => name === priority)) {
      this.report("priority", `priority is ${found(priority)}; allowed: ${allowedNames(PRIORITIES, priority)}`);
    }
    this.onlyFor(type);
    const row: TasksRow = {
      job: job ?? "",
      isMap: type === "map",
      lengthUs: this.number("seconds", (text) => seconds(text, "seconds", 1, LIMITS.taskUs)) ?? 1,
      copyUs: this.optional("copy", (text) => seconds(text, "copy", 0, LIMITS.taskUs)) ?? 0,
      count: this.optional("count", (text) => wholeNumber(text, "count", 1, LIMITS.tasksPerPhase)) ?? 1,
      block: this.optional("block", (text) => wholeNumber(text, "block", 0, MAX_BLOCK)),
      ofJob: {
        submit: this.optional("submit", (text) => seconds(text, "submit", 0)),
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
      },
      columns: this.columns,
    };
    return this.problems.length === 0 ? row : this.problems;
  }

  /** Columns that mean something for one of the two types only. */
  private onlyFor(type: string): void {
    const [copy, block] = [this.text("copy"), this.text("block")];
    if (type === "map" && copy !== "") {
      this.report("copy", `copy is ${found(copy)} in a map's row; allowed: nothing, only reduces copy`);
    }
    if (type === "reduce" && block !== "") {
      this.report("block", `block is ${found(block)} in a reduce's row; allowed: nothing, only maps read blocks`);
    }
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

function found(text: string): string {
  return text === "" ? "missing" : quote(text);
}
