import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PackedBide } from "../../support/packed.js";
import { brokenLinks } from "../../tidy/findings.js";
import { Place } from "./command.js";

const SHIPPED = fileURLToPath(new URL("../../../scenarios/", import.meta.url));

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => {
  place.remove();
});
const text = (path: string): string => readFileSync(join(place.path, path), "utf8");

describe("bide examples", () => {
  it("copies one with all that it names, to the same paths, and says what to type", async () => {
    const { code, stdout } = await place.bide("examples", "w1-w2");
    expect(code).toBe(0);
    expect(stdout).toContain("\nnpx bide sweep scenarios/sweeps/w1-w2.yaml\n");
    for (const path of ["sweeps/w1-w2.yaml", "sweeps/sweep.schema.json", "benchmark.yaml", "scenario.schema.json"]) {
      expect(text(`scenarios/${path}`)).toBe(readFileSync(SHIPPED + path, "utf8"));
    }
  });

  it("never replaces a file that differs, and writes nothing then; --force does", async () => {
    mkdirSync(join(place.path, "scenarios"));
    place.write("scenarios/tiny.yaml", "mine\n");
    const { code, stderr } = await place.bide("examples", "tiny", "benchmark");
    expect(code).toBe(2);
    expect(stderr).toContain("scenarios/tiny.yaml: ");
    expect(readdirSync(join(place.path, "scenarios"))).toEqual(["tiny.yaml"]);
    expect(text("scenarios/tiny.yaml")).toBe("mine\n");
    expect((await place.bide("examples", "tiny", "--force")).code).toBe(0);
    expect(text("scenarios/tiny.yaml")).toContain("name: tiny");
  });
});

describe("the packed package", () => {
  let packed: PackedBide;
  beforeAll(() => {
    packed = new PackedBide();
  }, 120_000);
  afterAll(() => {
    packed.remove();
  });

  it("holds what its documents link to", () => {
    const pages = packed.files.filter((path) => path.endsWith(".md"));
    expect(pages).toContain("README.md");
    const exists = (path: string): boolean => existsSync(join(packed.root, path));
    const broken = pages.flatMap((path) =>
      brokenLinks({ path, text: readFileSync(join(packed.root, path), "utf8") }, exists),
    );
    expect(broken).toEqual([]);
  });

  // The figures of docs/bench.md are of this repository; every other command works where the examples are.
  it("holds the files that the commands of its documents name", () => {
    const missing = packed.files
      .filter((path) => path.endsWith(".md") && path !== "CHANGELOG.md")
      .flatMap((path) => {
        const page = readFileSync(join(packed.root, path), "utf8");
        const commands = [...page.matchAll(/npx bide ([^`\n]*)/g)].map(([, words]) => words);
        const named = commands.flatMap((words) => words.match(/\b(?:scenarios|docs|test|bench)\/[\w./-]+\.\w+/g) ?? []);
        return named.filter((file) => !packed.files.includes(file) || !/^(scenarios|bench\/baselines)\//.test(file));
      });
    expect([...new Set(missing)]).toEqual([]);
  });
});
