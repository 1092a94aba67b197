import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { FailedRun, RunOutcome } from "../../../core/sweep/run-outcome.js";
import type { RunPlace } from "../run-place.js";
import type { RunTask } from "../run-task.js";
import { connectQueue, reason, type Tell } from "./connect.js";
import { fileOf, packTask, unpackOutcome, type JobParcel } from "./job-parcel.js";
import type { QueueClients } from "./load-clients.js";
import { refusal, workersIn, type SweepNotice } from "./notices.js";
import type { QueueAddress } from "./queue-address.js";
import { jobIdOf, keyOf } from "./queue-keys.js";
import { SharedFiles } from "./shared-files.js";
import { sparing } from "./sparing.js";
import { SweepQueue } from "./sweep-queue.js";

export interface QueuedSweep {
  /** Names it in Redis; the same when it is resumed, another for every other sweep. Letters and digits. */
  readonly id: string;
  readonly name: string;
  readonly code: string;
  /** Digests of the contents of plugin files, in their order. */
  readonly plugins: readonly string[];
}

interface Awaited {
  readonly parcel: JobParcel;
  readonly outcome: Promise<RunOutcome>;
  readonly settle: (outcome: RunOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

const LOOK_MS = 200;
/** Every so many looks: is everything still in Redis, and is anybody working? */
const LOOKS_PER_CHECK = 5;
const LONELY_MS = 5000;
const LEAVING_MS = 3000;
const LEAST_AT_ONCE = 32;
const MOST_AT_ONCE = 2000;

/**
 * Runs that any number of processes do, on any machines, through Redis. A run is given to one of them at a time, and to another when
 * that one is gone; so it may be done twice, to the same figures. Its result stays in Redis until `stored`. Redis may be away
 * for a while, and may come back without what it held: then it is given that again.
 */
export class QueuedRuns implements RunPlace {
  private readonly awaited = new Map<string, Awaited>();
  /** Jobs whose result has been handed over, until they are removed. */
  private readonly handedOver = new Set<string>();
  private readonly files: SharedFiles;
  private readonly loop: Promise<void>;
  private threads = 0;
  private lonelySinceMs = performance.now();
  private isOver = false;
  private readonly signals = new WeakSet<AbortSignal>();

  private constructor(
    private readonly address: QueueAddress,
    private readonly redis: Redis,
    private readonly queue: SweepQueue,
    private readonly notice: SweepNotice,
    private readonly tell: Tell,
  ) {
    this.files = new SharedFiles(redis, queue.id);
    this.loop = this.watchJobs();
  }

  /** @throws InputError when Redis is not there, does not let us in or may drop what it holds. */
  static async open(clients: QueueClients, address: QueueAddress, sweep: QueuedSweep, tell: Tell): Promise<QueuedRuns> {
    const redis = await connectQueue(clients, address, tell);
    const told = sparing(tell);
    const queue = new SweepQueue(clients, address, redis, sweep.id, told);
    await queue.open();
    const notice: SweepNotice = { name: sweep.name, code: sweep.code, plugins: sweep.plugins, since: Date.now() };
    await queue.announce(notice);
    return new QueuedRuns(address, redis, queue, notice, told);
  }

  /** Twice what the processes that are there do at a time, so that none of them waits for this one. */
  get atOnce(): number {
    return Math.min(MOST_AT_ONCE, Math.max(LEAST_AT_ONCE, 2 * this.threads));
  }

  get capacity(): number {
    return this.threads;
  }

  async run(task: RunTask, signal?: AbortSignal): Promise<RunOutcome> {
    signal?.throwIfAborted();
    const parcel = await this.parcelOf(task);
    signal?.throwIfAborted();
    if (signal !== undefined) this.stopOn(signal);
    return this.awaited.get(task.key)?.outcome ?? this.begin(task.key, parcel);
  }

  /** The result of this run is on disk: Redis need not keep it. */
  stored(key: string): void {
    if (!this.handedOver.has(jobIdOf(key))) return;
    void this.queue
      .remove(jobIdOf(key))
      .then(() => this.handedOver.delete(jobIdOf(key)))
      .catch(this.complain);
  }

  /**
   * Of a sweep that is over nothing stays in Redis. Of one that was stopped, runs that somebody is at go on, and their results wait
   * there for it to be resumed.
   */
  async close(): Promise<void> {
    this.isOver = true;
    const leave = async (): Promise<void> => {
      await this.loop;
      const active = await this.queue.withdraw();
      const kept = (await this.queue.endedJobIds()).filter((id) => !this.handedOver.has(id));
      if (active + kept.length === 0) {
        await this.files.remove();
        await this.queue.erase();
      } else this.tell(`${String(active)} runs are still being done; --resume collects their results`);
      await this.queue.close();
      await this.redis.quit();
    };
    const inTime = await Promise.race([leave().then(() => true), sleep(LEAVING_MS, false, { ref: false })]);
    if (inTime) return;
    this.queue.abandon();
    this.redis.disconnect();
  }

  private async begin(key: string, parcel: JobParcel): Promise<RunOutcome> {
    let settle: Awaited["settle"] = () => undefined;
    let reject: Awaited["reject"] = () => undefined;
    const outcome = new Promise<RunOutcome>((onFound, onReason) => {
      settle = onFound;
      reject = onReason;
    });
    this.awaited.set(key, { parcel, outcome, settle, reject });
    // What goes wrong here, a later look finds missing.
    this.queue.add(key, parcel).catch(this.complain);
    return outcome;
  }

  /** All runs of a sweep have one signal. */
  private stopOn(signal: AbortSignal): void {
    if (this.signals.has(signal)) return;
    this.signals.add(signal);
    const stop = (): void => {
      for (const { reject } of this.awaited.values()) reject(signal.reason);
      this.awaited.clear();
    };
    signal.addEventListener("abort", stop, { once: true });
  }

  private async parcelOf(task: RunTask): Promise<JobParcel> {
    const path = fileOf(task);
    const file = path === null ? null : { digest: await this.files.digestOf(path), shown: path };
    return { code: this.notice.code, plugins: this.notice.plugins, file, task: packTask(task) };
  }

  private async watchJobs(): Promise<void> {
    for (let look = 0; !this.isOver; look++) {
      try {
        await this.handOver();
        if (look % LOOKS_PER_CHECK === 0) await this.check();
      } catch (error) {
        this.complain(error);
      }
      await sleep(LOOK_MS);
    }
  }

  private async handOver(): Promise<void> {
    const ended = (await this.queue.endedJobIds()).filter(
      (id) => !this.handedOver.has(id) && this.awaited.has(keyOf(id)),
    );
    await Promise.all(ended.map(async (id) => this.handOverOne(id)));
  }

  private async handOverOne(id: string): Promise<void> {
    const job = await this.queue.job(id);
    const waiting = this.awaited.get(keyOf(id));
    if (job === undefined || waiting === undefined) return;
    const returned = unpackOutcome(job.returnvalue);
    // A failed job has no result; of other code, or of none of ours, is not what was asked for.
    if (!job.failedReason && returned?.code !== this.notice.code) {
      this.tell("found a result of other code in Redis; it is not used, the run is done again");
      await this.queue.remove(id);
      return;
    }
    this.awaited.delete(keyOf(id));
    this.handedOver.add(id);
    waiting.settle(returned?.run ?? givenUp(job.failedReason, job.stalledCounter));
  }

  /** Puts back into Redis what it should hold, and looks whether anybody works. */
  private async check(): Promise<void> {
    const before = [...this.awaited];
    await this.queue.announce(this.notice);
    await this.files.putMissing();
    const present = await this.queue.jobIds();
    for (const [key, { parcel }] of before) {
      if (!present.has(jobIdOf(key)) && this.awaited.has(key)) await this.queue.add(key, parcel);
    }
    await this.lookForWorkers();
  }

  private async lookForWorkers(): Promise<void> {
    const all = await workersIn(this.redis);
    const ours = all.filter((one) => refusal(this.notice, one) === null);
    this.threads = ours.reduce((sum, { threads }) => sum + threads, 0);
    const now = performance.now();
    if (ours.length > 0 || this.awaited.size === 0) this.lonelySinceMs = now;
    if (now - this.lonelySinceMs < LONELY_MS) return;
    this.tell(
      all.length === 0
        ? `no workers; start one with bide worker --queue ${this.address.shown}`
        : `no workers for this sweep: ${String(all.length)} on the queue have other code or lack its plugins, as they say`,
    );
  }

  private readonly complain = (error: unknown): void => {
    if (!this.isOver) this.tell(`Redis: ${reason(error as Error)}`);
  };
}

function givenUp(failedReason: string, stalls: number): FailedRun {
  const isKiller = /stalled more than/.test(failedReason);
  const error = isKiller
    ? `given up: the process that did this run vanished ${String(stalls)} times; the run may be what ends it, for lack of memory for instance`
    : `given up after several tries: ${failedReason}`;
  return { outcome: "failed", error, cost: { wallSeconds: 0 } };
}
