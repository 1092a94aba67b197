import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { WholeRunFigures, WholeRunTask } from "./whole-run-task.js";

const PROGRAM = fileURLToPath(new URL("./whole-run-process.js", import.meta.url));
/** Enough for the trace of what went wrong. */
const MOST_TOLD = 10_000;

/**
 * Runs a simulation in a process of its own, so that no run profits or suffers from what another left behind.
 * Aborted, or when this process ends, so does the other.
 */
export async function wholeRun(task: WholeRunTask, signal?: AbortSignal): Promise<WholeRunFigures> {
  signal?.throwIfAborted();
  const child = fork(PROGRAM, [], { execArgv: process.execArgv, stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const kill = (): void => {
    child.kill("SIGKILL");
  };
  signal?.addEventListener("abort", kill);
  process.once("exit", kill);
  try {
    child.send(task);
    return await figuresOf(child);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    process.off("exit", kill);
    signal?.removeEventListener("abort", kill);
  }
}

async function figuresOf(child: ChildProcess): Promise<WholeRunFigures> {
  let told = "";
  child.stderr?.on("data", (data: Buffer) => {
    told = (told + data.toString()).slice(0, MOST_TOLD);
  });
  let figures: WholeRunFigures | null = null;
  child.once("message", (message) => {
    figures = message as WholeRunFigures;
  });
  const [code, ended] = (await once(child, "close")) as [number | null, string | null];
  if (figures !== null && code === 0) return figures;
  throw new Error(`the process of a measured run ended with ${String(ended ?? code)}: ${told}`);
}
