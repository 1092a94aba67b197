/**
 * What the program of a process of its own does: it is sent one task, answers it, and ends; also when nobody listens any more.
 * What `answer` rejects with ends the process, with its trace on stderr.
 */
export function answerTask<Task>(answer: (task: Task, signal: AbortSignal) => Promise<object>): void {
  const abandoned = new AbortController();
  process.once("disconnect", () => {
    abandoned.abort(new Error("nobody listens any more"));
  });
  process.once("message", (task) => {
    void answer(task as Task, abandoned.signal).then((found) => {
      process.send?.(found);
      process.disconnect();
    });
  });
}

/** What this process has used since it was started, Node's own start and all threads included. */
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
