import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { RunOutcome } from "../../core/sweep/run-outcome.js";
import type { RunPlace } from "./run-place.js";
import type { RunTask } from "./run-task.js";

/** How often a run is begun whose thread dies; one that kills its thread each time is not tried for ever. */
const TRIES = 3;

/** Threads of this process that simulate, one run each at a time. */
export class RunPool implements RunPlace {
  /** One more than there are threads, so that none waits for this one. */
  readonly atOnce: number;
  private readonly pool: Piscina;
  private isClosed = false;

  /** @param threads at least 1. */
  constructor(threads: number) {
    this.atOnce = threads + 1;
    const filename = fileURLToPath(new URL("./run-task.js", import.meta.url));
    this.pool = new Piscina({ filename, minThreads: threads, maxThreads: threads, concurrentTasksPerWorker: 1 });
    // Code of a plugin that was left behind ended a thread between two runs; another takes its place.
    this.pool.on("error", () => undefined);
  }

  /** An abort ends the thread that was at it. A run whose thread dies is begun again, and fails if that goes on. */
  async run(task: RunTask, signal?: AbortSignal): Promise<RunOutcome> {
    const startMs = performance.now();
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted();
      try {
        return (await this.pool.run(task, signal === undefined ? {} : { signal })) as RunOutcome;
      } catch (error) {
        signal?.throwIfAborted();
        if (this.isClosed) throw error;
        if (tries < TRIES) continue;
        const message = error instanceof Error ? error.message : String(error);
        const reason = `the thread of the run ended, ${String(TRIES)} times: ${message}`;
        return { outcome: "failed", error: reason, cost: { wallSeconds: (performance.now() - startMs) / 1000 } };
      }
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.pool.destroy();
  }
}
