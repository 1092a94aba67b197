import type { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { lastingOptions } from "./connect.js";
import { MOST_PARCEL_BYTES, MOST_RESULT_BYTES, type SealedParcel } from "./job-parcel.js";
import type { QueueClients } from "./load-clients.js";
import { tellSweep, type SweepNotice } from "./notices.js";
import type { QueueAddress } from "./queue-address.js";
import { forgetQueue, jobIdOf, keyOf, LOCK, MOST_STALLS, PREFIX, SWEEPS_KEY, WORKERS_KEY } from "./queue-keys.js";
import type { Seal } from "./seal.js";

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

/** Jobs of the active list that a process holds. A hold without an end, or with one far away, is none of BullMQ's: it is broken. */
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
