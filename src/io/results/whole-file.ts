import { randomBytes } from "node:crypto";
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { asWriteError, cannotWrite } from "./file-trouble.js";

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
    writeFileSync(partial, text, { flag: "wx" });
    refuse(path, force);
    renameSync(partial, path);
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
    refuse(path, force);
    renameSync(partial, path);
  } catch (error) {
    throw asWriteError(error, path);
  } finally {
    rmSync(partial, { force: true });
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
