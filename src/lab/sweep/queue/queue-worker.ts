import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { loadPlugins } from "../../../io/plugins/load-plugins.js";
import { RunPool } from "../run-pool.js";
import { connectQueue, reason, type Tell } from "./connect.js";
import { OwnRuns, type RunDone } from "./own-runs.js";
import type { QueueClients } from "./load-clients.js";
import { refusal, sweepsIn, tellPresence, type SweepNotice } from "./notices.js";
import type { QueueAddress } from "./queue-address.js";
import { forgetQueue, PRESENCE, WORKERS_KEY } from "./queue-keys.js";
import { digestOf, FetchedFiles } from "./shared-files.js";
import { sparing } from "./sparing.js";
import { SweepShift } from "./sweep-shift.js";

export interface WorkerOptions {
  readonly address: QueueAddress;
  readonly threads: number;
  /** Files of schedulers, as typed. */
  readonly plugins: readonly string[];
  readonly code: string;
  readonly tell: Tell;
  readonly onRun: (run: RunDone) => void;
}

const LOOK_MS = 500;
/** A sweep that Redis does not name for this long is over; shorter, Redis may just have lost its memory. */
const OVER_AFTER_LOOKS = 6;
const LEAVING_MS = 1000;

/**
 * Does runs of whatever sweeps a queue names, one sweep at a time, until `stop` is aborted; then finishes what it is at.
 * @returns how many runs it did.
 * @throws InputError when Redis or a plugin cannot be had at the start.
 */
export async function workOnQueue(clients: QueueClients, options: WorkerOptions, stop: AbortSignal): Promise<number> {
  const tell = sparing(options.tell);
  const plugins = new Map<string, string>();
  await loadPlugins(options.plugins);
  for (const file of options.plugins) plugins.set(digestOf(await readFile(file)), resolve(file));
  const redis = await connectQueue(clients, options.address, options.tell);
  const pool = new RunPool(options.threads);
  const files = new FetchedFiles(redis);
  const runs = new OwnRuns(pool, files, { code: options.code, plugins }, options.onRun);
  const own = { threads: options.threads, code: options.code, plugins: [...plugins.keys()] };
  const presence = bePresent(redis, own, stop);
  options.tell(`ready: ${String(options.threads)} at a time, on ${options.address.shown}`);
  const begin = (id: string): SweepShift => new SweepShift(clients, options, id, runs, tell);
  try {
    await serve(redis, own, begin, tell, stop);
  } finally {
    await presence;
    files.remove();
    await pool.close();
    await Promise.race([redis.quit().catch(() => undefined), sleep(LEAVING_MS, undefined, { ref: false })]);
    redis.disconnect();
  }
  return runs.done;
}

type Own = Parameters<typeof tellPresence>[2];

/** Goes from sweep to sweep. */
async function serve(
  redis: Redis,
  own: Own,
  begin: (id: string) => SweepShift,
  tell: Tell,
  stop: AbortSignal,
): Promise<void> {
  const refused = new Set<string>();
  let shift: SweepShift | null = null;
  for (let missed = 0; !stop.aborted; await pause(LOOK_MS, stop)) {
    const sweeps = await untilStopped(sweepsIn(redis), stop, tell);
    if (sweeps === null) continue;
    const fit = [...sweeps].filter(([id, sweep]) => mayDo(id, sweep, own, refused, tell)).sort(bySeniority);
    missed = shift === null || sweeps.has(shift.id) ? 0 : missed + 1;
    const next = await untilStopped(
      firstWaiting(
        fit.map(([id]) => id),
        redis,
      ),
      stop,
      tell,
    );
    const isOver = missed >= OVER_AFTER_LOOKS;
    if (shift !== null && (isOver || (next !== null && next !== shift.id && shift.isIdle))) {
      await shift.end();
      if (isOver) await forgetQueue(redis, shift.id);
      shift = null;
    }
    if (shift !== null || next === null || stop.aborted) continue;
    shift = begin(next);
    tell(`at sweep ${sweeps.get(next)?.name ?? next} (${next})`);
  }
  if (shift !== null) {
    if (shift.atIt > 0) tell(`stopping: finishes ${String(shift.atIt)} runs first; a second signal ends at once`);
    await shift.end();
    const { id } = shift;
    const leave = async (): Promise<void> => {
      if (!(await sweepsIn(redis)).has(id)) await forgetQueue(redis, id);
    };
    await Promise.race([leave().catch(() => undefined), sleep(LEAVING_MS, undefined, { ref: false })]);
  }
}

function mayDo(id: string, sweep: SweepNotice, own: Own, refused: Set<string>, tell: Tell): boolean {
  const why = refusal(sweep, own);
  if (why !== null && !refused.has(id)) {
    refused.add(id);
    tell(`leaves sweep ${sweep.name} (${id}) to others: ${why}`);
  }
  return why === null;
}

function bySeniority([idA, a]: [string, SweepNotice], [idB, b]: [string, SweepNotice]): number {
  return a.since - b.since || (idA < idB ? -1 : 1);
}

/** The first sweep with a run that nobody is at. */
async function firstWaiting(ids: readonly string[], redis: Redis): Promise<string | null> {
  for (const id of ids) {
    const waiting = await SweepShift.waitingIn(redis, id);
    if (waiting > 0) return id;
  }
  return null;
}

/** Tells Redis that this process is there, until `stop`. */
async function bePresent(redis: Redis, own: Own, stop: AbortSignal): Promise<void> {
  const id = randomUUID();
  while (!stop.aborted) {
    void tellPresence(redis, id, own).catch(() => undefined);
    await pause(PRESENCE.tellMs, stop);
  }
  await Promise.race([redis.hdel(WORKERS_KEY, id).catch(() => 0), sleep(LEAVING_MS, 0, { ref: false })]);
}

/** @returns null when stopped meanwhile, or when Redis answered with an error. */
async function untilStopped<T>(asked: Promise<T>, stop: AbortSignal, tell: Tell): Promise<T | null> {
  const stopped = new AbortController();
  const never = new Promise<null>((done) => {
    stop.addEventListener("abort", () => done(null), { once: true, signal: stopped.signal });
  });
  try {
    return await Promise.race([asked, never]);
  } catch (error) {
    tell(`Redis: ${reason(error as Error)}`);
    return null;
  } finally {
    stopped.abort();
  }
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
}
