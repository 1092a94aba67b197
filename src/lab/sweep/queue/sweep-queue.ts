import type { Job, Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { lastingOptions, type Tell } from "./connect.js";
import type { JobParcel } from "./job-parcel.js";
import type { QueueClients } from "./load-clients.js";
import type { SweepNotice } from "./notices.js";
import type { QueueAddress } from "./queue-address.js";
import { forgetQueue, jobIdOf, LOCK, MOST_STALLS, PREFIX, SWEEPS_KEY, TRIES } from "./queue-keys.js";

const EVERYWHERE = ["wait", "prioritized", "delayed", "active", "completed", "failed"] as const;
const ENDED = ["completed", "failed"] as const;
const MOST_EVENTS = 100;
/** What is kept in Redis of one sweep: its runs as jobs of BullMQ, and the notice that it wants them done. */
export class SweepQueue {
  private readonly queue: Queue<JobParcel, string>;
  /** Does no runs; hands on those whose process is gone. */
  private readonly watch: Worker;

  constructor(
    clients: QueueClients,
    address: QueueAddress,
    private readonly redis: Redis,
    readonly id: string,
    tell: Tell,
  ) {
    const { Queue: QueueOf, Worker: WorkerOf } = clients.bullmq;
    const shared = { connection: lastingOptions(address), prefix: PREFIX };
    this.queue = new QueueOf(id, { ...shared, streams: { events: { maxLen: MOST_EVENTS } } });
    this.watch = new WorkerOf(id, null, {
      ...shared,
      autorun: false,
      stalledInterval: LOCK.stalledCheckMs,
      maxStalledCount: MOST_STALLS,
    });
    // Connections come back by themselves, and `connectQueue` says when they are gone.
    this.queue.on("error", () => undefined);
    this.watch.on("error", () => undefined);
    this.watch.on("stalled", () => {
      tell("a process that did a run is gone; another takes the run over");
    });
  }

  async open(): Promise<void> {
    await this.queue.waitUntilReady();
    await this.watch.startStalledCheckTimer();
  }

  async announce(notice: SweepNotice): Promise<void> {
    await this.redis.hset(SWEEPS_KEY, this.id, JSON.stringify(notice));
  }

  /** Does nothing where the job is there already, in whatever state. */
  async add(key: string, parcel: JobParcel): Promise<void> {
    await this.queue.add("run", parcel, {
      jobId: jobIdOf(key),
      attempts: TRIES.attempts,
      backoff: { type: "exponential", delay: TRIES.firstPauseMs },
    });
  }

  /** Ids of all its jobs. */
  async jobIds(): Promise<Set<string>> {
    return new Set(await this.queue.getRanges([...EVERYWHERE], 0, -1));
  }

  async endedJobIds(): Promise<string[]> {
    return this.queue.getRanges([...ENDED], 0, -1);
  }

  async job(id: string): Promise<Job<JobParcel, string> | undefined> {
    return this.queue.getJob(id);
  }

  /** Of a job that somebody is at: leaves it there. */
  async remove(id: string): Promise<void> {
    await this.queue.remove(id).catch((error: unknown) => {
      if (!/could not be removed|locked/i.test(String(error))) throw error;
    });
  }

  /** Takes back what nobody has begun. @returns how many runs are still being done. */
  async withdraw(): Promise<number> {
    await this.redis.hdel(SWEEPS_KEY, this.id);
    await this.queue.drain(true);
    return this.queue.getActiveCount();
  }

  /** Leaves nothing of the jobs in Redis. */
  async erase(): Promise<void> {
    await this.queue.obliterate({ force: true });
    await this.watch.close(true);
    await forgetQueue(this.redis, this.id);
  }

  async close(): Promise<void> {
    await this.watch.close(true);
    await this.queue.close();
  }

  /** Without waiting for a Redis that is away. */
  abandon(): void {
    void this.watch.close(true).catch(() => undefined);
    void this.queue.disconnect().catch(() => undefined);
  }
}
