import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../input-error.js";
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
  const found = PROMISED.exec(path)?.[1].toLowerCase();
  if (found === undefined || endings.includes(found)) return;
  const allowed = endings.map((ending) => `.${ending}`).join(", ");
  const message = `found the ending .${found}, allowed ${allowed}, which is what is written`;
  throw new InputError([{ file: `${option} ${printable(path)}`, line: 0, column: 0, message }]);
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
 * Writes a file that is there whole or not at all. Without `force` it never replaces one.
 * @throws InputError when it exists or the disk refuses.
 */
export function writeWholeFile(path: string, content: string | Uint8Array, force: boolean): void {
  const partial = beside(path);
  try {
    writeFileSync(partial, content, { flag: "wx", flush: true });
    refuse(path, force);
    moveTo(path, partial, force);
  } catch (error) {
    throw asWriteError(error, path);
  } finally {
    discard(partial);
  }
}

/**
 * The same for code that writes a file by its name.
 * @throws InputError when it exists or the disk refuses.
 */
export async function makeWholeFile(
  path: string,
  force: boolean,
  write: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = beside(path);
  if (unfinished.size === 0) process.on("exit", discardUnfinished);
  unfinished.add(partial);
  try {
    await write(partial);
    syncFile(partial);
    refuse(path, force);
    moveTo(path, partial, force);
  } catch (error) {
    throw asWriteError(error, path);
  } finally {
    discard(partial);
    unfinished.delete(partial);
    if (unfinished.size === 0) process.off("exit", discardUnfinished);
  }
}

/** Files that are being written; the process may be left in the middle. */
const unfinished = new Set<string>();

function discardUnfinished(): void {
  for (const partial of unfinished) discard(partial);
}

/** The same for text that comes in pieces. @throws InputError when it exists or the disk refuses. */
export async function writeWholePieces(path: string, pieces: AsyncIterable<string>, force: boolean): Promise<void> {
  await makeWholeFile(path, force, async (partial) => {
    const descriptor = openSync(partial, "wx");
    try {
      for await (const piece of pieces) writeFileSync(descriptor, piece);
    } finally {
      closeSync(descriptor);
    }
  });
}

/**
 * Makes a folder and those that it is to be in, as far as they are not there.
 * @returns the outermost that was made, as an absolute path; null: the folder was there.
 * @throws the error of the system. (Node's own way never returns where the system says that a parent is missing
 * although it is there, as it does in /proc.)
 */
export function makeFolders(path: string): string | null {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const folder of [...missing].reverse()) {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Somebody else may have made it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return missing.at(-1) ?? null;
}

/** What a file holds is on the disk when this returns, whatever happens to the machine then. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Which names a folder has is on the disk when this returns. Does nothing on systems that have no such call. */
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

/** File systems without hard links. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);

/** Gives a file its name. Without `force`, a file that has come to have that name meanwhile stays. */
function moveTo(path: string, partial: string, force: boolean): void {
  if (force || !linked(path, partial)) renameSync(partial, path);
  syncFolder(dirname(resolve(path)));
}

function linked(path: string, partial: string): boolean {
  try {
    linkSync(partial, path);
    return true;
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return false;
  }
}

function refuse(path: string, force: boolean): void {
  if (path === "") throw cannotWrite('""', "found no name, allowed that of a file");
  let found;
  try {
    found = lstatSync(resolve(path), { throwIfNoEntry: false });
  } catch (error) {
    throw asWriteError(error, path);
  }
  if (found?.isDirectory() === true) throw cannotWrite(path, "found a folder, allowed a file");
  if (found !== undefined && !found.isFile()) {
    throw cannotWrite(path, "found neither a file nor a folder, such as a link or a device; allowed a file");
  }
  if (found !== undefined && !force)
    throw cannotWrite(path, "found an existing file, allowed a new one; --force replaces it");
}

