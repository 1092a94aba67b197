import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { InputError } from "../../../io/input-error.js";
import { queueError } from "./queue-address.js";
import { fileKey } from "./queue-keys.js";

const MOST_MIB = 64;
const MOST_BYTES = MOST_MIB * 2 ** 20;

/** Files that runs of a sweep read, put into Redis once each. */
export class SharedFiles {
  private readonly digests = new Map<string, Promise<string>>();

  constructor(
    private readonly redis: Redis,
    private readonly sweep: string,
  ) {}

  /**
   * @param path absolute.
   * @returns under what the file can be had from Redis.
   * @throws InputError for a file that cannot be read or is too large to travel.
   */
  async digestOf(path: string): Promise<string> {
    const known = this.digests.get(path);
    if (known !== undefined) return known;
    const digest = this.put(path);
    this.digests.set(path, digest);
    return digest;
  }

  /** Puts again what a Redis that was restarted no longer has. */
  async putMissing(): Promise<void> {
    for (const [path, digest] of this.digests) {
      const isThere = await this.redis.exists(fileKey(this.sweep, await digest));
      if (isThere === 0 && (await this.put(path)) !== (await digest)) {
        throw queueError(path, "found other contents than when the sweep began, allowed the same until it ends");
      }
    }
  }

  async remove(): Promise<void> {
    for (const digest of this.digests.values()) await this.redis.del(fileKey(this.sweep, await digest));
  }

  private async put(path: string): Promise<string> {
    const bytes = await contentsOf(path);
    const digest = digestOf(bytes);
    await this.redis.set(fileKey(this.sweep, digest), bytes);
    return digest;
  }
}

async function contentsOf(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) {
      const found = `found ${String(size)} bytes, allowed ${String(MOST_MIB)} MiB at most through a queue`;
      throw queueError(path, `${found}; --shard reads files of any size`);
    }
    return await readFile(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw queueError(path, `cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
  }
}

export function digestOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Files that came through Redis, in a temporary folder of this process, which goes with it. */
export class FetchedFiles {
  private folder: string | null = null;
  private readonly discard = (): void => {
    if (this.folder !== null) rmSync(this.folder, { recursive: true, force: true });
    this.folder = null;
  };

  constructor(private readonly redis: Redis) {
    process.once("exit", this.discard);
  }

  /** @returns a path with these contents. @throws Error while Redis does not have them. */
  async fetch(sweep: string, digest: string): Promise<string> {
    this.folder ??= mkdtempSync(join(tmpdir(), "bide-files-"));
    mkdirSync(this.folder, { recursive: true });
    const path = join(this.folder, digest);
    if (existsSync(path)) return path;
    const bytes = await this.redis.getBuffer(fileKey(sweep, digest));
    if (bytes === null || digestOf(bytes) !== digest) throw new Error("a file that the run reads is not in Redis");
    writeFileSync(`${path}.part`, bytes);
    renameSync(`${path}.part`, path);
    return path;
  }

  remove(): void {
    this.discard();
    process.off("exit", this.discard);
  }
}
