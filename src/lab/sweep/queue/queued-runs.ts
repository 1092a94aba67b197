import { setTimeout as sleep } from "node:timers/promises";
import type { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { counted } from "../../../core/kernel/index.js";
import type { RunOutcome } from "../../../experiments/index.js";
import { InputError, NotBelieved, type JobParcel, type NotDone, type SweepNotice } from "../../../io/index.js";
import type { RunExecutor } from "../run-executor.js";
import type { RunTask } from "../run-task.js";
import {
  connectQueue,
  isRefusal,
  lastingOptions,
  type QueueAddress,
  type QueueClients,
  queueError,
  reason,
  RepeatedWrite,
  sparing,
  type Tell,
  trouble,
  untilAnswered,
} from "./connection.js";
import {
  fileOf,
  MOST_PARCEL_BYTES,
  MOST_RESULT_BYTES,
  NOT_BELIEVED,
  openOutcome,
  packTask,
  Seal,
  type SealedParcel,
  sealParcel,
} from "./job-parcel.js";
import {
  forgetQueue,
  jobIdOf,
  keyOf,
  LOCK,
  MOST_STALLS,
  PREFIX,
  PutAside,
  refusal,
  SWEEPS_KEY,
  tellSweep,
  TRIES,
  WORKERS_KEY,
  workersIn,
} from "./notices.js";
import { SharedFiles } from "./shared-files.js";

export interface QueuedSweep {
  /** Names it in Redis; the same when it is resumed, another for every other sweep. Letters and digits. */
  readonly id: string;
  readonly name: string;
  readonly code: string;
  /** Digests of the contents of plugin files, in their order. */
  readonly plugins: readonly string[];
  /** Whether what came of the run of this key is on disk, from now or earlier. */
  readonly isStored: (key: string) => boolean;
}

interface Awaited {
  readonly task: RunTask;
  readonly parcel: SealedParcel;
  readonly outcome: Promise<RunOutcome>;
  readonly settle: (outcome: RunOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

const LOOK_MS = 200;

/** Every so many looks: is everything still in Redis, and is anybody working? */
const LOOKS_PER_CHECK = 5;

const LONELY_MS = 5000;

/**
 * Workers are there, nobody is at a run, and none has ended for so long: what Redis holds of the sweep is not what it
 * should be.
 */
const STUCK_MS = 15_000;

const REPAIR_MS = 5000;

/** A sweep to which nothing comes back says what it waits for so often. */
const WAITING_MS = 60_000;

/** A run that was changed in Redis, or for which something else came back, so often is not tried again. */
const MOST_SPOILT = 20;

const LEAVING_MS = 3000;

const LEAST_AT_ONCE = 32;

const MOST_AT_ONCE = 2000;

/**
 * Runs that any number of processes do, on any machines, through Redis. A run is given to one of them at a time, and to
 * another when that one is gone; so it may be done twice, to the same figures. Its result stays in Redis until
 * `stored`. Redis may be away for a while, and may come back without what it held: then it is given that again.
 */
export class QueuedRuns implements RunExecutor {
  private readonly awaited = new Map<string, Awaited>();
  /** Jobs whose result has been handed over, until they are removed. */
  private readonly handedOver = new Set<string>();
  private readonly files: SharedFiles;
  private readonly announcement: RepeatedWrite;
  private readonly loop: Promise<void>;
  private threads = 0;
  private lonelySinceMs = performance.now();
  private progressMs = performance.now();
  private heldMs = performance.now();
  private repairedMs = -Infinity;
  private saidMs = -Infinity;
  private isOver = false;
  /** By key: how often something else than a result came back, a worker could not do the run, its process vanished. */
  private readonly spoilt = new Map<string, number>();
  private readonly notDone = new Map<string, number>();
  private readonly vanished = new Map<string, number>();
  /** Ids that were in no list at the last check, though Redis had the job. */
  private unlisted = new Set<string>();
  private readonly signals = new WeakSet<AbortSignal>();

  private constructor(
    private readonly address: QueueAddress,
    private readonly redis: Redis,
    private readonly queue: SweepQueue,
    private readonly notice: SweepNotice,
    private readonly isStored: QueuedSweep["isStored"],
    private readonly seal: Seal,
    private readonly aside: PutAside,
    private readonly tell: Tell,
  ) {
    this.files = new SharedFiles(redis, queue.id, this.complain);
    this.announcement = new RepeatedWrite(address, tell);
    queue.handOn((key) => this.onGone(key));
    this.loop = this.watchJobs();
  }

  /** @throws InputError when Redis is not there, does not let us in or may drop what it holds. */
  static async open(
    clients: QueueClients,
    address: QueueAddress,
    sweep: QueuedSweep,
    secret: string | null,
    tell: Tell,
  ): Promise<QueuedRuns> {
    const redis = await connectQueue(clients, address, tell);
    const told = sparing(tell);
    const seal = new Seal(secret);
    const queue = new SweepQueue(clients, address, redis, sweep.id, seal);
    try {
      await untilAnswered(redis, address, told, queue.open());
      const notice: SweepNotice = { name: sweep.name, code: sweep.code, plugins: sweep.plugins, since: Date.now() };
      await untilAnswered(redis, address, told, queue.announce(notice));
      return new QueuedRuns(address, redis, queue, notice, sweep.isStored, seal, new PutAside(tell), told);
    } catch (error) {
      queue.abandon();
      redis.disconnect();
      if (!isRefusal(error)) throw error;
      throw queueError(address.shown, `found a Redis that takes no runs: ${reason(error as Error)}`);
    }
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
    return this.awaited.get(task.key)?.outcome ?? this.begin(task, parcel);
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
   * Of a sweep that is over nothing stays in Redis. Of one that was stopped, runs that somebody is at go on, and their
   * results wait there for it to be resumed. Never throws: what was stored is stored, whatever Redis says to that.
   */
  async close(): Promise<void> {
    this.isOver = true;
    const leave = async (): Promise<void> => {
      await this.loop;
      const active = await this.queue.withdraw();
      // Also what an earlier process stored and, killed at that moment, did not remove.
      const kept = (await this.queue.endedJobIds()).filter((id) => !this.isStored(keyOf(id)));
      if (active + kept.length === 0) {
        await this.files.remove();
        await this.queue.erase();
      } else this.tell(`still running: ${counted(active, "run")}; --resume collects the results`);
      await this.queue.close();
      await this.redis.quit();
    };
    const left = leave().then(
      () => null,
      (error: unknown) => reason(error as Error),
    );
    const why = await Promise.race([left, sleep(LEAVING_MS, "no answer in time", { ref: false })]);
    this.aside.sumUp();
    if (why === null) return;
    this.tell(`${this.address.shown} may keep something of this sweep (bide:${this.queue.id}:*): ${why}`);
    this.queue.abandon();
    this.redis.disconnect();
  }

  private async begin(task: RunTask, parcel: SealedParcel): Promise<RunOutcome> {
    let settle: Awaited["settle"] = () => undefined;
    let reject: Awaited["reject"] = () => undefined;
    const outcome = new Promise<RunOutcome>((onFound, onReason) => {
      settle = onFound;
      reject = onReason;
    });
    if (this.awaited.size === 0) this.progressMs = performance.now();
    this.awaited.set(task.key, { task, parcel, outcome, settle, reject });
    // What goes wrong here, a later look finds missing.
    this.queue.add(task.key, parcel).catch(this.complain);
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

  private async parcelOf(task: RunTask): Promise<SealedParcel> {
    const path = fileOf(task);
    const file = path === null ? null : { digest: await this.files.digestOf(path), shown: path };
    const parcel: JobParcel = { code: this.notice.code, plugins: this.notice.plugins, file, task: packTask(task) };
    return sealParcel(this.seal, this.queue.id, task.key, parcel);
  }

  private async watchJobs(): Promise<void> {
    for (let look = 0; !this.isOver; look++) {
      await this.attempt(async () => this.handOver());
      if (look % LOOKS_PER_CHECK === 0) {
        await this.attempt(async () => this.announcement.made(this.queue.announce(this.notice)));
        await this.attempt(async () => this.files.putMissing());
        await this.attempt(async () => this.putBack([...this.awaited]));
        await this.attempt(async () => this.lookForWorkers());
      }
      await sleep(LOOK_MS);
    }
  }

  /** What goes wrong is said; it does not keep the rest from being looked after. */
  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await untilAnswered(this.redis, this.address, this.tell, work());
    } catch (error) {
      this.complain(error);
      if (/^WRONGTYPE/.test((error as Error).message)) await this.repair().catch(this.complain);
    }
  }

  /** Somebody put something else under a name of ours. */
  private async repair(): Promise<void> {
    const now = performance.now();
    if (now - this.repairedMs < REPAIR_MS) return;
    this.repairedMs = now;
    await this.queue.dropStrangers();
    await this.beginAnew("something else than the lists of a sweep is in Redis");
  }

  private async handOver(): Promise<void> {
    const ended = (await this.queue.endedJobIds()).filter(
      (id) => !this.handedOver.has(id) && this.awaited.has(keyOf(id)),
    );
    await Promise.all(ended.map(async (id) => this.handOverOne(id)));
  }

  private async handOverOne(id: string): Promise<void> {
    const key = keyOf(id);
    const job = await this.queue.ended(id);
    const waiting = this.awaited.get(key);
    if (job === null || waiting === undefined) return;
    try {
      if (job === "large") throw new NotBelieved("larger than any result");
      const run = this.outcomeIn(job, waiting);
      this.progressMs = performance.now();
      if (run.outcome === "not done") return await this.tryAgain(key, waiting, run);
      this.awaited.delete(key);
      this.handedOver.add(id);
      waiting.settle(run);
    } catch (error) {
      if (!(error instanceof NotBelieved)) throw error;
      this.aside.put("result", error.message);
      await this.again(key, waiting, error.message);
    }
  }

  /** @throws NotBelieved for what nobody made who did the run that was asked for. */
  private outcomeIn({ failedReason, returned, data }: EndedJob, { task, parcel }: Awaited): RunOutcome | NotDone {
    // A worker hands in all that comes of a run, also that it could not do it, as a result: it can be signed.
    if (failedReason !== "") {
      if (data !== JSON.stringify(parcel)) throw new NotBelieved("of a run that was changed in Redis");
      if (failedReason === NOT_BELIEVED) throw new NotBelieved("none: a worker did not believe the run");
      throw new NotBelieved("none: Redis says that the run failed, and no worker does");
    }
    let text: unknown;
    try {
      text = JSON.parse(returned);
    } catch {
      throw new NotBelieved("no result");
    }
    return openOutcome(this.seal, this.queue.id, text, { ...task, code: this.notice.code });
  }

  /** A worker could not do a run: after a pause another tries, or the same one. */
  private async tryAgain(key: string, waiting: Awaited, { problem }: NotDone): Promise<void> {
    const times = (this.notDone.get(key) ?? 0) + 1;
    this.notDone.set(key, times);
    await this.queue.drop(jobIdOf(key));
    if (times < TRIES.attempts) return this.queue.add(key, waiting.parcel, TRIES.firstPauseMs * 2 ** (times - 1));
    this.giveUp(key, `given up after ${String(times)} tries: ${problem}`);
  }

  /** The process that did a run is gone, and the run waits for another one. */
  private onGone(key: string): void {
    if (!this.awaited.has(key)) return;
    // Somebody had taken it, however short the time: the queue is not stuck.
    this.heldMs = performance.now();
    const times = (this.vanished.get(key) ?? 0) + 1;
    this.vanished.set(key, times);
    if (times <= MOST_STALLS) return this.tell("a process that did a run is gone; another takes the run over");
    this.queue.drop(jobIdOf(key)).catch(this.complain);
    const why = "the run may be what ends it, for lack of memory for instance";
    this.giveUp(key, `given up: the process that did this run vanished ${String(times)} times; ${why}`);
  }

  private giveUp(key: string, error: string): void {
    this.progressMs = performance.now();
    this.awaited.get(key)?.settle({ outcome: "failed", error, cost: { wallSeconds: 0 } });
    this.awaited.delete(key);
  }

  /** Puts a run into Redis anew, unless that has been of no use too often. */
  private async again(key: string, waiting: Awaited, why: string): Promise<void> {
    const times = (this.spoilt.get(key) ?? 0) + 1;
    this.spoilt.set(key, times);
    await this.queue.drop(jobIdOf(key));
    if (times < MOST_SPOILT) return this.queue.add(key, waiting.parcel);
    this.giveUp(key, `given up: ${String(times)} times something else than its result came back, the last: ${why}`);
  }

  /** Puts back into Redis what it should hold. */
  private async putBack(before: readonly (readonly [string, Awaited])[]): Promise<void> {
    const listed = await this.queue.jobIds();
    const existing = await this.queue.existing(before.map(([key]) => jobIdOf(key)));
    const unlisted = new Set<string>();
    for (const [at, [key, { parcel }]] of before.entries()) {
      const id = jobIdOf(key);
      if (!this.awaited.has(key) || (existing[at] && listed.has(id))) continue;
      // A job is added once its id is known to nothing; between two lists it may be in neither for a moment.
      if (existing[at] && !this.unlisted.has(id)) {
        unlisted.add(id);
        continue;
      }
      if (existing[at] || listed.has(id)) await this.queue.drop(id);
      await this.queue.add(key, parcel);
    }
    this.unlisted = unlisted;
  }

  private async lookForWorkers(): Promise<void> {
    const all = await workersIn(this.redis, this.seal, this.aside);
    const ours = all.filter((one) => refusal(this.notice, one) === null);
    this.threads = ours.reduce((sum, { threads }) => sum + threads, 0);
    const now = performance.now();
    const held = await this.queue.held();
    if (held > 0 || this.awaited.size === 0) this.heldMs = now;
    if (this.awaited.size === 0) this.progressMs = now;
    // While Redis refuses, workers cannot announce themselves either.
    if (ours.length > 0 || this.awaited.size === 0 || this.announcement.isRefused) this.lonelySinceMs = now;
    if (now - this.lonelySinceMs >= LONELY_MS) {
      this.tell(
        all.length === 0
          ? `no workers; start one with bide worker --queue ${this.address.shown}`
          : `no workers for this sweep: ${String(all.length)} on the queue have other code or lack its plugins, as they say`,
      );
      return;
    }
    const free = ours.filter(({ at }) => at === null || at === this.queue.id).length;
    const idleMs = now - Math.max(this.progressMs, this.heldMs);
    if (free > 0 && idleMs >= STUCK_MS) {
      this.heldMs = now;
      await this.beginAnew(`${counted(free, "worker")} can take runs and ${free === 1 ? "takes" : "take"} none`);
    } else if ((idleMs >= LONELY_MS || now - this.progressMs >= WAITING_MS) && now - this.saidMs >= WAITING_MS) {
      this.sayWaiting(held, ours.length, free);
    }
  }

  /** The lists in Redis are not what they should be, or somebody holds them. */
  private async beginAnew(why: string): Promise<void> {
    this.tell(`${why}; puts all runs into Redis anew`);
    await this.queue.dropAll();
    for (const [key, { parcel }] of [...this.awaited]) await this.queue.add(key, parcel);
  }

  private sayWaiting(held: number, workers: number, free: number): void {
    this.saidMs = performance.now();
    const elsewhere = workers === free ? "" : `, ${String(workers - free)} of them at other sweeps`;
    const there = `${counted(workers, "worker")}${elsewhere}`;
    this.tell(`waits for ${counted(this.awaited.size, "run")}: ${String(held)} in progress; ${there}`);
  }

  private readonly complain = (error: unknown): void => {
    // A file that has changed since the sweep began, for instance: no look will find it otherwise.
    if (error instanceof InputError) {
      for (const { reject } of this.awaited.values()) reject(error);
      this.awaited.clear();
    } else if (!this.isOver) this.tell(trouble(error as Error));
  };
}

const EVERYWHERE = ["wait", "prioritized", "delayed", "active", "completed", "failed"] as const;

const ENDED = ["completed", "failed"] as const;

const MOST_EVENTS = 100;

/** Of ids in one list; a sweep never puts so many there. */
const MOST_LISTED = 10_000;

const MOST_REASON_BYTES = 64 * 1024;

/** Fields of a hash, none of them larger than its limit; `false` for one that is. A value may be 512 MiB. */
const BOUNDED_FIELDS = `
local found = {}
for i = 1, #ARGV, 2 do
  if redis.call("HSTRLEN", KEYS[1], ARGV[i]) > tonumber(ARGV[i + 1]) then return "large"
  else found[#found + 1] = redis.call("HGET", KEYS[1], ARGV[i]) or "" end
end
return found`;

/**
 * Jobs of the active list that a process holds. A hold without an end, or with one far away, is none of BullMQ's: it is
 * broken.
 */
const HELD = `
local held = 0
for _, id in ipairs(redis.call("LRANGE", KEYS[1], 0, tonumber(ARGV[2]))) do
  local left = redis.call("PTTL", ARGV[1] .. id .. ":lock")
  if left == -1 or left > tonumber(ARGV[3]) then redis.call("DEL", ARGV[1] .. id .. ":lock")
  elseif left > 0 then held = held + 1 end
end
return held`;

/** What Redis has of a job that has ended. */
export interface EndedJob {
  /** Of one that failed; else "". */
  readonly failedReason: string;
  /** JSON. */
  readonly returned: string;
  /** JSON of what the job carries. */
  readonly data: string;
}

/** What is kept in Redis of one sweep: its runs as jobs of BullMQ, and the notice that it wants them done. */
export class SweepQueue {
  private readonly queue: Queue<SealedParcel, string>;
  /** Does no runs; hands on those whose process is gone. */
  private readonly watch: Worker;

  constructor(
    clients: QueueClients,
    address: QueueAddress,
    private readonly redis: Redis,
    readonly id: string,
    private readonly seal: Seal,
  ) {
    const { Queue: QueueOf, Worker: WorkerOf } = clients.bullmq;
    const shared = { connection: lastingOptions(address), prefix: PREFIX };
    this.queue = new QueueOf(id, { ...shared, streams: { events: { maxLen: MOST_EVENTS } } });
    this.watch = new WorkerOf(id, null, {
      ...shared,
      autorun: false,
      stalledInterval: LOCK.stalledCheckMs,
      // Nobody begins a run after that. Whether it is given up, the sweep decides by what it saw itself.
      maxStalledCount: MOST_STALLS,
    });
    // Connections come back by themselves, and `connectQueue` says when they are gone.
    this.queue.on("error", () => undefined);
    this.watch.on("error", () => undefined);
  }

  async open(): Promise<void> {
    await this.queue.waitUntilReady();
  }

  /** Hands on runs whose process is gone. @param onGone hears the key of each. */
  handOn(onGone: (key: string) => void): void {
    this.watch.on("stalled", (id) => onGone(keyOf(id)));
    void this.watch.startStalledCheckTimer();
  }

  async announce(notice: SweepNotice): Promise<void> {
    await tellSweep(this.redis, this.seal, this.id, notice);
  }

  /** Does nothing where the job is there already, in whatever state. @param pauseMs before anybody begins it. */
  async add(key: string, parcel: SealedParcel, pauseMs = 0): Promise<void> {
    await this.queue.add("run", parcel, { jobId: jobIdOf(key), delay: pauseMs });
  }

  /** Ids of its jobs, in whatever state. */
  async jobIds(): Promise<Set<string>> {
    return new Set(await this.queue.getRanges([...EVERYWHERE], 0, MOST_LISTED));
  }

  async endedJobIds(): Promise<string[]> {
    return this.queue.getRanges([...ENDED], 0, MOST_LISTED);
  }

  /** Whether Redis has these jobs, whatever its lists say. */
  async existing(ids: readonly string[]): Promise<boolean[]> {
    const asked = this.redis.pipeline();
    for (const id of ids) asked.exists(this.keyOf(id));
    return ((await asked.exec()) ?? []).map(([, found]) => found === 1);
  }

  /** @returns null where there is no such job; "large" for one that is larger than any of ours. */
  async ended(id: string): Promise<EndedJob | "large" | null> {
    const fields = [
      ["failedReason", MOST_REASON_BYTES],
      ["returnvalue", MOST_RESULT_BYTES],
      ["data", 2 * MOST_PARCEL_BYTES],
    ];
    const found = await this.redis.eval(BOUNDED_FIELDS, 1, this.keyOf(id), ...fields.flat().map(String));
    if (found === "large") return "large";
    const [failedReason, returned, data] = found as string[];
    if (data === "" && returned === "" && failedReason === "") return null;
    return { failedReason, returned, data };
  }

  /** How many runs processes are at. */
  async held(): Promise<number> {
    const limits = [`${PREFIX}:${this.id}:`, String(MOST_LISTED), String(10 * LOCK.lockMs)];
    return Number(await this.redis.eval(HELD, 1, this.keyOf("active"), ...limits));
  }

  /** Of a job that somebody is at: leaves it there. */
  async remove(id: string): Promise<void> {
    await this.queue.remove(id).catch((error: unknown) => {
      if (!/could not be removed|locked/i.test(String(error))) throw error;
    });
  }

  /** Takes a job out of Redis whatever is there of it, so that it can be added anew. */
  async drop(id: string): Promise<void> {
    const all = this.redis.pipeline();
    for (const list of ["wait", "active", "paused"]) all.lrem(this.keyOf(list), 0, id);
    for (const set of ["prioritized", "delayed", "completed", "failed"]) all.zrem(this.keyOf(set), id);
    all.srem(this.keyOf("stalled"), id);
    all.del(this.keyOf(id), `${this.keyOf(id)}:lock`, `${this.keyOf(id)}:logs`);
    // Of what is no list or set any more, each of these fails by itself.
    await all.exec();
  }

  /** Takes everything of this sweep out of Redis but its files and its notice. */
  async dropAll(): Promise<void> {
    let cursor = "0";
    do {
      const [next, keys] = await this.redis.scan(cursor, "MATCH", `${PREFIX}:${this.id}:*`, "COUNT", 1000);
      const own = keys.filter((key) => !key.startsWith(this.keyOf("file:")));
      if (own.length > 0) await this.redis.del(...own);
      cursor = next;
    } while (cursor !== "0");
  }

  /** Takes out what has the name of a list of notices and is none. */
  async dropStrangers(): Promise<void> {
    for (const key of [SWEEPS_KEY, WORKERS_KEY]) {
      if (!["hash", "none"].includes(await this.redis.type(key))) await this.redis.del(key);
    }
  }

  private keyOf(name: string): string {
    return `${PREFIX}:${this.id}:${name}`;
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
