import type { Redis } from "ioredis";
import {
  NotBelieved,
  SWEEP_ID,
  sweepNoticeOf,
  presenceOf,
  type SweepNotice,
  type Presence,
} from "../../../io/sweep/queue-schema.js";
import { PRESENCE, SWEEPS_KEY, WORKERS_KEY } from "./queue-keys.js";
import type { PutAside } from "./put-aside.js";
import type { Seal } from "./seal.js";

export type { SweepNotice, Presence } from "../../../io/sweep/queue-schema.js";

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
