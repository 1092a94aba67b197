import { readdirSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { foreignTrace, headOf, importKind } from "../foreign-traces.js";
import { asReadError, fileProblem } from "../input-error.js";
import { printable } from "../scenario/show.js";
import { formatSize } from "../scenario/units.js";
import { pastByteOrderMark } from "../text-file.js";
import { gzipUnpacker, type PackedProblem, type Unpacker, zstdUnpacker } from "./unpack.js";
import { isZstd, ZstdFrames } from "./zstd-frames.js";
import { mismatch, sumOver, namesOf } from "../../core/kernel/index.js";
import { LIMITS } from "../../core/scenario/index.js";

// Event logs on disk (docs/formats/spark-event-logs.md): one file, or a folder of files that follow one another; plain
// or compressed.

/** A log and the files that it is made of. */
export interface EventLog {
  /** As the user named it. */
  readonly shown: string;
  readonly files: readonly LogFile[];
  /** The size of all its files on the disk. */
  readonly bytes: number;
  /** Its name says that the application had not ended. */
  readonly isInProgress: boolean;
  /** Spark has thrown away events of jobs that had ended. */
  readonly isCompacted: boolean;
}

export interface LogFile {
  readonly path: string;
  readonly codec: "plain" | "gzip" | "zstd";
  /** Most that a frame of zstd may ask its reader to remember. */
  readonly windowBytes: number;
}

const ALLOWED =
  "an event log of Spark: a file, a folder eventlog_v2_... with its events_N_... files, or a folder of Databricks with eventlog and eventlog-DATE files";

/**
 * @param windowBytes most that zstd may ask its reader to remember: a power of two up to LIMITS.zstdWindowBytes.most.
 * @throws InputError when there is none of that name, or one that cannot be read.
 */
export function findEventLog(path: string, windowBytes: number = LIMITS.zstdWindowBytes.usual): EventLog {
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) return logFolder(path, windowBytes);
    if (!stats.isFile()) throw fileProblem(path, `is neither a file nor a folder, expected ${ALLOWED}`);
    const files = [logFile(path, windowBytes)];
    const bytes = stats.size;
    if (bytes === 0) throw fileProblem(path, `is empty, expected ${ALLOWED}`);
    return {
      shown: path,
      files,
      bytes,
      isInProgress: path.endsWith(".inprogress"),
      isCompacted: path.endsWith(".compact"),
    };
  } catch (error) {
    throw unreadable(error, path);
  }
}

const EVENTS = /^events_(\d{1,9})_.+$/;

/** Events since Spark 3.0, and those of Databricks, whose files are named by the minute in which they were rolled. */
function logFolder(path: string, windowBytes: number): EventLog {
  const names = readdirSync(path);
  const log = rollingLog(path, names) ?? databricksLog(path, names);
  if (log === null) {
    throw fileProblem(path, `is a folder without events_N_... and eventlog-DATE files, expected ${ALLOWED}`);
  }
  const files = log.names.map((name) => join(path, name));
  const bytes = sumOver(files, (file) => statSync(file).size);
  if (bytes === 0) throw fileProblem(path, `has only empty files, expected ${ALLOWED}`);
  const isInProgress = names.some((name) => name.startsWith("appstatus_") && name.endsWith(".inprogress"));
  const { isCompacted } = log;
  return { shown: path, files: files.map((file) => logFile(file, windowBytes)), bytes, isInProgress, isCompacted };
}

interface FolderFiles {
  /** In the order of their events. */
  readonly names: readonly string[];
  readonly isCompacted: boolean;
}

const DATABRICKS = /^eventlog(?:-(\d{4}-\d\d-\d\d--\d\d-\d\d))?(?:\.gz)?$/;

/** `eventlog-2021-06-14--20-00.gz` and the like, by their date; the one without a date is the last. */
function databricksLog(path: string, names: readonly string[]): FolderFiles | null {
  const parts = names.flatMap((name) => {
    const match = DATABRICKS.exec(name);
    return match === null ? [] : [{ name, date: match[1] ?? "later" }];
  });
  if (parts.length === 0) return null;
  parts.sort((a, b) => (a.date < b.date ? -1 : 1));
  parts.forEach(({ name, date }, index) => {
    if (date !== parts.at(index + 1)?.date) return;
    throw fileProblem(join(path, name), `has the date of ${parts[index + 1].name}, which stands beside it`);
  });
  return { names: namesOf(parts), isCompacted: false };
}

function rollingLog(path: string, names: readonly string[]): FolderFiles | null {
  const parts = names.flatMap((name) => {
    const number = EVENTS.exec(name)?.[1];
    return number === undefined ? [] : [{ name, number: Number(number), isCompact: name.endsWith(".compact") }];
  });
  if (parts.length === 0) return null;
  // A compacted file stands for all before it, and for the file of its own number.
  const compact = Math.max(...parts.map(({ number, isCompact }) => (isCompact ? number : 0)));
  const kept = parts
    .filter(({ number, isCompact }) => number > compact || (number === compact && isCompact))
    .sort((a, b) => a.number - b.number);
  kept.forEach(({ number, name }, index) => {
    const expected = kept[0].number + index;
    if (number === expected) return;
    const actual =
      number < expected
        ? `there are two files with number ${number}`
        : `events_${expected}_... is missing before events_${number}_...`;
    throw fileProblem(join(path, name), actual);
  });
  return { names: namesOf(kept), isCompacted: compact > 0 };
}

