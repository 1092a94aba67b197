import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis, type RedisOptions } from "ioredis";

/** A redis-server of our own on a free port, in a temporary folder. */
export class RedisServer {
  readonly folder = mkdtempSync(join(tmpdir(), "bide-redis-server-"));
  private child: ChildProcess | null = null;
  private client: Redis | null = null;

  private constructor(
    readonly port: number,
    private readonly args: readonly string[],
    private readonly access: RedisOptions,
  ) {}

  /** @param args of redis-server; the first that are given twice count. @param access for the client of the tests. */
  static async start(
    args: readonly string[] = [],
    access: RedisOptions = {},
    prepare: (folder: string) => void = () => undefined,
  ): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), args, access);
    prepare(server.folder);
    await server.restart();
    return server;
  }

  get url(): string {
    if (this.access.tls !== undefined) return `rediss://localhost:${this.port}`;
    const login = this.access.password === undefined ? "" : `:${this.access.password}@`;
    return `redis://${login}127.0.0.1:${this.port}`;
  }

  get redis(): Redis {
    if (this.client === null) throw new Error("the server is down");
    return this.client;
  }

  async restart(): Promise<void> {
    const port = this.args.includes("--tls-port") ? [] : ["--port", String(this.port)];
    const own = [...port, "--dir", this.folder, "--save", "", "--bind", "127.0.0.1"];
    this.child = spawn("redis-server", [...own, ...this.args.map((arg) => arg.replace("PORT", String(this.port)))], {
      stdio: "ignore",
      cwd: this.folder,
    });
    this.client = new Redis({ ...this.access, host: "127.0.0.1", port: this.port, maxRetriesPerRequest: null } as {
      host: string;
      port: number;
    });
    this.client.on("error", () => undefined);
    await this.client.ping();
  }

  /** It holds all connections and answers nothing. */
  freeze(isFrozen: boolean): void {
    this.child?.kill(isFrozen ? "SIGSTOP" : "SIGCONT");
  }

  /** As a power cut would. */
  async kill(): Promise<void> {
    this.client?.disconnect();
    this.client = null;
    const { child } = this;
    this.child = null;
    if (child === null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  /** Keys of runs and traces, once workers have handed in what they were at. */
  async leftOver(): Promise<string[]> {
    let left: string[] = [];
    for (let looks = 0; looks < 200; looks++) {
      left = (await this.redis.keys("*")).filter((key) => !/:(meta|events|id|marker|stalled|stalled-check)$/.test(key));
      if (left.length === 0) break;
      await sleep(50);
    }
    return left;
  }

  /** Ids of jobs that somebody is at, with the key before them. */
  async active(): Promise<string[]> {
    const [list] = await this.redis.keys("bide:*:active");
    if (list === undefined) return [];
    const prefix = list.replace(/active$/, "");
    return (await this.redis.lrange(list, 0, -1)).map((id) => `${prefix}${id}`);
  }

  async stop(): Promise<void> {
    await this.kill();
    await sleep(50);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
