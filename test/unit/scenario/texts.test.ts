import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadScenario, parseScenario } from "../../../dist/io/index.js";
import { refusal, refusalOf } from "./refused.js";

const BOMB = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
  .concat(
    Array.from({ length: 9 }, (_, i) => {
      const [name, before] = ["bcdefghij"[i], "abcdefghi"[i]];
      return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(", ")}]`;
    }),
  )
  .join("\n");

/** [what is wrong, text, start of the message] */
const TEXTS: readonly (readonly [string, string, string])[] = [
  ["an empty file", "", "x.yaml:1:1: found nothing for the scenario, allowed a mapping"],
  ["only a comment", "# later\n", "x.yaml:1:1: found nothing for the scenario"],
  ["a list at the top", "- 1\n- 2\n", "x.yaml:1:1: found a list of 2 for the scenario, allowed a mapping"],
  ["a word at the top", "facebook", 'x.yaml:1:1: found "facebook" for the scenario'],
  ["an unclosed list", "workload: [1", "x.yaml:1:13: found broken YAML"],
  [
    "a tab as indentation",
    "workload:\n\tkind: facebook\n",
    "x.yaml:2:1: found broken YAML (Tabs are not allowed as indentation)",
  ],
  [
    "two documents",
    "workload: {kind: facebook}\n---\nname: b\n",
    "x.yaml:2:1: found a second document, allowed one scenario per file",
  ],
  ["a duplicate key", "name: a\nname: b\n", 'x.yaml:2:1: found the key "name" a second time, allowed once'],
  ["a key that is a list", "? [a]\n: 1\n", "x.yaml:1:3: found a key that is no plain word"],
  ["a key that reaches for prototypes", "__proto__: {name: x}\n", "x.yaml:1:1: found a key that is no plain word"],
  ["an unknown tag", "name: !secret a\n", "x.yaml:1:7: found broken YAML (Unresolved tag: !secret)"],
  ["YAML 1.1", "%YAML 1.1\n---\nname: a\n", "x.yaml:1:1: found %YAML 1.1, allowed 1.2"],
  ["an unknown alias", "name: *a\n", 'x.yaml:1:7: found the alias "a" without its anchor'],
  ["aliases that multiply", BOMB, "more than 100000 values, allowed less"],
  ["an alias inside its own anchor", "a: &a {b: *a}\n", "aliases nested deeper than 80 levels"],
  ["deep flow nesting", "[".repeat(1_000_000), "found nesting deeper than 80 levels"],
  [
    "deep block nesting",
    Array.from({ length: 1400 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
    "found nesting deeper than 80 levels",
  ],
  ["many dashes", "- ".repeat(500_000), "found nesting deeper than 80 levels"],
  ["a text of 10 MB", "#".repeat(10_000_000), "x.yaml: found 10000000 characters, allowed at most 1048576 bytes"],
];

describe("a broken, hostile or oversized text is refused", () => {
  it.each(TEXTS)("%s", (_, text, part) => {
    expect(refusal(text)).toContain(part);
  });

  it("30,000 unknown keys are refused, not compared pair by pair", () => {
    const text = Array.from({ length: 30_000 }, (_, i) => `key${String(i)}: 1`).join("\n");
    expect(refusal(text)).toContain("found 29901 more problems");
  });
});

describe("files", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "bide-scenario-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it("a path that leads nowhere is refused", () => {
    const path = join(folder, "none.yaml");
    expect(refusalOf(() => loadScenario(path))).toBe(
      `${path}: found no readable file (no such file or directory), allowed a scenario in YAML or JSON`,
    );
  });

  it("a directory is refused", () => {
    expect(refusalOf(() => loadScenario(folder))).toContain("found a directory, allowed a scenario file");
  });

  it("a path with a NUL is refused", () => {
    expect(refusalOf(() => loadScenario("a\0b"))).toContain("found no readable file");
  });

  it("a file of 10 MB is refused without reading it all", () => {
    const path = write("large.yaml", new Uint8Array(10_000_000).fill(35));
    expect(refusalOf(() => loadScenario(path))).toContain(
      "found more than 1048576 bytes, allowed at most 1048576 bytes",
    );
  });

  it("bytes that are no UTF-8 are refused", () => {
    const path = write("latin.yaml", new Uint8Array([0x6e, 0x61, 0x6d, 0x65, 0x3a, 0x20, 0xe9]));
    expect(refusalOf(() => loadScenario(path))).toContain(
      "latin.yaml:1:7: found the byte 0xe9 (byte 6 of the file), which is no UTF-8 text, allowed a scenario",
    );
  });

  it("a JSON file is read by the same rules, tabs and all", () => {
    const content = JSON.stringify(
      { $schema: "./s.json", workload: { kind: "facebook" }, cluster: { racks: 2 } },
      null,
      "\t",
    );
    const loaded = loadScenario(write("my day.json", content));
    expect(loaded.scenario.name).toBe("my-day");
    expect(loaded.scenario.cluster.racks).toHaveLength(2);
    expect(loaded.directory).toBe(folder);
    const path = write("bad.json", '{\n\t"workload": {"kind": "facebook"},\n\t"cluster": {"racks": 0}\n}');
    expect(refusalOf(() => loadScenario(path))).toContain(`${path}:3:23: found 0 for cluster.racks`);
  });
});

it("anchors may be used, and what is made of them is independent", () => {
  const text = "workload: {kind: jobs, jobs: [&a {maps: 1}, *a]}";
  const { scenario } = parseScenario(text, "x.yaml", { set: ["workload.jobs.1.maps=7"] });
  expect(scenario.workload.kind === "jobs" && scenario.workload.jobs.map((job) => [job.name, job.maps])).toEqual([
    ["job1", 1],
    ["job2", 7],
  ]);
});
