import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileProblem } from "../input-error.js";

export const LOCK_FILE = "lock.json";

/** The process that writes a folder. */
interface Holder {
  readonly host: string;
  readonly pid: number;
  /**
   * Start time of the process by its machine's count; a later process may have the same number. null: not known.
   */
  readonly started: string | null;
}

/**
 * Keeps other processes from writing a folder until `release`. A lock that its process left behind, because it was
 * killed, is taken over at once; one of another machine never, for nothing here tells whether its process lives.
 */
export class FolderLock {
  private constructor(private readonly path: string) {}

  /** @throws InputError when another process has it. @param folder as messages name it, too. */
  static take(folder: string): FolderLock {
    const path = join(folder, LOCK_FILE);
    const self: Holder = { host: hostname(), pid: process.pid, started: startOf(process.pid) };
    for (;;) {
      try {
        writeFileSync(path, `${JSON.stringify(self)}\n`, { flag: "wx" });
        return new FolderLock(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const text = textIn(path);
      const holder = text === null ? null : holderIn(text);
      if (holder !== null && mayLive(holder)) throw fileProblem(folder, lockedMessage(holder, path));
      if (text !== null) removeStale(path, text);
    }
  }

  release(): void {
    rmSync(this.path, { force: true });
  }
}

/**
 * Removes a stale lock. It is first moved aside and read again. If it is not the stale lock, but a new one of another
 * process, it is moved back.
 */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.stale-${randomBytes(4).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (textIn(aside) === stale) rmSync(aside);
  else renameSync(aside, path);
}

function lockedMessage({ host, pid }: Holder, path: string): string {
  if (host === hostname()) return `process ${pid} is writing into the folder`;
  return `process ${pid} on ${host} is writing into the folder; if that process has ended, remove ${path}`;
}

function mayLive({ host, pid, started }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, under another user.
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  return started === null || startOf(pid) === started;
}

/** Linux: clock ticks from boot to the start of the process. */
function startOf(pid: number): string | null {
  const stat = textIn(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may hold anything.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

/** null: half-written by a process that was killed. */
function holderIn(text: string): Holder | null {
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return null;
  }
}

/** null: it has just been removed, or there is no such file on this system. */
function textIn(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
