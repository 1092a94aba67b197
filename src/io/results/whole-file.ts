import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { systemReason, fileProblem } from "../input-error.js";
import { printable } from "../scenario/show.js";

/*
 * Files and folders of results on disk: written whole or not at all, never over what is not
 * Bide's, and errors in words.
 */

/** Endings that promise a format, whether Bide writes it or not. */
const PROMISED = /\.(svg|png|jpe?g|gif|webp|pdf|eps|html?|json|csv|tsv|md|tex|xml|parquet|xlsx?|zip|gz)$/i;

/**
 * Refuses a name whose ending promises another format than the one that is written. A name without a known ending
 * promises nothing.
 * @param option by which the file was named. @param endings of what can be written: `svg`. @throws InputError
 */
export function checkEnding(option: string, path: string, ...endings: readonly string[]): void {
  const actualEnding = PROMISED.exec(path)?.[1].toLowerCase();
  if (actualEnding === undefined || endings.includes(actualEnding)) return;
  const allowed = endings.map((ending) => `.${ending}`).join(" or ");
  throw fileProblem(
    `${option} ${printable(path)}`,
    `the ending .${actualEnding} promises another format than is written; use ${allowed}`,
  );
}

/**
 * Refuses, before anything is computed, a file that exists (without `force`) or whose folder cannot be written.
 * @throws InputError
 */
export function checkNewFile(path: string, force: boolean): void {
  refuse(path, force);
  const trial = beside(path);
  try {
    writeFileSync(trial, "", { flag: "wx" });
  } catch (error) {
    throw asWriteError(error, path);
  } finally {
    discard(trial);
  }
}

/**
 * Writes a file to the disk, whole or not at all. Without `force` it never replaces a file.
 * @throws InputError when it exists or the disk refuses.
 */
export function writeWholeFile(path: string, content: string | Uint8Array, force: boolean): void {
  const partial = beside(path);
  try {
    writeFileSync(partial, content, { flag: "wx" });
    moveTo(path, partial, force);
  } catch (error) {
    throw asWriteError(error, path);
  } finally {
    discard(partial);
  }
}

/**
 * Like `writeWholeFile`, for content that takes time to make.
 * @param write creates the file at the path that is passed to it.
 * @throws InputError when it exists or the disk refuses.
 */
export async function makeWholeFile(
  path: string,
  force: boolean,
  write: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = beside(path);
  if (!isWatched) process.once("exit", () => unfinished.forEach(discard));
  isWatched = true;
  unfinished.add(partial);
  try {
    await write(partial);
    moveTo(path, partial, force);
  } catch (error) {
    throw asWriteError(error, path);
  } finally {
    discard(partial);
    unfinished.delete(partial);
  }
}

/** Files that are being written; the process may end before they are complete. */
const unfinished = new Set<string>();
let isWatched = false;

/** Like `writeWholeFile`, for text that comes in pieces. */
export async function writeWholePieces(path: string, pieces: AsyncIterable<string>, force: boolean): Promise<void> {
  await makeWholeFile(path, force, async (partial) => writeFile(partial, pieces, { flag: "wx" }));
}

