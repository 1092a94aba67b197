import type * as BullMQ from "bullmq";
import type * as IORedis from "ioredis";
import type { Redis } from "ioredis";
import { InputError } from "../../../io/index.js";

/* A Redis: its address, the clients for it, a connection that lasts, and what its errors mean. */

/** What a client needs to connect. */
export interface RedisLogin {
  readonly host?: string;
  readonly port?: number;
  /** Of a socket, in place of host and port. */
  readonly path?: string;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  readonly tls?: { readonly servername: string };
}

/** Where a queue is. Only `shown` may be printed or stored: the options hold the password. */
export interface QueueAddress {
  /** Without user and password: `redis://host:6379/0`. */
  readonly shown: string;
  readonly connection: RedisLogin;
}

const ALLOWED =
  "redis://[user:password@]host[:port][/database], rediss:// for TLS, or unix:///path/of/socket[?db=number]";

const PORT = 6379;

const MOST_DATABASES = 100_000;

/**
 * Reads the address of a Redis. Never repeats what it was given, for that may hold a password.
 * @param from the option or variable that it came from, for errors.
 * @throws InputError
 */
export function parseQueueAddress(text: string, from: string): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw addressError(from, "something that is no URL");
  const password = credential(url.password, from);
  const username = credential(url.username, from);
  const login = {
    ...(username === "" ? {} : { username }),
    ...(password === "" ? {} : { password }),
  };
  if (url.protocol === "unix:") return socketAddress(url, login, from);
  if (url.protocol !== "redis:" && url.protocol !== "rediss:") throw addressError(from, `a URL of ${url.protocol}//`);
  if (url.hostname === "") throw addressError(from, "a URL without a host");
  if (url.search !== "" || url.hash !== "") throw addressError(from, "a URL with something after the database");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = url.port === "" ? PORT : Number(url.port);
  const db = database(url.pathname.replace(/^\//, ""), from);
  const tls = url.protocol === "rediss:" ? { tls: { servername: host } } : {};
  return {
    shown: `${url.protocol}//${url.hostname}:${String(port)}/${String(db)}`,
    connection: { host, port, db, ...login, ...tls },
  };
}

function socketAddress(url: URL, login: Pick<RedisLogin, "username" | "password">, from: string): QueueAddress {
  const path = decodeURIComponent(url.pathname);
  if (path === "" || path === "/") throw addressError(from, "a URL without the path of a socket");
  const db = database(url.searchParams.get("db") ?? "", from);
  return { shown: `unix://${path}?db=${String(db)}`, connection: { path, db, ...login } };
}

/** What a URL has escaped, such as `%40` for an @ in a password. */
function credential(text: string, from: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw addressError(from, "a user or password with a % that escapes nothing (write % as %25)");
  }
}

function database(text: string, from: string): number {
  if (text === "") return 0;
  const number = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (!(number < MOST_DATABASES)) throw addressError(from, "a database that is no number");
  return number;
}

function addressError(from: string, found: string): InputError {
  return queueError(from, `found ${found}, allowed ${ALLOWED}`);
}

export function queueError(from: string, message: string): InputError {
  return new InputError([{ file: from, line: 0, column: 0, message }]);
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
    throw queueError(from, "found no client for Redis; npm install bullmq ioredis beside bide provides it");
  }
}

/** A Redis that has not answered for this long at the start is not there. */
const PATIENCE_MS = 5000;

const LONGEST_PAUSE_MS = 2000;

/** A worker cannot go on with its work, for a reason that is not Redis: `message` says which. */
export class CannotGoOn extends Error {
  override readonly name = "CannotGoOn";
}

/** Tells the user something, one line. */
export type Tell = (line: string) => void;

interface LastingOptions extends RedisLogin {
  readonly maxRetriesPerRequest: null;
  readonly connectTimeout: number;
  readonly retryStrategy: (times: number) => number;
  readonly connectionName: string;
}

/** For connections that are to last: commands wait while Redis is away. */
export function lastingOptions(address: QueueAddress): LastingOptions {
  return {
    ...address.connection,
    maxRetriesPerRequest: null,
    connectTimeout: PATIENCE_MS,
    retryStrategy: (times) => Math.min(100 * times, LONGEST_PAUSE_MS),
    connectionName: "bide",
  };
}

/**
 * Connects, and makes sure that this Redis keeps what it is given.
 * @returns a connection that comes back by itself; `tell` hears when it goes and when it is back.
 * @throws InputError when Redis is not there, does not let us in or may drop what it holds.
 */
export async function connectQueue(
  { ioredis }: Pick<QueueClients, "ioredis">,
  address: QueueAddress,
  tell: Tell,
): Promise<Redis> {
  await checkQueue({ ioredis }, address);
  const redis = new ioredis.Redis(lastingOptions(address));
  let away = false;
  redis.on("error", () => undefined);
  redis.on("close", () => {
    if (away) return;
    away = true;
    tell(`${address.shown} is away; waiting for it`);
  });
  redis.on("ready", () => {
    if (away) tell(`${address.shown} is back`);
    away = false;
  });
  return redis;
}

