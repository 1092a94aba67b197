import { counted } from "../../core/kernel/index.js";
import { InputError } from "../input-error.js";
import { allowedNames, quote } from "../scenario/show.js";
import { type CsvField, type CsvRecord, CsvSplitter } from "../workloads/csv-records.js";
import {
  fileProblem,
  LineProblems,
  type Parsed,
  type PlacedProblem,
  readLines,
  type TextLine,
} from "../workloads/lines.js";

/** The columns of a CSV with a header. */
export interface TableForm<Column extends string> {
  /** `a table of stages` */
  readonly title: string;
  readonly columns: readonly Column[];
  /** Those that must be there; the others count as empty. */
  readonly required: readonly Column[];
}

/** The hint that messages give on an import's tables. */
const DESCRIBED = "docs/formats/spark-event-logs.md describes it";

/** A row under its header, and what is wrong with it. */
export class TableRow<Column extends string> {
  readonly problems: PlacedProblem[] = [];
  private readonly fields = new Map<Column, CsvField>();

  constructor(
    readonly line: number,
    header: readonly Column[],
    fields: readonly CsvField[],
  ) {
    header.forEach((column, index) => this.fields.set(column, fields[index]));
  }

  /** Without blanks around it; empty where there is no such column. */
  text(column: Column): string {
    return this.fields.get(column)?.text.trim() ?? "";
  }

  /** Returns the value that `parse` reads in a field; undefined after a problem was reported. */
  value(column: Column, parse: (text: string, name: string) => Parsed): number | undefined {
    const parsed = parse(this.text(column), column);
    if ("value" in parsed) return parsed.value;
    this.report(column, parsed.problem);
    return undefined;
  }

  /** @param message what was found and what is allowed. */
  report(column: Column, message: string): void {
    this.problems.push({ column: this.fields.get(column)?.column ?? 1, message });
  }
}

/**
 * Reads a CSV with a header (RFC 4180), whose columns may stand in any order.
 * @param path what to open. @param shown how messages name it. @param onPause called between chunks; what it throws
 *   ends the reading.
 * @throws InputError for a bad header, malformed rows, and for a file that cannot be read or has no row.
 */
export async function readTable<Column extends string>(
  path: string,
  shown: string,
  form: TableForm<Column>,
  onRow: (row: TableRow<Column>) => void,
  onPause?: () => void,
): Promise<void> {
  const { take, end } = tableReader(shown, form, onRow);
  await readLines(path, shown, take, onPause, DESCRIBED);
  end();
}

/** The same of a text that has been read. */
export function parseTable<Column extends string>(
  text: string,
  shown: string,
  form: TableForm<Column>,
  onRow: (row: TableRow<Column>) => void,
): void {
  const { take, end } = tableReader(shown, form, onRow);
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  lines.forEach((line, index) => {
    take({ number: index + 1, text: line });
  });
  end();
}

interface TableReader {
  readonly take: (line: TextLine) => void;
  readonly end: () => void;
}

function tableReader<Column extends string>(
  shown: string,
  form: TableForm<Column>,
  onRow: (row: TableRow<Column>) => void,
): TableReader {
  const problems = new LineProblems(shown, false);
  let header: readonly Column[] | null = null;
  let rows = 0;
  const take = (record: CsvRecord): void => {
    if (header === null) {
      header = headerOf(record, form, shown);
      return;
    }
    rows++;
    if ("problems" in record) {
      problems.add(record.line, record.problems);
      return;
    }
    const { line, fields } = record;
    if (fields.length !== header.length) {
      const allowed = `${String(header.length)}, one for each column of the header (${header.join(",")})`;
      const message = `found ${counted(fields.length, "field")}; allowed: ${allowed}`;
      problems.add(line, [{ column: fields[0].column, message }]);
      return;
    }
    const row = new TableRow(line, header, fields);
    onRow(row);
    if (row.problems.length > 0) problems.add(line, row.problems);
  };
  const splitter = new CsvSplitter(take);
  return {
    take: (line) => {
      splitter.take(line);
    },
    end: () => {
      splitter.end();
      if (header === null) {
        throw fileProblem(shown, `is empty; ${form.title} needs the header ${form.columns.join(",")}`);
      }
      problems.refuse();
      if (rows === 0) throw fileProblem(shown, `has no row; ${form.title} needs at least one below its header`);
    },
  };
}

function headerOf<Column extends string>(
  record: CsvRecord,
  { columns, required }: TableForm<Column>,
  shown: string,
): readonly Column[] {
  const header: Column[] = [];
  const problems: PlacedProblem[] = [];
  if ("problems" in record) problems.push(...record.problems);
  else {
    for (const { text, column } of record.fields) {
      const written = text.trim();
      const name = columns.find((known) => known === written);
      if (name === undefined) {
        const message = `unknown column ${quote(written)} in the header; allowed: ${allowedNames(columns, written)}`;
        problems.push({ column, message });
      } else if (header.includes(name)) {
        problems.push({
          column,
          message: `column ${quote(written)} stands twice in the header; allowed: each name once`,
        });
      } else header.push(name);
    }
    const missing = required.filter((name) => !header.includes(name));
    if (problems.length === 0 && missing.length > 0) {
      const message = `the header lacks ${missing.join(", ")}; found ${quote(header.join(","))}, required: ${required.join(", ")}`;
      problems.push({ column: 1, message });
    }
  }
  if (problems.length === 0) return header;
  throw new InputError(problems.map((problem) => ({ file: shown, line: record.line, ...problem })));
}

/** A row of CSV (RFC 4180) with its line end. */
export function csvRow(values: readonly (string | number)[]): string {
  return `${values.map((value) => csvField(String(value))).join(",")}\n`;
}

function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
