import { createHash } from "node:crypto";
import { type FileHandle, open, stat } from "node:fs/promises";
import { US_PER_SECOND } from "../../core/kernel/index.js";
import { type Diagnostic, fileProblem, InputError, problemOf } from "../input-error.js";
import { quote } from "../scenario/show.js";
import { formatSize, parseSize } from "../scenario/units.js";
import { brokenUtf8, pastByteOrderMark } from "../text-file.js";

// Workload files line by line: lines in bounded memory, the numbers in their fields, and the lines that are malformed.

/** Problems of one file that are reported one by one. */
const MAX_REPORTED = 20;

/** A problem at one place of a line. Columns count characters from 1. */
export interface PlacedProblem {
  readonly column: number;
  readonly message: string;
}

/**
 * The malformed lines of one workload file. Strict: all are gathered and refused together at the end. Lenient: they are
 * skipped and counted.
 */
export class LineProblems {
  private readonly reported: Diagnostic[] = [];
  private unreported = 0;
  private skipped = 0;

  constructor(
    private readonly file: string,
    private readonly lenient: boolean,
  ) {}

  /** One malformed line (or job), with everything that is wrong with it. */
  add(line: number, problems: readonly PlacedProblem[]): void {
    this.skipped++;
    if (this.lenient) return;
    for (const { column, message } of problems) {
      if (this.reported.length < MAX_REPORTED) this.reported.push({ file: this.file, line, column, message });
      else this.unreported++;
    }
  }

  /** The number of malformed lines. */
  get count(): number {
    return this.skipped;
  }

  /** @throws InputError with the first problems and the number of the others, unless lenient or without any. */
  refuse(): void {
    if (this.reported.length === 0) return;
    const more: Diagnostic[] =
      this.unreported === 0 ? [] : [problemOf(this.file, `and ${this.unreported} more problems like these`)];
    throw new InputError([...this.reported, ...more]);
  }
}

/** Longest line that is kept. Longer ones are read past without being held, so that no file can exhaust memory. */
export const MAX_LINE_BYTES = 1 << 16;

const CHUNK_BYTES = 1 << 16;

const LF = 0x0a;

const CR = 0x0d;

/** One line without its end, or why there is no text: it is longer than MAX_LINE_BYTES, or no UTF-8. */
export type TextLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly text: null; readonly problem: PlacedProblem };

/**
 * Reads a file line by line in bounded memory. Lines end in LF or CRLF; the last may have no end. A byte order mark is
 * dropped.
 * @param path what to open. @param shown how messages name it: as the user wrote it.
 * @param onPause called between chunks; what it throws ends the reading.
 * @param described where such files are described, for who named one that is not there.
 * @throws InputError when there is no such file, it is a directory or device, or it cannot be read.
 */
export async function readLines(
  path: string,
  shown: string,
  onLine: (line: TextLine) => void,
  onPause: () => void = () => undefined,
  described = WORKLOADS_PAGE,
): Promise<void> {
  const splitter = new LineSplitter(onLine);
  const take = pastByteOrderMark((chunk: Buffer) => {
    splitter.take(chunk);
  });
  for await (const chunk of chunksOf(path, shown, described)) {
    take(chunk);
    onPause();
  }
  splitter.end();
}

/** SHA-256 in hex of a file that `readLines` could read. */
export async function digestOfFile(path: string, shown: string, onPause: () => void): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of chunksOf(path, shown)) {
    hash.update(chunk);
    onPause();
  }
  return hash.digest("hex");
}

const WORKLOADS_PAGE = "docs/formats/workloads.md lists the kinds of files";

/** Each is overwritten by the next. */
async function* chunksOf(path: string, shown: string, described = WORKLOADS_PAGE): AsyncGenerator<Buffer> {
  const handle = await openFile(path, shown, described);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      yield chunk.subarray(0, bytesRead);
    }
  } catch (error) {
    throw isSystemError(error) ? unreadable(shown, error, described) : error;
  } finally {
    await handle.close();
  }
}

async function openFile(path: string, shown: string, described: string): Promise<FileHandle> {
  try {
    // Looked at before it is opened: opening a pipe waits for its writer, and nothing could end that wait.
    const stats = await stat(path);
    if (stats.isFile()) return await open(path, "r");
    const kind = stats.isDirectory() ? "directory" : stats.isFIFO() || stats.isSocket() ? "pipe" : "device";
    throw fileProblem(shown, `is a ${kind}; a workload file must be a text file`);
  } catch (error) {
    throw isSystemError(error) ? unreadable(shown, error, described) : error;
  }
}

