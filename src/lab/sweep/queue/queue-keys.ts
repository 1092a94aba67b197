import type { Redis } from "ioredis";

/** Names in Redis, and times that both ends go by. */

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
 * A run whose process is gone is taken over after `lockMs` + 2 x `stalledCheckMs` at most. A lock is renewed every `renewMs`, so a
 * process that is late by three times that keeps it.
 */
export const LOCK = { lockMs: 5000, renewMs: 1250, stalledCheckMs: 1000 } as const;

/** A run whose process vanished more often than this, as its sweep saw it, is given up: it may be what kills them. */
export const MOST_STALLS = 8;

/** Tries of a run where something else than the run is to blame; the pause doubles each time. */
export const TRIES = { attempts: 5, firstPauseMs: 1000 } as const;

/** How often a process tells Redis that it is there; one that has not for `goneMs` is gone. */
export const PRESENCE = { tellMs: 2000, goneMs: 10_000 } as const;
