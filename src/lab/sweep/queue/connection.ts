import type * as BullMQ from "bullmq";
import type * as IORedis from "ioredis";
import type { Redis } from "ioredis";
import { InputError, fileProblem } from "../../../io/index.js";

/* A Redis: its address, the clients for it, a connection that lasts, and what its errors mean. */

/** The options with which a client connects. */
interface RedisLogin {
  readonly host?: string;
  readonly port?: number;
  /** The path of a socket, in place of host and port. */
  readonly path?: string;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly servername: string };
}

/** The address of a queue. Only `shown` may be printed or stored: the options hold the password. */
export interface QueueAddress {
  /** Without user and password: `redis://host:6379/0`. */
  readonly shown: string;
  readonly connection: RedisLogin;
}

const ALLOWED =
  "redis://[user:password@]host[:port][/database], rediss:// for TLS, or unix:///path/of/socket[?db=number]; % in a password is %25";

/**
 * Reads the address of a Redis. Never repeats what it was given, for that may hold a password.
 * @param from the option or variable that it came from, for errors.
 * @throws InputError
 */
export function parseQueueAddress(text: string, from: string): QueueAddress {
  try {
    const url = new URL(text);
    const { protocol, hostname } = url;
    const login = {
      ...(url.username === "" ? {} : { username: decodeURIComponent(url.username) }),
      ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    };
    const path = decodeURIComponent(url.pathname).replace(/\/$/, "");
    const [, db] = /^\/?(\d{0,6})$/.exec(protocol === "unix:" ? (url.searchParams.get("db") ?? "") : path) ?? [];
    const suffix = `${protocol === "unix:" ? "" : url.search}${url.hash}`;
    if (db !== undefined && suffix === "") {
      if (protocol === "unix:" && path !== "")
        return { shown: `unix://${path}?db=${Number(db)}`, connection: { path, db: Number(db), ...login } };
      if (/^rediss?:$/.test(protocol) && hostname !== "") {
        const port = Number(url.port || 6379);
        const host = hostname.replace(/^\[(.*)\]$/, "$1");
        const tls = protocol === "rediss:" ? { tls: { servername: host } } : {};
        return {
          shown: `${protocol}//${hostname}:${port}/${Number(db)}`,
          connection: { host, port, db: Number(db), ...login, ...tls },
        };
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof URIError)) throw error;
  }
  throw fileProblem(from, `is no address of a Redis, expected ${ALLOWED}`);
}

export interface QueueClients {
  readonly bullmq: typeof BullMQ;
  readonly ioredis: typeof IORedis;
}

/**
 * The libraries that speak with Redis. They are optional, for most sweeps need none.
 * @param from the option that asks for them, for the error.
 * @throws InputError where they are not installed.
 */
export async function loadClients(from: string): Promise<QueueClients> {
  try {
    const [bullmq, ioredis] = await Promise.all([import("bullmq"), import("ioredis")]);
    return { bullmq, ioredis };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw fileProblem(from, "there is no client for Redis; npm install bullmq ioredis beside bide provides it");
  }
}

/** A Redis that has not answered for this long at the start is not there. */
const PATIENCE_MS = 5000;

const LONGEST_PAUSE_MS = 2000;

/** Prints one line for the user. */
export type Tell = (line: string) => void;

/** A connection that restores itself; commands wait while Redis is away, which it reports. */
export function connectQueue({ ioredis }: QueueClients, { shown, connection }: QueueAddress, tell: Tell): Redis {
  const redis = new ioredis.Redis({
    ...connection,
    maxRetriesPerRequest: null,
    connectTimeout: PATIENCE_MS,
    retryStrategy: (times) => Math.min(100 * times, LONGEST_PAUSE_MS),
  });
  let isAway = false;
  redis.on("error", () => undefined);
  redis.on("reconnecting", () => {
    if (!isAway) tell(`${shown} is away; waiting for it`);
    isAway = true;
  });
  redis.on("ready", () => {
    if (isAway) tell(`${shown} is back`);
    isAway = false;
  });
  return redis;
}

/** @throws InputError when Redis is not there, does not let us in or may drop what it holds. */
export async function checkQueue({ ioredis }: QueueClients, address: QueueAddress): Promise<void> {
  let connectionError: Error | null = null;
  const probe = new ioredis.Redis({
    ...address.connection,
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  probe.on("error", (error: Error) => {
    connectionError = error;
  });
  try {
    await probe.connect();
    const refusal = evictionIn(await probe.info());
    if (refusal !== null) throw fileProblem(address.shown, refusal);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const why = reason(connectionError ?? (error as Error));
    throw fileProblem(address.shown, `there is no Redis that can be used: ${why}`);
  } finally {
    probe.disconnect();
  }
}

/** Redis must never make room by dropping runs or results. */
export function evictionIn(info: string): string | null {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "noeviction";
  const limitBytes = Number(/^maxmemory:(\d+)/m.exec(info)?.[1] ?? 0);
  if (policy === "noeviction" || limitBytes === 0) return null;
  return `expected maxmemory-policy noeviction, found ${policy} with maxmemory ${limitBytes}: such a Redis drops runs and results when it is full`;
}

/** An error of the client in few words. Its other properties hold the command, which may be the password. */
export function reason(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  const message = error.message === "" ? (code ?? error.name) : error.message;
  return /WRONGPASS|NOAUTH|invalid password|invalid username/i.test(message)
    ? `it refuses this user and password (${message.split(/[\s:]/)[0] ?? ""})`
    : message.replace(/ script: [0-9a-f]{40}, on @user_script:\d+\.?$/, "");
}

const SILENCE_MS = 30_000;

/** Says the same thing again only after half a minute. */
export function sparing(tell: Tell): Tell {
  const said = new Map<string, number>();
  return (line) => {
    const now = performance.now();
    if (now - (said.get(line) ?? -Infinity) < SILENCE_MS) return;
    said.set(line, now);
    tell(line);
  };
}