/** First bytes of the formats that Spark writes and Bide does not read. */
const OTHERS: readonly { readonly kind: string; readonly starts: readonly number[] }[] = [
  { kind: "lz4 blocks of Java", starts: [...Buffer.from("LZ4Block")] },
  { kind: "snappy blocks of Java", starts: [0x82, ...Buffer.from("SNAPPY")] },
  { kind: "lzf blocks", starts: [...Buffer.from("ZV")] },
];

const READABLE =
  "plain text, gzip or zstd; Spark writes zstd with spark.eventLog.compression.codec=zstd, and plain text without spark.eventLog.compress";

/** Tells the codec of a file by its first bytes: names may have been changed. */
function logFile(path: string, windowBytes: number): LogFile {
  const head = headOf(path);
  const trace = foreignTrace(head, basename(path));
  if (trace !== null && importKind(trace.key) !== "spark") {
    throw fileProblem(
      path,
      mismatch(trace.description, `${ALLOWED}; npx bide import ${importKind(trace.key)} reads it`),
    );
  }
  const format = OTHERS.find(({ starts }) => starts.every((byte, offset) => head[offset] === byte));
  if (format !== undefined) throw fileProblem(path, mismatch(format.kind, READABLE));
  if (head[0] === 0x1f && head[1] === 0x8b) return { path, codec: "gzip", windowBytes };
  if (!isZstd(head)) return { path, codec: "plain", windowBytes };
  const frames = new ZstdFrames();
  for (let offset = 0; offset < head.length;) offset = frames.take(head, offset);
  if (frames.windowBytes > windowBytes) {
    const actual = `zstd that needs a window of ${formatSize(frames.windowBytes)}`;
    const needed = 2 ** Math.ceil(Math.log2(frames.windowBytes));
    const advice =
      needed > LIMITS.zstdWindowBytes.most
        ? "zstd -d --long=31 unpacks it"
        : `--zstd-window ${formatSize(needed)} reads it, in that much memory`;
    throw fileProblem(path, mismatch(actual, `at most ${formatSize(windowBytes)}; ${advice}`));
  }
  return { path, codec: "zstd", windowBytes };
}

/** The end of a file: whole, or the problem of its compressed data. */
type LogEnd = "whole" | { readonly problem: string };

/**
 * Hands on the bytes of a log's file, unpacked, piece by piece: each is valid only during the call.
 * @param onRead so many bytes of the disk were read.
 * @returns what was wrong with compressed data; what came before it was handed on.
 * @throws InputError when the file cannot be read, and whatever `onBytes` throws.
 */
export async function readLogFile(
  file: LogFile,
  onBytes: (bytes: Uint8Array) => void,
  onRead: (bytes: number) => void,
): Promise<LogEnd> {
  const { path, codec } = file;
  let handle: FileHandle | undefined;
  const take = pastByteOrderMark(onBytes);
  const unpacker = await unpackerFor(file, take);
  try {
    handle = await open(path, "r");
    // Few of packed bytes make many.
    const chunk = Buffer.allocUnsafe(unpacker === null ? 1 << 18 : 1 << 14);
    let readBytes = 0;
    for (let isGood = true; isGood;) {
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, null);
      if (bytesRead === 0) break;
      onRead(bytesRead);
      readBytes += bytesRead;
      const read = chunk.subarray(0, bytesRead);
      if (unpacker === null) take(read);
      else isGood = await unpacker.take(read);
    }
    const problem = (await unpacker?.end()) ?? null;
    return problem === null ? "whole" : { problem: PROBLEMS[problem](codec, readBytes) };
  } catch (error) {
    throw unreadable(error, path);
  } finally {
    await handle?.close();
  }
}

async function unpackerFor(
  { codec, windowBytes }: LogFile,
  onBytes: (bytes: Uint8Array) => void,
): Promise<Unpacker | null> {
  if (codec === "plain") return null;
  return codec === "gzip" ? gzipUnpacker(onBytes) : zstdUnpacker(onBytes, windowBytes);
}

const PROBLEMS: Readonly<Record<PackedProblem, (codec: string, bytes: number) => string>> = {
  cut: (codec) => `it ends inside its ${codec} data`,
  broken: (codec, bytes) => `its ${codec} data is broken after ${bytes} bytes`,
  checksum: (codec) => `its ${codec} data does not fit its checksum, so that any of it may be wrong`,
  memory: (codec) => `there is too little memory for the window that its ${codec} data needs`,
  window: (codec, bytes) =>
    `a frame of its ${codec} data needs a larger window than --zstd-window allows, after ${bytes} bytes`,
};

function unreadable(error: unknown, path: string): unknown {
  const name = printable(basename(path));
  return asReadError(error, path, (reason) => `cannot read ${name} (${reason}), expected ${ALLOWED}`);
}
