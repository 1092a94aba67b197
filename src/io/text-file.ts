import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { exampleNamed } from "./examples.js";
import { InputError } from "./input-error.js";

/** What a file should be, as messages say it. */
export interface TextFileKind {
  /** `a scenario file` */
  readonly file: string;
  /** `a scenario in YAML or JSON` */
  readonly contents: string;
  readonly mostBytes: number;
  /** The error for a file of more bytes. */
  readonly tooLarge: (shown: string, found: string) => InputError;
}

/**
 * The text of a file in UTF-8.
 * @param path what to open. @param shown how messages name it: as the user wrote it.
 * @throws InputError when it cannot be read, is too large or no text.
 */
export function readTextFile(path: string, shown: string, kind: TextFileKind): string {
  const bytes = readBytes(path, shown, kind);
  if (bytes.length > kind.mostBytes) throw kind.tooLarge(shown, `more than ${String(kind.mostBytes)} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw problem(shown, `found bytes that are no UTF-8 text, allowed ${kind.contents}`);
  }
}

/** At most one byte more than is allowed, whatever the path leads to. */
function readBytes(path: string, shown: string, { file, contents, mostBytes }: TextFileKind): Uint8Array {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    if (fstatSync(descriptor).isDirectory()) throw problem(shown, `found a directory, allowed ${file}`);
    const buffer = new Uint8Array(mostBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    return buffer.subarray(0, length);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const missing = (error as { code?: unknown }).code === "ENOENT";
    const example = missing ? exampleNamed(shown) : undefined;
    const hint = example === undefined ? "" : `; bide examples ${example.name} copies the shipped one`;
    throw problem(shown, `found no readable file (${reasonOf(error)}), allowed ${contents}${hint}`);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "part of its path is no directory",
  EACCES: "permission denied",
  EISDIR: "it is a directory",
  ENAMETOOLONG: "its name is too long",
};

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === "string" ? (REASONS[code] ?? code) : "its name cannot be used";
}

function problem(file: string, message: string): InputError {
  return new InputError([{ file, line: 0, column: 0, message }]);
}