/** Says, while Redis is there and does not answer, that this is what is waited for. */
export async function untilAnswered<T>(
  redis: Redis,
  { shown }: QueueAddress,
  tell: Tell,
  asked: Promise<T>,
): Promise<T> {
  const late = setInterval(() => {
    if (redis.status === "ready") tell(`${shown} does not answer; waiting for it`);
  }, PATIENCE_MS).unref();
  try {
    return await asked;
  } finally {
    clearInterval(late);
  }
}

/** @throws InputError as `connectQueue` does. */
export async function checkQueue({ ioredis }: Pick<QueueClients, "ioredis">, address: QueueAddress): Promise<void> {
  let last = "no answer";
  const probe = new ioredis.Redis({
    ...address.connection,
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  probe.on("error", (error: Error) => {
    last = reason(error);
  });
  try {
    await probe.connect();
    const info = await probe.info();
    const refusal = evictionIn(info);
    if (refusal !== null) throw queueError(address.shown, refusal);
    const full = fullnessIn(info);
    if (full !== null) throw queueError(address.shown, full);
  } catch (error) {
    if ((error as Partial<InputError>).name === "InputError") throw error;
    const found = last === "no answer" ? reason(error as Error) : last;
    throw queueError(address.shown, `found no Redis that can be used: ${found}`);
  } finally {
    probe.disconnect();
  }
}

/** Redis must never make room by dropping runs or results. */
export function evictionIn(info: string): string | null {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "noeviction";
  const most = Number(/^maxmemory:(\d+)/m.exec(info)?.[1] ?? 0);
  if (policy === "noeviction" || most === 0) return null;
  return `found maxmemory-policy ${policy} with maxmemory ${String(most)}, allowed noeviction: such a Redis drops runs and results when it is full`;
}

/** A Redis without room takes no runs and no results. */
export function fullnessIn(info: string): string | null {
  const most = Number(/^maxmemory:(\d+)/m.exec(info)?.[1] ?? 0);
  const used = Number(/^used_memory:(\d+)/m.exec(info)?.[1] ?? 0);
  if (most === 0 || used < most) return null;
  return `found a Redis that is full: ${String(used)} bytes used of maxmemory ${String(most)}; it takes no runs and no results`;
}

/** Redis has answered, and refuses: it is full, read-only, cannot save or holds something else under a name. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyError";
}

/** What Redis has refused, or that it is away; said in the same words wherever it is met. */
export function trouble(error: Error): string {
  return `Redis: ${reason(error).replace(/\.$/, "")}${isRefusal(error) || isAbsence(error) ? "; waits for it" : ""}`;
}

/** A write that is made again and again: tells when Redis refuses it, and when it accepts it again. */
export class RepeatedWrite {
  isRefused = false;

  constructor(
    private readonly address: QueueAddress,
    private readonly tell: Tell,
  ) {}

  /** @throws what Redis says to it. */
  async made(write: Promise<void>): Promise<void> {
    try {
      await write;
      if (this.isRefused) this.tell(`${this.address.shown} accepts again`);
      this.isRefused = false;
    } catch (error) {
      if (isRefusal(error)) {
        this.isRefused = true;
        this.tell(trouble(error as Error));
      }
      throw error;
    }
  }
}

/** Redis is away: the connection comes back by itself. */
export function isAbsence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET)/.test(code ?? "") ||
    /Connection is closed|Command timed out|MaxRetries|Stream isn't writeable/i.test(error.message)
  );
}

/** An error of the client in few words. Its other properties hold the command, which may be the password. */
export function reason(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  const message = error.message === "" ? (code ?? error.name) : error.message;
  if (/^OOM /.test(message)) return "it is full, and refuses what needs memory (maxmemory)";
  const inScript = / script: [0-9a-f]{40}, on @user_script:\d+\.?$/.exec(message);
  if (inScript !== null) return message.slice(0, inScript.index);
  return /WRONGPASS|NOAUTH|invalid password|invalid username/i.test(message)
    ? `it refuses this user and password (${message.split(/[\s:]/)[0] ?? ""})`
    : message;
}

const SILENCE_MS = 30_000;

const MOST_REMEMBERED = 1000;

/** Says the same thing again only after half a minute. */
export function sparing(tell: Tell): Tell {
  const said = new Map<string, number>();
  return (line) => {
    const now = performance.now();
    const before = said.get(line);
    if (before !== undefined && now - before < SILENCE_MS) return;
    if (said.size >= MOST_REMEMBERED) said.clear();
    said.set(line, now);
    tell(line);
  };
}
