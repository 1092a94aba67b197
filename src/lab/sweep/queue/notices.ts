import type { Redis } from "ioredis";
import { printable } from "../../../core/kernel/index.js";
import {
  NotBelieved,
  type Presence,
  presenceOf,
  SWEEP_ID,
  type SweepNotice,
  sweepNoticeOf,
} from "../../../io/index.js";
import type { Tell } from "./connection.js";
import type { Seal } from "./job-parcel.js";

/* Names and times in Redis that both ends go by, and the notices of sweeps and workers there. */

/** Before every key, so that Bide can share a database. */
export const PREFIX = "bide";

/** Hash: sweeps that want runs done, by id. */
export const SWEEPS_KEY = `${PREFIX}:sweeps`;

/** Hash: processes that do runs, by id. */
export const WORKERS_KEY = `${PREFIX}:workers`;

const OF_QUEUE = ["meta", "events", "id", "marker", "stalled", "stalled-check"] as const;

/** What BullMQ leaves of a queue without jobs, and what a process that still watches such a queue makes anew. */
export async function forgetQueue(redis: Redis, sweep: string): Promise<void> {
  await redis.del(...OF_QUEUE.map((name) => `${PREFIX}:${sweep}:${name}`));
}

/** A file that runs of a sweep read. */
export function fileKey(sweep: string, digest: string): string {
  return `${PREFIX}:${sweep}:file:${digest}`;
}

/** BullMQ refuses ids that are whole numbers, which a hash could look like. */
export const jobIdOf = (key: string): string => `r${key}`;

export const keyOf = (jobId: string): string => jobId.slice(1);

/**
 * A run whose process is gone is taken over after `lockMs` + 2 x `stalledCheckMs` at most. A lock is renewed every
 * `renewMs`, so a process that is late by three times that keeps it.
 */
export const LOCK = { lockMs: 5000, renewMs: 1250, stalledCheckMs: 1000 } as const;

/** A run whose process vanished more often than this, as its sweep saw it, is given up: it may be what kills them. */
export const MOST_STALLS = 8;

/** Tries of a run where something else than the run is to blame; the pause doubles each time. */
export const TRIES = { attempts: 5, firstPauseMs: 1000 } as const;

/** How often a process tells Redis that it is there; one that has not for `goneMs` is gone. */
export const PRESENCE = { tellMs: 2000, goneMs: 10_000 } as const;

const MOST_NOTICES = 10_000;

const MOST_ID = 64;

const MOST_NOTICE_BYTES = 256 * 1024;

/** Fields of a hash that are not too many and not too large, and how many others there are. A value may be 512 MiB. */
const BOUNDED_HASH = `
if redis.call("HLEN", KEYS[1]) > tonumber(ARGV[1]) then return {-1} end
local found = {0}
for _, field in ipairs(redis.call("HKEYS", KEYS[1])) do
  if #field <= tonumber(ARGV[2]) and redis.call("HSTRLEN", KEYS[1], field) <= tonumber(ARGV[3]) then
    found[#found + 1] = field
    found[#found + 1] = redis.call("HGET", KEYS[1], field)
  else
    found[1] = found[1] + 1
  end
end
return found`;

/** By id. What is no notice of a sweep is put aside. */
export async function sweepsIn(redis: Redis, seal: Seal, aside: PutAside): Promise<Map<string, SweepNotice>> {
  return believed(await boundedHash(redis, SWEEPS_KEY, aside), "notice of a sweep", aside, (id, text) => {
    if (!SWEEP_ID.test(id)) throw new NotBelieved("no id of a sweep");
    return sweepNoticeOf(JSON.parse(seal.open("sweep", id, text)));
  });
}

export async function tellSweep(redis: Redis, seal: Seal, id: string, notice: SweepNotice): Promise<void> {
  await redis.hset(SWEEPS_KEY, id, seal.close("sweep", id, JSON.stringify(notice)));
}

