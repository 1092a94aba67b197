import { open, stat, type FileHandle } from "node:fs/promises";
import { InputError } from "../input-error.js";
import { brokenUtf8 } from "../text-file.js";
import type { PlacedProblem } from "./line-problems.js";

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
 * Reads a file line by line in bounded memory. Lines end in LF or CRLF; the last may have no end. A byte order mark is dropped.
 * @param path what to open. @param shown how messages name it: as the user wrote it.
 * @param onPause called between chunks; what it throws ends the reading.
 * @throws InputError when there is no such file, it is a directory or device, or it cannot be read.
 */
export async function readLines(
  path: string,
  shown: string,
  onLine: (line: TextLine) => void,
  onPause: () => void = () => undefined,
): Promise<void> {
  const handle = await openFile(path, shown);
  try {
    const splitter = new LineSplitter(onLine);
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      splitter.take(chunk.subarray(0, bytesRead));
      onPause();
    }
    splitter.end();
  } catch (error) {
    throw isSystemError(error) ? unreadable(shown, error) : error;
  } finally {
    await handle.close();
  }
}

async function openFile(path: string, shown: string): Promise<FileHandle> {
  try {
    // Looked at before it is opened: opening a pipe waits for its writer, and nothing could end that wait.
    const found = await stat(path);
    if (found.isFile()) return await open(path, "r");
    const kind = found.isDirectory() ? "directory" : found.isFIFO() || found.isSocket() ? "pipe" : "device";
    throw fileProblem(shown, `is a ${kind}; a workload file must be a text file`);
  } catch (error) {
    throw isSystemError(error) ? unreadable(shown, error) : error;
  }
}

function unreadable(shown: string, error: NodeJS.ErrnoException): InputError {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") {
    return fileProblem(
      shown,
      "there is no such file; name one with --set workload.file=PATH (docs/formats/swim.md says where traces come from)",
    );
  }
  if (error.code === "EACCES" || error.code === "EPERM")
    return fileProblem(shown, "may not be read (permission denied)");
  return fileProblem(shown, `cannot be read (${error.code ?? "unknown error"})`);
}

/** A problem of a file as a whole. */
export function fileProblem(shown: string, message: string): InputError {
  return new InputError([{ file: shown, line: 0, column: 0, message }]);
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** Cuts chunks of bytes into lines; holds at most one line, and of that at most MAX_LINE_BYTES. */
class LineSplitter {
  private readonly held = Buffer.allocUnsafe(MAX_LINE_BYTES + 1);
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
    const kept = Math.min(to - from, this.held.length - this.heldBytes);
    chunk.copy(this.held, this.heldBytes, from, from + kept);
    this.heldBytes += kept;
  }

  private emit(): void {
    const endsInCr = this.lineBytes === this.heldBytes && this.heldBytes > 0 && this.held[this.heldBytes - 1] === CR;
    const bytes = this.lineBytes - (endsInCr ? 1 : 0);
    this.onLine({ number: this.number, ...this.contents(bytes) });
    this.number++;
    this.heldBytes = 0;
    this.lineBytes = 0;
  }
  private contents(bytes: number): { text: string } | { text: null; problem: PlacedProblem } {
    if (bytes > MAX_LINE_BYTES) {
      const message = `the line has ${String(bytes)} bytes; allowed: at most ${String(MAX_LINE_BYTES)}`;
      return { text: null, problem: { column: 1, message } };
    }
    const held = this.held.subarray(0, bytes);
    const broken = brokenUtf8(held);
    if (broken !== null) {
      const message = `found ${broken.found} (byte ${String(broken.offset)} of the line); allowed: text in UTF-8`;
      return { text: null, problem: { column: broken.before.length + 1, message } };
    }
    const text = held.toString("utf8");
    return { text: this.number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text };
  }
}
