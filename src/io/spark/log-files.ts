import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { Decompress } from "fzstd";
import { FOREIGN_HEAD_BYTES, foreignTrace, importKind } from "../foreign-traces.js";
import { InputError } from "../input-error.js";
import { printable } from "../scenario/show.js";
import { fileProblem } from "../workloads/lines.js";

// Event logs on disk (docs/formats/spark-event-logs.md): one file, or a folder of files that follow one another; plain or compressed.

/** A log and the files that it is made of. */
export interface EventLog {
  /** As the user named it. */
  readonly shown: string;
  readonly files: readonly LogFile[];
  /** Of all files on the disk. */
  readonly bytes: number;
  /** Its name says that the application had not ended. */
  readonly isInProgress: boolean;
  /** Spark has thrown away events of jobs that had ended. */
  readonly isCompacted: boolean;
}

export interface LogFile {
  readonly path: string;
  readonly codec: "plain" | "zstd";
}

const ALLOWED = "an event log of Spark: a file, or a folder eventlog_v2_... with its events_N_... files";

/** @throws InputError when there is none of that name, or one that cannot be read. */
export function findEventLog(path: string): EventLog {
  try {
    const found = statSync(path);
    if (found.isDirectory()) return rollingLog(path);
    if (!found.isFile()) throw fileProblem(path, `found neither a file nor a folder; allowed: ${ALLOWED}`);
    const files = [logFile(path)];
    const bytes = found.size;
    if (bytes === 0) throw fileProblem(path, `is empty; allowed: ${ALLOWED}`);
    return {
      shown: path,
      files,
      bytes,
      isInProgress: path.endsWith(".inprogress"),
      isCompacted: path.endsWith(".compact"),
    };
  } catch (error) {
    throw asReadError(error, path);
  }
}

const EVENTS = /^events_(\d{1,9})_.+$/;

function rollingLog(path: string): EventLog {
  const names = readdirSync(path);
  const parts = names.flatMap((name) => {
    const number = EVENTS.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number), isCompact: name.endsWith(".compact") }];
  });
  if (parts.length === 0) throw fileProblem(path, `found a folder without events_N_... files; allowed: ${ALLOWED}`);
  // What was compacted stands for all before it, and for the file of its own number.
  const compact = Math.max(...parts.map(({ number, isCompact }) => (isCompact ? number : 0)));
  const kept = parts
    .filter(({ number, isCompact }) => number > compact || (number === compact && isCompact))
    .sort((a, b) => a.number - b.number);
  kept.forEach(({ number, name }, at) => {
    const expected = kept[0].number + at;
    if (number === expected) return;
    const found =
      number < expected
        ? `two files with number ${String(number)}`
        : `events_${String(number)}_... after events_${String(expected - 1)}_...`;
    throw fileProblem(join(path, name), `found ${found}; allowed: numbers without gaps, each once`);
  });
  const files = kept.map(({ name }) => join(path, name));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  if (bytes === 0) throw fileProblem(path, `has only empty files; allowed: ${ALLOWED}`);
  const isInProgress = names.some((name) => name.startsWith("appstatus_") && name.endsWith(".inprogress"));
  return { shown: path, files: files.map(logFile), bytes, isInProgress, isCompacted: compact > 0 };
}

/** What files of other kinds begin with, and what to do with them. */
const OTHERS: readonly { readonly kind: string; readonly starts: readonly number[]; readonly advice: string }[] = [
  ...[
    { kind: "lz4 blocks of Java", starts: [...Buffer.from("LZ4Block")] },
    { kind: "snappy blocks of Java", starts: [0x82, ...Buffer.from("SNAPPY")] },
    { kind: "lzf blocks", starts: [...Buffer.from("ZV")] },
  ].map((one) => ({
    ...one,
    advice:
      "allowed: plain text or zstd. No library of Node reads this form; Spark writes zstd with spark.eventLog.compression.codec=zstd, and without spark.eventLog.compress plain text",
  })),
  { kind: "gzip", starts: [0x1f, 0x8b], advice: "allowed: plain text or zstd; gunzip unpacks it" },
];

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** What a file is, by what it begins with: names may have been changed. */
function logFile(path: string): LogFile {
  const head = beginning(path);
  const trace = foreignTrace(head, basename(path));
  if (trace !== null && importKind(trace.key) !== "spark") {
    throw fileProblem(
      path,
      `found ${trace.what}; allowed: ${ALLOWED}; npx bide import ${importKind(trace.key)} reads it`,
    );
  }
  const startsWith = (bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);
  const other = OTHERS.find(({ starts }) => startsWith(starts));
  if (other !== undefined) throw fileProblem(path, `found ${other.kind}; ${other.advice}`);
  if (!startsWith(ZSTD)) return { path, codec: "plain" };
  const windowBytes = windowOf(head);
  if (windowBytes > MOST_WINDOW_BYTES) {
    const found = `zstd that needs a window of ${String(windowBytes)} bytes`;
    throw fileProblem(
      path,
      `found ${found}; allowed: at most ${String(MOST_WINDOW_BYTES)}, which is what zstd itself unpacks unasked`,
    );
  }
  return { path, codec: "zstd" };
}