/** Whether a file is there, or a link leads to one. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Removes a file that may not be there, nor the folder that it would be in. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (!NO_PLACE.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** A path that leads nowhere. */
const NO_PLACE: ReadonlySet<string> = new Set(["ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** A hidden name in the same folder, no longer than file systems allow names to be. */
function beside(path: string): string {
  const target = resolve(path);
  const name = Buffer.from(basename(target)).subarray(0, 200).toString();
  return join(dirname(target), `.${name}.partial-${randomBytes(4).toString("hex")}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its parent folder does not exist",
  ENOTDIR: "part of its path is a file, not a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space left on the device",
  EDQUOT: "the disk quota is used up",
  EFBIG: "a file would be larger than is allowed",
  ENAMETOOLONG: "the name is too long",
  EBUSY: "it is in use",
  EIO: "the device reports an error",
  EMFILE: "too many open files",
  ELOOP: "too many symbolic links",
  EINVAL: "the name cannot be used",
  EISDIR: "it is a folder",
  EEXIST: "it exists",
  ENOTEMPTY: "it exists and is not empty",
};

/** What a user is told of a place in which nothing can be written. `place` is the path or the option as given. */
export function cannotWrite(place: string, message: string): InputError {
  return new InputError([{ file: place, line: 0, column: 0, message }]);
}

/**
 * An error of the file system or of the database's file output as an InputError about `place`; any other error as it
 * is.
 */
export function asWriteError(error: unknown, place: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && "syscall" in error) {
    // /proc says so of what it does not let anybody make.
    const isRefused = code === "ENOENT" && existsSync(dirname(resolve(place)));
    return cannotWrite(place, `cannot write: ${isRefused ? "its folder takes no files" : (REASONS[code] ?? code)}`);
  }
  // The database has no codes; its file errors start so.
  if (/^IO Error: /.test(error.message)) {
    if (error.message.includes("No space left on device")) return cannotWrite(place, `cannot write: ${REASONS.ENOSPC}`);
    return cannotWrite(place, `cannot write: ${error.message.slice("IO Error: ".length).split("\n", 1)[0]}`);
  }
  return error;
}

/**
 * Marks a folder as Bide's. Nothing in a folder is replaced or removed unless the folder has this file, or, made by an
 * earlier version, is in every file what Bide writes; and then only files that Bide gave their names.
 */
export const MARKER = ".bide-folder";

/** What a folder of Bide is for. */
type FolderKind = "results" | "sweep";

const MOST_BYTES = 1000;

/** What a process that was killed while it wrote the marker may have left. */
const MARKER_PARTIAL = /^\.\.bide-folder\.partial-[0-9a-f]{8}$/;

function markerText(kind: FolderKind): string {
  return `${JSON.stringify({ format: "bide-folder", version: 1, kind })}\n`;
}

/** Says that the folder is Bide's. Does nothing where that is said already. */
export function markFolder(path: string, kind: FolderKind): void {
  if (!isMarked(path, kind)) writeWholeFile(join(path, MARKER), markerText(kind), false);
}

/**
 * Whether the folder says that it is Bide's, and of this kind. A link or anything else under the name of the marker
 * says nothing.
 */
export function isMarked(path: string, kind: FolderKind): boolean {
  return textOf(join(path, MARKER)) === markerText(kind);
}

function isOfBide(path: string): boolean {
  return isMarked(path, "results") || isMarked(path, "sweep");
}

/**
 * Refuses, before anything is computed, what `checkNewFile` refuses, and a file of a sweep or of the results of a run:
 * nobody means one of those to become a report.
 * @throws InputError
 */
export function checkNewReport(path: string, force: boolean): void {
  checkNewFile(path, force);
  const target = resolve(path);
  if (lstatSync(target, { throwIfNoEntry: false }) === undefined || !isOfBide(dirname(target))) return;
  throw cannotWrite(path, "found a file of a folder in which Bide keeps results, allowed another place");
}

/** The text of a small plain file; null: there is no such file. Never follows a link. */
export function textOf(path: string, mostBytes = MOST_BYTES): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > mostBytes) return null;
  return readFileSync(path, "utf8");
}

/** As Node tells of it; users of the package need no types of Node's. */
interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** What is in a folder, but for what a process that was killed while it marked the folder left. */
export function entriesIn(path: string): readonly Entry[] {
  return readdirSync(path, { withFileTypes: true }).filter(
    (entry) => !(entry.isFile() && MARKER_PARTIAL.test(entry.name)),
  );
}

/** What a folder of Bide may hold under a name: a plain file, or a folder of plain files with such names. */
export type OwnEntry = "file" | { readonly folderOf: RegExp } | null;

/** The first entry that is not what Bide writes under its name; undefined: there is none. Links are none of Bide's. */
export function strangerIn(path: string, own: (name: string) => OwnEntry): string | undefined {
  for (const entry of entriesIn(path)) {
    const kind = own(entry.name);
    if (entry.isFile() && (kind === "file" || entry.name === MARKER)) continue;
    if (kind === null || kind === "file") return entry.name;
    if (!entry.isDirectory()) return entry.name;
    const inside = readdirSync(join(path, entry.name), { withFileTypes: true });
    const stranger = inside.find((one) => !one.isFile() || !kind.folderOf.test(one.name));
    if (stranger !== undefined) return join(entry.name, stranger.name);
  }
  return undefined;
}

/**
 * Removes entries of a folder that is Bide's. Whatever else has come to be there meanwhile stays.
 * @throws InputError when something stands in the way.
 */
export function removeOwn(path: string, names: readonly string[], own: (name: string) => OwnEntry): void {
  for (const name of names) {
    const at = join(path, name);
    const found = lstatSync(at, { throwIfNoEntry: false });
    const kind = name === MARKER ? "file" : own(name);
    if (found === undefined || kind === null) continue;
    if (kind === "file") {
      if (!found.isFile()) throw cannotWrite(path, `found something else than a file of Bide (${name.slice(0, 60)})`);
      unlinkSync(at);
      continue;
    }
    if (!found.isDirectory())
      throw cannotWrite(path, `found something else than a folder of Bide (${name.slice(0, 60)})`);
    for (const inner of readdirSync(at, { withFileTypes: true })) {
      if (inner.isFile() && kind.folderOf.test(inner.name)) unlinkSync(join(at, inner.name));
    }
    rmdirSync(at);
  }
}
