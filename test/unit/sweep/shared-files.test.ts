import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FetchedFiles } from "../../../dist/lab/index.js";

const TEXT = Buffer.from("job,type,seconds\n");
const DIGEST = createHash("sha256").update(TEXT).digest("hex");

let held: Map<string, Buffer>;
let files: FetchedFiles;
beforeEach(() => {
  held = new Map([[`bide:s:file:${DIGEST}`, TEXT]]);
  const redis = {
    strlen: (key: string) => Promise.resolve(held.get(key)?.length ?? 0),
    getBuffer: (key: string) => Promise.resolve(held.get(key) ?? null),
  };
  files = new FetchedFiles(redis as unknown as Redis);
});
afterEach(() => {
  files.remove();
});

describe("a file that came through Redis", () => {
  it("has the contents that its digest says", async () => {
    expect(readFileSync(await files.fetch("s", DIGEST))).toEqual(TEXT);
  });

  it.each(["../../../../etc/passwd", "/etc/passwd", "", ".", DIGEST.toUpperCase(), `${DIGEST}/..`, `${DIGEST}\n`])(
    "is never had under what is no digest: %j",
    async (digest) => {
      await expect(files.fetch("s", digest)).rejects.toThrow("a file under something that is no digest");
    },
  );

  it("is checked each time: what was changed or put in its place is fetched again", async () => {
    const path = await files.fetch("s", DIGEST);
    writeFileSync(path, "changed");
    expect(readFileSync(await files.fetch("s", DIGEST))).toEqual(TEXT);
    rmSync(path);
    symlinkSync("/etc/passwd", path);
    expect(readFileSync(await files.fetch("s", DIGEST))).toEqual(TEXT);
    expect(readdirSync(dirname(path))).toEqual([DIGEST]);
  });

  it("is not had with other contents, nor with none", async () => {
    held.set(`bide:s:file:${DIGEST}`, Buffer.from("other"));
    await expect(files.fetch("s", DIGEST)).rejects.toThrow("has other contents in Redis");
    held.clear();
    await expect(files.fetch("s", DIGEST)).rejects.toThrow("is not in Redis");
  });
});
