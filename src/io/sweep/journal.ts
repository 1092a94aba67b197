import { noteSchema } from "../results/note-schema.js";
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import * as z from "zod";
import type { SweepRow } from "../../experiments/index.js";
import { systemReason, fileProblem } from "../input-error.js";
import { writeWholeFile } from "../results/whole-file.js";

/*
 * The journal of a sweep: a checked line for each run that has ended. A line that is damaged or
 * cut does not count.
 */

/** The contents of a journal. */
interface JournalContents {
  /** In the order in which they were written; of rows with one key the last one counts. */
  readonly rows: readonly SweepRow[];
  /** Numbers, from 1, of lines before the last that are damaged: their runs have to be done again. */
  readonly damagedLines: readonly number[];
  /** Bytes up to the end of the last good line. What follows was being written when the process was ended. */
  readonly goodBytes: number;
  readonly bytes: number;
}

/**
 * A line counts once it ends. A last line that has no end or is damaged is as if it had never been begun.
 * @throws InputError when it cannot be read.
 */
export function readJournal(path: string): JournalContents {
  const bytes = bytesIn(path);
  const rows: SweepRow[] = [];
  const damaged: { readonly line: number; readonly start: number }[] = [];
  let goodBytes = 0;
  let start = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf("\n", start);
    if (end < 0) break;
    const row = sweepRowOf(valueOfLine(bytes.toString("utf8", start, end)));
    if (row === undefined) damaged.push({ line, start });
    else {
      rows.push(row);
      goodBytes = end + 1;
    }
    start = end + 1;
  }
  const damagedLines = damaged.filter((damage) => damage.start < goodBytes).map(({ line }) => line);
  return { rows, damagedLines, goodBytes, bytes: bytes.length };
}

/** The bytes of a file, none where there is no file. */
function bytesIn(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw fileProblem(path, `the journal of the sweep cannot be read (${systemReason(error)})`);
  }
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
    // A file with several names is replaced under this one only: a copy of the folder may be made of links.
    const isShared = (lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1;
    const isReplaced = contents.damagedLines.length > 0 || isShared;
    if (isReplaced) writeWholeFile(path, contents.rows.map((row) => `${checkedLine(row)}\n`).join(""), true);
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

const DIGITS = 16;

const HEAD = '{"sum":"';

const MIDDLE = '","row":';

/** A line of the journal without its end: JSON of a value behind a checksum of that JSON. */
export function checkedLine(value: unknown): string {
  const text = JSON.stringify(value);
  return `${HEAD}${sumOf(text)}${MIDDLE}${text}}`;
}

/** The value of a line; undefined: the line is damaged. */
export function valueOfLine(line: string): unknown {
  const start = HEAD.length + DIGITS + MIDDLE.length;
  if (!line.startsWith(HEAD) || !line.endsWith("}") || line.slice(start - MIDDLE.length, start) !== MIDDLE) {
    return undefined;
  }
  const text = line.slice(start, -1);
  if (line.slice(HEAD.length, HEAD.length + DIGITS) !== sumOf(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The checksum fits, but the text is no JSON.
    return undefined;
  }
}

function sumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
}

const count = z.int().nonnegative();

const seconds = z.number().nonnegative();

const cost = z.strictObject({ wallSeconds: seconds });

/** By key, as of `RunCounts`. */
const counts = z.object({ jobsSubmitted: count, jobsEnded: count }).catchall(count);

const done = z.strictObject({
  outcome: z.literal("done"),
  fingerprint: z.string().regex(/^[0-9a-f]{1,64}$/),
  stopped: z.enum(["all-jobs-ended", "until", "no-nodes-left"]),
  virtualSeconds: seconds,
  counts,
  refused: z.string().optional(),
  values: z.record(z.string(), z.number().nullable()),
  steps: z.record(z.string(), z.number().nonnegative()).optional(),
  levels: z.array(z.number().nonnegative()).optional(),
  warmUpSeconds: seconds.nullable(),
  notes: z.array(noteSchema),
  cost,
});

const failed = z.strictObject({ outcome: z.literal("failed"), error: z.string(), cost });

const row = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{32}$/),
  point: count,
  replication: count,
  seed: z.string(),
  run: z.discriminatedUnion("outcome", [done, failed]),
});

/** The run in a line of a journal; undefined: it is no run of a sweep. */
function sweepRowOf(value: unknown): SweepRow | undefined {
  const { success, data } = row.safeParse(value);
  return success ? (data satisfies SweepRow) : undefined;
}