/** Writes a file to the disk, so that it survives a crash of the machine. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes the names in a folder to the disk. Does nothing on systems that have no such call. */
export function syncFolder(path: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    fsyncSync(descriptor);
  } catch (error) {
    // Windows opens no folders, and some file systems of networks sync none.
    if (!NO_SYNC.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const NO_SYNC: ReadonlySet<string> = new Set(["EISDIR", "EPERM", "EINVAL", "ENOTSUP", "EBADF"]);

function moveTo(path: string, partial: string, force: boolean): void {
  syncFile(partial);
  refuse(path, force);
  renameSync(partial, path);
  syncFolder(dirname(resolve(path)));
}

function refuse(path: string, force: boolean): void {
  if (path === "") throw fileProblem('""', "is no name of a file");
  let existing;
  try {
    existing = lstatSync(resolve(path), { throwIfNoEntry: false });
  } catch (error) {
    throw asWriteError(error, path);
  }
  if (existing?.isDirectory() === true) throw fileProblem(path, "is a folder, and no file");
  if (existing !== undefined && !existing.isFile()) {
    throw fileProblem(path, "is no plain file: a link or a device");
  }
  if (existing !== undefined && !force) throw fileProblem(path, "the file is there already; --force replaces it");
}

/** Whether a file is there, or a link leads to one. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Removes a file if it exists; its folder may be missing too. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (!NO_PLACE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** Error codes of a path at which no file can exist. */
const NO_PLACE: ReadonlySet<string> = new Set(["ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** A hidden name in the same folder, within the length that file systems allow. */
function beside(path: string): string {
  const target = resolve(path);
  const name = Buffer.from(basename(target)).subarray(0, 200).toString();
  return join(dirname(target), `.${name}.partial-${randomBytes(4).toString("hex")}`);
}

/**
 * An error of the file system or of the database's file output as an InputError about `place`; any other error as it
 * is.
 */
export function asWriteError(error: unknown, place: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && "syscall" in error) {
    return fileProblem(place, `cannot write: ${systemReason(error)}`);
  }
  // The database has no codes; its file errors start so.
  const [, ofDatabase] = /^IO Error: (.*)/.exec(error.message) ?? [];
  if (ofDatabase !== undefined) return fileProblem(place, `cannot write: ${ofDatabase}`);
  return error;
}

/**
 * The file that marks a folder as Bide's. Bide replaces or removes files only in a folder with this file, or in a
 * folder of an earlier version in which every file is one that Bide writes; and only files with names that Bide gives.
 */
export const MARKER = ".bide-folder";

/** The purpose of a folder of Bide. */
type FolderKind = "results" | "sweep";

const MOST_BYTES = 1000;

/** A partial marker, which a process that was killed while it wrote the marker may have left. */
const MARKER_PARTIAL = /^\.\.bide-folder\.partial-[0-9a-f]{8}$/;

function markerText(kind: FolderKind): string {
  return `${JSON.stringify({ format: "bide-folder", version: 1, kind })}\n`;
}

/** Marks the folder as Bide's, unless it is marked already. */
export function markFolder(path: string, kind: FolderKind): void {
  if (!isMarked(path, kind)) writeWholeFile(join(path, MARKER), markerText(kind), false);
}

/**
 * Whether the folder is marked as Bide's, and as one of this kind. Only a plain file counts as a marker, not a link or
 * anything else with its name.
 */
export function isMarked(path: string, kind: FolderKind): boolean {
  return textOf(join(path, MARKER)) === markerText(kind);
}

function isOfBide(path: string): boolean {
  return isMarked(path, "results") || isMarked(path, "sweep");
}

/**
 * Refuses, before anything is computed, what `checkNewFile` refuses, and a file of a sweep or of the results of a run:
 * these are never meant to become a report.
 * @throws InputError
 */
export function checkNewReport(path: string, force: boolean): void {
  checkNewFile(path, force);
  const target = resolve(path);
  if (lstatSync(target, { throwIfNoEntry: false }) === undefined || !isOfBide(dirname(target))) return;
  throw fileProblem(path, "is a file of a folder in which Bide keeps results; name another place");
}

/** The text of a small plain file; null: there is no such file. Never follows a link. */
export function textOf(path: string, mostBytes = MOST_BYTES): string | null {
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing?.isFile() !== true || existing.size > mostBytes) return null;
  return readFileSync(path, "utf8");
}

/** The part of Node's `Dirent` that is used; thus users of the package do not need Node's types. */
interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** Entries of a folder, except partial markers of a process that was killed. */
export function entriesIn(path: string): readonly Entry[] {
  return readdirSync(path, { withFileTypes: true }).filter(
    (entry) => !(entry.isFile() && MARKER_PARTIAL.test(entry.name)),
  );
}

/**
 * Kind of entry that a name may have in a folder of Bide: a plain file, or a folder of plain files whose names match.
 * Null: the name is not Bide's.
 */
export type OwnEntry = "file" | { readonly folderOf: RegExp } | null;

/** The first entry that is not what Bide writes under its name; undefined: there is none. Links are none of Bide's. */
export function strangerIn(path: string, ownEntry: (name: string) => OwnEntry): string | undefined {
  for (const entry of entriesIn(path)) {
    const kind = ownEntry(entry.name);
    if (entry.isFile() && (kind === "file" || entry.name === MARKER)) continue;
    if (kind === null || kind === "file") return entry.name;
    if (!entry.isDirectory()) return entry.name;
    const inside = readdirSync(join(path, entry.name), { withFileTypes: true });
    const stranger = inside.find((innerEntry) => !innerEntry.isFile() || !kind.folderOf.test(innerEntry.name));
    if (stranger !== undefined) return join(entry.name, stranger.name);
  }
  return undefined;
}

/** Removes Bide's own entries from a folder of Bide. Entries under other names stay. */
export function removeOwn(path: string, names: readonly string[], ownEntry: (name: string) => OwnEntry): void {
  for (const name of names) {
    if (name === MARKER || ownEntry(name) !== null) rmSync(join(path, name), { recursive: true, force: true });
  }
}
