import { setTimeout as sleep } from "node:timers/promises";
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { sumOver, counted } from "../../../core/kernel/index.js";
import type { RunOutcome } from "../../../experiments/index.js";
import { InputError } from "../../../io/index.js";
import type { RunExecutor } from "../run-executor.js";
import type { RunTask } from "../run-task.js";
import { connectQueue, type QueueAddress, type QueueClients, reason, sparing, type Tell } from "./connection.js";
import { jobIdOf, packTask, PREFIX, queueName, SharedTraces } from "./queued-task.js";

interface Awaited {
  /** As it lies in Redis. */
  readonly data: string;
  readonly settle: (outcome: RunOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

const LOOK_MS = 200;

/** Looks for ended runs between two checks of what Redis holds. */
const LOOKS_PER_CHECK = 5;

const SAY_MS = 5000;

/** A sweep to which nothing comes back says what it waits for this often. */
const WAITING_MS = 60_000;

const LEAVING_MS = 3000;

/** Results that no sweep has collected are dropped after a week. */
const KEPT = { age: 7 * 86_400 } as const;

/** A run that a worker cannot do, on a full disk for instance, is tried again; the pause doubles each time. */
const TRIES = { attempts: 5, backoff: { type: "exponential", delay: 1000 } } as const;

/**
 * Runs that workers do, on any machines, as jobs of BullMQ. The key of a run is the id of its job, so a sweep that is
 * resumed finds what was done meanwhile. A result stays in Redis until `stored`. Redis may come back without what it
 * held: then it is given that again.
 */
export class QueuedRuns implements RunExecutor {
  readonly atOnce = 500;
  /** Runs that all workers together can do at the same time. */
  capacity = 0;
  private readonly awaited = new Map<string, Awaited>();
  private readonly loop: Promise<void>;
  private readonly tell: Tell;
  private readonly timer = setInterval(() => this.sayWaiting(), SAY_MS);
  private signal: AbortSignal | undefined;
  private lookedMs = performance.now();
  private progressMs = performance.now();
  private isOver = false;

  private constructor(
    private readonly address: QueueAddress,
    private readonly queue: Queue<string, RunOutcome>,
    private readonly redis: Redis,
    private readonly traces: SharedTraces,
    private readonly plugins: readonly string[],
    tell: Tell,
  ) {
    this.tell = sparing(tell);
    this.loop = this.watchJobs();
  }

  /** @param sweep the hash of its code, and the digests of its plugins in their order. */
  static open(
    clients: QueueClients,
    address: QueueAddress,
    { code, plugins }: { readonly code: string; readonly plugins: readonly string[] },
    tell: Tell,
  ): QueuedRuns {
    const redis = connectQueue(clients, address, tell);
    const queue = new clients.bullmq.Queue<string, RunOutcome>(queueName(code, plugins), {
      connection: redis,
      prefix: PREFIX,
      defaultJobOptions: { ...TRIES, removeOnComplete: KEPT, removeOnFail: KEPT },
      streams: { events: { maxLen: 100 } },
    });
    // The connection says when Redis is away, and commands what it refuses.
    queue.on("error", () => undefined);
    return new QueuedRuns(address, queue, redis, new SharedTraces(redis), plugins, tell);
  }

  async run(task: RunTask, signal?: AbortSignal): Promise<RunOutcome> {
    signal?.throwIfAborted();
    this.rejectOn(signal);
    await this.traces.share(task).catch(this.complain);
    signal?.throwIfAborted();
    if (this.awaited.size === 0) this.progressMs = performance.now();
    return new Promise((settle, reject) => {
      this.awaited.set(task.key, { data: packTask(task, this.plugins), settle, reject });
      this.add(task.key).catch(this.complain);
    });
  }

  /** The result of this run is on disk: Redis need not keep it. */
  stored(key: string): void {
    this.queue.remove(jobIdOf(key)).catch(this.complain);
  }

  /**
   * Takes back what no worker has begun. Runs in progress go on, and their results wait in Redis for the sweep to be
   * resumed. Never throws: what was stored is stored, whatever Redis says to that.
   */
  async close(): Promise<void> {
    this.isOver = true;
    clearInterval(this.timer);
    const leave = async (): Promise<null> => {
      await this.loop;
      const waiting = await this.queue.getRanges(["wait", "delayed"], 0, -1);
      const ours = waiting.filter((id) => this.awaited.delete(id.slice(1)));
      await Promise.all(ours.map(async (id) => this.queue.remove(id)));
      if (this.awaited.size === 0) await this.traces.remove();
      else this.tell(`still running: ${counted(this.awaited.size, "run")}; --resume collects the results`);
      return null;
    };
    const why = await Promise.race([
      leave().catch((error: unknown) => reason(error as Error)),
      sleep(LEAVING_MS, "no answer in time", { ref: false }),
    ]);
    if (why !== null) this.tell(`${this.address.shown} may keep something of this sweep: ${why}`);
    this.redis.disconnect();
  }

  /** Does nothing where the job is there already, in whatever state. */
  private async add(key: string): Promise<void> {
    const { data } = this.awaited.get(key) ?? {};
    if (data !== undefined) await this.queue.add("run", data, { jobId: jobIdOf(key) });
  }

  /** All runs of a sweep have one signal. */
  private rejectOn(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.signal === signal) return;
    this.signal = signal;
    signal.addEventListener("abort", () => this.rejectAll(signal.reason), { once: true });
  }

  private rejectAll(why: unknown): void {
    for (const { reject } of this.awaited.values()) reject(why);
  }

  private async watchJobs(): Promise<void> {
    for (let look = 0; !this.isOver; look++) {
      try {
        await this.collect();
        if (look % LOOKS_PER_CHECK === 0) await this.check();
      } catch (error) {
        this.complain(error);
      }
      this.lookedMs = performance.now();
      await sleep(LOOK_MS);
    }
  }

  private async collect(): Promise<void> {
    const failed = new Set(await this.queue.getRanges(["failed"], 0, -1));
    for (const id of [...failed, ...(await this.queue.getRanges(["completed"], 0, -1))]) {
      const key = id.slice(1);
      const waiting = this.awaited.get(key);
      const job = waiting === undefined ? undefined : await this.queue.getJob(id);
      if (waiting === undefined || job === undefined) continue;
      this.progressMs = performance.now();
      this.awaited.delete(key);
      waiting.settle(failed.has(id) ? givenUp(job.failedReason) : job.returnvalue);
    }
  }

  /** Puts in again what a Redis that was restarted no longer has. */
  private async check(): Promise<void> {
    await this.traces.putMissing();
    const keys = [...this.awaited.keys()];
    const replies = await this.redis.pipeline(keys.map((key) => ["exists", this.queue.toKey(jobIdOf(key))])).exec();
    await Promise.all(keys.filter((_, place) => replies?.[place][1] === 0).map(async (key) => this.add(key)));
    // The name of a worker is its number of threads.
    const workers = await this.queue.getWorkers();
    this.capacity = sumOver(workers, ({ rawname }) => Number(/:w:(\d+)$/.exec(rawname)?.[1] ?? 1));
  }

  private sayWaiting(): void {
    const now = performance.now();
    if (this.awaited.size === 0) return;
    if (now - this.lookedMs > SAY_MS) this.tell(`${this.address.shown} does not answer; waiting for it`);
    else if (this.capacity === 0) {
      const how = `bide worker --queue ${this.address.shown}`;
      this.tell(
        `no workers with the code${this.plugins.length > 0 ? " and plugins" : ""} of this sweep; start one with ${how}`,
      );
    } else if (now - this.progressMs > WAITING_MS) {
      this.tell(`waits for ${counted(this.awaited.size, "run")}; workers have ${counted(this.capacity, "thread")}`);
    }
  }

  private readonly complain = (error: unknown) => {
    // A trace that is too large, or has changed since the sweep began: no later look finds it otherwise.
    if (error instanceof InputError) this.rejectAll(error);
    else if (!this.isOver) this.tell(`Redis: ${reason(error as Error)}; waits for it`);
  };
}

function givenUp(why: string): RunOutcome {
  const lost = "every worker that did it ended; the run may be the cause, for lack of memory for instance";
  return {
    outcome: "failed",
    error: `given up: ${why.startsWith("job stalled") ? lost : why}`,
    cost: { wallSeconds: 0 },
  };
}
