import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "bullmq";
import type { Redis } from "ioredis";
import { NotBelieved } from "../../../io/sweep/queue-schema.js";
import { isRefusal, lastingOptions, trouble, type Tell } from "./connect.js";
import type { SealedParcel } from "./job-parcel.js";
import type { QueueClients } from "./load-clients.js";
import type { OwnRuns } from "./own-runs.js";
import type { QueueAddress } from "./queue-address.js";
import type { PutAside } from "./put-aside.js";
import { LOCK, PREFIX } from "./queue-keys.js";

const RETRY_MS = 1000;
/** How long runs that have been done may take to be handed in. */
const ENDING_MS = 10_000;
/** A wait for jobs is begun anew so often, in seconds. */
const IDLE_SECONDS = 1;

/** Why a job failed that was no run; what it was stays with the worker. */
export const NOT_BELIEVED = "no run of this sweep";

/** The time in which this process does runs of one sweep. */
export class SweepShift {
  /** Runs that it is at. */
  atIt = 0;
  private lastBusyMs = performance.now();
  private readonly worker: Worker<SealedParcel, string>;

  constructor(
    clients: QueueClients,
    { address, threads }: { readonly address: QueueAddress; readonly threads: number },
    readonly id: string,
    runs: OwnRuns,
    tell: Tell,
    aside: PutAside,
  ) {
    this.worker = new clients.bullmq.Worker<SealedParcel, string>(
      id,
      async (job) => {
        this.atIt++;
        this.lastBusyMs = performance.now();
        try {
          return await runs.perform(id, job);
        } catch (error) {
          if (!(error instanceof NotBelieved)) throw error;
          aside.put("job", error.message, `${id}:${job.id ?? ""}`);
          // Its sweep puts the right one in its place; another try would find the same.
          throw new clients.bullmq.UnrecoverableError(NOT_BELIEVED);
        } finally {
          this.atIt--;
          this.lastBusyMs = performance.now();
        }
      },
      {
        connection: lastingOptions(address),
        prefix: PREFIX,
        concurrency: threads,
        lockDuration: LOCK.lockMs,
        lockRenewTime: LOCK.renewMs,
        // The sweep hands on runs whose process is gone, counts how often, and says so.
        skipStalledCheck: true,
        drainDelay: IDLE_SECONDS,
        runRetryDelay: RETRY_MS,
      },
    );
    this.worker.on("error", (error) => {
      if (/lock/i.test(error.message)) {
        tell("lost hold of a run while Redis or this machine was busy; it is done again");
      } else if (isRefusal(error)) tell(trouble(error));
    });
  }

  /** Jobs that nobody is at. */
  static async waitingIn(redis: Redis, id: string): Promise<number> {
    const [wait, delayed] = await Promise.all([
      redis.llen(`${PREFIX}:${id}:wait`),
      redis.zcard(`${PREFIX}:${id}:delayed`),
    ]);
    return wait + delayed;
  }

  get isIdle(): boolean {
    return this.atIt === 0;
  }

  /** Takes no runs any more: what BullMQ does of itself after some errors. */
  get hasEnded(): boolean {
    return !this.worker.isRunning();
  }

  /** How long it has had nothing to do. */
  get idleMs(): number {
    return this.isIdle ? performance.now() - this.lastBusyMs : 0;
  }

  /** Takes nothing new, and finishes what it is at. Never waits for a Redis that refuses. */
  async end(): Promise<void> {
    const ended = this.worker.close().catch(() => undefined);
    while (this.atIt > 0) await Promise.race([ended, sleep(ENDING_MS / 100, undefined, { ref: false })]);
    await Promise.race([ended, sleep(ENDING_MS, undefined, { ref: false })]);
  }
}
