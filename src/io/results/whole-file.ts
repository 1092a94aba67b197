import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { InputError } from "../input-error.js";
import { printable } from "../scenario/show.js";
import { asWriteError, cannotWrite } from "./file-trouble.js";

/** Endings that promise a format, whether Bide writes it or not. */
const PROMISED = /\.(svg|png|jpe?g|gif|webp|pdf|eps|html?|json|csv|tsv|md|xml|parquet|xlsx?|zip|gz)$/i;

/**
 * Refuses a name whose ending promises another format than the one that is written. A name without a known ending promises nothing.
 * @param option by which the file was named. @param ending of what is written: `svg`. @throws InputError
 */
export function checkEnding(option: string, path: string, ending: string): void {
  const found = PROMISED.exec(path)?.[1].toLowerCase();
  if (found === undefined || found === ending) return;
  const message = `found the ending .${found}, allowed .${ending}, which is what is written`;
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
    rmSync(trial, { force: true });
  }
}

/**
 * Writes a file that is there whole or not at all. Without `force` it never replaces one.
 * @throws InputError when it exists or the disk refuses.
 */
export function writeWholeFile(path: string, text: string, force: boolean): void {
  const partial = beside(path);
  try {
    writeFileSync(partial, text, { flag: "wx", flush: true });
    refuse(path, force);
    moveTo(path, partial, force);
  } catch (error) {
    throw asWriteError(error, path);
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * The same for whoever writes a file by its name.
 * @throws InputError when it exists or the disk refuses.
 */
export async function makeWholeFile(
  path: string,
  force: boolean,
  write: (partial: string) => Promise<void>,
): Promise<void> {
  const partial = beside(path);
  try {
    await write(partial);
    syncFile(partial);
    refuse(path, force);
    moveTo(path, partial, force);
  } catch (error) {
    throw asWriteError(error, path);
  } finally {
    rmSync(partial, { force: true });
  }
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

function beside(path: string): string {
  const target = resolve(path);
  return join(dirname(target), `.${basename(target)}.partial-${randomBytes(4).toString("hex")}`);
}
