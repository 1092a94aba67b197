import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parseSuite } from "./read-suite.mjs";
import { main } from "./run.mjs";
import { failuresOf, runSuite } from "./run-suite.mjs";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const HADOOP = here("hfs-scenarios.json");
const OWN = here("own-scenarios.json");
const SPARK = here("spark-scenarios.json");
const YARN = here("yarn-scenarios.json");
const folder = mkdtempSync(join(tmpdir(), "bide-conformance-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The command, in this process. */
function run(...args: string[]): { status: number; lines: string[]; stderr: string } {
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => (said[name] += text) });
  const status = main(args, { stdout: stream("stdout"), stderr: stream("stderr") });
  return { status, lines: said.stdout.trimEnd().split("\n"), stderr: said.stderr };
}

function written(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" || content instanceof Buffer ? content : JSON.stringify(content));
  return path;
}

interface Case {
  readonly id: string;
  readonly variants: readonly string[];
}

const scenariosOf = (file: string): Case[] => parseSuite(readFileSync(file, "utf8"), file);
const pairs = (file: string): number => scenariosOf(file).reduce((sum, { variants }) => sum + variants.length, 0);

describe("the scheduler conforms", () => {
  it("in every case of Hadoop's tests and of our own, under every rule set", () => {
    const command = [here("run.mjs"), HADOOP, OWN];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toBe(`${pairs(HADOOP) + pairs(OWN)} passed, 0 failed\n`);
    expect(status).toBe(0);
  });

  it("in no case by accident: whatever a case expects, something else fails it", () => {
    const answers = /\.(cap|assignable|max|intervalMs|autoDelayMs|pool)$|\.shares\./;
    let tried = 0;
    for (const scenario of [...scenariosOf(HADOOP), ...scenariosOf(OWN)] as ModernCase[]) {
      for (const { wrong, what } of spoilt(scenario)) {
        // Other numbers are what is asked.
        if (/\.(tol|from|(greater|from)\..*)$/.test(what) || (scenario.steps === undefined && !answers.test(what)))
          continue;
        const failing = wrong.variants.filter((variant) => failuresOf(wrong, variant).length > 0);
        expect(failing, `${scenario.id}: ${what}`).not.toEqual([]);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(1000);
  }, 120_000);
});

/** A copy of a value with another value at one place. */
function withValue(tree: unknown, path: readonly (string | number)[], value: unknown): object {
  const copy = structuredClone(tree) as object;
  const inner = path.slice(0, -1).reduce<unknown>((node, key) => (node as never)[key], copy);
  (inner as Record<string | number, unknown>)[path.at(-1)!] = value;
  return copy;
}

interface ModernCase extends Case {
  readonly steps?: readonly { readonly expect?: unknown; readonly derived?: unknown }[];
  readonly cases?: readonly unknown[];
  readonly expect?: unknown;
}

/** The case with each single thing that it expects made wrong. */
function* spoilt(scenario: ModernCase): Generator<{ readonly wrong: ModernCase; readonly what: string }> {
  const roots = [
    ["expect"],
    ...(scenario.steps ?? []).flatMap((_, i) => [
      ["steps", i, "expect"],
      ["steps", i, "derived"],
    ]),
    ...(scenario.cases ?? []).map((_, i) => ["cases", i, "expect"]),
  ];
  for (const root of roots) {
    for (const path of leavesBelow(
      root.reduce<unknown>((at, key) => (at as never)?.[key], scenario),
      root,
    )) {
      const was = path.reduce<unknown>((at, key) => (at as never)[key], scenario);
      yield { wrong: withValue(scenario, path, spoiltValue(was)) as ModernCase, what: path.join(".") };
    }
  }
}

function leavesBelow(value: unknown, path: readonly (string | number)[]): (readonly (string | number)[])[] {
  if (value === undefined) return [];
  if (value === null || typeof value !== "object" || (Array.isArray(value) && value.length === 0)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leavesBelow(inner, [...path, key]));
}

function spoiltValue(was: unknown): unknown {
  if (typeof was === "number") return was + 1;
  if (typeof was === "boolean") return !was;
  if (was === null) return {};
  return Array.isArray(was) ? ["nothing"] : "nothing";
}

describe("the task scheduler of Spark conforms", () => {
  it("in every case of Spark's tests, under every release that it names", () => {
    const { results, leftOut } = runSuite(scenariosOf(SPARK));
    expect(
      results.flatMap(({ id, variant, failures }) => (failures.length > 0 ? [[id, variant, failures]] : [])),
    ).toEqual([]);
    expect([results.length, leftOut]).toEqual([pairs(SPARK), []]);
  });

  it("in no case by accident: whatever a case expects, something else fails it", () => {
    let tried = 0;
    for (const scenario of scenariosOf(SPARK) as ModernCase[]) {
      for (const { wrong, what } of spoilt(scenario)) {
        const passing = wrong.variants.filter((variant) => failuresOf(wrong, variant).length === 0);
        expect(passing, `${scenario.id}: ${what}`).toEqual([]);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(200);
  });
});

describe("the schedulers of YARN conform", () => {
  it("in every case of YARN's tests and of our own", () => {
    const { results, leftOut } = runSuite(scenariosOf(YARN));
    expect(results.flatMap(({ id, failures }) => (failures.length > 0 ? [[id, failures]] : []))).toEqual([]);
    expect([results.length, leftOut]).toEqual([pairs(YARN), []]);
  });

  it("in no case by accident: whatever a case expects, something else fails it", () => {
    let tried = 0;
    for (const scenario of scenariosOf(YARN) as ModernCase[]) {
      for (const { wrong, what } of spoilt(scenario)) {
        expect(failuresOf(wrong, "3.4"), `${scenario.id}: ${what}`).not.toEqual([]);
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(400);
  });

  it("in no order by accident: of two that are compared, the other does not go first", () => {
    for (const scenario of scenariosOf(YARN) as (ModernCase & { kind: string; pairs?: Record<string, unknown>[] })[]) {
      for (const [i, pair] of (scenario.pairs ?? []).entries()) {
        const turned = withValue(scenario, ["pairs", i], { ...pair, first: pair["second"], second: pair["first"] });
        expect(failuresOf(turned, "3.4"), `${scenario.id}: pair ${i + 1}`).not.toEqual([]);
      }
    }
  });
});

describe("the command", () => {
  const suite = readFileSync(OWN, "utf8");
  const [sound] = scenariosOf(OWN);
  const withScenario = (scenario: object): object => ({ ...(JSON.parse(suite) as object), scenarios: [scenario] });
  const [raw] = (JSON.parse(suite) as { scenarios: object[] }).scenarios;

  it("says how many cases passed, and of one that fails the place, what was expected and what came", () => {
    expect(run(written("sound.json", withScenario(raw!)))).toMatchObject({
      status: 0,
      lines: [`${sound!.variants.length} passed, 0 failed`],
    });
    const valueAt = (path: readonly (string | number)[]): unknown =>
      path.reduce<unknown>((at, key) => (at as never)[key], raw);
    const path = leavesBelow((raw as ModernCase).steps, ["steps"]).find(
      (leaf) => leaf.includes("expect") && typeof valueAt(leaf) === "number",
    )!;
    const { status, lines } = run(
      written("wrong.json", withScenario(withValue(raw, path, spoiltValue(valueAt(path))))),
    );
    expect([status, lines[0]]).toEqual([1, expect.stringMatching(/^FAIL .* step .*expected .*, got /)]);
  });

  it("runs nothing when one of several files is bad", () => {
    const bad = [
      withValue(JSON.parse(suite), ["version"], 3),
      withValue(JSON.parse(suite), ["scenarios", 0, "kind"], "\u001b[31m"),
      suite.replace('"version"', '"__proto__": {}, "version"'),
      Buffer.from([0x7b, 0xe9, 0x7d]),
      "",
    ].map((content, i) => written(`bad-${i}.json`, content));
    for (const file of [...bad, join(folder, "missing.json"), folder]) {
      const { status, lines, stderr } = run(OWN, file);
      expect([status, lines, stderr.includes(file)]).toEqual([2, [""], true]);
    }
    expect([run().status, run("--fast", OWN).status, run("--help").status]).toEqual([2, 2, 0]);
  });
});
