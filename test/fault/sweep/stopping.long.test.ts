import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ended } from "../cli/command.js";
import { SweptPlace, until } from "./swept.js";

let place: SweptPlace;
beforeEach(() => {
  place = new SweptPlace({ points: 3, replications: 10 });
});
afterEach(() => {
  place.remove();
});

const ARGS = ["sweep", "s.yaml", "--threads", "1", "--quiet", "--out"];

describe("a sweep that is stopped", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s: exit %i, a folder that nobody holds, and how to go on", async (signal, exitCode) => {
    const child = place.start(...ARGS, "s");
    const end = ended(child);
    await until(child, () => place.keysIn("s").length >= 2);
    child.kill(signal);
    const { code, stdout, stderr } = await end;
    const kept = place.keysIn("s").length;
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" });
    expect(stderr).toBe(`bide: stopped by ${signal}; ${kept} runs kept in s; the same command with --resume goes on\n`);
    expect(existsSync(place.file("s", "lock.json"))).toBe(false);
    expect(existsSync(place.file("s", "runs.parquet"))).toBe(false);
    const resumed = await place.bide(...ARGS, "s", "--resume", "--json");
    expect(JSON.parse(resumed.stdout)).toMatchObject({ ended: 30, failed: 0, endedHere: 30 - kept });
  });
});

describe("two processes on one folder", () => {
  it("the second is refused while the first lives, and goes on once it was killed", async () => {
    const child = place.start(...ARGS, "s");
    const end = ended(child);
    await until(child, () => place.keysIn("s").length >= 1);
    // It lives, and cannot end before the second has looked.
    child.kill("SIGSTOP");
    const second = await place.bide(...ARGS, "s", "--resume");
    expect(second).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toBe(`s: process ${String(child.pid)} is writing into the folder\n`);
    child.kill("SIGKILL");
    await end;
    const third = await place.bide(...ARGS, "s", "--resume");
    expect({ code: third.code, keys: new Set(place.keysIn("s")).size }).toEqual({ code: 0, keys: 30 });
  });
});

describe("a disk that refuses", () => {
  it("full in the midst: exit 2, and what was written counts once there is room", async () => {
    // The plan has its place, the journal has not.
    const { code, stderr } = await place.shell(`ulimit -f 12; $BIDE ${ARGS.join(" ")} s`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "s: cannot write: file too large\n" });
    const kept = place.keysIn("s");
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(30);
    expect((await place.bide(...ARGS, "s", "--resume")).code).toBe(0);
    expect(place.keysIn("s").slice(0, kept.length)).toEqual(kept);
    expect(new Set(place.keysIn("s")).size).toBe(30);
    expect(place.keysIn("s")).toHaveLength(30);
  });

  it.each([
    ["a file in its place", "taken", /is no folder|is a file|there already/],
    ["a file as parent", "taken/s", /not a directory/],
    ["somebody's folder", "full", /files that are no sweep's \(notes.txt\)/],
  ])("%s: exit 2 before anything is run", async (_what, out, message) => {
    place.write("taken", "");
    mkdirSync(place.file("full"));
    writeFileSync(place.file("full", "notes.txt"), "");
    const { code, stderr } = await place.bide(...ARGS, out);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(place.left()).toEqual(["base.yaml", "full", "s.yaml", "taken"]);
  });
});
