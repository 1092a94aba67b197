import type { Worker } from "bullmq";
import type { Redis } from "ioredis";
import { lastingOptions, reason, type Tell } from "./connect.js";
import type { JobParcel } from "./job-parcel.js";
import type { QueueClients } from "./load-clients.js";
import type { OwnRuns } from "./own-runs.js";
import type { QueueAddress } from "./queue-address.js";
import { LOCK, MOST_STALLS, PREFIX } from "./queue-keys.js";

const RETRY_MS = 1000;
/** A wait for jobs is begun anew so often, in seconds. */
const IDLE_SECONDS = 1;

/** The time in which this process does runs of one sweep. */
export class SweepShift {
  /** Runs that it is at. */
  atIt = 0;
  private readonly worker: Worker<JobParcel, string>;

  constructor(
    clients: QueueClients,
    { address, threads }: { readonly address: QueueAddress; readonly threads: number },
    readonly id: string,
    runs: OwnRuns,
    tell: Tell,
  ) {
    this.worker = new clients.bullmq.Worker<JobParcel, string>(
      id,
      async (job) => {
        this.atIt++;
        try {
          return await runs.perform(id, job);
        } catch (error) {
          tell(`a run could not be done and is tried again: ${reason(error as Error)}`);
          throw error;
        } finally {
          this.atIt--;
        }
      },
      {
        connection: lastingOptions(address),
        prefix: PREFIX,
        concurrency: threads,
        lockDuration: LOCK.lockMs,
        lockRenewTime: LOCK.renewMs,
        stalledInterval: LOCK.stalledCheckMs,
        maxStalledCount: MOST_STALLS,
        drainDelay: IDLE_SECONDS,
        runRetryDelay: RETRY_MS,
      },
    );
    this.worker.on("error", (error) => {
      if (/lock/i.test(error.message))
        tell("lost hold of a run while Redis or this machine was busy; it is done again");
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

  /** Takes nothing new, and finishes what it is at. */
  async end(): Promise<void> {
    await this.worker.close();
  }
}
