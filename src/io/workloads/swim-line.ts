import { quote } from "../scenario/show.js";
import type { PlacedProblem } from "./line-problems.js";
import { wholeNumber } from "./number-field.js";
import { counted } from "../../core/kernel/words.js";

/** One job of a SWIM trace as the file says it. */
export interface SwimLine {
  readonly job: string;
  readonly submitSeconds: number;
  readonly inputBytes: number;
  readonly shuffleBytes: number;
  readonly outputBytes: number;
  /** Empty when the trace names no input path. */
  readonly inputPath: string;
  /** Columns at which the byte counts stand, for problems that only show later. */
  readonly columns: SwimColumns;
}

export interface SwimColumns {
  readonly submit: number;
  readonly input: number;
  readonly shuffle: number;
}

const MIN_COLUMNS = 6;
const MAX_COLUMNS = 9;
const COLUMN_NAMES =
  "job id, submit s, gap s, input bytes, shuffle bytes, output bytes[, input path[, empty[, output path]]]";
const GAP = /^-?\d{1,16}$/;

/** Blank lines and lines that begin with # carry no job. */
export function isComment(text: string): boolean {
  return text.trim() === "" || text.startsWith("#");
}

/** Reads one line, or tells all that is wrong with it. */
export function parseSwimLine(text: string): SwimLine | readonly PlacedProblem[] {
  const nul = text.indexOf("\0");
  if (nul >= 0)
    return [{ column: nul + 1, message: "found a NUL byte; this is not a text file, allowed: tab-separated text" }];
  const fields = text.split("\t");
  if (fields.length < MIN_COLUMNS || fields.length > MAX_COLUMNS) {
    const found = `found ${counted(fields.length, "tab-separated column")} in ${quote(text)}`;
    return [
      { column: 1, message: `${found}; allowed: ${String(MIN_COLUMNS)} to ${String(MAX_COLUMNS)} (${COLUMN_NAMES})` },
    ];
  }
  return fieldsOf(fields);
}

function fieldsOf(fields: readonly string[]): SwimLine | readonly PlacedProblem[] {
  const columns = startsOf(fields);
  const problems: PlacedProblem[] = [];
  const whole = (index: number, what: string): number => {
    const parsed = wholeNumber(fields[index], what, 0, Number.MAX_SAFE_INTEGER);
    if ("value" in parsed) return parsed.value;
    problems.push({ column: columns[index], message: parsed.problem });
    return 0;
  };
  const job = fields[0].trim();
  if (job === "") problems.push({ column: 1, message: "job id is missing; allowed: any text without tabs" });
  const submitSeconds = whole(1, "submit time");
  if (!GAP.test(fields[2].trim())) {
    problems.push({
      column: columns[2],
      message: `gap is ${quote(fields[2])}; allowed: a whole number of seconds (it is not used)`,
    });
  }
  const line: SwimLine = {
    job,
    submitSeconds,
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
