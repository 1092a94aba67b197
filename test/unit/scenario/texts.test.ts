import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadScenario, parseScenario } from "../../../dist/io/index.js";
import { refusal, refusalOf } from "./refused.js";

const folder = mkdtempSync(join(tmpdir(), "bide-scenario-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Pools nested `levels` deep. */
const nested = (levels: number): string => (levels === 0 ? "{}" : `{p: {pools: ${nested(levels - 1)}}}`);
const withPools = (pools: string): string => `workload: {kind: facebook}\nscheduler: {pools: ${pools}}`;
const listOf = (length: number, itemOf: (i: number) => string): string =>
  Array.from({ length }, (_, i) => itemOf(i)).join();

describe("a text that is broken, hostile or too large is refused within seconds, in few words", () => {
  it.each([
    ["deep flow nesting", "[".repeat(1_000_000), 1],
    ["deep block nesting", Array.from({ length: 1400 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"), 1],
    ["many dashes", "- ".repeat(500_000), 1],
    ["pools nested too deep", withPools(nested(33)), 1],
    ["a text of 10 MB", "#".repeat(10_000_000), 1],
    ["unknown keys", `workload: {kind: facebook}\n${listOf(10_000, (i) => `key${i}: 1\n`).replaceAll(",", "")}`, 101],
    [
      "faults of no rack",
      `workload: {kind: facebook}\nfaults: {events: [${listOf(2_000, () => "{kind: switch, rack: x, at: 1s}")}]}`,
      101,
    ],
    ["a huge name", withPools(`{${"n".repeat(700_000)}: {pools: {${listOf(9_999, (i) => `p${i}: {}`)}}}}`), 1],
    ["systems", `workload: {kind: facebook}\ncompare: {systems: [${listOf(3000, (i) => `{name: s${i}}`)}]}`, 1],
  ])("%s", (_, text, lines) => {
    const message = refusal(text);
    expect(message.split("\n")).toHaveLength(lines);
    expect(message.length).toBeLessThan(500 * lines);
  });

  it("pools may lie 32 deep", () => {
    const { pools } = parseScenario(withPools(nested(32)), "x.yaml").scenario.scheduler.allocations;
    expect(pools.at(-1)?.name).toBe(Array.from({ length: 32 }, () => "p").join("."));
  });
});

describe("a file", () => {
  const write = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it.each([
    ["that is not there", () => join(folder, "none.yaml"), ": "],
    ["that is a folder", () => folder, ": "],
    ["with a NUL in its path", () => "a\0b", ": "],
    ["of 10 MB", () => write("large.yaml", new Uint8Array(10_000_000).fill(35)), ": "],
    ["that is no UTF-8", () => write("latin.yaml", Uint8Array.of(0x6e, 0x61, 0x6d, 0x65, 0x3a, 0x20, 0xe9)), ":1:7: "],
    [
      "in JSON",
      () => write("bad.json", '{\n\t"workload": {"kind": "facebook"},\n\t"cluster": {"racks": 0}\n}'),
      ":3:23: ",
    ],
  ])("%s is refused at its place", (_, pathOf, place) => {
    const path = pathOf();
    expect(refusalOf(() => loadScenario(path))).toContain(`${path.replace("\0", "\\u0000")}${place}`);
  });

  it("in JSON is read by the same rules, tabs and all, and names the scenario", () => {
    const loaded = loadScenario(write("my day.json", '{\n\t"$schema": "s", "workload": {"kind": "facebook"}\n}'));
    expect([loaded.scenario.name, loaded.directory]).toEqual(["my-day", folder]);
  });
});
