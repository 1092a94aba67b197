import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseScenario } from "../../../dist/io/index.js";
import type { Scenario } from "../../../dist/core/scenario/index.js";
import { type KeyedRuns, RunKeys } from "../../../dist/lab/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bide-keys-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const KEPT = { measures: ["jain"], warmUp: { kind: "none" }, series: false } as const;

function scenario(text: string): Scenario {
  return parseScenario(text, "s.yaml").scenario;
}

function keyOf(of: Scenario, rest: Partial<KeyedRuns> = {}, seed = "1"): string {
  return new RunKeys({ plan: KEPT, directory: folder, plugins: [], ...rest }).keysOf(of, [seed])[0];
}

const TEXT = `name: a
cluster: {racks: 2, nodesPerRack: 2, mapSlots: 2}
workload: {kind: jobs, jobs: [{maps: 3, mapTime: 5s}]}
scheduler: {kind: delay, wait: {node: 3s}}
`;

describe("the key of a run", () => {
  it("is 32 hexadecimal digits, the same each time", () => {
    expect(keyOf(scenario(TEXT))).toMatch(/^[0-9a-f]{32}$/);
    expect(keyOf(scenario(TEXT))).toBe(keyOf(scenario(TEXT)));
  });

  it("does not depend on name, question, spelling, order of keys, defaults that are written out, or the scenario's own seed", () => {
    const key = keyOf(scenario(TEXT));
    const other = `scheduler: {wait: {node: 3000ms}, kind: delay}
workload: {jobs: [{mapTime: 0.005ks, maps: 3, count: 1}], kind: jobs}
cluster: {mapSlots: 2, nodesPerRack: 2, racks: 2} # as before
run: {seed: 77}
name: b
why: Is this another?
`.replace("0.005ks", "5000ms");
    expect(keyOf(scenario(other))).toBe(key);
  });

  it.each([
    ["a setting", TEXT.replace("3s", "4s")],
    ["a default", `${TEXT}run: {until: 1h}\n`],
    ["a job", TEXT.replace("maps: 3", "maps: 4")],
    ["the kind", TEXT.replace("delay", "fair")],
  ])("changes with %s", (_what, text) => {
    expect(text).not.toBe(TEXT);
    expect(keyOf(scenario(text))).not.toBe(keyOf(scenario(TEXT)));
  });

  it("changes with the seed and with what is kept", () => {
    const plans: KeyedRuns["plan"][] = [
      { ...KEPT, measures: ["jain", "kills"] },
      { ...KEPT, warmUp: { kind: "cut", untilUs: 5 } },
      { ...KEPT, warmUp: { kind: "detect" } },
      { ...KEPT, series: true },
    ];
    const keys = [
      keyOf(scenario(TEXT)),
      keyOf(scenario(TEXT), {}, "2"),
      ...plans.map((plan) => keyOf(scenario(TEXT), { plan })),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("knows a trace by what is in it, wherever it is and whatever it is called", () => {
    const swim = (file: string): Scenario => scenario(`workload: {kind: swim, file: ${file}}\n`);
    writeFileSync(join(folder, "a.tsv"), "j1\t0\t0\t1\t2\t3\n");
    writeFileSync(join(folder, "b.tsv"), "j1\t0\t0\t1\t2\t3\n");
    const key = keyOf(swim("a.tsv"));
    expect(keyOf(swim("b.tsv"))).toBe(key);
    expect(keyOf(swim(join(folder, "b.tsv")), { directory: "elsewhere" })).toBe(key);
    writeFileSync(join(folder, "a.tsv"), "j1\t0\t0\t1\t2\t4\n");
    expect(keyOf(swim("a.tsv"))).not.toBe(key);
    expect(() => keyOf(swim("c.tsv"))).toThrow(/c\.tsv: cannot read/);
  });

  it("knows plugins by what is in them", () => {
    const plugins = [join(folder, "p.mjs")];
    writeFileSync(plugins[0], "export default 1;");
    const key = keyOf(scenario(TEXT), { plugins });
    expect(key).not.toBe(keyOf(scenario(TEXT)));
    writeFileSync(plugins[0], "export default 2;");
    expect(keyOf(scenario(TEXT), { plugins })).not.toBe(key);
    expect(() => keyOf(scenario(TEXT), { plugins: [join(folder, "none.mjs")] })).toThrow(/cannot read/);
  });
});
