import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { BROKEN, soundSuite, withValue } from "./broken-suites.mjs";
import { parseSuite } from "./read-suite.mjs";
import { main } from "./run.mjs";
import { failuresOf, runSuite } from "./run-suite.mjs";
import { wrongAnswers } from "./wrong-answers.mjs";

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
    let spoiled = 0;
    for (const scenario of [...scenariosOf(HADOOP), ...scenariosOf(OWN)]) {
      for (const { wrong, what, everywhere } of wrongAnswers(scenario)) {
        spoiled++;
        const failing = wrong.variants.filter((variant: string) => failuresOf(wrong, variant).length > 0);
        if (everywhere) expect(failing, `${scenario.id}: ${what}`).toEqual(wrong.variants);
        else expect(failing, `${scenario.id}: ${what}`).not.toEqual([]);
      }
    }
    expect(spoiled).toBeGreaterThan(1000);
  }, 120_000);
});

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

  it("with the pool default as spark.scheduler.mode says, where there is no file, from 3.4 on", () => {
    const modeOf = (version: string, configMode?: string): unknown => {
      const pools = { default: { minShare: 0, weight: 1, mode: "FAIR" } };
      const found = failuresOf(
        {
          id: "p",
          kind: "spark.poolFile",
          variants: [version],
          schedulerMode: "FAIR",
          file: null,
          configMode,
          expect: { pools },
        },
        version,
      );
      return found.length === 0 ? "FAIR" : "FIFO";
    };
    expect([modeOf("3.1"), modeOf("3.5"), modeOf("3.5", "fifo"), modeOf("4.0", "Fair")]).toEqual([
      ...["FIFO", "FAIR", "FIFO", "FAIR"],
    ]);
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

  it.each([
    ["an unknown step", ["scenarios", 0, "steps", 0, "op"], "wait", /op: found "wait", allowed offer, advance/],
    ["an unknown release", ["scenarios", 0, "versions"], ["1.6"], /versions\[1\]: found "1.6", allowed 2.4, 3.0/],
    [
      "an unknown level",
      ["scenarios", 0, "steps", 0, "maxLocality"],
      "HOST",
      /maxLocality: found "HOST", allowed PROCESS/,
    ],
    ["an unknown kind", ["scenarios", 0, "kind"], "spark.dag", /kind: found "spark.dag", allowed spark.taskSet/],
    ["a key too many", ["scenarios", 0, "task"], 1, /found the key "task", allowed id, kind/],
  ])("and a file with %s is refused", (_, path, value, message) => {
    const { status, stderr } = run(
      written("broken.json", withValue(JSON.parse(readFileSync(SPARK, "utf8")), path, value)),
    );
    expect([status, message.test(stderr)]).toEqual([2, true]);
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

  it("with amounts above 2^53 - 1 taken for that, in what is given and in what is expected", () => {
    const most = 2 ** 63;
    const shares = (expected: number[]): unknown[] =>
      failuresOf(
        {
          id: "o",
          kind: "yarn.fs.shares",
          variants: ["3.4"],
          total: most,
          schedulables: [{ min: most }, { min: most }],
          expect: { shares: expected },
        },
        "3.4",
      );
    expect(shares([most, most])).toEqual([]);
    expect(shares([most, 2 ** 52])).not.toEqual([]);
  });

  it.each([
    ["an unknown step", ["scenarios", 0, "steps", 0, "op"], "wait", /op: found "wait", allowed opportunity, level/],
    ["an unknown release", ["scenarios", 0, "versions"], ["2.7"], /versions\[1\]: found "2.7", allowed 3.4/],
    ["an unknown level", ["scenarios", 0, "steps", 0, "expect"], "HOST", /expect: found "HOST", allowed NODE_LOCAL/],
    [
      "an unknown kind",
      ["scenarios", 0, "kind"],
      "yarn.fs.queue",
      /kind: found "yarn.fs.queue", allowed spark.taskSet/,
    ],
    ["too large an amount", ["scenarios", 2, "total"], 1e19, /total: found 10000000000000000000, allowed a whole/],
  ])("and a file with %s is refused", (_, path, value, message) => {
    const { status, stderr } = run(
      written("broken.json", withValue(JSON.parse(readFileSync(YARN, "utf8")), path, value)),
    );
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });
});

describe("a sound file", () => {
  it("passes, and `--verbose` says what", () => {
    const { status, lines } = run("--verbose", written("sound.json", soundSuite()));
    expect(lines).toEqual([
      "ok   a/timeline [0.21]",
      "ok   a/timeline [1.2]",
      "ok   a/timeline [branch-1]",
      "ok   a/cap [1.2]",
      "4 passed, 0 failed",
    ]);
    expect(status).toBe(0);
  });

  it("with a wrong expectation fails, with place, expected and found", () => {
    const step = ["scenarios", 0, "steps", 4, "expect", "jobs", "job1", "map", "running"];
    const { status, lines } = run(written("wrong.json", withValue(soundSuite(), step, 2)));
    expect(lines).toEqual([
      "FAIL a/timeline [0.21] step 5 (check): jobs.job1.map.running: expected 2, got 1",
      "FAIL a/timeline [1.2] step 5 (check): jobs.job1.map.running: expected 2, got 1",
      "FAIL a/timeline [branch-1] step 5 (check): jobs.job1.map.running: expected 2, got 1",
      "1 passed, 3 failed",
    ]);
    expect(status).toBe(1);
  });

  it("lists every failed expectation of a case, which counts once", () => {
    const suite = withValue(soundSuite(), ["scenarios", 0, "steps", 1, "expect", "assigned"], []);
    suite.scenarios[0].steps[4].expect.greater[0].reverse();
    const { results } = runSuite(parseSuite(JSON.stringify(suite), "f"));
    expect(results.map(({ failures }) => failures.length)).toEqual([2, 2, 2, 0]);
    expect(results[0]!.failures[0]).toEqual({
      step: 2,
      op: "heartbeat",
      path: "assigned",
      expected: "nothing",
      got: "job1/m0, job1/r0, job1/m1",
    });
  });

  it("fails where a task ends that does not run", () => {
    const suite = withValue(soundSuite(), ["scenarios", 0, "steps", 2, "tracker"], "tt2");
    const [first] = runSuite(parseSuite(JSON.stringify(suite), "f")).results;
    expect(first!.failures[0]).toMatchObject({ step: 3, op: "finish", expected: "job1/m0 running on tt2" });
  });

  it("of Facebook's scheduler is left out, and said to be", () => {
    const suite = soundSuite();
    suite.scenarios[1].variants = ["1.2", "facebook-fair"];
    (suite.scenarios as object[]).push({
      id: "f/flat",
      kind: "timeline",
      suite: "facebook",
      variants: ["facebook-deficit", "facebook-fair"],
      steps: [{ op: "setJobComparator", of: "whatever" }],
    });
    const { status, lines } = run(written("facebook.json", suite));
    expect(lines).toEqual(["left out: 2 of facebook-fair, 1 of facebook-deficit", "4 passed, 0 failed"]);
    expect(status).toBe(0);
  });

  it("may name jobs, pools and users like properties of objects", () => {
    let suite = soundSuite();
    suite = JSON.parse(
      JSON.stringify(suite).replaceAll('"p"', '"constructor"').replaceAll("pools.p.", "pools.constructor."),
    );
    (suite.scenarios[0].steps![4] as { expect: { users: object } }).expect.users = {
      toString: { maxRunningJobs: "unlimited" },
    };
    const { results } = runSuite(parseSuite(JSON.stringify(suite), "f"));
    expect(results.flatMap(({ failures }) => failures)).toEqual([]);
  });
});

describe("a broken file is refused, with the place, what was found and what is allowed:", () => {
  it.each(BROKEN as [(string | number)[], unknown, RegExp | string][])("%j = %j", (path, value, message) => {
    const spoiled = JSON.stringify(withValue(soundSuite(), path, value));
    expect(() => parseSuite(spoiled, "f.json")).toThrow(message);
    expect(() => parseSuite(spoiled, "f.json")).toThrow(/^f\.json: /);
  });

  it.each([
    ["", "found text that is not JSON"],
    ["{", "found text that is not JSON"],
    [JSON.stringify(soundSuite()).replace('"clockMs":100', '"clockMs":NaN'), "found text that is not JSON"],
    [
      JSON.stringify(soundSuite()).replace('"clockMs":100', '"clockMs":1e999'),
      "clockMs: found .inf, allowed a whole number",
    ],
    [
      JSON.stringify(soundSuite()).replace('"op":"submit"', '"op":"check","op":"submit"'),
      'line 1: found the key "op" twice',
    ],
    [
      JSON.stringify(soundSuite()).replace('"users":', '\n"__proto__":{},"users":'),
      'line 2: found the key "__proto__"',
    ],
    [JSON.stringify(soundSuite()).replace('"p":', '"\\u005f_proto__":'), 'found the key "__proto__"'],
    ["[]", "found an empty list, allowed an object with format, version"],
    ["null", "found nothing, allowed an object with format, version"],
    ["[".repeat(100_000) + "]".repeat(100_000), "allowed an object with format, version"],
  ])("text %#", (text, message) => {
    expect(() => parseSuite(text, "f.json")).toThrow(message);
  });

  it("text with control characters is shown harmless", () => {
    const suite = withValue(soundSuite(), ["scenarios", 0, "kind"], "\u001b[31m");
    expect(() => parseSuite(JSON.stringify(suite), "f.json")).toThrow('found "\\u001b[31m"');
  });
});

describe("the command", () => {
  it("runs nothing when one of several files is bad, and says all that is wrong", () => {
    const bad = written("bad.json", withValue(withValue(soundSuite(), ["version"], 3), ["format"], 1));
    const { status, lines, stderr } = run(
      written("good.json", soundSuite()),
      bad,
      join(folder, "missing.json"),
      folder,
    );
    expect(status).toBe(2);
    expect(lines).toEqual([""]);
    expect(stderr).toContain(`${bad}: format: found 1, allowed "hfs-scenarios"`);
    expect(stderr).toContain(`${bad}: version: found 3, allowed 1`);
    expect(stderr).toContain("missing.json: found nothing to read (ENOENT)");
    expect(stderr).toContain(`${folder}: found nothing to read (EISDIR)`);
  });

  it("refuses bytes that are not UTF-8", () => {
    const { status, stderr } = run(written("latin.json", Buffer.from([0x7b, 0xe9, 0x7d])));
    expect(status).toBe(2);
    expect(stderr).toContain("found bytes that are not UTF-8");
  });

  it("wants a file and knows its options", () => {
    expect(run().status).toBe(2);
    expect(run().stderr).toContain("found no file, allowed is at least one");
    expect(run("--fast", HADOOP).status).toBe(2);
    const help = run("--help");
    expect(help.status).toBe(0);
    expect(help.lines[0]).toBe("Usage: npm run conformance -- [--verbose] FILE...");
  });
});
