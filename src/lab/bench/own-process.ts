import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Both ends of a process in which one thing is measured. This file loads little, and neither `machine.ts` nor the
 * library of histograms: the cost of the process is a figure of benchmarks and regressions.
 */

/** Enough for the trace of what went wrong. */
const MOST_TOLD = 10_000;

/**
 * Has a program answer a task in a process of its own, so that nothing measured profits or suffers from what was
 * measured before. Aborted, or when this process ends, so does the other.
 * @param program one that calls `answerTask`.
 */
export async function inOwnProcess(program: URL, task: object, signal?: AbortSignal): Promise<unknown> {
  signal?.throwIfAborted();
  // Infinity, which scenarios hold, is no JSON.
  const serialization = "advanced";
  const child = fork(fileURLToPath(program), [], { stdio: ["ignore", "ignore", "pipe", "ipc"], serialization });
  const kill = () => {
    child.kill("SIGKILL");
  };
  signal?.addEventListener("abort", kill);
  process.once("exit", kill);
  try {
    child.send(task);
    return await answerOf(child);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    process.off("exit", kill);
    signal?.removeEventListener("abort", kill);
  }
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  let errorText = "";
  child.stderr?.on("data", (data: Buffer) => {
    errorText = (errorText + data.toString()).slice(0, MOST_TOLD);
  });
  let answer: unknown = null;
  child.once("message", (message) => {
    answer = message;
  });
  const [code, ended] = (await once(child, "close")) as [number | null, string | null];
  if (answer !== null && code === 0) return answer;
  throw new Error(`the process of a measured run ended with ${String(ended ?? code)}: ${errorText}`);
}

/**
 * Runs the program of a separate process: it receives one task, answers it, and ends; also when the parent is gone. A
 * rejection of `answer` ends the process, with its trace on stderr.
 */
export function answerTask<Task>(answer: (task: Task, signal: AbortSignal) => Promise<object>): void {
  const abandoned = new AbortController();
  process.once("disconnect", () => {
    abandoned.abort(new Error("nobody listens any more"));
  });
  process.once("message", (task) => {
    void answer(task as Task, abandoned.signal).then((result) => {
      process.send?.(result);
      process.disconnect();
    });
  });
}

/** Resources that this process has used since it was started, Node's own start and all threads included. */
export interface ProcessCost {
  readonly wallSeconds: number;
  /** User + system. */
  readonly cpuSeconds: number;
  readonly peakMemoryMiB: number;
}

export function costOfProcess(): ProcessCost {
  const { user, system } = process.cpuUsage();
  return {
    wallSeconds: performance.now() / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakMemoryMiB: process.resourceUsage().maxRSS / 1024,
  };
}

/** CPU time so far, user + system. */
export interface CpuSeconds {
  /** All threads of this process. */
  readonly process: number;
  /** The calling thread; null: this system does not count it. */
  readonly thread: number | null;
}

export function cpuSeconds(): CpuSeconds {
  const { user, system } = process.cpuUsage();
  return { process: (user + system) / 1e6, thread: ownCpuSeconds() };
}

/** Node counts it from version 23.9 on, Linux in a file, to the nanosecond. */
function ownCpuSeconds(): number | null {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
  if (threadCpuUsage !== undefined) {
    const { user, system } = threadCpuUsage.call(process);
    return (user + system) / 1e6;
  }
  try {
    const nanoseconds = Number.parseInt(readFileSync("/proc/thread-self/schedstat", "utf8"), 10);
    return nanoseconds > 0 ? nanoseconds / 1e9 : null;
  } catch {
    return null;
  }
}
