import { counted, mismatch } from "../../core/kernel/index.js";
import { fileProblem, InputError } from "../input-error.js";
import { allowedNames, quote } from "../scenario/show.js";
import { type CsvField, type CsvRecord, CsvSplitter } from "./csv-records.js";
import { LineProblems, type FieldParser, type PlacedProblem, readLines, type TextLine } from "./lines.js";

/** A kind of CSV with a header. */
export interface TableForm<Column extends string> {
  /** `a table of stages` */
  readonly title: string;
  readonly columns: readonly Column[];
  /** Those that must be there; the others count as empty. */
  readonly required: readonly Column[];
  /** The header that a file without one needs, in words. */
  readonly header: string;
  /** Columns that such files have for other platforms. */
  readonly ofOthers?: readonly string[];
}

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
  value(column: Column, parse: FieldParser): number | undefined {
    const parsed = parse(this.text(column), column);
    if ("value" in parsed) return parsed.value;
    this.report(column, parsed.problem);
    return undefined;
  }

  /** The same of a field that may be empty: undefined then. */
  optional(column: Column, parse: FieldParser): number | undefined {
    return this.text(column) === "" ? undefined : this.value(column, parse);
  }

  /**
   * Returns the place of a field's text in a list; undefined where it is empty, or after a problem was reported.
   */
  choice(column: Column, allowed: readonly string[]): number | undefined {
    const text = this.text(column);
    const place = allowed.indexOf(text);
    if (text === "" || place >= 0) return text === "" ? undefined : place;
    this.report(column, `${column} is ${quote(text)}, expected ${allowed.join(", ")}, or nothing`);
    return undefined;
  }

  /** @param message what was expected and what was found. */
  report(column: Column, message: string): void {
    this.problems.push({ column: this.fields.get(column)?.column ?? 1, message });
  }
}

/**
 * Reads a CSV with a header (RFC 4180), whose columns may stand in any order. Rows with problems count as malformed
 * once `onRow` has returned.
 */
export class TableReader<Column extends string> {
  /** Rows so far. */
  rows = 0;
  private header: readonly Column[] | null = null;
  private readonly splitter = new CsvSplitter((record) => {
    this.takeRecord(record);
  });

  constructor(
    private readonly shown: string,
    private readonly form: TableForm<Column>,
    private readonly problems: LineProblems,
    private readonly onRow: (row: TableRow<Column>) => void,
  ) {}

  readonly take = (line: TextLine) => {
    this.splitter.take(line);
  };

  /** @throws InputError where the file has no header. */
  end(): void {
    const { shown, form } = this;
    this.splitter.end();
    if (this.header === null) throw fileProblem(shown, `is empty; ${form.title} needs ${form.header}`);
  }

  /** @throws InputError where it has no header or no row, or with its malformed rows. */
  endWhole(): void {
    this.end();
    this.problems.refuse();
    if (this.rows > 0) return;
    throw fileProblem(this.shown, `has no row; ${this.form.title} needs at least one below its header`);
  }

  private takeRecord(record: CsvRecord): void {
    const { header, problems } = this;
    if (header === null) {
      this.header = headerOf(record, this.form, this.shown);
      return;
    }
    this.rows++;
    if ("problems" in record) {
      problems.add(record.line, record.problems);
      return;
    }
    const { line, fields } = record;
    if (fields.length !== header.length) {
      const allowed = `${header.length}, one for each column of the header (${header.join(",")})`;
      const message = mismatch(counted(fields.length, "field"), allowed);
      problems.add(line, [{ column: fields[0].column, message }]);
      return;
    }
    const row = new TableRow(line, header, fields);
    this.onRow(row);
    if (row.problems.length > 0) problems.add(line, row.problems);
  }
}

/**
 * Reads a table of an import.
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
  const reader = new TableReader(shown, form, new LineProblems(shown, false), onRow);
  await readLines(path, shown, reader.take, onPause, "docs/formats/spark-event-logs.md describes it");
  reader.endWhole();
}

/** The same of a text that has been read. */
export function parseTable<Column extends string>(
  text: string,
  shown: string,
  form: TableForm<Column>,
  onRow: (row: TableRow<Column>) => void,
): void {
  const reader = new TableReader(shown, form, new LineProblems(shown, false), onRow);
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  for (const [index, line] of lines.entries()) reader.take({ number: index + 1, text: line });
  reader.endWhole();
}

function headerOf<Column extends string>(
  record: CsvRecord,
  { columns, required, ofOthers = [] }: TableForm<Column>,
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
        const description = ofOthers.includes(written)
          ? `the column ${written}, of another platform,`
          : `the unknown column ${quote(written)}`;
        const message = mismatch(`${description} in the header`, allowedNames(columns, written));
        problems.push({ column, message });
      } else if (header.includes(name)) {
        problems.push({
          column,
          message: `column ${quote(written)} stands twice in the header`,
        });
      } else header.push(name);
    }
    const missing = required.filter((name) => !header.includes(name));
    if (problems.length === 0 && missing.length > 0) {
      const message = `the header ${quote(header.join(","))} lacks ${missing.join(", ")}`;
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
