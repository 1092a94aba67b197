import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Place } from "./command.js";

let place: Place;
beforeEach(() => {
  place = new Place();
  place.write("s.yaml", "name: s\nscenario: good.yaml\naxes: [{path: scheduler.wait.node, values: [0s, 1s]}]\n");
});
afterEach(() => {
  place.remove();
});

describe("files that may not grow", () => {
  // ulimit -f counts kilobytes.
  it.each([
    [1, "run good.yaml --threads 0 --out out", /^out: cannot write: .*(file too large|File too large)/],
    [1, "sweep s.yaml --threads 1 --out out", /^out\/\S+: cannot write: file too large/],
    [3, "sweep s.yaml --threads 1 --out out", /^out\/?\S*: cannot write: .*(file too large|File too large)/],
  ])("are named: %i kB, %s", async (limit, command, words) => {
    const { code, stderr } = await place.shell(`ulimit -f ${limit}; $BIDE ${command} --quiet`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
  });
});

describe("few processes", () => {
  // What is really allowed depends on what else the user runs.
  const NO_THREADS = new URL("../../support/no-threads.mjs", import.meta.url).href;

  it.each([
    ["run good.yaml --threads 2 --no-tables --out out", []],
    ["sweep s.yaml --threads 2 --out out", ["out"]],
  ])("end the command, which names the limit, and no run has failed: %s", async (command, left) => {
    const { code, stderr } = await place.shell(`NODE_OPTIONS="--import ${NO_THREADS}" $BIDE ${command} --quiet`);
    const words = /^bide: no more threads or processes/m;
    expect([code, stderr]).toEqual([3, expect.stringMatching(words)]);
    expect(place.left()).toEqual([...left, "s.yaml"]);
    const journal = join(place.path, "out", "journal.jsonl");
    if (existsSync(journal)) expect(readFileSync(journal, "utf8")).not.toContain("failed");
  });
});