const MOST_WINDOW_BYTES = 2 ** 27;

/** How much a frame of zstd asks its reader to remember (RFC 8878, section 3.1.1.1). */
function windowOf(head: Buffer): number {
  if (head.length < 18) return 0;
  const isSingle = (head[4] & 0x20) !== 0;
  if (!isSingle) {
    const base = 2 ** (10 + (head[5] >> 3));
    return base + (base / 8) * (head[5] & 7);
  }
  const at = 5 + [0, 1, 2, 4][head[4] & 3];
  const sizes = [
    head.readUInt8(at),
    head.readUInt16LE(at) + 256,
    head.readUInt32LE(at),
    Number(head.readBigUInt64LE(at)),
  ];
  return sizes[head[4] >> 6];
}

function beginning(path: string): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const head = Buffer.alloc(FOREIGN_HEAD_BYTES);
    return head.subarray(0, readSync(descriptor, head));
  } finally {
    closeSync(descriptor);
  }
}

/** How a file ended. */
export type LogEnd = "whole" | { readonly problem: string };

/**
 * Hands on the bytes of a log's file, unpacked, piece by piece: each is valid only during the call.
 * @param onRead so many bytes of the disk were read.
 * @returns what was wrong with compressed data; what came before it was handed on.
 * @throws InputError when the file cannot be read, and whatever `onBytes` throws.
 */
export async function readLogFile(
  { path, codec }: LogFile,
  onBytes: (bytes: Uint8Array) => void,
  onRead: (bytes: number) => void,
): Promise<LogEnd> {
  let handle: FileHandle | undefined;
  const unpacked = codec === "zstd" ? new Unpacked(onBytes) : null;
  try {
    handle = await open(path, "r");
    // Few of packed bytes make many.
    const chunk = Buffer.allocUnsafe(unpacked === null ? 1 << 18 : 1 << 14);
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      onRead(bytesRead);
      const read = chunk.subarray(0, bytesRead);
      if (unpacked === null) onBytes(read);
      else if (!unpacked.take(read)) break;
    }
    return unpacked?.end() ?? "whole";
  } catch (error) {
    throw asReadError(error, path);
  } finally {
    await handle?.close();
  }
}

/** Unpacks zstd as it comes. */
class Unpacked {
  private thrown: unknown = null;
  private problem: string | null = null;
  private readonly stream: Decompress;
  private bytes = 0;

  constructor(onBytes: (bytes: Buffer) => void) {
    this.stream = new Decompress((bytes) => {
      try {
        onBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      } catch (error) {
        this.thrown = error;
        throw error;
      }
    });
  }

  /** False: the data is broken, and nothing more comes of it. */
  take(packed: Buffer): boolean {
    // The library keeps parts of what it is given.
    this.push(Uint8Array.from(packed), false);
    this.bytes += packed.length;
    return this.problem === null;
  }

  end(): LogEnd {
    if (this.problem === null) this.push(new Uint8Array(0), true);
    return this.problem === null ? "whole" : { problem: this.problem };
  }

  private push(bytes: Uint8Array, isLast: boolean): void {
    try {
      this.stream.push(bytes, isLast);
    } catch (error) {
      if (this.thrown !== null) throw error;
      this.problem = isLast
        ? "it ends inside a zstd frame"
        : `its zstd data is broken after ${String(this.bytes)} bytes`;
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "part of its path is no folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
};

function asReadError(error: unknown, path: string): unknown {
  if (error instanceof InputError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined && code !== "ERR_INVALID_ARG_VALUE") return error;
  const reason = REASONS[code ?? ""] ?? code ?? "its name cannot be used";
  return fileProblem(path, `cannot read ${printable(basename(path))} (${reason}); allowed: ${ALLOWED}`);
}
