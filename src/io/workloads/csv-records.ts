import { quote } from "../scenario/show.js";
import { MAX_LINE_BYTES, type PlacedProblem, type TextLine } from "./lines.js";
import { mismatch } from "../../core/kernel/index.js";

/** One field and where it begins. A quoted field may begin on a later line than its record. */
export interface CsvField {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** A record, or the problem at its line. */
export type CsvRecord =
  | { readonly line: number; readonly fields: readonly CsvField[] }
  | { readonly line: number; readonly problems: readonly PlacedProblem[] };

/** A quoted field that still waits for its closing quote. */
interface OpenField {
  readonly line: number;
  readonly column: number;
  text: string;
}

const SHOULD_QUOTE = 'a field stands without quotes, or wholly in quotes, with quotes inside doubled ("")';

/**
 * Splits lines into records of comma-separated fields by RFC 4180: fields may stand in double quotes, and may then hold
 * commas, line ends (handed on as LF) and doubled quotes. Spaces count. Blank lines between records are passed over.
 * After a malformed record it goes on with the next line.
 */
export class CsvSplitter {
  private fields: CsvField[] = [];
  private open: OpenField | null = null;
  private recordLine = 0;

  constructor(private readonly onRecord: (record: CsvRecord) => void) {}

  take(read: TextLine): void {
    const { number, text } = read;
    if (text === null) {
      this.fail(number, read.problem.column, read.problem.message);
      return;
    }
    const nul = text.indexOf("\0");
    if (nul >= 0) {
      this.fail(number, nul + 1, "expected comma-separated text, found a NUL byte");
      return;
    }
    if (this.open === null) {
      if (text.trim() === "") return;
      this.recordLine = number;
      this.readFields(text, number, 0);
      return;
    }
    this.open.text += "\n";
    if (this.open.text.length + text.length > MAX_LINE_BYTES) {
      const { line, column } = this.open;
      this.fail(
        line,
        column,
        `the quote opened here is not closed within ${MAX_LINE_BYTES} characters; ${SHOULD_QUOTE}`,
      );
      return;
    }
    this.readQuoted(text, number, 0);
  }

  /** A quote still open at the end of the file is a problem where it was opened. */
  end(): void {
    if (this.open === null) return;
    const { line, column } = this.open;
    this.fail(line, column, `the quote opened here is never closed; ${SHOULD_QUOTE}`);
  }

  /** Fields from position `from` of `text`, which begins a field. */
  private readFields(text: string, line: number, from: number): void {
    let start = from;
    for (;;) {
      if (text[start] === '"') {
        this.open = { line, column: start + 1, text: "" };
        this.readQuoted(text, line, start + 1);
        return;
      }
      const comma = text.indexOf(",", start);
      const end = comma < 0 ? text.length : comma;
      const field = text.slice(start, end);
      const stray = field.indexOf('"');
      if (stray >= 0) {
        this.fail(line, start + stray + 1, `there is a quote inside ${quote(field)}; ${SHOULD_QUOTE}`);
        return;
      }
      this.fields.push({ text: field, line, column: start + 1 });
      if (comma < 0) {
        this.finish();
        return;
      }
      start = comma + 1;
    }
  }

  /** Reads the rest of the open field, from position `from` of `text`, and then the fields behind it. */
  private readQuoted(text: string, line: number, from: number): void {
    const open = this.open;
    if (open === null) return;
    let start = from;
    for (;;) {
      const end = text.indexOf('"', start);
      if (end < 0) {
        open.text += text.slice(start);
        return;
      }
      open.text += text.slice(start, end);
      if (text[end + 1] !== '"') {
        this.close(open, text, line, end + 1);
        return;
      }
      open.text += '"';
      start = end + 2;
    }
  }

  /** `after` is the position behind the closing quote. */
  private close(open: OpenField, text: string, line: number, after: number): void {
    this.open = null;
    this.fields.push({ text: open.text, line: open.line, column: open.column });
    if (after === text.length) this.finish();
    else if (text[after] === ",") this.readFields(text, line, after + 1);
    else
      this.fail(
        line,
        after + 1,
        mismatch(`${quote(text[after])} behind a closing quote`, "a comma or the end of the line"),
      );
  }

  private finish(): void {
    const fields = this.fields;
    this.fields = [];
    this.onRecord({ line: this.recordLine, fields });
  }

  private fail(line: number, column: number, message: string): void {
    this.fields = [];
    this.open = null;
    this.onRecord({ line, problems: [{ column, message }] });
  }
}
