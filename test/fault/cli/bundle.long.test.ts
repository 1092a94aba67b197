import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Summary } from "../../../dist/core/record/index.js";
import { codeVersion } from "../../../dist/io/index.js";
import { PackedBide } from "../../support/packed.js";
import { ended, Place } from "./command.js";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function node(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});

describe("which code is run", () => {
  const PROGRAMS = ["bundle/cli/main.js", "dist/cli/main.js"];
  const WRITTEN = ["bundle/code-version", "dist/cli/.tsbuildinfo", "dist/core/.tsbuildinfo"];

  /** A package whose programs print their own paths. */
  function fakePackage(ages: Record<string, number>): string {
    const root = join(place.path, "fake");
    cpSync(join(ROOT, "bin"), join(root, "bin"), { recursive: true });
    writeFileSync(join(root, "package.json"), '{"type": "module"}');
    const write = (path: string, text: string): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    for (const program of PROGRAMS) write(program, `console.log("${program}");`);
    for (const file of WRITTEN.filter((one) => one in ages)) {
      write(file, "");
      utimesSync(join(root, file), ages[file], ages[file]);
    }
    return root;
  }

  it.each([
    ["the bundle, made after the compiled output", [3, 2, 1], PROGRAMS[0]],
    ["the compiled output, of which one room is newer", [3, 2, 4], PROGRAMS[1]],
    ["the compiled output, where there is no bundle", [undefined, 2, 1], PROGRAMS[1]],
    ["the bundle, where the package was installed", [3, undefined, undefined], PROGRAMS[0]],
  ])("%s", (_, ages, program) => {
    const known = WRITTEN.flatMap((file, at) => (ages[at] === undefined ? [] : [[file, ages[at]] as const]));
    const root = fakePackage(Object.fromEntries(known));
    expect(node(join(root, "bin/bide.js"))).toMatchObject({ status: 0, stdout: `${program}\n`, stderr: "" });
  });
});

const SWEEP =
  "name: s\nscenario: good.yaml\nreplications: 2\naxes:\n  - { path: scheduler.wait.node, values: [0s, 5s] }\n";

describe("the packed bundle", () => {
  let packed: PackedBide;
  beforeAll(() => {
    packed = new PackedBide();
  });
  afterAll(() => {
    packed.remove();
  });
  const bide = async (...args: string[]): Promise<unknown> =>
    ended(place.startProgram(join(packed.root, "bin/bide.js"), ...args));
  const good = { code: 0, stderr: "" };

  it("has programs of threads and processes, types, licences, and no compiled output beside", () => {
    const { files } = packed;
    for (const file of ["actors/rack-thread.js", "io/sweep/sql-process.js", "lab/sweep/run-task.js", "LICENSES.txt"]) {
      expect(files).toContain(`bundle/${file}`);
    }
    for (const bench of ["sweep", "whole-run"]) expect(files).toContain(`bundle/lab/bench/${bench}-process.js`);
    expect(files).toContain("dist/lab/public.d.ts");
    expect(files.filter((file) => /^dist\/.*(?<!\.d\.ts)$/.test(file))).toEqual([]);
    expect(readFileSync(join(packed.root, "bundle/code-version"), "utf8")).toBe(codeVersion());
  });

  it("starts its threads: of racks, and of sweeps", async () => {
    const args = ["run", "good.yaml", "--json", "--quiet", "--threads"];
    const runs = [await bide(...args, "0", "--out", "a"), await bide(...args, "2", "--out", "b")];
    // Histograms are compressed, and must be so by the same library.
    runs.push(await place.bide(...args, "0", "--out", "c"));
    const [inline, threads, unbundled] = runs.map((run) => {
      expect(run).toMatchObject(good);
      const { cost: _cost, notes: _notes, ...summary } = JSON.parse((run as { stdout: string }).stdout) as Summary;
      return summary;
    });
    expect(threads).toEqual(inline);
    expect(unbundled).toEqual(inline);
    place.write("sweep.yaml", SWEEP);
    expect(await bide("sweep", "sweep.yaml", "--threads", "2", "--out", "s")).toMatchObject({ code: 0 });
    // And its processes: of queries, here and below.
    expect(await bide("results", "s", "--sql", "select count(*) as n from runs")).toMatchObject(good);
  });

  it("starts its processes: of benchmarks and regressions", async () => {
    const suite = join(packed.root, "scenarios/regress/quick.yaml");
    expect(await bide("regress", suite, "--only", "tiny", "--no-speed", "--junit", "r.xml")).toMatchObject({ code: 0 });
    expect(await bide("bench", "transport", "--frames", "200", "--runs", "1")).toMatchObject({ code: 0 });
  });

  it("shares its classes with plugins that import the package by its name", async () => {
    const plugin = join(packed.root, "../../plugin.mjs");
    writeFileSync(
      plugin,
      `import { InputError } from "bide";
      throw new InputError([{ file: "mine", line: 1, column: 2, message: "found it" }]);`,
    );
    expect(await bide("run", "good.yaml", "--plugin", plugin)).toEqual({
      code: 2,
      stdout: "",
      stderr: "mine:1:2: found it\n",
    });
  });

  it("has declarations that need none of Node's, checked strictly and whole", () => {
    const scratch = join(packed.root, "../..");
    const program = `
      import { loadScenario, runScenario, type Summary } from "bide";
      const { scenario, directory } = loadScenario("a.yaml");
      export const summary: Promise<Summary> = runScenario(scenario, directory).then(({ summary }) => summary);
      // @ts-expect-error: no such option
      void runScenario(scenario, directory, { placements: 0 });`;
    writeFileSync(join(scratch, "user.ts"), program);
    const compilerOptions = { strict: true, module: "nodenext", target: "es2022", noEmit: true, types: [] };
    writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["user.ts"] }));
    const found = node(join(ROOT, "node_modules/typescript/bin/tsc"), "-p", scratch);
    expect(found).toEqual(expect.objectContaining({ stdout: "", status: 0 }));
  });
});

it("a library that is older than the compiled output refuses to be loaded", () => {
  const root = join(place.path, "clone");
  for (const folder of ["bin", "bundle", "dist/core"])
    cpSync(join(ROOT, folder), join(root, folder), { recursive: true });
  writeFileSync(join(root, "package.json"), '{"type": "module"}');
  const load = (): unknown =>
    node(
      "--input-type=module",
      "-e",
      `await import(${JSON.stringify(pathToFileURL(join(root, "bundle/lab/public.js")).href)})`,
    );
  const late = new Date(Date.now() + 10_000);
  utimesSync(join(root, "dist/core/.tsbuildinfo"), late, late);
  expect(load()).toMatchObject({ status: 1, stderr: expect.stringContaining("npm run build makes it anew") });
});
