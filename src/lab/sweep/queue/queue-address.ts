import { InputError } from "../../../io/input-error.js";

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
