import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ResultsFolder } from "../../../dist/io/index.js";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "bide-folder-"));
});
afterEach(() => {
  rmSync(place, { recursive: true, force: true });
});

const open = (name: string, force = false) => ResultsFolder.open({ path: join(place, name), force, chosen: false });

/** Publishes a summary that can be told from others by `run`; what stands there afterwards. */
function published(name: string, run: string, force = false): string {
  const folder = open(name, force);
  writeFileSync(join(folder.staging, "summary.json"), JSON.stringify({ format: "bide-summary", run }));
  folder.publish();
  return runAt(name);
}

function runAt(name: string): string {
  const { run } = JSON.parse(readFileSync(join(place, name, "summary.json"), "utf8")) as { run: string };
  return run;
}

describe("a results folder", () => {
  it("is not there before it is whole, and nothing else is there after", () => {
    const folder = open("out");
    expect(existsSync(join(place, "out"))).toBe(false);
    writeFileSync(join(folder.staging, "summary.json"), JSON.stringify({ run: "1" }));
    folder.publish();
    expect(readdirSync(place)).toEqual(["out"]);
    folder.discard();
    expect(runAt("out")).toBe("1");
  });

  it("is replaced by force only, as a whole", () => {
    published("out", "1");
    writeFileSync(join(place, "out", "tasks.parquet"), "of the former run");
    expect(() => open("out")).toThrow(/out: the folder is there already.*--force/);
    expect(published("out", "2", true)).toBe("2");
    expect(readdirSync(join(place, "out")).sort()).toEqual([".bide-folder", "summary.json"]);
    expect(readdirSync(place)).toEqual(["out"]);
  });

  it("force never removes a folder that holds anything else", () => {
    mkdirSync(join(place, "home"));
    writeFileSync(join(place, "home", "thesis.tex"), "");
    writeFileSync(join(place, "home", "summary.json"), "");
    expect(() => open("home", true)).toThrow(/no results of Bide \(thesis\.tex\)/);
    expect(readdirSync(place)).toEqual(["home"]);
  });

  it("refuses when somebody took the name meanwhile, and leaves theirs", () => {
    const folder = open("out");
    expect(published("out", "theirs")).toBe("theirs");
    expect(() => folder.publish()).toThrow(/the folder is there already/);
    expect(readdirSync(place)).toEqual(["out"]);
  });
});

describe("a folder in folders that are not there", () => {
  it("gets them; those that hold something else meanwhile stay", () => {
    const folder = open("results/deep/a");
    published("results/b", "1");
    folder.discard();
    expect(readdirSync(join(place, "results"))).toEqual(["b"]);
  });
});

describe("a folder that Bide names", () => {
  const chosen = (name: string) => ResultsFolder.open({ path: join(place, name), force: false, chosen: true });

  it("gets another number when the name is taken, even at the last moment", () => {
    const [first, second, third] = [chosen("results/a"), chosen("results/a"), chosen("results/a")];
    for (const folder of [first, second, third]) folder.publish();
    expect(readdirSync(join(place, "results")).sort()).toEqual(["a", "a-2", "a-3"]);
    expect(third.path).toBe(join(place, "results/a-3"));
  });
});
