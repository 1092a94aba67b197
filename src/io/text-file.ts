import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { LIMITS } from "../core/scenario/index.js";
import { exampleNamed } from "./examples.js";
import { fileProblem, InputError, systemReason } from "./input-error.js";

/** The kind of file that is expected, in the words of messages. */
export interface TextFileKind {
  /** `a scenario file` */
  readonly file: string;
  /** `a scenario in YAML or JSON`; as `file` if it is not there. */
  readonly contents?: string;
  /** Most files may have as many as a scenario. */
  readonly mostBytes?: number;
  /** The error for a file of more bytes. */
  readonly tooLarge: (shown: string, actual: string) => InputError;
}

/**
 * The text of a file in UTF-8.
 * @param path what to open. @param shown how messages name it: as the user wrote it.
 * @throws InputError when it cannot be read, is too large or no text.
 */
export function readTextFile(path: string, shown: string, kind: TextFileKind): string {
  const { file, contents = file, mostBytes = LIMITS.fileBytes, tooLarge } = kind;
  const bytes = readBytes(path, shown, { file, contents, mostBytes });
  if (bytes.length > mostBytes) throw tooLarge(shown, `more than ${mostBytes} bytes`);
  const broken = brokenUtf8(bytes);
  if (broken === null) return new TextDecoder().decode(bytes);
  const { before, actual } = broken;
  const lines = before.split(/\r\n|\n|\r/);
  const [line, column] = [lines.length, lines[lines.length - 1].length + 1];
  const place = `byte ${broken.offset} of the file`;
  const message = `is no UTF-8 text: ${actual} (${place}), expected ${contents}`;
  throw new InputError([{ file: shown, line, column, message }]);
}

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Bytes of a text from its beginning, without the byte order mark that programs of Windows put before it. Texts decoded
 * by `TextDecoder` have none.
 */
export function withoutByteOrderMark<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const isMarked = BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length));
  return isMarked ? (bytes.subarray(BYTE_ORDER_MARK.length) as Bytes) : bytes;
}

/** The same of a text that comes in pieces, none of which is empty. */
export function pastByteOrderMark<Bytes extends Uint8Array>(take: (piece: Bytes) => void): (piece: Bytes) => void {
  let head: Uint8Array | null = new Uint8Array(0);
  return (piece) => {
    if (head === null) {
      take(piece);
      return;
    }
    const begun: Uint8Array = head.length === 0 ? piece : Buffer.concat([head, piece]);
    if (begun.length < BYTE_ORDER_MARK.length && BYTE_ORDER_MARK.subarray(0, begun.length).equals(begun)) {
      head = Buffer.from(begun);
      return;
    }
    head = null;
    take(withoutByteOrderMark(begun) as Bytes);
  };
}

/** The first place where bytes are not UTF-8. */
interface BrokenUtf8 {
  /** The offset of the first byte that belongs to no character, from 0. */
  readonly offset: number;
  /** The characters before it. */
  readonly before: string;
  /** `the byte 0xff` */
  readonly actual: string;
}

/** null: it is UTF-8. */
export function brokenUtf8(bytes: Uint8Array): BrokenUtf8 | null {
  if (isUtf8(bytes)) return null;
  // The longest beginning that could still become UTF-8: the byte behind it breaks the character that is open there.
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (beginning(bytes, middle) === null) bad = middle;
    else good = middle;
  }
  const before = beginning(bytes, good) ?? "";
  const offset = Buffer.byteLength(before);
  return { offset, before, actual: `the byte 0x${bytes[offset].toString(16).padStart(2, "0")}` };
}

/** Returns the whole characters of the first bytes; null if no UTF-8 text begins with these bytes. */
function beginning(bytes: Uint8Array, length: number): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length), {
      stream: true,
    });
  } catch {
    return null;
  }
}

/** Reads the file, but never more than one byte beyond the allowed size, even if the path is no plain file. */
function readBytes(
  path: string,
  shown: string,
  { file, contents, mostBytes }: Required<Omit<TextFileKind, "tooLarge">>,
): Uint8Array {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw fileProblem(shown, `is a directory, expected ${file}`);
    // Anything but a plain file has no size before it is read, and a file may grow meanwhile.
    let buffer = new Uint8Array(Math.min(Math.max(stat.size, FIRST_BYTES), mostBytes) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length <= mostBytes; length += read) {
      if (length === buffer.length) buffer = widened(buffer, mostBytes + 1);
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    return buffer.subarray(0, length);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const missing = (error as { code?: unknown }).code === "ENOENT";
    const example = missing ? exampleNamed(shown) : undefined;
    const hint = example === undefined ? "" : `; npx bide examples ${example.name} copies the shipped one`;
    throw fileProblem(shown, `cannot be read (${systemReason(error)}), expected ${contents}${hint}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const FIRST_BYTES = 1 << 16;

function widened(buffer: Uint8Array, mostBytes: number): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(Math.min(2 * buffer.length, mostBytes));
  wider.set(buffer);
  return wider;
}