/** Those that have been heard of lately; forgets the others. What is no notice of a worker is put aside. */
export async function workersIn(redis: Redis, seal: Seal, aside: PutAside): Promise<Presence[]> {
  const now = await redisNow(redis);
  const all = believed(await boundedHash(redis, WORKERS_KEY, aside), "notice of a worker", aside, (id, text) => {
    const notice = presenceOf(JSON.parse(seal.open("worker", id, text)));
    if (notice.seen > now + PRESENCE.goneMs) throw new NotBelieved("a notice of the future");
    return notice;
  });
  const gone = [...all].filter(([, { seen }]) => now - seen > PRESENCE.goneMs).map(([id]) => id);
  if (gone.length > 0) await redis.hdel(WORKERS_KEY, ...gone);
  for (const id of gone) all.delete(id);
  return [...all.values()];
}

export async function tellPresence(
  redis: Redis,
  seal: Seal,
  id: string,
  notice: Omit<Presence, "seen">,
): Promise<void> {
  const seen = await redisNow(redis);
  const body = JSON.stringify({ ...notice, seen } satisfies Presence);
  await redis.hset(WORKERS_KEY, id, seal.close("worker", id, body));
}

/** Whether a process may do runs of a sweep; if not, why. */
export function refusal(sweep: SweepNotice, own: Pick<Presence, "code" | "plugins">): string | null {
  if (sweep.code !== own.code) {
    return `found code ${short(sweep.code)}, allowed ${short(own.code)}, which this process runs: install the same Bide on both sides`;
  }
  const missing = sweep.plugins.filter((digest) => !own.plugins.includes(digest));
  if (missing.length === 0) return null;
  const digests = missing.map((digest) => `sha256 ${short(digest)}`).join(", ");
  return `found plugins that are not loaded here (${digests}); --plugin FILE with the same contents loads one`;
}

function short(digest: string): string {
  return digest.length > 24 ? `${digest.slice(0, 12)}...` : digest;
}

/** Clocks of machines differ; that of Redis is one for all. */
async function redisNow(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

async function boundedHash(redis: Redis, key: string, aside: PutAside): Promise<(readonly [string, string])[]> {
  const limits = [MOST_NOTICES, MOST_ID, MOST_NOTICE_BYTES].map(String);
  const [skipped, ...rest] = (await redis.eval(BOUNDED_HASH, 1, key, ...limits)) as [number, ...string[]];
  if (skipped < 0)
    throw new Error(`${key} holds more than ${String(MOST_NOTICES)} notices, which is more than Bide reads`);
  if (skipped > 0) aside.put("notice", `too large in ${key}`);
  return Array.from({ length: rest.length / 2 }, (_, i) => [rest[2 * i], rest[2 * i + 1]] as const);
}

function believed<T>(
  found: readonly (readonly [string, string])[],
  what: string,
  aside: PutAside,
  read: (id: string, text: string) => T,
): Map<string, T> {
  const notices = new Map<string, T>();
  for (const [id, text] of found) {
    try {
      notices.set(id, read(id, text));
    } catch (error) {
      aside.put(what, error instanceof NotBelieved ? error.message : "no JSON", id);
    }
  }
  return notices;
}

const MOST_KNOWN = 10_000;

const MOST_REASONS = 50;

/** What was found in Redis and is not used, by kind and reason: said once for each, and counted. */
export class PutAside {
  private readonly known = new Set<string>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly tell: Tell) {}

  /** @param id of what was found; the same one counts once. */
  put(what: string, why: string, id?: string): void {
    if (id !== undefined) {
      const one = `${what} ${id} ${why}`;
      if (this.known.has(one)) return;
      if (this.known.size >= MOST_KNOWN) this.known.clear();
      this.known.add(one);
    }
    const full = `${what}: ${why}`;
    const kind = this.counts.has(full) || this.counts.size < MOST_REASONS ? full : "something else";
    const before = this.counts.get(kind) ?? 0;
    this.counts.set(kind, before + 1);
    if (before > 0) return;
    const which = id === undefined ? "" : ` (${printable(id.slice(0, 40))})`;
    this.tell(`put aside, from Redis: a ${what}${which}: ${why}`);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Says how many there were, if there were more than have been named. */
  sumUp(): void {
    if (this.total <= this.counts.size) return;
    const each = [...this.counts].map(([what, count]) => `${String(count)} x ${what}`);
    this.tell(`put aside in all, from Redis: ${each.join("; ")}`);
  }
}
