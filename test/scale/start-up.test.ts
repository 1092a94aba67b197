import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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
  /** Files of the bundle. */
  readonly files: readonly string[];
  /** Sources of Bide in them, from `src` on. */
  readonly sources: readonly string[];
  /** Packages: in them, or loaded beside. */
  readonly packages: readonly string[];
}

/** What a command loads until it ends well. */
function loadsOf(...args: string[]): Loads {
  const file = join(folder, "loads.txt");
  rmSync(file, { force: true });
  const program = join(ROOT, "bundle/cli/main.js");
  const env = { ...process.env, LOADS_FILE: file };
  const { status, stderr } = spawnSync(process.execPath, ["--import", RECORD_LOADS, program, ...args], {
    cwd: ROOT,
    env,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const modules = [...new Set(readFileSync(file, "utf8").split("\n"))];
  expect(modules.filter((path) => path.startsWith(join(ROOT, "dist/")))).toEqual([]);
  const files = modules.filter((path) => path.startsWith(join(ROOT, "bundle/")));
  const inside = files.flatMap((one) => sourcesOf(one));
  const packageOf = (path: string): string[] => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.slice(1) ?? [];
  return {
    files,
    sources: inside.flatMap((path) => (path.startsWith(join(ROOT, "src/")) ? [path.slice(ROOT.length)] : [])),
    packages: [...new Set([...inside, ...modules].flatMap(packageOf))],
  };
}

/** What a file of the bundle was made of, by its map. */
function sourcesOf(file: string): string[] {
  const { sources } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as { sources: string[] };
  return sources.map((path) => join(dirname(file), path));
}

/** Help fits the terminal: these five small packages tell how wide its words are. */
const MEASURES_WIDTHS = ["string-width", "strip-ansi", "ansi-regex", "is-fullwidth-code-point", "emoji-regex"];

const withoutWidths = (packages: readonly string[]): string[] =>
  packages.filter((name) => !MEASURES_WIDTHS.includes(name));

describe("what is loaded", () => {
  it("for help: a few files, and what prints it", () => {
    for (const args of [["--help"], []]) {
      const { files, sources, packages } = loadsOf(...args);
      expect(sources).toContain("src/cli/command-line.ts");
      expect(files.length).toBeLessThanOrEqual(12);
      expect(sources.length).toBeLessThanOrEqual(20);
      expect(withoutWidths(packages)).toEqual(["commander"]);
    }
  });

  it("for the help of a command: neither schemas, nor YAML, nor what simulates", () => {
    const { sources, packages } = loadsOf("run", "--help");
    expect(sources.length).toBeLessThanOrEqual(40);
    expect(withoutWidths(packages)).toEqual(["commander"]);
  });

  it("for a check of a scenario: nothing that simulates", () => {
    const { sources, packages } = loadsOf("validate", "scenarios/tiny.yaml");
    expect(sources.filter((path) => /^src\/(core\/platforms\/hadoop\/master|actors)\//.test(path))).toEqual([]);
    for (const name of ["hdr-histogram-js", "msgpackr", "piscina", "@duckdb/node-api"]) {
      expect(packages).not.toContain(name);
    }
    expect(packages).toContain("zod");
  });

  it("for a run inline without tables: no threads, no database, no native library", () => {
    const out = join(folder, "out");
    const { files, sources, packages } = loadsOf("run", "scenarios/tiny.yaml", "--no-tables", "--quiet", "--out", out);
    expect(files.length).toBeLessThanOrEqual(115);
    const engines = /^src\/core\/platforms\/(?!hadoop\/).*\/(simulation|run|driver|master|task-scheduler)[.]ts$/;
    expect(sources.filter((path) => engines.test(path))).toEqual([]);
    for (const name of ["piscina", "@duckdb/node-api", "@duckdb/node-bindings", "msgpackr-extract", "cli-progress"]) {
      expect(packages).not.toContain(name);
    }
  });
});
