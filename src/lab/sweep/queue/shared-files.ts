import { createHash, randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { InputError, NotBelieved } from "../../../io/index.js";
import { queueError } from "./connection.js";
import { fileKey } from "./notices.js";

const MOST_MIB = 64;
const MOST_BYTES = MOST_MIB * 2 ** 20;
const DIGEST = /^[0-9a-f]{64}$/;

/** Files that runs of a sweep read, put into Redis once each. */
export class SharedFiles {
  private readonly digests = new Map<string, Promise<string>>();

  /** @param complain hears that Redis refuses a file; `putMissing` tries again. */
  constructor(
    private readonly redis: Redis,
    private readonly sweep: string,
    private readonly complain: (error: unknown) => void,
  ) {}

  /**
   * @param path absolute.
   * @returns under what the file can be had from Redis.
   * @throws InputError for a file that cannot be read or is too large to travel.
   */
  async digestOf(path: string): Promise<string> {
    const known = this.digests.get(path);
    if (known !== undefined) return known;
    const digest = contentsOf(path).then(digestOf);
    this.digests.set(path, digest);
    await digest;
    await this.put(path).catch((error: unknown) => {
      if (error instanceof InputError) throw error;
      this.complain(error);
    });
    return digest;
  }

  /** Puts again what a Redis that was restarted no longer has. */
  async putMissing(): Promise<void> {
    for (const [path, digest] of this.digests) {
      const { size } = await stat(path).catch(() => ({ size: -1 }));
      const found = await this.redis.strlen(fileKey(this.sweep, await digest));
      if ((found === 0 || found !== size) && (await this.put(path)) !== (await digest)) {
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

/** Whether there is a plain file with the contents that its name says. */
function holds(path: string, digest: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && digestOf(readFileSync(path)) === digest;
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

  /**
   * @returns a path with these contents, checked now.
   * @throws NotBelieved for what is no digest; Error while Redis does not have the contents.
   */
  async fetch(sweep: string, digest: string): Promise<string> {
    if (!DIGEST.test(digest)) throw new NotBelieved("a file under something that is no digest");
    this.folder ??= mkdtempSync(join(tmpdir(), "bide-files-"));
    mkdirSync(this.folder, { recursive: true });
    const path = join(this.folder, digest);
    if (holds(path, digest)) return path;
    const key = fileKey(sweep, digest);
    const size = await this.redis.strlen(key);
    if (size > MOST_BYTES) throw new NotBelieved(`a file of more than ${String(MOST_MIB)} MiB`);
    const bytes = await this.redis.getBuffer(key);
    if (bytes === null) throw new Error("a file that the run reads is not in Redis");
    if (digestOf(bytes) !== digest) throw new Error("a file that the run reads has other contents in Redis");
    const part = `${path}.${randomBytes(4).toString("hex")}.part`;
    writeFileSync(part, bytes, { flag: "wx" });
    renameSync(part, path);
    return path;
  }

  remove(): void {
    this.discard();
    process.off("exit", this.discard);
  }
}
