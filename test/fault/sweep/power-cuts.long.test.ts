import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SweptPlace } from "./swept.js";

const DISK = fileURLToPath(new URL("../../support/forgetful-disk.mjs", import.meta.url));
const STATES = 10;

type Entry = readonly [name: string, id: string, kind: "folder" | "file"];
interface Sync {
  readonly id: string;
  readonly data?: string;
  readonly entries?: readonly Entry[];
}

let place: SweptPlace;
beforeEach(() => {
  place = new SweptPlace({ points: 2, replications: 2, more: "series: true" });
});
afterEach(() => {
  place.remove();
});

/** Runs a command on a disk that forgets. @returns what was made certain, in order. */
async function onForgetfulDisk(command: string): Promise<Sync[]> {
  const log = place.file("log");
  const line = `NODE_OPTIONS="--import ${DISK}" FORGETFUL_LOG=${log} $BIDE ${command}`;
  const { code, stderr } = await place.shell(line);
  expect([code, stderr]).toEqual([0, ""]);
  return readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Sync);
}

function idOf(path: string): string {
  const { ino, birthtimeNs } = lstatSync(path, { bigint: true });
  return `${String(ino)}-${String(birthtimeNs)}`;
}

/** The disk when the power went after these calls: names as they were synced, contents as they were synced, or none. */
function restore(syncs: readonly Sync[], to: string): void {
  const names = new Map<string, readonly Entry[]>();
  const contents = new Map<string, string>();
  for (const { id, data, entries } of syncs) {
    if (entries !== undefined) names.set(id, entries);
    if (data !== undefined) contents.set(id, data);
  }
  const build = (id: string, path: string): void => {
    mkdirSync(path, { recursive: true });
    for (const [name, inner, kind] of names.get(id) ?? []) {
      if (kind === "folder") build(inner, join(path, name));
      else writeFileSync(join(path, name), Buffer.from(contents.get(inner) ?? "", "base64"));
    }
  };
  const out = (names.get(idOf(place.path)) ?? []).find(([name]) => name === "out");
  rmSync(to, { recursive: true, force: true });
  if (out !== undefined) build(out[1], to);
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => lstatSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "base64")]));
}

describe("a power cut", () => {
  it("takes nothing of a sweep that has ended", async () => {
    const syncs = await onForgetfulDisk("sweep s.yaml --out out --threads 1 --quiet > /dev/null");
    const whole = filesIn(place.file("out"));
    expect(Object.keys(whole)).toHaveLength(7 + 4);
    restore(syncs, place.file("restored"));
    const { "lock.json": lock, ...restored } = filesIn(place.file("restored"));
    expect(restored).toEqual(whole);
    expect(lock ?? "").toBe("");
    // And where names reach the disk before contents do.
    const synced = new Map(syncs.map(({ id, data }) => [id, data]));
    for (const [name, data] of Object.entries(whole)) {
      expect(synced.get(idOf(place.file("out", name))), name).toBe(data);
    }
  });

  it("at any moment of a sweep leaves a folder that goes on to the same tables", async () => {
    const syncs = await onForgetfulDisk("sweep s.yaml --out out --threads 1 --quiet > /dev/null");
    const whole = place.tables("out");
    for (let state = 0; state < STATES; state++) {
      const after = Math.round((syncs.length * state) / STATES);
      restore(syncs.slice(0, after), place.file("restored"));
      const { code, stderr } = await place.bide("sweep", "s.yaml", "--out", "restored", "--resume", "--threads", "1");
      expect([code, code === 0 ? "" : stderr], `after ${after} syncs`).toEqual([0, ""]);
      expect(place.tables("restored"), `after ${after} syncs`).toEqual(whole);
    }
  });

  it("takes nothing of the results of a run", async () => {
    const syncs = await onForgetfulDisk("run base.yaml --out out --quiet > /dev/null");
    const whole = filesIn(place.file("out"));
    restore(syncs, place.file("restored"));
    expect(filesIn(place.file("restored"))).toEqual(whole);
    expect(Object.keys(whole)).toContain("jobs.parquet");
  });
});
