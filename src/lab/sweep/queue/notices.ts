import type { Redis } from "ioredis";
import { PRESENCE, SWEEPS_KEY, WORKERS_KEY } from "./queue-keys.js";

/** A sweep that wants runs done. */
export interface SweepNotice {
  readonly name: string;
  readonly code: string;
  /** Digests of plugin files that its runs load. */
  readonly plugins: readonly string[];
  /** Clock of the machine that started it, ms; older ones come first. */
  readonly since: number;
}

/** A process that does runs. */
export interface WorkerNotice {
  readonly threads: number;
  readonly code: string;
  readonly plugins: readonly string[];
  /** Clock of Redis, ms. */
  readonly seen: number;
}

/** By id. */
export async function sweepsIn(redis: Redis): Promise<Map<string, SweepNotice>> {
  return parsed(await redis.hgetall(SWEEPS_KEY), (notice: SweepNotice) => typeof notice.code === "string");
}

/** Those that have been heard of lately; forgets the others. */
export async function workersIn(redis: Redis): Promise<WorkerNotice[]> {
  const now = await redisNow(redis);
  const all = parsed(await redis.hgetall(WORKERS_KEY), (notice: WorkerNotice) => typeof notice.seen === "number");
  const gone = [...all].filter(([, { seen }]) => now - seen > PRESENCE.goneMs).map(([id]) => id);
  if (gone.length > 0) await redis.hdel(WORKERS_KEY, ...gone);
  for (const id of gone) all.delete(id);
  return [...all.values()];
}

export async function tellPresence(redis: Redis, id: string, notice: Omit<WorkerNotice, "seen">): Promise<void> {
  const seen = await redisNow(redis);
  await redis.hset(WORKERS_KEY, id, JSON.stringify({ ...notice, seen }));
}

/** Whether a process may do runs of a sweep; if not, why. */
export function refusal(sweep: SweepNotice, own: Pick<WorkerNotice, "code" | "plugins">): string | null {
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

function parsed<T>(found: Record<string, string>, isGood: (notice: T) => boolean): Map<string, T> {
  const notices = new Map<string, T>();
  for (const [id, text] of Object.entries(found)) {
    try {
      const notice = JSON.parse(text) as T;
      if (isGood(notice)) notices.set(id, notice);
    } catch {
      // Somebody else's; a database can be shared.
    }
  }
  return notices;
}