function unreadable(shown: string, error: NodeJS.ErrnoException, described: string): InputError {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") {
    return fileProblem(
      shown,
      `there is no such file, seen from the folder of the scenario; name one with --set workload.file=PATH, where PATH is seen from the current folder (${described})`,
    );
  }
  if (error.code === "EACCES" || error.code === "EPERM")
    return fileProblem(shown, "may not be read (permission denied)");
  return fileProblem(shown, `cannot be read (${error.code ?? "unknown error"})`);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** Cuts chunks of bytes into lines; holds at most one line, and of that at most MAX_LINE_BYTES. */
class LineSplitter {
  private readonly buffer = Buffer.allocUnsafe(MAX_LINE_BYTES + 1);
  private heldBytes = 0;
  private lineBytes = 0;
  private number = 1;

  constructor(private readonly onLine: (line: TextLine) => void) {}

  take(chunk: Buffer): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(LF, from);
      if (end < 0) break;
      this.hold(chunk, from, end);
      this.emit();
      from = end + 1;
    }
    this.hold(chunk, from, chunk.length);
  }

  /** The last line, if it has no line end. */
  end(): void {
    if (this.lineBytes > 0) this.emit();
  }

  private hold(chunk: Buffer, from: number, to: number): void {
    this.lineBytes += to - from;
    const kept = Math.min(to - from, this.buffer.length - this.heldBytes);
    chunk.copy(this.buffer, this.heldBytes, from, from + kept);
    this.heldBytes += kept;
  }

  private emit(): void {
    const endsInCr = this.lineBytes === this.heldBytes && this.heldBytes > 0 && this.buffer[this.heldBytes - 1] === CR;
    const bytes = this.lineBytes - (endsInCr ? 1 : 0);
    this.onLine({ number: this.number, ...this.contents(bytes) });
    this.number++;
    this.heldBytes = 0;
    this.lineBytes = 0;
  }
  private contents(bytes: number): { text: string } | { text: null; problem: PlacedProblem } {
    if (bytes > MAX_LINE_BYTES) {
      const message = `the line has ${bytes} bytes, expected at most ${MAX_LINE_BYTES}`;
      return { text: null, problem: { column: 1, message } };
    }
    const lineBuffer = this.buffer.subarray(0, bytes);
    const broken = brokenUtf8(lineBuffer);
    if (broken !== null) {
      const message = `expected text in UTF-8, found ${broken.actual} (byte ${broken.offset} of the line)`;
      return { text: null, problem: { column: broken.before.length + 1, message } };
    }
    return { text: lineBuffer.toString("utf8") };
  }
}

/** A value, or what is wrong with the text. */
export type Parsed = { readonly value: number } | { readonly problem: string };

/** Reads the text of a field. The noun is the field's, in messages. */
export type FieldParser = (text: string, noun: string) => Parsed;

/**
 * Returns a parser of numbers from `low` to `high`. @param valueOf the number of a text, without blanks around it; NaN:
 * it is none. @param allowed what a message allows.
 */
export function fieldParser(
  low: number,
  high: number,
  allowed: string,
  valueOf: (text: string) => number,
): FieldParser {
  return (text, noun) => {
    const value = valueOf(text.trim());
    if (value >= low && value <= high) return { value };
    return { problem: `${noun} is ${textOrMissing(text.trim())}, expected ${allowed}` };
  };
}

/** The text of a field, in the words of messages. */
export function textOrMissing(text: string): string {
  return text === "" ? "missing" : quote(text);
}

const DIGITS = /^\d+$/;

/** A whole number from `low` to `high`, in plain digits. */
export function wholeNumber(low: number, high: number): FieldParser {
  return fieldParser(low, high, `a whole number from ${low} to ${high}`, (text) =>
    DIGITS.test(text) ? Number(text) : NaN,
  );
}

/** A time in seconds, with at most 6 decimals, as whole microseconds from `lowUs` to `highUs`. */
export function seconds(lowUs: number, highUs: number): FieldParser {
  const range = `${lowUs / US_PER_SECOND} to ${Math.floor(highUs / US_PER_SECOND)}`;
  const allowed = `seconds from ${range} with at most 6 decimals, such as 12 or 0.25`;
  return fieldParser(lowUs, highUs, allowed, (text) => {
    const [, whole, decimals = ""] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
    return Number(whole) * US_PER_SECOND + Number(decimals.padEnd(6, "0"));
  });
}

/** A size up to `high` bytes: whole bytes in plain digits, or with a unit. */
export function bytes(high: number): FieldParser {
  return fieldParser(0, high, `bytes up to ${formatSize(high)}, such as 4096, 64KB or 1.5GB`, (text) =>
    DIGITS.test(text) ? Number(text) : (parseSize(text) ?? NaN),
  );
}

/** A share from 0 to 1, in plain digits. */
export const share = fieldParser(0, 1, "a number from 0 to 1, such as 0.25", (text) =>
  /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN,
);
