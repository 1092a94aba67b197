import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Enough for the trace of what went wrong. */
const MOST_TOLD = 10_000;

/**
 * Has a program answer a task in a process of its own, so that nothing measured profits or suffers from what was measured before.
 * Aborted, or when this process ends, so does the other.
 * @param program one that calls `answerTask`.
 */
export async function inOwnProcess(program: URL, task: object, signal?: AbortSignal): Promise<unknown> {
  signal?.throwIfAborted();
  // Infinity, which scenarios hold, is no JSON.
  const serialization = "advanced";
  const child = fork(fileURLToPath(program), [], { stdio: ["ignore", "ignore", "pipe", "ipc"], serialization });
  const kill = (): void => {
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
  let told = "";
  child.stderr?.on("data", (data: Buffer) => {
    told = (told + data.toString()).slice(0, MOST_TOLD);
  });
  let answer: unknown = null;
  child.once("message", (message) => {
    answer = message;
  });
  const [code, ended] = (await once(child, "close")) as [number | null, string | null];
  if (answer !== null && code === 0) return answer;
  throw new Error(`the process of a measured run ended with ${String(ended ?? code)}: ${told}`);
}
