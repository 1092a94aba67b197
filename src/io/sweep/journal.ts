import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import type { SweepRow } from "../../experiments/sweep/sweep-record.js";
import { InputError } from "../input-error.js";
import { writeWholeFile } from "../results/whole-file.js";
import { checkedLine, isLineBegun, valueOfLine } from "./checked-line.js";
import { sweepRowOf } from "./row-schema.js";

/** What a journal says. */
export interface JournalContents {
  /** In the order in which they were written; of rows with one key the last one counts. */
  readonly rows: readonly SweepRow[];
  /** Numbers, from 1, of lines before the last that are damaged: their runs have to be done again. */
  readonly damagedLines: readonly number[];
  /** Bytes up to the end of the last good line. What follows was being written when the process was ended. */
  readonly goodBytes: number;
  readonly bytes: number;
}

const NEWLINE = 0x0a;

/**
 * A line counts once it ends. A last line that has no end or is damaged is as if it had never been begun.
 * @throws InputError when it cannot be read.
 */
export function readJournal(path: string): JournalContents {
  const bytes = journalBytes(path);
  const rows: SweepRow[] = [];
  const damaged: { readonly line: number; readonly start: number }[] = [];
  let goodBytes = 0;
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const end = bytes.indexOf(NEWLINE, start);
    if (end < 0) break;
    const row = sweepRowOf(valueOfLine(bytes.toString("utf8", start, end)));
    if (row === undefined) damaged.push({ line, start });
    else {
      rows.push(row);
      goodBytes = end + 1;
    }
    start = end + 1;
  }
  const damagedLines = damaged.filter((one) => one.start < goodBytes).map(({ line }) => line);
  return { rows, damagedLines, goodBytes, bytes: bytes.length };
}

function journalBytes(path: string): Buffer {
  if (!existsSync(path)) return Buffer.alloc(0);
  try {
    return readFileSync(path);
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    const found = code === "EISDIR" ? "a directory" : `no readable file (${code})`;
    throw new InputError([
      { file: path, line: 0, column: 0, message: `found ${found}, allowed the journal of a sweep` },
    ]);
  }
}

/** Whether a file holds nothing but lines of a journal, the last one maybe cut; or is not there. */
export function isWholeJournal(path: string): boolean {
  const { bytes, goodBytes, damagedLines } = readJournal(path);
  if (damagedLines.length > 0) return false;
  return goodBytes === bytes || isLineBegun(journalBytes(path).toString("utf8", goodBytes));
}

/** Bytes that survive a power cut are at most so much younger than the last ones. */
const SYNC_EVERY_MS = 1000;

/** A journal being written: one line per run that has ended, each appended whole. */
export class Journal {
  private lastSyncMs = performance.now();

  private constructor(
    private readonly descriptor: number,
    private bytes: number,
  ) {}

  /** Cuts off what was half-written and writes damaged lines out, then goes on behind the last good line. */
  static open(path: string, contents: JournalContents): Journal {
    // Of a file with several names, the others stay as they are: a copy of the folder may have been made of links.
    const isShared = (lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1;
    const isReplaced = contents.damagedLines.length > 0 || isShared;
    if (isReplaced) replace(path, contents.rows);
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
    const descriptor = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o666);
    if (!isReplaced && contents.goodBytes < contents.bytes) {
      ftruncateSync(descriptor, contents.goodBytes);
    }
    return new Journal(descriptor, fstatSync(descriptor).size);
  }

  /** The row is safe from the end of this process when this returns. After an error the journal is as before. */
  append(row: SweepRow): void {
    const line = Buffer.from(`${checkedLine(row)}\n`);
    try {
      for (let from = 0; from < line.length;) from += writeSync(this.descriptor, line, from);
    } catch (error) {
      ftruncateSync(this.descriptor, this.bytes);
      throw error;
    }
    this.bytes += line.length;
    if (performance.now() - this.lastSyncMs >= SYNC_EVERY_MS) this.sync();
  }

  close(): void {
    this.sync();
    closeSync(this.descriptor);
  }

  private sync(): void {
    fdatasyncSync(this.descriptor);
    this.lastSyncMs = performance.now();
  }
}

function replace(path: string, rows: readonly SweepRow[]): void {
  writeWholeFile(path, rows.map((row) => `${checkedLine(row)}\n`).join(""), true);
}
