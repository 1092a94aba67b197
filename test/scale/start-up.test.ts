import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RECORD_LOADS = fileURLToPath(new URL("record-loads.mjs", import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-start-"));
  execFileSync(process.execPath, [join(ROOT, "tools/bundle.mjs")]);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Loads {
  /** Modules of Bide. */
  readonly own: readonly string[];
  /** Modules of each package, by its name. */
  readonly packages: ReadonlyMap<string, number>;
}

/** What a program with these arguments loads until it ends well. */
function loadsOf(program: string, ...args: string[]): Loads {
  const file = join(folder, "loads.txt");
  rmSync(file, { force: true });
  const env = { ...process.env, LOADS_FILE: file };
  const { status, stderr } = spawnSync(process.execPath, ["--import", RECORD_LOADS, join(ROOT, program), ...args], {
    cwd: ROOT,
    env,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const modules = [...new Set(readFileSync(file, "utf8").split("\n"))];
  const packages = new Map<string, number>();
  for (const path of modules) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    if (name !== undefined) packages.set(name, (packages.get(name) ?? 0) + 1);
  }
  return { own: modules.filter((path) => /^(bundle|dist)\//.test(path.slice(ROOT.length))), packages };
}

const DIST = "dist/cli/main.js";
const BUNDLED = "bundle/cli/main.js";

/** Help fits the terminal: these five small files tell how wide its words are. */
const MEASURES_WIDTHS = ["string-width", "strip-ansi", "ansi-regex", "is-fullwidth-code-point", "emoji-regex"];

describe("what is loaded", () => {
  it("for help: a handful of modules, and what prints it", () => {
    for (const args of [["--help"], []]) {
      const { own, packages } = loadsOf(DIST, ...args);
      expect(own.length).toBeGreaterThan(2);
      expect(own.length).toBeLessThanOrEqual(9);
      expect([...packages.keys()].filter((name) => !MEASURES_WIDTHS.includes(name))).toEqual(["commander"]);
    }
  });

  it("for the help of a command: neither schemas, nor YAML, nor what simulates", () => {
    const { own, packages } = loadsOf(DIST, "run", "--help");
    expect(own.length).toBeLessThanOrEqual(30);
    expect([...packages.keys()].filter((name) => !MEASURES_WIDTHS.includes(name))).toEqual(["commander"]);
  });

  it("for a check of a scenario: nothing that simulates", () => {
    const { own, packages } = loadsOf(DIST, "validate", "scenarios/tiny.yaml");
    expect(own.filter((path) => path.includes("/core/platforms/hadoop/master/"))).toEqual([]);
    for (const name of ["hdr-histogram-js", "msgpackr", "piscina", "@duckdb/node-api"]) {
      expect(packages.has(name), name).toBe(false);
    }
    expect(packages.has("zod")).toBe(true);
  });

  it("for a run inline without tables: no threads, no database, no native library", () => {
    const { own, packages } = loadsOf(
      DIST,
      "run",
      "scenarios/tiny.yaml",
      "--no-tables",
      "--quiet",
      "--out",
      join(folder, "out"),
    );
    expect(own.length).toBeLessThanOrEqual(440);
    for (const name of ["piscina", "@duckdb/node-api", "@duckdb/node-bindings", "msgpackr-extract", "cli-progress"]) {
      expect(packages.has(name), name).toBe(false);
    }
    let foreign = 0;
    for (const count of packages.values()) foreign += count;
    expect(foreign).toBeLessThanOrEqual(260);
  });

  it("of the bundle: a few files, and no package", () => {
    const help = loadsOf(BUNDLED, "--help");
    expect(help.own.length).toBeLessThanOrEqual(10);
    const run = loadsOf(
      BUNDLED,
      "run",
      "scenarios/tiny.yaml",
      "--no-tables",
      "--quiet",
      "--out",
      join(folder, "bundled"),
    );
    expect(run.own.length).toBeLessThanOrEqual(90);
    for (const { own, packages } of [help, run]) {
      expect(own.filter((path) => path.startsWith(join(ROOT, "dist/")))).toEqual([]);
      expect([...packages.keys()]).toEqual([]);
    }
  });
});
