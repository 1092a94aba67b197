import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { threadEnv } from "../../actors/index.js";
import type { RunOutcome } from "../../experiments/index.js";
import type { RunTask } from "./run-task.js";

/** Does runs of a sweep: in threads of this process, or on other machines. */
export interface RunExecutor {
  /** The number of runs that it accepts at a time; more would pile up. */
  readonly atOnce: number;
  /** The number of these that run at a time, as far as is known; the others wait for their turn. */
  readonly capacity?: number;
  /** Rejects with `signal.reason` when aborted, and with whatever keeps this executor from doing any run. */
  readonly run: (task: RunTask, signal?: AbortSignal) => Promise<RunOutcome>;
  /** Called when the outcome of this run is on disk; an executor that kept it until then can drop it. */
  readonly stored?: (key: string) => void;
  /** Ends what it is at. */
  readonly close: () => Promise<void>;
}

/** Attempts at a run whose thread dies: a run that kills its thread each time is not tried for ever. */
const TRIES = 3;

/** The time that `close` waits for threads that are still loading, in the usual case and after an abort. */
const LOADING_MS = 10_000;

const HURRY_MS = 300;

/** Threads of this process that simulate, one run each at a time. A thread is started when there is a run for it. */
export class RunPool implements RunExecutor {
  /** One more than there are threads, so that none waits for this one. */
  readonly atOnce: number;
  private pool: Piscina | undefined;
  /** Number of threads that have loaded their code. */
  private loaded = 0;
  private isHurried = false;
  private isClosed = false;

  readonly capacity: number;

  /** @param threads at least 1. */
  constructor(private readonly threads: number) {
    this.atOnce = threads + 1;
    this.capacity = threads;
  }

  /**
   * An abort ends the thread of the run. A run whose thread dies is begun again, and fails after `TRIES` deaths.
   * @throws `signal.reason` when aborted; what Node says when no thread can be started.
   */
  async run(task: RunTask, signal?: AbortSignal): Promise<RunOutcome> {
    const startMs = performance.now();
    for (let tries = 1; ; tries++) {
      this.throwIfAborted(signal);
      try {
        this.pool ??= this.start();
        return (await this.pool.run(task, signal === undefined ? {} : { signal })) as RunOutcome;
      } catch (error) {
        this.throwIfAborted(signal);
        // A thread that this machine refuses says nothing about the run.
        if (this.isClosed || (error as NodeJS.ErrnoException).code === "ERR_WORKER_INIT_FAILED") throw error;
        if (tries < TRIES) continue;
        const message = error instanceof Error ? error.message : String(error);
        const reason = `the thread of the run ended, ${TRIES} times: ${message}`;
        return { outcome: "failed", error: reason, cost: { wallSeconds: (performance.now() - startMs) / 1000 } };
      }
    }
  }

  /**
   * Node may abort the whole process when a thread is ended that is still loading its modules, so they are waited for.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    const { pool } = this;
    if (pool === undefined) return;
    const lastMs = performance.now() + (this.isHurried ? HURRY_MS : LOADING_MS);
    while (this.loaded < pool.threads.length && performance.now() < lastMs) await sleep(5);
    await pool.destroy();
  }

  private start(): Piscina {
    const pool = new Piscina({
      filename: fileURLToPath(new URL("./run-task.js", import.meta.url)),
      env: threadEnv(),
      minThreads: 1,
      maxThreads: this.threads,
      idleTimeout: Infinity,
      concurrentTasksPerWorker: 1,
    });
    pool.on("workerCreate", () => this.loaded++);
    pool.on("workerDestroy", () => this.loaded--);
    // Code of a plugin that was left behind ended a thread between two runs; another takes its place.
    pool.on("error", () => undefined);
    return pool;
  }

  private throwIfAborted(signal: AbortSignal | undefined): void {
    if (signal?.aborted !== true) return;
    this.isHurried = true;
    throw signal.reason;
  }
}
