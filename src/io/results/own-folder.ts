import { lstatSync, readdirSync, readFileSync, rmdirSync, unlinkSync, type Dirent } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { cannotWrite } from "./file-trouble.js";
import { checkNewFile, writeWholeFile } from "./whole-file.js";

/**
 * Marks a folder as Bide's. Nothing in a folder is replaced or removed unless the folder has this file, or, made by an earlier
 * version, is in every file what Bide writes; and then only files that Bide gave their names.
 */
export const MARKER = ".bide-folder";

/** What a folder of Bide is for. */
export type FolderKind = "results" | "sweep";

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

/** Whether the folder says that it is Bide's, and of this kind. A link or anything else under the name of the marker says nothing. */
export function isMarked(path: string, kind: FolderKind): boolean {
  return textOf(join(path, MARKER)) === markerText(kind);
}

function isOfBide(path: string): boolean {
  return isMarked(path, "results") || isMarked(path, "sweep");
}

/**
 * Refuses, before anything is computed, what `checkNewFile` refuses, and a file of a sweep or of the results of a run: nobody means
 * one of those to become a report.
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

/** What is in a folder, but for what a process that was killed while it marked the folder left. */
export function entriesIn(path: string): Dirent[] {
  return readdirSync(path, { withFileTypes: true }).filter(
    (entry) => !(entry.isFile() && MARKER_PARTIAL.test(entry.name)),
  );
}

/** What a folder of Bide may hold under a name: a plain file, or a folder of plain files with such names. */
export type OwnEntry = "file" | { readonly folderOf: RegExp; readonly orFile?: boolean } | null;

/** The first entry that is not what Bide writes under its name; undefined: there is none. Links are none of Bide's. */
export function strangerIn(path: string, own: (name: string) => OwnEntry): string | undefined {
  for (const entry of entriesIn(path)) {
    const kind = own(entry.name);
    if (entry.isFile() && (kind === "file" || entry.name === MARKER)) continue;
    if (kind === null || kind === "file") return entry.name;
    if (entry.isFile() && kind.orFile === true) continue;
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
    if (kind === "file" || (found.isFile() && kind.orFile === true)) {
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
