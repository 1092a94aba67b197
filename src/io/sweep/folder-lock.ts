import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { cannotWrite } from "../results/whole-file.js";

export const LOCK_FILE = "lock.json";

/** Who writes a folder. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /**
   * When that process was started, as its machine counts; a later process may have the same number. null: not known.
   */
  readonly started: string | null;
}

/**
 * Keeps other processes from writing a folder until `release`. A lock that its process left behind, because it was
 * killed, is taken over; one of another machine never, for nobody here can know.
 */
export class FolderLock {
  private isHeld = true;

  private constructor(
    private readonly path: string,
    private readonly text: string,
  ) {}

  /** @throws InputError when another process has it. @param folder as messages name it, too. */
  static take(folder: string): FolderLock {
    const path = join(folder, LOCK_FILE);
    const text = `${JSON.stringify(self())}\n`;
    for (;;) {
      try {
        writeNew(path, text);
        return new FolderLock(path, text);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const found = readText(path);
      if (found === null) continue;
      const holder = holderIn(found);
      if (holder !== null && mayLive(holder)) throw cannotWrite(folder, taken(holder, path));
      removeStale(path, found);
    }
  }

  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    if (readText(this.path) === this.text) rmSync(this.path, { force: true });
  }
}

/** A file that cannot be written whole, as on a full disk, is taken away again. */
function writeNew(path: string, text: string): void {
  const descriptor = openSync(path, "wx");
  try {
    writeFileSync(descriptor, text);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Moves it away first: the process that finds a fresh one puts it back. */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.stale-${randomBytes(4).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readText(aside) === stale) rmSync(aside, { force: true });
  else renameSync(aside, path);
}

function taken({ host, pid }: Holder, path: string): string {
  if (host === hostname()) {
    return `found a folder that process ${String(pid)} is writing, allowed one that nobody writes`;
  }
  return `found a folder that process ${String(pid)} on ${host} is writing; if that process has ended, remove ${path}`;
}

function self(): Holder {
  return { host: hostname(), pid: process.pid, started: startOf(process.pid) };
}

function mayLive({ host, pid, started }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and is somebody else's.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return started === null || startOf(pid) === started;
}

/** Linux: clock ticks from boot to the start of the process. */
function startOf(pid: number): string | null {
  const stat = readText(`/proc/${String(pid)}/stat`);
  // The name of the program, in parentheses, may hold anything.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

/** null: half-written by a process that was killed, or somebody else's file: nobody holds it. */
function holderIn(text: string): Holder | null {
  try {
    const value = JSON.parse(text) as Partial<Record<keyof Holder, unknown>> | null;
    if (typeof value?.pid !== "number" || typeof value.host !== "string") return null;
    return { host: value.host, pid: value.pid, started: typeof value.started === "string" ? value.started : null };
  } catch {
    // No JSON.
    return null;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has just been removed, or there is no such thing on this system.
    return null;
  }
}
